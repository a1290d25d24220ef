"""What stands behind the page, reached by every route as ``request.app.state.page``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assistant.i18n import language
from assistant.page.access import Access


class AState(Protocol):
    """A state message, encoded once for all who are shown it."""

    @property
    def rev(self) -> int:
        """Grows with every state."""
        ...

    @property
    def text(self) -> str:
        """The JSON."""
        ...


class AnAnswer(Protocol):
    """What came of a tap."""

    def row(self) -> dict[str, object]:
        """The message that who tapped gets."""
        ...


class AFeed(Protocol):
    """What the server needs of ``assistant.page.feed.Feed``; every method may be called from any thread."""

    def state(self) -> AState: ...

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call ``wake``, from any thread, whenever the state has changed; gives what ends that."""
        ...

    def tap(self, message: Mapping[str, object], who: str, answer: Callable[[Any], None]) -> None:
        """Leave what somebody tapped for the referee; ``answer`` is called from any thread, with an
        ``AnAnswer``."""
        ...


def tell_on_stderr(sentence: str) -> None:
    """One line about the page for who sits at the computer."""
    sys.stderr.write(f"trut: {sentence}\n")


@dataclass
class Page:
    """What the routes reach.

    Attributes:
        feed: states out, taps in.
        access: who may do what.
        records: the folder of records, None where none are kept.
        running: gives the record of the game at the table as it is now and its file (``Referee.record``); None where
            there is no game. Called from any thread.
        phone: the phone as camera and microphone; None where the table has other devices.
        senses: what the machine sees and hears.
        desk: calibration.
        lang: the language in which the referee speaks.
        https: the page's safe address for phones, None where the page is not open to the room.
        fingerprint: of its certificate, SHA-256, as browsers show it.
        tell: what is said, one sentence, of a fault of the page; the game goes on.
    """

    feed: AFeed
    access: Access = field(default_factory=Access)
    records: Path | None = None
    running: Callable[[], tuple[str, Path | None] | None] = lambda: None
    phone: Any = None
    senses: Any = None
    desk: Any = None
    lang: str = field(default_factory=language)
    https: str | None = None
    fingerprint: str | None = None
    tell: Callable[[str], None] = tell_on_stderr
