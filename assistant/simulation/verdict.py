"""Truth and record of a simulated game, compared round by round."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Event, Game, Record, RoundEnded, replay
from engine.cards import rank_of

NO_CALLS = frozenset({"deal", "cut", "hand", "play"})
"""Events that are no word of anybody: all others must come out, with their seat and their number."""


@dataclass(frozen=True, slots=True)
class RoundVerdict:
    """One round of the truth: right if winner, award and the rank and seat of every card came out.

    Attributes:
        n: number of the round, from 1.
        faults: what is wrong, as pairs (what should be, what came out); empty where it is right.
        misheard: the calls that are wrong, missing or too many, in the same form.
    """

    n: int
    faults: tuple[tuple[str, str], ...]
    misheard: tuple[tuple[str, str], ...] = ()

    @property
    def right(self) -> bool:
        """Whether the round came out right."""
        return not self.faults

    @property
    def perfect(self) -> bool:
        """Whether the round is right and every call in it was heard and given to its seat."""
        return self.right and not self.misheard


@dataclass(frozen=True, slots=True)
class Verdict:
    """All rounds of the truth, and whether the record says anything that never happened.

    Attributes:
        rounds: one verdict for each round of the truth.
        extra: rounds of the record beyond those of the truth.
        score_right: whether the final score is that of the truth.
    """

    rounds: tuple[RoundVerdict, ...]
    extra: int
    score_right: bool

    @property
    def right(self) -> int:
        """Number of rounds that came out right."""
        return sum(one.right for one in self.rounds)

    @property
    def perfect(self) -> bool:
        """Every round right, none too many, the score right."""
        return self.right == len(self.rounds) and not self.extra and self.score_right


def truth_of(record: str) -> Game:
    """The game that a truth record tells.

    Raises:
        ValueError: the record contradicts itself.
    """
    result = replay(Record.parse(record))
    if not result.holds:
        raise ValueError(f"the truth does not hold: {result.failures or result.refused}")
    return result.game


def judge(truth: Game, played: Game) -> Verdict:
    """Compare two games round by round, by what counts: seat and rank of every card, winner and award."""
    wanted, got = _rounds(truth), _rounds(played)
    ranks = truth.header.game != "truc-y-flou"
    verdicts = []
    for n, (events, ended) in enumerate(wanted):
        other, other_end = got[n] if n < len(got) else ((), None)
        faults = tuple(_differences(_plays(events, ranks), _plays(other, ranks)))
        if _result(ended) != _result(other_end):
            faults += ((_result(ended), _result(other_end)),)
        misheard = tuple(_differences(_calls(events), _calls(other)))
        verdicts.append(RoundVerdict(n + 1, faults, misheard))
    return Verdict(tuple(verdicts), max(0, len(got) - len(wanted)), truth.score == played.score)


def _rounds(game: Game) -> list[tuple[tuple[Event, ...], RoundEnded | None]]:
    """The accepted events of each round, with its end."""
    rounds: list[list[Event]] = []
    for event in game.log:
        if event.verb == "deal":
            rounds.append([])
        elif rounds:
            rounds[-1].append(event)
    ends = [*game.rounds, *[None] * len(rounds)]
    return [(tuple(events), end) for events, end in zip(rounds, ends, strict=False)]


def _plays(events: tuple[Event, ...], ranks: bool) -> list[str]:
    """Seat and rank of every card; the whole card where suits count in tricks (F-4)."""
    return [f"{e.seat} {rank_of(e.args[0]) if ranks else e.args[0]}" for e in events if e.verb == "play"]


def _calls(events: tuple[Event, ...]) -> list[str]:
    return [str(e) for e in events if e.verb not in NO_CALLS]


def _result(ended: RoundEnded | None) -> str:
    return f"{ended.winner or 'none'} {ended.award}" if ended is not None else "-"


def _differences(wanted: list[str], got: list[str]) -> list[tuple[str, str]]:
    longest = max(len(wanted), len(got))
    pairs = zip(
        [*wanted, *["-"] * (longest - len(wanted))], [*got, *["-"] * (longest - len(got))], strict=True
    )
    return [(a, b) for a, b in pairs if a != b]
