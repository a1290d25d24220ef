"""Effects and music of Debian packages, as the recipe takes them:
``python -m models.knocks.recipe.packages UNPACKED OUT``.

``UNPACKED`` holds a folder a package (``dpkg -x NAME_VERSION_all.deb UNPACKED/NAME``); PACKAGES.md lists those of the
shipped net. Each becomes a folder of 16 kHz mono FLAC with ``labels.jsonl``; the kind is guessed from the path.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import numpy as np
import soundfile
import soxr

RATE = 16_000
SUFFIXES = (".ogg", ".wav", ".oga", ".flac", ".mp3", ".opus")
LONGEST, MUSIC_SECONDS, MOST_PIECES = 60.0, 20.0, 25
"""Seconds taken of a recording; from how many seconds on it is a piece; pieces taken of a package."""
RULES: tuple[tuple[str, str], ...] = (  # the first that fits the path below the package, in small letters
    ("speech-other", r"hedgewars/data/sounds/voices|fillets-ng/sound/.*/(en|cs|nl)/|/speech/|voice"),
    ("music", r"music|song|/ost|theme\.|title|menu.*ogg|soundtrack|/mod/|jingle|ringtone|beat/|ballad|intro|credits"),
    ("keyboard-typing", r"buckle/|typ(e|ing)|keyboard|keypress"),
    ("laugh", r"laugh|giggle|chuckle|haha|hehe"),
    ("cough", r"cough|sneeze|hiccup|burp|belch|choke"),
    ("clap", r"clap|applau|cheer|crowd"),
    ("voice-nonspeech", r"grunt|scream|groan|moan|die|death|hurt|pain|oops|yell|roar|growl|snore|bark|bird"),
    ("knock", r"knock"),
    ("impact-wood", r"wood|plank|club|staff|mace|bowbreak|log_|board|drop|stone_move|chess|domino|place"),
    ("glass", r"glass|shatter|crystal|bottle|plate|ceramic|smash|break|crash"),
    ("door", r"door|gate|open|close|chest|lock|hatch"),
    ("footsteps", r"step|foot|walk|run\b|land\b"),
    ("coins-keys", r"coin|money|cash|gold|chip|key|jewel|gem|ring\b"),
    ("cards-dice", r"card|deal|shuffle|dice|flip|allin|blinds|call|check|fold|raise"),
    ("water-air", r"water|rain|wind|splash|bubble|wave|sea|fire|flame|steam|thunder|ambien|storm|river|drip"),
    ("engine", r"engine|motor|car|truck|train|bus|tank|plane|drill|machine|mill|factory|traffic|rocket|jet|build|ship"),
    ("explosion-shot", r"explo|boom|bomb|blast|shot|shoot|gun|fire|laser|missile|cannon|bow|arrow|mortar|mine"),
    ("impact-misc", r"hit|impact|bounce|bump|sword|punch|kick|metal|ball|bang|thud|slam|clank|fist|stone|hammer|block"),
    ("notification", r"bell|alert|notif|message|click|beep|button|menu|select|chime|alarm|gong|horn|phone|tick|win"),
)  # fmt: skip


def kind_of(path: str, seconds: float) -> str:
    """What a recording is by its name; long ones that tell nothing are music."""
    found = next((kind for kind, rule in RULES if re.search(rule, path.lower())), "")
    return found or ("music" if seconds > MUSIC_SECONDS else "game-effect")


def licences(package: Path) -> str:
    """The licences that the package's copyright file names."""
    text = next((p.read_text(errors="replace") for p in package.glob("usr/share/doc/*/copyright")), "")
    names = dict.fromkeys(re.findall(r"^License:\s*(\S[^\n]*)", text, re.M))
    return "; ".join(list(names)[:8]) or "see its copyright file"


def convert(package: Path, out: Path) -> int:
    """One unpacked package; how many recordings it holds."""
    out.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    seen: set[tuple[int, float]] = set()
    pieces = 0
    for path in sorted(p for p in package.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file()):
        try:
            sound, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
        except soundfile.SoundFileError:
            continue
        seconds = len(sound) / rate
        pieces += seconds > MUSIC_SECONDS
        skipped = round(8 * rate) if seconds > LONGEST else 0
        samples = soxr.resample(sound[skipped : skipped + round(LONGEST * rate)].mean(axis=1), rate, RATE)
        mark = (len(samples), round(float(np.abs(samples).sum()), 1))
        too_many = seconds > MUSIC_SECONDS and pieces > MOST_PIECES
        if mark in seen or too_many or len(samples) < 500 or np.abs(samples).max() < 0.005:
            continue
        seen.add(mark)
        inside = str(path.relative_to(package))
        name = f"{len(rows):04d}-{re.sub(r'[^A-Za-z0-9._-]+', '_', path.stem)}.flac"
        soundfile.write(out / name, np.clip(samples, -1, 1), RATE)
        source = f"{package.name}: {inside}"
        kind = kind_of(inside.split("share/", 1)[-1].replace(package.name, ""), seconds)
        rows.append({"file": name, "kind": kind, "source": source, "licence": licences(package)})
    (out / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("unpacked", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    for package in sorted(p for p in args.unpacked.iterdir() if p.is_dir()):
        print(package.name, convert(package, args.out / package.name), flush=True)


if __name__ == "__main__":
    main()
