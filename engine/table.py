"""The table: what all five games share (RULES.md section 1): seats, deal, cards, turns, rounds, and the
refusals of C-4.

A ruleset is a subclass of ``Table``. Its ``on_<verb>`` methods are the events that its game knows: each first
makes its checks, in the order of NOTATION.md section 7, and returns a refusal at the first that fails; only
then it changes the state. The state is the attributes named in ``STATE``; all their values are immutable, so
a snapshot is one tuple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Final

from engine.cards import Card, Pack, other_team
from engine.events import FORMS, Event, Form, said
from engine.header import Header, score_of_words, score_possible
from engine.options import options_of
from engine.outcomes import (
    QUIET,
    Accepted,
    GameWon,
    Outcome,
    RoundDealt,
    RoundEnded,
    Score,
    ScoreSet,
    TrickRotten,
    TrickWon,
)
from engine.refusals import Refusal
from engine.tricks import DECIDED, ROTTEN, fall, next_leader_place

Answer = Accepted | Refusal
Hand = tuple[str, ...] | None

HEADER_WORDS: Final = frozenset(
    ("game", "seats", "dealer", "score", "manche", "option", "name", "captain", "version", "date")
)

PENDING: Final = {
    "deal": "round-over",
    "fortial": "declare-pending",
    "hold": "declare-pending",
    "sing": "declare-pending",
    "discard": "discard-pending",
    "redeal": "redeal-due",
    "answer": "challenge-pending",
    "count": "challenge-pending",
}
"""Codes 6 and 7 of NOTATION.md section 7: why a card or a call must wait in a phase."""

NOT_DECIDED: Final = object()


class Table:
    """One game at one table. Use ``engine.Game``, which adds ``undo`` to it."""

    PACK: ClassVar[Pack]
    STATE: ClassVar[tuple[str, ...]] = (
        "phase",  # NOTATION.md section 5
        "dealer",  # of the running round, between rounds of the last one
        "next_dealer",  # who must make the next deal, as things stand
        "ended",  # number of rounds that are over
        "winner",  # of the game
        "leader",  # of the current trick
        "turn",  # who lays the next card, None where nobody will
        "trick",  # cards on the table, in the order laid
        "tricks",  # results of the tricks since the (re)deal
        "earlier",  # results of the tricks before a tout pâté
        "last_trick",  # result of the trick completed last, in this or the last round
        "out",  # one bit for each card that is out of play, laid or put aside
        "counts",  # how many cards of each rank are out
        "laid",  # how many cards are out altogether: more than bits, if some cannot be told from their like
        "hands",  # the cards that each seat still holds, None where they are unknown
        "awaiting",  # who must speak, in order
    )
    CALLS: ClassVar[tuple[str, ...]] = ("phase", "turn", "leader", "tricks", "awaiting")
    """The part of the state on which ``calls()`` depends while no hand is known; ``leader`` and ``turn`` tell
    how many cards lie in the trick."""
    SWITCHES: ClassVar[dict[str, str]] = {}
    """Events that exist only while the option of that name is ``on``."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.seats = header.seats
        seats = tuple(range(1, header.seats + 1))
        self._orders = tuple(seats[start:] + seats[:start] for start in range(header.seats))
        self.options = options_of(header.game) | dict(header.options)
        self.target = int(self.options["target"])
        self.cards: dict[str, Card] = self.PACK.cards()
        self.strengths: dict[str, int] = self._strengths()
        self.unknown: tuple[Hand, ...] = (None,) * self.seats
        self.decided: dict[tuple[str, ...], str | None] = dict(DECIDED)
        self.rounds: list[RoundEnded] = []
        self._words = self._collect_words()
        self._snapshot = attrgetter(*self.STATE)
        self._calls_key = attrgetter(*self.CALLS)
        self._calls = _calls_met(header.game, header.seats, tuple(sorted(self.options.items())))

        self.phase = "deal"
        self.turn: int | None = None
        self.dealer = header.dealer
        self.next_dealer = header.dealer
        self.ended = 0
        self.winner: str | None = None
        self.last_trick: str | None = None
        self.hands: tuple[Hand, ...] = self.unknown
        self.awaiting: tuple[int, ...] = ()
        self._clear_round()

    # What a ruleset says of itself

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """The cards from high to low; cards of one row are equal (C-10). A row may name ranks instead of
        cards."""
        raise NotImplementedError

    def first_leader(self) -> int:
        """Who leads the first trick: the seat after the dealer."""
        return self.after(self.dealer)

    def cutter(self) -> int:
        """Who cuts before the next deal: the seat before the dealer."""
        return self.before(self.next_dealer)

    def cards_dealt(self) -> tuple[Outcome, ...]:
        """What is due between the deal and the first card."""
        return ()

    def round_decided(self, winner: str | None) -> list[Outcome]:
        """The tricks have decided the round (C-20); ``winner`` None: three rotten tricks."""
        raise NotImplementedError

    @property
    def score(self) -> Score:
        """The score in the form of ``trut score``."""
        raise NotImplementedError

    def agree_score(self, score: Score) -> None:
        """Take over an agreed or a starting score."""
        raise NotImplementedError

    @property
    def stake(self) -> str | None:
        """What the round is worth to its winner as things stand, None while no round is running."""
        raise NotImplementedError

    def calls(self) -> list[Event]:
        """The legal events of the running phase but for the cards and ``annul``."""
        raise NotImplementedError

    def at_fortial(self) -> str:
        """T-50; in the games without fortial no team ever is."""
        return "none"

    def manches_won(self) -> dict[str, int] | None:
        """F-81; None in the games without manches."""
        return None

    def foot(self, team: str) -> int | None:
        """F-1; None in the games without a foot."""
        return None

    def value(self, kind: str, seat: int) -> str | None:
        """F-21, F-40; None in the games without embit and flor."""
        return None

    # Seats

    def after(self, seat: int) -> int:
        """C-1: the next seat in the order of play."""
        return seat % self.seats + 1

    def before(self, seat: int) -> int:
        """The seat before."""
        return (seat - 2) % self.seats + 1

    def around(self, first: int) -> tuple[int, ...]:
        """All seats in the order of play, beginning with ``first``."""
        return self._orders[first - 1]

    def members(self, team: str, first: int) -> tuple[int, ...]:
        """C-2: the seats of a team in the order of play, beginning at ``first`` or after it."""
        parity = 1 if team == "A" else 0
        return tuple(seat for seat in self.around(first) if seat % 2 == parity)

    # The state

    def state(self) -> tuple[Any, ...]:
        """The whole state; equal states compare equal."""
        return self._snapshot(self)

    def restore(self, state: tuple[Any, ...]) -> None:
        """Go back to a state that ``state()`` gave."""
        for name, value in zip(self.STATE, state, strict=True):
            setattr(self, name, value)
        del self.rounds[self.ended :]

    # Judging an event: codes 1 to 5 here, the rest in the method of the event

    def apply(self, event: Event) -> Answer:
        """Judge an event and, if it is allowed, let it happen."""
        rule = self._words.get(event.verb)
        if rule is None:
            return self._stranger(event)
        method, form, check = rule
        seat = event.seat
        simple = form.words == len(event.args) and seat is not None  # the quick way of most events
        if not simple and not (form.fits(event) and (check is None or check(event))):
            return self.refuse("syntax", event)
        if seat is not None and not 1 <= seat <= self.seats:
            return self.refuse("bad-seat", event)
        if self.phase == "over":
            return self.refuse("game-over", event)
        return method(event)

    def _stranger(self, event: Event) -> Refusal:
        """Why an event is refused that this game does not know."""
        if event.verb in HEADER_WORDS:
            return self.refuse("bad-header", event)
        form = FORMS.get(event.verb)
        if form is None:
            return self.refuse("unknown-verb", event)
        if not form.fits(event):
            return self.refuse("syntax", event)
        if event.seat is not None and not 1 <= event.seat <= self.seats:
            return self.refuse("bad-seat", event)
        return self.refuse("game-over" if self.phase == "over" else "not-in-game", event)

    def refuse(self, code: str, event: Event, **fields: object) -> Refusal:
        """C-4: a refusal with everything that its sentence may name."""
        expected: object = self.awaiting[0] if self.awaiting else self.turn
        return Refusal(
            code, {"event": event, "verb": event.verb, "seat": event.seat, "expected": expected} | fields
        )

    def answers_to(self, event: Event, phase: str, voices: tuple[int, ...]) -> Refusal | None:
        """Codes 6 to 9 for a word that belongs to one phase and to the seats whose word counts there."""
        if self.phase == "play":
            return self.refuse("no-challenge", event)
        if self.phase != phase:
            return self.pending(event)
        if event.seat not in voices:
            return self.refuse("not-your-challenge", event)
        return None

    def pending(self, event: Event) -> Refusal:
        """Something else is due now (codes 6 and 7)."""
        return self.refuse(PENDING[self.phase], event)

    # The deal (C-3)

    def on_cut(self, event: Event) -> Answer:
        if self.phase != "deal":
            return self.refuse("round-running", event)
        if event.seat != self.cutter():
            return self.refuse("wrong-cutter", event, expected=self.cutter())
        return QUIET

    def on_deal(self, event: Event) -> Answer:
        if self.phase == "redeal":
            return self.refuse("redeal-due", event)
        if self.phase != "deal":
            return self.refuse("round-running", event)
        if event.seat is not None and event.seat != self.next_dealer:
            return self.refuse("wrong-dealer", event, expected=self.next_dealer)
        self.dealer = self.next_dealer
        self.next_dealer = self.after(self.dealer)
        self.phase = "play"
        self._clear_round()
        self.leader = self.turn = self.first_leader()
        return Accepted((RoundDealt(self.ended + 1, self.dealer, self.leader), *self.cards_dealt()))

    def _clear_round(self) -> None:
        self.leader = self.dealer
        self.turn = None
        self.trick: tuple[str, ...] = ()
        self.tricks: tuple[str, ...] = ()
        self.earlier: tuple[str, ...] = ()
        self.out = 0
        self.counts = 0
        self.laid = 0
        self.hands = self.unknown
        self.awaiting = ()

    # Known hands

    def on_hand(self, event: Event) -> Answer:
        """Knowledge, not a move: it may be told in any phase of a round, before that seat's first card."""
        if self.phase == "deal":
            return self.pending(event)
        seat = event.seat or 0
        if self.cards_held(seat) < self.cards_dealt_to(seat):
            return self.refuse("too-late", event)
        if (fault := self._foreign_card(event)) is not None:
            return fault
        counts = self._counts_without(seat)
        for token in event.args:
            card = self.cards[token]
            counts += card.unit
            if self.is_out(token, seat) or counts >> card.shift & 7 > 4:
                return self.refuse("duplicate-card", event, card=token)
        if len(event.args) != self.cards_held(seat) or self._repeats(event.args):
            return self.refuse("bad-hand", event)
        self._know(seat, event.args)
        return QUIET

    def cards_dealt_to(self, seat: int) -> int:
        """C-6: how many cards a seat has before its first card of the (re)deal."""
        return 3

    def cards_held(self, seat: int) -> int:
        """How many cards a seat still holds."""
        held = self.cards_dealt_to(seat) - len(self.tricks)
        return held - 1 if (seat - self.leader) % self.seats < len(self.trick) else held

    def _know(self, seat: int, hand: Hand) -> None:
        self.hands = (*self.hands[: seat - 1], hand, *self.hands[seat:])

    def _foreign_card(self, event: Event) -> Refusal | None:
        for token in event.args:
            if token not in self.cards:
                return self.refuse("unknown-card", event, card=token)
        return None

    def _repeats(self, tokens: Iterable[str]) -> bool:
        """Whether a card that exists once is named twice."""
        once = [token for token in tokens if self.cards[token].bit]
        return len(set(once)) != len(once)

    def _counts_without(self, seat: int) -> int:
        """How many cards of each rank are out or in a known hand of another seat."""
        counts = self.counts
        for other, hand in enumerate(self.hands, 1):
            if hand is not None and other != seat:
                counts += sum(self.cards[token].unit for token in hand)
        return counts

    def is_out(self, token: str, seat: int) -> bool:
        """C-9: whether ``seat`` cannot hold that card, because it is out of play or in another known hand.

        A card that cannot be told from its like (Robin Red, or of unseen suit) is out when all four of its
        rank are.
        """
        card = self.cards[token]
        if self.out & card.bit:
            return True
        if self.hands is self.unknown:
            return self.counts >> card.shift & 7 > 3
        if card.bit and any(
            hand is not None and token in hand for other, hand in enumerate(self.hands, 1) if other != seat
        ):
            return True
        return self._counts_without(seat) >> card.shift & 7 > 3

    def _without(self, hand: tuple[str, ...], token: str) -> tuple[str, ...] | None:
        """The hand after this card was laid from it, None where it cannot have been in it.

        Of two cards of one rank, one laid with its suit unseen leaves the other unsure.
        """
        card = self.cards[token]
        unseen = card.rank + "?"
        if card.suit == "?":
            same = [held for held in hand if self.cards[held].rank == card.rank]
            rest = tuple(held for held in hand if self.cards[held].rank != card.rank)
            return (*rest, *(unseen for _ in same[1:])) if same else None
        held = token if token in hand else unseen
        if held not in hand:
            return None
        place = hand.index(held)
        return hand[:place] + hand[place + 1 :]

    # Cards

    def on_play(self, event: Event) -> Answer:
        if self.phase != "play":
            return self.pending(event)
        token = event.args[0]
        card = self.cards.get(token)
        if card is None:
            return self.refuse("unknown-card", event, card=token)
        seat = event.seat
        if seat is None or seat != self.turn:  # C-8
            return self.refuse("out-of-turn", event, expected=self.turn)
        if self.hands is self.unknown:
            if self.out & card.bit or self.counts >> card.shift & 7 > 3:  # C-9
                return self.refuse("duplicate-card", event, card=token)
        else:
            if self.is_out(token, seat):
                return self.refuse("duplicate-card", event, card=token)
            hand = self.hands[seat - 1]
            if hand is not None:
                rest = self._without(hand, token)
                if rest is None:
                    return self.refuse("not-in-hand", event, card=token)
                self._know(seat, rest)
        self.out |= card.bit
        self.counts += card.unit
        self.laid += 1
        self.trick += (token,)
        outcomes = self.card_laid(seat, token)
        if self.phase != "play":  # F-80: a bonus can end the manche in the middle of a trick
            return Accepted(tuple(outcomes))
        if len(self.trick) == self.seats:
            return Accepted((*outcomes, *self._trick_complete()))
        self.turn = seat % self.seats + 1
        return Accepted(tuple(outcomes)) if outcomes else QUIET

    def card_laid(self, seat: int, token: str) -> Sequence[Outcome]:
        """What a card does by itself: F-70, R-4."""
        return ()

    def _trick_complete(self) -> list[Outcome]:
        """C-11 to C-14, and C-20 as soon as the round is decided (C-21)."""
        cards = self.trick
        fallen = fall([self.strengths[token] for token in cards])
        seats = self.around(self.leader)
        leader = seats[
            next_leader_place(fallen, self.options["rotten-lead"], self.options.get("partner-lead", "first"))
        ]
        number = len(self.earlier) + len(self.tricks) + 1
        outcome: TrickWon | TrickRotten
        if fallen.rotten:
            self.last_trick = ROTTEN
            outcome = TrickRotten(number, leader, cards)
        else:
            best = seats[fallen.first]
            self.last_trick = "A" if best % 2 else "B"
            outcome = TrickWon(number, self.last_trick, best, leader, cards)
        self.tricks += (self.last_trick,)
        self.trick = ()
        self.leader = self.turn = leader
        return [outcome, *self.trick_over(outcome)]

    def trick_over(self, trick: TrickWon | TrickRotten) -> list[Outcome]:
        """What follows from a complete trick."""
        winner = self.decided.get(self.tricks, NOT_DECIDED)
        return [] if winner is NOT_DECIDED else self.round_decided(winner)  # type: ignore[arg-type]

    # The end of a round

    def close_round(self, winner: str | None, award: str, reason: str) -> RoundEnded:
        """C-3: the round is over; the score must be that after it. C-23: what was known of the hands is
        forgotten."""
        self.ended += 1
        ended = self.round_row(winner, award, reason)
        self.rounds.append(ended)
        self.phase = "deal"
        self.turn = None
        self.trick = ()
        self.awaiting = ()
        self.hands = self.unknown
        return ended

    def round_row(self, winner: str | None, award: str, reason: str) -> RoundEnded:
        return RoundEnded(
            self.ended, winner, award, reason, self.score, self.dealer, self.earlier + self.tricks
        )

    def win_game(self, team: str) -> GameWon:
        """C-5: every further event is refused."""
        self.winner = team
        self.phase = "over"
        self.turn = None
        self.awaiting = ()
        return GameWon(team)

    # What happens at real tables (NOTATION.md section 10)

    def on_annul(self, event: Event) -> Answer:
        """Maldonne: the round is void and the same dealer deals again."""
        if self.phase == "deal":
            return self.pending(event)
        ended = self.close_round(None, "nothing", "annul")
        self.next_dealer = self.dealer
        return Accepted((ended,))

    def on_set_score(self, event: Event) -> Answer:
        """The players agree on a score, between rounds."""
        if self.phase != "deal":
            return self.refuse("round-running", event)
        score = score_of_words(self.header.game, event.args)
        assert score is not None  # the syntax was checked
        self.agree_score(score)
        return Accepted((ScoreSet(score),))

    def check_set_score(self, event: Event) -> bool:
        score = score_of_words(self.header.game, event.args)
        return score is not None and score_possible(self.header.game, self.target, score)

    def on_concede(self, event: Event) -> Answer:
        """A team gives the game up."""
        outcomes: list[Outcome] = []
        if self.phase != "deal":
            outcomes.append(self.close_round(None, "nothing", "concede"))
        outcomes.append(self.win_game(other_team(event.args[0])))
        return Accepted(tuple(outcomes))

    def check_concede(self, event: Event) -> bool:
        return event.args[0] in ("A", "B")

    # What may happen now

    def legal(self) -> tuple[Event, ...]:
        """Every event that would be accepted, but for those that ``Game.legal`` leaves out."""
        if self.phase == "over":
            return ()
        if self.phase == "deal":
            return (_DEAL,)
        if self.hands is self.unknown:
            key = self.calls_key()
            calls = self._calls.get(key)
            if calls is None:
                if len(self._calls) >= _KEPT_CALLS:
                    self._calls.clear()
                calls = self._calls[key] = tuple(self.calls())
        else:
            calls = tuple(self.calls())
        if self.phase != "play" or self.turn is None:
            return (*calls, _ANNUL)
        return (*calls, *self.plays(self.turn), _ANNUL)

    def calls_key(self) -> tuple[Any, ...]:
        """What ``calls()`` depends on while no hand is known: positions with equal keys have equal calls."""
        return self._calls_key(self)

    def plays(self, seat: int) -> Sequence[Event]:
        """The cards that the seat whose turn it is may lay."""
        if self.hands is self.unknown and self.PACK.suits and self.out.bit_count() == self.laid:
            return plays_of_unknown_hand(self.PACK, seat, self.out)
        hand = self.hands[seat - 1]
        tokens: Iterable[str]
        if hand is None:
            tokens = self.PACK.tokens
        else:
            ranks = {self.cards[token].rank for token in hand if token.endswith("?")}
            tokens = [token for token in self.PACK.tokens if token in hand or self.cards[token].rank in ranks]
        return [said("play", seat, token) for token in tokens if not self.is_out(token, seat)]

    # The words of the game

    def _collect_words(
        self,
    ) -> dict[str, tuple[Callable[[Event], Answer], Form, Callable[[Event], bool] | None]]:
        words: dict[str, tuple[Callable[[Event], Answer], Form, Callable[[Event], bool] | None]] = {}
        for verb, form in FORMS.items():
            name = verb.replace("-", "_")
            method = getattr(self, f"on_{name}", None)
            switch = self.SWITCHES.get(verb)
            if method is not None and (switch is None or self.options.get(switch) == "on"):
                words[verb] = (method, self.form_of(verb, form), getattr(self, f"check_{name}", None))
        return words

    def form_of(self, verb: str, form: Form) -> Form:
        """The form of a verb in this game, where it is narrower than in all games together."""
        return form

    def _strengths(self) -> dict[str, int]:
        """C-10: the strength of each card: its row in the ranking, counted from the lowest."""
        return dict(strengths_of(self.PACK, self.ranking()))


