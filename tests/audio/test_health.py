"""Microphones that are pulled out, muted, swapped, overloaded: noticed within 3 s, told once, mended."""

from __future__ import annotations

import numpy as np
import pytest
from sounds import RATE, hiss, put, table, thud

from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.live import Live
from assistant.session import NoViewer, Referee
from assistant.showing import observation_row
from assistant.testing import FakeMicrophones, Fault
from audio.devices import InputDevice
from audio.ears import Ears
from audio.events import Knock
from audio.health import Health, Trouble
from audio.knocks import KnockDetector
from audio.microphone import Microphone
from engine import Game, Header

NOTICED = 3.0
"""Seconds within which trouble must be told."""
USB = InputDevice(0, "Micro USB", 48_000, 1, "ALSA", True)
LAPTOP = InputDevice(1, "Micro interne", 44_100, 2, "ALSA")


def listen(room: FakeMicrophones, device: str | int | None = None) -> tuple[np.ndarray, list[Trouble], Microphone]:
    """All that comes from a microphone of ``room`` until it is closed."""
    microphone = room.microphone(device)
    blocks: list[np.ndarray] = []
    news: list[Trouble] = []
    for block in microphone:
        blocks.append(block)
        news += microphone.news()
    return np.concatenate(blocks), news + microphone.news(), microphone


def told(news: list[Trouble]) -> list[str]:
    return [trouble.what for trouble in news]


def thuds(sound: np.ndarray) -> list[float]:
    """Moments at which something strikes."""
    loud = np.flatnonzero(np.abs(sound) > 0.1) / RATE
    return [float(t) for i, t in enumerate(loud) if i == 0 or t - loud[i - 1] > 0.2]


# -- the microphone stays --


def test_a_quiet_evening_is_no_trouble_and_nothing_is_lost() -> None:
    sound, news, microphone = listen(FakeMicrophones(30, room=table([1.0, 9.5, 20.25], 30)))
    assert news == []
    assert microphone.lost_seconds == 0
    assert abs(len(sound) / RATE - 30) < 0.15
    assert thuds(sound) == pytest.approx([1.0, 9.5, 20.25], abs=0.02)


def test_talk_and_knocks_on_a_loud_evening_are_no_trouble() -> None:
    room = hiss(40, -30)
    for t in np.arange(1, 39, 1.3):  # fists that clip for a moment, all the time
        put(room, thud(), float(t), peak=3.0)
    assert listen(FakeMicrophones(40, room=np.clip(room, -1, 1)))[1] == []


# -- pulled out --


@pytest.mark.parametrize("how", ["unplugged", "stalled"])
def test_a_microphone_that_is_pulled_out_is_missed_once_and_comes_back(how: str) -> None:
    fault = Fault(how, 10, 25)  # type: ignore[arg-type]
    room = table([2.0, 15.0, 30.0, 44.0], 50)
    sound, news, microphone = listen(FakeMicrophones(50, room=room, faults=[fault]))
    assert told(news) == ["lost", "back"]
    assert news[0].t == pytest.approx(10, abs=0.1)
    assert news[0].decided <= 10 + NOTICED
    assert 25 <= news[1].decided <= 25 + 12  # the longest pause between attempts and a little
    assert thuds(sound)[0] == pytest.approx(2.0, abs=0.02)
    assert thuds(sound)[-1] == pytest.approx(44.0, abs=0.05)  # lost time is silence, so that times hold
    assert abs(len(sound) / RATE - 50) < 0.3
    assert microphone.lost_seconds == pytest.approx(news[1].t - 10, abs=0.2)


def test_silence_keeps_coming_while_there_is_no_microphone() -> None:
    room = FakeMicrophones(20, faults=[Fault("unplugged", 5)])
    microphone = room.microphone()
    late = 0.0
    heard = 0
    for block in microphone:
        heard += len(block)
        late = max(late, room.time - heard / RATE)
    assert late < 1.0
    assert told(microphone.news()) == ["lost"]


