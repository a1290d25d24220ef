"""The assistant's own voice sets nothing off, and players are heard beside it where they can be.

All sentences at all levels: ``python -m assistant.own_voice --check``; here a dozen of them.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from assistant.acts import Act, Action, Notice
from assistant.announcer import Announcement
from assistant.bench.own_voice import LEVELS, Loop, announcements, in_room, room
from assistant.holding import Observation
from assistant.i18n import set_language
from assistant.live import Live
from assistant.own_voice import LATE, TAIL, OwnVoice, knocks_in
from assistant.session import Referee
from audio.ears import Ears
from audio.events import Knock, Phrase
from audio.health import Trouble
from audio.resampling import RATE, resampled
from audio.speech import Speaker, synthesise, turned
from engine import Game, Header


@pytest.fixture(autouse=True)
def _french() -> Iterator[None]:
    set_language("fr")
    yield
    set_language("fr")


def call(t: float) -> Phrase:
    return Phrase(t, t + 0.3, "trut", ("trut",), False, "je trute", 0.99)


def knock(t: float, p: float = 0.98) -> Knock:
    return Knock(t, t + 0.15, p, 1, 1)


# -- what is believed --------------------------------------------------------------------------------------------------


def test_words_are_not_believed_while_it_speaks_and_a_moment_after() -> None:
    own = OwnVoice()
    own.begins(2.0)
    assert own.is_own(call(2.5))
    own.ends(4.0)
    assert own.is_own(call(4.0 + TAIL))
    assert not own.is_own(call(4.1 + TAIL))


def test_words_that_ended_before_it_began_are_believed() -> None:
    own = OwnVoice()
    own.begins(2.0)
    assert not own.is_own(call(1.9))
    own.ends(4.0)
    own.begins(8.0)
    assert not own.is_own(call(7.9))
    assert own.is_own(call(3.0))


def test_a_sure_knock_counts_while_it_speaks_and_a_faint_one_does_not() -> None:
    own = OwnVoice()
    own.begins(2.0, np.zeros(RATE, np.float32), RATE)
    assert not own.is_own(knock(2.5))
    assert own.is_own(knock(2.5, p=0.5))
    own.ends(3.0)
    assert not own.is_own(knock(3.1 + TAIL, p=0.5))


def test_where_the_announcement_knocks_itself_no_knock_is_believed() -> None:
    thud = np.zeros(2 * RATE, np.float32)
    n = np.arange(2000)
    thud[RATE : RATE + 2000] = 0.5 * np.exp(-n / 250) * np.sin(2 * np.pi * 180 * n / RATE)
    places = knocks_in(thud.tobytes(), RATE)
    if not places:
        pytest.skip("the detector takes this thud for no knock")
    assert abs(places[0] - 1.0) < 0.1
    own = OwnVoice()
    own.begins(5.0, thud, RATE)
    assert own.is_own(knock(5.0 + places[0] + 0.2))
    assert not own.is_own(knock(5.0 + places[0] + LATE + 0.2))
    assert not own.is_own(knock(5.2))


def test_the_voice_can_be_turned_and_never_clips() -> None:
    sound = synthesise("Pli pourri.")[0]
    assert np.abs(turned(sound, -1)).max() == pytest.approx(np.abs(sound).max() / 2, rel=0.01)
    assert np.abs(turned(sound, 2)).max() <= 1.0
    assert np.abs(turned(sound, 2)).mean() > 1.5 * np.abs(sound).mean()


# -- played back into the ears -----------------------------------------------------------------------------------------


def test_a_dozen_announcements_set_nothing_off() -> None:
    loop = Loop(0)
    found, number = [], 0
    for code in ("fr", "en"):
        set_language(code)
        texts = announcements(range(1))
        chosen = ["Je trute, c'est bien ça ?", *texts[5 :: len(texts) // 5][:5]]
        for text in chosen:
            found += loop.say(text, level=LEVELS[number % len(LEVELS)])
            number += 1
    assert number == 12
    assert [f for f in found if not f.own] == []
    assert any(isinstance(f.heard, Phrase) for f in found)  # without the guard something would be


def test_the_announcements_are_those_of_all_games_in_both_languages() -> None:
    french = announcements(range(1))
    assert len(french) > 400
    assert len(french) == len(set(french))
    assert not any("{" in text for text in french)
    for text in ("Pli pourri.", "Qui trute ?", "Faire une pause ?", "Le huit de cœur, c'est bien ça ?"):
        assert text in french
    set_language("en")
    assert len(announcements(range(1))) > 400


class Round:
    """A loudspeaker and a microphone in one room, in real time: what is played is heard a little later."""

    rate = RATE
    name = "loop"

    def __init__(self, seconds: float) -> None:
        self._blocks = round(seconds * 20)
        self._air = np.zeros(0, np.float32)
        self._lock = threading.Lock()
        self._response = room(np.random.default_rng(1), 0.3)
        self.played: queue.SimpleQueue[float] = queue.SimpleQueue()

    def play(self, samples: np.ndarray, rate: int) -> None:
        wet = in_room(resampled(samples, rate, RATE), self._response, -6)
        with self._lock:
            self._air = np.concatenate([self._air, np.zeros(RATE // 10, np.float32), wet])
        time.sleep(len(samples) / rate)
        self.played.put(time.monotonic())

    def __iter__(self) -> Iterator[np.ndarray]:
        size = RATE // 20
        began = time.monotonic()
        noise = np.random.default_rng(2).normal(0, 5e-4, size).astype(np.float32)
        for number in range(self._blocks):
            time.sleep(max(0.0, began + (number + 1) / 20 - time.monotonic()))
            with self._lock:
                block, self._air = self._air[:size], self._air[size:]
            yield np.pad(block, (0, size - len(block))) + noise

    def close(self) -> None: ...


class Shown:
    def __init__(self) -> None:
        self.events: list[str] = []
        self.heard: list[Observation | Trouble] = []

    def observed(self, observation: Observation | Trouble) -> None:
        self.heard.append(observation)

    def acted(self, act: Act) -> None:
        if isinstance(act, Action):
            self.events.append(str(act.event))

    def announced(self, announcement: Announcement) -> None: ...


def test_live_a_question_with_je_trute_in_it_truts_nobody() -> None:
    loop = Round(6.0)
    speaker = Speaker("fr", play=loop.play)
    shown = Shown()
    assert Ears(game="trut").accept(np.zeros(RATE, np.float32)) == []  # the models are loaded before the clock runs
    ears = Ears(game="trut")
    table = Live(Referee(Game(Header("trut")), None, shown, speaker, live=True), None, None, loop, ears)
    threading.Timer(0.5, lambda: speaker.say("Qui trute ?")).start()
    threading.Timer(0.6, lambda: speaker.say("Je trute, c'est bien ça ?")).start()
    table.run()
    speaker.close(hush=True)
    assert loop.played.qsize() == 2
    assert shown.events == []
    assert [o for o in shown.heard if isinstance(o, Phrase | Knock)] == []


def test_louder_and_quieter_turn_the_voice() -> None:
    loop = Round(0.1)
    speaker = Speaker("fr", play=loop.play)
    referee = Referee(Game(Header("trut")), None, Shown(), speaker)
    peaks: list[float] = []
    speaker.tell(lambda samples, rate: peaks.append(float(np.abs(samples).max())), lambda: None)
    referee.follow([Notice(1.0, 1.0, "quieter"), Notice(2.0, 2.0, "quieter"), Notice(3.0, 3.0, "louder")])
    speaker.close()
    assert len(peaks) == 3
    assert peaks[1] < 0.7 * peaks[0]
    assert peaks[2] > peaks[1]
