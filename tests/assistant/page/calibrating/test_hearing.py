"""Knocks and voices: learnt from sounds that the tests make, listened with at once, and nothing is a trut meanwhile."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.calibrating.knock import TALK_SECONDS
from assistant.calibrating.voice import phrases_to_say
from assistant.page.calibrating.hearing import KnocksLesson, VoicesLesson
from audio.espeak import espeak
from audio.events import Knock
from audio.knocks import read_profile
from audio.resampling import RATE, Samples, resampled
from audio.voices import SpeakerVoices

BLOCK = 1600


def thud(seed: int) -> Samples:
    rng = np.random.default_rng(seed)
    t = np.arange(RATE // 3) / RATE
    out = sum(rng.uniform(0.3, 1) * np.sin(820 * k * t) * np.exp(-t * (15 + 12 * k)) for k in (1, 1.6, 2.3, 3.1))
    return np.asarray(out / np.abs(out).max(), np.float32)


def quiet(seconds: float, seed: int = 0) -> Samples:
    return np.random.default_rng(seed).normal(0, 3e-4, round(seconds * RATE)).astype(np.float32)


def knocked(seconds: float = 7.0, at: tuple[float, ...] = (1.0, 2.1, 3.0, 4.2, 5.1)) -> Samples:
    sound = quiet(seconds)
    for n, t in enumerate(at):
        start, hit = round(t * RATE), thud(n)
        sound[start : start + len(hit)] += 0.3 * hit
    return sound


def glasses(seconds: float) -> Samples:
    """Rings of glass: no fist."""
    sound, rng = quiet(seconds), np.random.default_rng(2)
    t = np.arange(RATE // 4) / RATE
    for start in range(RATE // 2, len(sound) - RATE, RATE):
        sound[start : start + len(t)] += (
            0.1 * np.sin(2 * np.pi * rng.uniform(1800, 4000) * t) * np.exp(-t / 0.08)
        ).astype(np.float32)
    return sound


@lru_cache(maxsize=8)
def speech(text: str) -> Samples:
    wave = espeak().say(text, "fr+f3", 165, 50, 50)
    samples = resampled((wave.samples / 32768).astype(np.float32), wave.rate, RATE)
    return samples / np.abs(samples).max() * np.float32(0.3)


def blocks(sound: Samples) -> list[Samples]:
    return np.split(sound, range(BLOCK, len(sound), BLOCK))


def test_five_knocks_and_half_a_minute_make_the_tables_knocks_used_at_once(room: Any, at_home: Path) -> None:
    lesson = KnocksLesson.opened(room.desk, replace=False)
    counts = []
    for block in blocks(knocked()):
        lesson.hear(block)
        counts.append(lesson.state()["count"])
    assert counts[-1] == 5
    assert sorted(set(counts)) == [0, 1, 2, 3, 4, 5], "each is shown as it is heard"
    assert lesson.state()["phase"] == "talk"
    assert not (at_home / "knocks.json").exists()
    room.listen()  # the ears are at work, and take up what is learnt
    for block in blocks(glasses(TALK_SECONDS + 2)):
        lesson.hear(block)
    state = lesson.state()
    assert state["phase"] == "learnt"
    assert state["gain"]["knocks"] == 5
    assert state["used"] is True
    assert len(room.ears.calibrated) == 1
    assert read_profile(at_home / "knocks.json") is not None
    assert lesson.over
    assert room.browser().get("/api/knocks").json() == {"microphone": "on", "known": True}


def test_known_knocks_are_replaced_only_when_asked(room: Any, at_home: Path) -> None:
    room.hear()
    (at_home / "knocks.json").write_text("{}")
    browser = room.browser()
    answer = browser.post("/api/knocks/begin", json={})
    assert (answer.status_code, answer.json()["error"]) == (409, "exists")
    begun = browser.post("/api/knocks/begin", json={"replace": True}).json()
    assert begun["state"]["phase"] == "knocks"
    room.desk.stop(begun["lesson"])
    assert (at_home / "knocks.json").read_text() == "{}", "who stops keeps what he had"


def test_a_room_without_knocks_teaches_nothing_and_says_why(room: Any, at_home: Path) -> None:
    lesson = KnocksLesson.opened(room.desk, replace=False)
    for block in blocks(quiet(31 + TALK_SECONDS + 1)):
        lesson.hear(block)
    assert lesson.over
    assert lesson.state()["problem"].code == "unclear-knocks"
    assert not (at_home / "knocks.json").exists()


def test_while_knocks_are_practised_the_game_pauses_and_hears_no_trut(room: Any) -> None:
    room.hear()
    browser = room.browser()
    begun = browser.post("/api/knocks/begin", json={}).json()
    assert room.feed.paused
    room.ears.says = [Knock(0.15, 0.2, 0.99, 1, 1)]
    assert room.beside_ears.accept(np.zeros(BLOCK, np.float32)) == []
    said = browser.get(f"/api/lesson?lesson={begun['lesson']}").json()
    assert (said["kind"], said["over"]) == ("knocks", False)
    browser.post("/api/lesson/stop", json={"lesson": begun["lesson"]})
    assert not room.feed.paused
    assert browser.get(f"/api/lesson?lesson={begun['lesson']}").json()["over"] is True


def test_who_had_paused_the_game_finds_it_paused(room: Any) -> None:
    room.hear()
    room.feed.paused = True
    begun = room.browser().post("/api/knocks/begin", json={}).json()
    room.desk.stop(begun["lesson"])
    assert room.feed.paused
    assert room.feed.taps == []


def test_without_a_microphone_it_says_so(room: Any) -> None:
    browser = room.browser()
    assert browser.get("/api/voices").json()["microphone"] == "lost"
    for path, asked in (("/api/knocks/begin", {}), ("/api/voices/begin", {"names": ["Marie"]})):
        answer = browser.post(path, json=asked)
        assert (answer.status_code, answer.json()["error"]) == (409, "no-microphone")
    room.desk.has_ears = False
    assert browser.get("/api/knocks").json()["microphone"] == "none"


def test_each_player_says_each_phrase_and_is_listened_to_with_it(room: Any, at_home: Path) -> None:
    phrases = ("je vais voir", "je me couche")
    path = at_home / "voices" / "table.voices"
    room.listen()
    lesson = VoicesLesson(room.desk, ["Anne", "Jean"], phrases, path)
    assert lesson.state()["text"] == phrases[0]
    levels = []
    for block in blocks(np.concatenate([quiet(1), speech(phrases[0]), quiet(1.5)])):
        lesson.hear(block)
        levels.append(lesson.state()["level"])
    assert max(levels) > 0.6 > 0.1 > min(levels[2:8])
    state = lesson.state()
    assert (state["number"], state["text"], state["remark"]["what"]) == (2, phrases[1], ["thanks"])
    assert not path.exists(), "it is saved after the player"
    lesson.skip()
    lesson.hear(quiet(0.1))
    state = lesson.state()
    assert (state["name"], state["done"], state["taken"], state["used"]) == ("Jean", ["Anne"], 1, True)
    assert SpeakerVoices.load(path).texts("Anne") == {phrases[0]}
    assert len(room.ears.taught) == 1
    for block in blocks(np.concatenate([quiet(1), speech(phrases[0]), quiet(1.5)])):
        lesson.hear(block)
    lesson.close()  # the page was left in the middle
    assert SpeakerVoices.load(path).texts("Jean") == {phrases[0]}

    browser = room.browser()
    assert browser.get("/api/voices").json()["known"] == {"Anne": [phrases[0]], "Jean": [phrases[0]]}
    assert browser.post("/api/voices/forget", json={"name": "Anne"}).json()["known"] == {"Jean": [phrases[0]]}
    assert browser.post("/api/voices/forget", json={"name": "Jean"}).json()["known"] == {}
    assert not path.exists()


def test_the_page_asks_for_the_phrases_of_the_game_by_the_players_names(room: Any) -> None:
    room.hear()
    found = room.browser().get("/api/voices").json()
    assert found["players"] == ["Marie", "Paul", "Jeanne", "Émile"]
    assert found["phrases"] == list(phrases_to_say("trut"))


@pytest.mark.parametrize("names", [None, [], [""], ["a" * 41], ["a\0b"], [1], ["a"] * 2, list("abcdefg"), "Marie"])
def test_who_speaks_must_have_a_name(room: Any, names: object) -> None:
    room.hear()
    answer = room.browser().post("/api/voices/begin", json={"names": names})
    assert (answer.status_code, answer.json()["error"]) == (422, "bad-names")
