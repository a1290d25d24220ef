"""Cameras that can be pulled out, hang, freeze and go black: see ``assistant.testing``."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assistant.fake_time import FakeTime
from vision.camera import Image
from vision.errors import CameraBusy
from vision.live_camera import LiveCamera
from vision.webcams import Webcam, unavailable

HEIGHT, WIDTH = 72, 128
OPENING = 0.2
"""Seconds that opening takes."""
BUFFER = 4
"""Pictures that the driver keeps for who does not come for them."""
NOISES = 16


@dataclass(frozen=True)
class CameraFault:
    """What befalls a camera from ``start`` to ``stop`` (seconds).

    Attributes:
        what: ``unplugged`` (it leaves the list, reading returns false), ``blocked`` (reading returns only at
            ``stop``), ``frozen`` (the last picture again and again), ``repeated`` (the same, encoded anew: hardly a
            pixel differs), ``dark`` (black pictures), ``moved`` (the picture is shifted by ``by`` pixels), ``slow``
            (opening takes until ``stop``), ``busy`` (another program has it), ``starved`` (the program gets no
            processor between grabbing a picture and using it), ``broken`` (the driver raises), ``renumbered`` (all
            cameras have other numbers).
        device: its name; empty: all of them.
        by: how far ``moved`` shifts, pixels to the right and down.
    """

    what: Literal[
        "unplugged",
        "blocked",
        "frozen",
        "repeated",
        "dark",
        "moved",
        "slow",
        "busy",
        "starved",
        "broken",
        "renumbered",
    ]
    start: float
    stop: float = math.inf
    device: str = ""
    by: tuple[int, int] = (8, 4)


class FakeCameras:
    """The cameras of a machine (``vision.webcams.Backend``) on a clock that jumps.

    Args:
        time: the clock.
        cameras: None: one, with a name that stays.
        view: what is to be seen at a time, height x width x 3; None: a table where nothing moves.
        faults: what goes wrong when.
        rate: pictures a second.
        noise: of the sensor, levels of 255 (standard deviation); 0 is a camera without noise.
        stamped: whether the devices tell when a picture was taken.

    Attributes:
        opened: (time, number or path) of every attempt to open one.
        reads: how often a picture was asked for.
    """

    def __init__(
        self,
        time: FakeTime,
        cameras: Sequence[Webcam] | None = None,
        *,
        view: Callable[[float], Image] | None = None,
        faults: Iterable[CameraFault] = (),
        rate: float = 10.0,
        noise: float = 2.0,
        stamped: bool = False,
    ) -> None:
        self.time, self.rate, self.stamped = time, rate, stamped
        self._cameras = list(cameras or [Webcam(0, "Cam USB", "/dev/v4l/by-id/usb-Cam-video-index0")])
        self._faults = tuple(faults)
        self._view = view or (lambda t: _TABLE)
        random = np.random.default_rng(7)
        self._noises = [random.normal(0, noise, (HEIGHT, WIDTH, 3)).astype(np.float32) for _ in range(NOISES)]
        self.opened: list[tuple[float, int | str]] = []
        self.reads = 0

    def camera(
        self, source: str = "", *, patient: bool = False, progress: Callable[[float], None] = lambda seconds: None
    ) -> LiveCamera:
        """A camera of this machine."""
        return LiveCamera(source, backend=self, threads=self.time, patient=patient, progress=progress)

    def hit(self, name: str, t: float, *what: str) -> CameraFault | None:
        """The fault of these kinds that is on at a time."""
        t = max(t, 0.0)
        faults = (f for f in self._faults if f.what in what and f.device in ("", name))
        return next((f for f in faults if f.start <= t < f.stop), None)

    def cameras(self) -> list[Webcam]:
        now = self.time.now()
        there = [c for c in self._cameras if self.hit(c.name, now, "unplugged") is None]
        if self.hit("", now, "renumbered"):
            numbers = sorted((c.index for c in there), reverse=True)
            there = [Webcam(number, c.name, c.path) for number, c in zip(numbers, there, strict=True)]
        return sorted(there, key=lambda c: c.index)

    def open(self, source: int | str, attempt: int) -> FakeCapture:
        now = self.time.now()
        self.opened.append((now, source))
        found = [c for c in self.cameras() if source in (c.index, c.path)]
        if not found:
            raise unavailable(source)
        camera = found[0]
        slow = self.hit(camera.name, now, "slow")
        self.time.sleep(OPENING if slow is None else slow.stop - now)
        if self.hit(camera.name, self.time.now(), "busy"):
            raise CameraBusy("la caméra {name} est prise par {program} : fermez-le", name=camera.name, program="skype")
        return FakeCapture(self, camera.name)

    def picture(self, name: str, t: float) -> Image:
        """What the camera gives at a time; ``taken_at`` reads the time from it."""
        frozen = self.hit(name, t, "frozen", "repeated")
        seen = t if frozen is None else frozen.start
        clean = self._view(seen)
        if self.hit(name, seen, "dark"):
            clean = np.full_like(clean, 4)
        image = clean.astype(np.float32) + self._noises[round(seen * self.rate) % NOISES]
        moved = self.hit(name, seen, "moved")
        if moved is not None:
            image = np.roll(image, moved.by[::-1], (0, 1))
        out: Image = np.clip(image, 0, 255).astype(np.uint8)
        if frozen is not None and frozen.what == "repeated":
            out[:: 1 + round(t * self.rate) % 7 + 40, ::16] ^= 1
        out[0, :8, 0] = np.frombuffer(np.float64(seen).tobytes(), np.uint8)
        return out


def taken_at(image: Image) -> float:
    """When a ``FakeCameras`` picture was taken, seconds on its clock."""
    return float(np.frombuffer(image[0, :8, 0].tobytes(), np.float64)[0])


class FakeCapture:
    """A camera that is open. Its driver keeps the first pictures that nobody came for, and loses what follows."""

    def __init__(self, world: FakeCameras, name: str) -> None:
        self._world, self._name = world, name
        self._made = world.time.now()
        self._kept: deque[float] = deque()
        self._taken = self._made
        self.closed = False

    def grab(self) -> bool:
        world, period = self._world, 1 / self._world.rate
        assert not self.closed, "read after it was closed"
        world.reads += 1
        while self._made + period <= world.time.now() + 1e-9:
            self._made += period
            if len(self._kept) < BUFFER:
                self._kept.append(self._made)
        if not self._kept:
            self._made += period
            world.time.sleep(self._made - world.time.now())
            self._kept.append(self._made)
        self._taken = self._kept.popleft()
        now = world.time.now()
        if world.hit(self._name, now, "broken"):
            raise RuntimeError("le pilote a échoué")
        blocked = world.hit(self._name, now, "blocked")
        if blocked is not None:
            world.time.sleep(blocked.stop - now)
        return world.hit(self._name, world.time.now(), "unplugged") is None

    def retrieve(self) -> Image | None:
        world = self._world
        starved = world.hit(self._name, world.time.now(), "starved")
        if starved is not None:
            world.time.sleep(starved.stop - world.time.now())
        return world.picture(self._name, self._taken)

    def stamp(self) -> float | None:
        return self._taken if self._world.stamped else None

    def close(self) -> None:
        self.closed = True


def _table() -> Image:
    """A wooden table of soft stripes, small."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    wood = 110 + 20 * np.sin(y / 5 + x / 40)
    return np.stack([wood * 0.6, wood * 0.8, wood], 2).astype(np.uint8)


_TABLE = _table()
