"""What ``trut watch`` shows: sentences for people, or one JSON object a line for programs (CLI.md)."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import textwrap
from typing import Any, TextIO

from assistant.acts import Act, Action, Notice
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.i18n import _
from assistant.names import Names, capital
from assistant.reviewing import Reading, Review
from audio.health import Trouble
from engine import Header


def what(observation: Observation | Trouble) -> str:
    """``CardLaid`` → ``card-laid``, trouble of the microphone → ``microphone-lost``."""
    if isinstance(observation, Trouble):
        return f"microphone-{observation.what}"
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(observation).__name__).lower()


def observation_row(observation: Observation | Trouble) -> dict[str, Any]:
    """An observation as CLI.md has it."""
    row: dict[str, Any] = {"kind": "observation"}
    fields = dataclasses.asdict(observation)
    row |= {"t": fields.pop("t"), "decided": fields.pop("decided"), "what": None}
    row |= fields
    row["what"] = what(observation)
    return {key: _plain(value) for key, value in row.items()}


def action_row(action: Action) -> dict[str, Any]:
    """An action as CLI.md has it, with where it comes from."""
    return {
        "kind": "action",
        "t": _plain(action.t),
        "decided": _plain(action.decided),
        "event": str(action.event),
        "refused": action.refused,
        "by": action.by,
        "p": _plain(action.p),
    }


def announcement_row(announcement: Announcement) -> dict[str, Any]:
    """An announcement or a question as CLI.md has it."""
    return {
        "kind": "question" if announcement.question else "announcement",
        "t": _plain(announcement.t),
        "decided": _plain(announcement.decided),
        "text": announcement.text,
    }


def _plain(value: Any) -> Any:
    """Numbers rounded to what they are worth, tuples as lists."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


class JsonLines:
    """A viewer that prints one JSON object a line and nothing else."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout

    def observed(self, observation: Observation | Trouble) -> None:
        self.line(observation_row(observation))

    def acted(self, act: Act) -> None:
        if isinstance(act, Action):
            self.line(action_row(act))

    def announced(self, announcement: Announcement) -> None:
        self.line(announcement_row(announcement))

    def line(self, row: dict[str, Any]) -> None:
        print(json.dumps(row, ensure_ascii=False), file=self._out, flush=True)


class Sentences:
    """A viewer for people: each card and call as it is counted, and what is announced.

    Args:
        header: of the game, for names.
        out: where it is printed; standard output if None.
    """

    def __init__(self, header: Header, out: TextIO | None = None) -> None:
        self._names = Names(header)
        self._out = out or sys.stdout

    def observed(self, observation: Observation | Trouble) -> None:
        pass

    def acted(self, act: Act) -> None:
        if isinstance(act, Action) and act.event.verb == "play" and act.refused is None and not act.quiet:
            sentence = _("{name} joue {card}")
            name, card = self._names.seat(act.event.seat), self._names.card(act.event.args[0])
            self._line(act.t, sentence.format(name=name, card=card))
        elif isinstance(act, Notice) and isinstance(header := act.fields.get("header"), Header):
            self._names.use(header)
        elif isinstance(act, Notice) and isinstance(review := act.fields.get("review"), Review):
            for reading in review.cards:
                self._line(act.t, self._reading(reading))

    def _reading(self, reading: Reading) -> str:
        """ "Marie : le sept de cœur (97 %)" """
        name, card = self._names.seat(reading.seat), self._names.card(reading.card)
        text = _("{name} : {card}").format(name=capital(name), card=card)
        return text if reading.p is None else _("{text} ({sure} %)").format(text=text, sure=round(100 * reading.p))

    def announced(self, announcement: Announcement) -> None:
        mark = "?" if announcement.question else "»"
        self._line(announcement.t, f"{mark} {announcement.text}")

    def _line(self, t: float, text: str) -> None:
        minutes, seconds = divmod(max(0.0, t), 60)
        print(f"{int(minutes):3d}:{seconds:04.1f}  {text}", file=self._out, flush=True)


BOLD, PLAIN, BELL = "\x1b[1m", "\x1b[0m", "\a"
"""What a terminal makes of these: thick letters, usual ones again, a bell or a flash of the window."""


class LargeSentences(Sentences):
    """A viewer for who cannot hear: what is announced stands out in a frame, and a question rings or flashes."""

    def announced(self, announcement: Announcement) -> None:
        mark = "?" if announcement.question else "»"
        lines = textwrap.wrap(f"{mark} {announcement.text}", 60) or [mark]
        width = max(map(len, lines))
        edge = "═" * (width + 2)
        framed = [f"╔{edge}╗", *(f"║ {line:{width}} ║" for line in lines), f"╚{edge}╝"]
        text = "\n".join(framed)
        if self._out.isatty():
            text = f"{BELL if announcement.question else ''}{BOLD}{text}{PLAIN}"
        print(text, file=self._out, flush=True)
