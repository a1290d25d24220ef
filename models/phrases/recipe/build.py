"""Train the phrase net and write ``phones.onnx``: people aligned with their texts, and synthetic voices.

usage: python -m models.phrases.recipe.build --speech DIR [DIR ...] --work DIR [--voices DIR ...] [--packages DIR]
    [--rooms DIR] [--noises DIR] [--measured LABELS.jsonl] [--aligner phones.onnx] [--without SOURCE ...]
    [--out phones.onnx]
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnx
import torch

from audio.features import HOP
from models.phrases.recipe.align import Aligner, align, fitting, placements
from models.phrases.recipe.corpus import RATE, clips
from models.phrases.recipe.export import build as onnx_of
from models.phrases.recipe.net import WIDTH, PhoneNet
from models.phrases.recipe.sounds import Rooms
from models.phrases.recipe.streams import Stream, noises, stream, synthetic
from models.phrases.recipe.texts import sentences
from models.phrases.recipe.train import train

#: Shares of a batch: people, espeak, other synthesisers.
_PEOPLE, _ESPEAK, _OTHERS = 0.6, 0.28, 0.12
#: Width and batches of the small net that finds the phones where no other net is given.
_FIRST_WIDTH, _FIRST_STEPS, _FIRST_RATE = 160, 600, 4e-3


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--speech", type=Path, nargs="+", required=True, help="folders of sources of recordings with labels.jsonl"
    )
    parser.add_argument("--voices", type=Path, nargs="*", default=[], help="the same, spoken by synthesisers")
    parser.add_argument("--packages", type=Path, help="where the Debian package tuxpaint-stamps-default is unpacked")
    parser.add_argument("--rooms", type=Path, help="room responses (WAV)")
    parser.add_argument("--noises", type=Path, help="recorded noises, a folder a kind")
    parser.add_argument(
        "--measured", type=Path, help="labels of measuring sounds: Tux Paint clips named there are left out"
    )
    parser.add_argument("--aligner", type=Path, help="a net to find the phones with; without, one is trained first")
    parser.add_argument("--without", nargs="*", default=[], help="sources of --speech to leave out")
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for what is made on the way; what is there is not made again"
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "phones.onnx")
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--steps", type=int, default=9000, help="batches")
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--compiled", action="store_true", help="faster, where there is a C++ compiler")
    parser.add_argument("--spoken", type=int, default=14000, help="synthetic texts")
    return parser.parse_args()


Made = TypeVar("Made")


class Work:
    """What is made on the way, each thing once."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._began = time.time()

    def say(self, name: str) -> None:
        print(f"{time.time() - self._began:.0f} s: {name}", flush=True)

    def kept(self, name: str, make: Callable[[], Made]) -> Made:
        path = self.folder / f"{name}.pickle"
        if path.exists():
            known: Made = pickle.loads(path.read_bytes())
            return known
        made = make()
        path.write_bytes(pickle.dumps(made, protocol=4))
        self.say(name)
        return made


def hashed(groups: Sequence[tuple[float, Stream]], around: Mapping[str, np.ndarray]) -> str:
    """Twelve digits that tell whether two trainings had the same data."""
    digest = hashlib.sha256()
    for _, made in groups:
        digest.update(made.logs.tobytes() + made.phones.tobytes())
    for kind, logs in around.items():
        digest.update(kind.encode() + logs.tobytes())
    return digest.hexdigest()[:12]


def main() -> None:
    args = arguments()
    torch.set_num_threads(1)
    work, rooms = Work(args.work), Rooms(args.rooms)
    people = list(clips(args.speech, args.packages, args.measured, args.without))
    everyday = sentences([clip.text for clip in people])
    spoken = work.kept("spoken", lambda: synthetic(args.spoken, 1, everyday))
    machine = work.kept("machine", lambda: stream(spoken, 11, rooms))

    aligner = args.aligner
    if aligner is None:
        aligner = args.work / "first.onnx"
        if not aligner.exists():
            around = work.kept("around", lambda: noises(spoken[:2000], 12, rooms))
            first = train([(1.0, machine)], around, _FIRST_STEPS, _FIRST_RATE, _FIRST_WIDTH)
            onnx.save(onnx_of(first), str(aligner))
            work.say("first net")
    human = work.kept("people", lambda: fitting(align(Aligner(aligner), people)))
    groups: list[tuple[float, Stream]] = [
        (_PEOPLE, work.kept("human", lambda: stream(placements(human), 21, rooms))),
        (_ESPEAK, machine),
    ]
    if args.voices:
        others = work.kept("voices", lambda: fitting(align(Aligner(aligner), clips(args.voices, None, None))))
        groups.append((_OTHERS, work.kept("others", lambda: stream(placements(others), 41, rooms))))
    talk = [aligned.spoken for aligned in human]
    around = work.kept("noises", lambda: noises(talk + spoken[:1000], 22, rooms, args.noises))

    minutes = [f"{len(made.phones) * HOP / RATE / 60:.0f}" for _, made in groups]
    work.say(f"minutes of people and voices {', '.join(minutes)}; data {hashed(groups, around)}")

    def keep(net: PhoneNet) -> None:
        onnx.save(onnx_of(net), str(args.work / "interim.onnx"))

    net = train(groups, around, args.steps, args.rate, args.width, 2, args.work / "training.pt", keep, args.compiled)
    torch.save(net.state_dict(), args.work / "net.pt")
    onnx.save(onnx_of(net), str(args.out))
    work.say(str(args.out))


if __name__ == "__main__":
    main()
