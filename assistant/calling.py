"""Calling: knocks and words: whose they are, what they can mean now, and what is asked back."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Sequence

from assistant.account import Ruled
from assistant.acts import Act, Action, Question
from assistant.asking import TO_ASSISTANT, Reply
from assistant.following import LATE, LATE_ANSWERS, RECORDED
from assistant.holding import Observation
from assistant.knocking import LIKELY_KNOCK, Knockers, is_sure, may_be_thump
from assistant.laying import Laying
from audio.events import Knock, Phrase
from audio.phrasebook import COMMANDS, SEAT
from engine import Event
from vision.events import CardLaid

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


class Calling(Laying):
    """The layer of what players call: a fist on the table, a word."""

    @abstractmethod
    def _card_named(self, phrase: Phrase, decided: float, by: str = "voice") -> list[Act] | None:
        """A card's name answers the question about a card; after "non" or "c'était" it corrects one. None
        where the phrase names no card."""

    @abstractmethod
    def _seat_named(self, who: str, phrase: Phrase, decided: float) -> list[Act]:
        """A player's name answers the question whose card or call it was; after "c'était" it corrects the
        latest."""

    @abstractmethod
    def _word_to_assistant(self, word: str, phrase: Phrase, decided: float) -> list[Act]:
        """Follow a command, or ask whether it was meant."""

    @abstractmethod
    def _command(self, word: str, phrase: Phrase, decided: float, by: str = "voice") -> list[Act]:
        """Follow a word to the assistant."""

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

    # -- knocks ------------------------------------------------------------------------------------------------------

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

    # -- words -------------------------------------------------------------------------------------------------------

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
            if not may or self._not_dealt(phrase.t) or (verb in LATE_ANSWERS and self._too_soon(phrase.t, LATE)):
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

    # -- asking back -------------------------------------------------------------------------------------------------

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
