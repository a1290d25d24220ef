"""A page over a table whose camera and microphone a test feeds."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

sys.path.insert(0, str(Path(__file__).parent.parent))  # the feed that stands in for the table

from fake_feed import FakeFeed, FakeState

from assistant import settings
from assistant.calibrating.guide import GOOD, in_a_room, played_table
from assistant.page.access import Access
from assistant.page.calibrating import Desk
from assistant.page.page import Page
from assistant.page.server import create_app
from audio.events import SoundObservation
from audio.resampling import Samples
from vision.camera import Frame, Image
from vision.events import CardLaid, TableObservation

HERE = ("127.0.0.1", 50000)
NAMES = ("Marie", "Paul", "Jeanne", "Émile")


class Feed(FakeFeed):
    """The state of a game of four that runs; pauses when it is told."""

    paused = False
    seats = 4

    def state(self) -> FakeState:
        players = [{"seat": n, "name": name, "given": True} for n, name in enumerate(NAMES[: self.seats], 1)]
        game = {"name": "trut", "seats": self.seats, "pack": "french32"}
        state = {"type": "state", "rev": 1, "paused": self.paused, "players": players, "game": game}
        return FakeState(1, json.dumps(state))

    def tap(self, message: Any, who: str, answer: Callable[[Any], None]) -> None:
        self.paused = message["do"] == "pause"
        super().tap(message, who, answer)


@dataclass
class Eyes:
    """Eyes that see a card in every picture, and note what they are told."""

    settled: list[Any] = field(default_factory=list)
    looked: int = 0
    zone: Any = None
    watcher: Any = None

    def settle(self, seats: Any, reference: Image) -> None:
        assert self.looked, "between two pictures, in the eyes' own thread"
        self.settled.append((seats, reference, threading.current_thread().name))

    def accept(self, frame: Frame) -> list[TableObservation]:
        self.looked += 1
        return [CardLaid(frame.t, frame.t, 1, "7h", 0.99, ((0, 0), (9, 0), (9, 9), (0, 9)), 1)]


@dataclass
class Ears:
    """Ears that hear what a test says, and note what they are taught."""

    says: list[SoundObservation] = field(default_factory=list)
    calibrated: list[Any] = field(default_factory=list)
    taught: list[Any] = field(default_factory=list)

    def accept(self, samples: Samples) -> list[SoundObservation]:
        said, self.says = self.says, []
        return said

    def finish(self) -> list[SoundObservation]:
        return []

    def expect(self, verbs: frozenset[str] | None) -> None: ...

    def calibrate(self, knocks: Any) -> None:
        self.calibrated.append(knocks)

    def teach(self, voices: Any) -> None:
        self.taught.append(voices)


class Room:
    """A table with a camera, a microphone and a page.

    Attributes:
        picture: what the camera sees; None: it gives no picture.
        sound: what the microphone hears next.
    """

    def __init__(self) -> None:
        self.settled: list[Any] = []
        self.feed, self.desk = Feed(), Desk(settled=self.settled.append)
        self.page = Page(self.feed, Access(), desk=self.desk)
        self.eyes, self.ears = Eyes(), Ears()
        self.beside_eyes: Any = self.desk.beside_eyes(self.eyes)
        self.beside_ears: Any = self.desk.beside_ears(self.ears)
        self.picture: Callable[[float], Image | None] = lambda t: None
        self.saw: list[TableObservation] = []
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def film(self, picture: Callable[[float], Image | None]) -> None:
        """The camera runs from now on: five pictures a second on its own clock, as fast as the eyes go."""
        self.picture = picture
        thread = threading.Thread(target=self._film, name="eyes", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _film(self) -> None:
        index = 0
        while not self._stop.wait(0.004):
            image = self.picture(index / 5)
            if image is not None:
                self.saw = self.beside_eyes.accept(Frame(index / 5, image, index))
            index += 1

    def hear(self, samples: Samples | None = None) -> None:
        """The microphone gives these samples, or a tenth of a second of nothing."""
        self.beside_ears.accept(np.zeros(1600, np.float32) if samples is None else samples)

    def listen(self) -> None:
        """The microphone runs from now on, in silence."""
        thread = threading.Thread(target=self._listen, name="ears", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        while not self._stop.wait(0.004):
            self.hear()

    def browser(self, *, joined: bool = True) -> TestClient:
        base = "http://localhost"
        browser = TestClient(create_app(self.page), base, client=HERE, headers={"Origin": base})
        if joined:
            assert browser.post("/api/join", json={"code": self.page.access.code}).status_code == 204
        return browser

    def close(self) -> None:
        self.desk.close()
        self._stop.set()
        for thread in self._threads:
            thread.join(5)


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    yield made
    made.close()


@pytest.fixture(scope="session")
def table_picture() -> Image:
    """A table in a room, with the four cards of a trick."""
    return in_a_room(played_table(), GOOD)


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a test keeps goes nowhere else."""
    monkeypatch.setattr("calibration.profile.profiles_folder", lambda: tmp_path / "tables")
    monkeypatch.setattr("vision.decks.decks_folder", lambda: tmp_path / "decks")
    monkeypatch.setattr("assistant.calibrating.deck.decks_folder", lambda: tmp_path / "decks")
    monkeypatch.setattr("assistant.page.calibrating.deck.decks_folder", lambda: tmp_path / "decks")
    monkeypatch.setattr("assistant.page.calibrating.hearing.profile_path", lambda: tmp_path / "knocks.json")
    monkeypatch.setattr("assistant.calibrating.knock.profile_path", lambda: tmp_path / "knocks.json")
    monkeypatch.setattr("assistant.page.calibrating.hearing.voices_path", lambda: tmp_path / "voices" / "table.voices")
    monkeypatch.setattr(settings, "settings_path", lambda: tmp_path / "settings.toml")
    return tmp_path
