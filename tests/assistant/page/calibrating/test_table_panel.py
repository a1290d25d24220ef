"""The table panel: found, dragged, looked at, saved and used at once, over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant import settings
from assistant.calibrating.guide import GOOD
from assistant.page.calibrating.table import SitLesson, setup_of, veiled
from calibration.profile import Profile, facts_of
from calibration.setup import TableSetup
from vision.camera import Frame, Image

SETUP = facts_of(TableSetup.whole(4, 1280, 720).with_corners(GOOD, "hand"))
WATCHED = ("/api/table", "/api/table/picture.jpg", "/api/deck", "/api/knocks", "/api/voices", "/api/lesson")


@pytest.fixture
def filmed(room: Any, table_picture: Image) -> Any:
    room.film(lambda t: table_picture)
    room.beside_eyes.accept(Frame(0.0, table_picture, 0))
    return room


def test_only_who_has_the_code_sets_the_table_up(filmed: Any) -> None:
    stranger = filmed.browser(joined=False)
    for path in WATCHED:
        assert stranger.get(path).status_code == 403, path
    for path in ("/api/table/find", "/api/table/save", "/api/deck/begin", "/api/knocks/begin", "/api/voices/begin"):
        assert stranger.post(path, json={}).status_code == 403, path
    assert filmed.desk.doing() is None


def test_without_a_camera_it_says_so(room: Any) -> None:
    browser = room.browser()
    assert browser.get("/api/table").json()["camera"] == "lost"
    for answer in (browser.post("/api/table/find", json={"seats": 4}), browser.get("/api/table/picture.jpg")):
        assert (answer.status_code, answer.json()["error"]) == (409, "no-camera")
    room.desk.has_eyes = False
    assert browser.get("/api/table").json()["camera"] == "none"


def test_the_table_is_found_saved_and_used_at_once(filmed: Any, at_home: Path) -> None:
    browser = filmed.browser()
    found = browser.post("/api/table/find", json={"seats": 4}).json()
    assert found["setup"]["table"]["found"] == "seen"
    assert np.abs(np.array(found["setup"]["table"]["corners"]) - GOOD).max() < 20
    setup = {key: found["setup"][key] for key in ("picture", "table", "seats")}

    seen = browser.post("/api/table/look", json={"setup": setup}).json()
    assert sorted(seen["cards"]) == ["10d", "7h", "8s", "Ks"]
    assert [light["level"] for light in seen["lights"]] == ["green"] * 5
    assert seen["lights"][0]["title"] == {"fr": "Lumière", "en": "Light"}
    assert (
        cv2.imdecode(np.frombuffer(_get(browser, f"/api/table/seen.jpg?n={seen['picture']}"), np.uint8), 1) is not None
    )
    assert browser.get("/api/table/seen.jpg?n=99").status_code == 404

    saved = browser.post("/api/table/save", json={"name": "port", "setup": setup}).json()
    assert saved == {"profile": "port", "effect": "now", "remembered": True}
    (seats, reference, thread) = filmed.eyes.settled[0]
    assert thread == "eyes"
    assert seats(1280, 720).zone(640, 600) == 1
    kept = Profile.load(at_home / "tables" / "port")
    assert [table.name for table in filmed.settled] == ["port"]
    assert np.array_equal(kept.reference, reference)
    assert not kept.reference[:30].any(), "the picture beside the table was kept"
    assert settings.load().text("table.profile") == "port"
    assert browser.get("/api/table").json()["setup"]["table"] == setup["table"]


def test_what_is_there_is_replaced_only_when_asked_and_keeps_what_it_names(filmed: Any, at_home: Path) -> None:
    browser = filmed.browser()
    assert browser.post("/api/table/save", json={"name": "port", "setup": SETUP}).status_code == 200
    folder = at_home / "tables" / "port"
    (folder / "knocks.json").write_text("{}")
    text = (folder / "profile.toml").read_text()
    (folder / "profile.toml").write_text(text + '[files]\nknocks = "knocks.json"\n')
    again = browser.post("/api/table/save", json={"name": "port", "setup": SETUP})
    assert (again.status_code, again.json()["error"]) == (409, "exists")
    assert browser.post("/api/table/save", json={"name": "port", "setup": SETUP, "replace": True}).status_code == 200
    assert Profile.load(folder).knocks == folder / "knocks.json"


@pytest.mark.parametrize("name", ["", ".", "..", "../port", "a/b", "a\\b", ".hidden", "x" * 61, "a\nb", " a", "a\0b"])
def test_no_name_from_the_network_is_a_way_out_of_the_folder(room: Any, at_home: Path, name: str) -> None:
    answer = room.browser().post("/api/table/save", json={"name": name, "setup": SETUP})
    assert (answer.status_code, answer.json()["error"]) == (422, "broken-profile")
    assert list(at_home.rglob("*.toml")) == []


def test_a_game_of_another_number_goes_on_as_it_was(filmed: Any) -> None:
    filmed.feed.seats = 2
    saved = filmed.browser().post("/api/table/save", json={"name": "port", "setup": SETUP}).json()
    assert saved["effect"] == "seats"
    assert filmed.eyes.settled == []


def test_what_is_dragged_is_judged_as_the_command_line_judges_it(room: Any) -> None:
    browser = room.browser()

    def drag(**change: Any) -> Any:
        return browser.post("/api/table/move", json={"setup": SETUP, "change": change})

    moved = drag(corner=0, at=[200, 40]).json()["setup"]
    assert moved["table"] == {"found": "hand", "corners": [[200.0, 40.0], *map(list, GOOD[1:])]}
    crossing = drag(corner=0, at=[1200, 600])
    assert (crossing.status_code, crossing.json()["error"]) == (422, "bad-table")
    assert crossing.json()["text"]["fr"].startswith("ces coins se croisent")
    assert crossing.json()["text"]["en"].startswith("these corners cross")
    seated = drag(seat=2, at=[200, 300]).json()["setup"]
    assert seated["seats"]["2"][0] == -1.0
    assert np.abs(np.array(seated["places"]["2"]) - [176, 301]).max() < 25
    assert drag(seat=2, at=[640, 360]).status_code == 422, "the middle of the table"
    assert drag(seat=9, at=[200, 300]).status_code == 422
    swapped = drag(seat=2, at=[1090, 300]).json()["setup"]["seats"]
    assert (swapped["2"], swapped["4"]) == ([1.0, 0.0], [-1.0, 0.0]), "who sat there takes the other place"


@pytest.mark.parametrize(
    "facts",
    [
        None,
        [],
        {},
        {**SETUP, "picture": {"width": 10**9, "height": 10}},
        {**SETUP, "picture": {"width": 0, "height": 0}},
        {**SETUP, "table": {"found": "hand", "corners": [[0, 0], [1e308, 0], ["nan", 1], [0, 1]]}},
        {**SETUP, "table": {"found": "guessed", "corners": [list(c) for c in GOOD]}},
        {**SETUP, "seats": {"1": [0, 1]}},
        {**SETUP, "seats": {**SETUP["seats"], "4": [0, 1]}},
        {**SETUP, "seats": {"a": 1}},
    ],
)
def test_what_is_no_table_is_refused(room: Any, facts: object) -> None:
    for path in ("/api/table/look", "/api/table/move", "/api/table/sit"):
        answer = room.browser().post(path, json={"setup": facts, "change": {"corner": 0, "at": [1, 1]}})
        assert answer.status_code == 422, (path, answer.text)
        assert set(answer.json()["text"]) == {"fr", "en"}


@pytest.mark.parametrize(
    "change", [None, {}, {"corner": 4, "at": [1, 1]}, {"corner": True, "at": [1, 1]}, {"seat": 1, "at": "x"}]
)
def test_what_is_no_change_is_refused(room: Any, change: object) -> None:
    answer = room.browser().post("/api/table/move", json={"setup": SETUP, "change": change})
    assert (answer.status_code, answer.json()["error"]) == (422, "bad-setup")


def test_hands_put_down_are_seats_and_nobody_plays_meanwhile(room: Any) -> None:
    rng = np.random.default_rng(2)
    table = np.clip(np.array([60, 110, 70]) + rng.normal(0, 6, (360, 640, 3)), 0, 255).astype(np.uint8)
    arms = {2: (0, 150, 200, 210), 3: (300, 0, 360, 140), 4: (440, 150, 640, 210)}
    waits = [1]

    def picture(t: float) -> Image:
        image = table.copy()
        if waits[0] in arms and int(t) % 4 < 2:
            x0, y0, x1, y1 = arms[waits[0]]
            cv2.rectangle(image, (x0, y0), (x1, y1), (130, 160, 215), -1)
        elif waits[0] == 1 and int(t) % 4 < 2:
            cv2.rectangle(image, (300, 220), (360, 360), (130, 160, 215), -1)
        return image

    setup = TableSetup.whole(4, 640, 360).with_corners(((0, 0), (640, 0), (640, 360), (0, 360)), "hand")
    room.film(lambda t: table)
    browser = room.browser()
    while room.desk.frames.newest is None:
        pass
    begun = browser.post("/api/table/sit", json={"setup": facts_of(setup)}).json()
    assert begun["state"]["waiting"] == 1
    assert room.feed.paused
    room.picture = picture
    said = begun
    for _ in range(2000):
        said = browser.get(f"/api/lesson?lesson={begun['lesson']}").json()
        waits[0] = said["state"]["waiting"]
        if said["over"]:
            break
    assert said["state"]["seated"] == [1, 2, 3, 4]
    places = said["state"]["setup"]["seats"]
    assert {seat: (round(u), round(v)) for seat, (u, v) in places.items()} == {
        "1": (0, 1),
        "2": (-1, 0),
        "3": (0, -1),
        "4": (1, 0),
    }
    assert room.desk.doing() is None
    assert not room.feed.paused


def test_an_arm_over_the_middle_costs_nobody_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.sitting._where", lambda arm, seats: (320.0, 180.0))
    lesson = SitLesson(TableSetup.whole(2, 640, 360))
    rng = np.random.default_rng(3)
    table = np.clip(np.array([60, 110, 70]) + rng.normal(0, 6, (360, 640, 3)), 0, 255).astype(np.uint8)
    for n in range(20):
        image = table.copy()
        if n > 3:
            cv2.rectangle(image, (0, 140), (300, 220), (130, 160, 215), -1)
        lesson.see(Frame(n / 5, image, n))
    assert lesson.state()["waiting"] == 1


def test_beside_the_calibrated_table_nothing_can_be_made_out() -> None:
    rng = np.random.default_rng(1)
    image = rng.integers(0, 255, (360, 640, 3)).astype(np.uint8)
    zone = np.zeros((360, 640), bool)
    zone[100:300, 100:500] = True
    shown = veiled(image, zone)
    assert np.array_equal(shown[zone], image[zone])
    assert shown[~zone].std() < 6 < image[~zone].std()
    assert veiled(image, None) is image


def test_a_picture_is_made_no_more_than_twice_a_second(room: Any, table_picture: Image) -> None:
    panel, made = room.desk.table, []
    for n in range(20):  # a camera with ten pictures a second, a page that asks for each
        room.desk.frames.put(Frame(n / 10, table_picture, n))
        made.append(panel.picture(whole=True, now=n / 10))
    assert len({id(data) for data in made}) == 4
    last = panel.picture(whole=True, now=2.5)
    assert panel.picture(whole=True, now=3.5) is last, "the same picture is made once"


def test_a_table_from_the_page_is_the_same_table() -> None:
    assert facts_of(setup_of(SETUP)) == SETUP


def _get(browser: Any, path: str) -> bytes:
    answer = browser.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/jpeg"
    return bytes(answer.content)
