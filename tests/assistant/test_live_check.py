"""``trut doctor --live``: the figures of a live table, second by second; files as devices at real pace."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant import wiring
from assistant.at_pace import CameraAtPace, MicrophoneAtPace
from assistant.cli import main
from assistant.live_check import Check, sentence
from assistant.testing import BlankCamera, FakeTime, ScriptedEyes, ScriptedTable, SilentMicrophone

TRUTH = "game trut\nseats 2\ndealer 2\ndeal | t=1.00\nplay 1 As | t=2.75\ntrut 2 | t=4.00\n"


def checked(*, as_json: bool) -> tuple[str, ScriptedTable]:
    out = io.StringIO()
    table = ScriptedTable(TRUTH, eyes_need=0.05)
    Check(as_json=as_json, out=out).run(table.live, table.time, 8.0)
    table.time.close()
    return out.getvalue(), table


def test_a_line_a_second_for_people() -> None:
    lines = checked(as_json=False)[0].splitlines()
    assert len(lines) == 9  # one each second, and the last
    assert "images 10.0/s" in lines[-1]
    assert "yeux 50 ms" in lines[-1]
    assert "EN PANNE" not in lines[-1]


def test_an_object_a_second_for_programs() -> None:
    rows = [json.loads(line) for line in checked(as_json=True)[0].splitlines()]
    assert [round(row["t"]) for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8, 8]
    assert {row["kind"] for row in rows} == {"live"}
    assert rows[-1]["eyes_ms"] == 50.0
    assert set(rows[-1]["beats"]) == {"camera", "eyes", "microphone", "ears", "referee"}


def test_what_is_down_is_said() -> None:
    table = ScriptedTable(TRUTH, eyes_need=1e6)
    table.live.run(20.0)
    table.time.close()
    assert "EN PANNE : eyes" in sentence(table.live.reading())


def test_a_film_comes_at_its_own_pace() -> None:
    time = FakeTime()
    times = []
    for frame in CameraAtPace(BlankCamera(3.0), time):
        times.append((time.now(), frame.t))
        time.sleep(0.3 if frame.index == 5 else 0.0)  # who is late for once catches up
    assert times[-1] == pytest.approx((2.9, 2.9))
    assert all(now >= t for now, t in times)


def test_a_sound_comes_in_blocks_when_they_are_over() -> None:
    time = FakeTime()
    sound = MicrophoneAtPace(SilentMicrophone(2.05, block=0.7), time)
    heard = [(time.now(), len(block)) for block in sound]
    assert [size for _, size in heard] == [1600] * 20 + [800]
    assert heard[-1][0] == pytest.approx(2.05)


def test_the_command_plays_a_film_as_if_it_were_a_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wiring, "eyes_for", lambda deck, seats: ScriptedEyes([]))
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((90, 160, 3), 80, np.uint8))
    assert main(["doctor", "--live", "--camera", str(tmp_path), "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["kind"], last["queue"]) == ("live", 0)
    assert last["t"] >= 1.0


@pytest.mark.parametrize(
    "words", [["--camera", "0"], ["--seats", "2"], ["--live", "--seconds", "0"], ["--live", "--game", "belote"]]
)
def test_options_that_do_not_go_together_are_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


