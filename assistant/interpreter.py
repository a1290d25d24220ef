"""The interpreter: the one place where pictures, sounds and rules meet (DESIGN.md).

Observations go in with their times, actions, questions and notices come out (``assistant.acts``). It has no
device and no clock of its own: the session tells it how far eyes and ears have come. The same observations
give the same acts.

    eyes, ears ──observe()──► HoldingQueue ──in order of t──► card │ knock │ phrase ──► Game.apply ──► acts

What was understood is kept as entries, one an observation. When something earlier becomes known only now, or
a card is read otherwise, the entries from there on are taken back (``undo N``) and offered again (NOTATION.md
section 9).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from assistant.acts import Act, Action, Notice, Outcome, Question
from assistant.hands import NEAR, Hands
from assistant.holding import HOLD, HoldingQueue, Observation
from assistant.tabletop import TableCard, Tabletop
from assistant.weighing import (
    LIKELY_RANK,
    SURE_RANK,
    Layer,
    Reading,
    has_suits,
    rank_of,
    weigh_card,
    who_laid,
)
from audio.events import Knock, Phrase
from engine import Accepted, Event, Game, Refusal, RoundEnded
from vision.events import (
    CameraBack,
    CameraLost,
    CardLaid,
    CardMoved,
    CardReread,
    CardsTaken,
    HandGone,
    HandSeen,
)

RECORDED = {
    "camera": frozenset(
        {"out-of-turn", "duplicate-card", "unknown-card", "not-in-hand", "challenge-pending", "false-claim"}
    ),
    "microphone": frozenset({"false-claim", "too-late", "flor-in-force"}),
}
"""Infractions that are announced and recorded, by where they come from (NOTATION.md section 9); all others
are dropped."""

COMMANDS = frozenset({"undo", "score", "turn", "annul", "repeat"})
"""Words to the assistant that it follows; others are ignored."""
SURE_WORD = {"undo": 0.9, "annul": 0.9, "brelan": 0.9, "tierce": 0.9, "deux-petits": 0.9}
"""Confidence that a word needs which is said seldom and changes much: in a noisy room most of those heard
were not said."""
LATE_ANSWERS = frozenset({"accept", "fold"})
"""Words that never open a round: after a settled one they are late answers."""
MISSED_SILENTLY = frozenset(
    {"declare-pending", "discard-pending", "redeal-due", "challenge-pending", "out-of-turn"}
)
"""Refusals after which a card that stays on the table is offered again when its turn has come."""

OUT_OF_TURN = 0.01
"""Odds that a player leads out of turn, against those of a card misread."""
SECOND_THOUGHT = 0.6
"""Chance of a misread card from which it is corrected because of who leads."""
DEALING = 4.8
"""Seconds from the last card of a round that a deal takes at least."""
THUMP = 0.35
"""Seconds between a card's landing and the thump that it makes."""
SURE_KNOCK = 0.9
"""Confidence of a knock that counts by itself."""
LIKELY_KNOCK = 0.3
"""Confidence of a knock that counts if a hand was over the table that neither laid nor took a card."""
SECOND_HEARING = 1.2
"""Seconds after a word heard with doubt within which one heard better takes its place."""
SPOTTING = 0.45
"""Seconds that the ears take to know a word after its end."""
BREATH = 0.8
"""Seconds after the end of a word within which no other word can have been begun and ended."""
SURE_ANSWER = 0.8
"""Confidence of an answer that is believed although no call was heard, if a hand may have knocked."""
ANSWERED = 5.0
"""Seconds within which a knock is answered."""
BUSY = 1.0
"""Seconds round a knock within which a hand that lays or takes a card explains the sound."""
PATIENCE = 1.2
"""Seconds after a doubtful knock until which the eyes are waited for to tell what the hand was doing; twice
that if it stays."""
AFTERWARDS = 0.8
"""Seconds after a hand has gone until the card is read that it may have laid."""
SECOND_LOOK = 1.0
"""Seconds that a card read badly is given to be read better."""
LEFT_LYING = 1.0
"""Seconds after its turn came during which a card laid too early may still be taken back."""
SWEPT = 2.5
"""Seconds after which cards swept away under an open challenge mean that everybody folded."""
FRESH_ROUND = 3.0
"""Seconds after the end of a round before which its own cards, still lying, make every new card one that is
only shown."""
REMEMBERED = 240
"""Entries kept for corrections: several rounds."""


@dataclass(frozen=True, slots=True)
class _Ruled:
    """Events that follow from the rules and from what did *not* happen: offered like an observation."""

    t: float
    decided: float
    events: tuple[Event, ...]


_Offered = CardLaid | Knock | Phrase | _Ruled


@dataclass(slots=True)
class _Entry:
    """One observation and what became of it."""

    seen: _Offered
    events: list[Event] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    refused: str | None = None
    seat: int | None = None
    p: float = 0.0
    withdrawn: bool = False


@dataclass(slots=True)
class _Unread:
    """A card that is not read well enough yet."""

    laid: CardLaid
    until: float