_DEAL: Final = said("deal")
_ANNUL: Final = said("annul")
_KEPT_CALLS: Final = 1 << 12


@cache
def _calls_met(
    game: str, seats: int, options: tuple[tuple[str, str], ...]
) -> dict[tuple[Any, ...], tuple[Event, ...]]:
    """The calls of the positions met so far, shared by all tables with the same house rules."""
    return {}


@cache
def strengths_of(pack: Pack, rows: tuple[tuple[str, ...], ...]) -> dict[str, int]:
    """The strength of each card by its row in a ranking, counted from the lowest."""
    strengths: dict[str, int] = {}
    for row, names in enumerate(rows):
        for name in names:
            for token, card in pack.cards().items():
                if name in (token, card.rank):
                    strengths[token] = len(rows) - row
    return strengths


def plays_of_unknown_hand(pack: Pack, seat: int, out: int) -> tuple[Event, ...]:
    """The cards that may still come, suit by suit: each suit is looked up by the bits of its cards.

    Only where every card that is out has a bit of its own.
    """
    width = len(pack.ranks)
    mask = (1 << width) - 1
    known = _suits_met(pack, seat)
    plays: list[Event] = []
    for suit, met in zip(pack.suits, known, strict=True):
        bits = out & mask
        out >>= width
        cards = met.get(bits)
        if cards is None:
            cards = met[bits] = _plays_of_suit(pack, seat, suit, bits)
        plays += cards
    return tuple(plays)


@cache
def _suits_met(pack: Pack, seat: int) -> tuple[dict[int, tuple[Event, ...]], ...]:
    """For each suit the plays by the bits of the cards that are out, as far as met."""
    return tuple({} for _ in pack.suits)


def _plays_of_suit(pack: Pack, seat: int, suit: str, out: int) -> tuple[Event, ...]:
    ranks = [rank for place, rank in enumerate(pack.ranks) if not out >> place & 1]
    return tuple(said("play", seat, rank + suit) for rank in ranks)
