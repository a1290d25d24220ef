"""What can go wrong between a table and the interpreter: one fault at a time, put into perfect observations.

Each fault is a function that takes the observations of perfect eyes and ears, with everything needed to choose a
moment, and gives them back with one thing wrong, and the moment; None where this game has no such moment.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant.holding import Observation
from assistant.weighing import rank_of
from audio.events import Knock, Phrase
from engine import Game
from engine.cards import UNSEEN
from vision.events import CardLaid, CardMoved, CardReread, CardsTaken, HandGone, HandSeen, Quad

LOOKALIKES = ("JQK", ("7", "8", "9", "10"), ("A", "J"))
"""Ranks that real readers confuse: court cards among each other, pip cards with their neighbours."""
BESIDE = 60.0
"""Pixels by which a doubled card or a nudged one lies beside its place."""


@dataclass(frozen=True)
class Perfect:
    """The observations before anything goes wrong.

    Attributes:
        game: at its beginning, for the pack and the seats.
        seen: in the order in which they become known.
        rng: chooses the moment.
    """

    game: Game
    seen: Sequence[Observation]
    rng: random.Random

    def some(self, kind: type, *, after: int = 0) -> Observation | None:
        """One observation of a kind, not among the first ``after``."""
        found = [o for o in self.seen if isinstance(o, kind)][after:]
        return self.rng.choice(found) if found else None

    def card(self) -> CardLaid:
        """One of the cards laid."""
        return self.rng.choice([o for o in self.seen if isinstance(o, CardLaid)])

    def without(self, *gone: Observation) -> list[Observation]:
        return [o for o in self.seen if not any(o is other for other in gone)]

    def instead(self, old: Observation, *new: Observation) -> list[Observation]:
        return [*self.without(old), *new]

    def track(self) -> int:
        """A number that no card has yet."""
        return 1000 + self.rng.randrange(1000)

    def other_seat(self, seat: int | None) -> int:
        return self.rng.choice([s for s in range(1, self.game.seats + 1) if s != seat])

    def like(self, card: str) -> str:
        """Another card that readers take for this one."""
        tokens = self.game.table.PACK.tokens
        row = next((row for row in LOOKALIKES if rank_of(card) in row), ())
        near = [other for other in tokens if rank_of(other) in row and rank_of(other) != rank_of(card)]
        return self.rng.choice(near or [other for other in tokens if rank_of(other) != rank_of(card)])

    def any_card(self) -> str:
        return self.rng.choice(self.game.table.PACK.tokens)

    def hands_at(self, t: float, seat: int | None) -> list[Observation]:
        """What was seen of the hand of ``seat`` about ``t``."""
        return [o for o in self.seen if isinstance(o, HandSeen | HandGone) and o.seat == seat and abs(o.t - t) < 0.9]


Corrupted = tuple[list[Observation], float] | None
Corruption = Callable[[Perfect], Corrupted]


def moved(quad: Quad, dx: float, dy: float) -> Quad:
    a, b, c, d = ((x + dx, y + dy) for x, y in quad)
    return (a, b, c, d)


# -- cards ---------------------------------------------------------------------------------------------------


def nothing_wrong(perfect: Perfect) -> Corrupted:
    return list(perfect.seen), 0.0


def misread_surely(perfect: Perfect) -> Corrupted:
    """Another rank, sure, the right one a poor second guess."""
    card = perfect.card()
    wrong = perfect.like(card.card or "")
    guesses = ((wrong, 0.93), (card.card or "", 0.05))
    return perfect.instead(card, dataclasses.replace(card, card=wrong, confidence=0.93, guesses=guesses)), card.t


def misread_with_doubt(perfect: Perfect) -> Corrupted:
    """Another rank, hardly likelier than the right one, and it stays so."""
    card = perfect.card()
    wrong = perfect.like(card.card or "")
    guesses = ((wrong, 0.5), (card.card or "", 0.42))
    return perfect.instead(card, dataclasses.replace(card, card=wrong, confidence=0.5, guesses=guesses)), card.t


def misread_then_reread(perfect: Perfect) -> Corrupted:
    """Another rank at first, the right one 1.5 s later."""
    card = perfect.card()
    wrong = perfect.like(card.card or "")
    first = dataclasses.replace(card, card=wrong, confidence=0.85, guesses=((wrong, 0.85), (card.card or "", 0.1)))
    better = CardReread(card.t, card.decided + 1.5, card.track, card.card, 0.97, card.guesses)
    return perfect.instead(card, first, better), card.t


def suit_misread(perfect: Perfect) -> Corrupted:
    """The right rank in another suit."""
    card = perfect.card()
    name = card.card or ""
    same = [other for other in perfect.game.table.PACK.tokens if rank_of(other) == rank_of(name) and other != name]
    if not same:
        return None
    wrong = perfect.rng.choice(same)
    guesses = ((wrong, 0.6), (name, 0.35))
    return perfect.instead(card, dataclasses.replace(card, card=wrong, confidence=0.6, guesses=guesses)), card.t


def unread(perfect: Perfect) -> Corrupted:
    """A card is there and stays unread."""
    card = perfect.card()
    return perfect.instead(card, dataclasses.replace(card, card=None, confidence=0.0, guesses=())), card.t


def rank_only(perfect: Perfect) -> Corrupted:
    """Only the rank is read."""
    card = perfect.card()
    name = rank_of(card.card or "") + UNSEEN
    if perfect.game.table.PACK.get(name) is None:
        return None
    return perfect.instead(card, dataclasses.replace(card, card=name, guesses=((name, 0.97),))), card.t


def missed(perfect: Perfect) -> Corrupted:
    """A card that the eyes miss altogether; the hand is seen."""
    card = perfect.card()
    return perfect.without(card), card.t


def missed_with_its_hand(perfect: Perfect) -> Corrupted:
    """A card that the eyes miss altogether, its hand too."""
    card = perfect.card()
    return perfect.without(card, *perfect.hands_at(card.t, card.hand)), card.t


def two_missed(perfect: Perfect) -> Corrupted:
    """Two cards in a row are missed."""
    cards = sorted((o for o in perfect.seen if isinstance(o, CardLaid)), key=lambda o: o.t)
    if len(cards) < 4:
        return None
    first = perfect.rng.randrange(len(cards) - 1)
    return perfect.without(*cards[first : first + 2]), cards[first].t


def seen_late(perfect: Perfect) -> Corrupted:
    """A card is known only two to four seconds after it was laid."""
    card = perfect.card()
    late = dataclasses.replace(card, decided=card.t + perfect.rng.uniform(2.0, 4.0))
    return perfect.instead(card, late), card.t


def two_at_once(perfect: Perfect) -> Corrupted:
    """A card is laid with the one before it, and taken for the earlier of the two."""
    cards = sorted((o for o in perfect.seen if isinstance(o, CardLaid)), key=lambda o: o.t)
    pairs = [(a, b) for a, b in pairwise(cards) if b.t - a.t < 2.5]
    if not pairs:
        return None
    a, b = perfect.rng.choice(pairs)
    early = dataclasses.replace(b, t=a.t - 0.15, decided=a.t + 0.35)
    return perfect.instead(b, early), a.t


def seen_twice(perfect: Perfect) -> Corrupted:
    """One card, two tracks: a twin beside it."""
    card = perfect.card()
    quad = moved(card.quad, perfect.rng.choice([-1, 1]) * BESIDE, 25)
    twin = dataclasses.replace(
        card, t=card.t + 0.3, decided=card.decided + 0.4, track=perfect.track(), quad=quad, hand=None
    )
    return [*perfect.seen, twin], card.t


def lost_and_found(perfect: Perfect) -> Corrupted:
    """A lying card is lost from sight and found again in its place."""
    card = perfect.card()
    gone = CardsTaken(card.t + 0.6, card.t + 0.9, (card.track,))
    again = dataclasses.replace(card, t=card.t + 1.0, decided=card.t + 1.4, track=perfect.track(), hand=None)
    return [*perfect.seen, gone, again], card.t


def nudged(perfect: Perfect) -> Corrupted:
    """A lying card is pushed aside: gone from its place, there in another."""
    card = perfect.card()
    quad = moved(card.quad, BESIDE, 10)
    gone = CardsTaken(card.t + 0.8, card.t + 1.1, (card.track,))
    again = dataclasses.replace(card, t=card.t + 0.9, decided=card.t + 1.3, track=perfect.track(), quad=quad, hand=None)
    return [*perfect.seen, gone, again], card.t


def slid(perfect: Perfect) -> Corrupted:
    """A card slides into another seat's zone, in one piece (``CardMoved``)."""
    card = perfect.card()
    there = CardMoved(card.t + 0.7, card.t + 0.9, card.track, perfect.other_seat(card.zone), card.quad)
    return [*perfect.seen, there], card.t


