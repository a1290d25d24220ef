"""How a live table is doing: pictures a second, how old the newest is, what was dropped, what the work costs, how late
things are said.

Every part notes what it did, from its own thread; ``trut doctor --live`` and the page show a ``Reading`` of it all.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

WINDOW = 5.0
"""Seconds over which pictures and work are counted."""
KEPT = 200
"""Latest works and latencies that the medians are taken of."""
MOST_PICTURES = 1024
"""Pictures of a window whose times are kept: 200 a second."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The figures of one moment. None: nothing was measured yet.

    Attributes:
        t: seconds of the session.
        pictures: pictures a second that the camera gives.
        looked: pictures a second that the eyes look at.
        age_ms: since the newest picture was taken.
        dropped: pictures so far that nobody looked at; ``stale`` ones that the camera's buffer had kept too long.
        eyes_ms: work for a picture (median), ``eyes_ms_p95`` of the slowest twentieth.
        ears_percent: work for the sound, of one core.
        sound_lost: seconds of sound that never came from the device.
        queue: observations that wait to be weighed.
        card_ms: from a card that lies to what is shown or said of it (median), ``card_ms_p95``.
        knock_ms: from a knock to its acknowledgement, ``knock_ms_p95``.
        rss_mb: memory of the program.
        beats: for each part the seconds since it last did its work.
        down: the parts that do not work just now.
    """

    t: float
    pictures: float
    looked: float
    age_ms: float | None
    dropped: int
    stale: int
    eyes_ms: float | None
    eyes_ms_p95: float | None
    ears_percent: float | None
    sound_lost: float
    queue: int
    card_ms: float | None
    card_ms_p95: float | None
    knock_ms: float | None
    knock_ms_p95: float | None
    rss_mb: float
    beats: dict[str, float] = field(default_factory=dict)
    down: tuple[str, ...] = ()

    def row(self) -> dict[str, Any]:
        """For JSON, numbers rounded to what they are worth."""
        rounded = {k: round(v, 1) if isinstance(v, float) else v for k, v in asdict(self).items()}
        return rounded | {"beats": {part: round(ago, 1) for part, ago in self.beats.items()}, "down": list(self.down)}


class Figures:
    """What the parts of a session note. Any thread may use it at any time.

    Args:
        clock: seconds of the session.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._taken: deque[float] = deque(maxlen=MOST_PICTURES)
        self._looked: deque[float] = deque(maxlen=MOST_PICTURES)
        self._eyes: deque[float] = deque(maxlen=KEPT)
        self._ears: deque[tuple[float, float, float]] = deque(maxlen=MOST_PICTURES)
        self._cards: deque[float] = deque(maxlen=KEPT)
        self._knocks: deque[float] = deque(maxlen=KEPT)
        self._beats: dict[str, float] = {}
        self._newest: float | None = None

    def beat(self, part: str) -> None:
        """The part is alive: it did its work, or had none."""
        with self._lock:
            self._beats[part] = self._clock()

    def pictured(self, t: float) -> None:
        """A picture was taken at ``t`` and has come."""
        with self._lock:
            self._newest = t
            self._taken.append(self._clock())

    def looked(self, seconds: float) -> None:
        """The eyes have worked on one picture for so long."""
        with self._lock:
            self._eyes.append(seconds)
            self._looked.append(self._clock())

    def heard(self, sound: float, seconds: float) -> None:
        """The ears have worked on ``sound`` seconds of sound for so long."""
        with self._lock:
            self._ears.append((self._clock(), sound, seconds))

    def carded(self, t: float) -> None:
        """A card that lay at ``t`` counts now, and is being shown."""
        with self._lock:
            self._cards.append(self._clock() - t)

    def knocked(self, t: float) -> None:
        """A knock made at ``t`` is being acknowledged."""
        with self._lock:
            self._knocks.append(self._clock() - t)

    def read(
        self, *, dropped: int = 0, stale: int = 0, sound_lost: float = 0.0, queue: int = 0, down: Iterable[str] = ()
    ) -> Reading:
        """All figures of this moment; the arguments are what the parts count themselves."""
        with self._lock:
            now = self._clock()
            span = max(min(now, WINDOW), 1e-9)
            sound = [(s, work) for t, s, work in self._ears if t > now - WINDOW]
            heard = sum(s for s, _work in sound)
            return Reading(
                t=now,
                pictures=sum(t > now - WINDOW for t in self._taken) / span,
                looked=sum(t > now - WINDOW for t in self._looked) / span,
                age_ms=None if self._newest is None else 1000 * (now - self._newest),
                dropped=dropped,
                stale=stale,
                eyes_ms=_ms(self._eyes, 0.5),
                eyes_ms_p95=_ms(self._eyes, 0.95),
                ears_percent=100 * sum(work for _s, work in sound) / heard if heard else None,
                sound_lost=sound_lost,
                queue=queue,
                card_ms=_ms(self._cards, 0.5),
                card_ms_p95=_ms(self._cards, 0.95),
                knock_ms=_ms(self._knocks, 0.5),
                knock_ms_p95=_ms(self._knocks, 0.95),
                rss_mb=rss_mb(),
                beats={part: now - t for part, t in self._beats.items()},
                down=tuple(down),
            )


def _ms(seconds: Iterable[float], share: float) -> float | None:
    """The value below which ``share`` of them lie, in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def rss_mb() -> float:
    """Memory of this process that is in use, MB."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):  # no Linux: the most it ever had
        try:
            import resource
        except ImportError:  # Windows
            return 0.0
        kilo = 1 if sys.platform == "darwin" else 1024
        return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * kilo / 1e6, 1)
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
