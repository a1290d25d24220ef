"""The table is found by its colours and edges; a round one, a card or a shadow is none; players sit down by hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.errors import TableProblem
from calibration.finding import find_table, without_hands
from calibration.overlay import PANEL_HEIGHT, WIDTH, overlay
from calibration.setup import TableSetup
from calibration.sitting import Sitting
from vision.camera import Frame, Image
from vision.events import CardSighting, Quad

CORNERS = np.array([[330, 90], [960, 100], [1180, 640], [110, 630]], float)


def room(corners: np.ndarray | None = CORNERS, seed: int = 1) -> Image:
    """A wooden table on a tiled floor, with cards, a glass and a lamp's light falling off."""
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:720, :1280].astype(np.float32)
    floor = 120 + 25 * (((xx // 90) + (yy // 90)) % 2)[..., None] * np.array([1, 0.9, 0.8], np.float32)
    image = floor + rng.normal(0, 6, floor.shape)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (720, 1280)).astype(np.float32), (0, 0), sigmaX=12, sigmaY=1)
    wood = np.array([60, 95, 150], np.float32) + grain[..., None]
    inside = np.ones((720, 1280), np.uint8)
    if corners is not None:
        inside = cv2.fillConvexPoly(np.zeros((720, 1280), np.uint8), np.round(corners).astype(np.int32), 1)
    light = 1.15 - 0.5 * np.hypot(xx - 500, yy - 300) / 1000
    image = np.where(inside[..., None] > 0, wood, image) * light[..., None]
    for x, y in ((600, 250), (520, 400), (760, 380)):
        cv2.rectangle(image, (x, y), (x + 70, y + 98), (225, 228, 230), -1)
        cv2.circle(image, (x + 35, y + 49), 20, (30, 30, 170), -1)
    cv2.circle(image, (900, 500), 40, (140, 150, 90), -1)
    return np.clip(image, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_table_in_a_room_is_found(seed: int) -> None:
    corners = CORNERS + np.random.default_rng(seed).uniform(-40, 40, (4, 2))
    found = find_table([room(corners, seed)], 4)
    assert found.setup.found == "seen"
    assert found.confidence > 0.85
    assert np.linalg.norm(np.array(found.setup.corners) - corners, axis=1).max() < 16


def test_hands_that_move_do_not_matter() -> None:
    pictures = []
    for k in range(5):
        picture = room()
        cv2.rectangle(picture, (150 + 200 * k, 0), (270 + 200 * k, 300), (120, 150, 200), -1)
        pictures.append(picture)
    assert np.abs(without_hands(pictures).astype(int) - room()).mean() < 1
    found = find_table(pictures, 2)
    assert np.linalg.norm(np.array(found.setup.corners) - CORNERS, axis=1).max() < 16


def test_a_table_that_fills_the_picture_gives_its_border() -> None:
    found = find_table([room(None)], 4)
    assert found.setup.found == "picture"
    assert found.setup.corners[2] == (1280.0, 720.0)
    assert found.confidence > 0.9


def test_a_round_table_gives_the_picture_s_border() -> None:
    picture = room(np.array([[0, 0], [1, 0], [1, 1], [0, 1]]))
    cv2.ellipse(picture, (640, 360), (430, 300), 0, 0, 360, (60, 95, 150), -1)
    assert find_table([picture], 4).setup.found == "picture"


def test_a_card_in_the_middle_is_no_table() -> None:
    picture = room(None)
    card: Quad = ((400.0, 100.0), (800.0, 100.0), (800.0, 650.0), (400.0, 650.0))
    cv2.rectangle(picture, (400, 100), (800, 650), (230, 230, 230), -1)
    assert find_table([picture], 4, [card]).setup.found == "picture"


def test_pictures_of_two_cameras_are_refused() -> None:
    with pytest.raises(TableProblem):
        find_table([room(), np.zeros((360, 640, 3), np.uint8)], 4)
    with pytest.raises(TableProblem):
        find_table([], 4)


def hands(order: tuple[tuple[int, int, int, int], ...], corners: np.ndarray) -> list[Frame]:
    """Each hand comes in over a side of the picture for a second, one after the other."""
    still = room(corners, 4)
    frames = []
    for index in range(10 + 20 * len(order)):
        picture = still.copy()
        turn, part = divmod(index - 10, 20)
        if 0 <= turn < len(order) and part < 12:
            x0, y0, x1, y1 = order[turn]
            cv2.rectangle(picture, (x0, y0), (x1, y1), (130, 160, 215), -1)
        frames.append(Frame(index / 10, picture, index))
    return frames


def test_players_sit_down_by_putting_a_hand_on_the_table() -> None:
    """Seats the other way round than usual, round a table that is a part of the picture."""
    arms = ((600, 500, 680, 720), (800, 330, 1280, 400), (600, 0, 680, 230), (0, 330, 420, 400))
    setup = TableSetup.whole(4, 1280, 720).with_corners([tuple(c) for c in CORNERS])
    sitting = Sitting(setup)
    given = [(seat, frame.t) for frame in hands(arms, CORNERS) if (seat := sitting.accept(frame)) is not None]
    assert [seat for seat, _t in given] == [1, 2, 3, 4]
    assert sitting.waiting is None
    places = sitting.setup.checked().seats
    assert places[1][1] == 1
    assert places[2][0] == 1
    assert places[3][1] == -1
    assert places[4][0] == -1


def test_one_hand_gives_one_seat() -> None:
    setup = TableSetup.whole(2, 1280, 720).with_corners([tuple(c) for c in CORNERS])
    sitting = Sitting(setup, order=(2, 1))
    frames = hands(((600, 500, 680, 720),), CORNERS)
    assert [seat for frame in frames if (seat := sitting.accept(frame)) is not None] == [2]
    assert sitting.waiting == 1


def test_the_picture_of_what_is_seen_veils_what_lies_beside_the_table() -> None:
    setup = TableSetup.whole(4, 1280, 720).with_corners([tuple(c) for c in CORNERS])
    picture = room()
    cv2.putText(picture, "8h", (20, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (0, 0, 0), 3)  # a hidden hand
    card: Quad = ((600.0, 250.0), (670.0, 250.0), (670.0, 348.0), (600.0, 348.0))
    shown = overlay(picture, setup, [CardSighting("7h", 0.9, card), CardSighting(None, 0.2, card)])
    assert shown.shape == (720, WIDTH, 3)
    corner = shown[:100, :200].astype(int)
    assert np.abs(np.diff(corner, axis=1)).max() < 12
    assert shown[500, 640].mean() > 2 * shown[500, 20].mean()


def test_the_lights_are_drawn_below_with_their_words() -> None:
    from calibration.lights import Light

    setup = TableSetup.whole(2, 640, 360)
    lights = [Light("light", 200, "green", True), Light("size", 20, "red", True)]
    words = {"light": ("Lumière", "200", ""), "size": ("Taille", "20", "Rapprochez la caméra " * 4)}
    picture = np.full((360, 640, 3), 90, np.uint8)
    shown = overlay(picture, setup, lights=lights, words=words)  # type: ignore[arg-type]
    assert shown.shape == (720 + PANEL_HEIGHT, WIDTH, 3)
    panel = shown[720:].reshape(-1, 3).astype(int)
    assert (np.abs(panel - [95, 190, 70]).sum(1) < 30).any()
    assert (np.abs(panel - [70, 70, 235]).sum(1) < 30).any()
