"""Sources of frames: films, folders, and what is neither."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import open_camera
from vision.errors import CameraUnavailable, NoSuchCamera


def film(path: Path, frames: int = 12, rate: float = 10) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), rate, (64, 48))
    for k in range(frames):
        writer.write(np.full((48, 64, 3), 10 * k, np.uint8))
    writer.release()
    return path


def test_a_film_gives_all_its_frames_on_its_own_clock(tmp_path: Path) -> None:
    camera = open_camera(str(film(tmp_path / "a.mp4")))
    frames = list(camera)
    camera.close()
    assert [f.index for f in frames] == list(range(12))
    assert np.allclose([f.t for f in frames], np.arange(12) / 10, atol=0.002)
    assert not camera.live


def test_a_folder_is_its_pictures_in_natural_order_two_a_second(tmp_path: Path) -> None:
    for k in (1, 2, 10):
        cv2.imwrite(str(tmp_path / f"p{k}.png"), np.full((20, 30, 3), k, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    frames = list(open_camera(str(tmp_path)))
    assert [int(f.image[0, 0, 0]) for f in frames] == [1, 2, 10]
    assert [f.t for f in frames] == [0, 0.5, 1.0]


def test_one_picture_is_a_film_of_one_frame(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "p.png"), np.zeros((20, 30, 3), np.uint8))
    assert len(list(open_camera(str(tmp_path / "p.png")))) == 1


@pytest.mark.parametrize("content", [b"", b"not a film at all\n" * 50, b"\x00\x00\x00\x18ftypmp42" + bytes(200)])
def test_a_file_that_is_no_film_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    bad = tmp_path / "bad.mp4"
    bad.write_bytes(content)
    with pytest.raises(CameraUnavailable) as caught:
        open_camera(str(bad))
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 2


def test_a_truncated_film_is_refused(tmp_path: Path) -> None:
    data = film(tmp_path / "a.mp4", 24).read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(data[: len(data) // 2])  # the index of an mp4 stands at its end
    with pytest.raises(CameraUnavailable) as caught:
        open_camera(str(cut))
    assert caught.value.exit_status == 2


def test_an_empty_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for name in (str(tmp_path), str(tmp_path / "none.mp4")):
        with pytest.raises(CameraUnavailable):
            open_camera(name)


def test_a_device_that_is_not_there_is_the_answer_no() -> None:
    with pytest.raises(NoSuchCamera) as caught:
        open_camera("97")
    assert caught.value.exit_status == 1
