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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from assistant.account import Account, Entry, Offered, Ruled, Told
from assistant.acts import Act, Action, Notice, Question
from assistant.amending import Amending
from assistant.answering import Answering
from assistant.asking import ALWAYS, BEGINS, IF_DOUBTFUL, TO_ASSISTANT, Asking, Reply
from assistant.correcting import Corrections
from assistant.ghosts import Ghosts
from assistant.holding import HOLD, HoldingQueue, Observation
from assistant.knocking import LIKELY_KNOCK, Knockers, Knocks, is_sure, may_be_thump
from assistant.obeying import BETWEEN_ROUNDS, Obeying
from assistant.orders import Order
from assistant.second_thoughts import DEALING, misread_card
from assistant.tabletop import TableCard, Tabletop
from assistant.unseen import FOLLOWED, PATIENCE, Gap, Unseen
from assistant.weighing import SURE_RANK, Reading, rank_of, weigh_card
from assistant.whose import Layer, who_laid
from audio.cardnames import corrects
from audio.events import Knock, Phrase
from audio.phrasebook import CARD, COMMANDS, CORRECTION, DEALER, SEAT
from engine import Event, Game, Refusal, RoundEnded
from engine.cards import UNSEEN
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

PAUSED = COMMANDS - ALWAYS - {"undo"}
"""Words to the assistant that it follows while the game pauses; it hears nothing else."""
SURE_WORD = {"undo": 0.9, "annul": 0.9, "brelan": 0.9, "tierce": 0.9, "deux-petits": 0.9}
"""Confidence below which a word is asked back that is said seldom and changes much: in a noisy room most of
those heard were not said."""
LATE_ANSWERS = frozenset({"accept", "fold"})
"""Words that are late answers as long as the next round cannot have been dealt."""
MISSED_SILENTLY = frozenset({"declare-pending", "discard-pending", "redeal-due", "challenge-pending", "out-of-turn"})
"""Refusals after which a card that stays on the table is offered again when its turn has come."""