def ghost(perfect: Perfect) -> Corrupted:
    """A card that is none, somewhere, without a hand."""
    card = perfect.card()
    name = perfect.any_card()
    t = card.t + perfect.rng.uniform(0.3, 1.1)
    quad = moved(card.quad, 150, 120)
    zone = perfect.rng.choice([None, *range(1, perfect.game.seats + 1)])
    return [*perfect.seen, CardLaid(t, t + 0.4, perfect.track(), name, 0.9, zone, quad, None, ((name, 0.9),))], t


def ghost_in_turn(perfect: Perfect) -> Corrupted:
    """A card that is none, before the seat whose turn it is, without a hand."""
    cards = sorted((o for o in perfect.seen if isinstance(o, CardLaid)), key=lambda o: o.t)
    card = perfect.rng.choice(cards)
    t = card.t - 0.75
    name = perfect.any_card()
    return [
        *perfect.seen,
        CardLaid(t, t + 0.4, perfect.track(), name, 0.9, card.zone, moved(card.quad, 90, 40), None, ((name, 0.9),)),
    ], t


# -- places and hands ----------------------------------------------------------------------------------------


def no_zone(perfect: Perfect) -> Corrupted:
    """Thrown to the middle: no zone is clearly nearest."""
    card = perfect.card()
    return perfect.instead(card, dataclasses.replace(card, zone=None)), card.t


