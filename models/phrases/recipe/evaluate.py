"""The figures of the model card, group by group.

usage: python -m models.phrases.recipe.evaluate [--cases DIR] [--speech DIR] [--weights phones.onnx] [--list]

``--cases`` holds ``phrases/clean``, ``phrases/cafe10`` (calls and near misses, with labels.jsonl) and
``sounds`` (speech, places,
music); ``--speech`` the recordings of which the vocgame speakers from 25 on were kept back. Words that count
only while
somebody is asked are no false calls; they are given apart.
"""

from __future__ import annotations

import argparse
import collections
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from audio.acoustic import WEIGHTS
from audio.phrasebook import Call, calls_from, calls_of
from audio.phrases import strictness
from audio.spotter import Heard, Spotter
from models.phrases.recipe.corpus import RATE, kept_back, load

#: A call counts as heard at the right time within this many seconds.
TOLERANCE = 1.2
_TALK = (
    "speech-fr",
    "speech-fr-words",
    "speech-other",
    "voice-nonspeech",
    "ambience",
    "music",
    "laugh",
    "cough",
)


def hear(calls: tuple[Call, ...], samples: np.ndarray, weights: Path, listed: bool = False) -> list[Heard]:
    """All calls heard in one sound."""
    spotter = Spotter(calls, strictness(listed), weights)
    return spotter.accept(samples.astype(np.float32)) + spotter.finish()


def rows(labels: Path) -> Iterator[tuple[dict[str, Any], Path]]:
    for line in labels.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row, labels.parent / row["file"]


def calls_and_near_misses(folder: Path, weights: Path, show: bool) -> None:
    count: collections.Counter[str] = collections.Counter()
    late = []
    for row, path in rows(folder / "labels.jsonl"):
        heard = hear(calls_of(row["game"]), load(path), weights)
        for event in row["events"]:
            verb = event["phrase"]
            right = [h for h in heard if verb in h.call.verbs and abs(h.t - event["t"]) <= TOLERANCE]
            main_job = row["game"] == "trut" and verb in ("trut", "accept", "fold")
            for name in ("all", verb, *(["trut, accept, fold"] if main_job else [])):
                count[name, "said"] += 1
                count[name, "heard"] += bool(right)
            late += [h.decided - event["t"] for h in right[:1]]
            if show and not right:
                print("  missed", path.name, row["text"], [h.call.text for h in heard])
        if not row["events"]:
            count["near", "said"] += 1
            false = [h for h in heard if not h.call.answer]
            count["near", "false"] += bool(false)
            count["near", "answers"] += bool(heard) and not false
            if show and false:
                print("  false", path.name, row["text"], [h.call.text for h in false])
    for name in sorted({n for n, _ in count} - {"near"}, key=lambda n: (n != "all", " " not in n, n)):
        print(f"{folder.name:10s} {name:20s} {count[name, 'heard']}/{count[name, 'said']}")
    print(
        f"{folder.name:10s} near misses          {count['near', 'false']} false calls and "
        f"{count['near', 'answers']} answers in {count['near', 'said']}"
    )
    print(f"{folder.name:10s} decided after the end: median {np.median(late):.2f} s, worst {max(late):.2f} s")


def false_calls(labels: Path, weights: Path, show: bool) -> None:
    found: dict[str, list[float]] = collections.defaultdict(lambda: [0, 0, 0.0])
    trut = calls_of("trut")
    for row, path in rows(labels):
        if row["kind"] not in _TALK:
            continue
        samples = load(path)
        heard = hear(trut, samples, weights)
        group = found[f"{row['kind']} {row['group']}"]
        group[0] += sum(not h.call.answer for h in heard)
        group[1] += sum(h.call.answer for h in heard)
        group[2] += len(samples) / RATE
        if show and heard:
            print("  false", path.name, [(h.call.text, round(h.confidence, 2)) for h in heard])
    for name, (false, answers, seconds) in sorted(found.items()):
        rate = false / seconds * 3600
        print(
            f"{name:32s} {false:.0f} false calls in {seconds / 60:.1f} min = {rate:.0f} an hour; "
            f"{answers:.0f} answers"
        )


def closed_set(speech: Path, weights: Path, show: bool) -> None:
    clips = kept_back(speech)
    calls = calls_from(sorted({clip.text for clip in clips}))
    quiet = np.zeros(int(0.6 * RATE), np.float32)
    right = heard_at_all = 0
    for clip in clips:
        heard = hear(calls, np.concatenate([quiet, load(clip.path), quiet]), weights, listed=True)
        heard_at_all += bool(heard)
        right += bool(heard) and heard[0].call.text == clip.text
        if show and not (heard and heard[0].call.text == clip.text):
            print("  wrong", clip.speaker, clip.text, [h.call.text for h in heard])
    print(f"vocgame, kept back: {right}/{len(clips)} right, {heard_at_all} heard, {len(calls)} words")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--speech", type=Path)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--list", action="store_true", help="each miss and false call")
    args = parser.parse_args()
    if args.speech:
        closed_set(args.speech, args.weights, args.list)
    if args.cases:
        for folder in ("clean", "cafe10"):
            calls_and_near_misses(args.cases / "phrases" / folder, args.weights, args.list)
        false_calls(args.cases / "sounds" / "labels.jsonl", args.weights, args.list)


if __name__ == "__main__":
    main()