class Interpreter:
    """See the module.

    Args:
        game: the game at its beginning (or taken up again); the interpreter alone applies events to it.
        live: ask the players where several readings are left; from files take the first in the order of play
            and mark it ``by=rules`` (CLI.md).
        hold: seconds that an observation is held back at most to learn the order of events.
    """

    def __init__(self, game: Game, *, live: bool = False, hold: float = HOLD) -> None:
        self.game = game
        self._live = live
        self._queue = HoldingQueue(hold)
        self._hold = hold
        self._hands = Hands()
        self._eyes_work = True
        self._entries: list[_Entry] = []
        self._table = Tabletop()
        self._unread: _Unread | None = None
        self._turn_since = -math.inf
        self._settled_at = -math.inf
        self._swept_at: float | None = None
        self._clock = 0.0
        self._doubtful: list[Knock] = []
        self._half_heard: list[Phrase] = []
        self._heard_at = -math.inf
        self._counted: dict[int, bool] = {}
        self._takings: list[float] = []
        self._opening_t: float | None = None

    # -- in --------------------------------------------------------------------------------------------------

    def observe(self, observations: Iterable[Observation]) -> None:
        """What eyes and ears report, in any order."""
        self._queue.put(observations)

    def advance(self, clock: float, settled: float | None = None) -> list[Act]:
        """Draw the conclusions that can be drawn now.

        Args:
            clock: seconds up to which both eyes and ears have worked.
            settled: seconds up to which they have reported everything, where they know it.
        """
        self._clock = clock
        known = clock - self._hold if settled is None else min(settled, clock)
        acts: list[Act] = []
        while True:
            acts += self._second_look(clock)
            if self._unread is not None and not self._may_pass_unread():
                break
            due = self._queue.due(clock, known)
            if due is None:
                break
            acts += self._release(*due)
        acts += self._doubtful_knocks(clock)
        acts += self._half_heard_words(clock)
        acts += self._offer_again(clock)
        acts += self._swept_away(clock)
        return acts

    def finish(self, clock: float) -> list[Act]:
        """The media have ended: draw all conclusions that are left."""
        return [*self.advance(clock), *self.advance(clock + 60.0, clock)]

    # -- what may be said now --------------------------------------------------------------------------------

    def expected(self) -> frozenset[str]:
        """The verbs that somebody may say now, for the ears; commands always belong to them.

        What is still held back may change what may be said, so answers count as soon as a call is in the
        queue.
        """
        with self._dealt():
            events = self.game.legal()
        verbs = {event.verb for event in events} - {"play", "deal", "cut", "hand", "discard"}
        if (
            self._doubtful
            or any(isinstance(o, Knock | Phrase) for o in self._queue)
            or (self.game.phase in ("play", "deal") and self._idle_visits(self._clock))
        ):
            verbs |= {"accept", "fold", "refuse", "hold"}
        return frozenset(verbs | COMMANDS)

    # -- order -----------------------------------------------------------------------------------------------

    def _release(self, seen: Observation, decided: float) -> list[Act]:
        match seen:
            case HandSeen() | HandGone():
                self._hands.accept(seen)
            case CameraLost():
                self._eyes_work = False
                return [Notice(seen.t, decided, "camera-lost", {"reason": seen.reason})]
            case CameraBack():
                self._eyes_work = True
                return [Notice(seen.t, decided, "camera-back")]
            case CardMoved():
                self._table.move(seen)
            case CardsTaken():
                self._take(seen)
            case CardReread():
                return self._reread(seen, decided)
            case Knock():
                return self._hit(seen, decided)
            case Phrase(confidence=confidence) if confidence < SURE_ANSWER:
                self._half_heard.append(seen)
            case CardLaid() | Phrase():
                self._heard_at = seen.t if isinstance(seen, Phrase) else self._heard_at
                return self._in_order(seen, decided)
        return []

    def _in_order(self, seen: _Offered, decided: float) -> list[Act]:
        """Handle what was seen, or, if later things have already been settled, take those back first."""
        later = [
            i for i, e in enumerate(self._entries) if e.seen.t > seen.t + 0.01 and (e.events or e.refused)
        ]
        if isinstance(seen, CardLaid):
            thump = self._thump_of(seen)
            if thump is not None:
                items = [e.seen for e in self._entries[thump + 1 :] if not e.withdrawn]
                return self._replay(thump, [seen, *items], decided)
        if not later:
            return self._handle(seen, decided)
        index = later[0]
        items = [e.seen for e in self._entries[index:] if not e.withdrawn]
        return self._replay(index, [seen, *items], decided)

    def _replay(self, index: int, items: Sequence[_Offered], decided: float) -> list[Act]:
        """Take back the entries from ``index`` on and offer ``items`` in their place."""
        old = self._entries[index:]
        del self._entries[index:]
        count = sum(len(e.events) for e in old)
        for entry in old:
            if isinstance(entry.seen, CardLaid) and (card := self._table.get(entry.seen.track)) is not None:
                card.played = card.waits = False
        acts: list[Act] = []
        if count:
            event = Event("undo") if count == 1 else Event("undo", args=(str(count),))
            acts += self._apply(event, items[0].t if items else decided, decided, "camera", None, None)
        before = {id(e.seen): (e.outcomes, e.refused) for e in old}
        for item in items:
            for act in self._handle(item, decided, again=True):
                latest = self._entries[-1] if self._entries else None
                same = latest is not None and before.get(id(item)) == (latest.outcomes, latest.refused)
                acts.append(dataclasses.replace(act, quiet=same) if isinstance(act, Action) else act)
        return acts

    def _handle(self, seen: _Offered, decided: float, *, again: bool = False) -> list[Act]:
        match seen:
            case CardLaid():
                acts = self._card(seen, decided, again=again)
            case Knock():
                acts = self._knock(seen, decided)
            case Phrase():
                acts = self._phrase(seen, decided)
            case _Ruled():
                entry = self._enter(seen)
                acts = []
                for event in seen.events:
                    acts += self._apply(event, seen.t, decided, "rules", None, entry)
        if len(self._entries) > REMEMBERED:
            del self._entries[: len(self._entries) - REMEMBERED]
        return acts

    # -- cards -----------------------------------------------------------------------------------------------

    def _card(
        self, laid: CardLaid, decided: float, *, again: bool = False, patient: bool = True
    ) -> list[Act]:
        """A card was laid."""
        if laid.t <= 0:  # it lay there before the first picture
            self._table.lay(laid)
            return []
        unlikely = self._turn() not in (laid.zone, laid.hand)
        ghost = None if again else self._table.same_as(laid, self._out(), unlikely=unlikely)
        if ghost is not None:
            self._table.found_again(laid, ghost)
            if laid.card is not None and ghost.played:
                seen = CardReread(laid.t, decided, ghost.laid.track, laid.card, laid.confidence, laid.guesses)
                return self._reread(seen, decided)
            return []
        lying = self._table.lay(laid)
        if self.game.phase == "over" or (not again and self._only_shown(laid)):
            return []
        reading = self._read(laid)
        if patient and not again and (reading.card is None or reading.p < SURE_RANK):
            self._unread = _Unread(laid, laid.decided + SECOND_LOOK)
            return []
        return self._play(lying, reading, decided, again=again)

    def _play(self, lying: TableCard, reading: Reading, decided: float, *, again: bool = False) -> list[Act]:
        """Offer a card to the rules: who laid it, which one it is, what it implies."""
        laid = lying.laid
        entry = self._enter(laid)
        acts: list[Act] = []
        if reading.card is None:
            acts.append(Question(laid.t, decided, "which-card", {"seat": self._layer(laid).seat}))
            lying.waits = True
            return acts
        layer = self._layer(laid)
        if layer.seat is None:
            return acts
        if not again and (thought := self._second_thought(Event("play", layer.seat, (reading.card,)), laid)):
            del self._entries[self._entries.index(entry) :]
            return self._correct(*thought, decided, then=laid)
        for event in self._implied():
            acts += self._apply(event, laid.t, decided, "rules", None, entry)
        entry.seat, entry.p = layer.seat, reading.p
        acts += self._apply(
            Event("play", layer.seat, (reading.card,)),
            laid.t,
            decided,
            "camera",
            min(laid.confidence, reading.p),
            entry,
        )
        if entry.refused is None:
            lying.played, lying.waits = True, False
            if reading.twin is not None:
                acts.append(Question(laid.t, decided, "twice", {"card": reading.twin, "seat": layer.seat}))
            elif reading.p < LIKELY_RANK:
                acts.append(
                    Question(laid.t, decided, "which-card", {"seat": layer.seat, "card": reading.card})
                )
            elif not layer.clear:
                acts.append(
                    Question(laid.t, decided, "whose-card", {"seat": layer.seat, "card": reading.card})
                )
        else:
            lying.waits = entry.refused in MISSED_SILENTLY
            acts += self._unheard_answer(decided)
        return acts

    def _layer(self, laid: CardLaid) -> Layer:
        return who_laid(self._turn(), laid.zone, laid.hand)

    def _read(self, laid: CardLaid) -> Reading:
        return weigh_card(laid.card, laid.confidence, laid.guesses, self._possible())

    def _possible(self) -> Callable[[str], bool]:
        """Whether a card can be laid now: it is in the pack and not yet out in this round."""
        pack, out = self.game.table.PACK, self._out()

        def possible(card: str) -> bool:
            if pack.get(card) is None:
                return False
            if not has_suits(card):
                return out.count(card) < pack.copies
            rank = rank_of(card)
            if card.endswith("?"):
                return sum(rank_of(c) == rank for c in out) < len(pack.suits)
            return card not in out

        return possible

    def _out(self) -> list[str]:
        """The cards laid since the last deal."""
        out: list[str] = []
        if self.game.phase == "deal":
            return out
        for entry in reversed(self._entries):
            for event in reversed(entry.events):
                if event.verb == "deal":
                    return out
                if event.verb == "play":
                    out.append(event.args[0])
        return out

    def _only_shown(self, laid: CardLaid) -> bool:
        """A card turned up between rounds, beside those of the round that is settled, opens no new round."""
        if self.game.phase != "deal":
            return False
        if not any(card.played for card in self._table):
            return False
        leader = self._turn()
        return laid.t - self._settled_at < FRESH_ROUND or leader not in (laid.zone, laid.hand)

    def _turn(self) -> int | None:
        """The seat that lays the next card; between rounds the one that will lead the next round."""
        implied = (Event("redeal"),) if self.game.phase == "redeal" else ()
        with self._dealt(), self._supposing(*implied):
            return self.game.turn

    def _implied(self) -> list[Event]:
        """The unseen events that a card on the table proves: its deal, and words that were said but not
        heard."""
        implied: list[Event] = []
        while True:
            with self._supposing(*implied):
                phase, awaiting = self.game.phase, self.game.awaiting
            seat = awaiting[0] if awaiting else None
            match phase:
                case "deal":
                    event = Event("deal")
                case "redeal":
                    event = Event("redeal")
                case "discard":
                    event = Event("discard", seat)
                case "hold":
                    event = Event("hold", seat)
                case "sing":
                    event = Event("silent", seat)
                case _:
                    return implied
            with self._supposing(*implied, event) as refusal:
                if refusal is not None:
                    return implied
            implied.append(event)

    # -- cards that change -----------------------------------------------------------------------------------

    def _second_look(self, clock: float) -> list[Act]:
        """A badly read card has had its time, or the game goes on: take it for what it looks like, or ask."""
        if self._unread is None:
            return []
        laid = self._unread.laid
        follows = any(
            isinstance(o, CardLaid) and o.t > laid.t and clock >= max(o.decided, o.t + self._hold)
            for o in self._queue
        )
        if clock < self._unread.until and not follows:
            return []
        decided = min(clock, max(self._unread.until, laid.decided))
        self._unread = None
        lying = self._table.get(laid.track)
        if lying is None or lying.played:
            return []
        return self._play(lying, self._read(lying.laid), decided)

    def _may_pass_unread(self) -> bool:
        """While a card is looked at again only news about it may overtake it."""
        head = min(self._queue, key=lambda o: o.t, default=None)
        assert self._unread is not None
        return isinstance(head, CardReread | HandSeen | HandGone | CardMoved) or (
            isinstance(head, CardsTaken) and self._unread.laid.track not in head.tracks
        )

    def _reread(self, seen: CardReread, decided: float) -> list[Act]:
        """A card is read otherwise than before."""
        lying = self._table.get(seen.track)
        if lying is None or seen.card is None:
            return []
        better = dataclasses.replace(
            lying.laid, card=seen.card, confidence=seen.confidence, guesses=seen.guesses
        )
        if self._unread is not None and self._unread.laid.track == lying.laid.track:
            lying.laid = better
            reading = self._read(better)
            if reading.card is not None and reading.p >= SURE_RANK:
                self._unread = None
                return self._play(lying, reading, decided)
            self._unread.laid = better
            return []
        index = next((i for i, e in enumerate(self._entries) if e.seen is lying.laid), None)
        if index is None:
            return []
        entry = self._entries[index]
        if entry.withdrawn:
            return []
        now = next((e.args[0] for e in entry.events if e.verb == "play"), None)
        same = now is not None and rank_of(now) == rank_of(seen.card)
        if same or seen.confidence < max(SURE_RANK, entry.p):
            return []
        if now is not None:
            return self._correct(index, better, decided)
        lying.laid = better
        items: list[_Offered] = [better, *(e.seen for e in self._entries[index + 1 :] if not e.withdrawn)]
        return self._replay(index, items, decided)

    def _correct(
        self, index: int, better: CardLaid, decided: float, *, then: CardLaid | None = None
    ) -> list[Act]:
        """Take back a card that was misread, play it as what it is, offer all that followed again, and
        ``then``."""
        entry = self._entries[index]
        lying = self._table.get(better.track)
        if lying is not None:
            lying.laid = better
        items: list[_Offered] = [better, *(e.seen for e in self._entries[index + 1 :] if not e.withdrawn)]
        if then is not None:
            items.append(then)
        notice = Notice(better.t, decided, "corrected", {"seat": entry.seat, "card": self._read_as(better)})
        return [notice, *self._replay(index, items, decided)]

    @staticmethod
    def _read_as(laid: CardLaid) -> str | None:
        return laid.card or (laid.guesses[0][0] if laid.guesses else None)

    def _second_thought(self, play: Event, laid: CardLaid) -> tuple[int, CardLaid] | None:
        """The earlier card that was misread, if the one who leads now could only lead if it was.

        Who leads tells who won the trick before. If the seat that leads is not the one expected, either it is
        out of turn, or one card was misread; the eyes' second guesses say which, and how likely (Bayes'
        rule).
        """
        if self.game.trick or self.game.phase not in ("play", "deal"):
            return None
        with self._supposing(*self._implied(), play) as refusal:
            if refusal is None or refusal.code != "out-of-turn":
                return None
        fits: list[tuple[float, int, CardLaid]] = []
        for index in range(len(self._entries) - 1, -1, -1):
            entry = self._entries[index]
            deal = any(event.verb == "deal" for event in entry.events)
            seen = entry.seen
            if isinstance(seen, CardLaid) and entry.events and not entry.withdrawn and entry.seat is not None:
                (now,) = (event.args[0] for event in entry.events if event.verb == "play")
                chances = dict(seen.guesses)
                believed = max(entry.p, 1e-3)
                for name, p in chances.items():
                    if rank_of(name) != rank_of(now) and self._would_lead(index, name, play, laid.t):
                        fits.append((p / believed, index, dataclasses.replace(seen, card=name)))
            if deal and self.game.phase == "play":
                break
            if deal and index < self._entries_of_last_round():
                break
        total = sum(odds for odds, _, _ in fits) + OUT_OF_TURN
        best = max(fits, key=lambda fit: fit[0], default=None)
        if best is None or best[0] / total < SECOND_THOUGHT:
            return None
        odds, index, seen = best
        name = seen.card or ""
        return index, dataclasses.replace(seen, confidence=odds / total, guesses=((name, odds / total),))

    def _entries_of_last_round(self) -> int:
        """Index of the entry that began the last round."""
        deals = [i for i, e in enumerate(self._entries) if any(event.verb == "deal" for event in e.events)]
        return deals[-1] if deals else 0

    def _would_lead(self, index: int, card: str, play: Event, t: float) -> bool:
        """Whether all that happened fits, and ``play`` is a lead in turn, if the card of entry ``index`` were
        ``card``."""
        originals = [event for entry in self._entries[index:] for event in entry.events]
        last = max((e.seen.t for e in self._entries if e.events and isinstance(e.seen, CardLaid)), default=t)
        self.game.undo(len(originals))
        changed = 0
        supposed = list(originals)
        place = next(i for i, event in enumerate(supposed) if event.verb == "play")
        supposed[place] = dataclasses.replace(supposed[place], args=(card,))
        try:
            for event in supposed:
                if isinstance(self.game.apply(event), Refusal):
                    return False
                changed += 1
            if self.game.phase == "deal" and t - last < DEALING:
                return False
            with self._supposing(*self._implied()):
                return self.game.phase == "play" and self.game.turn == play.seat and not self.game.trick
        finally:
            self.game.undo(changed)
            for event in originals:
                self.game.apply(event)

    def _take(self, seen: CardsTaken) -> None:
        self._takings = [*self._takings[-8:], seen.t]
        taken = self._table.take(seen)
        open_cards = [card for _, card in self.game.trick]
        if self.game.phase == "answer" and any(c.played and self._played_as(c) in open_cards for c in taken):
            self._swept_at = seen.t
        if self._unread is not None and self._unread.laid.track in seen.tracks:
            self._unread.until = min(self._unread.until, seen.decided)

    def _played_as(self, card: TableCard) -> str | None:
        """The card's name in the record."""
        entry = next((e for e in reversed(self._entries) if e.seen is card.laid), None)
        return None if entry is None else next((e.args[0] for e in entry.events if e.verb == "play"), None)

    def _offer_again(self, clock: float) -> list[Act]:
        """A card that was laid too early and still lies there when its turn has come is played."""
        acts: list[Act] = []
        while self._unread is None and self.game.phase == "play":
            due = self._turn_since + LEFT_LYING
            lying = next(
                (
                    c
                    for c in self._table
                    if c.waits and clock >= due and self._layer(c.laid).seat == self.game.turn
                ),
                None,
            )
            if lying is None:
                break
            lying.waits = False
            reading = self._read(lying.laid)
            if reading.card is None:
                break
            lying.laid = dataclasses.replace(lying.laid, t=max(lying.laid.t, self._turn_since))
            acts += self._play(lying, reading, max(due, lying.laid.decided))
        return acts

    def _unheard_answer(self, decided: float) -> list[Act]:
        """Two players in a row lay their card under an open challenge: it was taken, only nobody heard it."""
        if self.game.phase != "answer":
            return []
        waiting = [c for c in self._table if c.waits]
        if len(waiting) < 2:
            return []
        seat = self.game.awaiting[0]
        event = Event("accept", seat)
        supposed = [event]
        for lying in sorted(waiting, key=lambda card: card.laid.t):
            place = lying.laid.zone if lying.laid.zone is not None else lying.laid.hand
            supposed.append(Event("play", place, (self._read(lying.laid).card or "?",)))
        with self._supposing(*supposed) as refusal:
            if refusal is not None:
                return []
        first = min(c.laid.t for c in waiting)
        acts: list[Act] = [Question(first, decided, "taken", {"seat": seat})]
        index = next(
            (i for i, e in enumerate(self._entries) if any(e.seen is c.laid for c in waiting)),
            len(self._entries),
        )
        items: list[_Offered] = [_Ruled(first, decided, (event,))]
        items += [e.seen for e in self._entries[index:] if not e.withdrawn]
        return [*acts, *self._replay(index, items, decided)]

    def _swept_away(self, clock: float) -> list[Act]:
        """The cards of an open challenge were gathered up: everybody folded, only nobody heard it."""
        if self._swept_at is None:
            return []
        if self.game.phase != "answer" or any(c.played for c in self._table):
            self._swept_at = None
            return []
        if clock < self._swept_at + SWEPT:
            return []
        t, self._swept_at = self._swept_at, None
        events: list[Event] = []
        while True:
            with self._supposing(*events):
                phase, awaiting = self.game.phase, self.game.awaiting
            if phase != "answer" or not awaiting:
                break
            events.append(Event("fold", awaiting[0]))
            with self._supposing(*events) as refusal:
                if refusal is not None:
                    return []
        question = Question(t, t + SWEPT, "folded", {"seat": events[0].seat})
        return [question, *self._handle(_Ruled(t, t + SWEPT, tuple(events)), t + SWEPT)]

    # -- knocks ----------------------------------------------------------------------------------------------

    def _hit(self, knock: Knock, decided: float) -> list[Act]:
        """One hit. The first of a gesture counts; a faint first one leaves it to the next.

        What is not sure by its sound alone waits until the eyes have told what the hand was doing.
        """
        if knock.hit == 1:
            self._counted = {knock.gesture: False}
        if self._counted.get(knock.gesture, True):
            return []
        if knock.confidence >= SURE_KNOCK:
            self._counted[knock.gesture] = True
            return self._in_order(knock, decided)
        if knock.confidence >= LIKELY_KNOCK:
            self._doubtful.append(knock)
        return []

    def _doubtful_knocks(self, clock: float) -> list[Act]:
        """Knocks whose sound alone did not settle it, now that the eyes have told about the hands."""
        acts: list[Act] = []
        while self._doubtful and clock >= self._known_at(self._doubtful[0]):
            knock = self._doubtful.pop(0)
            if not self._counted.get(knock.gesture, False) and self._idle_hands(knock):
                self._counted[knock.gesture] = True
                acts += self._in_order(knock, max(knock.decided, self._known_at(knock)))
        return acts

    def _known_at(self, knock: Knock) -> float:
        """When the eyes will have told what the hands at a knock were doing: some time after those have
        gone."""
        gone = self._hands.gone_after(knock.t)
        return min(
            knock.t + 2 * PATIENCE, max(knock.t + PATIENCE, math.inf if gone is None else gone + AFTERWARDS)
        )

    def _idle_hands(self, knock: Knock) -> tuple[int, ...]:
        """Hands over the table at a knock that neither lay nor take a card."""
        busy = self._busy(knock.t - BUSY, knock.t + BUSY)
        return tuple(seat for seat in self._hands_at(knock.t) if busy is not None and seat not in busy)

    def _busy(self, start: float, end: float) -> set[int] | None:
        """Seats that laid a card in that time; None if cards were taken, by whom is not known."""
        if any(start <= t <= end for t in self._takings):
            return None
        laid = [e.seen for e in self._entries[-6:] if isinstance(e.seen, CardLaid)]
        laid += [o for o in self._queue if isinstance(o, CardLaid)]
        laid += [self._unread.laid] if self._unread is not None else []
        return {seat for card in laid if start <= card.t <= end for seat in (card.zone, card.hand) if seat}

    def _idle_visits(self, before: float) -> list[tuple[int, float]]:
        """Hands that came and went in the last seconds before ``before`` and neither laid nor took a card,
        the latest first: (seat, middle of the visit)."""
        visits = []
        for seat, start, end in self._hands.visits(before - ANSWERED, before):
            busy = self._busy(start - NEAR, end + NEAR)
            if busy is not None and seat not in busy:
                visits.append((seat, (start + end) / 2))
        return visits

    def _hands_at(self, t: float) -> tuple[int, ...]:
        """Hands over the table at ``t``, also those that were seen only just after and are still held
        back."""
        come = [o for o in self._queue if isinstance(o, HandSeen) and o.seat is not None and o.t <= t + NEAR]
        return self._hands.at(t) or tuple(
            o.seat for o in sorted(come, key=lambda o: o.t) if o.seat is not None
        )

    def _knock(self, knock: Knock, decided: float) -> list[Act]:
        """A fist on the table is a trut by whoever's hand is over the table (NOTATION.md section 9,
        CLI.md)."""
        may = self._who_may("trut")
        hands = self._hands_at(knock.t)
        if not may or self._is_thump(knock, hands):
            return []
        sure = knock.confidence >= SURE_KNOCK
        if not sure:
            hands = self._idle_hands(knock)
        if not sure and not hands:
            return []
        by, seat = "microphone", None
        if hands:
            seat = next((s for s in hands if s in may), None)
            if seat is None:
                return []
        else:
            if self.game.phase == "deal" and any(c.played for c in self._table):
                return []
            seat, by = self._by_rules(may)
        if seat is None:
            return [Question(knock.t, decided, "who", {"verb": "trut"})]
        return self._call(knock, Event("trut", seat), decided, by, knock.confidence)

    def _is_thump(self, knock: Knock, hands: Sequence[int]) -> bool:
        """The sound of a card slapped on the table by the hand that laid it."""
        laid = [o for o in self._queue if isinstance(o, CardLaid)]
        laid += [e.seen for e in self._entries[-4:] if isinstance(e.seen, CardLaid)]
        return any(
            abs(card.t - knock.t) <= THUMP
            and (not hands or self._layer(card).seat in hands or card.hand in hands)
            for card in laid
        )

    def _thump_of(self, laid: CardLaid) -> int | None:
        """The entry of a knock that turns out to be this card's own thump."""
        for i in range(len(self._entries) - 1, max(-1, len(self._entries) - 4), -1):
            entry = self._entries[i]
            if not isinstance(entry.seen, Knock) or not entry.events:
                continue
            near = THUMP if entry.seen.confidence >= SURE_KNOCK else BUSY
            if abs(entry.seen.t - laid.t) <= near:
                truter = entry.events[-1].seat
                if self.game.phase == "answer" and truter in (laid.zone, laid.hand):
                    return i
        return None

    # -- words -----------------------------------------------------------------------------------------------

    def _phrase(self, phrase: Phrase, decided: float) -> list[Act]:
        """A phrase is what it can mean now; what it can mean for nobody is dropped."""
        meanings = list(dict.fromkeys((phrase.phrase, *phrase.means)))
        meanings = [m for m in meanings if phrase.confidence >= SURE_WORD.get(m.split(" ")[0], 0.0)]
        if phrase.confidence < SURE_ANSWER and self._follows_too_soon(phrase):
            return []
        for meaning in meanings:
            if meaning.split(" ")[0] in COMMANDS:
                return self._command(meaning, phrase, decided)
        if self._unread is None:
            answer = self._answers_question(phrase, decided)
            if answer is not None:
                return answer
        for meaning in meanings:
            verb, *args = meaning.split(" ")
            may = self._who_may(verb, tuple(args))
            if not may:
                continue
            if self.game.phase == "deal" and any(c.played for c in self._table):
                continue  # nobody calls before the cards of the last round are gathered and dealt
            if phrase.speaker is not None:
                if phrase.speaker not in may:
                    continue
                seat: int | None = phrase.speaker
                by = "microphone"
            else:
                seat, by = self._by_rules(may)
            if seat is None:
                return [Question(phrase.t, decided, "who", {"verb": verb})]
            return self._call(phrase, Event(verb, seat, tuple(args)), decided, by, phrase.confidence)
        if (
            not phrase.answer
            and phrase.confidence >= SURE_ANSWER
            and not (self.game.awaiting or phrase.speaker)
        ):
            for meaning in meanings:
                if meaning in LATE_ANSWERS:
                    acts = self._unheard_knock(phrase, meaning, decided)
                    if acts:
                        return acts
        return self._infraction_by_word(phrase, meanings, decided)

    def _half_heard_words(self, clock: float) -> list[Act]:
        """Words heard with doubt, once nothing better was heard at about that time."""
        acts: list[Act] = []
        while self._half_heard and clock >= self._half_heard[0].t + SECOND_HEARING + SPOTTING:
            phrase = self._half_heard.pop(0)
            others = [o for o in (*self._queue, *self._half_heard) if isinstance(o, Phrase)]
            if any(o.confidence > phrase.confidence and o.t <= phrase.t + SECOND_HEARING for o in others):
                continue
            if abs(self._heard_at - phrase.t) <= SECOND_HEARING and self._heard_at > phrase.t:
                continue
            acts += self._in_order(phrase, max(phrase.decided, phrase.t + SECOND_HEARING + SPOTTING))
        return acts

    def _follows_too_soon(self, phrase: Phrase) -> bool:
        """People let each other finish: what is half heard on the heels of a word is its echo or its end."""
        return any(
            isinstance(e.seen, Phrase) and e.events and 0 <= phrase.t - e.seen.t < BREATH
            for e in self._entries[-4:]
        )

    def _unheard_knock(self, phrase: Phrase, verb: str, decided: float) -> list[Act]:
        """Somebody answers although nobody called: if a hand has just been over the table for nothing else,
        it knocked."""
        if self.game.phase not in ("play", "deal") or any(
            c.played for c in self._table if self.game.phase == "deal"
        ):
            return []
        may = self._who_may("trut")
        for seat, t in self._idle_visits(phrase.t):
            deal = (Event("deal"),) if self.game.phase == "deal" else ()
            call = (*deal, Event("trut", seat))
            with self._supposing(*call) as refusal:
                fits = refusal is None and Event(verb, self.game.awaiting[0]) in self.game.legal()
            if seat in may and fits:
                acts = self._in_order(_Ruled(t, decided, call), decided)
                return [*acts, *self._phrase(phrase, decided)]
        return []

    def _infraction_by_word(self, phrase: Phrase, meanings: Sequence[str], decided: float) -> list[Act]:
        """A call that the rules forbid now, if it is of the kind that is recorded."""
        if phrase.answer or self.game.phase in ("deal", "over"):
            return []
        seat = phrase.speaker or self.game.turn
        for meaning in meanings:
            verb, *args = meaning.split(" ")
            event = Event(verb, seat, tuple(args))
            with self._supposing(event) as refusal:
                pass
            if refusal is not None and refusal.code in RECORDED["microphone"]:
                entry = self._enter(phrase)
                return self._apply(event, phrase.t, decided, "microphone", phrase.confidence, entry)
        return []

    def _who_may(self, verb: str, args: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Seats that may say this now (or could if the deal that it implies were made), in the order of play
        from the one whose turn it is; where an order of answers is prescribed, only the one that speaks
        next."""
        if self.game.phase == "deal" and verb in LATE_ANSWERS:
            return ()
        with self._dealt():
            game = self.game
            first = game.turn or 1
            seats = [(first - 1 + i) % game.seats + 1 for i in range(game.seats)]
            legal = frozenset(game.legal())
            may = tuple(s for s in seats if Event(verb, s, args) in legal)
            if game.awaiting and game.awaiting[0] in may:
                return tuple(s for s in game.awaiting if s in may)
            return may

    def _by_rules(self, may: Sequence[int]) -> tuple[int | None, str]:
        """The seat of an unknown voice or hand: whose turn it is, else the only one that may, else the first
        in the order of play (from files) or nobody (live: the players are asked)."""
        with self._dealt():
            awaiting, turn = self.game.awaiting, self.game.turn
        if awaiting and awaiting[0] in may:
            return awaiting[0], "microphone"
        if turn in may:
            return turn, "microphone"
        if len(may) == 1:
            return may[0], "microphone"
        return (None, "microphone") if self._live else (may[0], "rules")

    def _call(self, seen: Knock | Phrase, event: Event, decided: float, by: str, p: float) -> list[Act]:
        """Offer a call, with the deal that it implies."""
        entry = self._enter(seen)
        acts: list[Act] = []
        if self.game.phase == "deal":
            acts += self._apply(Event("deal"), seen.t, decided, "rules", None, entry)
        entry.seat, entry.p = event.seat, p
        return [*acts, *self._apply(event, seen.t, decided, by, p, entry)]

    def _answers_question(self, phrase: Phrase, decided: float) -> list[Act] | None:
        """A card's name said after a question names the card that was asked for."""
        if self.game.table.PACK.get(phrase.phrase) is None:
            return None
        for index in range(len(self._entries) - 1, -1, -1):
            entry = self._entries[index]
            if isinstance(entry.seen, CardLaid) and entry.p < LIKELY_RANK and not entry.withdrawn:
                lying = self._table.get(entry.seen.track)
                named = dataclasses.replace(entry.seen, card=phrase.phrase, confidence=1.0, guesses=())
                if lying is not None:
                    lying.laid = named
                items: list[_Offered] = [named]
                items += [e.seen for e in self._entries[index + 1 :] if not e.withdrawn]
                return self._replay(index, items, decided)
        return []

    def _command(self, word: str, phrase: Phrase, decided: float) -> list[Act]:
        t = phrase.t
        match word:
            case "undo":
                entry = next((e for e in reversed(self._entries) if e.events), None)
                if entry is None:
                    return [Notice(t, decided, "nothing-to-undo")]
                entry.events.pop()
                entry.withdrawn = True
                if (
                    isinstance(entry.seen, CardLaid)
                    and (card := self._table.get(entry.seen.track)) is not None
                ):
                    card.played = False
                return self._apply(Event("undo"), t, decided, "voice", phrase.confidence, None)
            case "annul":
                return self._apply(
                    Event("annul"), t, decided, "voice", phrase.confidence, self._enter(phrase)
                )
            case "score" | "turn" | "repeat":
                return [Notice(t, decided, word)]
        return []

    # -- the rules -------------------------------------------------------------------------------------------

    def _enter(self, seen: _Offered) -> _Entry:
        entry = _Entry(seen)
        self._entries.append(entry)
        return entry

    def _apply(
        self, event: Event, t: float, decided: float, by: str, p: float | None, entry: _Entry | None
    ) -> list[Act]:
        """Offer one event to the rules and say what came of it."""
        before = self.game.turn
        answer = self.game.apply(event)
        decided = max(decided, t)
        if isinstance(answer, Refusal):
            if entry is not None:
                entry.refused = answer.code
            if answer.code not in RECORDED["camera" if event.verb == "play" else "microphone"]:
                return []
            return [
                Action(
                    t,
                    decided,
                    event,
                    by,
                    p,
                    answer.code,
                    (answer,),
                    turn=self.game.turn,
                    awaiting=self.game.awaiting,
                )
            ]
        assert isinstance(answer, Accepted)
        if entry is not None:
            entry.events.append(event)
            entry.outcomes += answer.outcomes
        if self.game.turn != before or event.verb in ("play", "accept"):
            self._turn_since = t
        if any(isinstance(outcome, RoundEnded) for outcome in answer.outcomes):
            self._settled_at = t
        return [
            Action(
                t,
                decided,
                event,
                by,
                p,
                None,
                answer.outcomes,
                turn=self.game.turn,
                awaiting=self.game.awaiting,
            )
        ]

    @contextmanager
    def _supposing(self, *events: Event) -> Iterator[Refusal | None]:
        """The game as it would be after these events; gives the first refusal, None if all are allowed."""
        refusal, count = None, 0
        for event in events:
            answer = self.game.apply(event)
            if isinstance(answer, Refusal):
                refusal = answer
                break
            count += 1
        try:
            yield refusal
        finally:
            if count:
                self.game.undo(count)

    @contextmanager
    def _dealt(self) -> Iterator[None]:
        """The game as it will be once the deal that is due has been made."""
        with self._supposing(*((Event("deal"),) if self.game.phase == "deal" else ())):
            yield