SECOND_HEARING = 1.2
"""Seconds after a word heard with doubt within which one heard better takes its place."""
SPOTTING = 0.45
"""Seconds that the ears take to know a word after its end."""
TOGETHER = 1.5
"""Seconds within which a word and a knock are one call."""
BREATH = 0.8
"""Seconds after the end of a word within which no other word can have been begun and ended."""
SURE_ANSWER = 0.8
"""Confidence of an answer that is believed although no call was heard, if a hand may have knocked."""
CONFIRMED = 0.95
"""Confidence of a call, at least, that was asked back and confirmed."""
LINGER = 1.0
"""Seconds that a word stays welcome after its moment has passed: it may have been said before that."""
SECOND_LOOK = 1.0
"""Seconds that a card read badly is given to be read better."""
LEFT_LYING = 1.0
"""Seconds after its turn came during which a card laid too early may still be taken back."""
OUT_OF_ORDER = 0.8
"""Seconds that a card out of turn waits for one laid before it and known only later."""
AT_ONCE = 0.3
"""Seconds within which two cards are laid at once: then the turn orders them."""
GHOST = 1.2
"""Seconds that a card which no hand laid waits for one that a hand lays in its stead."""
SWEPT = 2.5
"""Seconds after which cards swept away under an open challenge mean that everybody folded."""
GATHERING = 2.0
"""Seconds after the end of a round in which no call opens the next: the cards are gathered and dealt
first."""
FRESH_ROUND = 3.0
"""Seconds after the end of a round before which its own cards, still lying, make every new card one that is
only shown."""


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
        self._queue = HoldingQueue(hold, self._acknowledged_at_once)
        self._hold = hold
        self._start(game)
        self._table = Tabletop()
        self._knocks = Knocks(self._cards_laid, self._has_to_do)
        self._ghosts = Ghosts(self._knocks.hands, self._cards_laid)
        self._unread: _Unread | None = None
        self._heard_at = -math.inf
        self._turn_since = -math.inf
        self._settled_at = -math.inf
        self._clock = 0.0
        self._seeing = True

    def _start(self, game: Game) -> None:
        self.game = game
        self._account = Account(game)
        self._asking = Asking(self._account, live=self._live)
        self._corrections = Corrections(self._account)
        self._amending = Amending(self._account, apply=self._apply, replay=self._replay_corrected, mark=self._mark)
        self._answering = Answering(self._account, self._amending, self._told)
        self._unseen = Unseen(self._account)
        self._orders = Obeying(
            self._account,
            self._amending,
            self._answering,
            offer=self._told,
            apply=self._apply,
            command=self._command,
            card=self._card_told,
            confirm=self._yes_or_no,
        )
        self._half_heard: list[Phrase] = []
        self._swept_at: float | None = None
        self._paused = False
        self._lately: dict[str, float] = {}

    def start(self, game: Game) -> None:
        """Another game begins at the same table; the cards that lie there belong to the one before."""
        self._start(game)
        self._unread = None
        self._settled_at = self._clock
        for card in self._table:
            card.played, card.waits = True, False

    # -- in --------------------------------------------------------------------------------------------------

    def observe(self, observations: Iterable[Observation]) -> None:
        """What eyes and ears report, in any order. What hands do is knowledge and no event: it is not held
        back."""
        for seen in observations:
            match seen:
                case HandSeen() | HandGone():
                    self._knocks.hands.accept(seen)
                case CardsTaken():
                    self._knocks.taken(seen.t)
                    self._queue.put([seen])
                case _:
                    self._queue.put([seen])

    def sees(self, seeing: bool) -> None:
        """Whether anybody looks at the table. While nobody does, the cards are dictated."""
        self._seeing = seeing

    def order(self, order: Order) -> list[Act]:
        """Follow what a person tells, at once; the rules judge it like everything else."""
        acts = self._orders.follow(order)
        self._answering.note(acts)
        return acts

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
        for knock, decided in self._knocks.due(clock):
            acts += self._in_order(knock, decided)
        acts += self._half_heard_words(clock)
        if not self._paused:
            acts += self._past_the_unseen(clock)
            acts += self._offer_again(clock)
            acts += self._swept_away(clock)
            acts += self._gathered_unfinished(clock)
            acts += self._unanswered(clock)
        self._answering.note(acts)
        self._lately |= dict.fromkeys(self._sayable(), clock)
        return acts

    def finish(self, clock: float) -> list[Act]:
        """The media have ended: draw all conclusions that are left."""
        return [*self.advance(clock), *self.advance(clock + 60.0, clock)]

    def restore(self, game: Game) -> None:
        """Take up a game in the middle, as its record has it; the cards of the running round are known as
        played, wherever they are seen lying."""
        self._start(game)

    @property
    def entries(self) -> Sequence[Entry]:
        """What was seen and heard lately, and what came of it, the newest last; only to be read."""
        return self._account.entries

    def may_be_trut(self, knock: Knock) -> bool:
        """Whether a fist was surely heard where somebody may trut: known at once, though not yet whose it was."""
        return is_sure(knock) and knock.hit == 1 and not self._paused and bool(self._account.who_may("trut"))

    # -- what may be said now --------------------------------------------------------------------------------

    def expected(self) -> frozenset[str]:
        """The verbs that somebody may say now, for the ears; commands always belong to them.

        What is still held back may change what may be said, so answers count as soon as a call is in the
        queue, and what could be said a moment ago still counts: a word is known only after its end.
        """
        recent = {verb for verb, t in self._lately.items() if self._clock - t <= LINGER}
        return self._sayable() | recent

    def _sayable(self) -> frozenset[str]:
        if self._paused:
            return COMMANDS
        verbs = self._account.verbs() | COMMANDS | self._asking.verbs() | self._after_the_queue()
        called = self._knocks.doubtful or any(isinstance(o, Knock | Phrase) for o in self._queue)
        called = called or self._answering.waiting(self._clock) is not None
        visited = self.game.phase in ("play", "deal") and bool(self._knocks.idle_visits(self._clock))
        if called or visited or "pass" in verbs:
            verbs |= {"accept", "fold", "refuse", "hold"}
        dictated = not self._seeing and self.game.phase in ("play", "deal")
        if dictated or self._card_asked(self._clock):
            verbs |= {CARD}
        if self._answering.waiting(self._clock) is not None:
            verbs |= {SEAT}
        if self._corrections.correctable(self._clock):
            verbs |= {CORRECTION}
        if self.game.phase == "deal":
            verbs |= {DEALER}
        return verbs

    def _after_the_queue(self) -> frozenset[str]:
        """What may be said once the cards that are still held back count."""
        waiting = sorted((o for o in self._cards_waiting() if o.card is not None), key=lambda laid: laid.t)
        if not waiting:
            return frozenset()
        plays = [Event("play", laid.zone or laid.hand, (laid.card or "",)) for laid in waiting]
        with self._account.dealt(), self._account.supposing(*plays):
            return self._account.verbs()

    def _cards_waiting(self) -> Iterator[CardLaid]:
        """The cards that are known and do not count yet."""
        yield from (o for o in self._queue if isinstance(o, CardLaid))
        if self._unread is not None:
            yield self._unread.laid

    def _cards_laid(self) -> Iterator[CardLaid]:
        """The cards laid lately, also those that are still held back or looked at again."""
        yield from self._cards_waiting()
        yield from (e.seen for e in self._account.entries[-6:] if isinstance(e.seen, CardLaid))

    # -- order -----------------------------------------------------------------------------------------------

    def _release(self, seen: Observation, decided: float) -> list[Act]:
        if isinstance(seen, Phrase) and seen.confidence < SURE_WORD.get(seen.phrase, 0.0):
            seen = dataclasses.replace(seen, doubtful=True)
        match seen:
            case CameraLost():
                self.sees(False)
                return [Notice(seen.t, decided, "camera-lost", {"reason": seen.reason})]
            case CameraBack():
                self.sees(True)
                return [Notice(seen.t, decided, "camera-back")]
            case CardMoved():
                self._table.move(seen)
            case CardsTaken():
                self._take(seen)
            case CardReread():
                return self._reread(seen, decided)
            case Knock():
                return self._in_order(seen, decided) if self._knocks.counts(seen) else []
            case Phrase(doubtful=True):  # only asked about, so it takes no other thing's place
                return [] if self._paused else self._phrase(seen, decided)
            case Phrase(confidence=sure) if sure < SURE_ANSWER and self._asking.heard(seen) is None:
                self._half_heard.append(seen)
            case CardLaid() | Phrase():
                self._heard_at = seen.t if isinstance(seen, Phrase) else self._heard_at
                return self._in_order(seen, decided)
        return []

    def _in_order(self, seen: Offered, decided: float) -> list[Act]:
        """Handle what was seen, or, if later things have already been settled, take those back first."""
        if self._paused:
            return self._in_pause(seen, decided)
        account = self._account
        if isinstance(seen, CardLaid) and self._asking.seen(seen) is Reply.IMPLIED:
            return [*self._confirm(decided), *self._in_order(seen, decided)]
        thump = self._thump_of(seen) if isinstance(seen, CardLaid) else None
        if thump is not None:
            return self._replay(thump, [seen, *account.still_offered(thump + 1)], decided)
        for index, entry in enumerate(account.entries):
            if entry.seen.t > seen.t + 0.01 and (entry.events or entry.refused or entry.waits):
                return self._replay(index, [seen, *account.still_offered(index)], decided)
        return self._handle(seen, decided)

    def _replay(self, index: int, items: Sequence[Offered], decided: float, by: str = "camera") -> list[Act]:
        """Take back the entries from ``index`` on and offer ``items`` in their place. What comes out as before
        is not announced again."""
        before = {id(entry.seen): entry for entry in (*self._account.entries[index:], *self._account.unheeded)}
        old = self._account.cut(index)
        gap = self._unseen.gap
        if gap is not None and any(entry is gap.unread or entry.waits for entry in old):
            self._unseen.close()
        for entry in old:
            self._mark(entry, False)
        undo: list[Act] = []
        acts: list[Act] = []
        count = sum(len(entry.events) for entry in old)
        begin = len(self.game.log) - count
        if count:
            event = Event("undo") if count == 1 else Event("undo", args=(str(count),))
            undo = self._apply(event, items[0].t if items else decided, decided, by, None, None)
        for item in items:
            earlier = before.get(id(item))
            if earlier is None:
                acts += self._handle(item, decided, again=True)
                continue
            for act in self._again(earlier, decided, by):
                latest = self._account.entries[-1] if self._account.entries else None
                same = latest is not None and (earlier.outcomes, earlier.refused) == (latest.outcomes, latest.refused)
                acts.append(dataclasses.replace(act, quiet=same) if isinstance(act, Action) else act)
        if _stand_again([event for entry in old for event in entry.events], self.game.log[begin:]):
            undo = [dataclasses.replace(act, quiet=True) for act in undo if isinstance(act, Action)]
        return [*undo, *acts]

    def _replay_corrected(self, index: int, items: Sequence[Offered], decided: float, by: str) -> list[Act]:
        """The same after a correction: no card seems to be missing any more."""
        self._unseen.close()
        return self._replay(index, items, decided, by)

    def _again(self, old: Entry, decided: float, by: str) -> list[Act]:
        """Offer once more what was offered before, with all that is known of it since."""
        account, seen = self._account, old.seen
        account.forget(old)
        count = len(account.entries)
        if self.game.phase == "over" or (self.game.phase == "deal" and not self._opens_round(old)):
            account.keep(seen, old.hands)
            return []
        match seen:
            case CardLaid():
                acts = self._card_again(seen, decided)
            case Knock() | Phrase():
                acts = self._call_again(old, decided)
            case Told(by="rules", event=event) if not self._account.allows(event):
                return []  # it was only thought of, to explain what seemed to be
            case Told(by="record"):
                acts = self._handle(dataclasses.replace(seen, by=by), decided, again=True)
            case _:
                acts = self._handle(seen, decided, again=True)
        for entry in account.entries[count : count + 1]:
            entry.hands, entry.asked = old.hands, old.asked
        return acts

    def _opens_round(self, old: Entry) -> bool:
        """Whether something offered again between two rounds can be the first thing of a new one: it was so
        before, or there was time to deal."""
        seen, since = old.seen, old.seen.t - self._settled_at
        match seen:
            case Ruled():
                return True
            case Told() if seen.event.verb in BETWEEN_ROUNDS:
                return True
            case _ if any(event.verb == "deal" for event in old.events):
                return True
            case CardLaid():
                return since >= DEALING and self._account.turn() in (seen.zone, seen.hand)
            case Told():
                return since >= DEALING
        return since >= GATHERING

    def _card_again(self, laid: CardLaid, decided: float) -> list[Act]:
        """A card that was laid before; it may be gone by now."""
        recent = self._account.entries[-12:]
        if any(e.card and isinstance(e.seen, CardLaid) and e.seen.track == laid.track for e in recent):
            return []  # it lay too early then and counted when its turn had come; now it counts at once
        told = self._account.told_before(laid)
        if told is not None:
            self._account.seen_now(told, laid)
            return []
        lying = self._table.get(laid.track) or TableCard(laid, laid.quad, laid.zone, gone=laid.t)
        lying.laid = laid
        return self._play(lying, self._read(laid), decided, again=True)

    def _call_again(self, old: Entry, decided: float) -> list[Act]:
        """A call that was heard before. Whose it was is asked of the same hands and the same voice."""
        seen = old.seen
        assert isinstance(seen, Knock | Phrase)
        meanings = ("trut",) if isinstance(seen, Knock) else tuple(dict.fromkeys((seen.phrase, *seen.means)))
        for meaning in meanings:
            verb, *args = meaning.split(" ")
            may = self._account.who_may(verb, tuple(args))
            if not may or (self.game.phase == "deal" and verb in LATE_ANSWERS):
                continue
            seat, by = self._seat_again(old, may)
            if seat is not None:
                return self._call(seen, Event(verb, seat, tuple(args)), decided, by, old.p or seen.confidence)
        acts = self._infraction_by_word(seen, meanings, decided) if isinstance(seen, Phrase) else []
        if not acts:
            self._account.keep(seen, old.hands)
        return acts

    def _seat_again(self, old: Entry, may: tuple[int, ...]) -> tuple[int | None, str]:
        seen = old.seen
        if old.hands:
            return next((seat for seat in old.hands if seat in may), None), "microphone"
        if isinstance(seen, Phrase):
            seat, by = self._whose(seen, may)
            if seat is not None and seat not in may:
                return None, by
        else:
            seat, by = self._by_rules(may)
        return (old.seat, by) if seat is None and old.seat in may else (seat, by)

    def _handle(self, seen: Offered, decided: float, *, again: bool = False) -> list[Act]:
        match seen:
            case CardLaid():
                return self._card(seen, decided, again=again)
            case Knock() | Phrase():
                return self._heard(seen, decided)
            case Told():
                return self._orders.tell(seen, decided)
            case Ruled():
                entry = self._account.enter(seen)
                return [
                    act for event in seen.events for act in self._apply(event, seen.t, decided, "rules", None, entry)
                ]

    def _heard(self, seen: Knock | Phrase, decided: float) -> list[Act]:
        """A knock or a phrase; what cannot count now is kept, for a correction may show that it should have."""
        hands: tuple[int, ...] = ()
        if isinstance(seen, Knock):
            hands = self._hands_at(seen).seats
            in_earnest = is_sure(seen) and not self._is_thump(seen, hands)
            acts = self._knock(seen, decided)
        else:
            in_earnest = self._in_earnest(seen)
            acts = self._phrase(seen, decided)
        index = self._account.index_of(seen)
        if index is not None:
            self._account.entries[index].hands = hands
        elif in_earnest and not any(isinstance(act, Action) or act.t == seen.t for act in acts):
            self._account.keep(seen, hands)
        return acts

    def _in_earnest(self, phrase: Phrase) -> bool:
        """Whether it is surely something that a player said to the others."""
        if phrase.doubtful or phrase.confidence < SURE_ANSWER or self.game.table.PACK.get(phrase.phrase) is not None:
            return False
        words = {meaning.split(" ")[0] for meaning in (phrase.phrase, *phrase.means)}
        return not words & (COMMANDS | {"yes", "no"})

    # -- cards -----------------------------------------------------------------------------------------------

    def _card(self, laid: CardLaid, decided: float, *, again: bool = False) -> list[Act]:
        """A card was laid."""
        told = None if again else self._account.told_before(laid)
        if told is not None:
            self._account.seen_now(told, laid)
            self._table.lay(laid).played = True
            return []
        if laid.t <= 0:  # it lay there before the first picture
            self._table.lay(laid).waits = self._in_flight(laid)
            return []
        # Between two tricks a card in the place of one just gathered is the next lead, whoever leads.
        unlikely = bool(self.game.trick) and self._account.turn() not in (laid.zone, laid.hand)
        ghost = None if again else self._table.same_as(laid, self._account.possible(), unlikely=unlikely)
        if ghost is not None:
            self._table.found_again(laid, ghost)
            if laid.card is not None and ghost.played:
                seen = CardReread(laid.t, decided, ghost.laid.track, laid.card, laid.confidence, laid.guesses)
                return self._reread(seen, decided)
            return []
        lying = self._table.lay(laid)
        if self.game.phase == "over" or (not again and self._only_shown(laid)):
            self._account.keep(laid)
            return []
        if self._unseen.gap is not None:
            return self._behind_the_unseen(laid, decided)
        if not again and self._ghosts.may_be(laid):
            if laid.zone not in (None, self._account.turn()):
                return []  # neither a hand nor the turn speaks for it
            self._unread = _Unread(laid, laid.decided + GHOST)
            return []
        reading = self._read(laid)
        if not again and (reading.card is None or reading.p < SURE_RANK):
            self._unread = _Unread(laid, laid.decided + SECOND_LOOK)
            return []
        if not again and self._layer(laid).seat != self._account.turn():
            self._unread = _Unread(laid, laid.decided + OUT_OF_ORDER)
            return []
        return self._play(lying, reading, decided, again=again)

    def _play(self, lying: TableCard, reading: Reading, decided: float, *, again: bool = False) -> list[Act]:
        """Offer a card to the rules: who laid it, which one it is, what it implies."""
        laid = lying.laid
        if self._unseen.gap is not None:
            return self._behind_the_unseen(laid, decided)
        entry = self._account.enter(laid)
        acts: list[Act] = []
        layer = self._layer(laid)
        turn = self._account.turn()
        if reading.card is None:
            seat = layer.seat if layer.seat is not None else turn
            if seat != turn or seat is None or self._unseen.open(seat, laid.t, decided, entry):
                acts.append(Question(laid.t, decided, "which-card", {"seat": seat}))
            self._corrections.ask(laid, decided)
            lying.waits = seat != turn
            return acts
        if layer.seat is None:
            return acts
        play = Event("play", layer.seat, (reading.card,))
        if layer.seat != turn and turn is not None and self._laid_unseen(turn, layer.seat, laid):
            return self._wait_for(turn, entry, decided)
        thought = None if again else misread_card(self._account, play, laid.t)
        if thought is not None:
            self._account.entries.remove(entry)
            return self._correct(*thought, decided, then=laid)
        for event in self._account.implied_by_card():
            acts += self._apply(event, laid.t, decided, "rules", None, entry)
        entry.seat, entry.p = layer.seat, reading.p
        by = "camera" if layer.clear else "rules"
        acts += self._apply(play, laid.t, decided, by, min(laid.confidence, reading.p), entry)
        if entry.refused is None:
            lying.played, lying.waits = True, False
            doubt = self._doubt(reading, layer)
            if doubt is not None:
                fields = {"seat": layer.seat, "card": reading.twin or reading.card}
                acts.append(Question(laid.t, decided, doubt, fields))
                if doubt != "whose-card":
                    self._corrections.ask(laid, decided)
        else:
            lying.waits = entry.refused in MISSED_SILENTLY
            acts += self._unheard_answer(decided)
        return acts

    def _doubt(self, reading: Reading, layer: Layer) -> str | None:
        """The question that a played card leaves open."""
        if reading.twin is not None:
            return "twice"
        if reading.p < SURE_RANK or self._suit_matters(reading.card or ""):
            return "which-card"
        return None if layer.clear else "whose-card"

    def _layer(self, laid: CardLaid) -> Layer:
        over = () if laid.hand is not None else self._ghosts.over(laid)
        return who_laid(self._account.turn(), laid.zone, laid.hand, seats=self.game.seats, over=over)

    def _read(self, laid: CardLaid) -> Reading:
        return weigh_card(laid.card, laid.confidence, laid.guesses, self._account.possible(), self._worth)

    def _worth(self, card: str) -> object:
        """What decides tricks: how strong a card is; its name, if it is none of this pack."""
        return self.game.strength(card) if self.game.table.PACK.get(card) is not None else rank_of(card)

    def _suit_matters(self, card: str) -> bool:
        """Whether cards of this rank, whose suit is open, differ in strength."""
        if not card.endswith(UNSEEN):
            return False
        return len({self._worth(rank_of(card) + suit) for suit in self.game.table.PACK.suits}) > 1

    def _only_shown(self, laid: CardLaid) -> bool:
        """A card turned up between rounds, beside those of the round that is settled, opens no new round."""
        if self.game.phase != "deal" or not any(card.played for card in self._table):
            return False
        leader = self._account.turn()
        return laid.t - self._settled_at < FRESH_ROUND or leader not in (laid.zone, laid.hand)

    # -- cards that nobody saw -------------------------------------------------------------------------------

    def _laid_unseen(self, turn: int, seat: int, laid: CardLaid) -> bool:
        """Whether ``seat`` lays after the card of ``turn``, that nobody saw, and not out of turn: the hand of ``turn``
        was there, or its trick has been gathered, or two cards follow each other in order."""
        if self.game.phase not in ("play", "deal") or not self._unseen.may_open(turn):
            return False
        latest = self._account.entries[-2:-1]
        in_a_row = any(e.refused == "out-of-turn" and (e.seat or 0) % self.game.seats + 1 == seat for e in latest)
        if self.game.phase == "deal":  # all hands are there to take up their cards
            return in_a_row
        return in_a_row or self._gathered_at() is not None or self._knocks.may_have_laid(turn, self._turn_since, laid.t)

    def _wait_for(self, seat: int, entry: Entry, decided: float) -> list[Act]:
        """The card of ``seat`` was laid unseen: ``entry`` waits for it, and the one before, if it was refused."""
        ask = self._unseen.open(seat, entry.seen.t, decided)
        index = self._account.entries.index(entry)
        before = self._account.entries[index - 1 : index]
        waiting = [e for e in before if e.refused == "out-of-turn" and isinstance(e.seen, CardLaid)]
        for each in (*waiting, entry):
            self._unseen.wait(each)
            assert isinstance(each.seen, CardLaid)
            card = self._table.get(each.seen.track)
            if card is not None:
                card.waits = False
        return [Question(entry.seen.t, decided, "which-card", {"seat": seat})] if ask else []

    def _behind_the_unseen(self, laid: CardLaid, decided: float) -> list[Act]:
        """A card is laid while an earlier one is missing: it is that one, or it waits."""
        if self._unseen.fills(laid):
            return self._seen_at_last(laid, decided)
        self._unseen.wait(self._account.enter(laid))
        return []

    def _seen_at_last(self, missing: Offered, decided: float) -> list[Act]:
        """The missing card is known: it is offered before all that waited for it."""
        gap = self._unseen.close()
        assert gap is not None
        entries = self._account.entries
        index = len(entries) if gap.first is None else entries.index(gap.first)
        return self._replay(index, [missing, *self._account.still_offered(index)], decided)

    def _past_the_unseen(self, clock: float) -> list[Act]:
        """What waited counts once somebody has told the missing card, or once the game has gone on without an
        answer: then the likeliest card that fits is counted, aloud."""
        gap = self._unseen.gap
        if gap is None:
            return []
        if self._unseen.over():
            self._unseen.close()
            return self._offer_waiting(gap, clock)
        if not self._unseen.moved_on():
            return []
        following = gap.waiting[self.game.seats - len(self.game.trick) - 1]
        due = gap.asked + PATIENCE if self._live else following.seen.decided + FOLLOWED
        if clock < due:
            return []
        card = self._unseen.likeliest()
        self._unseen.search_no_more()
        if card is None:  # nothing explains what followed: the cards are taken for what they seem
            self._unseen.close()
            return self._offer_waiting(gap, due)
        question = Question(gap.since, due, "counted", {"seat": gap.seat, "card": card})
        play = Told(gap.since, due, Event("play", gap.seat, (card,)), "rules")
        return [question, *self._seen_at_last(play, due)]

    def _offer_waiting(self, gap: Gap, decided: float) -> list[Act]:
        """Offer the cards that waited, in their order, after all that is known."""
        acts: list[Act] = []
        for entry in gap.waiting:
            if entry in self._account.entries and not entry.withdrawn:
                self._account.release(entry)
                assert isinstance(entry.seen, CardLaid)
                acts += self._handle(entry.seen, max(decided, entry.seen.decided), again=True)
        return acts

    def _gathered_at(self) -> float | None:
        """When the cards of the unfinished trick were gathered up, None while one of them lies there."""
        if self.game.phase != "play" or not self.game.trick:
            return None
        plays = [e for e in self._account.entries if e.card is not None and isinstance(e.seen, CardLaid)]
        cards = [self._table.get(e.seen.track) for e in plays[-len(self.game.trick) :] if isinstance(e.seen, CardLaid)]
        gone = [card.gone for card in cards if card is not None]
        return None if not gone or None in gone else max(t for t in gone if t is not None)

    def _gathered_unfinished(self, clock: float) -> list[Act]:
        """A trick was gathered up although a card is missing: it was laid, only nobody saw it."""
        t, turn = self._gathered_at(), self.game.turn
        if t is None or turn is None or clock < t + SWEPT or not self._unseen.may_open(turn):
            return []
        ask = self._unseen.open(turn, t, t + SWEPT)
        return [Question(t, t + SWEPT, "which-card", {"seat": turn})] if ask else []

    # -- cards that change -----------------------------------------------------------------------------------

    def _second_look(self, clock: float) -> list[Act]:
        """A badly read card has had its time, or the game goes on: take it for what it looks like, or ask."""
        if self._unread is None:
            return []
        laid = self._unread.laid
        follows = any(
            isinstance(o, CardLaid)
            and o.t > laid.t
            and clock >= max(o.decided, o.t + self._hold)
            and not self._ordered_by_turn(o, laid)
            for o in self._queue
        )
        if clock < self._unread.until and not follows:
            return []
        decided = min(clock, max(self._unread.until, laid.decided))
        self._unread = None
        lying = self._table.get(laid.track)
        if lying is None or lying.played:
            return []
        if self._ghosts.may_be(laid):
            return self._without_a_hand(lying, decided)
        return self._play(lying, self._read(lying.laid), decided)

    def _without_a_hand(self, lying: TableCard, decided: float) -> list[Act]:
        """No hand laid this card: if it is gone again or a hand has laid another one there, it was none; else it
        counts, and the players are asked."""
        laid = lying.laid
        turn = self._account.turn()
        if lying.gone is not None or any(o.hand == turn for o in self._cards_waiting() if o.t > laid.t):
            return []
        acts = self._play(lying, self._read(laid), decided)
        asked = any(isinstance(act, Question) for act in acts)
        if not lying.played or asked:
            return acts
        fields = {"seat": turn, "card": self._account.entries[-1].card}
        return [*acts, Question(laid.t, decided, "whose-card", fields)]

    def _may_pass_unread(self) -> bool:
        """While a card is looked at again only news about it may overtake it."""
        head = min(self._queue, key=lambda o: o.t, default=None)
        assert self._unread is not None
        laid = self._unread.laid
        if isinstance(head, CardLaid):
            return head.t < laid.t or self._ordered_by_turn(head, laid)
        return isinstance(head, CardReread | CardMoved) or (
            isinstance(head, CardsTaken) and laid.track not in head.tracks
        )

    def _ordered_by_turn(self, second: CardLaid, first: CardLaid) -> bool:
        """Whether of two cards laid at once the second is the one whose turn it is."""
        turn = self._account.turn()
        if second.t - first.t > AT_ONCE or turn in (first.zone, first.hand):
            return False
        return turn in (second.zone, second.hand)

    def _reread(self, seen: CardReread, decided: float) -> list[Act]:
        """A card is read otherwise than before."""
        lying = self._table.get(seen.track)
        if lying is None or seen.card is None:
            return []
        better = dataclasses.replace(lying.laid, card=seen.card, confidence=seen.confidence, guesses=seen.guesses)
        if self._unread is not None and self._unread.laid.track == lying.laid.track:
            lying.laid = better
            reading = self._read(better)
            if reading.card is not None and reading.p >= SURE_RANK:
                self._unread = None
                return self._play(lying, reading, decided)
            self._unread.laid = better
            return []
        index = self._account.index_of(lying.laid)
        if index is None:
            return []
        entry = self._account.entries[index]
        if entry.waits:
            entry.seen = lying.laid = better
            return []
        same = entry.card is not None and rank_of(entry.card) == rank_of(seen.card)
        if entry.withdrawn or same or seen.confidence < max(SURE_RANK, entry.p):
            return []
        return self._correct(index, better, decided)

    def _correct(
        self, index: int, better: CardLaid | Told, decided: float, *, by: str = "camera", then: CardLaid | None = None
    ) -> list[Act]:
        """Take back a card that was misread, play it as what it is, offer all that followed again, and
        ``then``."""
        entry = self._account.entries[index]
        lying = self._table.get(better.track) if isinstance(better, CardLaid) else None
        if lying is not None and isinstance(better, CardLaid):
            lying.laid = better
        items: list[Offered] = [better, *self._account.still_offered(index + 1)]
        if entry.card is None:  # it was only asked about
            acts = self._replay(index, items, decided, by)
        else:
            card = better.card if isinstance(better, CardLaid) else better.event.args[0]
            what = {"seat": entry.seat, "card": card, "event": Event("play", entry.seat, (card or "?",))}
            acts = self._amending.recount(index, items, Notice(better.t, decided, "corrected", what), by)
        return acts if then is None else [*acts, *self._handle(then, decided, again=True)]

    def _take(self, seen: CardsTaken) -> None:
        taken = self._table.take(seen)
        open_cards = [card for _, card in self.game.trick]
        for card in taken:
            index = self._account.index_of(card.laid)
            played = None if index is None else self._account.entries[index].card
            if self.game.phase == "answer" and played in open_cards:
                self._swept_at = seen.t
            if index is not None and len(seen.tracks) == 1 and any(c.laid.t > 0 for c in self._table):
                self._unseen.taken_back(self._account.entries[index])  # not the trick: others still lie there
        if self._unread is not None and self._unread.laid.track in seen.tracks:
            self._unread.until = min(self._unread.until, seen.decided)

    def _in_flight(self, laid: CardLaid) -> bool:
        """Whether a card that lies there when the eyes open was laid while nobody looked: the game had begun, and
        nobody has counted it yet."""
        known = laid.card is None or laid.card in self._account.last_laid()
        return bool(self.game.log) and not known and self._read(laid).p >= SURE_RANK

    def _place(self, laid: CardLaid) -> int | None:
        """The seat that a waiting card is for; of one that nobody saw laid only its place tells."""
        return laid.zone if laid.t <= 0 else self._layer(laid).seat

    def _lead_in_flight(self) -> list[Act]:
        """The first card of a round may be in flight too, once nothing of the round before lies there."""
        if self.game.phase != "deal" or any(card.played for card in self._table):
            return []
        leader = self._account.turn()
        lying = next((c for c in self._table if c.waits and c.laid.t <= 0 and c.laid.zone == leader), None)
        return [] if lying is None else self._play(lying, self._read(lying.laid), lying.laid.decided)

    def _offer_again(self, clock: float) -> list[Act]:
        """A card that was laid too early and still lies there when its turn has come is played."""
        acts = self._lead_in_flight()
        while self._unread is None and self._unseen.gap is None and self.game.phase == "play":
            due = self._turn_since + LEFT_LYING
            lying = next(
                (c for c in self._table if c.waits and clock >= due and self._place(c.laid) == self.game.turn),
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
        """Two players in a row lay their card under an open challenge, or at fortial: the words that allow it
        were said, only nobody heard them."""
        if self.game.phase not in ("answer", "fortial"):
            return []
        waiting = [c for c in self._table if c.waits]
        if len(waiting) < 2:
            return []
        words: list[Event] = []
        if self.game.phase == "fortial":
            words.append(Event("trut", self.game.awaiting[0]))
        with self._account.supposing(*words):
            seat = self.game.awaiting[0] if self.game.awaiting else None
        words.append(Event("accept", seat))
        plays = []
        for lying in sorted(waiting, key=lambda card: card.laid.t):
            place = lying.laid.zone if lying.laid.zone is not None else lying.laid.hand
            plays.append(Event("play", place, (self._read(lying.laid).card or "?",)))
        with self._account.supposing(*words, *plays) as refusal:
            if refusal is not None:
                return []
        first = min(c.laid.t for c in waiting)
        indices = [i for i in (self._account.index_of(c.laid) for c in waiting) if i is not None]
        index = min(indices, default=len(self._account.entries))
        again = self._account.still_offered(index)
        opened = [e for e in self._account.entries[index].events if e.verb == "deal"] if again else []
        items: list[Offered] = [Ruled(first, decided, (*opened, *words)), *again]
        question = Question(first, decided, "taken", {"seat": seat})
        return [question, *self._replay(index, items, decided)]

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
            with self._account.supposing(*events):
                phase, awaiting = self.game.phase, self.game.awaiting
            if phase != "answer" or not awaiting:
                break
            legal = self._after(events)
            words = [Event(verb, awaiting[0]) for verb in ("refuse", "fold")]
            events.append(next((word for word in words if word in legal), words[-1]))
            with self._account.supposing(*events) as refusal:
                if refusal is not None:
                    return []
        question = Question(t, t + SWEPT, "folded", {"seat": events[0].seat})
        return [question, *self._handle(Ruled(t, t + SWEPT, tuple(events)), t + SWEPT)]

    def _after(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """What would be legal after these events."""
        with self._account.supposing(*events):
            return self.game.legal()

    # -- knocks ----------------------------------------------------------------------------------------------

    def _knock(self, knock: Knock, decided: float) -> list[Act]:
        """A fist on the table is a trut by whoever's hand is over the table (NOTATION.md section 9,
        CLI.md)."""
        spoken = self._spoken_with(knock)
        if spoken is not None:
            return self._replay(spoken, [knock, *self._account.still_offered(spoken + 1)], decided)
        may = self._account.who_may("trut")
        hands = self._hands_at(knock)
        if not may or self._is_thump(knock, hands.seats) or not (hands.seats or is_sure(knock)):
            return []
        seats = [seat for seat in hands.seats if seat in may]
        if hands.seats and not seats:
            return []  # only hands that cannot have called
        if not hands.seats and self._not_dealt(knock.t):
            return []
        if not (seats and hands.settled) and len(may) > 1:
            return self._ask_who_knocks(knock, seats, may, decided)
        seat = seats[0] if seats else may[0]
        asked = self._answering.waiting(knock.t)
        if asked is not None and asked.fields.get("verb") == "trut":  # knocked again, and seen
            return self._answering.seat(seat, knock.t, decided, "microphone") or []
        return self._call(knock, Event("trut", seat), decided, "microphone", knock.confidence)

    def _hands_at(self, knock: Knock) -> Knockers:
        """The hands that may have knocked; a faint knock is only believed of a hand that does nothing else."""
        hands = self._knocks.knockers(knock)
        if is_sure(knock):
            return hands
        idle = self._knocks.idle_hands(knock)
        return Knockers(tuple(seat for seat in hands.seats if seat in idle), hands.settled)

    def _acknowledged_at_once(self, seen: Observation) -> bool:
        """A knock that cannot well be anything else: whoever truts waits to hear it."""
        return isinstance(seen, Knock) and seen.confidence >= LIKELY_KNOCK and self._knocks.only_knocks(seen)

    def _has_to_do(self, seat: int) -> bool:
        """Whether this hand is expected at the table for something else than a knock: to lay the next card, or,
        between tricks and rounds, to gather and to take up cards."""
        return not self.game.trick or seat == self.game.turn

    def _ask_who_knocks(self, knock: Knock, seats: Sequence[int], may: Sequence[int], decided: float) -> list[Act]:
        """Nobody's hand was seen to knock, or more than one: live the call waits for the answer, from files it is the
        likeliest seat's, by the rules."""
        question = Question(knock.t, decided, "who", {"verb": "trut"})
        if self._live:
            return [question] if self._answering.waiting(knock.t) is None else []
        seat = seats[0] if seats else self._by_rules(may)[0]
        return [question, *self._call(knock, Event("trut", seat), decided, "rules", knock.confidence)]

    def _spoken_with(self, knock: Knock) -> int | None:
        """Where the spoken trut stands that this knock goes with, if the hand shows that another seat than
        the one whose turn it was both spoke and knocked."""
        hands = self._knocks.idle_hands(knock)
        for index, entry in enumerate(self._account.entries[-2:], max(0, len(self._account.entries) - 2)):
            spoken = entry.seen
            if isinstance(spoken, Phrase) and spoken.speaker is None and abs(spoken.t - knock.t) <= TOGETHER:
                trut = bool(entry.events) and entry.events[-1].verb == "trut" and self.game.phase == "answer"
                if trut and hands and entry.seat not in hands:
                    return index
        return None

    def _is_thump(self, knock: Knock, hands: Sequence[int]) -> bool:
        """The sound of a card slapped on the table by the hand that laid it."""
        return any(
            may_be_thump(knock, card) and (not hands or self._layer(card).seat in hands or card.hand in hands)
            for card in self._cards_laid()
        )

    def _thump_of(self, laid: CardLaid) -> int | None:
        """Where the knock stands that turns out to be this card's own thump."""
        entries = self._account.entries
        for index in range(len(entries) - 1, max(-1, len(entries) - 4), -1):
            entry = entries[index]
            if (
                self.game.phase == "answer"
                and isinstance(entry.seen, Knock)
                and may_be_thump(entry.seen, laid)
                and entry.seat in (laid.zone, laid.hand)
            ):
                return index
        return None

    def _not_dealt(self, t: float) -> bool:
        """Between rounds, too soon or with the last cards still there: nobody calls before they are gathered
        and dealt."""
        lying = self.game.phase == "deal" and any(card.played for card in self._table)
        return lying or self._too_soon(t, GATHERING)

    def _too_soon(self, t: float, seconds: float) -> bool:
        """Between rounds, within so many seconds of the end of the last one."""
        return self.game.phase == "deal" and t - self._settled_at < seconds

    # -- words -----------------------------------------------------------------------------------------------

    def _phrase(self, phrase: Phrase, decided: float) -> list[Act]:
        """A phrase is what it can mean now; what it can mean for nobody is dropped."""
        meanings = list(dict.fromkeys((phrase.phrase, *phrase.means)))
        if not phrase.doubtful and phrase.confidence < SURE_ANSWER and self._follows_too_soon(phrase):
            return []
        acts: list[Act] = []
        match self._asking.heard(phrase):
            case Reply.YES:
                return self._confirm(decided)
            case Reply.NO:
                self._asking.take()
                return []
            case Reply.IMPLIED:
                acts += self._confirm(decided)
        for meaning in meanings:
            if meaning.split(" ")[0] in TO_ASSISTANT:
                return acts + self._word_to_assistant(meaning, phrase, decided)
        for meaning in meanings:
            if meaning.startswith(f"{SEAT} "):
                return acts + self._seat_named(meaning.split(" ")[1], phrase, decided)
        named = self._card_named(phrase, decided) if self._unread is None else None
        if named is not None:
            return acts + named
        for meaning in meanings:
            verb, *args = meaning.split(" ")
            may = self._account.who_may(verb, tuple(args))
            if not may or self._not_dealt(phrase.t) or (verb in LATE_ANSWERS and self._too_soon(phrase.t, DEALING)):
                continue
            if phrase.speaker is not None and phrase.speaker not in may:
                continue
            if phrase.doubtful:
                return acts + self._ask_back(meaning, phrase, decided)
            seat, by = self._whose(phrase, may)
            if seat is None:
                return [*acts, Question(phrase.t, decided, "who", {"verb": verb, "args": tuple(args)})]
            return acts + self._call(phrase, Event(verb, seat, tuple(args)), decided, by, phrase.confidence)
        if phrase.doubtful:
            return acts
        if (
            not phrase.answer
            and phrase.confidence >= SURE_ANSWER
            and (not self.game.awaiting or self.game.phase == "fortial")
        ):
            for meaning in meanings:
                if meaning in LATE_ANSWERS:
                    unheard = self._unheard_knock(phrase, meaning, decided)
                    if unheard:
                        return acts + unheard
        return acts + self._infraction_by_word(phrase, meanings, decided)

    def _whose(self, phrase: Phrase, may: Sequence[int]) -> tuple[int | None, str]:
        """The seat of a call: that of the voice if it is known and may make it, else by the rules."""
        if phrase.speaker is not None:
            return phrase.speaker, "microphone"
        seat = self._seat_of_voice(phrase)
        return (seat, "voice") if seat in may else self._by_rules(may)

    def _seat_of_voice(self, phrase: Phrase) -> int | None:
        """Where the player sits whose enrolled voice this is."""
        name = (phrase.speaker_name or "").casefold()
        seats = (seat for seat, text in self.game.header.names.items() if name and text.casefold() == name)
        return phrase.speaker or next(seats, None)

    # -- asking back -----------------------------------------------------------------------------------------

    def _ask_back(self, meaning: str, phrase: Phrase, decided: float) -> list[Act]:
        """Ask whether this was meant, unless another question waits."""
        if not self._asking.ask(phrase, meaning, decided):
            return []
        return [Question(phrase.t, decided, "sure", {"meaning": meaning})]

    def _confirm(self, decided: float) -> list[Act]:
        """What was asked about was meant: it counts from when it was said."""
        asked = self._asking.take()
        if asked is None:
            return []
        if asked.verb in TO_ASSISTANT:
            return self._command(asked.meaning, asked.phrase, decided)
        sure = dataclasses.replace(
            asked.phrase,
            doubtful=False,
            phrase=asked.meaning,
            means=(asked.meaning,),
            confidence=max(CONFIRMED, asked.phrase.confidence),
        )
        return self._in_order(sure, decided)

    def _unanswered(self, clock: float) -> list[Act]:
        """A question lapses; an answer that the rules waited for counts as it was heard (from files only)."""
        asked = self._asking.waiting
        if asked is None or self._asking.lapsed(clock) is None:
            return []
        sure = dataclasses.replace(
            asked.phrase,
            doubtful=False,
            phrase=asked.meaning,
            means=(asked.meaning,),
            confidence=max(SURE_ANSWER, asked.phrase.confidence),
        )
        return self._in_order(sure, asked.until)

    # -- the pause -------------------------------------------------------------------------------------------

    def _in_pause(self, seen: Offered, decided: float) -> list[Act]:
        """While the game pauses only a few words to the assistant count; a card laid in its turn ends it."""
        match seen:
            case Phrase():
                words = [m for m in (seen.phrase, *seen.means) if m in PAUSED]
                return self._command(words[0], seen, decided) if words else []
            case CardLaid():
                if seen.t <= 0 or self._account.turn() not in (seen.zone, seen.hand):
                    self._table.lay(seen)
                    return []
                self._paused = False
                return [Notice(seen.t, decided, "resumed"), *self._in_order(seen, decided)]
        return []

    def _half_heard_words(self, clock: float) -> list[Act]:
        """Words heard with doubt, once nothing better was heard at about that time."""
        acts: list[Act] = []
        while self._half_heard and clock >= self._half_heard[0].t + SECOND_HEARING + SPOTTING:
            phrase = self._half_heard.pop(0)
            others = [o for o in (*self._queue, *self._half_heard) if isinstance(o, Phrase) and not o.doubtful]
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
            for e in self._account.entries[-4:]
        )

    def _unheard_knock(self, phrase: Phrase, verb: str, decided: float) -> list[Act]:
        """Somebody answers although nobody called: if a hand has just been over the table for nothing else,
        it knocked; at fortial a trut is the only thing that can be answered."""
        if self.game.phase not in ("play", "deal", "fortial") or self._not_dealt(phrase.t):
            return []
        with self._account.dealt():
            truter = self.game.awaiting[0] if self.game.phase == "fortial" else None
        asked = self._answering.waiting(phrase.t)
        if truter is not None:
            visits = [(truter, phrase.t - BREATH)]
        elif asked is not None and asked.fields.get("verb") == "trut":  # somebody knocked, who is being asked
            may = self._account.who_may("trut")
            visits = [(seat, asked.t) for seat in sorted(may, key=lambda s: s != self._account.turn())]
        else:
            visits = self._knocks.idle_visits(phrase.t)
        for seat, t in visits:
            call = (*self._account.deal_due(), Event("trut", seat))
            with self._account.supposing(*call) as refusal:
                fits = refusal is None and self._answers(phrase, verb)
            if fits:
                acts = self._in_order(Ruled(t, decided, call), decided)
                made = self.game.phase == "answer"  # what has happened since may forbid it
                return [*acts, *self._phrase(phrase, decided)] if made else acts
        for seat in self._account.who_may("trut"):
            with self._account.supposing(*self._account.deal_due(), Event("trut", seat)):
                if self._answers(phrase, verb):
                    return [Question(phrase.t - BREATH, decided, "who", {"verb": "trut"})]
        return []

    def _answers(self, phrase: Phrase, verb: str) -> bool:
        """Whether whoever spoke may answer so now."""
        seat = self._seat_of_voice(phrase) or (self.game.awaiting[0] if self.game.awaiting else None)
        return Event(verb, seat) in self.game.legal()

    def _infraction_by_word(self, phrase: Phrase, meanings: Sequence[str], decided: float) -> list[Act]:
        """A call that the rules forbid now, if it is of the kind that is recorded."""
        if phrase.answer or self.game.phase in ("deal", "over"):
            return []
        seat = phrase.speaker or self.game.turn
        for meaning in meanings:
            verb, *args = meaning.split(" ")
            event = Event(verb, seat, tuple(args))
            with self._account.supposing(event) as refusal:
                pass
            if refusal is not None and refusal.code in RECORDED["microphone"]:
                entry = self._account.enter(phrase)
                return self._apply(event, phrase.t, decided, "microphone", phrase.confidence, entry)
        return []

    def _by_rules(self, may: Sequence[int]) -> tuple[int | None, str]:
        """The seat of an unknown voice or hand: whose turn it is, else the only one that may, else the first
        in the order of play (from files) or nobody (live: the players are asked)."""
        with self._account.dealt():
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
        entry = self._account.enter(seen)
        acts: list[Act] = []
        for deal in self._account.deal_due():
            acts += self._apply(deal, seen.t, decided, "rules", None, entry)
        entry.seat, entry.p = event.seat, p
        return [*acts, *self._apply(event, seen.t, decided, by, p, entry)]

    def _card_named(self, phrase: Phrase, decided: float, by: str = "voice") -> list[Act] | None:
        """A card's name answers the question about a card; after "non" or "c'était" it corrects one. None
        where the phrase names no card."""
        name = phrase.phrase
        if self.game.table.PACK.get(name) is None:
            return None
        gap = self._unseen.gap
        if gap is not None and gap.unread is None and not corrects(phrase.text):
            return self._unseen_named(gap, name, phrase, decided, by)
        index = self._corrections.asked(phrase.t)
        if index is None and corrects(phrase.text):
            index = self._corrections.meant(name, phrase.t)
        if index is None and (self._seeing or corrects(phrase.text)):
            return []
        if phrase.doubtful:
            return self._ask_back(name, phrase, decided)
        if index is None:  # nobody sees the table: the cards are dictated
            return self._in_order(Told(phrase.t, decided, Event("play", None, (name,)), "voice"), decided)
        if self._corrections.settles(index, name):
            return []
        named = self._corrections.named(index, name)
        if named is None:
            return [Notice(phrase.t, decided, "card-out", {"card": name})]
        return self._correct(index, named, decided, by=by)

    def _seat_named(self, who: str, phrase: Phrase, decided: float) -> list[Act]:
        """A player's name answers the question whose card or call it was; after "c'était" it corrects the
        latest."""
        seat = self.game.dealer if who == "dealer" else int(who)
        if phrase.doubtful or not 1 <= seat <= self.game.seats:
            return []
        if corrects(phrase.text):
            return self._answering.it_was(seat, phrase.t, decided, "voice")
        return self._answering.seat(seat, phrase.t, decided, "voice") or []

    def _unseen_named(self, gap: Gap, name: str, phrase: Phrase, decided: float, by: str) -> list[Act]:
        """The players say which card it was that nobody saw."""
        if phrase.doubtful:
            return self._ask_back(name, phrase, decided)
        if not self._account.possible()(name):
            return [Notice(phrase.t, decided, "card-out", {"card": name})]
        return self._seen_at_last(Told(gap.since, decided, Event("play", gap.seat, (name,)), by), decided)

    def _word_to_assistant(self, word: str, phrase: Phrase, decided: float) -> list[Act]:
        """Follow a command, or ask whether it was meant."""
        if word == f"{DEALER} me":
            seat = self._seat_of_voice(phrase)
            if seat is None:
                return [Notice(phrase.t, decided, "dealer-unknown")]
            word = f"{DEALER} {seat}"
        if word in BEGINS and self.game.phase == "over" and not phrase.doubtful:
            return self._command(word, phrase, decided)
        if word.startswith(DEALER) and self.game.phase != "deal":
            return []
        if word == f"{DEALER} {self.game.next_dealer}":
            return self._command(word, phrase, decided)
        if word.split(" ")[0] in ALWAYS:
            running = self.game.phase not in ("deal", "over")
            return self._ask_back(word, phrase, decided) if running or word != "annul" else []
        if phrase.doubtful:
            return self._ask_back(word, phrase, decided) if word in IF_DOUBTFUL and self.game.log else []
        return self._command(word, phrase, decided)

    def _command(self, word: str, phrase: Phrase, decided: float, by: str = "voice") -> list[Act]:
        t = phrase.t
        match word:
            case "undo":
                return self._amending.undo(1, t, decided, by, phrase.confidence)
            case "annul":
                annul = Event("annul")  # offered again after a correction, and not asked about again
                entry = self._account.enter(Ruled(t, decided, (annul,)))
                return self._apply(annul, t, decided, by, phrase.confidence, entry)
            case "before":
                return self._ask_before(t, decided)
            case "pause":
                self._paused = True
                return [Notice(t, decided, "paused")]
            case "resume":
                if not self._paused:
                    return []
                self._paused = False
                return [Notice(t, decided, "resumed")]
            case _ if word.startswith(f"{DEALER} "):
                return [self._dealer(int(word.split(" ")[1]), t, decided)]
            case _:
                return [Notice(t, decided, word)]

    def _ask_before(self, t: float, decided: float) -> list[Act]:
        """Ask which card the one before was; said again, the one before that."""
        index = self._corrections.before(t)
        if index is None:
            return [Notice(t, decided, "nothing-to-correct")]
        entry = self._account.entries[index]
        self._corrections.ask(entry.seen, decided)
        return [Question(t, decided, "which-card", {"seat": entry.seat, "card": entry.card})]

    def _dealer(self, seat: int, t: float, decided: float) -> Notice:
        """Who deals next, as the players say: what the rules say too, or where the game goes on in a new record."""
        if self.game.phase != "deal":
            return Notice(t, decided, "dealer-later")
        return Notice(t, decided, "turn" if seat == self.game.next_dealer else "dealer", {"seat": seat})

    # -- what a person tells ---------------------------------------------------------------------------------

    def _told(self, told: Told, decided: float) -> list[Act]:
        """Offer what a person told in its place; it ends a pause."""
        acts: list[Act] = [Notice(told.t, decided, "resumed")] if self._paused else []
        self._paused = False
        return acts + self._in_order(told, decided)

    def _card_told(self, card: str, t: float, decided: float, by: str) -> list[Act] | None:
        """A person names a card: the one that is being looked at again or was asked about; None where none is."""
        if self._unread is not None and self._read(self._unread.laid).p < SURE_RANK:
            surely = ((card, 1.0),)
            return self._reread(CardReread(t, decided, self._unread.laid.track, card, 1.0, surely), decided)
        if not self._card_asked(t):
            return None
        return self._card_named(Phrase(t, decided, card, (card,), True, card, 1.0), decided, by)

    def _card_asked(self, t: float) -> bool:
        """Whether the players are asked at ``t`` which card one is."""
        return self._unseen.gap is not None or self._corrections.asked(t) is not None

    def _yes_or_no(self, yes: bool, decided: float) -> list[Act] | None:
        """The answer to what was asked back; None where nothing was."""
        if self._asking.waiting is None:
            return None
        if yes:
            return self._confirm(decided)
        self._asking.take()
        return []

    def _mark(self, entry: Entry, played: bool) -> None:
        """The card of an entry lies there as one that counts, or as one that does not."""
        card = None if entry.track is None else self._table.get(entry.track)
        if card is not None:
            card.played, card.waits = played, False

    # -- the rules -------------------------------------------------------------------------------------------

    def _apply(
        self, event: Event, t: float, decided: float, by: str, p: float | None, entry: Entry | None
    ) -> list[Act]:
        """Offer one event to the rules and say what came of it."""
        game, before = self.game, self.game.turn
        answer = self._account.apply(event, entry)
        refused = answer.code if isinstance(answer, Refusal) else None
        if isinstance(answer, Refusal):
            if refused not in RECORDED["camera" if event.verb == "play" else "microphone"]:
                return []
            outcomes: tuple[object, ...] = (answer,)
        else:
            outcomes = answer.outcomes
            if game.turn != before or event.verb in ("play", "accept"):
                self._turn_since = t
            if event.verb == "undo":
                self._settled_at = self._account.settled_at()
            else:
                self._amending.happened()
            if any(isinstance(outcome, RoundEnded) for outcome in outcomes):
                self._settled_at = t
        return [Action(t, max(decided, t), event, by, p, refused, outcomes, turn=game.turn, awaiting=game.awaiting)]


def _stand_again(before: Sequence[Event], now: Sequence[Event]) -> bool:
    """Whether all these events stand there again in their order: nothing was taken back, only put in order."""
    later = iter(now)
    return all(any(event == other for other in later) for event in before)
