"""From a fist on the table to the tone that acknowledges it: real knocks, real ears, a real clock.

    python -m assistant.bench.acknowledging [--knocks N]

Knocks cut out of the recordings beside the project (``shared/cases/sounds``) are played into a live session as a
microphone would give them, 20 ms at a time as time goes by; its loudspeaker notes when it is given the tone. What a
sound card adds after that (10 to 100 ms) is not in it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from assistant.acts import Act, Action
from assistant.bench.ears import SHARED
from assistant.bench.own_voice import knocks_of
from assistant.live import Live
from assistant.orders import Undo
from assistant.session import NoViewer, Referee
from audio import earcons
from audio.ears import Ears
from audio.resampling import RATE
from audio.speech import Speaker
from engine import Game, Header

Samples = npt.NDArray[np.float32]

APART = 3.0
"""Seconds from one knock to the next: each is a gesture of its own, and what is asked about it has been said."""
BEFORE = 0.05
"""Seconds of a cut knock before its onset (``own_voice.knocks_of``)."""
BLOCK = RATE // 50
PEAK, NOISE = 0.3, 1e-3


class TakingBack(NoViewer):
    """A viewer that has every trut taken back, so that the next knock may be one."""

    live: Live

    def acted(self, act: Act) -> None:
        if isinstance(act, Action) and act.event.verb == "trut" and act.refused is None:
            self.live.order(Undo(act.t, act.decided, "keyboard", 1))


class Played:
    """A microphone that plays a sound as time goes by."""

    def __init__(self, sound: Samples) -> None:
        self._sound = sound
        self._closed = False
        self.began: float | None = None

    def __iter__(self) -> Iterator[Samples]:
        self.began = time.monotonic()
        for start in range(0, len(self._sound), BLOCK):
            ready = self.began + (start + BLOCK) / RATE
            time.sleep(max(0.0, ready - time.monotonic()))
            if self._closed:
                return
            yield self._sound[start : start + BLOCK]

    def close(self) -> None:
        self._closed = True


def acknowledged(knocks: Sequence[Samples], seed: int = 3) -> list[float | None]:
    """Seconds from each knock to its tone, None where none came before the next knock."""
    rng = np.random.default_rng(seed)
    times = [APART * (i + 1) for i in range(len(knocks))]
    sound = rng.normal(0, NOISE, int((times[-1] + APART) * RATE)).astype(np.float32)
    for t, knock in zip(times, knocks, strict=True):
        start = int((t - BEFORE) * RATE)
        sound[start : start + len(knock)] += PEAK * knock
    tone = len(earcons.earcon("heard"))
    tones: list[float] = []

    def play(samples: Samples, rate: int) -> None:
        if len(samples) == tone:
            tones.append(time.monotonic())

    Ears().accept(np.zeros(RATE, np.float32))  # the models are loaded before the clock runs
    microphone, speaker, viewer = Played(sound), Speaker(play=play), TakingBack()
    referee = Referee(Game(Header("trut")), None, viewer, speaker, live=True)
    viewer.live = Live(referee, None, None, microphone, Ears())
    viewer.live.run()
    speaker.close(hush=True)
    assert microphone.began is not None
    heard = [t - microphone.began for t in tones]
    return [next((at - t for at in heard if 0 <= at - t < APART), None) for t in times]


def main(argv: Sequence[str] | None = None) -> int:
    """See the module. Exit status 1 where there are no recordings of knocks."""
    parser = argparse.ArgumentParser(prog="python -m assistant.bench.acknowledging", description=__doc__)
    parser.add_argument("--knocks", type=int, default=40, metavar="N", help="how many, of all groups")
    options = parser.parse_args(argv)
    sounds = SHARED / "cases" / "sounds"
    if not (sounds / "labels.jsonl").exists():
        sys.stderr.write("no recordings of knocks beside the project\n")
        return 1
    knocks = knocks_of(sounds)
    chosen = [knocks[i] for i in np.linspace(0, len(knocks) - 1, min(options.knocks, len(knocks))).astype(int)]
    delays = acknowledged(chosen)
    known = sorted(1000 * delay for delay in delays if delay is not None)
    figures = {
        "knocks": len(delays),
        "acknowledged": len(known),
        "median_ms": round(float(np.median(known))) if known else None,
        "p95_ms": round(float(np.quantile(known, 0.95))) if known else None,
        "within_400_ms": sum(delay <= 400 for delay in known),
    }
    sys.stdout.write(json.dumps(figures) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
