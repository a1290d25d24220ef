"""What ``trut bench eyes`` counts and what it compares itself with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assistant.bench import eyes
from assistant.bench import peer as peers
from assistant.bench.peer import NoPeer, Peer
from assistant.bench.tally import Tally, tally
from assistant.cli import main
from vision.decks import deck_named
from vision.reading import CardReader


def test_only_ranks_count() -> None:
    assert tally(["7h", "K?", None], ["7s", "Kd"]) == Tally(2, 2, 2, 1, 1)
    assert tally(["7h"], ["7s", "Kd"]) == Tally(1, 1, 2, 0, 1)
    assert tally(["7h", "7d"], ["7s"]) == Tally(1, 2, 1, 0, 1)


def test_hidden_cards_count_neither_way() -> None:
    assert tally(["7h", "9d"], ["7s"], hidden=1) == Tally(1, 1, 1, 1, 1)
    assert tally(["7h", "9d", "Ac"], ["7s"], hidden=1) == Tally(1, 2, 1, 0, 1)
    assert tally(["7h"], ["7s"], hidden=2).exact == 1


def test_tallies_add_up() -> None:
    both = tally(["7h"], ["7s", "Kd"]) + tally(["8h", "9h"], ["8s"])
    assert (both.recall, both.precision, both.pictures) == (2 / 3, 2 / 3, 2)
    assert (Tally().recall, Tally().precision) == (0, 0)


def test_four_cards_lie_in_the_frame_that_is_timed() -> None:
    frame = eyes.trick(40)
    assert frame.shape == (720, 1280, 3)
    assert len(CardReader(deck_named("french32")).read(frame)) >= 4


class Blind:
    """Finds nothing, but keeps the box it was given."""

    def __init__(self) -> None:
        self.boxes: list[tuple[float, ...]] = []

    def find_in(self, image: np.ndarray, box: tuple[float, ...]) -> list[object]:
        self.boxes.append(box)
        return []


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Blind:
    monkeypatch.setattr(eyes, "trick", lambda seed: np.zeros((720, 1280, 3), np.uint8))
    return Blind()


def test_without_a_peer_the_reason_is_told(
    quick: Blind, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "user_cache_path", lambda name: tmp_path)
    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda name: None)
    figures = eyes._beside_peer(quick, None)  # type: ignore[arg-type]
    assert figures["yolo26n_640_ratio"] is None
    assert "ultralytics" in capsys.readouterr().err
    assert set(quick.boxes) == {(0, 0, 1280, 720)}


def test_the_ratio_is_our_time_over_theirs(quick: Blind, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([2.0, 10.0] * eyes.ROUNDS)

    def took(work: object) -> float:
        return next(times)

    class Net:
        def __init__(self, file: Path | None) -> None:
            self.look = None

    monkeypatch.setattr(eyes, "_spent", took)
    monkeypatch.setattr(eyes, "Peer", Net)
    assert eyes._beside_peer(quick, None) == {"quick_ms": 2, "yolo26n_640_ms": 10, "yolo26n_640_ratio": 0.2}  # type: ignore[arg-type]


def test_a_peer_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("je trute")
    with pytest.raises(NoPeer, match="ONNX"):
        Peer(tmp_path / "text.onnx")
    shipped = Path(eyes.__file__).parents[2] / "models" / "reader" / "reader.onnx"
    with pytest.raises(NoPeer, match="640x640"):
        Peer(shipped)


def test_peer_goes_with_eyes_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "engine", "--peer", "x.onnx"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
