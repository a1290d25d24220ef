"""The games that are kept: who may read them, and how one is brought in and taken away."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fake_feed import FakeFeed
from records_to_tell import RECORDS, random_record
from starlette.testclient import TestClient

from assistant.commands.resume import newest
from assistant.page import games
from assistant.page.access import Access
from assistant.page.clerk import Clerk
from assistant.page.feed import Feed
from assistant.page.games import KIND, LARGEST
from assistant.page.page import Page
from assistant.page.server import create_app
from assistant.session import Referee
from engine import Game, Header

GAME = b"game trut\nseats 2\ndate 2026-11-30\nname 1 Zo\xc3\xa9\ndeal\nplay 1 7h\nplay 2 8h\ntrut 2\nfold 1\n"
HERE = ("127.0.0.1", 50000)


@dataclass
class Table:
    """A page over a folder of records, one who watches and one who has the code."""

    folder: Path
    running: list[tuple[str, Path | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        page = Page(FakeFeed(), Access("ABCDEF"), records=self.folder, running=self._running, lang="fr")
        app = create_app(page)
        headers = {"Origin": "http://localhost"}
        self.watcher = TestClient(app, "http://localhost", client=HERE, headers=headers)
        self.joined = TestClient(app, "http://localhost", client=HERE, headers=headers)
        assert self.joined.post("/api/join", json={"code": "ABCDEF"}).status_code == 204

    def _running(self) -> tuple[str, Path | None] | None:
        return self.running[-1] if self.running else None

    def keep(self, name: str, data: bytes = GAME) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    def bring(self, data: bytes, kind: str = KIND) -> Any:
        return self.joined.post("/api/games", content=data, headers={"content-type": kind})


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def ids(answer: Any) -> list[str]:
    return [row["id"] for row in answer.json()["games"]]


def test_watchers_see_the_running_game_alone(table: Table) -> None:
    """The other games are for those who have the code; their very ids are not told to others."""
    path = table.keep("trut-1.trut")
    table.keep("trut-2.trut")
    assert ids(table.watcher.get("/api/games")) == []
    assert ids(table.joined.get("/api/games")) == ["trut-2", "trut-1"] or os.name == "nt"
    table.running.append((GAME.decode(), path))
    assert ids(table.watcher.get("/api/games")) == ["running"]
    assert ids(table.joined.get("/api/games")) == ["running", "trut-2"]
    for what in ("", "/moment/1", "/record", "/report"):
        assert table.watcher.get(f"/api/games/running{what}").status_code == 200
        for name in ("trut-1", "trut-2", "none"):
            refused = table.watcher.get(f"/api/games/{name}{what}")
            assert (refused.status_code, refused.json()["error"]) == (403, "watch-only")
        assert table.joined.get(f"/api/games/trut-2{what}").status_code == 200
    assert table.watcher.post("/api/games", content=GAME, headers={"content-type": KIND}).status_code == 403
    assert len(list(table.folder.iterdir())) == 2


@pytest.mark.parametrize(
    "name", ["..", "%2e%2e%2fsecret", "..%2f..%2fetc%2fpasswd", "trut-9", "trut-1.trut", "secret", "a" * 3000, "%00"]
)
def test_no_name_from_outside_reaches_a_file(table: Table, name: str) -> None:
    table.keep("trut-1.trut")
    (table.folder / "secret").write_bytes(GAME)
    (table.folder.parent / "secret").write_bytes(GAME)
    assert table.joined.get(f"/api/games/{name}").status_code == 404
    assert table.joined.get(f"/api/games/{name}/record").status_code == 404


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_not_followed(table: Table, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("elsewhere") / "trut-7.trut"
    other.write_bytes(GAME)
    (table.folder / "trut-7.trut").symlink_to(other)
    assert ids(table.joined.get("/api/games")) == []
    assert table.joined.get("/api/games/trut-7").status_code == 404


def test_what_is_brought_in_comes_out_byte_for_byte(table: Table) -> None:
    answer = table.bring(GAME)
    assert (answer.status_code, answer.json()) == (201, {"id": "trut-1", "known": False})
    assert sorted(path.name for path in table.folder.iterdir()) == ["trut-1.trut"]
    given = table.joined.get("/api/games/trut-1/record")
    assert given.content == GAME == (table.folder / "trut-1.trut").read_bytes()
    assert given.headers["content-disposition"] == 'attachment; filename="trut-1.trut"'
    again = table.bring(GAME)
    assert (again.status_code, again.json()) == (200, {"id": "trut-1", "known": True})
    assert table.bring(GAME + b"deal\n").json() == {"id": "trut-2", "known": False}


@pytest.mark.parametrize("path", RECORDS[::9], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_records_come_in_and_out(table: Table, path: Path) -> None:
    name = table.bring(path.read_bytes()).json()["id"]
    assert table.joined.get(f"/api/games/{name}/record").content == path.read_bytes()


@pytest.mark.parametrize(
    "data",
    [GAME.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + GAME, GAME + b"dea", GAME + b"# caf\xc3", GAME + b"\0\0\0"],
    ids=["crlf", "mark", "torn", "half-a-letter", "zeros"],
)
def test_odd_records_come_out_as_they_came(table: Table, data: bytes) -> None:
    assert table.bring(data).status_code == 201
    assert table.joined.get("/api/games/trut-1/record").content == data


@pytest.mark.parametrize(
    ("data", "kind", "status", "code"),
    [
        (b"", KIND, 422, "bad-header"),
        (b"hello\n", KIND, 422, "bad-header"),
        (b"\xff\xfe\n", KIND, 422, "not-text"),
        (GAME + b"expect luck\n", KIND, 422, "syntax"),
        (b"game trut\n" + b"deal\nannul\n" * 30_000, KIND, 422, "record-too-long"),
        (GAME, "text/plain", 415, "not-a-record"),
        (GAME, "", 415, "not-a-record"),
        (b"#" * (LARGEST + 1), KIND, 413, "too-large"),
    ],
)
def test_what_is_no_record_is_not_kept(table: Table, data: bytes, kind: str, status: int, code: str) -> None:
    refused = table.bring(data, kind)
    assert (refused.status_code, refused.json()["error"]) == (status, code)
    assert set(refused.json()["text"]) == {"fr", "en"}
    assert list(table.folder.iterdir()) == []


def test_a_game_that_was_brought_in_is_not_the_one_to_go_on_with(table: Table) -> None:
    """``trut resume`` goes on with the newest record: that is never one from elsewhere."""
    table.keep("truc-1.trut", b"game truc\n")
    for data in (GAME, GAME.replace(b"date 2026-11-30\n", b""), GAME.replace(b"2026", b"2999")):
        assert table.bring(data).status_code == 201
        assert newest(table.folder).name == "truc-1.trut"


def test_where_no_records_are_kept_none_are_brought_in() -> None:
    page = Page(FakeFeed(), Access("ABCDEF"))
    browser = TestClient(create_app(page), "http://localhost", client=HERE, headers={"Origin": "http://localhost"})
    browser.post("/api/join", json={"code": "ABCDEF"})
    assert browser.get("/api/games").json() == {"games": [], "more": 0, "all": True}
    refused = browser.post("/api/games", content=GAME, headers={"content-type": KIND})
    assert (refused.status_code, refused.json()["error"]) == (409, "no-records")


def test_a_full_disk_is_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(games.GrowingFile, "save", full)
    assert table.bring(GAME).json()["error"] == "record-unwritable"


def test_a_damaged_record_is_listed_with_what_is_wrong(table: Table) -> None:
    table.keep("trut-1.trut", b"hello\n")
    table.keep("trut-2.trut", b"#" * (LARGEST + 5))
    rows = table.joined.get("/api/games").json()["games"]
    assert all(row["problem"]["fr"] for row in rows)
    assert table.joined.get("/api/games/trut-1").status_code == 422
    assert table.joined.get("/api/games/trut-2").status_code == 413


def test_the_report_is_a_file_of_its_own(table: Table) -> None:
    table.keep("trut-1.trut")
    answer = table.joined.get("/api/games/trut-1/report?lang=en")
    assert answer.headers["content-disposition"] == 'attachment; filename="trut-1.en.html"'
    assert answer.text.startswith("<!DOCTYPE html>")
    assert "Round 1" in answer.text
    assert "Manche 1" in table.joined.get("/api/games/trut-1/report").text
    assert table.joined.get("/api/games/trut-1/report?lang=de").status_code == 400


@pytest.mark.parametrize("k", ["99", "-1", "x", "9" * 5000, "٣"])
def test_there_is_no_such_moment(table: Table, k: str) -> None:
    table.keep("trut-1.trut")
    assert table.joined.get(f"/api/games/trut-1/moment/{k}").status_code == 404


def test_the_running_game_is_followed(table: Table) -> None:
    """What is told is how the game stands when it is asked; another game at the same table takes its place."""
    table.running.append(("game trut\nseats 2\ndeal\n", None))
    assert table.watcher.get("/api/games/running").json()["events"] == 1
    table.running.append(("game trut\nseats 2\ndeal\nplay 1 7h\n", None))
    assert table.watcher.get("/api/games/running").json()["events"] == 2
    assert table.watcher.get("/api/games/running/moment/2").json()["trick"][0]["card"] == "7h"
    table.running.append(("game truc\n", None))
    assert table.watcher.get("/api/games/running").json()["game"] == "truc"


def test_a_referee_gives_the_record_of_the_running_game() -> None:
    """Also where nobody writes one."""
    referee = Referee(Game(Header("trut", seats=2)))
    text, path = referee.record()
    assert text.startswith("game trut\n")
    assert path is None


def test_many_games_are_listed_newest_first(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LISTED", 3)
    for number in range(1, 6):
        path = table.keep(f"trut-{number}.trut", str(random_record("trut", 2, number, 1)).encode())
        os.utime(path, (number, number))
    answer = table.joined.get("/api/games").json()
    assert [row["id"] for row in answer["games"]] == ["trut-5", "trut-4", "trut-3"]
    assert answer["more"] == 2


def test_the_clerk_knows_the_running_game_as_soon_as_there_is_a_table() -> None:
    clerk = Clerk(Feed())
    assert clerk.record() is None
    Referee(Game(Header("truc")), page=clerk)
    found = clerk.record()
    assert found is not None
    assert found[0].startswith("game truc\n")
