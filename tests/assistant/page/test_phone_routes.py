"""What a phone sends to the page: over the socket and by plain uploads, and what is refused."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from fake_feed import FakeFeed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from assistant.fake_phones import number_of, numbered
from assistant.fake_time import FakeTime
from assistant.page.access import Access
from assistant.page.page import Page
from assistant.page.phone import Phone
from assistant.page.phone.camera import decoded
from assistant.page.phone.jpeg import MOST_BYTES, size_of
from assistant.page.phone.messages import BadPhoneData, told, unpacked
from assistant.page.server import create_app

BASE = "https://localhost"
SOCKET = "wss://localhost/phone"
KEY = "abcdefgh12345678"
BEGIN = {"camera": True, "microphone": True, "rate": 48000, "key": KEY}


@dataclass
class Table:
    page: Page
    phone: Phone
    time: FakeTime
    told: list[str]

    def browser(self) -> TestClient:
        return TestClient(create_app(self.page), BASE, client=("192.168.1.30", 5), headers={"Origin": BASE})

    def joined(self) -> TestClient:
        browser = self.browser()
        assert browser.post("/api/join", json={"code": self.page.access.code}).status_code == 204
        return browser

    def newest(self) -> int | None:
        """The number of the picture that waits for the camera."""
        camera = self.phone.camera
        assert camera is not None
        waiting = camera.source._picture
        image = None if waiting is None else decoded(waiting[0].jpeg)
        return None if image is None else number_of(image)


@pytest.fixture
def table() -> Iterator[Table]:
    time, said = FakeTime(100.0), []
    phone = Phone(threads=time)
    yield Table(Page(FakeFeed(), Access(now=time.now), phone=phone, tell=said.append), phone, time, said)
    phone.close()
    time.close()


def picture_message(number: int, jpeg: bytes | None = None, taken: float = 5000.0) -> bytes:
    return struct.pack("<BBHId", 1, 0, 0, number, taken) + (numbered(number) if jpeg is None else jpeg)


def sound_message(first: int = 0, samples: int = 2048, take: int = 1, ended: float = 5000.0) -> bytes:
    return struct.pack("<BBHIdd", 2, 0, take, 1, ended, first) + bytes(2 * samples)


def compared(socket: WebSocketTestSession) -> None:
    """Begin, and compare the clocks."""
    socket.send_json({"type": "begin", **BEGIN})
    assert socket.receive_json()["type"] == "ready"
    socket.send_json({"type": "ping", "n": 1})
    assert socket.receive_json() == {"type": "pong", "n": 1}
    socket.send_json({"type": "clock", "n": 1, "sent": 4999, "came": 5000})


# -- the socket ------------------------------------------------------------------------------------------------------


def test_pictures_and_sound_over_the_socket_reach_the_table(table: Table) -> None:
    with table.joined() as browser, browser.websocket_connect(SOCKET) as socket:
        compared(socket)
        socket.send_bytes(picture_message(7))
        ack = socket.receive_json()
        assert (ack["type"], ack["n"], set(ack["ask"])) == ("ack", 7, {"rate", "width", "quality"})
        assert ack["delay"] < 10
        assert table.newest() == 7
        socket.send_bytes(sound_message())
        socket.send_bytes(picture_message(8))
        socket.receive_json()
        assert table.phone.microphone is not None
        assert table.phone.microphone.source.sounds
        assert table.phone.status() | {"rate": 0, "delay": 0} == {
            "camera": "held",
            "microphone": "held",
            "rate": 0,
            "delay": 0,
        }
    assert table.phone.status()["camera"] == "wanted"
    assert table.told == []


def test_who_only_watches_sends_nothing(table: Table) -> None:
    browser = table.browser()
    with pytest.raises(WebSocketDenialResponse) as refused, browser.websocket_connect(SOCKET):
        pass
    assert refused.value.status_code == 403
    assert table.phone.status()["camera"] == "wanted"
    for path in ("begin", "tell", "picture", "sound"):
        assert browser.post(f"/api/phone/{path}", json=BEGIN).status_code == 403


def test_who_has_left_sends_no_more_over_the_socket_that_is_open(table: Table) -> None:
    with table.joined() as browser, browser.websocket_connect(SOCKET) as socket:
        socket.send_json({"type": "begin", **BEGIN})
        assert socket.receive_json()["type"] == "ready"
        assert browser.post("/api/leave").status_code == 204
        socket.send_bytes(picture_message(7))
        came = socket.receive()
        while came["type"] != "websocket.close":
            came = socket.receive()
    assert (came["code"], came["reason"]) == (1008, "watch-only")
    assert table.newest() is None


def test_a_table_with_other_eyes_takes_no_phone() -> None:
    page = Page(FakeFeed(), Access())
    table = Table(page, Phone(threads=FakeTime()), FakeTime(), [])
    browser = table.joined()
    assert browser.get("/api/phone").json()["camera"] == "none"
    answer = browser.post("/api/phone/begin", json=BEGIN)
    assert (answer.status_code, answer.json()["error"]) == (409, "phone-not-wanted")
    table.phone.close()


def test_a_second_phone_asks_before_it_takes_over_and_the_first_is_told(table: Table) -> None:
    with table.joined() as browser, browser.websocket_connect(SOCKET) as first:
        compared(first)
        with browser.websocket_connect(SOCKET) as second:
            other = {"type": "begin", **BEGIN, "key": "another0phone"}
            second.send_json(other)
            assert second.receive_json() == {"type": "refused", "code": "taken"}
            second.send_json({**other, "take_over": True})
            assert second.receive_json()["type"] == "ready"
            assert first.receive_json() == {"type": "replaced"}
            with pytest.raises(WebSocketDisconnect):
                first.receive_json()
            second.send_bytes(picture_message(3))
            assert second.receive_json()["type"] == "ack"


def test_the_same_page_comes_back_without_asking(table: Table) -> None:
    with table.joined() as browser, browser.websocket_connect(SOCKET) as first:
        compared(first)
        with browser.websocket_connect(SOCKET) as again:
            compared(again)


def test_the_end_of_the_table_is_told(table: Table) -> None:
    with table.joined() as browser, browser.websocket_connect(SOCKET) as socket:
        compared(socket)
        table.phone.close()
        assert socket.receive_json() == {"type": "over"}


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\x00",
        b"\x01" * 16,
        b"\x02" * 23,
        picture_message(1, b"no picture"),
        picture_message(1, b"\xff\xd8\xff\xda" + bytes(100)),
        picture_message(1, taken=float("nan")),
        sound_message(samples=0),
        sound_message() + b"\x00",
        sound_message(ended=-1.0),
        sound_message(samples=200_000),
        "{}",
        "[]",
        "null",
        '{"type": "ping"}',
        '{"type": "ping", "n": true}',
        '{"type": "ping", "n": 1e400}',
        '{"type": "clock", "n": 1, "sent": "x", "came": 1}',
        '{"type": "begin"}',
        "x" * 10_000,
        '{"type": "tap", "do": "undo"}',
    ],
)
def test_what_no_phone_sends_closes_the_socket_and_not_the_table(table: Table, sent: bytes | str) -> None:
    with table.joined() as browser:
        with browser.websocket_connect(SOCKET) as socket:
            compared(socket)
            if isinstance(sent, bytes):
                socket.send_bytes(sent)
            else:
                socket.send_text(sent)
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
            assert closed.value.code == 1008
        with browser.websocket_connect(SOCKET) as socket:
            compared(socket)
            socket.send_bytes(picture_message(9))
            assert socket.receive_json()["n"] == 9
    assert table.told == []


def test_pictures_before_the_beginning_close_the_socket(table: Table) -> None:
    with table.joined() as browser, browser.websocket_connect(SOCKET) as socket:
        socket.send_bytes(picture_message(1))
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_a_flood_is_left_out_and_then_shut_out(table: Table) -> None:
    with table.joined() as browser, browser.websocket_connect(SOCKET) as socket:
        compared(socket)
        for number in range(1, 31):
            socket.send_bytes(picture_message(number))
            assert socket.receive_json()["n"] == number
        for number in range(31, 90):
            socket.send_bytes(picture_message(number))
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
        assert table.newest() in (None, 30)


# -- uploads ---------------------------------------------------------------------------------------------------------


def begun(browser: TestClient, **more: Any) -> str:
    answer = browser.post("/api/phone/begin", json={**BEGIN, **more})
    assert answer.status_code == 200
    assert answer.json()["messages"][0]["type"] == "ready"
    sender: str = answer.json()["sender"]
    return sender


def upload(browser: TestClient, sender: str, number: int, jpeg: bytes | None = None, **more: Any) -> Any:
    params = {"sender": sender, "n": number, "taken": 5000, "left_out": 0, **more}
    content = numbered(number) if jpeg is None else jpeg
    return browser.post("/api/phone/picture", params=params, content=content, headers={"content-type": "image/jpeg"})


def upload_sound(browser: TestClient, sender: str, **more: Any) -> Any:
    params = {"sender": sender, "take": 1, "n": 1, "ended": 5000, "first": 0, **more}
    kind = {"content-type": "application/octet-stream"}
    return browser.post("/api/phone/sound", params=params, content=bytes(4096), headers=kind)


def test_uploads_do_all_that_the_socket_does(table: Table) -> None:
    browser = table.joined()
    sender = begun(browser)
    tell = {"sender": sender}
    answer = browser.post("/api/phone/tell", params=tell, json={"type": "ping", "n": 4})
    assert answer.json() == {"messages": [{"type": "pong", "n": 4}]}
    clock = {"type": "clock", "n": 4, "sent": 4999, "came": 5000}
    assert browser.post("/api/phone/tell", params=tell, json=clock).json() == {"messages": []}
    ack = upload(browser, sender, 5).json()["messages"][0]
    assert (ack["type"], ack["n"]) == ("ack", 5)
    assert table.newest() == 5
    assert upload_sound(browser, sender).json()["messages"] == [{"type": "heard", "n": 1}]
    assert table.phone.microphone is not None
    assert table.phone.microphone.source.sounds
    browser.post("/api/phone/tell", params=tell, json={"type": "end"})
    assert upload(browser, sender, 6).status_code == 404
    assert table.phone.status()["camera"] == "wanted"


def test_an_older_picture_that_comes_later_is_not_shown(table: Table) -> None:
    browser = table.joined()
    sender = begun(browser)
    table.time.sleep(4.0)  # the clocks were not compared: now pictures are taken all the same
    upload(browser, sender, 5)
    table.time.sleep(0.1)
    upload(browser, sender, 4)
    assert table.newest() == 5


def test_a_phone_that_uploads_is_told_that_it_was_replaced(table: Table) -> None:
    browser = table.joined()
    sender = begun(browser)
    refused = browser.post("/api/phone/begin", json={**BEGIN, "key": "another0phone"})
    assert (refused.status_code, refused.json()["error"]) == (409, "taken")
    begun(browser, key="another0phone", take_over=True)
    assert upload(browser, sender, 2).status_code == 404


def test_a_phone_that_fell_silent_holds_no_place(table: Table) -> None:
    browser = table.joined()
    begun(browser)
    table.time.sleep(9.0)
    begun(browser, key="another0phone")


def test_what_no_phone_uploads_is_refused(table: Table) -> None:
    browser = table.joined()
    sender = begun(browser)
    assert upload(browser, "nobody", 1).status_code == 404
    assert upload(browser, sender, 1, b"no picture").status_code == 415
    assert upload(browser, sender, 1, bytes(MOST_BYTES + 1)).status_code == 413
    assert upload(browser, sender, 1, taken="soon").status_code == 400
    assert upload(browser, sender, 1, left_out="-1").status_code == 400
    assert upload_sound(browser, sender, first="1.5").status_code == 400
    assert upload_sound(browser, sender, take="é").status_code == 400
    wrong = browser.post("/api/phone/picture", params={"sender": sender}, content=numbered(1))
    assert wrong.status_code == 415
    assert browser.post("/api/phone/begin", json={**BEGIN, "key": "x"}).status_code == 400
    assert browser.post("/api/phone/begin", json={**BEGIN, "rate": 10**9}).status_code == 400
    assert (
        browser.post("/api/phone/begin", content=b"{", headers={"content-type": "application/json"}).status_code == 400
    )
    assert table.told == []


def test_too_many_uploads_are_refused(table: Table) -> None:
    browser = table.joined()
    sender = begun(browser)
    answers = [upload(browser, sender, number).status_code for number in range(1, 40)]
    assert answers[0] == 200
    assert answers[-1] == 429


# -- pictures --------------------------------------------------------------------------------------------------------


def test_the_size_is_read_from_the_header() -> None:
    assert size_of(numbered(3)) == (160, 90)


def test_a_bomb_is_told_from_a_picture() -> None:
    jpeg = bytearray(numbered(3))
    at = jpeg.index(b"\xff\xc0")
    jpeg[at + 5 : at + 9] = struct.pack(">HH", 60_000, 60_000)
    assert size_of(bytes(jpeg)) is None
    assert size_of(numbered(3) + b"\xff\xda" * 50) is None
    assert size_of(b"") is None
    assert size_of(b"\xff\xd8" + b"\xff" * 100_000) is None


@given(st.binary(max_size=400), st.integers(0, 400), st.integers(0, 255))
def test_a_damaged_picture_never_raises(more: bytes, at: int, value: int) -> None:
    jpeg = bytearray(numbered(1) + more)
    jpeg[min(at, len(jpeg) - 1)] = value
    if size_of(bytes(jpeg)) is not None:
        decoded(bytes(jpeg))
    assert size_of(more) is None or more[:2] == b"\xff\xd8"


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.binary(max_size=80)
    | st.binary(max_size=60).map(lambda b: b"\x01" + b)
    | st.binary(max_size=60).map(lambda b: b"\x02" + b)
)
def test_any_bytes_are_understood_or_refused(data: bytes) -> None:
    with suppress(BadPhoneData):
        unpacked(data)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=4),
    max_leaves=8,
)
_FIELDS = st.fixed_dictionaries(
    {"type": st.sampled_from(["begin", "ping", "clock", "asleep", "awake", "end", "x"])},
    optional=dict.fromkeys(("n", "sent", "came", "camera", "microphone", "key", "rate", "name", "take_over"), _JSON),
)


@given(_JSON | _FIELDS)
def test_any_text_is_understood_or_refused(message: object) -> None:
    with suppress(BadPhoneData):
        told(message)
