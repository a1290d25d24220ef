"""The recogniser that ships: the phone net, utterances cut by silence, and the choice among the calls and everything
that is no call."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from audio.acoustic import STEP, WEIGHTS, PhoneStream
from audio.choosing import MEMORY, Choice, Chooser, Evidence, Match
from audio.features import RATE, Floats, clean
from audio.lexicon import spelled
from audio.phones import SIL
from audio.phrasebook import Call
from audio.voices import Joined, SpeakerVoices, utterance

#: Silence that stands for what comes after the end of the stream (seconds): sight of the net and the pause.
_TAIL = 0.9
#: Sound that is kept beyond what is remembered of the outputs (seconds): what an own take sees around a phrase.
_MARGIN = 1.0
#: Sounds of a short call.
_SHORT = 2
#: Likeliest calls that are compared with the players' own takes.
_COMPARED = 12


@dataclass(frozen=True, slots=True)
class Strictness:
    """When a phrase counts as heard. How the figures were found is in docs/decisions/choosing-phrases.md.

    Attributes:
        least: confidence from which a call counts as heard.
        least_answer: the same for words that count only while somebody is asked.
        least_short: the same for others of two sounds ("aide"), and for careful ones ("répète"): such sounds are in
            everything that people say, or laugh.
        sure: confidence from which nobody need be asked back.
        lead: log-likelihood before the best that means something else from which nobody need be asked back.
        unquiet: taken from the log-likelihood of silence. The net calls a word under loud babble silence too often.
    """

    least: float = 0.3
    least_answer: float = 0.25
    least_short: float = 0.95
    sure: float = 0.8
    lead: float = 2.0
    unquiet: float = 0.0

    def at_least(self, call: Call) -> float:
        """Confidence from which this call counts."""
        if call.answer:
            return self.least_answer
        short = min(len(way) for way in call.pronunciations) <= _SHORT
        return self.least_short if short or call.careful else self.least

    def doubts(self, evidence: Evidence, sure: float, own: Joined | None = None) -> bool:
        """Whether a call of this confidence should be asked back."""
        return sure < self.sure or (evidence.lead < self.lead if own is None else own.close)


#: Logistic regression on :class:`audio.choosing.Evidence` (fields in order, then the constant); fitted by
#: models/phrases/recipe/confidence.py.
WEIGHING = (0.072, 0.128, 3.162, 0.554, 0.424, 1.080, 0.396, 0.047, 1.845, 5.223)


def confidence(evidence: Evidence) -> float:
    """How sure it is that the call was said, 0 to 1: from .3 on it counts, from .8 on nobody need be asked back. What a
    false call and a missed one cost is behind these two (models/phrases/recipe/confidence.py)."""
    total = sum(w * f for w, f in zip(WEIGHING, astuple(evidence), strict=False)) + WEIGHING[-1]
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@dataclass(frozen=True, slots=True)
class Heard:
    """A call that was recognised; ``t`` is its end, ``decided`` when that was known (stream seconds).

    ``doubtful``, ``rival`` and ``speaker_name`` as in :class:`audio.events.Phrase`.
    """

    call: Call
    t: float
    decided: float
    confidence: float
    doubtful: bool = False
    rival: str = ""
    speaker_name: str | None = None


class Spotter:
    """Hears a closed set of calls in a stream. The result does not depend on the sizes of the blocks.

    Args:
        calls: what may be said.
        strictness: when it counts.
        weights: the phone net.
        voices: the players' own takes, joined to what the net says.
    """

    def __init__(
        self,
        calls: Sequence[Call],
        strictness: Strictness | None = None,
        weights: Path = WEIGHTS,
        voices: SpeakerVoices | None = None,
    ) -> None:
        self._calls = tuple(calls)
        self._strict = strictness or Strictness()
        self._voices = voices
        self._chooser = Chooser(self._calls)
        self._phones = PhoneStream(weights)
        self._samples = 0
        self._sound = np.zeros(0, np.float32)
        self._sound_from = 0
        self._hidden: list[Floats] = []

    def welcome(self, calls: Sequence[bool] | None) -> None:
        """Which calls may be said now (one flag each); the others still compete, so that they are not taken
        for these. The many names of cards do not: they are searched for only while a card may be named."""
        self._chooser.welcome = np.ones(len(self._calls), bool) if calls is None else np.array(calls, bool)

    def teach(self, voices: SpeakerVoices) -> None:
        """Compare what is said from now on with these takes; what was said before is not remembered for it."""
        if self._voices is None:
            self._sound, self._sound_from, self._hidden = np.zeros(0, np.float32), self._samples, []
        self._voices = voices

    def accept(self, samples: Floats) -> list[Heard]:
        """What is decided with these samples."""
        samples = clean(samples)
        self._samples += len(samples)
        return self._hear(samples)

    def finish(self) -> list[Heard]:
        """What the end of the stream decides; it counts as followed by silence."""
        return self._hear(np.zeros(int(_TAIL * RATE), np.float32))

    def _hear(self, samples: Floats) -> list[Heard]:
        if self._voices is not None:
            self._sound = np.concatenate([self._sound, samples])
        heard: list[Heard] = []
        phones = self._phones.accept(samples)
        phones.likelihoods[:, SIL] -= self._strict.unquiet
        for row, hidden in zip(phones.likelihoods, phones.hidden, strict=True):
            if self._voices is not None:
                self._hidden.append(hidden)
                del self._hidden[:-MEMORY]
            choice = self._chooser.step(row)
            if choice is not None:
                heard += self._judge(choice)
        forget = round((self._phones.time(self._chooser.outputs - MEMORY) - _MARGIN) * RATE) - self._sound_from
        if forget > RATE:
            self._sound = self._sound[forget:]
            self._sound_from += forget
        return heard

    def _judge(self, choice: Choice) -> list[Heard]:
        best, own = choice.matches[0], None
        if self._voices is not None:
            best, own = self._with_own_takes(choice)
        call = self._calls[best.call]
        if not self._counts(best):
            return []
        evidence = self._chooser.evidence(choice, best)
        if evidence is None:
            return []
        sure = confidence(evidence)
        if own is not None:
            sure = own.confidence(sure)
        if sure < self._strict.at_least(call):
            return []
        rival = self._chooser.rival(choice, best)
        end_of_stream = self._samples / RATE
        t = min(best.stop * STEP, end_of_stream)
        return [
            Heard(
                call,
                t,
                max(t, min(self._phones.known_at(choice.span.known), end_of_stream)),
                sure,
                doubtful=self._strict.doubts(evidence, sure, own),
                rival=self._calls[rival.call].text if rival is not None and self._calls[rival.call].phrase else "",
                speaker_name=own.speaker if own is not None else None,
            )
        ]

    def _with_own_takes(self, choice: Choice) -> tuple[Match, Joined | None]:
        """The best match after the own takes have been compared, and what they say for it; None where nobody said
        it."""
        assert self._voices is not None
        first = choice.matches[0]
        until = round(self._phones.known_at(choice.span.known) * RATE) - self._sound_from
        heard = utterance(
            np.array(self._hidden),
            self._chooser.outputs - len(self._hidden),
            self._sound[:until],
            self._sound_from,
            first.start,
            first.stop,
        )
        taught = self._voices.texts()
        by_text = {
            self._calls[m.call].text: m
            for place, m in reversed(list(enumerate(choice.matches)))
            if self._counts(m) and (place < _COMPARED or spelled(self._calls[m.call].text) in taught)
        }
        found = self._voices.joined(
            {text: match.score for text, match in by_text.items()},
            first.stop - first.start,
            heard,
            same={text: self._calls[match.call].means for text, match in by_text.items()},
        )
        if found is None:
            return first, None
        return by_text[found.text], found if found.taught else None

    def _counts(self, match: Match) -> bool:
        """Whether the call means something, and may be said now."""
        return bool(self._calls[match.call].phrase) and bool(self._chooser.welcome[match.call])
