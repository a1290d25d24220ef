"""Fit how evidence becomes confidence (audio/spotter.py, WEIGHING): the likeliest call of an utterance, where it is
right against where it is not.

Right ones: words of the vocgame speakers who were kept back, as stand-ins among the calls of trut, and calls of all
games in espeak voices that the net never heard; quiet and in noise. Wrong ones: the same words where nobody listens
for them, stories and prompts heard for the calls of three games and for lists of words that are not in them, near
misses, made noise, and recorded noises that were kept for measuring. Nothing of ``cases`` is among them. Right and
wrong ones weigh the same, people as much as synthetic voices.

Prints the weights, and the table of misses and false calls by confidence.

usage: python -m models.phrases.recipe.confidence --speech DIR [--rooms DIR] [--noises DIR] [--weights phones.onnx]
    [--write]
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path

import numpy as np
import soxr
from sklearn.linear_model import LogisticRegression

import audio.spotter
from audio.acoustic import WEIGHTS
from audio.espeak import espeak
from audio.phrasebook import GAMES, Call, calls_from, calls_of
from models.phrases.recipe.corpus import RATE, Clip, clips, kept_back, load
from models.phrases.recipe.hearing import Found, Outputs, found_in, outputs, without_names
from models.phrases.recipe.recordings import recordings
from models.phrases.recipe.sounds import Rooms, babble, clatter, hum, music, placed
from models.phrases.recipe.streams import TEST_VOICES
from models.phrases.recipe.texts import NEAR

#: False calls an hour in talk at which a call just counts, and those at which nobody need be asked back. A false call
#: that acts costs the table about as much as ten that have to be said again, and a question about as much as one;
#: stories and prompts without end are some five times denser than what is said at a table between calls.
LEAST, SURE = 15.0, 5.0
#: Kinds that are shown and not fitted to.
_ONLY_SHOWN = ("a list", "a list, noise")
#: Utterances of people weigh so much for one of a synthetic voice.
_PEOPLE = 2.0
#: How many of each are taken, so that it takes minutes.
_CALLS, _NEAR, _TALK, _LISTS, _NOISES = 160, 80, 110, 3, 60


@dataclass(frozen=True, slots=True)
class Row:
    """One utterance: of what kind of sound, whether its likeliest call was said, and what spoke for it."""

    kind: str
    right: bool
    found: Found


@dataclass(slots=True)
class Kind:
    """How often something was said, and how long was listened (seconds)."""

    said: int = 0
    seconds: float = 0.0


class Experience:
    """All rows, and how much of each kind was heard."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.kinds: dict[str, Kind] = {}

    def add(self, kind: str, heard: Outputs, found: Sequence[Found], right: Callable[[Call], bool] | None) -> None:
        """``right`` tells whether a call is what was said; None where nothing of the list was said."""
        of_kind = self.kinds.setdefault(kind, Kind())
        of_kind.said += right is not None
        of_kind.seconds += heard.seconds
        for one in found:
            if one.call.phrase:
                self.rows.append(Row(kind, right is not None and right(one.call), one))


def around(samples: np.ndarray, noise: np.ndarray | None, ratio: float, r: np.random.Generator) -> np.ndarray:
    """0.6 s of silence on both sides, brought to a usual level, with noise at ``ratio`` decibels under the loudest
    tenth of a second."""
    quiet = np.zeros(int(0.6 * RATE))
    clip = samples / max(1e-4, float(np.abs(samples).max())) * 10 ** (-r.uniform(4, 20) / 20)
    out = np.concatenate([quiet, clip, quiet])
    if noise is not None:
        at = int(r.integers(0, max(1, len(noise) - len(out))))
        part = np.resize(noise[at:], len(out))
        power = float(np.convolve(clip**2, np.ones(1600) / 1600, "same").max()) / 2
        out = out + part / np.sqrt((part**2).mean() + 1e-12) * np.sqrt(power) * 10 ** (-ratio / 20)
    return np.clip(out, -1, 1).astype(np.float32)


def said(text: str, r: random.Random) -> np.ndarray:
    """The text in an espeak voice that the net never heard."""
    voice = f"{r.choice(('fr', 'fr-be', 'fr-ch'))}+{r.choice(TEST_VOICES)}"
    text = " ".join("trutte" if word == "trut" else word for word in text.split())
    spoken = espeak().say(text, voice, r.randint(130, 220), r.randint(20, 80), r.randint(30, 80))
    return soxr.resample(spoken.samples.astype(np.float32) / 32768, spoken.rate, RATE)


