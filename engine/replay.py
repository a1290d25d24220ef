"""Replaying a record: every event is applied, every expectation looked at."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.events import Event
from engine.expectations import actual
from engine.game import Game
from engine.outcomes import Accepted
from engine.record import Record
from engine.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Refused:
    """An event of a record that the rules refuse. ``expected``: the record says so itself, with the right
    code."""

    line: int
    event: Event
    refusal: Refusal
    expected: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that does not hold: what the record wants, and what is the case."""

    line: int
    want: str
    got: str


@dataclass(slots=True)
class Replay:
    """What came of a record.

    Attributes:
        game: the game after the last event.
        refused: events that were refused, expected or not.
        passed: number of expectations that hold.
        failures: the others.
    """

    record: Record
    game: Game
    refused: list[Refused] = field(default_factory=list)
    passed: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether the record is whole, every expectation holds, and every refused event is expected."""
        return (
            not self.failures
            and self.record.torn is None
            and all(refused.expected for refused in self.refused)
        )


def replay(record: Record) -> Replay:
    """Apply all events of a record to a fresh game and check its expectations.

    Time and memory are linear in the length of the record, ``undo`` included.

    >>> text = "game trut\\ndeal\\nplay 2 7h\\nexpect error out-of-turn\\nexpect turn 2\\n"
    >>> result = replay(Record.parse(text))
    >>> result.passed, result.failures
    (1, [Failure(line=5, want='turn 2', got='turn 1')])
    """
    result = Replay(record, Game(record.header))
    game = result.game
    started = False
    answer: Accepted | Refusal | None = None  # to the event just before, None behind an expectation
    for place, line in enumerate(record.lines, 1):
        kind = line.kind
        if kind == "event" or (kind == "header" and started):
            started = True
            assert line.event is not None
            answer = game.apply(line.event)
            if isinstance(answer, Refusal):
                result.refused.append(Refused(place, line.event, answer, False))
        elif kind == "expect":
            want = " ".join(line.words[1:])
            if line.words[1] == "error":
                got = _error_of(answer)
                if want == got and result.refused:
                    last = result.refused[-1]
                    result.refused[-1] = Refused(last.line, last.event, last.refusal, True)
            else:
                got = actual(game, line.words[1:])
            if want == got:
                result.passed += 1
            else:
                result.failures.append(Failure(place, want, got))
            answer = None
    return result


def _error_of(answer: Accepted | Refusal | None) -> str:
    """What became of the event just before, in the words of ``expect error``."""
    if isinstance(answer, Refusal):
        return f"error {answer.code}"
    return "error none"
