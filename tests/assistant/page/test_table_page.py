"""``trut watch --web``: a score pad on the page, a film that the page follows, and what happens when it ends."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from assistant import wiring
from assistant.cli import main
from assistant.i18n import set_language
from assistant.page.clerk import Clerk
from assistant.page.doors import open_door
from assistant.page.table_page import TablePage
from assistant.session import Referee, run_files
from assistant.testing import BlankCamera, ScriptedEars, ScriptedEyes, SilentMicrophone, script_of
from assistant.wiring import Media
from engine import Game, Header, Record, replay

ROOT = Path(__file__).parents[3]
TRUTH = """\
game trut
seats 2
dealer 2
deal | t=1.00
play 1 As | t=2.75
play 2 Kh | t=4.00
"""


@pytest.fixture(autouse=True)
def _french() -> Iterator[None]:
    yield
    set_language("fr")


def _answer(socket: ClientConnection, named: str) -> dict[str, Any]:
    """What came of a tap; the states between are passed over."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(10))
        if message.get("id") == named:
            return message


def test_a_score_pad_on_the_page_needs_no_keyboard_and_keeps_standard_output_clean(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "assistant", "watch", "--lang", "fr", "--game", "trut", "--seats", "2", "--json"]
    words += ["--camera", "off", "--mic", "off", "--web", "--record", str(tmp_path)]
    table = subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert table.stderr is not None
        told = table.stderr.readline()
        found = re.search(r"(http://127\.0\.0\.1:\d+)/#code=([A-Z]{6})$", told.strip())
        assert found is not None, told
        origin, code = found.groups()
        import httpx

        cookies = httpx.post(f"{origin}/api/join", json={"code": code}, headers={"Origin": origin}).cookies
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        headers = {"Cookie": cookie}
        with connect(f"ws{origin[4:]}/live", origin=origin, additional_headers=headers) as socket:  # type: ignore[arg-type]
            assert json.loads(socket.recv(10))["role"] == "correct"
            state = json.loads(socket.recv(10))
            assert state["mode"] == "pad"
            deal = {"do": "say", "verb": "deal", "seat": None, "args": []}
            tap = {"type": "tap", "id": "t1", "rev": state["rev"], **deal}
            socket.send(json.dumps(tap))
            assert _answer(socket, "t1")["ok"] is True
        if os.name == "posix":
            table.send_signal(signal.SIGINT)
            out, err = table.communicate(timeout=20)
            assert (table.returncode, err) == (0, "")
            rows = [json.loads(line) for line in out.splitlines()]
            assert "deal" in [row.get("event") for row in rows]
            assert rows[-1]["file"] == str(tmp_path / "trut-1.trut")
    finally:
        table.kill()
        table.communicate()


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A film in which ``TRUTH`` is seen."""
    observations = script_of(TRUTH)
    monkeypatch.setattr(wiring, "eyes_for", lambda deck, seats, table=None: ScriptedEyes(observations))
    monkeypatch.setattr(wiring, "ears_for", lambda game, *taught: ScriptedEars(observations))
    monkeypatch.setattr(
        wiring, "open_media", lambda camera, mic, phone=None: Media(BlankCamera(8), SilentMicrophone(8), live=False)
    )


@pytest.mark.usefixtures("scripted")
def test_the_page_stays_open_after_a_film_and_corrects_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers: list[Any] = []
    follow = TablePage._follow

    def somebody_taps(page: TablePage, referee: Referee) -> None:
        state = json.loads(page.feed.state().text)
        (trick,) = state["round_cards"]
        assert [card["card"] for card in trick] == ["As", "Kh"]
        tap = {"id": "t1", "rev": state["rev"], "do": "rename", "event": trick[1]["event"], "was": "Kh"}
        page.feed.tap({**tap, "card": "Qh"}, "page-1", lambda answer: (answers.append(answer), page.close()))
        follow(page, referee)

    monkeypatch.setattr(TablePage, "_follow", somebody_taps)
    words = ["watch", "--game", "trut", "--seats", "2", "--web", "--record", str(tmp_path), "--lang", "fr"]
    assert main(words) == 0
    printed = capsys.readouterr()
    assert "C'est la fin. La page reste ouverte ; Ctrl-C la ferme." in printed.out
    assert printed.err == ""
    assert [answer.ok for answer in answers] == [True]
    record = replay(Record.load(tmp_path / "trut-1.trut"))
    assert [str(event) for event in record.game.log] == ["deal", "play 1 As", "play 2 Qh"]


def test_a_tap_that_breaks_ends_neither_a_film_nor_what_comes_after(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object) -> None:
        raise RuntimeError("a fault of ours")

    answers: list[Any] = []
    with TablePage("", out=io.StringIO()) as page:
        referee = Referee(Game(Header("trut", seats=2, dealer=2)), page=page.clerk)
        monkeypatch.setattr(Clerk, "_follow", broken)
        page.feed.tap({"id": "t1", "do": "score"}, "page-1", answers.append)
        observations = script_of(TRUTH)
        eyes, ears = ScriptedEyes(observations), ScriptedEars(observations)
        run_files(referee, BlankCamera(8), eyes, SilentMicrophone(8), ears, told=page.clerk.taken)
        assert [str(event) for event in referee.game.log] == ["deal", "play 1 As", "play 2 Kh"]
        after: list[Any] = []
        page.feed.tap({"id": "t2", "do": "score"}, "page-1", lambda came: (after.append(came), page.close()))
        page._follow(referee)
    assert [answer.code for answer in answers] == ["broken"]
    assert [answer.code for answer in after] in (["broken"], ["busy"])


@pytest.mark.usefixtures("scripted")
def test_a_port_that_is_taken_is_told_before_anything_is_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    with open_door("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert main(["watch", "--game", "trut", "--web", f"127.0.0.1:{port}", "--lang", "fr"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"trut: le port {port} de 127.0.0.1 est pris")
    assert len(printed.err.splitlines()) == 1


def test_a_page_whose_server_is_gone_does_not_stop_the_table() -> None:
    told = io.StringIO()
    with TablePage("", out=told) as page:
        said: list[str] = []
        page.page.tell = said.append
        referee = Referee(Game(Header("trut", seats=2, dealer=2)), page=page.clerk)
        page.start()
        observations = script_of(TRUTH)
        lost = threading.Event()

        def pace(t: float) -> None:
            if t > 2 and not lost.is_set():
                lost.set()
                for server in page._server._servers:
                    server.should_exit = True
                page._server._thread.join(0.5)

        eyes, ears = ScriptedEyes(observations), ScriptedEars(observations)
        run_files(referee, BlankCamera(8), eyes, SilentMicrophone(8), ears, pace=pace)
        assert [str(event) for event in referee.game.log] == ["deal", "play 1 As", "play 2 Kh"]
        assert len(said) == 1
        assert "la partie continue" in said[0]
