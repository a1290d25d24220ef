"""Whatever comes through a web socket, nothing breaks, and nobody who only watches changes anything."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import struct
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient
from whole_page import WholePage

from assistant.page.server import Listener, PageServer, create_app

ORIGIN = "http://localhost"
SOCKETS = ("/live", "/senses", "/phone")
SAID = (
    "tap ping begin clock awake end say undo redo rename drop insert pause resume names reply reseat deal play trut "
    "accept fold annul 7h e1 neighbours"
)
ASKED = "type id do rev verb seat args event was card names answer n key rate camera show"
WORDS = st.sampled_from([*SAID.split(), "", "\x00", "é" * 50, "\ud800"])
KEYS = st.sampled_from(ASKED.split())
ATOMS = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=30)
JSON = st.recursive(
    ATOMS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=12,
)
TAPS = st.fixed_dictionaries(
    {"type": st.just("tap"), "id": st.text(min_size=1, max_size=8)},
    optional={"do": WORDS, "rev": st.integers(0, 9) | ATOMS, "verb": WORDS, "seat": ATOMS, "args": JSON},
)
LARGE = ["[" * 20_000, '{"a":' * 3000, "x" * 70_000, '{"type": 1e999}', '{"type":"tap","id":"' + "9" * 15_000]
MESSAGES = st.one_of(
    TAPS.map(json.dumps),
    JSON.map(json.dumps),
    st.text(max_size=200),
    st.binary(max_size=200),
    st.sampled_from(LARGE),
)
ALWAYS_THE_SAME = settings(
    max_examples=60,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
PLAYED = ["deal", "play 1 7h"]
HERE = ("127.0.0.1", 5)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholePage]:
    whole = WholePage(tmp_path_factory.mktemp("records"))
    play = [{"verb": "deal", "seat": None, "args": []}, {"verb": "play", "seat": 1, "args": ["7h"]}]
    for number, one in enumerate(play):
        whole.feed.tap({"type": "tap", "id": f"p{number}", "do": "say", **one}, "page-1", lambda answer: None)
    assert whole.log == PLAYED
    yield whole
    whole.close()


def _cookie(table: WholePage) -> bytes:
    browser = TestClient(create_app(table.page), ORIGIN, client=HERE, headers={"Origin": ORIGIN})
    assert browser.post("/api/join", json={"code": "ABCDEF"}).status_code == 204
    return "; ".join(f"{name}={value}" for name, value in browser.cookies.items()).encode()


async def _pour(app: Starlette, path: str, cookie: bytes, messages: list[str | bytes]) -> list[str]:
    """Send them all and go; the kinds of what the page sent."""
    headers = [(b"host", b"localhost"), (b"origin", ORIGIN.encode()), (b"cookie", cookie)]
    scope = {"type": "websocket", "scheme": "ws", "path": path, "query_string": b"", "headers": headers}
    scope |= {"client": HERE, "server": ("localhost", 80), "extensions": {"websocket.http.response": {}}}
    coming: list[dict[str, object]] = [{"type": "websocket.connect"}]
    for message in messages:
        kind = "bytes" if isinstance(message, bytes) else "text"
        coming.append({"type": "websocket.receive", kind: message})
    came = iter([*coming, {"type": "websocket.disconnect", "code": 1005}])
    sent: list[str] = []

    async def receive() -> Any:
        await asyncio.sleep(0)
        message = next(came, None)
        if message is None:
            await asyncio.Event().wait()  # whoever asks again is cancelled, or hangs
        return message

    async def send(message: Any) -> None:
        sent.append(message["type"])

    async with asyncio.timeout(20):
        await app(scope, receive, send)
    return sent


@pytest.mark.parametrize("path", SOCKETS)
@pytest.mark.parametrize("joined", [False, True], ids=["watching", "joined"])
def test_nothing_breaks_and_a_watcher_changes_nothing(table: WholePage, path: str, joined: bool) -> None:
    app, cookie, log = create_app(table.page), _cookie(table) if joined else b"", table.log
    accepted: set[bool] = set()

    @ALWAYS_THE_SAME
    @given(st.lists(MESSAGES, max_size=5))
    def poured(messages: list[str | bytes]) -> None:
        accepted.add("websocket.accept" in asyncio.run(_pour(app, path, cookie, messages)))

    poured()
    assert accepted == {joined or path == "/live"}
    assert (table.told, table.referee.guard.falls) == ([], 0)
    assert table.page.access.sockets.taken == 0
    if not joined:
        assert table.log == log


# -- frames as no browser makes them, over a real connection ---------------------------------------------------------

HEADS = st.sampled_from([0x81, 0x82, 0x01, 0x80, 0x88, 0x89, 0x8A, 0x83, 0xC1, 0xFF, 0x00])


@st.composite
def frames(draw: st.DrawFn) -> bytes:
    """A frame with a head that need not fit what follows, sometimes torn, masked or not."""
    head, body = draw(HEADS), draw(st.binary(max_size=60))
    length = draw(st.sampled_from([len(body), 0, 125, 126, 127, 1 << 16, (1 << 63) - 1, 1 << 40]))
    masked = 0x80 if draw(st.booleans()) else 0
    if length < 126:
        size = bytes([masked | length])
    elif length < 1 << 16:
        size = bytes([masked | 126]) + struct.pack("!H", length)
    else:
        size = bytes([masked | 127]) + struct.pack("!Q", length)
    frame = bytes([head]) + size + (b"mask" if masked else b"") + body
    return frame[: draw(st.integers(0, len(frame)))] if draw(st.booleans()) else frame


@pytest.fixture(scope="module")
def served(table: WholePage) -> Iterator[int]:
    with PageServer(table.page, [Listener("127.0.0.1", 0)]) as server:
        yield server.ports[0]


def _upgrade(port: int, path: str) -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}"]
    lines += ["Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
    return "\r\n".join([*lines, "", ""]).encode()


def _exchange(port: int, data: bytes) -> bytes:
    """Send bytes, shut the way there, and read what comes until the other end shuts too."""
    with socket.create_connection(("127.0.0.1", port), 10) as wire:
        came = b""
        try:
            wire.sendall(data)
            wire.shutdown(socket.SHUT_WR)
            while block := wire.recv(65536):
                came += block
        except ConnectionError:
            pass
        return came


@ALWAYS_THE_SAME
@given(torn=st.lists(frames(), max_size=4))
@example(torn=[b"\x81\x85maskhel"])
def test_torn_and_false_frames_end_their_connection_alone(table: WholePage, served: int, torn: list[bytes]) -> None:
    log = table.log
    came = _exchange(served, _upgrade(served, "/live") + b"".join(torn))
    assert came.startswith(b"HTTP/1.1 101")
    assert (table.told, table.log) == ([], log)


FALSE_REQUESTS = [
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /static/%00%ff/../.. HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    b"GET /api/role HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: trut-1=\xff\xfe; =\r\nConnection: close\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
]


@ALWAYS_THE_SAME
@given(st.binary(max_size=300) | st.sampled_from(FALSE_REQUESTS))
def test_bytes_that_are_no_request_end_their_connection_alone(table: WholePage, served: int, data: bytes) -> None:
    log = table.log
    came = _exchange(served, data)
    assert b"500" not in came.partition(b"\r\n")[0]
    assert b"Traceback" not in came
    assert (table.told, table.log) == ([], log)


def test_after_all_that_the_page_still_answers(served: int) -> None:
    head = f"GET /api/role HTTP/1.1\r\nHost: 127.0.0.1:{served}\r\nConnection: close\r\n\r\n"
    assert _exchange(served, head.encode()).startswith(b"HTTP/1.1 200")
