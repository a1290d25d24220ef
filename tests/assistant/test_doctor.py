"""``trut doctor``: every model that ships is listed, and one that lost its weights is said to be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import settings
from assistant.commands import doctor
from assistant.storage import Disk


def _models() -> set[str]:
    """Folders of models/ with a card: those that ship."""
    return {card.parent.name for card in doctor.MODELS.glob("*/CARD.md")}


def test_lists_every_model_that_ships() -> None:
    found = {f.what.removeprefix("models/"): f.found for f in doctor.examine() if f.what.startswith("models/")}
    assert set(found) == _models()
    assert None not in found.values(), found


def test_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, _needed in doctor.SHIPPED:
        (tmp_path / name / "recipe").mkdir(parents=True)
        (tmp_path / name / "recipe" / "trial.onnx").write_bytes(b"x")
    (tmp_path / "phrases" / "phones.onnx").write_bytes(b"x" * 200_000)
    monkeypatch.setattr(doctor, "MODELS", tmp_path)
    found = {f.what: f for f in doctor.examine() if f.what.startswith("models/")}
    assert found["models/phrases"].found == "0.2 MB"
    assert found["models/knocks"].found is None
    assert found["models/knocks"].needed
    assert found["models/vosk"].found is None
    assert not found["models/vosk"].needed


def test_says_whether_games_can_be_saved(tmp_path: Path) -> None:
    settings.change("records.folder", str(tmp_path / "parties"))
    found = next(f for f in doctor.examine() if f.what == "parties")
    assert (found.found or "").startswith(f"{tmp_path / 'parties'} (")
    assert " ms par ligne, " in (found.found or "")
    assert list(tmp_path.iterdir()) == []


def test_says_that_games_cannot_be_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Disk, handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Disk, "sync", full)
    found = next(f for f in doctor.examine() if f.what == "parties")
    assert (found.found, found.needed) == (None, True)


def test_settings_that_cannot_be_read_are_said_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "settings.toml").write_text("language = 3")
    monkeypatch.setattr(settings, "settings_path", lambda: tmp_path / "settings.toml")
    findings = {f.what: f for f in doctor.examine()}
    assert findings["réglages"].found is None
    assert "ligne 1" in findings["réglages"].remedy
    assert findings["parties"].found is not None
