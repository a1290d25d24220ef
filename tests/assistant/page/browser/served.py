"""Tables behind the page, for a browser: a score pad, and one that the program simulates, seen by the real eyes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant.journal import Journal
from assistant.live import Live
from assistant.orders import Say
from assistant.page.clerk import Clerk
from assistant.page.feed import Feed
from assistant.page.page import Page
from assistant.page.server import Listener, PageServer
from assistant.session import Referee
from engine import Game, Header, parse_event


class Served:
    """A table with its page on this machine, until ``close``.

    Args:
        header: of the game.
        folder: where the record is written.
        play: what the referee does first, in a thread of its own; then it is a table without devices, until the end.

    Attributes:
        address: of the page for who watches; ``joined`` with the code for who corrects.
    """

    def __init__(self, header: Header, folder: Path, play: Callable[[Referee], None] | None = None) -> None:
        self.feed = Feed()
        self.referee = Referee(Game(header), Journal(folder, header), page=Clerk(self.feed), live=play is None)
        self.page = Page(self.feed, records=folder, running=self.referee.record)
        self.server = PageServer(self.page, [Listener("127.0.0.1", 0)])
        self._play = play
        self._live: Live | None = None
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.server.start()
        self._thread.start()
        if play is None:
            assert self._begun.wait(10.0)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.ports[0]}/"

    @property
    def joined(self) -> str:
        return f"{self.address}#code={self.page.access.code}"

    @property
    def events(self) -> list[str]:
        """What the game has come to."""
        return [str(event) for event in self.referee.game.log]

    def say(self, *lines: str) -> None:
        """Somebody tells this, in lines of the record, not by the page."""
        assert self._live is not None
        for line in lines:
            self._live.order(Say(0.0, 0.0, "keyboard", parse_event(line)))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Meanwhile the referee sees no tap; then all that have come, in their order."""
        assert self._live is not None
        self.feed.deliver_to(None)
        try:
            yield
        finally:
            self.feed.deliver_to(self._live.order)

    def came_to(self, *events: str) -> str:
        """The one of these events that has happened; waits for it."""
        until = time.monotonic() + 20.0
        while time.monotonic() < until:
            if found := next((event for event in events if event in self.events), None):
                return found
            time.sleep(0.01)
        raise AssertionError(f"none of {events} in {self.events}")

    def serve_again(self) -> None:
        """The server of the page was closed and is back, on the same port."""
        self.server = PageServer(self.page, [Listener("127.0.0.1", self.server.ports[0])])
        self.server.start()

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._thread.join(20.0)
        self.server.close()
        assert self.referee.journal is not None
        self.referee.journal.close()

    def _run(self) -> None:
        if self._play is not None:
            self._play(self.referee)
        self._live = Live(self.referee, None, None, None, None)
        self._begun.set()
        self._live.run()