def no_hand(perfect: Perfect) -> Corrupted:
    """No hand was followed."""
    card = perfect.card()
    return perfect.instead(card, dataclasses.replace(card, hand=None)), card.t


def neither(perfect: Perfect) -> Corrupted:
    """Neither zone nor hand."""
    card = perfect.card()
    return perfect.instead(card, dataclasses.replace(card, zone=None, hand=None)), card.t


def wrong_zone(perfect: Perfect) -> Corrupted:
    """In another seat's zone."""
    card = perfect.card()
    return perfect.instead(card, dataclasses.replace(card, zone=perfect.other_seat(card.zone))), card.t


def wrong_hand(perfect: Perfect) -> Corrupted:
    """Another seat's hand."""
    card = perfect.card()
    return perfect.instead(card, dataclasses.replace(card, hand=perfect.other_seat(card.hand))), card.t


def wrong_zone_without_hand(perfect: Perfect) -> Corrupted:
    """In another seat's zone, and no hand was followed to the card."""
    card = perfect.card()
    return perfect.instead(card, dataclasses.replace(card, zone=perfect.other_seat(card.zone), hand=None)), card.t


def all_wrong(perfect: Perfect) -> Corrupted:
    """In another seat's zone, by a third one's hand."""
    card = perfect.card()
    zone = perfect.other_seat(card.zone)
    others = [s for s in range(1, perfect.game.seats + 1) if s not in (zone, card.hand)]
    if not others:
        return None
    return perfect.instead(card, dataclasses.replace(card, zone=zone, hand=perfect.rng.choice(others))), card.t


# -- gathering -----------------------------------------------------------------------------------------------


def not_taken(perfect: Perfect) -> Corrupted:
    """The eyes do not notice that the trick was gathered."""
    taken = perfect.some(CardsTaken)
    return None if taken is None else (perfect.without(taken), taken.t)


def taken_late(perfect: Perfect) -> Corrupted:
    """The next lead is laid while the last trick still lies there."""
    taken = perfect.some(CardsTaken)
    if not isinstance(taken, CardsTaken):
        return None
    late = dataclasses.replace(taken, t=taken.t + 2.6, decided=taken.decided + 2.6)
    return perfect.instead(taken, late), taken.t


