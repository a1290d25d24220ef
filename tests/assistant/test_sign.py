"""The listening sign is there whenever the assistant hears or sees, and tells the truth."""

from __future__ import annotations

import io

import pytest

from assistant.acts import Action, Notice
from assistant.announcer import Announcement
from assistant.showing import Sentences
from assistant.sign import Signed
from engine import Event, Header


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def screen(self) -> list[str]:
        """What stands there when everything that was wiped is gone."""
        return [line.rpartition("\r\x1b[K")[2] for line in self.getvalue().split("\n")]


def signed(out: io.StringIO, *, sees: bool = True, hears: bool = True) -> Signed:
    return Signed(Sentences(Header("trut"), out), sees=sees, hears=hears, out=out)


@pytest.mark.parametrize(
    ("sees", "hears", "text"),
    [
        (True, True, "● écoute et regarde"),
        (True, False, "● regarde, n'écoute pas"),
        (False, True, "● écoute, ne regarde pas"),
        (False, False, "○ n'écoute pas, ne regarde pas"),
    ],
)
def test_it_says_which_senses_are_open(sees: bool, hears: bool, text: str) -> None:
    out = Terminal()
    signed(out, sees=sees, hears=hears)
    assert out.screen == [text]


def test_it_stays_the_last_line_of_a_terminal() -> None:
    out = Terminal()
    viewer = signed(out)
    viewer.acted(Action(2.0, 2.4, Event("play", 1, ("7h",)), "camera", 0.9))
    viewer.announced(Announcement(3.0, 3.1, "Pli pourri."))
    assert out.screen == [
        "  0:02.0  Sud joue le sept de cœur",
        "  0:03.0  » Pli pourri.",
        "● écoute et regarde",
    ]
    viewer.close()
    assert out.screen[-1] == ""


def test_it_follows_what_breaks_and_comes_back() -> None:
    out = Terminal()
    viewer = signed(out)
    viewer.acted(Notice(1.0, 1.0, "camera-lost", {"reason": "gone"}))
    assert out.screen[-1] == "● écoute, ne regarde pas"
    viewer.acted(Notice(2.0, 2.0, "ears-lost"))
    assert out.screen[-1] == "○ n'écoute pas, ne regarde pas"
    viewer.acted(Notice(3.0, 3.0, "camera-back"))
    viewer.acted(Notice(3.0, 3.0, "record-lost"))
    assert out.screen[-1] == "● regarde, n'écoute pas"


def test_without_a_terminal_it_is_a_line_whenever_it_changes() -> None:
    out = io.StringIO()
    viewer = signed(out)
    viewer.announced(Announcement(3.0, 3.1, "Pli pourri."))
    viewer.acted(Notice(4.0, 4.0, "microphone-lost"))
    viewer.close()
    assert out.getvalue().splitlines() == ["● écoute et regarde", "  0:03.0  » Pli pourri.", "● regarde, n'écoute pas"]


def test_answers_to_the_keyboard_stand_above_it() -> None:
    out = Terminal()
    viewer = signed(out)
    viewer.with_lines(lambda lines: print(*lines, sep="\n", file=out))(["a", "b"])
    assert out.screen == ["a", "b", "● écoute et regarde"]