def test_opening_again_is_tried_less_and_less_often() -> None:
    room = FakeMicrophones(120, faults=[Fault("stalled", 5)], block=0.1)
    _, news, _ = listen(room)
    tries = [t for t, _ in room.opened][1:]
    pauses = np.diff(tries)
    assert told(news) == ["lost"]
    assert len(tries) < 20
    assert max(pauses) < 15


def test_a_loose_contact_is_not_worth_a_word() -> None:
    sound, news, _ = listen(FakeMicrophones(20, room=table([3.0, 15.0], 20), faults=[Fault("unplugged", 8, 8.4)]))
    assert news == []
    assert thuds(sound) == pytest.approx([3.0, 15.0], abs=0.05)


def test_the_same_microphone_under_another_number() -> None:
    """Pulled out and plugged in again beside another one: found by its name, not by its old number."""
    other = InputDevice(0, "Webcam", 16_000, 1, "ALSA", True)
    usb = InputDevice(1, "Micro USB", 48_000, 1, "ALSA")
    faults = [Fault("unplugged", 8, 12, "Micro USB"), Fault("unplugged", 10, 60, "Webcam")]
    room = FakeMicrophones(40, [other, usb], faults=faults)
    _sound, news, microphone = listen(room, "usb")
    assert room.opened[0][1] == 1
    assert room.opened[-1][1] == 0
    assert told(news) == ["lost", "back"]
    assert microphone.name == "Micro USB"


# -- swapped --


def test_another_microphone_takes_over_and_says_so() -> None:
    room = FakeMicrophones(30, [USB, LAPTOP], room=table([2.0, 20.0], 30), faults=[Fault("unplugged", 8, 99, USB.name)])
    sound, news, microphone = listen(room)
    assert told(news) == ["swapped"]
    assert news[0].device == microphone.name == LAPTOP.name
    assert news[0].decided <= 8 + NOTICED
    assert thuds(sound) == pytest.approx([2.0, 20.0], abs=0.05)


def test_a_microphone_asked_for_by_name_is_waited_for_then_another_listens_until_it_is_back() -> None:
    faults = [Fault("unplugged", 8, 25, LAPTOP.name)]
    _sound, news, _ = listen(FakeMicrophones(60, [USB, LAPTOP], faults=faults), "interne")
    assert told(news) == ["lost", "swapped", "swapped"]
    assert [n.device for n in news[1:]] == [USB.name, LAPTOP.name]
    assert 25 < news[2].decided < 25 + NOTICED


def test_the_system_chooses_another_microphone() -> None:
    room = FakeMicrophones(30, [USB, LAPTOP], room=table([2.0, 20.0], 30), defaults=[(10, LAPTOP.name)])
    sound, news, _ = listen(room)
    assert told(news) == ["swapped"]
    assert news[0].device == LAPTOP.name
    assert news[0].decided <= 10 + NOTICED
    assert thuds(sound) == pytest.approx([2.0, 20.0], abs=0.05)


def test_the_choice_of_the_system_does_not_matter_to_who_asked_by_name() -> None:
    room = FakeMicrophones(30, [USB, LAPTOP], defaults=[(10, LAPTOP.name)])
    assert listen(room, "Micro USB")[1] == []


# -- silent --


@pytest.mark.parametrize("how", ["muted", "dead"])
def test_a_muted_microphone_is_noticed_once(how: str) -> None:
    fault = Fault(how, 12, 20)  # type: ignore[arg-type]
    _, news, _ = listen(FakeMicrophones(40, faults=[fault]))
    assert told(news) == ["silent", "back"]
    assert 12 < news[0].decided <= 12 + NOTICED
    assert 20 < news[1].decided <= 20 + NOTICED


@pytest.mark.parametrize("how", ["muted", "dead"])
def test_a_microphone_that_is_dead_from_the_start(how: str) -> None:
    _, news, _ = listen(FakeMicrophones(10, faults=[Fault(how, 0)]))  # type: ignore[arg-type]
    assert told(news) == ["silent"]
    assert news[0].decided <= NOTICED


