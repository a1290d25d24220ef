"""Many watchers at once, slow ones, and those who open more connections than anybody needs."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from fake_feed import FakeFeed, FakeState
from websockets.sync.client import ClientConnection, connect

from assistant.page.doors import open_door
from assistant.page.limits import Bucket, Buckets, Places, is_loopback, key_of
from assistant.page.page import Page
from assistant.page.server import Listener, PageServer

ROOT = Path(__file__).parents[3]


def _watch(port: int) -> ClientConnection:
    origin = f"http://127.0.0.1:{port}"
    return connect(f"ws{origin[4:]}/live", origin=origin)  # type: ignore[arg-type]


def test_a_crowd_is_shown_every_change_by_one_call_from_the_referee() -> None:
    feed = FakeFeed()
    with PageServer(Page(feed), [Listener("127.0.0.1", 0)]) as served:
        words = [sys.executable, "-m", "assistant.bench.watchers", str(served.ports[0]), "40"]
        crowd = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            assert crowd.stdout is not None
            assert crowd.stdout.readline().strip() == "ready"
            assert feed.listeners == 1
            with _watch(served.ports[0]) as last:
                last.recv(5), last.recv(5)
                feed.change()
                assert json.loads(last.recv(5))["rev"] == 2
            out, _ = crowd.communicate(timeout=20)
        finally:
            crowd.kill()
            crowd.communicate()
    figures = json.loads(out)
    assert (figures["watchers"], figures["states"], figures["lost"]) == (40, 1, 0)
    assert figures["shown"] == 40


def test_who_does_not_read_holds_nobody_up_and_skips_states() -> None:
    feed = FakeFeed()
    feed.state = lambda: FakeState(feed._rev, json.dumps({"rev": feed._rev, "much": "x" * 500_000}))  # type: ignore[method-assign]
    with PageServer(Page(feed), [Listener("127.0.0.1", 0)]) as served:
        port = served.ports[0]
        slow = socket.create_connection(("127.0.0.1", port), 5)
        lines = [f"Host: 127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}", "Upgrade: websocket"]
        lines += ["Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13"]
        slow.sendall("\r\n".join(["GET /live HTTP/1.1", *lines, "", ""]).encode())
        with _watch(port) as quick:
            quick.recv(5), quick.recv(5)
            for _ in range(30):
                feed.change()
                assert json.loads(quick.recv(5))["rev"] == feed._rev
        slow.settimeout(0.5)
        came = 0
        try:
            while block := slow.recv(1 << 20):
                came += len(block)
        except TimeoutError:
            pass
        slow.close()
    assert 500_000 < came < 24 * 500_000, "what he could not take was never kept for him"


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET /api/role HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /"])
def test_a_connection_without_the_head_of_a_request_is_given_up(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.page.server.PATIENCE", 0.3)
    with (
        PageServer(Page(FakeFeed()), [Listener("127.0.0.1", 0)]) as served,
        socket.create_connection(("127.0.0.1", served.ports[0]), 10) as silent,
    ):
        silent.sendall(said)
        came = b"".join(iter(lambda: silent.recv(4096), b""))
        assert came.startswith(b"HTTP/1.1 200") == (b"\r\n\r\n" in said)
        with _watch(served.ports[0]) as watcher:
            watcher.recv(5), watcher.recv(5)
            with pytest.raises(TimeoutError):  # who watches may be silent for longer than that
                watcher.recv(0.6)


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.page.access.BODY_SECONDS", 0.2)
    with (
        PageServer(Page(FakeFeed()), [Listener("127.0.0.1", 0)]) as served,
        socket.create_connection(("127.0.0.1", served.ports[0]), 10) as slow,
    ):
        here = f"127.0.0.1:{served.ports[0]}"
        lines = ["POST /api/join HTTP/1.1", f"Host: {here}", f"Origin: http://{here}", "Content-Type: application/json"]
        slow.sendall("\r\n".join([*lines, "Content-Length: 20", "", '{"co']).encode())
        assert slow.recv(4096).startswith(b"HTTP/1.1 408")


def test_who_opens_too_many_connections_is_shut_out_and_the_machine_itself_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assistant.page.doors.is_loopback", lambda address: False)
    with open_door("127.0.0.1", 0, Places(10, 2)) as door:
        address = door.getsockname()
        callers = [socket.create_connection(address, 5) for _ in range(3)]
        inside = [_accepted(door) for _ in range(2)]
        with pytest.raises(BlockingIOError):
            _accepted(door)
        inside[0].close()
        callers.append(socket.create_connection(address, 5))
        inside.append(_accepted(door))
        monkeypatch.undo()
        callers.append(socket.create_connection(address, 5))
        inside.append(_accepted(door))
        assert door.places.taken == 2
        for one in [*callers, *inside]:
            one.close()
        assert door.places.taken == 0


def _accepted(door: socket.socket) -> socket.socket:
    """The next visitor; the system may need a moment to bring him."""
    from select import select

    select([door], [], [], 5)
    return door.accept()[0]


def test_a_bucket_fills_again_with_time() -> None:
    clock = [0.0]
    bucket = Bucket(2, 0.5, lambda: clock[0])
    assert [bucket.take(), bucket.take(), bucket.take()] == [0.0, 0.0, 2.0]
    clock[0] = 2.0
    assert (bucket.take(), bucket.take()) == (0.0, 2.0)
    clock[0] = 1000.0
    assert [bucket.take() for _ in range(3)].count(0.0) == 2, "no more than at the beginning"


def test_buckets_are_of_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.page.limits.MOST_KEYS", 3)
    buckets = Buckets(1, 0.1, lambda: 0.0)
    assert buckets.take("marie") == 0.0
    for stranger in "abc":
        buckets.take(stranger)
    assert len(buckets._kept) == 3


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("testclient", "testclient"),
    ],
)
def test_who_an_address_is_for_the_limits(address: str, key: str) -> None:
    assert key_of(address) == key


def test_loopback_is_this_machine_however_it_is_written() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1")))
    assert not any(map(is_loopback, ("192.168.1.7", "::", "localhost", "")))
