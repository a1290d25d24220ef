"""The deck panel: cards before the camera, photographs, a pack laid out; learnt, and played with."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant import settings
from assistant.page.calibrating import deck as decks
from assistant.simulation.faces import faces_named
from vision.camera import Image
from vision.deck_file import load
from vision.decks import PATTERNS, deck_named
from vision.enrolled import EnrolledDeck
from vision.pictures import size_of

SIZE = (480, 360)


def photo(*cards: str, height: float = 190.0, seed: int = 0) -> Image:
    """Cards of a deck that no training saw, side by side on a plain table."""
    rng = np.random.default_rng(seed)
    scene = np.clip(np.array([60, 105, 40]) + rng.normal(0, 9, (SIZE[1], SIZE[0], 3)), 0, 255).astype(np.float32)
    scene = cv2.GaussianBlur(scene, (0, 0), 1.2)
    faces = faces_named("letele")
    for n, card in enumerate(cards):
        face = faces.face(card)
        h, w = face.shape[:2]
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), 3.0 - 2 * n, height / h)
        turn[:, 2] += [SIZE[0] * (n + 1) / (len(cards) + 1) - w / 2, SIZE[1] / 2 - h / 2]
        laid = cv2.warpAffine(cv2.GaussianBlur(face, (0, 0), 0.35 * h / height), turn, SIZE, flags=cv2.INTER_AREA)
        alpha = laid[..., 3:] / 255
        scene = laid[..., :3] * alpha + scene * (1 - alpha)
    return np.clip(scene, 0, 255).astype(np.uint8)


def sent(image: Image, kind: str = ".jpg") -> bytes:
    return bytes(cv2.imencode(kind, image)[1].tobytes())


class Taught:
    """A browser in the middle of a lesson."""

    def __init__(self, room: Any, **wanted: Any) -> None:
        self.browser = room.browser()
        begun = self.browser.post("/api/deck/begin", json={"name": "bistrot", "like": "french32", **wanted})
        assert begun.status_code == 200, begun.text
        self.lesson = begun.json()["lesson"]
        self.state: dict[str, Any] = begun.json()["state"]

    def do(self, what: str, **fields: Any) -> Any:
        answer = self.browser.post(f"/api/deck/{what}", json={"lesson": self.lesson, **fields})
        self.state = answer.json().get("state", self.state)
        return answer

    def send(self, data: bytes, card: str | None = None, kind: str = "image/jpeg") -> Any:
        path = f"/api/deck/picture?lesson={self.lesson}" + (f"&card={card}" if card else "")
        answer = self.browser.post(path, content=data, headers={"content-type": kind})
        self.state = answer.json().get("state", self.state)
        return answer

    def wait(self, done: Any) -> None:
        until = time.monotonic() + 20
        while not done(self.state):
            assert time.monotonic() < until, self.state
            self.state = self.browser.get(f"/api/lesson?lesson={self.lesson}").json()["state"]


@pytest.fixture
def taught(room: Any) -> Taught:
    return Taught(room)


def test_cards_shown_to_the_camera_are_learnt_one_by_one(room: Any, at_home: Path) -> None:
    bare = photo()
    shows = [bare]
    room.film(lambda t: shows[0])
    taught = Taught(room)
    assert taught.state["wanted"] == "7s"
    assert room.feed.paused
    while room.desk.frames.newest is None:
        pass
    looked = room.eyes.looked
    assert taught.do("watch", on=True).status_code == 200
    shows[0] = photo("Qs")
    taught.wait(lambda state: state["shown"])
    assert taught.state["shown"] == {"Qs": 1}, "it can be read, so it is that one though another was asked for"
    assert taught.state["last"] == {"n": 1, "card": "Qs"}
    assert taught.state["wanted"] == "7s"
    assert room.eyes.looked == looked, "the referee's eyes are shut"
    picture = taught.browser.get(f"/api/deck/card.jpg?lesson={taught.lesson}&card=Qs")
    assert cv2.imdecode(np.frombuffer(picture.content, np.uint8), 1).shape == (144, 96, 3)
    assert load(at_home / "decks" / "bistrot.deck").shown[0].card == "Qs", "it is saved at once"
    taught.do("watch", on=False)
    shows[0] = photo("Ah", seed=1)
    taught.browser.post("/api/lesson/stop", json={"lesson": taught.lesson})
    assert load(at_home / "decks" / "bistrot.deck").shown[1:] == (), "nothing is learnt that was not asked for"
    assert not room.feed.paused
    assert room.desk.doing() is None


def test_a_photograph_of_one_card_and_of_several_in_any_order(taught: Taught) -> None:
    assert taught.send(sent(photo("7h")), "7h").json()["found"] == 1
    assert taught.state["shown"] == {"7h": 1}
    said = taught.send(sent(photo("10d", "As", height=150), ".png"), kind="image/png")
    assert said.json()["found"] == 2
    named = set(taught.state["shown"]) - {"7h"}
    assert named <= {"10d", "As"}
    assert len(named) + len(taught.state["unnamed"]) == 2, "what could not be named surely is asked for"


def test_a_card_that_was_learnt_wrong_is_shown_again(taught: Taught, at_home: Path) -> None:
    taught.send(sent(photo("Kd")), "7h")  # the wrong picture
    wrong = load(at_home / "decks" / "bistrot.deck").shown[0].thumbnail
    assert taught.do("ask", card="7h").json()["state"]["wanted"] == "7h"
    taught.send(sent(photo("7h")), "7h")
    shown = load(at_home / "decks" / "bistrot.deck").shown
    assert [one.card for one in shown] == ["7h"]
    assert shown[0].thumbnail != wrong
    assert taught.do("ask", card="2h").json()["error"] == "bad-card"


def test_cards_that_no_reader_knows_are_named_by_a_person(room: Any) -> None:
    taught = Taught(room, name="numéros", like="numbered8")
    taught.send(sent(photo("10d", "As", height=150)))
    assert len(taught.state["unnamed"]) == 2
    first, second = taught.state["unnamed"]
    assert taught.browser.get(f"/api/deck/card.jpg?lesson={taught.lesson}&unnamed={first}").status_code == 200
    assert taught.do("name", n=first, card="3").json()["state"]["shown"] == {"3": 1}
    assert taught.state["unnamed"] == [second]
    assert taught.do("name", n=second, card=None).json()["state"]["unnamed"] == []
    assert taught.do("name", n=second, card="3").json()["error"] == "bad-card"
    assert taught.state["shown"] == {"3": 1}


@pytest.mark.parametrize(
    ("data", "kind", "status", "error"),
    [
        (b"", "image/jpeg", 422, "bad-picture"),
        (b"GIF89a", "image/jpeg", 422, "bad-picture"),
        (b"\xff\xd8\xff", "image/jpeg", 422, "bad-picture"),
        (sent(photo("7h"))[:3000], "image/jpeg", 422, "unreadable-picture"),
        (sent(photo("7h")), "text/html", 415, "not-a-picture"),
        (sent(photo()), "image/jpeg", 422, "bad-picture"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff", "image/png", 422, "bad-picture"),
        (b"\xff\xd8\xff" + bytes(decks.MOST_BYTES), "image/jpeg", 413, "too-large"),
    ],
)
def test_what_is_no_picture_of_a_card_is_refused(
    taught: Taught, data: bytes, kind: str, status: int, error: str
) -> None:
    answer = taught.send(data, kind=kind)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert taught.state["shown"] == {}


def test_the_head_of_a_picture_tells_its_size() -> None:
    assert size_of(sent(photo())) == SIZE
    assert size_of(sent(photo(), ".png")) == SIZE
    assert size_of(b"\xff\xd8\xff\xe1\xff\xff") is None


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "a\\b", ".x", "french32", "x" * 61, "a\nb", "a\0"])
def test_no_name_from_the_network_is_a_way_out_of_the_folder(room: Any, at_home: Path, name: str) -> None:
    browser = room.browser()
    assert browser.post("/api/deck/begin", json={"name": name, "like": "french32"}).status_code == 422
    assert browser.post("/api/deck/use", json={"name": name}).status_code == 422
    assert not (at_home / "decks").exists()


def test_a_deck_that_is_there_is_asked_about_first(room: Any, at_home: Path) -> None:
    taught = Taught(room)
    taught.send(sent(photo("7h")), "7h")
    room.desk.stop(taught.lesson)
    browser = room.browser()
    again = browser.post("/api/deck/begin", json={"name": "bistrot", "like": "french32"})
    assert (again.status_code, again.json()["error"]) == (409, "exists")
    assert browser.post("/api/deck/begin", json={"name": "bistrot", "like": "tarot"}).json()["error"] == "bad-card"
    known = browser.get("/api/deck").json()
    assert known["decks"] == [{"name": "bistrot", "like": "french32", "shown": 1, "all": 32}]
    assert known["pack"] == "french32"
    more = Taught(room, more=True)
    assert more.state["shown"] == {"7h": 1}
    room.desk.stop(more.lesson)
    afresh = Taught(room, replace=True)
    assert afresh.state["shown"] == {}
    assert len(load(at_home / "decks" / "bistrot.deck").shown) == 1, "it is there until the new one has a card"
    afresh.send(sent(photo("As")), "As")
    assert [one.card for one in load(at_home / "decks" / "bistrot.deck").shown] == ["As"]


class Watcher:
    """Eyes' watcher with a reader of a deck."""

    def __init__(self, deck: Any) -> None:
        self.reader = type("Reader", (), {"deck": deck, "size": None})()


