"""``Game``: a table with a memory. Apply events, take them back, ask what may happen next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.events import FORMS, Event, number
from engine.explain import Ruling, ruling
from engine.header import Header
from engine.outcomes import Accepted, Outcome, RoundEnded, Score, Undone
from engine.refusals import Refusal
from engine.rulesets import ruleset_of

KEYFRAME = 8
"""A snapshot is kept every so many events; to undo is to go back to one and apply the few events after it
again."""


class Game:
    """One game by the rules of ``header.game``.

    >>> game = Game(Header("trut", seats=2))
    >>> game.apply(Event("deal"))
    Accepted(outcomes=(RoundDealt(n=1, dealer=2, leader=1),))
    >>> game.apply(Event("play", 2, ("7h",))).message
    "ce n'est pas le tour de la place 2 : c'est à la place 1"
    >>> game.apply(Event("trut", 2)), game.awaiting
    (Accepted(outcomes=(ChallengeMade(seat=2, verb='trut', awaiting=(1,)),)), (1,))
    >>> game.undo(), game.turn
    (Accepted(outcomes=(Undone(count=1),)), 1)
    """

    def __init__(self, header: Header) -> None:
        self.table = ruleset_of(header)
        self.header = header
        self._log: list[Event] = []
        self._keyframes: list[tuple[Any, ...]] = [self.table.state()]

    def apply(self, event: Event) -> Accepted | Refusal:
        """Judge one event. A refused one changes nothing at all (C-4). ``undo`` and ``undo N`` are events
        too."""
        if event.verb == "undo":
            return self._undo_event(event)
        answer = self.table.apply(event)
        if answer.__class__ is Accepted:
            log = self._log
            log.append(event)
            if len(log) % KEYFRAME == 0:
                self._keyframes.append(self.table.state())
        return answer

    def undo(self, n: int = 1) -> Accepted | Refusal:
        """Take back the last ``n`` accepted events, across the end of a trick, a round or the game."""
        keep = len(self._log) - n
        if keep < 0 or n < 0:
            return Refusal("nothing-to-undo")
        frame = keep // KEYFRAME
        again = self._log[frame * KEYFRAME : keep]
        del self._log[keep:], self._keyframes[frame + 1 :]
        self.table.restore(self._keyframes[frame])
        for event in again:
            self.table.apply(event)
        return Accepted((Undone(n),))

    def _undo_event(self, event: Event) -> Accepted | Refusal:
        """NOTATION.md section 11: ``undo`` stands outside the table of codes: ``syntax``, then
        ``nothing-to-undo``."""
        if not FORMS["undo"].fits(event):
            return self.table.refuse("syntax", event)
        return self.undo((number(event.args[0]) or 0) if event.args else 1)

    def legal(self) -> tuple[Event, ...]:
        """Every event that ``apply`` would accept now.

        Left out are ``hand``, ``cut``, ``undo``, ``set-score``, ``concede``, and the optional forms of one
        and the same event (``deal 4`` for ``deal``, ``play 1 7?`` for a seven). Of an unknown hand every card
        that may still be out is listed.
        """
        return self.table.legal()

    def explain(self, what: Event | Outcome | Refusal) -> Ruling:
        """The ruling in a sentence with its clause and the source of the rule, in French and English.

        Args:
            what: an outcome or a refusal that ``apply`` gave; or an event, which is judged and not played.

        >>> from engine import parse_event
        >>> game = Game(Header("trut", seats=2))
        >>> for line in ("deal", "play 1 7h", "play 2 7s"):
        ...     answer = game.apply(parse_event(line))
        >>> str(game.explain(answer.outcomes[0]))
        'pli pourri : un sept de chaque camp, clause C-12'
        >>> game.explain(parse_event("play 1 8h")).text("en")
        'it is not the turn of seat 1 but of seat 2, clause C-8'
        """
        if not isinstance(what, Event) or what.verb == "undo":
            return ruling(self.table, what)
        answer = self.apply(what)
        if isinstance(answer, Refusal):
            return ruling(self.table, answer)
        told = ruling(self.table, answer.outcomes[0] if answer.outcomes else what)
        self.undo()
        return told

    def call(self, names: Mapping[int, str]) -> None:
        """What the players are called from now on; no rule depends on it.

        Raises:
            BadHeader: there is no such seat.
        """
        self.header = self.table.header = replace(self.header, names=dict(names))

    # What a referee, a scoreboard or a coach asks

    @property
    def log(self) -> tuple[Event, ...]:
        """The accepted events that have not been undone."""
        return tuple(self._log)

    @property
    def seats(self) -> int:
        return self.table.seats

    @property
    def phase(self) -> str:
        """deal, fortial, hold, sing, discard, redeal, answer, count, play, over (NOTATION.md section 5)."""
        return self.table.phase

    @property
    def turn(self) -> int | None:
        """Who lays the next card as soon as everything pending is settled."""
        return self.table.turn

    @property
    def awaiting(self) -> tuple[int, ...]:
        """Who must speak now, in order."""
        return self.table.awaiting

    @property
    def dealer(self) -> int:
        """Who dealt the running round, between rounds the last one."""
        return self.table.dealer

    @property
    def next_dealer(self) -> int:
        """Who must make the next deal, as things stand."""
        return self.table.next_dealer

    @property
    def cutter(self) -> int:
        """Who cuts before the next deal."""
        return self.table.cutter()

    @property
    def stake(self) -> str | None:
        """What the round is worth to its winner as things stand; None between rounds."""
        return self.table.stake

    @property
    def score(self) -> Score:
        """``{"A": {"longs": 2, "petits": 1}, "B": ...}`` or ``{"A": {"points": 7}, ...}``."""
        return self.table.score

    @property
    def winner(self) -> str | None:
        """The team that has won the game."""
        return self.table.winner

    @property
    def rounds(self) -> tuple[RoundEnded, ...]:
        """The rounds that are over."""
        return tuple(self.table.rounds)

    @property
    def trick(self) -> tuple[tuple[int, str], ...]:
        """The cards of the unfinished trick: ``((seat, card), ...)`` in the order laid."""
        return tuple(zip(self.table.around(self.table.leader), self.table.trick, strict=False))

    @property
    def tricks(self) -> tuple[str, ...]:
        """Results of the tricks of the running round, of the last one between rounds."""
        return self.table.earlier + self.table.tricks

    @property
    def last_trick(self) -> str | None:
        """``A``, ``B`` or ``rotten``: the trick completed last."""
        return self.table.last_trick

    @property
    def fortial(self) -> str:
        """The teams at fortial by the score: ``A``, ``B``, ``both``, ``none`` (T-50)."""
        return self.table.at_fortial()

    @property
    def manches(self) -> dict[str, int] | None:
        """truc-y-flou: manches won, ``{"A": 1, "B": 0}``; None in the other games."""
        return self.table.manches_won()

    def foot(self, team: str) -> int | None:
        """truc-y-flou: the seat of ``team`` that plays last in the current trick (F-1)."""
        return self.table.foot(team)

    def value(self, kind: str, seat: int) -> str | None:
        """truc-y-flou: the worth of the known hand of a seat as dealt, ``"none"`` for no such combination.

        Args:
            kind: ``"embit"`` or ``"flor"``.
        """
        return self.table.value(kind, seat)

    def cards_held(self, seat: int) -> int | None:
        """How many cards a seat still holds; None while no round is running."""
        return None if self.phase in ("deal", "over") else self.table.cards_held(seat)

    def known_hand(self, seat: int) -> tuple[str, ...] | None:
        """The cards that a seat still holds, if they are known."""
        return self.table.hands[seat - 1]

    def strength(self, card: str) -> int:
        """How strong a card is in tricks: the higher wins, equal ones spoil (C-10). KeyError for no card of
        the pack."""
        return self.table.strengths[card]

    def state(self) -> tuple[Any, ...]:
        """The whole state as one value; equal states compare equal."""
        return self.table.state()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.header == other.header and self.state() == other.state() and self.rounds == other.rounds

    __hash__ = None  # type: ignore[assignment]
