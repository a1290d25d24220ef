"""A picture that shows what the machine sees: the table, seats and zones, the cards with their names, the five lights.

What lies outside the table is veiled: it is never read, and nobody's cards shall be read off this picture. The colours
of the lights are told by their shapes too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from calibration.lettering import Colour, text_width, wrapped, write
from calibration.lights import Kind, Level, Light
from calibration.setup import TableSetup
from vision.camera import Image
from vision.events import CardSighting
from vision.seats import SeatMap

WIDTH = 1280
"""Pixels to which pictures are brought: letters are then equally large in all."""
SEATS: tuple[Colour, ...] = (
    (222, 160, 60),
    (90, 190, 250),
    (170, 120, 210),
    (120, 190, 90),
    (60, 130, 235),
    (200, 200, 90),
)
"""Tints of the zones, seat by seat."""
TINT = 0.16
DIM = 0.32
VEIL = 14.0
"""Pixels by which all beside the table is blurred."""
OUTLINE: Colour = (250, 250, 250)
READ: Colour = (110, 215, 90)
UNREAD: Colour = (60, 150, 250)
PANEL: Colour = (36, 32, 30)
PALE: Colour = (205, 205, 205)
LIGHTS: dict[Level, Colour] = {"green": (95, 190, 70), "amber": (40, 175, 250), "red": (70, 70, 235)}
PANEL_HEIGHT = 180


def overlay(
    picture: Image,
    setup: TableSetup,
    cards: Sequence[CardSighting] = (),
    lights: Sequence[Light] = (),
    *,
    names: Mapping[int, str] | None = None,
    card_name: Callable[[str], str] = str,
    words: Mapping[Kind, tuple[str, str, str]] | None = None,
    veil: bool = True,
) -> Image:
    """The picture with all that is seen drawn in.

    Args:
        picture: BGR, from the calibrated place; it is brought to ``WIDTH``.
        setup: the table.
        cards: what was read on it.
        lights: drawn in a panel below, if there are any.
        names: what the seats are called; by default their numbers.
        card_name: how a card is called.
        words: for each light its name, its figure and a suggestion (empty where all is well).
        veil: blur what lies outside the table.
    """
    height = round(picture.shape[0] * WIDTH / picture.shape[1])
    factor = WIDTH / picture.shape[1]
    drawn = np.asarray(cv2.resize(picture, (WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
    setup = setup.scaled(WIDTH, height)
    seats = setup.seat_map()
    drawn = _zones(drawn, seats, setup, VEIL if veil else 0)
    for card in cards:
        _card(drawn, card, factor, card_name)
    _seats(drawn, setup, names or {})
    if lights and words is not None:
        drawn = np.vstack([drawn, _panel(lights, words)])
    return np.ascontiguousarray(drawn)


def _zones(picture: Image, seats: SeatMap, setup: TableSetup, veil: float) -> Image:
    """Dim and blur what is no play zone, tint the zones of the seats, draw the table's outline."""
    h, w = picture.shape[:2]
    zone = seats.play_zone(w, h)
    step = 10
    grid = [[seats.zone(x, y) or 0 for x in range(step // 2, w, step)] for y in range(step // 2, h, step)]
    owner = cv2.resize(np.array(grid, np.uint8), (w, h), interpolation=cv2.INTER_NEAREST)
    owner = cv2.medianBlur(owner, 2 * step + 1)
    out = picture.astype(np.float32)
    for seat in setup.seats:
        part = zone & (owner == seat)
        out[part] = (1 - TINT) * out[part] + TINT * np.array(SEATS[(seat - 1) % len(SEATS)], np.float32)
    beside = picture.astype(np.float32)
    if veil:
        beside = np.asarray(cv2.GaussianBlur(beside, (0, 0), veil), np.float32)
    grey = beside.mean(axis=2, keepdims=True)
    out = np.where(zone[..., None], out, DIM * (0.4 * beside + 0.6 * grey))
    drawn = np.clip(out, 0, 255).astype(np.uint8)
    if setup.found != "picture":
        outline = np.round(np.array(setup.corners)).astype(np.int32)
        cv2.polylines(drawn, [outline], True, (0, 0, 0), 6, cv2.LINE_AA)
        cv2.polylines(drawn, [outline], True, OUTLINE, 3, cv2.LINE_AA)
        for x, y in outline:
            cv2.circle(drawn, (int(x), int(y)), 9, (0, 0, 0), -1, cv2.LINE_AA)
            cv2.circle(drawn, (int(x), int(y)), 7, OUTLINE, -1, cv2.LINE_AA)
    else:
        cv2.rectangle(drawn, (2, 2), (w - 3, h - 3), OUTLINE, 3)
    return drawn


def _seats(picture: Image, setup: TableSetup, names: Mapping[int, str]) -> None:
    """A badge with the number of each seat where it sits."""
    h, w = picture.shape[:2]
    corners = np.array(setup.corners, np.float32)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    to_picture = cv2.getPerspectiveTransform(square, corners)
    for seat, place in setup.seats.items():
        at = cv2.perspectiveTransform(np.array([[0.93 * np.array(place, np.float64)]]), to_picture)[0, 0]
        text = names.get(seat, str(seat))
        radius = max(24, text_width(text, 26, bold=True) // 2 + 14)
        x, y = int(np.clip(at[0], radius + 6, w - radius - 6)), int(np.clip(at[1], 30, h - 30))
        colour = SEATS[(seat - 1) % len(SEATS)]
        _pill(picture, (x, y), radius, 24, colour)
        write(picture, text, (x - text_width(text, 26, bold=True) // 2, y + 10), 26, (20, 20, 20), bold=True)


def _card(picture: Image, card: CardSighting, factor: float, card_name: Callable[[str], str]) -> None:
    """The outline of a card, and its name below."""
    h, w = picture.shape[:2]
    quad = np.asarray(card.quad) * factor
    colour = READ if card.card is not None else UNREAD
    cv2.polylines(picture, [np.round(quad).astype(np.int32)], True, (0, 0, 0), 5, cv2.LINE_AA)
    cv2.polylines(picture, [np.round(quad).astype(np.int32)], True, colour, 3, cv2.LINE_AA)
    text = "?" if card.card is None else f"{card_name(card.card)}  {min(card.confidence, 0.99):.0%}"
    size = 20
    half = text_width(text, size, bold=True) // 2 + 10
    x = int(np.clip(quad[:, 0].mean(), half + 2, w - half - 2))
    y = int(np.clip(quad[:, 1].max() + 14, 16, h - 16))
    _pill(picture, (x, y), half, 14, colour)
    write(picture, text, (x - half + 10, y + 7), size, (15, 15, 15), bold=True)


def _pill(picture: Image, middle: tuple[int, int], half: int, radius: int, colour: Colour) -> None:
    """A rounded label with a dark rim."""
    x, y = middle
    for grown, ink in ((3, (20, 20, 20)), (0, colour)):
        r = radius + grown
        reach = max(0, half - radius)
        cv2.rectangle(picture, (x - reach, y - r), (x + reach, y + r), ink, -1)
        for side in (-reach, reach):
            cv2.circle(picture, (x + side, y), r, ink, -1, cv2.LINE_AA)


def _panel(lights: Sequence[Light], words: Mapping[Kind, tuple[str, str, str]]) -> Image:
    """The traffic lights with their figures and suggestions."""
    panel = np.full((PANEL_HEIGHT, WIDTH, 3), PANEL, np.uint8)
    column = WIDTH // max(1, len(lights))
    for number, light in enumerate(lights):
        left = number * column + 18
        title, figure, advice = words[light.kind]
        _lamp(panel, (left + 14, 30), light.level)
        write(panel, title, (left + 40, 38), 22, (255, 255, 255), bold=True)
        colour = PALE if light.level == "green" else LIGHTS[light.level]
        lines = [(line, PALE) for line in wrapped(figure, 17, column - 30)]
        lines += [(line, colour) for line in wrapped(advice, 17, column - 30) if advice]
        for row, (line, ink) in enumerate(lines):
            write(panel, line, (left, 70 + 21 * row), 17, ink)
    return panel


def _lamp(panel: Image, at: tuple[int, int], level: Level) -> None:
    """Green is a disc, amber a triangle, red a square: the shape says it without the colour."""
    x, y = at
    colour = LIGHTS[level]
    if level == "green":
        cv2.circle(panel, (x, y), 14, colour, -1, cv2.LINE_AA)
    elif level == "amber":
        cv2.fillPoly(
            panel, [np.array([[x, y - 15], [x + 16, y + 13], [x - 16, y + 13]], np.int32)], colour, cv2.LINE_AA
        )
    else:
        cv2.rectangle(panel, (x - 13, y - 13), (x + 13, y + 13), colour, -1)