def test_a_learnt_deck_is_played_with_at_once_if_its_cards_are_the_games(room: Any, taught: Taught) -> None:
    taught.send(sent(photo("7h")), "7h")
    room.desk.stop(taught.lesson)
    browser = room.browser()
    refused = browser.post("/api/deck/use", json={"name": "bistrot"})
    assert (refused.status_code, refused.json()["error"]) == (409, "incomplete")
    assert "(31)" in refused.json()["text"]["fr"]
    assert settings.load().text("table.deck") is None
    wanted = {"name": "bistrot", "anyway": True}
    assert browser.post("/api/deck/use", json=wanted).json() == {"effect": "no-eyes"}
    assert settings.load().text("table.deck") == "bistrot"
    room.eyes.watcher = Watcher(PATTERNS["spanish40"])
    assert browser.post("/api/deck/use", json=wanted).json() == {"effect": "pack"}
    room.film(lambda t: photo())
    room.eyes.watcher = Watcher(deck_named("french32"))
    assert browser.post("/api/deck/use", json=wanted).json() == {"effect": "now"}
    assert isinstance(room.eyes.watcher.reader.deck, EnrolledDeck)
    assert browser.post("/api/deck/use", json={"name": "unknown"}).json()["error"] == "unknown-deck"


def test_only_one_teaches_at_a_time_and_only_his_lesson(room: Any, taught: Taught) -> None:
    other = room.browser()
    answer = other.post("/api/deck/begin", json={"name": "autre", "like": "french32"})
    assert (answer.status_code, answer.json()["error"]) == (409, "busy")
    for lesson in ("", "x", None):
        assert other.post("/api/deck/ask", json={"lesson": lesson, "card": "7h"}).status_code in (400, 404)
    assert other.get("/api/lesson?lesson=x").status_code == 404
    assert other.post("/api/lesson/stop", json={"lesson": "x"}).status_code == 204
    assert room.desk.doing() == "deck"
    assert taught.do("watch", on=True).json()["error"] == "no-camera"
