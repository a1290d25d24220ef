"""How well a bumped camera is noticed, and the table found again.

    python -m calibration.measure_steady FILM... [--bumps N] [--json]

Each film is watched as it is (nothing may be noticed: false alarms, pictures held back), and again with the camera
bumped in the middle: shifted, turned, or all at once, in a random direction, within half a second, for good. Prints
how many were noticed and after how long, how many were found again, how exactly (pixels at 1280 pixels' width, mean
over the picture), and what a picture costs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from vision.anchor import Homography
from vision.camera import FilmCamera, Frame
from vision.events import CameraBack, CameraLost, Quad, TableObservation
from vision.seats import SeatMap
from vision.steady import SteadyEyes

BUMPS: dict[str, tuple[float, float, float]] = {
    "shift 3 %": (0.03, 0, 0),
    "turn 2 degrees": (0, 2, 0),
    "zoom 5 %": (0, 0, 0.05),
    "shift 8 %, turn 4, zoom 3 %": (0.08, 4, 0.03),
    "shift 18 %, turn 8, zoom 6 %": (0.18, 8, 0.06),
}
"""Shift in picture widths, turn in degrees, zoom: kinds of bumps."""
SWING = 0.5
"""Seconds that the camera swings."""


class Blind:
    """A watcher that sees nothing: only the camera is measured."""

    def __init__(self) -> None:
        self.seat_map: SeatMap | None = None
        self.frames = 0

    @property
    def cards(self) -> tuple[tuple[int, str | None, Quad], ...]:
        return ()

    def follows(self, frame: Frame) -> bool:
        return False

    def accept(self, frame: Frame) -> list[TableObservation]:
        self.frames += 1
        return []


@dataclass
class Tally:
    """What was noticed of one kind of bump: how often, seconds until then, seconds and pixels when found again."""

    bumps: int = 0
    noticed: list[float] = field(default_factory=list)
    found: list[float] = field(default_factory=list)
    pixels: list[float] = field(default_factory=list)

    def line(self, kind: str) -> str:
        """One row of the report."""
        late = f"{np.median(self.noticed):.1f} s (most {max(self.noticed):.1f} s)" if self.noticed else "-"
        off = f"{np.median(self.pixels):.1f} px (most {max(self.pixels):.1f})" if self.pixels else "-"
        noticed, found = f"{len(self.noticed)}/{self.bumps}", f"{len(self.found)}/{self.bumps}"
        return f"{kind}: noticed {noticed} after {late}; found again {found}, {off} off"


def bump(kind: tuple[float, float, float], width: int, height: int, rng: np.random.Generator) -> Homography:
    """A homography from the picture before to the picture after."""
    shift, turn, zoom = kind
    way, sign = rng.uniform(0, 2 * np.pi), rng.choice([-1.0, 1.0], 2)
    angle, scale = np.radians(turn * sign[0]), 1 + zoom * sign[1]
    linear = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = np.array([width / 2, height / 2])
    out = np.eye(3)
    out[:2, :2] = linear
    out[:2, 2] = middle - linear @ middle + shift * width * np.array([np.cos(way), np.sin(way)])
    return out


def bumped(frames: list[Frame], at: float, place: Homography) -> Iterator[Frame]:
    """The film of a camera that swings to another place in half a second."""
    for frame in frames:
        part = float(np.clip((frame.t - at) / SWING, 0, 1))
        if part == 0:
            yield frame
            continue
        h, w = frame.image.shape[:2]
        now = np.eye(3) * (1 - part) + place * part
        image = cv2.warpPerspective(frame.image, now, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        yield Frame(frame.t, np.asarray(image, np.uint8), frame.index)


def off_by(found: Homography | None, place: Homography, width: int, height: int) -> float:
    """Mean distance of two places over the picture, in pixels at 1280 pixels' width."""
    grid = np.stack(np.meshgrid(np.linspace(0, width, 7), np.linspace(0, height, 5)), -1).reshape(-1, 1, 2)
    here = grid if found is None else cv2.perspectiveTransform(grid, found)
    apart = np.linalg.norm(here - cv2.perspectiveTransform(grid, place), axis=2).mean()
    return float(apart) * 1280 / width


def watch(frames: Iterable[Frame]) -> tuple[list[TableObservation], SteadyEyes, int, int, float]:
    """What is said of the camera; the eyes; pictures, and those that were passed on; seconds of processor time."""
    blind = Blind()
    eyes = SteadyEyes(blind)
    said: list[TableObservation] = []
    seen, spent = 0, 0.0
    for frame in frames:
        seen += 1
        began = time.process_time()
        said += eyes.accept(frame)
        spent += time.process_time() - began
    return said, eyes, seen, blind.frames, spent


def main() -> None:
    """Prints the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("films", nargs="+", type=Path)
    parser.add_argument("--bumps", type=int, default=4, help="of each kind and film")
    parser.add_argument("--seconds", type=float, default=24.0, help="of each film that are bumped")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    tallies = {kind: Tally() for kind in BUMPS}
    calm: dict[str, dict[str, float]] = {}
    for number, film in enumerate(args.films):
        said, _eyes, frames_seen, passed, spent = watch(FilmCamera(film))
        calm[film.name] = {
            "alarms": sum(isinstance(s, CameraLost) for s in said),
            "held_back": frames_seen - passed,
            "frames": frames_seen,
            "ms": round(1000 * spent / max(1, frames_seen), 2),
        }
        if not args.json:
            print(film.name, calm[film.name], flush=True)
        if not args.bumps:
            continue
        frames = list(itertools.takewhile(lambda f: f.t < args.seconds, FilmCamera(film)))
        h, w = frames[0].image.shape[:2]
        for k, (kind, size) in enumerate(BUMPS.items()):
            for again in range(args.bumps):
                rng = np.random.default_rng([number, k, again])
                at = float(rng.uniform(0.25, 0.7)) * frames[-1].t
                place = bump(size, w, h, rng)
                said, eyes, *_ = watch(bumped(frames, at, place))
                tally = tallies[kind]
                tally.bumps += 1
                tally.noticed += [s.decided - at for s in said if isinstance(s, CameraLost)][:1]
                back = [s.t - at for s in said if isinstance(s, CameraBack)]
                if back or (not any(isinstance(s, CameraLost) for s in said) and eyes.place is not None):
                    tally.found.append(back[-1] if back else 0.0)
                    tally.pixels.append(off_by(eyes.place, place, w, h))
        if not args.json:
            for kind, tally in tallies.items():
                print("   so far", tally.line(kind), flush=True)
    if args.json:
        figures = {
            kind: {
                "bumps": t.bumps,
                "noticed": len(t.noticed),
                "notice_s_most": max(t.noticed, default=None),
                "found": len(t.found),
                "px_median": float(np.median(t.pixels)) if t.pixels else None,
                "px_most": max(t.pixels, default=None),
            }
            for kind, t in tallies.items()
        }
        print(json.dumps({"films": calm, "bumps": figures}))


if __name__ == "__main__":
    main()
