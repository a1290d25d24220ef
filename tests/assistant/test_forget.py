"""``trut forget`` deletes all that the program keeps of its users, nothing else, and says so."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import settings
from assistant.belongings import belongings, data_folder
from assistant.calibrating.knock import profile_path
from assistant.cli import main
from assistant.i18n import set_language
from assistant.journal import Journal
from calibration.profile import profiles_folder
from engine import Header
from vision.decks import decks_folder


@pytest.fixture(autouse=True)
def kept() -> Iterator[dict[str, Path]]:
    """One thing of each kind."""
    data = data_folder()
    shutil.rmtree(data, ignore_errors=True)
    files = {
        "games": data / "games" / "trut-1.trut",
        "profiles": data / "tables" / "bar" / "table.png",
        "decks": data / "decks" / "robin.deck",
        "voices": data / "voices" / "nous.json",
        "knocks": data / "knocks.json",
        "bundles": data / "bundles" / "trut-1.zip",
    }
    for file in files.values():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("game trut\n")
    settings.change("players.1", "Marie")
    yield files | {"settings": settings.settings_path()}
    shutil.rmtree(data, ignore_errors=True)


def trut_forget(*words: str) -> int:
    try:
        return main(["forget", "--lang", "fr", *words])
    finally:
        set_language("fr")


def test_one_command_deletes_all(kept: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert trut_forget("--yes") == 0
    out = capsys.readouterr().out
    assert f"les parties enregistrées : 1 fichier, 1 Ko, dans {kept['games'].parent}\n" in out
    assert out.count("1 fichier effacé") == 7
    assert not any(file.exists() for file in kept.values())
    assert not (data_folder() / "tables" / "bar").exists()
    assert trut_forget("--yes") == 0
    assert capsys.readouterr().out == "Il n'y a rien à effacer.\n"


@pytest.mark.parametrize("kind", ["games", "profiles", "decks", "voices", "knocks", "bundles", "settings"])
def test_one_kind_alone(kept: dict[str, Path], kind: str) -> None:
    assert trut_forget("--only", kind, "--yes") == 0
    assert [name for name, file in kept.items() if not file.exists()] == [kind]


@pytest.mark.parametrize(("answer", "status"), [("oui", 0), ("Y", 0), ("non", 1), ("", 1)])
def test_it_asks_first(
    kept: dict[str, Path], answer: str, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda question: answer)
    assert trut_forget() == status
    assert all(file.exists() for file in kept.values()) == bool(status)
    assert ("Rien n'est effacé." in capsys.readouterr().out) == bool(status)


def test_without_anybody_to_ask_nothing_is_deleted(kept: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(question: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    assert trut_forget() == 1
    assert all(file.exists() for file in kept.values())


def test_a_folder_of_ones_own_loses_its_records_only(tmp_path: Path) -> None:
    mine = tmp_path / "documents"
    mine.mkdir()
    for name in ("trut-1.trut", "trut-1.trut.torn", "truc-y-flou-12.trut", "lettre.txt", "mon-trut.trut"):
        (mine / name).write_text("game trut\n")
    settings.change("records.folder", str(mine))
    assert trut_forget("--only", "games", "--yes") == 0
    assert sorted(path.name for path in mine.iterdir()) == ["lettre.txt", "mon-trut.trut"]


def test_a_link_is_deleted_and_not_what_it_points_to(kept: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "file").write_text("")
    (kept["profiles"].parent / "link").symlink_to(tmp_path / "far")
    assert trut_forget("--only", "profiles", "--yes") == 0
    assert (tmp_path / "far" / "file").exists()
    assert not kept["profiles"].parent.exists()


def test_a_game_that_is_being_played_stays(kept: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal(kept["games"].parent, Header("trut"))
    assert trut_forget("--yes") == 1
    journal.close()
    assert journal.path.exists()
    assert not kept["games"].exists()
    assert "pas effacé (une partie s'y joue)" in capsys.readouterr().err


def test_broken_settings_are_deleted_too(kept: dict[str, Path]) -> None:
    kept["settings"].write_text("colour = 'red'\n")
    assert trut_forget("--yes") == 0
    assert not kept["settings"].exists()


def test_an_unknown_kind_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert trut_forget("--only", "everything") == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_places_are_those_where_things_are_put() -> None:
    """They are written out once more in assistant/belongings.py, so that nothing needs OpenCV to be forgotten."""
    data = data_folder()
    places = (profiles_folder(), decks_folder(), profile_path())
    assert places == (data / "tables", data / "decks", data / "knocks.json")


def test_whatever_lies_in_the_data_folder_belongs_to_a_kind(kept: dict[str, Path]) -> None:
    listed = {file for belonging in belongings(settings.load()) for file in belonging.files}
    assert set(kept.values()) == listed
