"""The page as browsers and others ask for it: what is served to whom, and what is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fake_feed import FakeFeed
from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from assistant.i18n import LANGUAGES
from assistant.page.access import LETTERS, Access
from assistant.page.doors import NoSuchAddress, PortTaken
from assistant.page.page import Page
from assistant.page.phone import Phone
from assistant.page.phone.messages import MOST_MESSAGE
from assistant.page.server import Listener, PageServer, create_app
from assistant.page.sockets import TAPS

HERE = ("127.0.0.1", 50000)
PHONE = ("192.168.1.30", 50000)
LIVE = "ws://localhost/live"


@dataclass
class Table:
    """A page, and browsers that call it."""

    page: Page
    feed: FakeFeed
    told: list[str]

    def browser(self, *, at: tuple[str, int] = HERE, scheme: str = "http", **more: Any) -> TestClient:
        base = f"{scheme}://localhost"
        return TestClient(create_app(self.page), base, client=at, headers={"Origin": base}, **more)

    def joined(self, **more: Any) -> TestClient:
        browser = self.browser(**more)
        assert browser.post("/api/join", json={"code": self.page.access.code}).status_code == 204
        return browser


@pytest.fixture
def table() -> Table:
    feed, told = FakeFeed(), []
    clock = [0.0]
    return Table(Page(feed, Access(now=lambda: clock[0]), tell=told.append), feed, told)


def test_whoever_has_the_link_watches(table: Table) -> None:
    browser = table.browser()
    assert browser.get("/api/state").json() == {"type": "state", "rev": 1}
    role = browser.get("/api/role").json()
    assert (role["role"], role["server"], role["secure"]) == ("watch", table.page.access.boot, False)


def test_the_code_makes_a_watcher_one_who_corrects_and_leaving_takes_it_back(table: Table) -> None:
    browser = table.browser()
    code = table.page.access.code
    answer = browser.post("/api/join", json={"code": f" {code[:3].lower()}-{code[3:]}"})
    assert answer.status_code == 204
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert browser.get("/api/role").json()["role"] == "correct"
    assert browser.post("/api/leave").status_code == 204
    assert browser.get("/api/role").json()["role"] == "watch"


def test_joining_with_the_right_code_uses_up_no_tries(table: Table) -> None:
    browsers = [table.joined() for _ in range(12)]
    assert {browser.get("/api/role").json()["role"] for browser in browsers} == {"correct"}


def test_a_cookie_that_was_taken_along_counts_no_more_after_leaving(table: Table) -> None:
    browser = table.joined()
    taken = dict(browser.cookies)
    browser.post("/api/leave")
    thief = table.browser(cookies=taken)
    assert thief.get("/api/role").json()["role"] == "watch"


def test_over_plain_http_a_phone_cannot_join_nor_use_a_token(table: Table) -> None:
    phone = table.browser(at=PHONE)
    refused = phone.post("/api/join", json={"code": table.page.access.code})
    assert (refused.status_code, refused.json()["error"]) == (403, "not-secret")
    token = dict(table.joined().cookies)
    assert table.browser(at=PHONE, cookies=token).get("/api/role").json()["role"] == "watch"


def test_over_https_a_phone_joins_with_a_cookie_for_https_alone(table: Table) -> None:
    phone = table.browser(at=PHONE, scheme="https")
    cookie = phone.post("/api/join", json={"code": table.page.access.code}).headers["set-cookie"]
    assert cookie.startswith("__Host-trut-")
    assert "secure" in cookie.lower()
    assert phone.get("/api/role").json()["role"] == "correct"


def test_guessing_the_code_is_slowed_and_shuts_nobody_else_out() -> None:
    clock = [0.0]
    access = Access("ABCDEF", now=lambda: clock[0])
    table = Table(Page(FakeFeed(), access), FakeFeed(), [])
    thief = table.browser(at=PHONE, scheme="https")
    tries = [thief.post("/api/join", json={"code": "AAAAAA"}) for _ in range(8)]
    assert [one.status_code for one in tries] == [403] * 5 + [429] * 3
    assert int(tries[-1].headers["retry-after"]) >= 1
    owner = table.browser(at=("192.168.1.31", 5), scheme="https")
    assert owner.post("/api/join", json={"code": "ABCDEF"}).status_code == 204
    clock[0] += 60
    assert thief.post("/api/join", json={"code": "ABCDEF"}).status_code == 204, "not shut out for ever"


def test_guessing_from_everywhere_does_not_shut_out_this_machine() -> None:
    table = Table(Page(FakeFeed(), Access("ABCDEF", now=lambda: 0.0)), FakeFeed(), [])
    for number in range(30):
        thief = table.browser(at=(f"10.0.0.{number}", 5), scheme="https")
        statuses = [thief.post("/api/join", json={"code": "AAAAAA"}).status_code for _ in range(3)]
    assert statuses == [429] * 3
    assert table.browser().post("/api/join", json={"code": "ABCDEF"}).status_code == 204


def test_codes_are_short_and_unlike_each_other() -> None:
    codes = {Access().code for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == 6 and set(code) <= set(LETTERS) for code in codes)
    assert not set("ILO01") & set(LETTERS)


@pytest.mark.parametrize("host", ["evil.example", "", "localhost.evil.example", "127.0.0.1:1:2", "192.0.2.77"])
def test_another_name_is_not_answered(table: Table, host: str) -> None:
    answer = table.browser().get("/api/state", headers={"Host": host})
    assert (answer.status_code, answer.json()["error"]) == (421, "unknown-host")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost", "http://localhost:81"])
def test_another_page_neither_changes_nor_listens(table: Table, origin: str) -> None:
    browser = table.browser()
    answer = browser.post("/api/join", json={"code": table.page.access.code}, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["error"]) == (403, "foreign-origin")
    with pytest.raises(WebSocketDenialResponse) as denied, browser.websocket_connect(LIVE, headers={"Origin": origin}):
        pass
    assert denied.value.status_code == 403
    assert browser.get("/api/state", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_without_an_origin_one_may_look_but_neither_change_nor_listen(table: Table) -> None:
    browser = TestClient(create_app(table.page), "http://localhost", client=HERE)
    assert browser.get("/api/state").status_code == 200
    assert browser.post("/api/join", json={"code": table.page.access.code}).status_code == 403
    with pytest.raises(WebSocketDenialResponse), browser.websocket_connect(LIVE):
        pass


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{}", "text/plain", 415),
        (b"{", "application/json", 400),
        (b"[" * 5000, "application/json", 400),
        (b'{"code": NaN}', "application/json", 400),
        (b'{"code": "\\ud800"}', "application/json", 400),
        (b'{"code": 1}', "application/json", 400),
        (b"[1]", "application/json", 400),
        (b'"' + b"x" * 20000 + b'"', "application/json", 413),
        (b'{"code": "\xff"}', "application/json", 400),
    ],
)
def test_what_is_no_json_of_ours_is_refused(table: Table, body: bytes, kind: str, status: int) -> None:
    answer = table.browser().post("/api/join", content=body, headers={"Content-Type": kind})
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "text"}
    assert set(answer.json()["text"]) == set(LANGUAGES)


def test_a_body_that_does_not_tell_its_length_is_read_no_further_than_allowed(table: Table) -> None:
    taken = []

    def endless() -> Any:
        for number in range(10_000):
            taken.append(number)
            yield b"x" * 1024

    headers = {"Content-Type": "application/json"}
    assert table.browser().post("/api/join", content=endless(), headers=headers).status_code == 413


@pytest.mark.parametrize("path", ["/no", "/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd"])
def test_nothing_but_the_files_of_the_page_is_served(table: Table, path: str) -> None:
    answer = table.browser().get(path)
    assert (answer.status_code, answer.json()["error"]) == (404, "not-found")


def test_every_answer_keeps_browsers_from_what_is_not_ours(table: Table) -> None:
    browser = table.browser()
    for path in ("/", "/api/state", "/nothing", "/texts/fr"):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "connect-src 'self' ws://localhost wss://localhost;" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    assert browser.get("/api/state").headers["cache-control"] == "no-store"


def test_only_whom_a_browser_trusts_is_told_of_openers(table: Table) -> None:
    """Over plain HTTP from elsewhere a browser ignores that header, and complains of it."""
    header = "cross-origin-opener-policy"
    assert table.browser().get("/").headers[header] == "same-origin"
    assert header not in table.browser(at=("192.0.2.7", 1)).get("/").headers


def test_the_texts_of_both_languages_have_the_same_keys(table: Table) -> None:
    browser = table.browser()
    french, english = (browser.get(f"/texts/{lang}") for lang in LANGUAGES)
    assert french.json().keys() == english.json().keys()
    assert browser.get("/texts/de").status_code == 404
    again = browser.get("/texts/fr", headers={"If-None-Match": french.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_fault_behind_the_page_is_told_at_the_table_and_not_to_the_network(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Any:
        raise ZeroDivisionError("the secret of /home/marie")

    monkeypatch.setattr(table.feed, "state", broken)
    answer = table.browser().get("/api/state")
    assert (answer.status_code, answer.json()["error"]) == (500, "broken")
    assert "marie" not in answer.text
    assert len(table.told) == 1
    assert "ZeroDivisionError" in table.told[0]


# -- /live -----------------------------------------------------------------------------------------------------------


def test_a_watcher_is_greeted_shown_the_state_and_every_change(table: Table) -> None:
    with table.browser().websocket_connect(LIVE) as socket:
        hello = socket.receive_json()
        assert (hello["type"], hello["role"], hello["server"]) == ("hello", "watch", table.page.access.boot)
        assert socket.receive_json() == {"type": "state", "rev": 1}
        table.feed.change()
        assert socket.receive_json() == {"type": "state", "rev": 2}
        socket.send_json({"type": "ping"})
        assert socket.receive_json() == {"type": "pong"}


def test_a_watcher_cannot_tap(table: Table) -> None:
    with table.browser().websocket_connect(LIVE) as socket:
        socket.receive_json(), socket.receive_json()
        socket.send_json({"type": "tap", "id": "t1", "do": "undo"})
        answer = socket.receive_json()
    assert (answer["id"], answer["ok"], answer["code"]) == ("t1", False, "watch-only")
    assert table.feed.taps == []


def test_who_joined_taps_under_one_name_through_every_connection(table: Table) -> None:
    browser = table.joined()
    for number in range(2):
        with browser.websocket_connect(LIVE) as socket:
            assert socket.receive_json()["role"] == "correct"
            socket.receive_json()
            socket.send_json({"type": "tap", "id": f"t{number}", "do": "undo"})
            assert socket.receive_json() == {"type": "answer", "id": f"t{number}", "ok": True}
    assert [who for _tap, who in table.feed.taps] == ["page-1", "page-1"]


def test_who_leaves_cannot_tap_through_a_socket_that_is_still_open(table: Table) -> None:
    browser = table.joined()
    with browser.websocket_connect(LIVE) as socket:
        socket.receive_json(), socket.receive_json()
        browser.post("/api/leave")
        socket.send_json({"type": "tap", "id": "t1", "do": "undo"})
        assert socket.receive_json()["code"] == "watch-only"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "1", '{"type": "no"}', '{"type": "tap"}', '{"type": "tap", "id": 3}', '{"type": {}}', "[" * 9000],
)
def test_what_is_no_message_closes_the_socket_alone(table: Table, text: str) -> None:
    with table.joined().websocket_connect(LIVE) as socket:
        socket.receive_json(), socket.receive_json()
        socket.send_text(text)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 1008
    assert (table.feed.taps, table.told) == ([], [])


def test_bytes_and_long_messages_close_the_socket(table: Table) -> None:
    for send in (lambda s: s.send_bytes(b"\x00"), lambda s: s.send_text("x" * 20_000)):
        with table.joined().websocket_connect(LIVE) as socket:
            socket.receive_json(), socket.receive_json()
            send(socket)
            with pytest.raises(WebSocketDisconnect):
                socket.receive_json()


def test_a_flood_of_messages_closes_the_socket(table: Table) -> None:
    with table.joined().websocket_connect(LIVE) as socket:
        for _ in range(TAPS + 1):
            socket.send_json({"type": "ping"})
        with pytest.raises(WebSocketDisconnect):
            _read_to_the_end(socket)


def _read_to_the_end(socket: WebSocketTestSession) -> None:
    while True:
        socket.receive_json()


# -- the server in its thread ----------------------------------------------------------------------------------------


def test_the_server_starts_serves_and_ends(table: Table) -> None:
    with PageServer(table.page, [Listener("127.0.0.1", 0)]) as served:
        (port,) = served.ports
        origin = f"http://127.0.0.1:{port}"
        with connect(f"ws://127.0.0.1:{port}/live", origin=origin) as socket:  # type: ignore[arg-type]
            assert json.loads(socket.recv(5))["type"] == "hello"
            assert json.loads(socket.recv(5))["rev"] == 1
            table.feed.change()
            assert json.loads(socket.recv(5))["rev"] == 2
            served.close()
            with pytest.raises(ConnectionClosed):
                socket.recv(5)
    assert (table.told, table.feed.listeners) == ([], 0)


def _drain(socket: ClientConnection) -> None:
    while True:
        socket.recv(5)


@pytest.mark.parametrize(("path", "most"), [("/live", 16 * 1024), ("/phone", MOST_MESSAGE)])
def test_a_message_that_is_too_long_is_not_even_read(table: Table, path: str, most: int) -> None:
    table.page.phone = Phone()
    with PageServer(table.page, [Listener("127.0.0.1", 0)]) as served:
        origin = f"http://127.0.0.1:{served.ports[0]}"
        joined = httpx.post(f"{origin}/api/join", json={"code": table.page.access.code}, headers={"Origin": origin})
        cookie = "; ".join(f"{name}={value}" for name, value in joined.cookies.items())
        for size, code in ((most, 1008), (most + 1, 1009)):  # not understood; too long
            headers = {"Cookie": cookie}
            with connect(f"ws{origin[4:]}{path}", origin=origin, additional_headers=headers) as socket:  # type: ignore[arg-type]
                socket.send(b"\x00" * size)
                with pytest.raises(ConnectionClosed) as closed:
                    _drain(socket)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == code
    table.page.phone.close()


def test_a_port_that_is_taken_is_told_in_one_line(table: Table) -> None:
    with PageServer(table.page, [Listener("127.0.0.1", 0)]) as served:
        with pytest.raises(PortTaken) as taken:
            PageServer(table.page, [Listener("127.0.0.1", served.ports[0])])
        assert taken.value.exit_status == 2
    with pytest.raises(NoSuchAddress):
        PageServer(table.page, [Listener("192.0.2.99", 0)])
    with pytest.raises(NoSuchAddress):
        PageServer(table.page, [Listener("no such name", 0)])


def test_a_server_that_falls_is_told_once_and_comes_back(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    falls: list[int] = []
    serve = PageServer._serve_all

    async def falling(self: PageServer) -> None:
        falls.append(1)
        if len(falls) in (2, 3):
            raise OSError("the network is gone")
        if len(falls) == 1:
            self._ready.set()
            raise OSError("the network is gone")
        await serve(self)

    monkeypatch.setattr(PageServer, "_serve_all", falling)
    monkeypatch.setattr("assistant.care.SOONEST", 0.01)
    with PageServer(table.page, [Listener("127.0.0.1", 0)]) as served:
        served._care._pause = 0.01
        origin = f"http://127.0.0.1:{served.ports[0]}"
        assert _greeting(origin, served)["type"] == "hello"
    assert len(table.told) == 1
    assert "the network is gone" in table.told[0]


def _greeting(origin: str, served: PageServer) -> dict[str, object]:
    """What a watcher is told first, once the server is back."""
    for _ in range(100):
        try:
            with connect(f"ws{origin[4:]}/live", origin=origin, open_timeout=5) as socket:  # type: ignore[arg-type]
                return dict(json.loads(socket.recv(5)))
        except (OSError, EOFError, WebSocketException):
            served._closing.wait(0.05)
    raise AssertionError("it did not come back")
