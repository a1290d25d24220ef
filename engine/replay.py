"""Replaying a record: every event is applied, every expectation looked at."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from engine.events import Event
from engine.expectations import UNDEFINED, actual
from engine.game import Game
from engine.outcomes import Accepted
from engine.record import Record
from engine.refusals import Refusal

LISTED: Final = 1 << 14
"""So many refused events, and so many failed expectations, are listed one by one; of what is beyond only the number
is kept, so that a long text that is hardly a record does not fill the memory."""


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
        refused: events that were refused, expected or not; the first ``LISTED``.
        unlisted_refused: how many more there were.
        unexpected: how many of all these the record does not expect.
        passed: number of expectations that hold.
        failures: the others; the first ``LISTED``.
        unlisted_failures: how many more there were.
    """

    record: Record
    game: Game
    refused: list[Refused] = field(default_factory=list)
    unlisted_refused: int = 0
    unexpected: int = 0
    passed: int = 0
    failures: list[Failure] = field(default_factory=list)
    unlisted_failures: int = 0

    @property
    def holds(self) -> bool:
        """Whether the record is whole, every expectation holds, and every refused event is expected."""
        return not self.failures and self.record.torn is None and not self.unexpected

    def refuse(self, refused: Refused) -> None:
        """Note a refused event, unexpected until the record says otherwise."""
        self.unexpected += 1
        if len(self.refused) < LISTED:
            self.refused.append(refused)
        else:
            self.unlisted_refused += 1

    def expect_last(self) -> None:
        """The record expects the event that was refused last."""
        self.unexpected -= 1
        if not self.unlisted_refused:
            self.refused[-1] = replace(self.refused[-1], expected=True)

    def fail(self, failure: Failure) -> None:
        """Note a failed expectation."""
        if len(self.failures) < LISTED:
            self.failures.append(failure)
        else:
            self.unlisted_failures += 1


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
                result.refuse(Refused(place, line.event, answer, False))
        elif kind == "expect":
            want = " ".join(line.words[1:])
            if line.words[1] == "error":
                got = _error_of(answer)
                held = want == got and isinstance(answer, Refusal)
                if held:
                    result.expect_last()
            else:
                got = actual(game, line.words[1:])
                held = want == got and not got.endswith(UNDEFINED)
            if held:
                result.passed += 1
            else:
                result.fail(Failure(place, want, got))
            answer = None
    return result


def _error_of(answer: Accepted | Refusal | None) -> str:
    """What became of the event just before, in the words of ``expect error``."""
    if isinstance(answer, Refusal):
        return f"error {answer.code}"
    return "error none"
