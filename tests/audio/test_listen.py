"""``trut listen`` as users and checks call it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile
from sounds import RATE, SHARED, table

from assistant.cli import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def knocking(tmp_path: Path) -> Path:
    path = tmp_path / "coups.wav"
    soundfile.write(path, table([0.5, 0.75, 2.0], 3.0), RATE)
    return path


def test_json_has_a_line_a_hit(knocking: Path, capsys: Capture) -> None:
    assert main(["listen", str(knocking), "--json"]) == 0
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    knocks = [r for r in rows if r["kind"] == "knock"]
    assert err == ""
    assert [(r["gesture"], r["hit"]) for r in knocks] == [(1, 1), (1, 2), (2, 1)]
    assert [r["t"] for r in knocks] == pytest.approx([0.5, 0.75, 2.0], abs=0.03)
    assert all(0 <= r["confidence"] <= 1 and r["t"] <= r["decided"] <= r["t"] + 0.2 for r in knocks)
    assert all("file" not in r for r in rows)


def test_several_files_name_theirs_and_start_afresh(knocking: Path, capsys: Capture) -> None:
    assert main(["listen", str(knocking), str(knocking), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {r["file"] for r in rows} == {str(knocking)}
    half = len(rows) // 2
    assert rows[:half] == rows[half:]


def test_people_get_sentences(knocking: Path, capsys: Capture) -> None:
    assert main(["listen", str(knocking), "--lang", "fr"]) == 0
    out = capsys.readouterr().out
    assert out.count("un coup sur la table") == 2
    assert out.count("encore un coup") == 1


def test_silence_says_so(tmp_path: Path, capsys: Capture) -> None:
    soundfile.write(tmp_path / "silence.wav", np.zeros(RATE), RATE)
    assert main(["listen", str(tmp_path / "silence.wav"), "--lang", "fr"]) == 0
    assert "rien entendu" in capsys.readouterr().out
    assert main(["listen", str(tmp_path / "silence.wav"), "--json"]) == 0
    assert capsys.readouterr().out == ""


def test_what_cannot_be_used_is_one_line_and_status_2(tmp_path: Path, knocking: Path, capsys: Capture) -> None:
    (tmp_path / "vide.wav").touch()
    (tmp_path / "texte.wav").write_text("rien\n")
    (tmp_path / "phrases.txt").write_text("# rien\n\n")
    for words in (
        [],
        ["missing.wav"],
        [str(tmp_path)],
        [str(tmp_path / "vide.wav")],
        [str(tmp_path / "texte.wav")],
        [str(knocking), "--game", "belote"],
        [str(knocking), "--engine", "oreille"],
        [str(knocking), "--phrases", str(tmp_path / "phrases.txt")],
        [str(knocking), "--phrases", str(tmp_path / "aucun.txt")],
        [str(knocking), "--game", "trut", "--phrases", str(tmp_path / "phrases.txt")],
        [str(knocking), "--mic"],
        [str(knocking), "--voices", "v.json"],
        ["--mic", "aucun micro de ce nom"],
    ):
        assert main(["listen", *words, "--json"]) == 2, words
        out, err = capsys.readouterr()
        assert out == "", words
        assert len(err.splitlines()) == 1, (words, err)


def test_a_bad_file_among_good_ones_does_not_stop_them(tmp_path: Path, knocking: Path, capsys: Capture) -> None:
    assert main(["listen", "missing.wav", str(knocking), "--json"]) == 2
    out, err = capsys.readouterr()
    assert len([r for r in map(json.loads, out.splitlines()) if r["kind"] == "knock"]) == 3
    assert len(err.splitlines()) == 1


def test_a_fault_of_the_ears_is_told_once_for_all_files(tmp_path: Path, knocking: Path, capsys: Capture) -> None:
    (tmp_path / "phrases.txt").write_text("je trute\n!!!\n")
    (tmp_path / "profile.json").write_text("{}")
    for option, file in (("--phrases", "phrases.txt"), ("--knock-profile", "profile.json")):
        assert main(["listen", str(knocking), str(knocking), option, str(tmp_path / file)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1


def test_files_are_named_as_each_language_does(knocking: Path, capsys: Capture) -> None:
    for language, colon in (("en", ": "), ("fr", " : ")):
        assert main(["listen", str(knocking), str(knocking), "--lang", language]) == 0
        for line in capsys.readouterr().out.splitlines():
            assert line.startswith(f"{knocking}{colon}")
            assert not line.startswith(f"{knocking}{colon} ")


def test_a_recording_that_breaks_off_is_heard_first(tmp_path: Path, knocking: Path, capsys: Capture) -> None:
    data = knocking.read_bytes()
    (tmp_path / "cut.wav").write_bytes(data[: len(data) * 2 // 3])
    assert main(["listen", str(tmp_path / "cut.wav"), "--json"]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) >= 2
    assert len(err.splitlines()) == 1


@pytest.mark.skipif(not (SHARED / "cases/sounds/labels.jsonl").exists(), reason="needs ../shared/cases/sounds")
def test_no_crash_on_real_sounds(capsys: Capture) -> None:
    """Every 40th recording; the whole collection is ``trut bench ears``."""
    rows = (SHARED / "cases/sounds/labels.jsonl").read_text().splitlines()[::40]
    files = [str(SHARED / "cases/sounds" / json.loads(row)["file"]) for row in rows]
    assert main(["listen", *files, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for line in out.splitlines():
        row = json.loads(line)
        assert row["kind"] in ("knock", "phrase")
        assert 0 <= row["t"] <= row["decided"] + 1e-6
