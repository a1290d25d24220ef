"""``trut simulate``: three files that tell one story."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest

from assistant.cli import main
from vision.camera import open_camera

SMALL = ["--size", "320x180", "--seats", "2", "--rounds", "1", "--seed", "4"]


def simulate(out: Path, *more: str) -> int:
    return main(["--lang", "fr", "simulate", "--out", str(out), *SMALL, *more])


def test_film_sound_and_truth_belong_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tmp_path / "a") == 0
    assert "1 manche" in capsys.readouterr().out
    frames = list(open_camera(str(tmp_path / "a.mp4")))
    with wave.open(str(tmp_path / "a.wav")) as sound:
        assert sound.getframerate() == 16000
        seconds = sound.getnframes() / 16000
    assert len(frames) / 10 == pytest.approx(seconds, abs=0.2)
    assert frames[10].t == pytest.approx(1.0, abs=0.01)
    assert frames[0].image.shape == (180, 320, 3)
    assert main(["score", str(tmp_path / "a.trut")]) == 0
    assert (
        (tmp_path / "a.trut")
        .read_text(encoding="utf-8")
        .startswith("# simulated table: a.mp4 and .wav\ngame trut\n")
    )


def test_the_same_seed_gives_the_same_files(tmp_path: Path) -> None:
    simulate(tmp_path / "a")
    simulate(tmp_path / "b")
    for end in (".mp4", ".wav"):
        assert (tmp_path / f"a{end}").read_bytes() == (tmp_path / f"b{end}").read_bytes()


@pytest.mark.parametrize(
    "more",
    [
        ("--game", "belote"),
        ("--seats", "5"),
        ("--rounds", "0"),
        ("--deck", "nowhere"),
        ("--faces", "nowhere"),
        ("--slant", "80"),
        ("--slant", "nan"),
        ("--noise", "1000"),
        ("--surface", "lava"),
        ("--light", "dark"),
        ("--manner", "rude"),
        ("--mishap", "lost", "1", "2"),
        ("--mishap", "frozen", "nan", "2"),
        ("--deck", "drawn-spanish"),
        ("--size", "big"),
        ("--size", "2x2"),
        ("--seed", "-1"),
        ("--rounds", "many"),
    ],
)
def test_bad_options_are_one_line_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    assert simulate(tmp_path / "a", *more) == 2
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("out", ["missing/folder/a", "/"])
def test_an_impossible_place_is_one_line_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], out: str
) -> None:
    assert main(["simulate", "--out", str(tmp_path / out), *SMALL]) == 2
    assert capsys.readouterr().err.count("\n") == 1
