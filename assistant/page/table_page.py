"""The page beside one table, from the moment its ports are taken to the end.

It is opened in this order: the ports first (what cannot be is told before anything is loaded), then the referee with
the page's clerk beside it, then the server, so that nobody is shown an empty table.
"""

from __future__ import annotations

import dataclasses
import queue
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO

from assistant.belongings import page_folder
from assistant.i18n import _
from assistant.page.calibrating import Desk
from assistant.page.clerk import Clerk
from assistant.page.feed import Feed
from assistant.page.opening import place, where
from assistant.page.page import Page
from assistant.page.senses import Senses
from assistant.page.server import PageServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from assistant.live import Live
    from assistant.orders import Tapped
    from assistant.outfit import Outfit
    from assistant.page.phone import Phone
    from assistant.session import Attendant, Eyes, Listener, Referee
    from calibration.profile import Profile
    from engine import Header

STEP = 0.25
"""Seconds between two looks at the clock after the media have ended."""


class TablePage:
    """See the module.

    Args:
        asked: what ``--web`` says.
        records: the folder of records, None where none are kept.
        phone: what stands for a phone that is camera or microphone; None where none is.
        out: where the address is printed.

    Raises:
        BadAddress, PortTaken, NoSuchAddress, NoCertificate: it cannot be served as asked.

    Attributes:
        clerk: writes what the page shows.
        senses: what the machine sees and hears, for who looks.
        attendant: stands beside the referee: the clerk, and the senses beside him.
        desk: stands beside the eyes and ears; a live table is calibrated there.
        page: what the routes reach.
        addresses: where it is.
    """

    def __init__(
        self, asked: str, *, records: Path | None = None, phone: Phone | None = None, out: TextIO | None = None
    ) -> None:
        self.phone = phone
        self._out = out or sys.stdout
        self._where = where(asked)
        found = place(self._where, page_folder())
        self.feed = Feed()
        self.clerk = Clerk(self.feed)
        self.senses = Senses()
        self.attendant: Attendant = self.senses.beside(self.clerk)
        self.desk = Desk(live=False, settled=self._settled)
        self.page = Page(
            self.feed,
            records=records,
            running=self.clerk.record,
            phone=phone,
            senses=self.senses,
            desk=self.desk,
        )
        self._server = PageServer(self.page, found.listeners)
        self.addresses = found.addresses(self._server.ports)
        self.page.https = self.addresses.safe[0] if self.addresses.safe else None
        self.page.fingerprint = found.fingerprint
        self._clock = 0.0
        self._over = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def tell_where(self) -> None:
        """Print where the page is; until ``start`` browsers wait."""
        view = "" if self.phone is None else "phone"
        for line in self.addresses.lines(self.page.access.code, view, self._out):
            print(line, file=self._out)
        if self.phone is not None and not self._where.open:
            print(_("  Un téléphone n'y arrive pas : --web 0.0.0.0 ouvre la page à la salle."), file=self._out)
        self._out.flush()

    def start(self) -> None:
        """Serve; the referee stands beside the clerk by now."""
        self._server.start()

    def eyes(self, eyes: Eyes | None, table: Profile | None = None) -> Eyes | None:
        """The same eyes, looked over the shoulder, with the desk beside them; ``table`` is the calibrated one."""
        self.senses.profile = table
        return self.senses.beside_eyes(self.desk.beside_eyes(eyes))

    def ears(self, ears: Listener | None) -> Listener | None:
        """The same ears, listened along with, with the desk beside them."""
        return self.senses.beside_ears(self.desk.beside_ears(ears))

    def _settled(self, table: Profile) -> None:
        """The table was calibrated on the page."""
        self.senses.profile = table

    def wire(
        self, outfit: Outfit, *, sees: bool, hears: bool
    ) -> Callable[[Header], tuple[Eyes | None, Listener | None]]:
        """Makes eyes and ears, where the table has such, for another game that somebody begins on the page."""

        def wired(header: Header) -> tuple[Eyes | None, Listener | None]:
            eyes, ears = outfit.eyes(header) if sees else None, outfit.ears(header) if hears else None
            return self.eyes(eyes, outfit.table_for(header)), self.ears(ears)

        return wired

    def live(self, table: Live) -> None:
        """The table is a live one, whose figures can be read, and which can be calibrated."""
        self.senses.reading = table.reading
        self.desk.live = True

    def at(self, t: float) -> None:
        """The media have come to ``t`` seconds."""
        self._clock = t

    def stay(self, referee: Referee) -> None:
        """The media have ended: say so, and let people look and correct until Ctrl-C."""
        print(_("C'est la fin. La page reste ouverte ; Ctrl-C la ferme."), file=self._out, flush=True)
        self.senses.over = True
        try:
            self._follow(referee)
        except KeyboardInterrupt:
            pass
        finally:
            self.clerk.bring(None)

    def _follow(self, referee: Referee) -> None:
        """Follow what is tapped, on the clock that the media left behind."""
        told: queue.SimpleQueue[Tapped] = queue.SimpleQueue()
        self.clerk.bring(told.put)
        began = time.monotonic() - self._clock
        while not self._over.is_set():
            try:
                tapped = told.get(timeout=STEP)
            except queue.Empty:
                continue
            clock = time.monotonic() - began
            referee.tap(dataclasses.replace(tapped, t=clock, decided=clock))
            referee.advance(clock)

    def close(self) -> None:
        """Nobody is served any more; any thread may call this."""
        self._over.set()
        self.feed.end()
        self.senses.close()
        self.desk.close()
        if self.phone is not None:
            self.phone.close()
        self._server.close()
