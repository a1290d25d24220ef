"""The settings file and ``trut config``: comments live, slips are found, the command line counts more."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from assistant import settings
from assistant.cli import main
from assistant.i18n import set_language
from assistant.settings import KEYS, BadSettings, change, load

BY_HAND = """\
# le bar du coin
language = "fr"  # toujours

[players]
1 = "Marie"
"2" = "Jean Paul"

[rules.trut]
# chez nous on ne joue pas le fortial
fortial = false
target = 5
"""


@pytest.fixture
def file() -> Path:
    path = settings.settings_path()
    path.write_text(BY_HAND)
    return path


def config(*words: str) -> int:
    try:
        return main(["config", "--lang", "fr", *words])
    finally:
        set_language("fr")


def test_a_file_written_by_hand_is_read(file: Path) -> None:
    found = load()
    assert found.text("language") == "fr"
    assert found.names(2) == {1: "Marie", 2: "Jean Paul"}
    assert found.rules("trut") == {"fortial": "off", "target": "5"}
    assert found.rules("truc") == {}
    assert found.number("speech.volume") is None


def test_without_a_file_there_are_no_settings() -> None:
    assert not settings.settings_path().exists()
    assert load().values == {}


def test_a_change_leaves_comments_and_order(file: Path) -> None:
    assert config("set", "speech.volume", "7") == 0
    assert config("set", "players.2", "Jeanne", "d'Arc") == 0
    assert config("unset", "players.1") == 0
    text = file.read_text()
    assert text.startswith('# le bar du coin\nlanguage = "fr"  # toujours\n')
    assert "# chez nous on ne joue pas le fortial\nfortial = false\n" in text
    assert tomllib.loads(text)["players"] == {"2": "Jeanne d'Arc"}
    assert load().number("speech.volume") == 7


def test_get_prints_the_value_alone(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert config("get", "players.1") == 0
    assert capsys.readouterr().out == "Marie\n"
    assert config("get", "players.3") == 1
    assert capsys.readouterr().out == ""


def test_all_settings_are_shown_with_where_they_are(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert config() == 0
    out = capsys.readouterr().out
    assert out.startswith(f"réglages : {file}\n")
    assert "  rules.trut.fortial = off\n" in out
    assert "speech.mode          : comment l'arbitre se fait entendre (normal, every-card, tones, text, off)" in out
    assert config("--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert row["file"] == str(file)
    assert row["settings"]["players.1"] == "Marie"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("set", "speech.mode", "loud"), "il y a : normal, every-card, tones, text, off"),
        (("set", "speech.volume", "11"), "« 11 » n'est pas possible ; il y a : 0 … 10"),
        (("set", "speech.volume", "-1"), "« -1 » n'est pas possible"),
        (("set", "speech.colour", "red"), "« speech.colour » ; il y a : speech.mode, speech.volume, speech.device"),
        (("set", "rules.trut.ten", "high"), "réglage inconnu : « rules.trut.ten »"),
        (("set", "nonsense", "1"), "il y a : language, speech.mode"),
        (("get", "nonsense"), "réglage inconnu"),
        (("unset", "nonsense"), "réglage inconnu"),
        (("set", "players.1", "a#b"), "il faut un texte d'une ligne"),
        (("set", "language"), "il faut : trut config"),
        (("get",), "il faut : trut config"),
    ],
)
def test_a_wrong_key_or_value_is_one_line(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert config(*words) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1
    assert not settings.settings_path().exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('language = "fr"\n\n[speach]\nmode = "off"\n', "ligne 4 : réglage inconnu : « speach.mode »"),
        ('[players]\n1 = "A"\n7 = "B"\n', "ligne 3 : réglage inconnu : « players.7 »"),
        ('players.9 = "B"\n', "ligne 1 : réglage inconnu : « players.9 »"),
        ("[speech]\nvolume = 70\n", "ligne 2 : speech.volume : « 70 » n'est pas possible"),
        ("[rules.trut]\n\nfortial = 'maybe'\n", "ligne 3 : rules.trut.fortial : « maybe » n'est pas possible"),
        ("[[players]]\n", "ligne 1"),
        ("language = \n", "ce n'est pas du TOML (Invalid value (at line 1"),
        ("language = 'fr'\nlanguage = 'en'\n", "ce n'est pas du TOML"),
        ("[language]\nmode = 1\n", "ligne 2"),
        ("[nothing]\n", "ligne 1 : réglage inconnu : « nothing »"),
    ],
)
def test_a_slip_in_the_file_is_named_with_its_line(text: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = settings.settings_path()
    path.write_text(text)
    assert config() == 2
    err = capsys.readouterr().err
    assert says in err
    assert str(path) in err
    assert err.count("\n") == 1
    assert config("set", "language", "en") == 2
    assert path.read_text() == text


def test_a_file_that_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    settings.settings_path().write_bytes(b"\xff\xfe")
    assert config() == 2
    assert "UTF-8" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSettings):
        change("language", "en", tmp_path / "file" / "settings.toml")


def test_a_change_that_fails_leaves_the_former_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadSettings):
        change("language", "en")
    assert file.read_text() == BY_HAND


VALUES = {
    key: st.sampled_from(kind.words)
    if kind.words
    else st.integers(*kind.numbers)
    if kind.numbers
    else st.text(st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters="#"), min_size=1)
    for key, kind in KEYS.items()
}


@trials(max_examples=30, deadline=None)
@given(st.data())
def test_what_is_set_is_what_is_read(data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        _set_and_read(data)


def _set_and_read(data: st.DataObject) -> None:
    path = settings.settings_path()
    path.unlink(missing_ok=True)
    want: dict[str, object] = {}
    for key in data.draw(st.lists(st.sampled_from(sorted(KEYS)), unique=True, max_size=6)):
        value = data.draw(VALUES[key])
        kept = KEYS[key].read(value)
        if kept is None:
            with pytest.raises(BadSettings):
                change(key, value)
            continue
        change(key, value)
        want[key] = kept
    assert load().values == want
    for key in list(want):
        change(key, None)
    assert load().values == {}
