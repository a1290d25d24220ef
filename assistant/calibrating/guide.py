"""The pictures of the guide, made by the program itself: a simulated table in a room, and what calibration says of it.

    python -m assistant.calibrating.guide docs/pictures

One table is shown as it should be, then too dark, out of focus, with a lamp mirrored in it, from too low and from too
far away; each as ``trut calibrate table --picture`` draws it, in French and in English. A drawing shows where to put
the camera.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from assistant.calibrating.table import drawn
from assistant.i18n import set_language
from assistant.simulation.script import Lay
from assistant.simulation.table import SimulatedTable
from calibration.lettering import Colour, text_width, write
from calibration.lights import traffic_lights
from calibration.setup import TableSetup
from vision.camera import Image
from vision.decks import deck_named
from vision.playzone import PlayZone
from vision.reading import CardReader

SEED, SURFACE = 12, "green-felt"
SIZE = (1280, 720)
WIDTH = 900
"""Pixels of the pictures in the guide."""
QUALITY = 78
GOOD = ((250.0, 50.0), (1030.0, 55.0), (1215.0, 690.0), (60.0, 685.0))
LOW = ((430.0, 300.0), (850.0, 302.0), (1180.0, 690.0), (100.0, 688.0))
FAR = ((525.0, 250.0), (755.0, 252.0), (790.0, 420.0), (490.0, 418.0))
INK: Colour = (60, 52, 46)
PAPER: Colour = (250, 250, 250)
WOOD: Colour = (92, 140, 190)
MARK: Colour = (60, 120, 215)
TILES: Colour = (96, 118, 142)


def played_table() -> Image:
    """A simulated table from above, with the four cards of a trick."""
    table = SimulatedTable(SEED, slant=0, surface=SURFACE, rounds=2, width=SIZE[0], height=SIZE[1])
    laid = [g.t for g in table.script.gestures if isinstance(g, Lay)]
    return np.asarray(table.stage.frame(round((laid[3] + 1.0) * table.fps)), np.uint8)


def in_a_room(table: Image, corners: tuple[tuple[float, float], ...], floor_colour: Colour = TILES) -> Image:
    """The table seen with its corners there, on a floor of tiles."""
    w, h = SIZE
    rng = np.random.default_rng(SEED)
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    floor = np.full((h, w, 3), floor_colour, np.float32)
    floor *= (1 + 0.1 * (((xx // 110) + (yy // 110)) % 2 - 0.5))[..., None]
    floor += cv2.GaussianBlur(rng.normal(0, 26, (h, w)).astype(np.float32), (0, 0), 2)[..., None]
    there = np.array(corners, np.float32)
    here = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    place = cv2.getPerspectiveTransform(here, there)
    top = cv2.warpPerspective(table, place, SIZE, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((h, w), 255, np.uint8), place, SIZE).astype(np.float32) / 255
    shadow = cv2.GaussianBlur(np.roll(mask, (16, 12), (0, 1)), (0, 0), 16)[..., None]
    soft = cv2.GaussianBlur(mask, (3, 3), 0)[..., None]
    out = floor * (1 - 0.55 * shadow) * (1 - soft) + top * soft + rng.normal(0, 2, (h, w, 3))
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def mirrored_lamp(picture: Image) -> Image:
    """A lamp seen in the table."""
    spot = np.zeros(picture.shape[:2], np.float32)
    cv2.ellipse(spot, (780, 470), (95, 70), 0, 0, 360, 1.0, -1)
    glow = cv2.GaussianBlur(spot, (0, 0), 9)
    halo = cv2.GaussianBlur(spot, (0, 0), 60)
    return np.asarray(np.clip(picture + (330 * glow + 70 * halo)[..., None], 0, 255), np.uint8)


def scenes() -> dict[str, tuple[Image, tuple[tuple[float, float], ...]]]:
    """The pictures that the guide talks about: name -> picture and the table's corners in it."""
    table = played_table()
    good = in_a_room(table, GOOD)
    rng = np.random.default_rng(1)
    dark = np.clip(good * 0.13 + rng.normal(0, 3, good.shape), 0, 255).astype(np.uint8)
    worse: dict[str, Callable[[], Image]] = {
        "good": lambda: good,
        "dark": lambda: dark,
        "blurred": lambda: np.asarray(cv2.GaussianBlur(good, (0, 0), 4.2), np.uint8),
        "glare": lambda: mirrored_lamp(good),
    }
    out: dict[str, tuple[Image, tuple[tuple[float, float], ...]]] = {k: (make(), GOOD) for k, make in worse.items()}
    out["low"] = (in_a_room(table, LOW), LOW)
    out["far"] = (in_a_room(table, FAR), FAR)
    return out


