"""The knock detector from its material, in one command: see README.md."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import numpy as np
import torch

from .scenes import Scene, Stock, alone, plain, scene, struck_again
from .ship import ship
from .train import Examples, allowed, examples, export, fit, make_stock, read, save, together

NETS = 2
"""How many nets answer together."""
FIRST, SECOND = 8, 6
"""Epochs over the scenes, then over the scenes and all recordings as they are."""


class Work:
    """The onsets of the made scenes and of the recordings, made once, in parts, each a file of the work folder."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args, self._folder = args, args.work
        self._folder.mkdir(parents=True, exist_ok=True)

    @cached_property
    def stock(self) -> Stock:
        return make_stock(self._args)

    def scenes(self) -> Examples:
        """Tables, tables with music, and single short sounds."""
        args = self._args
        parts = [
            *self._series("table", args.scenes, 50, lambda k: scene(self.stock, np.random.default_rng((2, k)))),
            *self._series(
                "music", args.music_scenes, 50, lambda k: scene(self.stock, np.random.default_rng((4, k)), music=True)
            ),
            *self._series("short", args.short, 500, lambda k: alone(self.stock, np.random.default_rng((3, k)))),
        ]
        return together(parts)

    def recordings(self) -> Examples:
        """What was recorded, as it is and through other microphones."""
        return together(
            [
                self._part("noises", lambda: plain(self.stock, np.random.default_rng(5))),
                self._part("knocks", lambda: struck_again(self.stock, np.random.default_rng(6))),
            ]
        )

    def _series(self, name: str, count: int, size: int, make: Callable[[int], Scene]) -> list[Examples]:
        def several(first: int) -> Callable[[], Iterable[Scene]]:
            return lambda: map(make, range(first, min(first + size, count)))

        return [self._part(f"{name}-{first}", several(first)) for first in range(0, count, size)]

    def _part(self, name: str, make: Callable[[], Iterable[Scene]]) -> Examples:
        path = self._folder / f"onsets-{name}.npz"
        if not path.exists():
            save(path, examples(make()))
        return read(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, what in (
        ("sounds", "recordings with labels.jsonl, as cases/sounds"),
        ("knocks", "knuckles and light taps, as data/knocks"),
        ("rooms", "room responses, WAV"),
        ("speech", "folders of talk, each with labels.jsonl, as data/speech"),
        ("music", "pieces of music, Ogg"),
        ("work", "what is made on the way; what is there is not made again"),
    ):
        parser.add_argument(f"--{name}", type=Path, required=True, help=what)
    parser.add_argument("--effects", type=Path, help="folders of effects, one a package, each with labels.jsonl")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--scenes", type=int, default=850)
    parser.add_argument("--music-scenes", type=int, default=50)
    parser.add_argument("--short", type=int, default=4000, help="recordings of one sound")
    parser.add_argument("--leave-out", default="", help="fold0, fold1 or a source of knocks: not trained on")
    args = parser.parse_args()
    torch.set_num_threads(1)
    work = Work(args)
    scenes = allowed(work.scenes(), args.leave_out)
    everything = together([scenes, allowed(work.recordings(), args.leave_out)])
    nets = []
    for seed in range(1, NETS + 1):
        path = args.work / f"net{args.leave_out and '-' + args.leave_out}-{seed}.onnx"
        if not path.exists():
            first = fit(scenes, epochs=FIRST, seed=seed)
            export(fit(everything, epochs=SECOND, seed=seed, start=first), path)
        nets.append(path)
    ship(nets, everything, args.out)


if __name__ == "__main__":
    main()
