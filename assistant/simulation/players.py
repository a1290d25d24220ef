"""Simulated players: plausible people who keep the rules. They hold cards, and decide what somebody does next.

They play by the rules engine's own list of what is allowed (``Game.legal``) and by the strength of their cards; what
they announce is true of their hands. They know neither camera nor clock: ``plan`` gives their game a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, cast

import numpy as np

from engine import Event, Game, team_of

if TYPE_CHECKING:
    from engine.rulesets.truc_y_flou import TrucYFlou

FAMILY = ("trut", "trut-gatine", "trut-robin-red")
NORMAL_ORDER = ("7", "8", "9", "10", "J", "Q", "K", "A")
"""Ranks from which a tierce is made (G-21)."""
LUCKY = 0.15
"""Share of the deals in which one hand is worth announcing: a brelan, a tierce, a flor."""


@dataclass(frozen=True, slots=True)
class Temper:
    """How talkative a table is.

    Attributes:
        calls: share of the rounds with a trut; in the point games how eagerly players raise.
        spoken: share of the truts that are said, not knocked; a spoken one is of the seat whose turn it is.
    """

    calls: float = 0.6
    spoken: float = 0.45


@dataclass(frozen=True, slots=True)
class Move:
    """What somebody does next: an event, and whether a fist says it."""

    event: Event
    knocked: bool = False
    moment: str = ""
    """The word of ``sayings.MOMENTS`` with which it is said, if it belongs to one."""


@dataclass(slots=True)
class Players:
    """The hands of one round and who decides.

    Args:
        rng: their whims.
        game: the game; they read it and never change it.
        temper: how they are.
    """

    rng: np.random.Generator
    game: Game
    temper: Temper
    hands: dict[int, list[str]] = field(default_factory=dict)
    dealt: dict[int, tuple[str, ...]] = field(default_factory=dict)
    out: list[str] = field(default_factory=list)
    _moment: int = -1
    _laid: int = 0

    # -- cards -----------------------------------------------------------------------------------------------

    def take_cards(self) -> None:
        """A new round is dealt."""
        self.out = []
        self._deal(3)
        # after which card of the round somebody truts (0: before the first); never in most of the other rounds
        most = 2 * self.game.seats + 1
        self._moment = int(self.rng.integers(0, most)) if self.rng.random() < self.temper.calls else -1
        self._laid = 0

    def take_new_cards(self) -> None:
        """The same talon gives everybody three other cards (G-50, L-30)."""
        self._deal(3)

    def _deal(self, count: int) -> None:
        pack = self.game.table.PACK
        cards = list(pack.tokens) * pack.copies
        for card in self.out:
            cards.remove(card)
        left = [cards[i] for i in self.rng.permutation(len(cards))]
        if count == 3 and self.rng.random() < LUCKY:
            left = self._stacked(left)
        seats = range(1, self.game.seats + 1)
        self.hands = {seat: left[count * (seat - 1) : count * seat] for seat in seats}
        self.dealt = {seat: tuple(hand) for seat, hand in self.hands.items()}
        self.out += [card for hand in self.hands.values() for card in hand]

    def _stacked(self, cards: list[str]) -> list[str]:
        """The same cards in an order that gives one seat three that belong together."""
        seat = int(self.rng.integers(self.game.seats))
        triples = combinations(cards[:22], 3)
        three = next((triple for triple in triples if self._announces(triple)), None)
        if three is None:
            return cards
        rest = [card for card in cards if card not in three]
        return [*rest[: 3 * seat], *three, *rest[3 * seat :]]

    def _announces(self, hand: Sequence[str]) -> bool:
        """Whether three cards are worth an announcement in this game."""
        match self.game.header.game:
            case "trut":
                return _is_brelan(hand)
            case "trut-gatine":
                return _is_brelan(hand) or _is_tierce(hand)
            case "truc-y-flou":
                return self._rules().flor_of(tuple(hand)) is not None
        return False

    def _rules(self) -> TrucYFlou:
        return cast("TrucYFlou", self.game.table)

    def _power(self, seat: int) -> float:
        """How strong a seat's cards are, 0 to 1: what is left of its hand, the best card counting most."""
        strengths = sorted((self.game.strength(card) for card in self.hands[seat]), reverse=True)
        if not strengths:
            return 0.5
        best = max(self.game.strength(card) for card in self.game.table.PACK.tokens)
        weights = (0.5, 0.3, 0.2)[: len(strengths)]
        return sum(w * s / best for w, s in zip(weights, strengths, strict=True)) / sum(weights)

    # -- decisions -------------------------------------------------------------------------------------------

    def decide(self) -> Move:
        """What happens next. The caller applies it; cards are then no longer in the hand."""
        game = self.game
        match game.phase:
            case "deal":
                return Move(Event("deal"))
            case "redeal":
                return Move(Event("redeal"))
            case "discard":
                return Move(self._discard())
            case "fortial":
                return self._yes_or_no("trut", "pass", 0.2)
            case "hold":
                return self._yes_or_no("hold", "refuse", 0.35)
            case "sing":
                return self._yes_or_no("sing", "silent", 0.5)
            case "count":
                return self._count()
            case "answer":
                return self._answer()
        turn = game.turn
        assert turn is not None
        return self._call(turn) or Move(self._play(turn))

    def _yes_or_no(self, yes: str, no: str, courage: float) -> Move:
        seat = self.game.awaiting[0]
        return Move(Event(yes if self.rng.random() < courage + 0.6 * self._power(seat) else no, seat))

    def _discard(self) -> Event:
        """After a song everybody has six cards and keeps the best three (G-47)."""
        seat = self.game.awaiting[0]
        if len(self.hands[seat]) == 3:
            self._sung()
        kept = sorted(self.hands[seat], key=self.game.strength, reverse=True)[:3]
        self.out = [card for card in self.out if card not in self.hands[seat] or card in kept]
        self.hands[seat] = kept
        self.dealt[seat] = tuple(kept)
        return Event("discard", seat)

    def _sung(self) -> None:
        held = self.hands
        self._deal(3)
        self.hands = {seat: held[seat] + new for seat, new in self.hands.items()}

    def _count(self) -> Move:
        """The first that may speak tells the best total of his team (F-28, F-43)."""
        seat = self.game.awaiting[0]
        rules = self._rules()
        kind = rules.count[0] if rules.count is not None else "embit"
        team = [s for s in self.hands if team_of(s) == team_of(seat)]
        if kind == "flor":
            totals = [rules.flor_of(self.dealt[s]) for s in team if s in rules.flors or s == seat]
        else:
            totals = [rules.embit_of(self.dealt[s]) for s in team]
        return Move(Event("declare", seat, (str(max((t for t in totals if t is not None), default=0)),)))

    def _answer(self) -> Move:
        """Whoever is first in the order of play answers for himself or his team."""
        game = self.game
        seat = game.awaiting[0]
        may = [e for e in game.legal() if e.seat == seat and e.verb not in ("annul", "hand")]
        verbs = {e.verb: e for e in may}
        power = self._power(seat)
        if game.header.game == "truc" and game.log[-1].verb == "redeal":
            agrees = self.rng.random() < 0.5
            return Move(verbs["accept"]) if agrees else Move(verbs["refuse"], moment="refuse redeal")
        if "better" in verbs or ("rest" in verbs and "silent" in verbs):  # about flors
            return self._answer_flor(verbs)
        if "declare" in verbs:
            return self._count() if self.rng.random() < 0.7 or "silent" not in verbs else Move(verbs["silent"])
        higher = next((verbs[v] for v in ("retruc", "balou") if v in verbs), None)
        if higher is not None and self.rng.random() < 0.2 * power * self.temper.calls * 2:
            return Move(higher)
        brave = self.rng.random() < 0.25 + 0.6 * power
        yes = next((v for v in ("accept", "sing", "rest") if v in verbs), None)
        no = next((v for v in ("refuse", "fold", "silent") if v in verbs), None)
        choice = yes if (brave and yes) or no is None else no
        assert choice is not None, (game.phase, sorted(verbs))
        return Move(verbs[choice])

    def _answer_flor(self, verbs: dict[str, Event]) -> Move:
        """F-45 to F-47: a better flor is sung or raised, seldom passed over."""
        choice = str(self.rng.choice([v for v in ("sing", "rest", "refuse", "better", "accept") if v in verbs]))
        return Move(verbs[choice], moment="sing better" if choice == "sing" else "")

    # -- while cards are laid --------------------------------------------------------------------------------

    def _call(self, turn: int) -> Move | None:
        """A call before the next card, if anybody makes one."""
        if self.game.header.game in FAMILY:
            return self._trut(turn) if self._laid == self._moment else None
        mine = [e for e in self.game.legal() if e.seat == turn and e.verb not in ("play", "annul", "hand")]
        return self._raise(mine) if self.game.header.game == "truc" else self._truc_y_flou(turn, mine)

    def _trut(self, turn: int) -> Move | None:
        """Somebody truts: the seat whose turn it is says so, or anybody knocks."""
        self._moment = -1
        legal = {(e.verb, e.seat) for e in self.game.legal()}
        spoken = self._announcement(turn)
        if spoken is not None and (spoken, turn) in legal:
            return Move(Event(spoken, turn))
        may = [seat for seat, hand in self.hands.items() if hand and ("trut", seat) in legal]
        if not may:
            return None
        if self.rng.random() < self.temper.spoken and turn in may:
            petits = ("deux-petits", turn) in legal and self.rng.random() < 0.2
            return Move(Event("deux-petits" if petits else "trut", turn))
        strongest = max(may, key=self._power)
        return Move(Event("trut", turn if turn in may and self.rng.random() < 0.5 else strongest), knocked=True)

    def _announcement(self, seat: int) -> str | None:
        """The word that a hand of three cards deserves (T-29, G-21)."""
        hand = self.hands[seat]
        if len(hand) == 3 and _is_brelan(hand):
            return "brelan"
        return "tierce" if len(hand) == 3 and _is_tierce(hand) else None

    def _raise(self, mine: list[Event]) -> Move | None:
        """Le Truc: two more, the rest, other cards, or the hand thrown in (L-20 to L-31)."""
        turn = self.game.turn
        assert turn is not None
        power = self._power(turn)
        chances: dict[str, Callable[[], float]] = {
            "redeal": lambda: 0.25 * (1 - power),
            "raise": lambda: 0.3 * power * 2 * self.temper.calls,
            "rest": lambda: 0.02 + 0.05 * power * self.temper.calls,
            "fold": lambda: 0.03 * (1 - power),
        }
        return self._drawn(mine, chances)

    def _truc_y_flou(self, turn: int, mine: list[Event]) -> Move | None:
        """One's occasion to declare, and truc at any time (F-20 to F-66)."""
        rules = self._rules()
        hand = self.dealt[turn]
        embit, flor = rules.embit_of(hand) or 0, rules.flor_of(hand)
        eager = 2 * self.temper.calls
        chances: dict[str, Callable[[], float]] = {
            "better": lambda: 0.3 if flor is not None else 0.04,
            "flor": lambda: 0.9 if flor is not None else 0.0,
            "sing": lambda: 0.35 if embit >= 25 else 0.05,
            "raise": lambda: 0.25 if embit >= 27 else 0.02,
            "embit": lambda: eager * (0.3 if embit >= 25 else 0.03),
            "falta": lambda: eager * (0.04 if embit >= 30 else 0.002),
            "trucrest": lambda: eager * (0.06 if embit >= 31 else 0.0),
            "truc": lambda: eager * 0.05 * self._power(turn),
        }
        move = self._drawn(mine, chances)
        if move is not None and move.event.verb == "flor" and any(team_of(s) != team_of(turn) for s in rules.flors):
            return Move(move.event, moment="flor again")
        return move

    def _drawn(self, mine: list[Event], chances: dict[str, Callable[[], float]]) -> Move | None:
        """The first of the calls for which the dice fall; among its forms (``raise 1``, ``raise 10``) any."""
        for verb, chance in chances.items():
            forms = [e for e in mine if e.verb == verb]
            if forms and self.rng.random() < chance():
                return Move(forms[int(self.rng.integers(len(forms)))])
        return None

    def _play(self, turn: int) -> Event:
        """Mostly the cheapest card that beats the table, else the lowest; sometimes whatever comes to hand."""
        hand = self.hands[turn]
        table = [card for _seat, card in self.game.trick]
        ranked = sorted(hand, key=self.game.strength)
        if not table or self.rng.random() < 0.35:
            card = hand[int(self.rng.integers(len(hand)))]
        else:
            best = max(map(self.game.strength, table))
            card = next((c for c in ranked if self.game.strength(c) >= best), ranked[0])
        hand.remove(card)
        self._laid += 1
        return Event("play", turn, (card,))


def _is_brelan(hand: Sequence[str]) -> bool:
    return len({card[:-1] for card in hand}) == 1


def _is_tierce(hand: Sequence[str]) -> bool:
    places = sorted(NORMAL_ORDER.index(card[:-1]) for card in hand if card[:-1] in NORMAL_ORDER)
    return len(places) == 3 and places == [places[0], places[0] + 1, places[0] + 2]