@dataclass(frozen=True, slots=True)
class Material:
    """What the sounds are made of.

    Attributes:
        speech: folder of recordings of people.
        recorded: folder of recorded noises, None for none.
        weights: the net.
        rooms: room responses.
        people: all recordings that may be trained on.
        noise: made noises.
        games: the calls of each game, but the names of cards.
    """

    speech: Path
    recorded: Path | None
    weights: Path
    rooms: Rooms
    people: tuple[Clip, ...]
    noise: tuple[np.ndarray, ...]
    games: dict[str, tuple[Call, ...]]


def material(speech: Path, rooms: Path | None, recorded: Path | None, weights: Path) -> Material:
    """Gather it, and make the noises."""
    r, choose, places = np.random.default_rng(77), random.Random(77), Rooms(rooms)
    people = tuple(clip for clip in clips([speech], None, None) if clip.source != "pynab")
    talk = [load(c.path) for c in choose.sample([c for c in people if c.source in ("asp", "gcompris")], 80)]
    made = [placed(sound, places, r)[0] for sound in (babble(talk, r), clatter(r), music(r), hum(r))]
    made.append(made[0] + np.resize(made[1], len(made[0])))
    games = {game: without_names(calls_of(game)) for game in GAMES}
    return Material(speech, recorded, weights, places, people, tuple(made), games)


def words(given: Material, seen: Experience) -> None:
    """Words of people that nobody trained on, heard among the calls of trut; and heard for these calls alone."""
    r, mine = np.random.default_rng(1), kept_back(given.speech)
    trut = given.games["trut"]
    known, listed = {call.text for call in trut}, calls_from(sorted({clip.text for clip in mine}))
    stand_ins = tuple(call for call in listed if call.text not in known)
    talk = {call.text for call in trut if not call.phrase}
    for i, clip in enumerate(mine):
        for noisy in (False, True):
            if clip.text in talk or (not noisy and i % 2):
                continue
            heard = _around(given, load(clip.path), 1.0 if noisy else 0.0, (5, 20), r)
            text = clip.text
            kind = "people, noise" if noisy else "people"
            right = partial(_same, text)
            seen.add(kind, heard, found_in(heard, (*trut, *stand_ins)), right)
            seen.add("a list, noise" if noisy else "a list", heard, found_in(heard, listed), right)
            if text not in known:
                seen.add("other words", heard, found_in(heard, trut), None)


def _same(text: str, call: Call) -> bool:
    return call.text == text


def _meant(means: frozenset[str], call: Call) -> bool:
    return bool(means & set(call.means))


def voices(given: Material, seen: Experience) -> None:
    """Calls of all games and near misses in espeak voices."""
    r, choose = np.random.default_rng(2), random.Random(2)
    texts = [(game, call) for game in GAMES for call in given.games[game] if call.phrase]
    for game, call in choose.sample(texts, min(_CALLS, len(texts))):
        sound, _ = placed(said(call.text, choose), given.rooms, r)
        means = frozenset(call.means)
        heard = _around(given, sound, 0.5, (6, 25), r)
        seen.add("voices", heard, found_in(heard, given.games[game]), partial(_meant, means))
    for text in choose.sample(NEAR, min(_NEAR, len(NEAR))):
        sound, _ = placed(said(text, choose), given.rooms, r)
        heard = _around(given, sound, 0.0, (0, 0), r)
        seen.add("near misses", heard, found_in(heard, given.games["trut"]), None)


def talk(given: Material, seen: Experience) -> None:
    """Stories and prompts, heard for what is not in them."""
    r, choose = np.random.default_rng(3), random.Random(3)
    texts = sorted({clip.text for clip in given.people if len(clip.text) < 20})
    lists = [calls_from(choose.sample(texts, 12)) for _ in range(_LISTS)]
    games = [given.games[game] for game in ("trut", "trut-gatine", "truc-y-flou")]
    for clip in choose.sample(given.people, _TALK):
        heard = _around(given, load(clip.path), 0.4, (5, 25), r)
        for calls in (*games, *lists):
            seen.add("talk", heard, [f for f in found_in(heard, calls) if not _in(f.call.text, clip.text)], None)


def noise(given: Material, seen: Experience) -> None:
    """Made noises, and recorded ones that the net was not trained on."""
    recorded = list(recordings(given.recorded, for_measuring=True)) if given.recorded is not None else []
    recorded = random.Random(4).sample(recorded, min(_NOISES, len(recorded)))
    for sound in (*given.noise, *(load(path)[: 20 * RATE] for _, path in recorded)):
        heard = outputs(sound / max(1e-4, float(np.abs(sound).max())) * 0.3, given.weights, at_once=True)
        for game in ("trut", "truc-y-flou"):
            seen.add("noise", heard, found_in(heard, given.games[game]), None)


