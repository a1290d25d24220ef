"""A whole page with everything behind it and no device: what is asked of it over HTTP reaches the real parts."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from assistant.page.access import Access
from assistant.page.calibrating.desk import Desk
from assistant.page.clerk import Clerk
from assistant.page.feed import Feed
from assistant.page.page import Page
from assistant.page.phone import Phone
from assistant.page.senses import Senses
from assistant.session import Referee
from engine import Game, Header


@dataclass
class WholePage:
    """A score pad whose referee follows what is tapped at once, and notes the faults that the page tells."""

    folder: Path

    def __post_init__(self) -> None:
        self.feed = Feed()
        self.clerk = Clerk(self.feed)
        self.referee = Referee(Game(Header("trut", seats=4, dealer=4)), live=True, page=self.clerk)
        self.told: list[str] = []
        self.phone, self.senses, self.desk = Phone(), Senses(), Desk()
        self.page = Page(
            self.feed,
            Access("ABCDEF", now=partial(next, count(step=20))),  # nobody comes too often
            records=self.folder,
            running=self.referee.record,
            phone=self.phone,
            senses=self.senses,
            desk=self.desk,
            tell=self.told.append,
        )
        self._lock = threading.Lock()
        self._clock = 0.0
        self.clerk.bring(self._follow)

    def _follow(self, tapped: object) -> None:
        with self._lock:
            self._clock += 1.0
            self.referee.order(tapped)  # type: ignore[arg-type]
            self.referee.advance(self._clock)

    @property
    def log(self) -> list[str]:
        """What the game has come to."""
        return [str(event) for event in self.referee.game.log]

    def close(self) -> None:
        self.feed.end()
        self.phone.close()
        self.senses.close()
        self.desk.close()