def where_to_stand() -> Image:
    """A table from the side, with the camera above it: how high, and how far it may lean."""
    paper = np.full((520, WIDTH, 3), PAPER, np.uint8)
    top, left, right = 400, 170, 730
    camera = (330, 90)
    sight = np.array([camera, (left + 10, top), (right - 10, top)], np.int32)
    cv2.fillPoly(paper, [sight], (235, 243, 250), cv2.LINE_AA)
    for corner in sight[1:]:
        cv2.line(paper, camera, (int(corner[0]), int(corner[1])), (190, 205, 220), 2, cv2.LINE_AA)
    cv2.rectangle(paper, (left, top), (right, top + 18), WOOD, -1)
    for x in (left + 20, right - 36):
        cv2.rectangle(paper, (x, top + 18), (x + 16, 510), WOOD, -1)
    for x in (360, 430, 500):
        cv2.rectangle(paper, (x, top - 5), (x + 46, top), (255, 255, 255), -1)
        cv2.rectangle(paper, (x, top - 5), (x + 46, top), INK, 1, cv2.LINE_AA)
    cv2.line(paper, (120, 510), (120, 90), INK, 8, cv2.LINE_AA)  # the stand and its arm
    cv2.line(paper, (120, 90), camera, INK, 8, cv2.LINE_AA)
    cv2.rectangle(paper, (camera[0] - 22, camera[1] - 14), (camera[0] + 22, camera[1] + 14), INK, -1)
    cv2.circle(paper, (camera[0] + 6, camera[1] + 16), 9, (120, 110, 100), -1, cv2.LINE_AA)
    middle = ((left + right) // 2, top)
    cv2.arrowedLine(paper, (middle[0], 110), (middle[0], top - 12), MARK, 3, cv2.LINE_AA, tipLength=0.05)
    cv2.arrowedLine(paper, (middle[0], top - 12), (middle[0], 110), MARK, 3, cv2.LINE_AA, tipLength=0.05)
    write(paper, "80 – 110 cm", (middle[0] + 14, 230), 26, MARK, bold=True)
    cv2.line(paper, camera, middle, MARK, 2, cv2.LINE_AA)
    lean = float(np.degrees(np.arctan2(middle[0] - camera[0], top - camera[1])))
    cv2.ellipse(paper, camera, (120, 120), 0, 90 - lean, 90, MARK, 3, cv2.LINE_AA)
    cv2.line(paper, camera, (camera[0], camera[1] + 140), (190, 190, 190), 1, cv2.LINE_AA)
    write(paper, "< 35°", (camera[0] - text_width("< 35°", 26, bold=True) - 10, camera[1] + 120), 26, MARK, bold=True)
    for x in (610, 700):  # the lamp, beside and not above
        cv2.line(paper, (x + 110, 40), (x + 60, 84), (60, 180, 245), 2, cv2.LINE_AA)
    cv2.ellipse(paper, (800, 60), (52, 40), 0, 180, 360, (60, 180, 245), -1, cv2.LINE_AA)
    cv2.circle(paper, (800, 66), 16, (130, 225, 255), -1, cv2.LINE_AA)
    cv2.rectangle(paper, (right - 90, top - 22), (right - 60, top), (110, 110, 110), -1)  # the microphone
    cv2.circle(paper, (right - 75, top - 26), 14, (80, 80, 80), -1, cv2.LINE_AA)
    return paper


def main() -> None:
    """Writes all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    reader = CardReader(deck_named("french32"))
    _save(folder / "camera.jpg", where_to_stand())
    for name, (picture, corners) in scenes().items():
        setup = TableSetup.whole(4, *SIZE).with_corners(corners, "seen")
        zone = setup.seat_map().play_zone(*SIZE)
        table = PlayZone(zone, picture).read(picture)
        cards = reader.read(table)
        lights = traffic_lights(table, setup, cards)
        print(name, {light.kind: (round(light.value, 3), light.level) for light in lights})
        for language in ("fr", "en"):
            set_language(language)
            _save(folder / f"{name}.{language}.jpg", drawn(picture, setup, cards, lights))


def _save(path: Path, picture: Image) -> None:
    height = round(picture.shape[0] * WIDTH / picture.shape[1])
    small = cv2.resize(picture, (WIDTH, height), interpolation=cv2.INTER_AREA)
    path.write_bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())


if __name__ == "__main__":
    main()
