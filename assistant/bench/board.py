"""What the page costs the referee: ``python -m assistant.bench.board``.

A game of six is played at random and told, event by event. Timed are a step in which nothing changed, a step in which
an event was counted (naming, board, JSON), and the announcer's words in one language and in two.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from assistant.acts import Act, Action
from assistant.announcer import Announcer
from assistant.orders import Say
from assistant.page.clerk import Clerk
from assistant.page.feed import Feed
from assistant.session import Referee
from assistant.testing import played_at_random
from engine import GAMES, Game, Header

ROUNDS = 12
IDLE = 200


def main() -> int:
    """See the module."""
    columns = ("step, nothing", "step, event", "most", "message", "words", "in both")
    print(f"{'game':16}" + "".join(f"{column:>15}" for column in columns))
    for name in GAMES:
        print(_line(name))
    return 0


def _line(name: str) -> str:
    header = Header(name)
    feed = Feed()
    referee = Referee(Game(header), live=True, page=Clerk(feed))
    clerk = referee.page
    assert clerk is not None
    nothing: list[float] = []
    event: list[float] = []
    sizes: list[int] = []
    acts: list[Act] = []
    for timed in played_at_random(header, 3, rounds=ROUNDS):
        t = timed.t
        acts += referee.obey(Say(t, t, "keyboard", timed.event))
        event.append(_timed(lambda t=t: clerk.stepped(t)))  # type: ignore[misc]
        sizes.append(len(feed.state().text.encode()))
        for n in range(IDLE // 10):
            nothing.append(_timed(lambda t=t, n=n: clerk.stepped(t + n / 1000)))  # type: ignore[misc]
    one, two = (Announcer(referee.game, in_both=both) for both in (False, True))
    told = [act for act in acts if isinstance(act, Action)]
    words = [median(_timed(lambda act=act, by=by: by.words(act)) for act in told) for by in (one, two)]  # type: ignore[misc]
    return (
        f"{name:16}{median(nothing):12.1f} µs{median(event):12.0f} µs{max(event):12.0f} µs{median(sizes):13.0f} B"
        f"{words[0]:12.1f} µs{words[1]:12.1f} µs"
    )


def _timed(work: Callable[[], object]) -> float:
    """Microseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e6


if __name__ == "__main__":
    raise SystemExit(main())