def test_a_device_that_sleeps_is_opened_anew() -> None:
    room = FakeMicrophones(60, faults=[Fault("muted", 12, 30)])
    _, news, _ = listen(room)
    assert told(news) == ["silent", "back"]
    assert 2 <= len(room.opened) <= 4


def test_a_noise_gate_is_not_told_for_ever() -> None:
    faults = [Fault("muted", t, t + 5) for t in range(5, 160, 10)]
    _, news, _ = listen(FakeMicrophones(160, faults=faults, block=0.1))
    assert 2 <= len(news) <= 8


def test_a_room_that_becomes_quiet_is_still_a_room() -> None:
    rng = np.random.default_rng(1)
    sound = np.concatenate([hiss(20, -45), hiss(20, -70)])
    sound *= np.repeat(10 ** (rng.normal(0, 2, 400) / 20), 1600).astype(np.float32)  # a room's noise comes and goes
    assert listen(FakeMicrophones(40, room=sound))[1] == []


# -- too loud --


def test_clipping_is_told_once() -> None:
    _, news, _ = listen(FakeMicrophones(60, faults=[Fault("loud", 10, 20), Fault("loud", 30, 40)]))
    assert told(news) == ["clipping"]
    assert 10 < news[0].decided <= 10 + NOTICED


def test_the_share_of_clipped_samples_is_known() -> None:
    health = Health(1000)
    sound = np.zeros((4000, 1), np.float32)
    sound[::10] = 1.0
    health.hear(sound)
    assert health.levels.clipped == pytest.approx(0.1)


@pytest.mark.parametrize("size", [1, 7, 480, 5000])
def test_health_does_not_depend_on_the_blocks(size: int) -> None:
    sound = np.concatenate([hiss(5, -40), np.zeros(4 * RATE, np.float32), hiss(5, -40)])[:, None]
    whole = Health(RATE)
    assert whole.hear(sound) == ["silent", "back"]
    parts = Health(RATE)
    news = [what for i in range(0, len(sound), size) for what in parts.hear(sound[i : i + size])]
    assert news == ["silent", "back"]
    assert parts.levels == whole.levels


# -- ears on it --


def test_slow_ears_lose_nothing_and_catch_up() -> None:
    """Three times too slow for six seconds, then as fast as they are: every knock, in its place."""
    knocks = [2.0, 6.0, 9.0, 12.0, 18.0, 28.0]
    room = FakeMicrophones(30, room=table(knocks, 30))
    microphone = room.microphone()
    ears = Ears(knocks=KnockDetector(), spotter=Deaf())  # type: ignore[arg-type]
    heard: list[float] = []
    news: list[Trouble] = []
    most = 0.0
    caught_up = 0.0
    for block in microphone:
        seconds = len(block) / RATE
        room.work(seconds * (3.0 if room.time < 11 else 0.05))
        heard += [e.t for e in ears.accept(block) if isinstance(e, Knock)]
        news += microphone.news()
        if microphone.behind > most:
            most = microphone.behind
        elif microphone.behind > 0.2:
            caught_up = room.time
    assert heard == pytest.approx(knocks, abs=0.03)
    assert microphone.lost_seconds == 0
    assert told(news) == ["late", "back"]
    assert 6 < most < 9
    assert caught_up < 11 + 0.5  # a backlog of seven seconds at a twentieth of real time


class Deaf:
    def expect(self, verbs: frozenset[str] | None) -> None: ...

    def accept(self, samples: np.ndarray) -> list[object]:
        return []

    def finish(self) -> list[object]:
        return []


def test_the_inbox_is_bounded_and_what_it_cannot_hold_is_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audio.microphone.INBOX_BYTES", 48_000 * 4 * 5)  # five seconds
    room = FakeMicrophones(40, room=table([2.0, 8.0, 30.0], 40))
    microphone = room.microphone()
    blocks = []
    worked = False
    for block in microphone:
        blocks.append(block)
        if room.time > 5 and not worked:
            worked = True
            room.work(20)
    sound = np.concatenate(blocks)
    assert thuds(sound) == pytest.approx([2.0, 8.0, 30.0], abs=0.05)
    assert microphone.lost_seconds == pytest.approx(15, abs=0.5)


