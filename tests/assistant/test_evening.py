"""The replay of an evening: games one after the other, all of it recorded, and nothing that grows."""

from __future__ import annotations

import gc
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.bench import evening
from assistant.cli import main
from engine import Record, replay
from vision.events import CardLaid, CardsTaken


def test_an_evening_is_games_one_after_the_other() -> None:
    script = evening.evening(0.5)
    assert 1800 <= script.ends[-1] < 3600
    assert len(script.ends) >= 2
    tracks = [o.track for o in script.observations if isinstance(o, CardLaid)]
    assert len(set(tracks)) == len(tracks)
    taken = [track for o in script.observations if isinstance(o, CardsTaken) for track in o.tracks]
    assert set(taken) <= set(tracks)


def test_all_that_happens_is_counted_and_recorded_and_comes_no_later(tmp_path: Path) -> None:
    *rows, last = evening.table(0.06, tmp_path)
    assert last["events"] == last["recorded"] > 50
    assert len(rows) == evening.REPORTS
    late = [row["late_ms"] for row in rows]
    assert max(late) - min(late) <= 150
    records = list(tmp_path.glob("*.trut"))
    assert len(records) == len(evening.evening(0.06).ends)
    assert sum(len(replay(Record.load(path)).game.log) for path in records) == last["events"]


def test_what_is_kept_does_not_grow_with_the_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects that are alive after a longer evening, against those after a shorter one."""
    monkeypatch.setattr(evening, "PICTURES", 2.0)
    alive: list[int] = []
    for hours in (0.02, 0.02, 0.1):
        list(evening.table(hours, tmp_path))
        gc.collect()
        alive.append(len(gc.get_objects()))
    assert alive[2] - alive[1] < 100


def test_film_and_sound_come_again_on_one_clock(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (64, 48))
    for _ in range(20):
        writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    times = [frame.t for frame in evening.FilmAgain(path, 1.5, 3)]
    assert times == pytest.approx([n / 10 for n in range(45)], abs=0.01)
    sound = np.arange(3 * evening.BLOCK, dtype=np.float32)
    heard = np.concatenate(list(evening.SoundAgain(sound, 2)))
    assert (heard == np.concatenate([sound, sound])).all()


@pytest.mark.parametrize(
    "words", [["table", "--hours", "1"], ["ears", "--film-hours", "1"], ["evening", "--hours", "-1"]]
)
def test_options_of_another_subject_are_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
