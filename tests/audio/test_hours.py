"""Ears that listen for hours: nothing they keep grows, and what they hear does not drift."""

from __future__ import annotations

import gc
import tracemalloc
from collections import deque
from typing import Any

import numpy as np
from sounds import table

from assistant.bench import hours
from assistant.bench.live import cpu_percent
from audio.ears import Ears
from audio.knocks import KnockDetector
from audio.resampling import RATE


def held(root: object) -> int:
    """Bytes of arrays and items of containers that ``root`` keeps, through all objects of this project."""
    seen: set[int] = set()
    total = 0
    todo: list[object] = [root]
    while todo:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, np.ndarray):
            total += thing.nbytes
        elif isinstance(thing, list | tuple | deque | set | dict):
            total += 8 * len(thing)
            todo += [*thing.keys(), *thing.values()] if isinstance(thing, dict) else list(thing)
        elif type(thing).__module__.split(".")[0] in ("audio", "assistant"):
            todo += [part for part in gc.get_referents(thing) if not isinstance(part, type)]
    return total


def evening(seconds: float) -> np.ndarray:
    """Knocks over noise that comes and goes, ``seconds`` long."""
    sound = table([float(t) for t in np.arange(1.0, 9.0, 1.7)], 10.0, -45)
    sound[8 * RATE :] *= 0.1
    return np.tile(sound, round(seconds / 10))


def test_all_that_the_ears_keep_is_bounded() -> None:
    """After 80 seconds they keep no more than after 40 (no memory of theirs is longer than 12 seconds)."""
    ears = Ears()
    sound = evening(40)
    sizes = []
    for _ in range(2):
        for start in range(0, len(sound), 1600):
            ears.accept(sound[start : start + 1600])
        sizes.append(held(ears))
    assert sizes[0] > 100_000  # it does look into them
    assert sizes[1] <= 1.05 * sizes[0]


def test_memory_is_flat() -> None:
    ears = Ears()
    sound = evening(10)

    def listen() -> int:
        for start in range(0, len(sound), 1600):
            ears.accept(sound[start : start + 1600])
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    for _ in range(2):
        listen()  # before anything is counted: what is made once, and memories that fill up
    tracemalloc.start()
    try:
        first = listen()
        assert listen() - first < 60_000
    finally:
        tracemalloc.stop()


def test_a_leak_would_be_seen() -> None:
    ears = Ears(spotter=Leaks())  # type: ignore[arg-type]
    before = held(ears)
    ears.accept(evening(10))
    assert held(ears) > before + 100_000


class Leaks:
    __module__ = "audio.leaks"

    def __init__(self) -> None:
        self.kept: list[np.ndarray] = []

    def accept(self, samples: np.ndarray) -> list[Any]:
        self.kept.append(samples)
        return []

    def expect(self, verbs: object) -> None: ...

    def finish(self) -> list[Any]:
        return []


def test_times_stay_exact_after_a_day() -> None:
    """Counters of samples and frames, set to where they are after 30 hours, give the same times as at the start."""

    def knocks(ears: KnockDetector) -> list[float]:
        return [knock.t for knock in [*ears.accept(evening(10)), *ears.finish()]]

    late = KnockDetector()
    shift = 30 * 3600 * 250  # frames of 4 ms
    late._onsets._first += shift
    late._onsets._next += shift
    late._gestures._last += 30 * 3600
    assert [round(t - 30 * 3600, 4) for t in knocks(late)] == [round(t, 4) for t in knocks(KnockDetector())]


def test_laps_are_compared() -> None:
    """The replay notices if a lap is heard differently from the one before."""
    sound = evening(20)[: 2 * hours.GRID]
    rows = list(hours.replay(5 * 18 / 3600, sound, Ears(spotter=Leaks())))  # type: ignore[arg-type]
    assert (rows[-1]["laps"], rows[-1]["laps_that_differ"]) == (3, 0)
    assert rows[-1]["events"] > 30
    assert rows[-1]["slowest_block_ms"] > 0
    assert 130 < rows[-1]["latency_ms"] < 200

    class Forgets(KnockDetector):
        def __init__(self) -> None:
            super().__init__()
            self.heard = 0

        def accept(self, samples: np.ndarray) -> list[Any]:
            self.heard += len(samples)
            return super().accept(samples) if self.heard < 45 * RATE else []

    rows = list(hours.replay(5 * 18 / 3600, sound, Ears(knocks=Forgets(), spotter=Leaks())))  # type: ignore[arg-type]
    assert rows[-1]["laps_that_differ"] >= 1


def test_without_recordings_a_simulated_table_is_heard(tmp_path: Any) -> None:
    sound = hours.lap(18, tmp_path)
    assert len(sound) == 18 * RATE
    assert np.abs(sound).max() > 0.05


def test_the_cost_is_a_share_of_one_core() -> None:
    class Idle(Leaks):
        def accept(self, samples: np.ndarray) -> list[Any]:
            return []

    cost = cpu_percent(evening(10), 320, lambda: Ears(spotter=Idle()))  # type: ignore[arg-type]
    assert 0 < cost < 100
