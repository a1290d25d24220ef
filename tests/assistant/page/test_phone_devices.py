"""A phone as camera and microphone, through a network that delays, jitters, loses and stops."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from assistant.fake_phones import FakePhone, Network, number_of
from assistant.fake_time import FakeTime
from assistant.page.phone import Phone
from audio.health import Trouble
from vision.camera import Frame
from vision.events import CameraBack, CameraLost


@dataclass
class Seen:
    """What came out of a phone's camera."""

    frames: list[tuple[float, int]] = field(default_factory=list)
    ages: list[float] = field(default_factory=list)
    news: list[tuple[float, str]] = field(default_factory=list)
    sizes: set[tuple[int, ...]] = field(default_factory=set)

    def errors(self, phone: FakePhone) -> list[float]:
        """Seconds by which the moments of the pictures are off."""
        return [t - phone.taken[number] for t, number in self.frames]


def watch(time: FakeTime, phone: Phone, seconds: float) -> Seen:
    seen, camera = Seen(), phone.camera
    assert camera is not None

    def told(news: CameraLost | CameraBack) -> None:
        seen.news.append((time.now(), news.reason if isinstance(news, CameraLost) else "back"))

    def stop() -> None:
        time.sleep(seconds - time.now())
        phone.close()

    camera.tell(told)
    time.start(stop, "stop")
    for frame in camera:
        seen.frames.append((frame.t + camera.began, number_of(frame.image)))
        seen.ages.append(time.now() - frame.t - camera.began)
        seen.sizes.add(frame.image.shape)
    return seen


def seen_through(network: Network, seconds: float = 15.0, **more: object) -> tuple[Seen, FakePhone, Phone]:
    time = FakeTime()
    phone = Phone(microphone=False, threads=time)
    fake = FakePhone(time, phone, network, microphone=False, **more)  # type: ignore[arg-type]
    fake.start()
    try:
        return watch(time, phone, seconds), fake, phone
    finally:
        time.close()


@dataclass
class Heard:
    """What came out of a phone's microphone: its sound from ``began`` on, and its troubles."""

    began: float
    sound: np.ndarray
    news: list[tuple[float, Trouble]]
    began_along: list[tuple[int, float]]

    def clicks(self) -> list[float]:
        """When clicks are heard, on the clock of the room."""
        loud = np.flatnonzero(np.abs(self.sound) > 0.3)
        starts = loud[np.insert(np.diff(loud) > 1600, 0, True)] if len(loud) else loud
        along = np.array([place for place, _ in self.began_along])
        out = []
        for start in starts:
            # the moment of the first sample as it was known when this one was handed on
            began = self.began_along[min(int(np.searchsorted(along, start)), len(along) - 1)][1]
            out.append(began + float(start) / 16000)
        return out


def listen(time: FakeTime, phone: Phone, seconds: float) -> Heard:
    microphone = phone.microphone
    assert microphone is not None

    def stop() -> None:
        time.sleep(seconds - time.now())
        phone.close()

    time.start(stop, "stop")
    blocks, news, along = [], [], []
    for block in microphone:
        news += [(time.now(), trouble) for trouble in microphone.news()]
        if len(block):
            blocks.append(block)
            assert microphone.began is not None
            along.append((sum(map(len, blocks)), microphone.began))
    return Heard(along[0][1], np.concatenate(blocks), news, along)


CLICKS = [1.5 + 1.37 * n for n in range(20)]


