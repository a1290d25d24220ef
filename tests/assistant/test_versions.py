"""What an earlier version left behind still opens: one folder a version in tests/cases/versions, none is ever changed.

How 0.1 made them: ``trut watch`` on a table of ``trut simulate --seats 2 --seed 5 --rounds 2`` (trut-1.trut),
``trut calibrate table --corners`` on its first picture, made small, and ``trut calibrate deck``, ``voice`` and
``knock`` on the pictures and sounds that tests/calibration makes.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant.calibrating.knock import detector
from assistant.cli import main
from assistant.i18n import set_language
from assistant.journal import Journal
from audio.voices import SpeakerVoices
from calibration.profile import Profile
from engine import Record, replay
from engine.header import score_words
from vision.deck_file import load

VERSIONS = Path(__file__).parents[1] / "cases" / "versions"
ALL = sorted(folder.name for folder in VERSIONS.iterdir())
STANDS = {"0.1": ("A 0 1 B 1 0", 35.13)}
"""How the game of each version ends, and when."""


@pytest.fixture(params=ALL)
def left(request: pytest.FixtureRequest) -> Path:
    """What one version left."""
    return VERSIONS / str(request.param)


def test_records_replay_and_resume(left: Path, tmp_path: Path) -> None:
    result = replay(Record.load(left / "trut-1.trut"))
    assert result.holds
    score, last = STANDS[left.name]
    assert score_words(result.game.score) == score
    copy = shutil.copy(left / "trut-1.trut", tmp_path)
    journal, mended, aside = Journal.resume(Path(copy))
    journal.close()
    assert (mended.game, aside, mended.last) == (result.game, None, last)
    assert Path(copy).read_bytes() == (left / "trut-1.trut").read_bytes()


def test_decks_open(left: Path) -> None:
    deck = load(left / "numbers.deck")
    assert sorted({shown.card for shown in deck.shown}) == list("12345678")
    assert (deck.like.name, deck.like.copies) == ("numbered8", 4)


def test_voices_open(left: Path) -> None:
    assert sorted(SpeakerVoices.load(left / "players.voices").names) == ["Anne", "Jean"]


def test_knock_profiles_open(left: Path) -> None:
    assert detector(left / "knocks.json") is not None


def test_table_profiles_open(left: Path) -> None:
    table = Profile.load(left / "table")
    assert (table.name, table.players, table.deck) == ("bar", 2, "french32")
    assert table.seat_map(240, 135).play_zone(240, 135).any()
    assert table.reference.shape == (135, 240, 3)


def test_decks_are_listed(left: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decks", "--lang", "fr", str(left / "numbers.deck")]) == 0
    assert "8 cartes apprises" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["score", "resume"])
def test_a_record_of_a_newer_version_is_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "trut-1.trut"
    path.write_text("game trut\nversion 2\nseats 2\ndeal\n")
    assert main([command, "--lang", "fr", str(path)]) == 2
    set_language("fr")
    assert "ligne 2 : version 2 du format : ce programme lit la version 1" in capsys.readouterr().err
    assert path.read_text() == "game trut\nversion 2\nseats 2\ndeal\n"