def thrown_in_open(perfect: Perfect) -> Corrupted:
    """After the round, its last cards not yet gathered, somebody shows what he still held."""
    taken = perfect.some(CardsTaken)
    if not isinstance(taken, CardsTaken):
        return None
    following = min((o.t for o in perfect.seen if isinstance(o, CardLaid) and o.t > taken.t), default=None)
    if following is None or following - taken.t < 3.5:
        return None
    t, seat, name = taken.t + 0.4, perfect.rng.randrange(perfect.game.seats) + 1, perfect.any_card()
    beside = next(o for o in perfect.seen if isinstance(o, CardLaid))
    shown = CardLaid(t, t + 0.4, perfect.track(), name, 0.95, seat, moved(beside.quad, 140, 90), seat, ((name, 0.95),))
    hands: list[Observation] = [HandSeen(t - 0.5, t - 0.4, seat), HandGone(t + 0.4, t + 0.5, seat)]
    return [*perfect.seen, shown, *hands, CardsTaken(t + 1.5, t + 1.8, (shown.track,))], t


# -- knocks --------------------------------------------------------------------------------------------------


def _knock(perfect: Perfect) -> Knock | None:
    found = [o for o in perfect.seen if isinstance(o, Knock) and o.hit == 1]
    return perfect.rng.choice(found) if found else None


def _knocker(perfect: Perfect, knock: Knock) -> int | None:
    return next((o.seat for o in perfect.seen if isinstance(o, HandSeen) and abs(o.t - knock.t + 0.5) < 0.01), None)


def hidden_hand(perfect: Perfect) -> Corrupted:
    """A knock whose hand is not seen."""
    knock = _knock(perfect)
    if knock is None:
        return None
    return perfect.without(*perfect.hands_at(knock.t, _knocker(perfect, knock))), knock.t


def hidden_hand_another_rests(perfect: Perfect) -> Corrupted:
    """A knock whose hand is not seen, while another one has been resting on the table for long."""
    knock = _knock(perfect)
    if knock is None:
        return None
    knocker = _knocker(perfect, knock)
    seat = perfect.other_seat(knocker)
    begin, end = knock.t - 6.0, knock.t + 4.0
    rest: list[Observation] = [HandSeen(begin, begin + 0.1, seat), HandGone(end, end + 0.1, seat)]
    near = [
        o for o in perfect.seen if isinstance(o, HandSeen | HandGone) and o.seat == seat and abs(o.t - knock.t) < 7
    ]
    return [*perfect.without(*near, *perfect.hands_at(knock.t, knocker)), *rest], knock.t


def another_hand_too(perfect: Perfect) -> Corrupted:
    """Another hand comes in over the table shortly before the knock and stays."""
    knock = _knock(perfect)
    if knock is None:
        return None
    seat = perfect.other_seat(_knocker(perfect, knock))
    t = knock.t + perfect.rng.uniform(-0.9, 0.1)
    return [*perfect.seen, HandSeen(t, t + 0.1, seat), HandGone(knock.t + 0.7, knock.t + 0.8, seat)], knock.t


def another_hand_rests(perfect: Perfect) -> Corrupted:
    """Another hand has been resting on the table for long."""
    knock = _knock(perfect)
    if knock is None:
        return None
    seat = perfect.other_seat(_knocker(perfect, knock))
    return [
        *perfect.seen,
        HandSeen(knock.t - 4.0, knock.t - 3.9, seat),
        HandGone(knock.t + 3.0, knock.t + 3.1, seat),
    ], knock.t


def knock_unheard(perfect: Perfect) -> Corrupted:
    """A knock that the ears miss."""
    knock = _knock(perfect)
    if knock is None:
        return None
    return [o for o in perfect.seen if not (isinstance(o, Knock) and o.gesture == knock.gesture)], knock.t


def faint_knock(perfect: Perfect) -> Corrupted:
    """A knock that is not sure by its sound."""
    knock = _knock(perfect)
    if knock is None:
        return None
    seen: list[Observation] = [
        dataclasses.replace(o, confidence=0.5) if isinstance(o, Knock) and o.gesture == knock.gesture else o
        for o in perfect.seen
    ]
    return seen, knock.t


