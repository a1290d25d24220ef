"""What one own take brings: the net's score, the takes, and both, across rooms and noises; who spoke; the constants
of audio/voices.py.

usage: python models/embedding/recipe/measure.py --speech DIR [--noises DIR] [--rooms DIR] [--weights phones.onnx]
    [--speakers N]

Words of vocgame's speakers 25 to 35 (8 words, three takes; nobody trains on them). The first take is enrolled, the
others are tested: as recorded, in another room by another microphone, in a hum and in recorded noise at 10 dB; and
the other way round. Closed set, no confidence asked: the Viterbi search over all eight words gives the net's scores
and the place of the best one.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from audio.acoustic import WEIGHTS, PhoneStream
from audio.decoding import any_accent
from audio.features import RATE, Floats
from audio.lexicon import phone_ids, pronounce, spelled
from audio.voices import (
    _SPREAD_EMBEDDING,
    _SPREAD_HIDDEN,
    SpeakerVoices,
    Utterance,
    take_of,
    utterance,
)
from calibration.voices import _between_silences, heard_in

KEPT_BACK = tuple(f"vocgame-{n}" for n in range(25, 36))
PAUSE = np.zeros(RATE, np.float32)
CONDITIONS = ("as recorded", "another room", "hum 10 dB", "noise 10 dB")


@dataclass(frozen=True, slots=True)
class Clip:
    """One clip under one condition.

    Attributes:
        scores: log-likelihood of each word of the set.
        outputs: length of the best one.
        heard: the utterance where the best word is; own: where the word that was said is.
    """

    speaker: str
    text: str
    scores: dict[str, float]
    outputs: int
    heard: Utterance
    own: Utterance


def hum(count: int, rng: np.random.Generator) -> Floats:
    """A machine: harmonics that sway, and some hiss."""
    t = np.arange(count) / RATE
    pitch = rng.uniform(80, 220) * (1 + 0.03 * np.sin(2 * np.pi * rng.uniform(0.3, 2) * t))
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    made = sum(rng.uniform(0.2, 1) / k**0.7 * np.sin(k * phase + rng.uniform(0, 6)) for k in range(1, 25))
    return np.asarray(made / np.std(made) + rng.normal(0, 0.6, count), np.float32)


def mixed(clip: Floats, noise: Floats, ratio: float) -> Floats:
    """Noise so many decibels under the loudest tenth of a second."""
    loud = np.sqrt(np.convolve(clip**2, np.ones(RATE // 10) / (RATE // 10), "same").max())
    made = clip + noise[: len(clip)] / (noise.std() + 1e-9) * loud * 10 ** (-ratio / 20)
    return np.asarray(made / max(1.0, np.abs(made).max()), np.float32)


def elsewhere(clip: Floats, room: Floats, rng: np.random.Generator) -> Floats:
    """The clip in a room, by a microphone with a curve of its own."""
    made = np.convolve(clip, room[: RATE // 2])[: len(clip) + RATE // 5]
    at = np.fft.rfftfreq(len(made), 1 / RATE)
    curve = np.interp(at, [0, 100, 200, 400, 800, 1600, 3200, 5000, 8000], rng.uniform(-8, 8, 9))
    curve -= 30 * np.maximum(0, 1 - at / rng.uniform(80, 200)) + np.where(at > rng.uniform(5000, 8000), 20, 0)
    made = np.fft.irfft(np.fft.rfft(made) * 10 ** (curve / 20), len(made))
    made = mixed(np.asarray(made, np.float32), rng.normal(0, 1, len(made)).astype(np.float32), 25)
    return np.asarray(made / np.abs(made).max() * 10 ** (-rng.uniform(3, 25) / 20), np.float32)


def changed(clip: Floats, condition: str, number: int, rooms: Sequence[Floats], noises: Sequence[Floats]) -> Floats:
    """The clip under a condition; the same for the same number."""
    rng = np.random.default_rng(1000 + number)
    if condition == "another room":
        return elsewhere(clip, rooms[rng.integers(len(rooms))], rng)
    if condition == "hum 10 dB":
        return mixed(clip, hum(len(clip), rng), 10)
    if condition == "noise 10 dB":
        noise = noises[rng.integers(len(noises))]
        if len(noise) < len(clip):
            noise = np.tile(noise, len(clip) // len(noise) + 1)
        begin = int(rng.integers(0, len(noise) - len(clip) + 1))
        return mixed(clip, noise[begin:], 10)
    return clip


def listened(samples: Floats, speaker: str, text: str, words: Sequence[str], weights: Path) -> Clip:
    stream = np.concatenate([PAUSE, samples, PAUSE])
    heard = PhoneStream(weights).accept(stream)
    rows = np.array([any_accent(row) for row in heard.likelihoods])
    found = {word: max(_between_silences(rows, phone_ids(way)) for way in pronounce(word)) for word in words}
    cut = {word: utterance(heard.hidden, 0, stream, 0, start, stop) for word, (_s, start, stop) in found.items()}
    best = max(found, key=lambda word: found[word][0])
    return Clip(
        speaker,
        text,
        {word: score for word, (score, _a, _b) in found.items()},
        found[best][2] - found[best][1],
        cut[best],
        cut[text],
    )


def first_takes(clips: Sequence[Clip]) -> list[int]:
    """Which clips are the first of their speaker and word."""
    first: dict[tuple[str, str], int] = {}
    for i, clip in enumerate(clips):
        first.setdefault((clip.speaker, clip.text), i)
    return sorted(first.values())


def interval(right: int, all_: int) -> str:
    p, z = right / all_, 1.96
    middle = (p + z * z / 2 / all_) / (1 + z * z / all_)
    half = z * np.sqrt(p * (1 - p) / all_ + z * z / 4 / all_**2) / (1 + z * z / all_)
    return f"{right}/{all_} = {100 * p:.1f} % [{100 * (middle - half):.0f}, {100 * (middle + half):.0f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speech", type=Path, required=True)
    parser.add_argument("--noises", type=Path, help="a folder of sounds; without it the hum alone")
    parser.add_argument("--rooms", type=Path, help="a folder of room responses")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--speakers", type=int, default=len(KEPT_BACK))
    args = parser.parse_args()
    rooms = [heard_in(p) for p in sorted(args.rooms.glob("*.wav"))] if args.rooms else []
    noises = [heard_in(p) for p in sorted(args.noises.rglob("*")) if p.is_file()] if args.noises else []
    there = {"another room": rooms, "noise 10 dB": noises}
    conditions = [c for c in CONDITIONS if there.get(c, True)]
    speakers = KEPT_BACK[: args.speakers]
    rows = [json.loads(line) for line in (args.speech / "vocgame" / "labels.jsonl").read_text("utf-8").splitlines()]
    rows = [row for row in rows if row["speaker"] in speakers]
    words = sorted({spelled(row["text"]) for row in rows})
    clips: dict[str, list[Clip]] = {}
    for condition in conditions:
        clips[condition] = []
        for number, row in enumerate(rows):
            sound = heard_in(args.speech / "vocgame" / row["file"])
            sound = changed(sound, condition, number, rooms, noises)
            clips[condition].append(listened(sound, row["speaker"], spelled(row["text"]), words, args.weights))
        print(condition, "heard", flush=True)
    enrolled = first_takes(clips["as recorded"])
    pairs = [("as recorded", c) for c in conditions] + [(c, "as recorded") for c in conditions[1:]]
    spread: list[np.ndarray] = []
    own: list[float] = []
    other: list[float] = []
    totals = np.zeros(6, int)
    for at, to in pairs:
        takes = SpeakerVoices(take_of(clips[at][i].own, clips[at][i].speaker, clips[at][i].text) for i in enrolled)
        counts = np.zeros(6, int)
        for i, clip in enumerate(clips[to]):
            if i in enrolled:
                continue
            voices = takes.only(clip.speaker)
            texts = [take.text for take in voices.takes]
            if clip.text not in texts:
                continue
            by_net, by_embedding = voices._compared(clip.heard, range(len(texts)))
            true = texts.index(clip.text)
            spread.append(np.stack([np.delete(by_net, true), np.delete(by_embedding, true)]).std(axis=1))
            both = (by_net / _SPREAD_HIDDEN + by_embedding / _SPREAD_EMBEDDING) / 2
            near = dict(zip(texts, both, strict=True))
            own.append(near[clip.text])
            other.append(min(d for text, d in near.items() if text != clip.text))
            joined = voices.joined({text: clip.scores[text] for text in texts}, clip.outputs, clip.heard)
            counts += [
                max(texts, key=lambda text: clip.scores[text]) == clip.text,
                texts[int(by_net.argmin())] == clip.text,
                texts[int(by_embedding.argmin())] == clip.text,
                min(near, key=lambda text: near[text]) == clip.text,
                joined is not None and joined.text == clip.text,
                1,
            ]
        totals += counts
        _print(f"{at} -> {to}", counts)
    _print("all", totals)
    print("spread of hidden, embedding:", np.round(np.mean(spread, axis=0), 4))
    _odds(np.array(own), np.array(other))
    for condition in conditions:
        _who(clips, enrolled, condition, speakers)


def _print(name: str, counts: np.ndarray) -> None:
    kinds = ("net", "hidden", "embedding", "takes", "joined")
    print(
        name,
        "|",
        ", ".join(f"{kind} {interval(int(n), int(counts[5]))}" for kind, n in zip(kinds, counts, strict=False)),
        flush=True,
    )


def _odds(own: np.ndarray, other: np.ndarray) -> None:
    """Log-odds of the phrase by the distance: a straight line, by Newton's steps."""
    x = np.concatenate([own, other])
    y = np.concatenate([np.ones(len(own)), np.zeros(len(other))])
    w = np.zeros(2)
    design = np.stack([np.ones(len(x)), -x], axis=1)
    for _step in range(50):
        p = 1 / (1 + np.exp(-design @ w))
        w += np.linalg.solve((design * (p * (1 - p))[:, None]).T @ design + 1e-6 * np.eye(2), design.T @ (y - p))
    print(f"own {np.percentile(own, [5, 50, 95]).round(2)}, nearest other {np.percentile(other, [5, 50, 95]).round(2)}")
    print(f"neutral {w[0] / w[1]:.2f}, per distance {w[1]:.2f}")


