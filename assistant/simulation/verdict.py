"""Truth and record of a simulated game, compared round by round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from engine import Event, Game, Record, Refusal, RoundEnded, replay
from engine.cards import rank_of

NO_CALLS = frozenset({"deal", "cut", "hand", "play"})
"""Events that are no word of anybody: all others must come out, with their seat and their number."""


Infractions = Mapping[int, frozenset[str]]
"""Number of a round -> what the rules refused in it, each as ``code seat``."""


@dataclass(frozen=True, slots=True)
class RoundVerdict:
    """One round of the truth: right if winner, award and the rank and seat of every card came out.

    Attributes:
        n: number of the round, from 1.
        faults: what is wrong, as pairs (what should be, what came out); empty where it is right.
        misheard: the calls that are wrong, missing or too many, in the same form.
        misjudged: the infractions that were not announced, or were none.
    """

    n: int
    faults: tuple[tuple[str, str], ...]
    misheard: tuple[tuple[str, str], ...] = ()
    misjudged: tuple[tuple[str, str], ...] = ()

    @property
    def right(self) -> bool:
        """Whether the round came out right."""
        return not self.faults

    @property
    def perfect(self) -> bool:
        """Whether the round is right and every call and infraction in it was told and given to its seat."""
        return self.right and not self.misheard and not self.misjudged


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


def infractions_of(record: Record) -> Infractions:
    """What the rules refuse of a record, round by round; a round counts from its deal on."""
    game = Game(record.header)
    found: defaultdict[int, set[str]] = defaultdict(set)
    for line in record.lines:
        if line.kind != "event" or line.event is None:
            continue
        answer = game.apply(line.event)
        if isinstance(answer, Refusal):
            found[sum(event.verb == "deal" for event in game.log)].add(f"{answer.code} {line.event.seat}")
    return {n: frozenset(codes) for n, codes in found.items()}


def judge(truth: Game, played: Game, refused: tuple[Infractions, Infractions] = ({}, {})) -> Verdict:
    """Compare two games round by round: seat and rank of every card, calls, infractions, winner and award.

    Args:
        refused: the infractions of the truth and of the record.
    """
    wanted, got = _rounds(truth), _rounds(played)
    ranks = truth.header.game != "truc-y-flou"
    verdicts = []
    for n, (events, ended) in enumerate(wanted):
        other, other_end = got[n] if n < len(got) else ((), None)
        faults = tuple(_differences(_plays(events, ranks), _plays(other, ranks)))
        if _result(ended) != _result(other_end):
            faults += ((_result(ended), _result(other_end)),)
        misheard = tuple(_differences(_calls(events), _calls(other)))
        wanted_codes, got_codes = (codes.get(n + 1, frozenset()) for codes in refused)
        missed = [(code, "-") for code in sorted(wanted_codes - got_codes)]
        wrongly = [("-", code) for code in sorted(got_codes - wanted_codes)]
        verdicts.append(RoundVerdict(n + 1, faults, misheard, (*missed, *wrongly)))
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
