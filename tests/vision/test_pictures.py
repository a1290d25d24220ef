"""Every kind of file that is no picture is refused in one sentence; every readable picture is taken."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import UnreadablePicture
from vision.events import CardSighting
from vision.pictures import annotated, load_picture, save_picture


def noise(rows: int, cols: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 255, (rows, cols, 3), dtype=np.uint8)


def encoded(kind: str, rows: int = 200, cols: int = 300) -> bytes:
    return cv2.imencode(kind, noise(rows, cols))[1].tobytes()


def with_thumbnail(jpeg: bytes, orientation: int = 1) -> bytes:
    """The JPEG with an EXIF segment: an orientation and a thumbnail that has an end mark of its own."""
    thumbnail = encoded(".jpg", 16, 16)
    tiff = (
        b"MM\0*\0\0\0\x08"
        + b"\0\x01"
        + b"\x01\x12\0\x03\0\0\0\x01"
        + orientation.to_bytes(2, "big")
        + b"\0\0"
        + b"\0\0\0\0"
    )
    body = b"Exif\0\0" + tiff + thumbnail
    return jpeg[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + jpeg[2:]


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp", ".tiff"])
def test_readable_pictures(tmp_path: Path, kind: str) -> None:
    (tmp_path / f"été{kind}").write_bytes(encoded(kind))
    assert load_picture(tmp_path / f"été{kind}").shape == (200, 300, 3)


def test_one_pixel_is_a_picture(tmp_path: Path) -> None:
    (tmp_path / "one.png").write_bytes(encoded(".png", 1, 1))
    assert load_picture(tmp_path / "one.png").shape == (1, 1, 3)


def test_grey_and_transparent_pictures_become_colour(tmp_path: Path) -> None:
    for name, image in (
        ("grey.png", noise(9, 9)[..., 0]),
        ("alpha.png", np.dstack([noise(9, 9), noise(9, 9)[..., :1]])),
    ):
        cv2.imwrite(str(tmp_path / name), image)
        assert load_picture(tmp_path / name).shape == (9, 9, 3)


def test_exif_turns_the_picture(tmp_path: Path) -> None:
    (tmp_path / "turned.jpg").write_bytes(with_thumbnail(encoded(".jpg"), orientation=6))
    assert load_picture(tmp_path / "turned.jpg").shape == (300, 200, 3)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.jpg", b""),
        ("text.jpg", b"trut, longs et petits\n" * 40),
        ("cut.jpg", encoded(".jpg")[:-2000]),
        ("cut-exif.jpg", with_thumbnail(encoded(".jpg"))[:-2000]),
        ("head.jpg", encoded(".jpg")[:20]),
        ("cut.png", encoded(".png")[:-2000]),
        ("cut.webp", encoded(".webp")[:200]),
        ("zeros.png", b"\0" * 4096),
    ],
)
def test_no_picture(tmp_path: Path, name: str, data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UnreadablePicture, match=name):
        load_picture(tmp_path / name)
    assert capfd.readouterr().err == ""  # the decoders say nothing of their own


def test_missing_and_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePicture, match="n'existe pas"):
        load_picture(tmp_path / "missing.jpg")
    with pytest.raises(UnreadablePicture, match="dossier"):
        load_picture(tmp_path)


def test_annotated_draws_on_a_copy(tmp_path: Path) -> None:
    table = np.zeros((80, 80, 3), np.uint8)
    quad = ((10.0, 10.0), (50.0, 10.0), (50.0, 70.0), (10.0, 70.0))
    drawn = annotated(table, [CardSighting("7h", 0.9, quad), CardSighting(None, 0.2, quad)])
    assert drawn.any()
    assert not table.any()
    save_picture(tmp_path / "drawn.png", drawn)
    assert np.array_equal(load_picture(tmp_path / "drawn.png"), drawn)


def test_unwritable_place(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePicture, match="écrire"):
        save_picture(tmp_path / "nowhere" / "x.png", np.zeros((4, 4, 3), np.uint8))


def test_a_format_in_which_no_picture_is_written(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePicture, match="png"):
        save_picture(tmp_path / "x.foo", np.zeros((4, 4, 3), np.uint8))
    assert list(tmp_path.iterdir()) == []
