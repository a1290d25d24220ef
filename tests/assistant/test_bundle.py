"""``trut doctor --bundle``: what a bug report needs, without names, and not a picture unless asked."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import settings
from assistant.belongings import data_folder
from assistant.cli import main
from assistant.commands import doctor
from assistant.i18n import set_language
from engine import Record

RECORD = "game trut\nname 1 Marie Curie\r\n  name  2   Jean\ndeal | t=1.00 see=pli-1.jpg\nexpect turn 1\n"


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    findings = [doctor.Finding("numpy", "2.0", True, ""), doctor.Finding("micro", None, False, "branchez-le")]
    monkeypatch.setattr(doctor, "examine", lambda: findings)
    folder = data_folder() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, 6):
        (folder / f"trut-{number}.trut").write_text(RECORD)
    (folder / "pli-1.jpg").write_bytes(b"\xff\xd8picture")
    settings.change("players.1", "Marie Curie")
    settings.change("speech.volume", 4)
    settings.change("records.folder", str(folder))
    monkeypatch.setenv("HOME", str(folder.parent))
    yield folder
    shutil.rmtree(data_folder(), ignore_errors=True)


def bundle(*words: str) -> int:
    try:
        return main(["doctor", "--lang", "fr", "--bundle", *words])
    finally:
        set_language("fr")


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_it_says_what_is_in_it_and_it_is_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bundle(str(tmp_path / "b.zip")) == 0
    out = capsys.readouterr().out.splitlines()
    packed = contents(tmp_path / "b.zip")
    games = ["games/trut-3.trut", "games/trut-4.trut", "games/trut-5.trut"]
    assert list(packed) == ["README.txt", "versions.json", "doctor.jsonl", "settings.txt", *games]
    assert [line.split()[0] for line in out[:-1]] == list(packed)[1:]
    assert packed["README.txt"].decode().splitlines()[2:] == out[:-1]
    assert out[-1].startswith(f"Tout est dans {tmp_path / 'b.zip'}. Rien n'est envoyé")
    assert "python" in json.loads(packed["versions.json"])
    assert json.loads(packed["doctor.jsonl"].splitlines()[1])["remedy"] == "branchez-le"


def test_no_name_and_no_home_is_in_it(tmp_path: Path, games: Path) -> None:
    assert bundle(str(tmp_path / "b.zip")) == 0
    packed = contents(tmp_path / "b.zip")
    everything = b"\n".join(packed.values())
    assert b"Marie" not in everything
    assert b"Jean" not in everything
    assert str(games.parent).encode() not in everything
    assert packed["settings.txt"].decode() == "speech.volume = 4\nrecords.folder = ~/games\n"
    record = Record.from_bytes(packed["games/trut-3.trut"])
    assert record.header.names == {1: "J1", 2: "J2"}
    assert len(record.lines) == 5


def test_pictures_only_if_asked(tmp_path: Path) -> None:
    assert bundle(str(tmp_path / "b.zip"), "--with-pictures") == 0
    assert contents(tmp_path / "b.zip")["pictures/pli-1.jpg"] == b"\xff\xd8picture"


def test_without_a_file_it_goes_where_forget_finds_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert bundle("--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert row["file"] == str(data_folder() / "bundles" / "trut-1.zip")
    assert [item["name"] for item in row["items"]][:2] == ["versions.json", "doctor.jsonl"]
    assert bundle("--json") == 0
    assert json.loads(capsys.readouterr().out)["file"].endswith("trut-2.zip")
    assert main(["forget", "--only", "bundles", "--yes"]) == 0
    assert not Path(row["file"]).exists()


def test_broken_settings_are_told_in_it(tmp_path: Path) -> None:
    settings.settings_path().write_text("colour = 'red'\n")
    assert bundle(str(tmp_path / "b.zip")) == 0
    assert "ligne 1 : réglage inconnu" in contents(tmp_path / "b.zip")["settings.txt"].decode()


def test_a_file_that_is_there_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.zip").write_text("mine")
    assert bundle(str(tmp_path / "b.zip")) == 2
    assert "il y a déjà un fichier de ce nom" in capsys.readouterr().err
    assert (tmp_path / "b.zip").read_text() == "mine"


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert bundle(str(tmp_path / "file" / "b.zip")) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_pictures_alone_make_no_sense(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--lang", "fr", "--with-pictures"]) == 2
    assert "--with-pictures va avec --bundle" in capsys.readouterr().err


def test_the_figures_of_a_live_table_go_in_if_it_was_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assistant import live_check
    from assistant.figures import Figures

    reading = Figures(lambda: 1.0).read(dropped=2, stale=0, sound_lost=0.0, queue=1, down=())
    monkeypatch.setattr(live_check, "check_table", lambda args: [reading])
    assert bundle(str(tmp_path / "b.zip"), "--live", "--seconds", "1") == 0
    packed = contents(tmp_path / "b.zip")
    assert json.loads(packed["live.jsonl"]) == reading.row()
    assert "live.jsonl" in packed["README.txt"].decode()