def clicking(rate: int = 48_000, seconds: float = 32.0) -> np.ndarray:
    """A room with clicks at ``CLICKS``."""
    room = np.random.default_rng(2).normal(0, 1e-3, round(seconds * rate)).astype(np.float32)
    for at in CLICKS:
        start = round(at * rate)
        room[start : start + rate // 100] += 0.8 * np.sin(np.arange(rate // 100) * 0.3).astype(np.float32)
    return room


def heard_through(network: Network, seconds: float = 30.0, **more: object) -> tuple[Heard, FakePhone, Phone]:
    time = FakeTime()
    phone = Phone(camera=False, threads=time)
    fake = FakePhone(time, phone, network, camera=False, room=clicking(), **more)  # type: ignore[arg-type]
    fake.start()
    try:
        return listen(time, phone, seconds), fake, phone
    finally:
        time.close()


# -- pictures ------------------------------------------------------------------------------------------------------


def test_pictures_come_with_the_moment_at_which_they_were_taken() -> None:
    seen, fake, _ = seen_through(Network(up=0.03, down=0.03), drift=5e-5)
    assert len(seen.frames) > 140
    assert max(abs(e) for e in seen.errors(fake)) < 0.002
    assert [what for _, what in seen.news] == ["phone", "back"]  # until it came, once


def test_jitter_and_loss_of_a_bad_wireless_network() -> None:
    seen, fake, _ = seen_through(Network(up=0.01, down=0.01, jitter=0.03, loss=0.02), drift=-5e-5)
    off = sorted(abs(e) for e in seen.errors(fake)[30:])
    assert len(seen.frames) > 75
    assert off[-1] < 0.02
    assert "phone" not in [what for _, what in seen.news[2:]]


def test_all_pictures_have_the_size_of_the_table_however_small_they_were_sent() -> None:
    seen, _, _ = seen_through(Network(), seconds=5.0)
    assert seen.sizes == {(720, 1280, 3)}


def test_a_network_that_stops_is_noticed_within_two_seconds_and_old_pictures_are_not_shown() -> None:
    seen, fake, phone = seen_through(Network(gone=[(10.0, 16.0)]), seconds=25.0)
    told = [(round(t - 10, 1), what) for t, what in seen.news if t > 5]
    assert [what for _, what in told] == ["phone", "back"]
    assert 1.0 < told[0][0] <= 2.0
    assert told[1][0] - 6.0 < 2.0
    assert phone.camera is not None
    assert phone.camera.stale >= 1
    assert max(seen.ages) < 2.1
    assert fake.got["ack"] > 200


def test_a_phone_that_sleeps_is_missed_and_comes_back() -> None:
    seen, _, _ = seen_through(Network(), seconds=24.0, asleep=[(10.0, 20.0)])
    assert [what for t, what in seen.news if t > 5] == ["phone", "back"]
    lost, back = (t for t, _ in seen.news if t > 5)
    assert 11.0 < lost <= 12.0
    assert 20.0 < back <= 21.5


def test_pictures_that_lose_their_noise_are_not_frozen() -> None:
    """A coarser JPEG of a table where nothing moves is the same again and again."""
    seen, _, _ = seen_through(Network(), seconds=20.0, coarse=10.0)
    assert [what for _, what in seen.news] == ["phone", "back"]
    assert seen.frames[-1][0] > 19.0


def test_a_thin_network_is_asked_for_less_and_never_queues() -> None:
    """120 kB a picture, 400 kB a second: 3.3 of the finest would go through."""
    seen, fake, _ = seen_through(Network(bytes_a_second=400_000), seconds=25.0, heavy=120_000)
    late = [age for (t, _), age in zip(seen.frames, seen.ages, strict=True) if t > 8]
    assert sorted(late)[len(late) // 2] < 0.3
    assert len([t for t, _ in seen.frames if t > 8]) / 17 > 4
    assert fake.asked


def test_a_network_that_becomes_free_is_asked_for_more_again() -> None:
    network = Network(bytes_a_second=300_000)
    time = FakeTime()
    phone = Phone(microphone=False, threads=time)
    fake = FakePhone(time, phone, network, microphone=False, heavy=120_000)

    def mend() -> None:
        time.sleep(12.0)
        network.bytes_a_second = 1e9

    fake.start()
    time.start(mend, "mend")
    watch(time, phone, 50.0)
    time.close()
    worst = min(ask["width"] * ask["quality"] for t, ask in fake.asked if t < 14)
    assert fake.asked[-1][1]["width"] * fake.asked[-1][1]["quality"] > 1.3 * worst


# -- sound -----------------------------------------------------------------------------------------------------------


def test_clicks_are_heard_when_they_were() -> None:
    heard, _, _ = heard_through(Network(up=0.03, down=0.03), drift=5e-5)
    assert heard.clicks() == pytest.approx(CLICKS, abs=0.003)


def test_a_sound_card_that_runs_apart_is_followed() -> None:
    heard, _, _ = heard_through(Network(jitter=0.01), quartz=2e-4, drift=-5e-5)
    assert heard.clicks() == pytest.approx(CLICKS, abs=0.005)


def test_sound_through_a_bad_wireless_network_keeps_its_time() -> None:
    heard, _, _ = heard_through(Network(up=0.01, down=0.01, jitter=0.03, loss=0.02), drift=5e-5)
    assert heard.clicks() == pytest.approx(CLICKS, abs=0.005)


def test_sound_after_a_sleep_has_its_right_time_and_the_loss_is_told() -> None:
    heard, _, _ = heard_through(Network(), asleep=[(10.0, 16.0)])
    there = [at for at in CLICKS if not 9.9 < at < 16.1]
    assert heard.clicks() == pytest.approx(there, abs=0.02)
    assert [trouble.what for _, trouble in heard.news] == ["lost", "back", "lost", "back"]
    lost, back = (t for t, trouble in heard.news[2:])
    assert 11.5 < lost < 13.0
    assert 16.0 <= back < 16.6


def test_sound_that_is_held_up_comes_out_with_its_own_time() -> None:
    heard, _, _ = heard_through(Network(gone=[(10.0, 14.0)]))
    clicks = heard.clicks()
    for at in CLICKS:
        if not 9.9 < at < 14.5:
            assert min(abs(at - c) for c in clicks) < 0.02


def test_a_frame_is_what_the_live_table_wants() -> None:
    time = FakeTime()
    phone = Phone(threads=time)
    from assistant.live import LivePictures
    from assistant.session import LiveSound

    assert isinstance(phone.camera, LivePictures)
    assert isinstance(phone.microphone, LiveSound)
    assert Frame is not None
    phone.close()
    time.close()
