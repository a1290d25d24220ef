"""How far the moments of a phone's pictures and sounds are off: ``python -m assistant.bench.phone_clock``.

A simulated phone whose clock and sound card run apart from the table's sends through simulated networks; everything
between its camera and the table's eyes is the real program, on a clock that jumps. Errors in milliseconds: by how much
the table dates a picture, or a click in the sound, later than it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.fake_phones import FakePhone, Network, number_of
from assistant.fake_time import FakeTime
from assistant.page.phone import Phone
from audio.resampling import RATE, Samples

SECONDS = 120.0
CLICKS = tuple(1.5 + 1.37 * n for n in range(85))
QUARTZ = 48_000
LOUD = 0.3
APART = 0.1
"""Seconds within which all that is loud is one click."""
NEAR = 0.6
"""A click that is heard farther off than this was not heard."""


@dataclass(frozen=True, slots=True)
class Case:
    """One network, and one phone: its clock and its sound card run faster by these shares."""

    name: str
    network: Network
    drift: float = 5e-5
    quartz: float = -5e-5
    asleep: tuple[tuple[float, float], ...] = ()


def cases() -> list[Case]:
    """The networks that are tried."""
    return [
        Case("good wireless: 5 ms", Network(0.005, 0.005)),
        Case("jitter of 10 ms", Network(0.005, 0.005, jitter=0.01)),
        Case("jitter of 30 ms, 2 % sent again", Network(0.01, 0.01, jitter=0.03, loss=0.02)),
        Case("uneven: 40 ms there, 5 ms back", Network(0.04, 0.005, jitter=0.005)),
        Case("sound card off by 200 ppm", Network(0.005, 0.005, jitter=0.01), quartz=2e-4),
        Case("nothing for 4 s, then all at once", Network(0.005, 0.005, jitter=0.01, gone=((60.0, 64.0),))),
        Case("asleep for 10 s", Network(0.005, 0.005, jitter=0.01), asleep=((60.0, 70.0),)),
    ]


def pictures(case: Case) -> tuple[list[float], int]:
    """Errors of the pictures, milliseconds, and how many were thrown away as too old."""
    time = FakeTime()
    phone = Phone(microphone=False, threads=time)
    fake = FakePhone(time, phone, replace(case.network), microphone=False, drift=case.drift, asleep=case.asleep)
    camera = phone.camera
    assert camera is not None
    fake.start()
    _end(time, phone)
    errors = [1000 * (f.t + camera.began - fake.taken[number_of(f.image)]) for f in camera]
    time.close()
    return errors, camera.stale


def clicks(case: Case) -> tuple[list[float], int]:
    """Errors of the clicks in the sound, milliseconds, and how many were not heard (while the phone slept)."""
    time = FakeTime()
    phone = Phone(camera=False, threads=time)
    fake = FakePhone(
        time,
        phone,
        replace(case.network),
        camera=False,
        room=_room(),
        drift=case.drift,
        quartz=case.quartz,
        asleep=case.asleep,
    )
    microphone = phone.microphone
    assert microphone is not None
    fake.start()
    _end(time, phone)
    heard: list[float] = []
    samples = 0
    for block in microphone:
        for place in np.flatnonzero(np.abs(block) > LOUD):
            assert microphone.began is not None
            at = microphone.began + float(samples + place) / RATE
            if not heard or at - heard[-1] > APART:
                heard.append(at)
        samples += len(block)
    time.close()
    errors = [min((h - at for h in heard), key=abs, default=9.0) for at in CLICKS]
    found = [1000 * e for e in errors if abs(e) < NEAR]
    return found, len(errors) - len(found)


def _end(time: FakeTime, phone: Phone) -> None:
    def stop() -> None:
        time.sleep(SECONDS)
        phone.close()

    time.start(stop, "stop")


def _room() -> Samples:
    room = np.random.default_rng(2).normal(0, 1e-3, round((SECONDS + 2) * QUARTZ)).astype(np.float32)
    for at in CLICKS:
        start = round(at * QUARTZ)
        length = QUARTZ // 100
        room[start : start + length] += 0.8 * np.sin(np.arange(length) * 0.3).astype(np.float32)
    return room


def _spread(errors: Sequence[float]) -> dict[str, float]:
    off = np.abs(errors)
    return {
        "median": round(float(np.median(errors)), 1),
        "p95": round(float(np.percentile(off, 95)), 1),
        "most": round(float(off.max()), 1),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """See the module."""
    argparse.ArgumentParser(prog="python -m assistant.bench.phone_clock", description=__doc__).parse_args(argv)
    for case in cases():
        seen, stale = pictures(case)
        heard, missed = clicks(case)
        line = {
            "network": case.name,
            "pictures": len(seen),
            "too_old": stale,
            "picture_ms": _spread(seen),
            "clicks": len(heard),
            "not_heard": missed,
            "sound_ms": _spread(heard),
        }
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
