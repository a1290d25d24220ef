"""Simulated players answer what the assistant asks them: truthfully, and as fast as somebody who was just asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from assistant.acts import Question
from assistant.orders import Reply
from engine import Event, parse_event

ANSWERS = 1.0
"""Seconds after a question was decided on until a player has answered it."""
NEAR = 2.0
"""Seconds round the time that a question is about within which its event is looked for."""
_TIMED = re.compile(r"^(.*?) \| t=([\d.]+)")


def events_of(record: str) -> list[tuple[float, Event]]:
    """What happens in the truth and when, refused events too."""
    found = (_TIMED.match(line) for line in record.splitlines())
    return [(float(match[2]), parse_event(match[1])) for match in found if match]


@dataclass
class Tablemates:
    """Players who know what happened.

    Args:
        events: the truth (``events_of``).
    """

    events: list[tuple[float, Event]]
    _due: list[Reply] = field(default_factory=list)

    def asked(self, question: Question) -> None:
        """A question was put to the table."""
        answer = self.answer(question)
        if answer is not None:
            t = question.decided + ANSWERS
            self._due.append(Reply(t, t, "voice", answer))

    def replies(self, t: float) -> list[Reply]:
        """What they have answered by now."""
        due, self._due = [r for r in self._due if r.t <= t], [r for r in self._due if r.t > t]
        return due

    def answer(self, question: Question) -> int | str | bool | None:
        """The true answer; None where there is nothing to say to it."""
        match question.kind:
            case "who":
                call = self._nearest(question.t, str(question.fields["verb"]))
                return call.seat if call is not None else None
            case "whose-card":
                card = self._nearest(question.t, "play")
                return card.seat if card is not None else None
            case "which-card" | "twice":
                card = self._nearest(question.t, "play", question.fields.get("seat"))
                return card.args[0] if card is not None else None
            case "sure":
                verb, *args = str(question.fields["meaning"]).split(" ")
                call = self._nearest(question.t, verb)
                return call is not None and call.args == tuple(args)
        return None

    def _nearest(self, t: float, verb: str, seat: object = None) -> Event | None:
        """The event that a question is about: of the seat that was asked, if one was."""
        mine = [(abs(at - t), n) for n, (at, event) in enumerate(self.events) if event.verb == verb]
        near = [(d, n) for d, n in mine if d < NEAR and seat in (None, self.events[n][1].seat)]
        return self.events[min(near)[1]][1] if near else None