#: Everything that is heard.
PARTS = (words, voices, talk, noise)


def _around(
    given: Material, sound: np.ndarray, noisy: float, ratios: tuple[float, float], r: np.random.Generator
) -> Outputs:
    """A clip in one of the made noises, with this probability."""
    background = given.noise[int(r.integers(len(given.noise)))] if r.random() < noisy else None
    return outputs(around(sound, background, r.uniform(*ratios), r), given.weights, at_once=True)


def _in(text: str, longer: str) -> bool:
    return re.search(rf"\b{re.escape(text.lower())}\b", longer.lower()) is not None


def fitted(seen: Experience) -> tuple[list[float], np.ndarray]:
    """Weights with the constant last, and the confidence of each row.

    A logistic regression tells how evidence weighs; then its scale is moved so that .5 and .8 mean what they cost (see
    :data:`LEAST` and :data:`SURE`).
    """
    rows = [row for row in seen.rows if row.kind not in _ONLY_SHOWN]
    x = np.array([astuple(row.found.evidence) for row in rows])
    y = np.array([row.right for row in rows])
    people = np.array([row.kind.startswith("people") for row in rows])
    weight = np.where(y & people, _PEOPLE, 1.0)
    weight = weight / np.where(y, weight[y].sum(), weight[~y].sum())
    scale = x.std(0) + 1e-6
    model = LogisticRegression(C=1.0, max_iter=3000).fit(x / scale, y, sample_weight=weight * len(y))
    weights, constant = model.coef_[0] / scale, float(model.intercept_[0])
    odds = np.array([astuple(row.found.evidence) for row in seen.rows]) @ weights + constant
    counts, sure = _odds_at(seen, odds, LEAST), _odds_at(seen, odds, SURE)
    steep = float(np.clip(math.log(4) / max(0.2, sure - counts), 0.6, 2.0))
    print(f"log-odds from which a call counts {counts:.2f}, from which it is sure {sure:.2f}; scaled by {steep:.2f}")
    moved = (odds - counts) * steep
    return [*(weights * steep), (constant - counts) * steep], 1 / (1 + np.exp(-np.clip(moved, -30, 30)))


def _odds_at(seen: Experience, odds: np.ndarray, rate: float) -> float:
    """Log-odds from which false calls (no answers) in talk are this many an hour or fewer."""
    false = [
        value
        for row, value in zip(seen.rows, odds, strict=True)
        if row.kind == "talk" and not row.right and not row.found.call.answer
    ]
    allowed = int(rate * seen.kinds["talk"].seconds / 3600)
    ranked = sorted(false, reverse=True)
    return float(ranked[allowed]) + 1e-6 if allowed < len(ranked) else float(ranked[-1])


def table(seen: Experience, p: np.ndarray) -> Iterator[str]:
    """A line for each confidence: how many of each kind are right, and how many false calls."""
    for least in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
        parts = []
        for kind, of_kind in seen.kinds.items():
            here = [(row, q) for row, q in zip(seen.rows, p, strict=True) if row.kind == kind and q >= least]
            right = sum(row.right for row, _ in here)
            wrong = sum(not row.right for row, _ in here)
            calls = sum(not row.right and not row.found.call.answer for row, _ in here)
            if of_kind.said:
                parts.append(f"{kind} {right}/{of_kind.said} wrong {wrong}")
            else:
                parts.append(f"{kind} {calls / of_kind.seconds * 3600:.0f}/h ({wrong - calls} answers)")
        yield f"confidence {least}: " + "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, required=True)
    parser.add_argument("--rooms", type=Path)
    parser.add_argument("--noises", type=Path, help="folders of recorded noises, each with labels.jsonl")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--write", action="store_true", help="put the weights into audio/spotter.py")
    args = parser.parse_args()
    given, seen = material(args.speech, args.rooms, args.noises, args.weights), Experience()
    for part in PARTS:
        part(given, seen)
    weights, p = fitted(seen)
    line = "WEIGHING = (" + ", ".join(f"{w:.3f}" for w in weights) + ")"
    print(line)
    for row in table(seen, p):
        print(row)
    if args.write:
        source = Path(audio.spotter.__file__)
        text = source.read_text(encoding="utf-8")
        source.write_text(re.sub(r"^WEIGHING = \([^)]*\)", line, text, flags=re.MULTILINE), encoding="utf-8")


if __name__ == "__main__":
    main()