def _who(clips: dict[str, list[Clip]], enrolled: Sequence[int], condition: str, speakers: Sequence[str]) -> None:
    """Tables of two to four players, drawn: who is named, how often wrongly, and how often a stranger is."""
    takes = [
        take_of(clips["as recorded"][i].own, clips["as recorded"][i].speaker, clips["as recorded"][i].text)
        for i in enrolled
    ]
    rng = np.random.default_rng(4)
    for count in (2, 3, 4):
        tables = list(itertools.combinations(speakers, count))
        tables = [tables[i] for i in rng.permutation(len(tables))[:8]]
        named = wrong = said = stranger = strangers = 0
        for players in tables:
            voices = SpeakerVoices(take for take in takes if take.speaker in players)
            for i, clip in enumerate(clips[condition]):
                if i in enrolled or rng.random() < 0.5 or (clip.speaker not in players and rng.random() < 0.7):
                    continue
                name = voices.who(clip.text, clip.heard)
                if clip.speaker in players:
                    said, named, wrong = (
                        said + 1,
                        named + (name is not None),
                        wrong + (name not in (None, clip.speaker)),
                    )
                else:
                    strangers, stranger = strangers + 1, stranger + (name is not None)
        print(
            f"who of {count}, {condition}: named {interval(named, said)}, wrongly {interval(wrong, said)}, "
            f"strangers named {interval(stranger, strangers)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
