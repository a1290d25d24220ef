"""A table that is calibrated in the middle of a trick: the real eyes on a simulated table lose no card and lay none
twice, also where the camera had been bumped before."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from assistant.calibrating.guide import GOOD, SEED, SURFACE, in_a_room
from assistant.page.calibrating import Desk
from assistant.simulation.script import Lay
from assistant.simulation.table import SimulatedTable
from assistant.wiring import eyes_for
from calibration.profile import Profile
from calibration.setup import TableSetup
from vision.camera import Frame, Image
from vision.events import CameraLost, CardLaid, CardsTaken

WIDTH, HEIGHT = 640, 360


def test_calibrated_between_two_cards_after_a_bump() -> None:
    table = SimulatedTable(SEED, slant=0, surface=SURFACE, rounds=2, width=1280, height=720)
    laid = [gesture.t for gesture in table.script.gestures if isinstance(gesture, Lay)][:3]
    good = np.array(GOOD, np.float32) / 2
    whole = np.array([[0, 0], [1280, 0], [1280, 720], [0, 720]], np.float32)
    place = cv2.getPerspectiveTransform(whole, good)
    room = cv2.resize(in_a_room(np.zeros((720, 1280, 3), np.uint8), GOOD), (WIDTH, HEIGHT))
    inside = cv2.warpPerspective(np.full((720, 1280), 255, np.uint8), place, (WIDTH, HEIGHT)) > 0
    bump = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 2.0, 1.02)
    bump[:, 2] += [9, -5]
    bumped_at, calibrated_at = laid[0] + 0.8, laid[1] + 1.2

    def picture(t: float) -> Image:
        top = cv2.warpPerspective(
            np.asarray(table.stage.frame(round(t * table.fps))), place, (WIDTH, HEIGHT), flags=cv2.INTER_AREA
        )
        image = room.copy()
        image[inside] = top[inside]
        if t >= bumped_at:
            image = cv2.warpAffine(image, bump, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(image, np.uint8)

    corners = cv2.transform(good[None], bump.astype(np.float32))[0]
    desk = Desk()
    eyes: Any = desk.beside_eyes(eyes_for("french32", 4))
    seen: list[Any] = []
    settled = False
    times = np.arange(laid[0] - 1.0, laid[2] + 1.0, 0.2)
    for index, t in enumerate(times):
        image = picture(float(t))
        if not settled and t >= calibrated_at:
            setup = TableSetup.whole(4, WIDTH, HEIGHT).with_corners([(float(x), float(y)) for x, y in corners])
            profile = Profile.of("table", setup, image)
            eyes.settle(profile.seat_map, profile.reference)
            settled = True
        seen += eyes.accept(Frame(float(t), image, index))
    assert [(card.card, card.zone) for card in seen if isinstance(card, CardLaid)] == [
        ("Ks", 3),
        ("8s", 4),
        ("7h", 1),
    ]
    assert not any(isinstance(event, CardsTaken) for event in seen)
    assert sum(isinstance(event, CameraLost) for event in seen) == 1, "the bump, and nothing at the calibration"
    assert eyes.zone.shape == (HEIGHT, WIDTH)
