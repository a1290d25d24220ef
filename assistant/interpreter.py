"""The interpreter: the one place where pictures, sounds and rules meet (DESIGN.md).

Observations go in with their times, actions, questions and notices come out (``assistant.acts``). It has no
device and no clock of its own: the session tells it how far eyes and ears have come. The same observations
give the same acts.

    eyes, ears ──observe()──► HoldingQueue ──in order of t──► card │ knock │ phrase ──► Game.apply ──► acts

Layer upon layer, each a module and a class that builds on the one below:

    interpreter   what comes in and goes out, what may be said now, the pause, words to the assistant
    calling       knocks and words: whose they are, what they mean now, what is asked back
    laying        cards: who laid them, which they are, when they count
    gaps          what must have happened although nobody saw or heard it
    following     order: offered to the rules, taken back, offered again
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence

from assistant.account import Account, Entry, Offered, Ruled, Told
from assistant.acts import Act, Notice, Question
from assistant.amending import Amending
from assistant.answering import Answering
from assistant.asking import ALWAYS, BEGINS, IF_DOUBTFUL, Asking
from assistant.calling import SURE_ANSWER, Calling
from assistant.correcting import Corrections
from assistant.following import Unread
from assistant.ghosts import Ghosts
from assistant.holding import HOLD, HoldingQueue, Observation
from assistant.knocking import Knocks, is_sure
from assistant.obeying import Obeying
from assistant.orders import Order
from assistant.tabletop import Tabletop
from assistant.unseen import Unseen
from assistant.weighing import SURE_RANK
from audio.cardnames import corrects
from audio.events import Knock, Phrase
from audio.phrasebook import CARD, COMMANDS, CORRECTION, DEALER, SEAT
from engine import Event, Game
from vision.events import CameraBack, CameraLost, CardLaid, CardMoved, CardReread, CardsTaken, HandGone, HandSeen

PAUSED = COMMANDS - ALWAYS - {"undo"}
"""Words to the assistant that it follows while the game pauses; it hears nothing else."""
SURE_WORD = {"undo": 0.9, "annul": 0.9, "brelan": 0.9, "tierce": 0.9, "deux-petits": 0.9}
"""Confidence below which a word is asked back that is said seldom and changes much: in a noisy room most of
those heard were not said."""
LINGER = 1.0
"""Seconds that a word stays welcome after its moment has passed: it may have been said before that."""


class Interpreter(Calling):
    """The topmost layer, and the only one that others use.

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
        self._unread: Unread | None = None
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
        self._amending = Amending(
            self._account,
            apply=self._apply,
            replay=self._replay_corrected,
            mark=self._mark,
            returned=self._returned,
        )
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
        self._explaining = False
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

    # -- how it stands with the table, for whoever shows it --------------------------------------------------

    @property
    def paused(self) -> bool:
        """Whether the game pauses."""
        return self._paused

    @property
    def turn(self) -> int | None:
        """The seat that lays the next card; between rounds the one that will lead the next round."""
        return self._account.turn()

    @property
    def reading(self) -> bool:
        """Whether a card lies there that is being read, or held back until what came before it is known."""
        return self._unread is not None or any(isinstance(o, CardLaid) for o in self._queue)

    def waits_for(self, question: Question, clock: float) -> bool:
        """Whether a question can still be answered at ``clock``."""
        match question.kind:
            case "who" | "whose-card":
                return self._answering.waits_for(question, clock)
            case "sure":
                asked = self._asking.waiting
                return asked is not None and asked.meaning == question.fields.get("meaning")
            case "which-card" | "counted" | "twice":
                return self._card_asked(clock)
        return False

    def asked_about(self, clock: float) -> Entry | None:
        """The entry of the card that the players are asked about; None where no card is, or nobody saw it."""
        index = None if self._unseen.gap is not None else self._corrections.asked(clock)
        return None if index is None else self._account.entries[index]

    def who_may(self, question: Question) -> tuple[int, ...]:
        """The seats that can be the answer to the question who called."""
        args = question.fields.get("args", ())
        assert isinstance(args, tuple)
        return self._account.who_may(str(question.fields.get("verb")), args)

    @property
    def corrected(self) -> int | None:
        """The number of the correction that one ``undo`` would take back now; None: it would be the last event."""
        return self._amending.corrected

    @property
    def undone(self) -> tuple[int, int] | None:
        """What ``redo`` would bring back, as something to be compared; None where there is nothing."""
        return self._amending.undone

    @property
    def brings_back(self) -> Event | None:
        """The last event that ``redo`` would bring back; None where it would bring back a correction, or nothing."""
        return self._amending.brings_back

    def may(self) -> tuple[Event, ...]:
        """What the rules allow now but cards, and between rounds what may be called once it is dealt."""
        due = self._account.deal_due()
        with self._account.dealt():
            return (
                *due,
                *(event for event in self.game.legal() if event.verb != "play" and not (due and event.verb == "annul")),
            )

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