def glass(perfect: Perfect) -> Corrupted:
    """A thud that is no knock and sounds a little like one, with nobody's hand over the table."""
    card = perfect.card()
    t = card.t + 0.85
    return [*perfect.seen, Knock(t, t + 0.05, 0.6, 900, 1)], t


def thump(perfect: Perfect) -> Corrupted:
    """A card slapped on the table sounds like a knock."""
    card = perfect.card()
    return [*perfect.seen, Knock(card.t - 0.05, card.t, 0.93, 900, 1)], card.t


# -- words ---------------------------------------------------------------------------------------------------


def _call(perfect: Perfect) -> Phrase | None:
    found = [o for o in perfect.seen if isinstance(o, Phrase)]
    return perfect.rng.choice(found) if found else None


def unheard(perfect: Perfect) -> Corrupted:
    """A word that the ears miss."""
    call = _call(perfect)
    return None if call is None else (perfect.without(call), call.t)


def half_heard(perfect: Perfect) -> Corrupted:
    """A word heard with little confidence."""
    call = _call(perfect)
    return None if call is None else (perfect.instead(call, dataclasses.replace(call, confidence=0.5)), call.t)


def heard_with_doubt(perfect: Perfect) -> Corrupted:
    """A word that the ears themselves doubt."""
    call = _call(perfect)
    if call is None:
        return None
    return perfect.instead(call, dataclasses.replace(call, confidence=0.6, doubtful=True)), call.t


def unknown_voice(perfect: Perfect) -> Corrupted:
    """A word whose speaker is not known."""
    call = _call(perfect)
    return None if call is None else (perfect.instead(call, dataclasses.replace(call, speaker=None)), call.t)


def word_of_nobody(perfect: Perfect) -> Corrupted:
    """An answer that nobody gave: talk at the table."""
    card = perfect.card()
    t = card.t + 0.8
    verb = perfect.rng.choice(["accept", "fold"])
    return [*perfect.seen, Phrase(t, t + 0.3, verb, (verb,), True, "…", 0.85)], t


def call_of_nobody(perfect: Perfect) -> Corrupted:
    """A trut (or another opening word) heard with middling confidence that nobody made."""
    card = perfect.card()
    t = card.t + 0.8
    verb = "raise" if perfect.game.header.game == "truc" else "truc" if perfect.game.seats == 6 else "trut"
    return [*perfect.seen, Phrase(t, t + 0.3, verb, (verb,), False, "…", 0.6)], t


CORRUPTIONS: dict[str, Corruption] = {
    "nothing": nothing_wrong,
    "misread-surely": misread_surely,
    "misread-doubt": misread_with_doubt,
    "misread-reread": misread_then_reread,
    "suit-misread": suit_misread,
    "rank-only": rank_only,
    "unread": unread,
    "missed": missed,
    "missed-with-hand": missed_with_its_hand,
    "two-missed": two_missed,
    "seen-late": seen_late,
    "two-at-once": two_at_once,
    "seen-twice": seen_twice,
    "lost-and-found": lost_and_found,
    "nudged": nudged,
    "slid": slid,
    "ghost": ghost,
    "ghost-in-turn": ghost_in_turn,
    "no-zone": no_zone,
    "no-hand": no_hand,
    "neither": neither,
    "wrong-zone": wrong_zone,
    "wrong-hand": wrong_hand,
    "wrong-zone-no-hand": wrong_zone_without_hand,
    "all-wrong": all_wrong,
    "not-taken": not_taken,
    "taken-late": taken_late,
    "thrown-in": thrown_in_open,
    "hidden-hand": hidden_hand,
    "hidden-other-rests": hidden_hand_another_rests,
    "another-hand": another_hand_too,
    "other-rests": another_hand_rests,
    "knock-unheard": knock_unheard,
    "faint-knock": faint_knock,
    "glass": glass,
    "thump": thump,
    "unheard": unheard,
    "half-heard": half_heard,
    "heard-doubtful": heard_with_doubt,
    "unknown-voice": unknown_voice,
    "answer-of-nobody": word_of_nobody,
    "call-of-nobody": call_of_nobody,
}
"""All faults by the name under which ``doubt`` prints them."""
