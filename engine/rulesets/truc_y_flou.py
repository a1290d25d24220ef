"""``truc-y-flou``: Truc y Flou, RULES.md section 6.

Six players, two teams of three, counter-clockwise (F-1: seat numbers follow the play). Three things go on in
one deal: the tricks and their truc (F-60), the embit (F-20) and the flor (F-40). Each has its part of this
file.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, ClassVar, Final

from engine.cards import SPANISH40, Pack, other_team, rank_of, team_of
from engine.events import Event, Form, number, said
from engine.header import Header
from engine.outcomes import (
    Accepted,
    ChallengeFolded,
    ChallengeMade,
    ChallengeTaken,
    DeclarationDue,
    Declared,
    GameWon,
    MancheWon,
    Outcome,
    PointsScored,
    RoundEnded,
    Score,
    TrickRotten,
    TrickWon,
)
from engine.points import Points
from engine.refusals import Refusal
from engine.table import Hand
from engine.tricks import DECIDED_IF_PLAYED_OUT

Answer = Accepted | Refusal

RANKING: Final = (  # F-4, from high to low; cards in one row are equal
    ("1e",),  # l'Épée
    ("1b",),  # le Bâton
    ("7e",),  # manille
    ("7o",),  # manille
    ("3e", "3b", "3o", "3c"),
    ("2e", "2b", "2o", "2c"),
    ("1o", "1c"),  # pouts
    ("12e", "12b", "12o", "12c"),
    ("11e", "11o", "11c"),  # not 11b
    ("10e", "10b", "10c"),  # not 10o
    ("7b", "7c"),
    ("6e", "6b", "6o", "6c"),
    ("5e", "5b", "5o", "5c"),
    ("4e", "4b", "4o", "4c"),
    ("10o", "11b"),  # périques
)
PERIQUES: Final = ("10o", "11b")
BONUS: Final = {"1e": 2, "1b": 1}  # F-70
LEVELS: Final = ("1", "2", "3", "4", "6", "partido")  # F-61
RAISES: Final = {"1": 1, "2": 2, "10": 10}  # F-25, besides "rest"
EMBIT, FLOR = "embit", "flor"
RANGES: Final = {EMBIT: (0, *range(20, 35)), FLOR: tuple(range(20, 42))}  # F-21, F-40


class TrucYFlou(Points):
    """F-1 to F-83."""

    PACK: ClassVar[Pack] = SPANISH40  # F-2
    STATE: ClassVar[tuple[str, ...]] = (
        *Points.STATE,
        "manches",  # F-81
        "manche_over",  # F-82: the next deal starts a new manche at 0-0
        "before_deal",  # the points when the deal began, for annul
        "dealt",  # the known hands as dealt
        "spoken",  # F-20: the seats that have used their occasion
        "scored",  # what has been scored in this deal besides the deal itself
        "bidder",  # F-22: who bid an embit or falta, None before
        "bid",  # "embit" or "falta" while it is open, None when it is settled or void
        "flors",  # F-42: the seats that said flor
        "flor_open",  # F-45: the flor question is not closed
        "asked",  # what waits for an answer: kind, asker, and a number that goes with it
        "count",  # F-28: which totals are compared, and for how much
        "sides",  # F-28: the seats of each team that may declare
        "totals",  # F-28: what each team has declared: seat and total
        "level",  # F-61: the level in force, a place in LEVELS
        "accepter",  # F-64: the team that accepted the truc, None before
        "ending",  # the tricks or a refusal have decided the deal: winner and reason
    )

    def __init__(self, header: Header) -> None:
        self.manches: tuple[int, int] = (0, 0)
        if header.manches is not None:
            self.manches = (header.manches["A"], header.manches["B"])
        self.manche_over = False
        self.before_deal = (0, 0)
        super().__init__(header)
        self.manches_to_win = 2 if self.options["manches"] == "3" else 1
        if self.options["play-out"] == "on":  # F-16
            self.decided = {course: who for course, who in DECIDED_IF_PLAYED_OUT.items() if len(course) == 3}

    # F-3 to F-6: cards

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """F-4. F-5: the périques are lowest, or by option they keep the place of a valet and a cavalier."""
        if self.options["peric-rank"] == "low":
            return RANKING
        court = {"10e": "10o", "11e": "11b"}
        return tuple((*row, court[row[0]]) if row[0] in court else row for row in RANKING[:-1])

    def _strengths(self) -> dict[str, int]:
        """A card of unseen suit counts as the plain card of its rank, no Épée, Bâton, manille or périque."""
        strengths = super()._strengths()
        plain = {"1": "1c", "7": "7c", "10": "10c", "11": "11c"}
        for rank in self.PACK.ranks:
            strengths[rank + "?"] = strengths[plain.get(rank, rank + "c")]
        return strengths

    def card_points(self, token: str) -> int:
        """F-6: 2 to 7 their number, court cards and aces 0 (``ace-points``), a périque 7."""
        if token in PERIQUES:
            return 7
        rank = rank_of(token)
        if rank == "1":
            return int(self.options["ace-points"])
        return int(rank) if int(rank) <= 7 else 0

    def embit_of(self, hand: tuple[str, ...]) -> int | None:
        """F-21: the best two cards of one suit + 20; a périque is of whatever suit suits its holder."""
        pairs = [pair for pair in combinations(hand, 2) if self._one_suit(pair)]
        return max((20 + sum(map(self.card_points, pair)) for pair in pairs), default=None)

    def flor_of(self, hand: tuple[str, ...]) -> int | None:
        """F-40: three cards of one suit + 20."""
        return 20 + sum(map(self.card_points, hand)) if self._one_suit(hand) else None

    def _one_suit(self, cards: Sequence[str]) -> bool:
        return len({token[-1] for token in cards if token not in PERIQUES}) <= 1

    def value(self, kind: str, seat: int) -> str | None:
        """``expect value``: of a known hand as dealt."""
        hand = self.dealt[seat - 1]
        if self.phase in ("deal", "over") or hand is None or self._believed(seat):
            return None
        return str(self._worth(kind, hand) or "none")

    def _worth(self, kind: str, hand: tuple[str, ...]) -> int | None:
        return self.embit_of(hand) if kind == EMBIT else self.flor_of(hand)

    def _believed(self, seat: int) -> bool:
        """Whether the hand of a seat is not known so well that it could contradict a claim."""
        hand = self.dealt[seat - 1]
        return hand is None or any(token.endswith("?") for token in hand)

    # F-1, F-3: the deal

    def foot(self, team: str) -> int | None:
        """F-1: the player of a team who plays last in the current trick."""
        if self.phase in ("deal", "over"):
            return None
        return self.members(team, self.leader)[-1]

    def eldest(self) -> int:
        """F-3: the seat after the dealer."""
        return self.first_leader()

    def cards_dealt(self) -> tuple[Outcome, ...]:
        """F-82: after a manche the next one starts at 0-0 with this deal."""
        if self.manche_over:
            self.points = (0, 0)
            self.manche_over = False
        self.before_deal = self.points
        return ()

    def _clear_round(self) -> None:
        super()._clear_round()
        self.dealt: tuple[Hand, ...] = self.unknown
        self.spoken: tuple[int, ...] = ()
        self.scored: tuple[PointsScored, ...] = ()
        self.bidder: int | None = None
        self.bid: str | None = None
        self.flors: tuple[int, ...] = ()
        self.flor_open = True
        self.asked: tuple[str, int, int] | None = None
        self.count: tuple[str, int] | None = None
        self.sides: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        self.totals: tuple[tuple[int, int] | None, tuple[int, int] | None] = (None, None)
        self.level = 0
        self.accepter: str | None = None
        self.ending: tuple[str | None, str] | None = None

    def _know(self, seat: int, hand: Hand) -> None:
        super()._know(seat, hand)
        if hand is not None and len(hand) == 3:
            self.dealt = (*self.dealt[: seat - 1], hand, *self.dealt[seat:])

    def form_of(self, verb: str, form: Form) -> Form:
        return Form(least=1, most=1) if verb == "raise" else form

    # F-20: each player has one occasion, at his turn in the first trick and before his card

    def _occasion(self, event: Event) -> Refusal | None:
        """Codes 11 and 13: before it, after it."""
        if self._has_laid(event.seat or 0):
            return self.refuse("too-late", event)
        if event.seat != self.turn:
            return self.refuse("out-of-turn", event, expected=self.turn)
        return None

    def _has_laid(self, seat: int) -> bool:
        return self.cards_held(seat) < 3

    def _used(self, event: Event) -> Refusal | None:
        """Code 19: a second declaration of this seat."""
        return self.refuse("already-declared", event) if event.seat in self.spoken else None

    def _speak(self, event: Event) -> Declared:
        self.spoken += (event.seat or 0,)
        return Declared(event.seat or 0, event.verb, event.args)

    # F-21 to F-27: embit

    def on_embit(self, event: Event) -> Answer:
        """F-21: one need not have an embit to bid one. F-23: after it the play goes on."""
        return self._may_bid(event) or self._bid(event)

    def on_falta(self, event: Event) -> Answer:
        """F-27: a bid for all that the bidder's team lacks."""
        return self._may_bid(event) or self._bid(event)

    def _may_bid(self, event: Event) -> Refusal | None:
        if self.phase != "play":
            return self.pending(event)
        if (fault := self._occasion(event)) is not None:
            return fault
        if self.flors:
            return self.refuse("flor-in-force", event)  # F-41
        if self.bidder is not None:
            return self.refuse("already-declared", event)  # F-22
        return self._used(event)

    def _bid(self, event: Event) -> Answer:
        self.bidder = event.seat
        self.bid = event.verb
        return Accepted((self._speak(event),))

    def on_sing(self, event: Event) -> Answer:
        """F-24: sung, the totals are compared; also an answer: F-25, F-30, F-46."""
        if self.phase == "answer":
            return self._take(event, "sing")
        if (fault := self._may_challenge(event)) is not None:
            return fault
        sung = self._speak(event)  # F-20: challenging uses up the occasion
        if self.bid == "falta":
            due = self._compare("falta", self._lack(team_of(self.bidder or 0)))
        else:
            due = self._compare(EMBIT, 2)
        return Accepted((sung, due))

    def _may_challenge(self, event: Event) -> Refusal | None:
        """F-23: each later opponent, at his own turn before his first card; by option any until the trick is
        full."""
        if self.phase != "play":
            return self.pending(event)
        if self.bid is None:
            return self.refuse("no-challenge", event)
        if team_of(event.seat or 0) == team_of(self.bidder or 0):
            return self.refuse("not-your-challenge", event)
        if self.options["embit-answer"] == "any":
            return None
        return self._occasion(event) or self._used(event)

    def _lack(self, team: str) -> int:
        """The rest: what a team lacks to the manche."""
        return self.target - self.points_of(team)

    def on_raise(self, event: Event) -> Answer:
        """F-25: the bidder's team answers at once; rest is what the raiser's team lacks at that moment."""
        if (fault := self._may_challenge(event)) is not None:
            return fault
        if self.bid == "falta":
            return self.refuse("no-more-raises", event)  # F-27
        amount = event.args[0]
        if amount not in RAISES and amount != "rest":
            return self.refuse("bad-raise", event)
        self._speak(event)
        raised = RAISES[amount] if amount in RAISES else self._lack(team_of(event.seat or 0))
        return self._ask("raise", event, 1 + raised)

    def on_trucrest(self, event: Event) -> Answer:
        """F-30: bets the rest with the embit and calls truc in one, before any embit, flor or truc."""
        if (fault := self._may_bid(event)) is not None:
            return fault
        if self.level or self.accepter:
            return self.refuse("no-more-raises", event)
        self.bidder = event.seat
        self._speak(event)
        return self._ask("trucrest", event, 0)

    # F-40 to F-47: flor

    def on_flor(self, event: Event) -> Answer:
        """F-40: a player must hold it to say it. F-41: from now on no embit counts."""
        if self.phase != "play":
            return self.pending(event)
        if (fault := self._occasion(event)) is not None:
            return fault
        if not self._may_hold_flor(event.seat or 0):
            return self.refuse("false-claim", event)
        if not self.flor_open:
            return self.refuse("already-declared", event)  # F-45: closed
        if (fault := self._used(event)) is not None:
            return fault
        outcomes: list[Outcome] = [self._speak(event)]
        if not self.flors:
            outcomes += self._annul_embit()
        self.flors += (event.seat or 0,)
        return Accepted(tuple(outcomes))

    def _may_hold_flor(self, seat: int) -> bool:
        hand = self.dealt[seat - 1]
        return hand is None or self._believed(seat) or self.flor_of(hand) is not None

    def _annul_embit(self) -> list[Outcome]:
        """F-41: an open embit is void, and points that an embit of this deal has scored are taken back."""
        self.bid = None
        if self.options["flor-annuls"] == "open":
            return []
        outcomes: list[Outcome] = []
        for score in self.scored:
            if score.kind in ("embit", "falta") and score.team is not None:
                self.set_points(score.team, self.points_of(score.team) - score.points)
                outcomes.append(PointsScored("annulled", score.team, -score.points))
        self.scored = tuple(score for score in self.scored if score.kind not in ("embit", "falta"))
        return outcomes

    def on_better(self, event: Event) -> Answer:
        """F-45: instead of a flor, with or without one; said again it takes the rest (F-47)."""
        if self.phase == "answer":
            return self._take(event, "better")
        if self.phase != "play":
            return self.pending(event)
        if not self.flors or not self.flor_open:
            return self.refuse("no-challenge", event)
        if self._flor_teams() != {other_team(team_of(event.seat or 0))}:
            return self.refuse("not-your-challenge", event)
        if (fault := self._occasion(event) or self._used(event)) is not None:
            return fault
        self._speak(event)
        self.flor_open = False
        return self._ask("better", event, event.seat or 0)

    def _flor_teams(self) -> set[str]:
        return {team_of(seat) for seat in self.flors}

    def on_silent(self, event: Event) -> Answer:
        """F-45: the flor team is silent: the challengers get 3. F-46: the challenger is: the flor team gets
        5."""
        if self.phase == "count" and self.count is not None and self.count[0] == "better":
            return self._bluff_given_up(event)
        if self.phase in ("answer", "play"):
            return self._take(event, "silent")
        return self.pending(event)

    def _bluff_given_up(self, event: Event) -> Answer:
        challenger = self._challenger()
        place = team_of(challenger) == "B"
        if event.seat != challenger or self.totals[place] is not None:
            return self.refuse("not-your-challenge", event)
        silent = Declared(challenger, "silent")
        self._resume()
        return Accepted((silent, *self._gain(other_team(team_of(challenger)), 5, FLOR, "declaration")))

    def _challenger(self) -> int:
        """F-46: the seat that said better: the only one of its team that may declare."""
        flor_team = team_of(self.flors[0])
        (seat,) = self.sides[flor_team == "A"]
        return seat

    def on_rest(self, event: Event) -> Answer:
        """F-47: alibarestou con flor, an answer to better."""
        return self._take(event, "rest")

    # F-60 to F-66: truc

    def on_truc(self, event: Event) -> Answer:
        """F-60: any player at any time when nothing waits for an answer."""
        if self.phase != "play":
            return self.pending(event)
        return self._may_call(event) or self._call(event, 1)

    def on_retruc(self, event: Event) -> Answer:
        return self._higher(event, 2)

    def on_balou(self, event: Event) -> Answer:
        return self._higher(event, LEVELS.index(event.args[0]) if event.args[0] in LEVELS[3:] else 0)

    def _may_call(self, event: Event) -> Refusal | None:
        """F-60: own turn by option. F-64: once accepted no more truc, or by option only by the team that
        accepted."""
        if self.options["truc-when"] == "own-turn" and event.seat != self.turn:
            return self.refuse("out-of-turn", event, expected=self.turn)
        if self.accepter is not None and not self._may_reopen(team_of(event.seat or 0)):
            return self.refuse("no-more-raises", event)
        if self.accepter is not None and event.verb == "truc":
            return self.refuse("bad-raise", event)
        return None

    def _may_reopen(self, team: str) -> bool:
        return self.options["truc-reopen"] == "on" and team == self.accepter and self.level < len(LEVELS) - 1

    def _higher(self, event: Event, level: int) -> Answer:
        """F-62: the next level as an answer, or (F-64 ``truc-reopen``) as a new call."""
        if self.phase == "play":
            if self.accepter is None:
                return self.refuse("no-challenge", event)
            if (fault := self._may_call(event)) is not None:
                return fault
            if not self._level_allowed(level, self.level):
                return self.refuse("bad-raise", event)
            return self._call(event, level)
        if self.phase != "answer" or self.asked is None or self.asked[0] != "truc":
            return self.pending(event)
        if event.seat not in self.awaiting:
            return self.refuse("not-your-challenge", event)
        offered = self.asked[2]
        if offered == len(LEVELS) - 1:
            return self.refuse("no-more-raises", event)
        if not self._level_allowed(level, offered):
            return self.refuse("bad-raise", event)
        self.level = offered  # a raise takes the level that it answers
        return self._call(event, level)

    def _level_allowed(self, level: int, below: int) -> bool:
        """F-62: levels cannot be skipped, but by ``truc-skip``."""
        return level > below if self.options["truc-skip"] == "on" else level == below + 1

    def _call(self, event: Event, level: int) -> Answer:
        return self._ask("truc", event, level)

    # Answers: the other team at once, any member, the first word binds

    def _ask(self, kind: str, event: Event, with_it: int) -> Answer:
        seat = event.seat or 0
        self.asked = (kind, seat, with_it)
        self.phase = "answer"
        self.awaiting = self.members(other_team(team_of(seat)), self.after(seat))
        return Accepted((ChallengeMade(seat, event.verb, self.awaiting),))

    WORDS: ClassVar[dict[str, tuple[str, ...]]] = {
        "raise": ("refuse", "sing", "accept"),  # F-25
        "trucrest": ("refuse", "sing", "accept"),  # F-30
        "better": ("silent", "sing", "rest"),  # F-45
        "rest": ("refuse", "better", "accept"),  # F-47
        "truc": ("accept", "refuse"),  # F-62, besides the next level
    }
    """The words that answer each kind of challenge."""

    def on_accept(self, event: Event) -> Answer:
        return self._take(event, "accept")

    def on_refuse(self, event: Event) -> Answer:
        return self._take(event, "refuse")

    def _take(self, event: Event, word: str) -> Answer:
        """An answer to whatever is asked."""
        if self.phase == "play":
            return self.refuse("no-challenge", event)
        if self.phase != "answer" or self.asked is None or word not in self.WORDS[self.asked[0]]:
            return self.pending(event)
        if event.seat not in self.awaiting:
            return self.refuse("not-your-challenge", event)
        kind, asker, with_it = self.asked
        seat = event.seat or 0
        self._resume()
        taken = Declared(seat, word)
        folded = ChallengeFolded(seat, settled=True)
        if kind == "raise":
            self.bid = None
            if word == "refuse":  # F-25: concedes, play goes on
                return Accepted((folded, *self._gain(team_of(asker), 2, EMBIT, "declaration")))
            return Accepted((taken, self._compare(EMBIT, with_it)))
        if kind == "trucrest":
            if word == "refuse":  # F-30: the truc is refused with it
                return Accepted((folded, *self._deal_over(team_of(asker), "refuse")))
            return Accepted((taken, self._compare("trucrest", 0)))
        if kind == "better":
            return Accepted((taken, *self._better_answered(event, word, with_it)))
        if kind == "rest":
            if word == "refuse":  # F-47
                return Accepted((folded, *self._gain(team_of(asker), 5, FLOR, "declaration")))
            return Accepted((taken, self._compare_flors("rest", 0, with_it)))
        if word == "refuse":  # F-63
            return Accepted((folded, *self._deal_over(team_of(asker), "refuse")))
        self.level = with_it  # F-64
        self.accepter = team_of(seat)
        return Accepted((ChallengeTaken(seat, LEVELS[self.level]),))

    def _better_answered(self, event: Event, word: str, challenger: int) -> Sequence[Outcome]:
        if word == "silent":  # F-45: whatever they hold
            return self._gain(team_of(challenger), 3, FLOR, "declaration")
        if word == "sing":  # F-46
            return (self._compare_flors("better", 5, challenger),)
        answer = self._ask("rest", event, challenger)  # F-47
        assert isinstance(answer, Accepted)
        return answer.outcomes

    def _resume(self) -> None:
        """Nothing waits any more; play goes on where it was."""
        self.phase = "play"
        self.awaiting = ()
        self.asked = None
        self.count = None
        self.totals = (None, None)

    # F-28: totals are compared

    def _compare(self, kind: str, worth: int) -> DeclarationDue:
        """Each team declares its best total once, any seat of it."""
        self.bid = None
        everybody = self.around(self.eldest())
        return self._count(kind, worth, everybody)

    def _compare_flors(self, kind: str, worth: int, challenger: int) -> DeclarationDue:
        """F-46, F-47: the seat that said better, and the seats of the flor team that said flor."""
        return self._count(kind, worth, (*self.flors, challenger))

    def _count(self, kind: str, worth: int, seats: tuple[int, ...]) -> DeclarationDue:
        self.phase = "count"
        self.count = (kind, worth)
        order = [seat for seat in self.around(self.eldest()) if seat in seats]
        self.sides = (
            tuple(seat for seat in order if seat % 2),
            tuple(seat for seat in order if not seat % 2),
        )
        self.totals = (None, None)
        self.awaiting = tuple(order)
        return DeclarationDue("count", self.awaiting)

    def on_declare(self, event: Event) -> Answer:
        """F-28: a known hand must agree; when both teams have declared, points are scored at once."""
        if self.phase == "play":
            return self.refuse("no-challenge", event)
        if self.phase != "count" or self.count is None:
            return self.pending(event)
        seat = event.seat or 0
        place = team_of(seat) == "B"
        if self.totals[place] is not None:
            return self.refuse("already-declared", event)
        if seat not in self.awaiting:
            return self.refuse("not-your-challenge", event)
        total = number(event.args[0]) or 0
        if total not in self._totals_allowed(seat):
            return self.refuse("bad-declare" if self._believed(seat) else "false-claim", event)
        self.totals = (self.totals[0], (seat, total)) if place else ((seat, total), self.totals[1])
        self.awaiting = tuple(other for other in self.awaiting if other % 2 != seat % 2)
        declared = Declared(seat, "declare", event.args)
        if self.awaiting:
            return Accepted((declared,))
        return Accepted((declared, *self._totals_compared()))

    def _totals_allowed(self, seat: int) -> tuple[int, ...]:
        """Of a known hand its worth, 0 for none; else the range of F-21 or F-40."""
        kind = EMBIT if self.count is not None and self.count[0] in ("embit", "falta", "trucrest") else FLOR
        hand = self.dealt[seat - 1]
        return RANGES[kind] if hand is None or self._believed(seat) else (self._worth(kind, hand) or 0,)

    def _totals_compared(self) -> list[Outcome]:
        """F-28: the higher total, equal ones by position: the declaring seat nearer to eldest."""
        assert self.totals[0] is not None
        assert self.totals[1] is not None
        (seat_a, total_a), (seat_b, total_b) = self.totals[0], self.totals[1]
        order = self.around(self.eldest())
        a_is_nearer = order.index(seat_a) < order.index(seat_b)
        winner = "A" if total_a > total_b or (total_a == total_b and a_is_nearer) else "B"
        kind, worth = self.count or ("", 0)
        self._resume()
        if kind == "trucrest":  # F-30: wins the manche, whichever side it is
            return self._gain(winner, self._lack(winner), EMBIT, "declaration")
        if kind == "rest":  # F-47
            return self._gain(winner, self._lack(winner), FLOR, "declaration")
        if kind == "falta":  # F-27
            bidders = team_of(self.bidder or 0)
            return self._gain(
                winner, self._lack(winner) if winner == bidders else 1 + worth, kind, "declaration"
            )
        if kind == "flors":  # F-44: 3 for each flor its own team said
            said_by_winner = sum(team_of(seat) == winner for seat in self.flors)
            outcomes = self._gain(winner, 3 * said_by_winner, FLOR, "declaration")
            return outcomes if self.phase in ("deal", "over") else [*outcomes, *self._score_deal()]
        return self._gain(winner, worth, EMBIT if kind == EMBIT else FLOR, "declaration")

    # F-70: bonus

    def card_laid(self, seat: int, token: str) -> Sequence[Outcome]:
        """F-70: the Épée and the Bâton score at once, whoever wins the trick."""
        if token in BONUS and self.options["bonus"] == "played":
            return self._gain(team_of(seat), BONUS[token], "bonus", "bonus")
        return ()

    # F-75: what scores when, and the end of the deal

    def trick_over(self, trick: TrickWon | TrickRotten) -> list[Outcome]:
        """F-75: after the first trick open embit or uncontested flors, then the bonus, then the deal."""
        outcomes = self._first_trick_settled() if len(self.tricks) == 1 else []
        if self.phase == "play" and self.options["bonus"] == "won" and isinstance(trick, TrickWon):
            outcomes += self._bonus_won(trick)
        if self.phase != "play":
            return outcomes
        return [*outcomes, *super().trick_over(trick)]

    def _bonus_won(self, trick: TrickWon) -> list[Outcome]:
        """F-70 ``won``: only if that card won the trick."""
        best = max(trick.cards, key=self.strengths.__getitem__)
        return self._gain(trick.team, BONUS[best], "bonus", "bonus") if best in BONUS else []

    def _first_trick_settled(self) -> list[Outcome]:
        """F-26, F-27: an unchallenged embit gives its bidders 1. F-42: uncontested flors 3 each."""
        if self.bid is not None:
            kind, self.bid = self.bid, None
            return self._gain(team_of(self.bidder or 0), 1, kind, "declaration")
        teams = self._flor_teams()
        if self.flor_open and len(teams) == 1:
            self.flor_open = False
            return self._gain(teams.pop(), 3 * len(self.flors), FLOR, "declaration")
        return []

    def round_decided(self, winner: str | None) -> list[Outcome]:
        """F-15. F-17: three tied tricks score nothing, or by option go to the team of the eldest hand."""
        if winner is None and self.options["all-tied"] == "elder":
            return self._deal_over(team_of(self.eldest()), "tricks")
        return self._deal_over(winner, "void" if winner is None else "tricks")

    def _deal_over(self, winner: str | None, reason: str) -> list[Outcome]:
        """F-66, F-75: first what is still open, then contested flors are counted, then the deal is scored."""
        self.ending = (winner, reason)
        outcomes = self._first_trick_settled()
        if self.phase != "play":
            return outcomes
        self.turn = None
        if self.flor_open and len(self._flor_teams()) == 2:  # F-43
            return [*outcomes, self._count("flors", 0, self.flors)]
        return [*outcomes, *self._score_deal()]

    def _score_deal(self) -> list[Outcome]:
        """F-15, F-63, F-65: the worth of the deal to its winner."""
        winner, reason = self.ending or (None, "void")
        if winner is None:
            return [self.close_round(None, "nothing", reason)]
        worth = self._lack(winner) if LEVELS[self.level] == "partido" else int(LEVELS[self.level])
        self.set_points(winner, min(self.target, self.points_of(winner) + worth))
        if self.points_of(winner) >= self.target:
            return self._win_manche(winner, reason)
        return [self.close_round(winner, f"points {worth}", reason)]

    def _gain(self, team: str, points: int, kind: str, reason: str) -> list[Outcome]:
        """Score something besides the deal. F-80: never above the target, which wins the manche at once."""
        before = self.points_of(team)
        self.set_points(team, min(self.target, before + points))
        scored = PointsScored(kind, team, self.points_of(team) - before)
        self.scored += (scored,)
        if self.points_of(team) < self.target:
            return [scored]
        return [scored, *self._win_manche(team, reason)]

    # F-80 to F-82: manche and match

    def _win_manche(self, team: str, reason: str) -> list[Outcome]:
        a, b = self.manches
        self.manches = (a + 1, b) if team == "A" else (a, b + 1)
        self.manche_over = True
        outcomes: list[Outcome] = [self.close_round(team, "manche", reason), MancheWon(team)]
        if max(self.manches) >= self.manches_to_win:
            outcomes.append(self.win_game(team))
        return outcomes

    def manches_won(self) -> dict[str, int]:
        return {"A": self.manches[0], "B": self.manches[1]}

    def agree_score(self, score: Score) -> None:
        super().agree_score(score)
        self.manche_over = False

    def round_row(self, winner: str | None, award: str, reason: str) -> RoundEnded:
        tricks = self.earlier + self.tricks
        return RoundEnded(
            self.ended,
            winner,
            award,
            reason,
            self.score,
            self.dealer,
            tricks,
            self.scored,
            self.manches_won(),
        )

    def on_annul(self, event: Event) -> Answer:
        """Nothing is scored: what the deal has scored so far is taken back."""
        if self.phase != "deal":
            self.points = self.before_deal
            self.scored = ()
        return super().on_annul(event)

    def win_game(self, team: str) -> GameWon:
        self.asked = None
        self.count = None
        return super().win_game(team)

    # What may be said now

    @property
    def stake(self) -> str | None:
        if self.phase in ("deal", "over"):
            return None
        return LEVELS[self.level]

    def calls_key(self) -> tuple[Any, ...]:
        if self.phase != "play":
            return (self.phase, self.awaiting, self.asked, self.count, self.flors)
        bidders = None if self.bidder is None else self.bidder % 2
        flor_a = flor_b = False
        for seat in self.flors:
            flor_a, flor_b = flor_a or seat % 2 == 1, flor_b or seat % 2 == 0
        first = not self.tricks
        has_spoken = first and self.turn in self.spoken
        flor = (flor_a, flor_b, self.flor_open)
        return (self.turn, first, has_spoken, bidders, self.bid, flor, self.level, self.accepter)

    def calls(self) -> list[Event]:
        if self.phase == "answer" and self.asked is not None:
            words = [said(word, seat) for seat in self.awaiting for word in self.WORDS[self.asked[0]]]
            if self.asked[0] == "truc":
                words += self._higher_calls(self.awaiting, self.asked[2])
            return words
        if self.phase == "count":
            return self._declarations()
        return [*self._occasions(), *self._truc_calls()]

    def _declarations(self) -> list[Event]:
        events = [
            said("declare", seat, str(total))
            for seat in self.awaiting
            for total in self._totals_allowed(seat)
        ]
        if self.count is not None and self.count[0] == "better":
            challenger = self._challenger()
            if challenger in self.awaiting:
                events.append(said("silent", challenger))
        return events

    def _occasions(self) -> list[Event]:
        """F-20 to F-45: what may be declared in the first trick."""
        if self.tricks or self.turn is None:
            return []
        seat = self.turn
        events = []
        if seat not in self.spoken:
            if not self.flors and self.bidder is None:
                events += [said("embit", seat), said("falta", seat)]
                if self.accepter is None:
                    events.append(said("trucrest", seat))
            if self.flor_open and self._may_hold_flor(seat):
                events.append(said("flor", seat))
            if self.flor_open and self._flor_teams() == {other_team(team_of(seat))}:
                events.append(said("better", seat))
        if self.bid is None:
            return events
        for challenger in self.around(1):
            if self._may_challenge(said("sing", challenger)) is None:
                events.append(said("sing", challenger))
                if self.bid == EMBIT:
                    events += [said("raise", challenger, amount) for amount in (*RAISES, "rest")]
        return events

    def _truc_calls(self) -> list[Event]:
        seats = self.around(1) if self.options["truc-when"] == "any" else (self.turn or 0,)
        if self.accepter is None:
            return [said("truc", seat) for seat in seats]
        seats = tuple(seat for seat in seats if self._may_reopen(team_of(seat)))
        return self._higher_calls(seats, self.level)

    def _higher_calls(self, seats: tuple[int, ...], below: int) -> list[Event]:
        levels = [level for level in range(2, len(LEVELS)) if self._level_allowed(level, below)]
        return [
            said("retruc", seat) if level == 2 else said("balou", seat, LEVELS[level])
            for seat in seats
            for level in levels
        ]