@pytest.mark.parametrize("what", ["overflow", "gap"])
def test_lost_samples_are_filled_so_that_times_hold(what: str) -> None:
    room = FakeMicrophones(20, room=table([2.0, 15.0], 20), faults=[Fault(what, 8, 8.6)])  # type: ignore[arg-type]
    sound, news, microphone = listen(room)
    assert news == []
    assert thuds(sound) == pytest.approx([2.0, 15.0], abs=0.05)
    assert microphone.lost_seconds == pytest.approx(0.6, abs=0.05)


def test_blocks_that_come_late_are_not_a_gap() -> None:
    faults = [Fault("late", t, t + 0.2) for t in range(2, 18, 3)]
    sound, news, microphone = listen(FakeMicrophones(20, room=table([2.1, 15.0], 20), faults=faults))
    assert (news, microphone.lost_seconds) == ([], 0)
    assert thuds(sound) == pytest.approx([2.1, 15.0], abs=0.02)


@pytest.mark.parametrize(("drift", "stamped"), [(-1e-3, True), (1e-3, False)])
def test_the_quartz_of_the_device_runs_apart_and_is_followed(drift: float, stamped: bool) -> None:
    """A thousand ppm: nothing is inserted, and the time of each sample is known to 0.07 s all the same."""
    room = FakeMicrophones(151, drift=drift, stamped=stamped, block=0.1)
    microphone = room.microphone()
    heard, worst = 0, 0.0
    for block in microphone:
        heard += len(block)
        assert microphone.began is not None
        if room.time < 150:
            worst = max(worst, abs(microphone.began + heard / RATE - room.time))
    assert microphone.lost_seconds == 0
    assert microphone.news() == []
    assert abs(heard / RATE - 151 * (1 + drift)) < 0.3
    assert worst < 0.07


# -- at the table --


class Heard(NoViewer):
    """Keeps what is observed and said."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []
        self.said: list[tuple[float, str]] = []

    def observed(self, observation: Observation | Trouble) -> None:
        self.rows.append(observation_row(observation))

    def announced(self, announcement: Announcement) -> None:
        self.said.append((announcement.t, announcement.text))


def test_the_game_goes_on_and_each_trouble_is_said_once() -> None:
    faults = [Fault("unplugged", 8, 14), Fault("loud", 20, 26), Fault("muted", 30, 35)]
    room = FakeMicrophones(50, room=table([2.0, 17.0, 45.0], 50), faults=faults)
    seen = Heard()
    ears = Ears(knocks=KnockDetector(), spotter=Deaf())  # type: ignore[arg-type]
    referee = Referee(Game(Header("trut", seats=4)), None, seen, live=True)
    session = Live(referee, None, None, room.microphone(), ears, now=room.now)
    session.run()
    assert all(died.problem is None for died in session.problems)
    knocks = [row["t"] for row in seen.rows if row["what"] == "knock"]
    assert [t for t in (2.0, 17.0, 45.0) if any(abs(t - float(k)) < 0.05 for k in knocks)] == [2.0, 17.0, 45.0]  # type: ignore[arg-type]
    troubles = [row["what"] for row in seen.rows if str(row["what"]).startswith("microphone")]
    assert troubles == ["microphone-" + w for w in ("lost", "back", "clipping", "silent", "back")]
    assert [text for _, text in seen.said if "micro" in text or "entends" in text] == [
        "Je n'entends plus la table.",
        "J'entends de nouveau la table.",
        "Le micro sature : éloignez-le un peu, ou baissez-le.",
        "Le micro ne donne plus aucun son : est-il coupé ?",
        "J'entends de nouveau la table.",
    ]
