"""Train the phrase net from nothing and write ``phones.onnx``: synthetic voices, then people, aligned twice.

usage: python -m models.phrases.recipe.build --speech DIR --work DIR [--packages DIR] [--rooms DIR]
    [--measured LABELS.jsonl] [--out phones.onnx]
"""

from __future__ import annotations

import argparse
import pickle
import time
from pathlib import Path

import onnx
import torch

from models.phrases.recipe.align import align, fitting
from models.phrases.recipe.corpus import clips
from models.phrases.recipe.export import build as onnx_of
from models.phrases.recipe.net import PhoneNet
from models.phrases.recipe.sounds import Rooms
from models.phrases.recipe.streams import noises, stream, synthetic
from models.phrases.recipe.texts import sentences
from models.phrases.recipe.train import train


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, required=True, help="folders of recordings with labels.jsonl")
    parser.add_argument(
        "--packages", type=Path, help="where the Debian package tuxpaint-stamps-default is unpacked"
    )
    parser.add_argument("--rooms", type=Path, help="room responses (WAV)")
    parser.add_argument(
        "--measured", type=Path, help="labels of measuring sounds: Tux Paint clips named there are left out"
    )
    parser.add_argument(
        "--work",
        type=Path,
        required=True,
        help="folder for what is made on the way; what is there is not made again",
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "phones.onnx")
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument(
        "--steps", type=int, nargs=3, default=(500, 1500, 3500), help="batches of the three trainings"
    )
    parser.add_argument("--spoken", type=int, default=12000, help="synthetic texts")
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.work.mkdir(parents=True, exist_ok=True)
    began = time.time()

    def kept(name: str, make):  # type: ignore[no-untyped-def]
        path = args.work / f"{name}.pickle"
        if path.exists():
            return pickle.loads(path.read_bytes())
        made = make()
        path.write_bytes(pickle.dumps(made, protocol=4))
        print(f"{time.time() - began:.0f} s: {name}", flush=True)
        return made

    def net(name: str, make) -> PhoneNet:  # type: ignore[no-untyped-def]
        path = args.work / f"{name}.pt"
        if not path.exists():
            torch.save(make().state_dict(), path)
            print(f"{time.time() - began:.0f} s: {name}", flush=True)
        made = PhoneNet(args.width)
        made.load_state_dict(torch.load(path, weights_only=True))
        return made.eval()

    people = list(clips(args.speech, args.packages, args.measured))
    rooms = Rooms(args.rooms)
    everyday = sentences([clip.text for clip in people])
    spoken = kept("spoken", lambda: synthetic(args.spoken, 1, everyday))
    machine = kept("machine", lambda: stream(spoken, 11, rooms))
    around = kept("noises", lambda: noises(spoken[:2000], 12, rooms))
    first = net("first", lambda: train([(1.0, machine)], around, args.steps[0], 4e-3, width=args.width))

    once = kept("aligned1", lambda: align(first, people))
    human = kept("human1", lambda: stream(fitting(once) * 2, 21, rooms))
    crowd = kept("crowd", lambda: noises(fitting(once), 22, rooms))
    mixed = {f"machine {k}": v for k, v in around.items()} | {f"human {k}": v for k, v in crowd.items()}
    second = net(
        "second",
        lambda: train([(0.6, human), (0.4, machine)], mixed, args.steps[1], 2.5e-3, first, args.width, 1),
    )

    twice = kept("aligned2", lambda: align(second, people))
    human = kept("human2", lambda: stream(fitting(twice, 0.93) * 3, 31, rooms))
    third = net(
        "third",
        lambda: train([(0.6, human), (0.4, machine)], mixed, args.steps[2], 2.5e-3, second, args.width, 2),
    )
    onnx.save(onnx_of(third.state_dict(), 0.6), str(args.out))
    print(f"{time.time() - began:.0f} s: {args.out}")


if __name__ == "__main__":
    main()
