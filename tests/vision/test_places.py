"""What tells a changed place apart: light, outlines, backs, the past, a camera that sways."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.backs import Backs
from vision.light import evened
from vision.masks import mask_of
from vision.outlines import fits_change, went_away
from vision.recall import Recall
from vision.sway import Sway, apart
from vision.view import View

SHAPE = (180, 320)
QUAD = np.float32([[100, 60], [130, 60], [130, 105], [100, 105]])
PLACE = mask_of(QUAD, SHAPE, 1.0)


def cloth(seed: int = 0) -> np.ndarray:
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 40, SHAPE).astype(np.float32), (0, 0), 1.5)
    return np.clip(np.float32([60, 100, 80]) + grain[..., None], 0, 255)


def with_card(table: np.ndarray) -> np.ndarray:
    out = table.copy()
    out[PLACE] = 230
    return out


def test_an_outline_that_is_no_more_tells_that_something_went() -> None:
    bare = cv2.GaussianBlur(cloth(), (0, 0), 4)
    assert went_away(PLACE, with_card(bare), bare)
    assert not went_away(PLACE, bare, with_card(bare))


def test_a_change_fits_a_card_that_it_fills_and_not_a_piece_of_a_larger_one() -> None:
    nothing = np.zeros(SHAPE, bool)
    assert fits_change(PLACE, PLACE, nothing)
    sleeve = nothing.copy()
    sleeve[50:120, 40:200] = True
    assert not fits_change(PLACE, sleeve, nothing)
    assert fits_change(PLACE, sleeve, sleeve & ~PLACE)  # unless the rest is explained


@pytest.mark.parametrize("gain", [0.8, 1.25])
def test_exposure_and_a_soft_shadow_are_evened_out_and_a_card_is_not(gain: float) -> None:
    table = cloth()
    shadow = np.linspace(0.75, 1, SHAPE[1], dtype=np.float32)[None, :, None]
    seen = with_card(table) * shadow * np.float32(gain)
    off = np.abs(evened(seen, table) - table).max(2)
    assert np.percentile(off[~PLACE], 90) < 12
    assert np.median(off[PLACE]) > 80


def test_a_back_is_known_again_by_its_colour_and_a_face_is_none() -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    quads = [np.float32([[x, 50], [x + 60, 50], [x + 60, 140], [x, 140]]) for x in (20, 120, 220)]
    for quad, colour in zip(quads, ((60, 40, 150), (60, 40, 150), (235, 235, 235)), strict=True):
        cv2.fillConvexPoly(picture, np.int32(quad), (235, 235, 235))
        cv2.rectangle(picture, np.int32(quad[0] + 5).tolist(), np.int32(quad[2] - 5).tolist(), colour, -1)
    backs = Backs()
    assert not backs.is_back(picture, quads[1])
    backs.learn(picture, quads[0])
    backs.learn(picture, quads[2])
    assert backs.is_back(picture, quads[1])
    assert not backs.is_back(picture, quads[2])


def test_the_past_tells_since_when_a_card_lies_there_and_not_the_one_before_it() -> None:
    bare, recall = cloth(), Recall()
    card = with_card(bare)
    arm = card.copy()
    arm[80:, 90:140] = (120, 150, 210)
    shown = [*[card] * 5, *[bare] * 5, *[card] * 3, *[arm] * 5, *[card] * 3]
    for k, thumb in enumerate(shown):
        recall.remember(k / 10, thumb)
    assert recall.since(PLACE, card, bare, 20.0) == pytest.approx(1.0)
    assert recall.since(PLACE, bare * 0 + 10, bare, 20.0) is None


@settings(max_examples=15, deadline=None)
@given(x=st.floats(-8, 8), y=st.floats(-8, 8), turn=st.floats(-1.5, 1.5))
def test_a_swaying_camera_is_followed_whatever_a_hand_does(x: float, y: float, turn: float) -> None:
    table = cloth(3)
    motion = cv2.getRotationMatrix2D((160, 90), turn, 1.0)
    motion[:, 2] += x, y
    seen = cv2.warpAffine(table, motion, SHAPE[::-1], borderMode=cv2.BORDER_REFLECT).astype(np.float32)
    cv2.line(seen, (160, 179), (150, 90), (120, 150, 210), 30)
    sway = Sway()
    found = sway.follow(seen, table)
    assert sway.sure
    assert apart(found, motion, SHAPE) < 0.6


def test_a_card_that_is_pushed_is_no_moved_camera() -> None:
    plain = np.full((*SHAPE, 3), 90, np.float32)
    pushed = plain.copy()
    pushed[64:109, 106:136] = 230
    assert Sway().follow(pushed, with_card(plain)) is None


def test_a_large_picture_is_halved_and_its_quads_are_given_in_its_own_pixels() -> None:
    view = View(np.zeros((1440, 2560, 3), np.uint8), 320)
    assert view.image.shape == (720, 1280, 3)
    assert view.as_given(((1.0, 2.0), (3.0, 2.0), (3.0, 4.0), (1.0, 4.0)))[2] == (6.0, 8.0)
    moved = view.from_where(np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]]))
    assert moved.as_given(((1.0, 2.0), (3.0, 2.0), (3.0, 4.0), (1.0, 4.0)))[0] == (18.0, -4.0)
