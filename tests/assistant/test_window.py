"""What follows from a doubtful reading is announced a moment later; corrected by then, only the right thing is."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.acts import Act
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.journal import Journal
from assistant.orders import Rename, Undo
from assistant.session import Referee
from assistant.testing import place_of
from assistant.window import WINDOW
from audio.health import Trouble
from engine import Game, Header
from vision.events import CardLaid, CardReread

HEADER = Header("trut", seats=2, dealer=2)


class Said:
    """A viewer that keeps what is announced and when it was decided."""

    def __init__(self) -> None:
        self.said: list[tuple[float, str]] = []

    def observed(self, observation: Observation | Trouble) -> None: ...

    def acted(self, act: Act) -> None: ...

    def announced(self, announcement: Announcement) -> None:
        self.said.append((announcement.decided, announcement.text))


class Table:
    def __init__(self, journal: Journal | None = None) -> None:
        self.viewer = Said()
        self.referee = Referee(Game(HEADER), journal, self.viewer, live=True)
        self.clock = 0.0

    def until(self, t: float, *seen: Observation) -> list[str]:
        """What is announced up to ``t``, looked at ten times a second."""
        before = len(self.viewer.said)
        left = list(seen)
        while self.clock < t:
            self.clock = round(self.clock + 0.1, 3)
            self.referee.observe([o for o in left if o.decided <= self.clock])
            left = [o for o in left if o.decided > self.clock]
            self.referee.advance(self.clock)
        return [text for _, text in self.viewer.said[before:]]


def laid(t: float, card: str, seat: int, track: int, p: float) -> CardLaid:
    return CardLaid(t, t + 0.4, track, card, p, seat, place_of(seat, 2, 9 * track), seat, ((card, p),))


def reread(t: float, track: int, card: str) -> CardReread:
    return CardReread(t, t + 0.1, track, card, 0.99, ((card, 0.99),))


LEAD = laid(2.0, "9h", 1, 1, 0.99)


def test_a_sure_trick_is_announced_at_once() -> None:
    table = Table()
    assert table.until(5.2, LEAD, laid(4.0, "Jd", 2, 2, 0.97)) == ["Pli pour Nord."]


def test_a_doubtful_trick_waits_and_is_then_announced() -> None:
    table = Table()
    assert table.until(5.0, LEAD, laid(4.0, "Jd", 2, 2, 0.85)) == []
    assert table.until(7.0) == ["Pli pour Nord."]
    assert table.viewer.said[0][0] == pytest.approx(4.5 + WINDOW, abs=0.3)


def test_read_better_within_the_window_only_the_right_thing_is_said() -> None:
    table = Table()
    said = table.until(9.0, LEAD, laid(4.0, "Jd", 2, 2, 0.85), reread(5.2, 2, "9d"))
    assert len(said) == 1
    assert said[0].startswith("Pli pourri.")


def test_corrected_by_a_person_within_the_window_only_the_right_thing_is_said() -> None:
    table = Table()
    assert table.until(5.0, LEAD, laid(4.0, "Jd", 2, 2, 0.85)) == []
    table.referee.order(Rename(5.1, 5.1, "keyboard", 2, "9d"))
    said = [text for _, text in table.viewer.said]
    assert len(said) == 1
    assert said[0].startswith("Pli pourri.")
    assert table.until(9.0) == []


def test_read_better_with_the_same_result_what_waited_is_said() -> None:
    table = Table()
    assert table.until(9.0, LEAD, laid(4.0, "Jd", 2, 2, 0.85), reread(5.2, 2, "Qd")) == ["Pli pour Nord."]


def test_corrected_after_the_window_the_correction_is_said_too() -> None:
    table = Table()
    said = table.until(10.0, LEAD, laid(4.0, "Jd", 2, 2, 0.85), reread(8.0, 2, "9d"))
    assert said[0] == "Pli pour Nord."
    assert said[1].startswith("Je corrige : Nord a joué le neuf de carreau. Pli pourri.")
    assert len(said) == 2


def test_what_waits_is_said_before_what_comes_next() -> None:
    table = Table()
    cards = [LEAD, laid(4.0, "Jd", 2, 2, 0.85), laid(4.9, "Qs", 2, 3, 0.99), laid(5.3, "Ks", 1, 4, 0.99)]
    assert table.until(6.0, *cards) == ["Pli pour Nord.", "Pli pour Sud."]


def test_taken_back_within_the_window_it_is_never_said() -> None:
    table = Table()
    table.until(5.0, LEAD, laid(4.0, "Jd", 2, 2, 0.85))
    table.referee.order(Undo(5.1, 5.1, "keyboard"))
    table.until(9.0)
    said = [text for _, text in table.viewer.said]
    assert said[0] == "Le dernier coup est repris."
    assert not [text for text in said if text.startswith("Pli")]


def test_the_record_does_not_wait(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    table = Table(journal)
    assert table.until(5.0, LEAD, laid(4.0, "Jd", 2, 2, 0.85)) == []
    assert "play 2 Jd" in journal.path.read_text(encoding="utf-8")
    journal.close()


def test_what_still_waits_at_the_end_is_said() -> None:
    table = Table()
    table.until(5.0, LEAD, laid(4.0, "Jd", 2, 2, 0.85))
    table.referee.finish(5.0)
    assert [text for _, text in table.viewer.said] == ["Pli pour Nord."]
