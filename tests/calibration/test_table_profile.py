"""The profile of a table: what is kept, that it comes back as it was, and what cannot be opened."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import BrokenProfile
from calibration.profile import PICTURE, TEXT, VERSION, Profile, checked_name, folder_of, saved_profiles
from calibration.setup import TableSetup
from engine.errors import TrutError

CORNERS = [(60.0, 20.0), (260.0, 22.0), (300.0, 170.0), (20.0, 165.0)]
FIRST = """version = 1
name = "Café du Port"

[picture]
width = 320
height = 180

[table]
found = "hand"
corners = [[60.0, 20.0], [260.0, 22.0], [300.0, 170.0], [20.0, 165.0]]

[seats]
1 = [0.000, 1.000]
2 = [0.000, -1.000]
"""
"""A profile as version 1 wrote it; it opens for ever."""


@pytest.fixture
def picture() -> np.ndarray:
    return np.random.default_rng(1).integers(1, 256, (180, 320, 3)).astype(np.uint8)


def test_a_profile_comes_back_as_it_was(tmp_path: Path, picture: np.ndarray) -> None:
    setup = TableSetup.whole(4, 320, 180).with_corners(CORNERS, "seen").seated(1, (160, 175))
    voices = tmp_path / "le café" / "voix.json"
    voices.parent.mkdir()
    voices.write_text("{}")
    made = Profile.of("Café « du » Port", setup, picture, deck="french52", voices=voices, lights={"light": 201.5})
    made.save(tmp_path / "le café")
    got = Profile.load(tmp_path / "le café")
    assert (got.name, got.setup, got.deck, got.voices, got.knocks) == (
        made.name,
        setup,
        "french52",
        voices,
        None,
    )
    assert got.lights == {"light": 201.5}
    assert (got.reference == made.reference).all()
    assert got.seat_map(640, 360).zone(320, 280) == 1
    assert "voix.json" in (tmp_path / "le café" / TEXT).read_text()
    assert str(tmp_path) not in (tmp_path / "le café" / TEXT).read_text()


def test_the_kept_picture_is_black_beside_the_table(tmp_path: Path, picture: np.ndarray) -> None:
    setup = TableSetup.whole(2, 320, 180).with_corners(CORNERS)
    Profile.of("t", setup, picture).save(tmp_path)
    kept = cv2.imread(str(tmp_path / PICTURE))
    zone = np.zeros((180, 320), np.uint8)
    cv2.fillConvexPoly(zone, np.round(CORNERS).astype(np.int32), 1)
    beside = cv2.dilate(zone, np.ones((3, 3))) == 0
    assert kept is not None
    assert not kept[beside].any()
    assert (kept[cv2.erode(zone, np.ones((3, 3))) > 0] > 0).all()


def test_a_profile_of_the_first_version_opens(tmp_path: Path, picture: np.ndarray) -> None:
    (tmp_path / TEXT).write_text(FIRST, encoding="utf-8")
    cv2.imwrite(str(tmp_path / "table.png"), picture)
    profile = Profile.load(tmp_path)
    assert profile.name == "Café du Port"
    assert profile.setup.corners == tuple(CORNERS)
    assert profile.players == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("version = 1", "version = 0"),
        ("version = 1", "version = true"),
        ("name = ", "nom = "),
        ("width = 320", "width = 1e9"),
        ("width = 320", "width = 321"),
        ('found = "hand"', 'found = "somewhere"'),
        ("[20.0, 165.0]]", "[20.0]]"),
        ("[20.0, 165.0]]", '["a", 165.0]]'),
        ("[60.0, 20.0], [260.0, 22.0]", "[260.0, 22.0], [60.0, 20.0]"),
        ("2 = [0.000, -1.000]", "3 = [0.000, -1.000]"),
        ("2 = [0.000, -1.000]", "2 = [0.000, nan]"),
        ("2 = [0.000, -1.000]", "2 = [0.000, 1.000]"),
        ("[seats]", "[seats"),
        ("Café", "Café\\u0000"),
        ("[seats]", '[files]\nvoices = "nulle-part"\n\n[seats]'),
        ("[seats]", "[files]\ndeck = 7\n\n[seats]"),
    ],
)
def test_a_damaged_profile_is_one_error(tmp_path: Path, picture: np.ndarray, old: str, new: str) -> None:
    assert old in FIRST
    (tmp_path / TEXT).write_text(FIRST.replace(old, new), encoding="utf-8")
    cv2.imwrite(str(tmp_path / PICTURE), picture)
    with pytest.raises(BrokenProfile):
        Profile.load(tmp_path)


def test_a_profile_of_a_newer_program_says_so(tmp_path: Path) -> None:
    (tmp_path / TEXT).write_text(FIRST.replace("version = 1", f"version = {VERSION + 1}"), encoding="utf-8")
    with pytest.raises(BrokenProfile) as problem:
        Profile.load(tmp_path)
    assert "plus récente" in str(problem.value)


def test_a_profile_without_its_picture_or_without_anything(tmp_path: Path) -> None:
    with pytest.raises(BrokenProfile):
        Profile.load(tmp_path)
    (tmp_path / TEXT).write_text(FIRST, encoding="utf-8")
    with pytest.raises(BrokenProfile):
        Profile.load(tmp_path)
    (tmp_path / PICTURE).write_bytes(b"\x89PNG")
    with pytest.raises(BrokenProfile):
        Profile.load(tmp_path)


def test_profiles_are_found_by_name_in_the_usual_place(
    tmp_path: Path, picture: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.profile.profiles_folder", lambda: tmp_path / "tables")
    with pytest.raises(BrokenProfile):
        folder_of("port")
    for name in ("port", "bar"):
        Profile.of(name, TableSetup.whole(2, 320, 180), picture).save(tmp_path / "tables" / name)
    assert saved_profiles() == ["bar", "port"]
    assert folder_of("port") == tmp_path / "tables" / "port"
    assert folder_of(str(tmp_path / "tables" / "bar")) == tmp_path / "tables" / "bar"
    with pytest.raises(BrokenProfile) as problem:
        folder_of("../tables/x")
    assert "bar, port" in str(problem.value)


@pytest.mark.parametrize("name", ["", ".x", "a/b", " a", "a\nb", "x" * 61, "a\\b", "..", 'a"b'])
def test_names_that_cannot_be_a_folder(name: str) -> None:
    with pytest.raises(TrutError):
        checked_name(name)


def test_a_place_that_cannot_be_written(tmp_path: Path, picture: np.ndarray) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BrokenProfile):
        Profile.of("t", TableSetup.whole(2, 320, 180), picture).save(tmp_path / "file" / "t")
