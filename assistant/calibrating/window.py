"""Corners and seats dragged with the mouse, where there is a screen and OpenCV can open a window.

The dragging itself (``Dragging``) knows nothing of windows: a page with a finger can drive it as well.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import cv2

from assistant.i18n import N_
from calibration.setup import TableSetup
from engine.errors import TrutError
from vision.camera import Image

REACH = 0.05
"""Part of the picture's width within which a corner is taken hold of."""
ENTER, ESCAPE = 13, 27


class NoScreen(TrutError):
    """A window was asked for where none can be opened."""

    code = "no-screen"


class Dragging:
    """Corners that follow a pointer.

    Args:
        setup: where the table was found.

    Attributes:
        setup: where its corners are now; what cannot be (crossing corners) is not followed.
        held: the corner that is being dragged.
    """

    def __init__(self, setup: TableSetup) -> None:
        corners = setup.corners
        if setup.found == "picture":  # a little inside, to be taken hold of
            w, h = setup.width, setup.height
            corners = ((0.03 * w, 0.03 * h), (0.97 * w, 0.03 * h), (0.97 * w, 0.97 * h), (0.03 * w, 0.97 * h))
        self.setup = setup.with_corners(corners)
        self.held: int | None = None

    def press(self, x: float, y: float) -> None:
        """The pointer goes down: the nearest corner is taken hold of."""
        self.held = self.setup.nearest_corner(x, y, REACH * self.setup.width)

    def move(self, x: float, y: float) -> None:
        """The pointer moves."""
        if self.held is None:
            return
        try:
            self.setup = self.setup.moved(self.held, (x, y))
        except TrutError:  # it would cross another side: the corner waits at the last good place
            return

    def release(self) -> None:
        """The pointer goes up."""
        self.held = None


def dragged(setup: TableSetup, draw: Callable[[TableSetup], Image], title: str) -> TableSetup | None:
    """Let the corners be dragged in a window; None where that was given up with Escape.

    Args:
        draw: makes the picture for a setup, in any size.
        title: of the window.

    Raises:
        NoScreen: no window can be opened here.
    """
    if not screen_there():
        raise NoScreen(N_('pas d\'écran ici : donnez les coins avec --corners "x,y x,y x,y x,y"'))
    work = Dragging(setup)
    try:
        cv2.namedWindow(title)
    except cv2.error:
        raise NoScreen(
            N_('OpenCV n\'ouvre pas de fenêtre ici : donnez les coins avec --corners "x,y x,y x,y x,y"')
        ) from None
    factor = setup.width / draw(setup).shape[1]

    def mouse(what: int, x: int, y: int, _flags: int, _nothing: object) -> None:
        if what == cv2.EVENT_LBUTTONDOWN:
            work.press(x * factor, y * factor)
        elif what == cv2.EVENT_MOUSEMOVE:
            work.move(x * factor, y * factor)
        elif what == cv2.EVENT_LBUTTONUP:
            work.release()

    cv2.setMouseCallback(title, mouse)
    try:
        while True:
            cv2.imshow(title, draw(work.setup))
            key = cv2.waitKey(30) & 0xFF
            if key == ENTER:
                return work.setup
            if key == ESCAPE or cv2.getWindowProperty(title, cv2.WND_PROP_VISIBLE) < 1:
                return None
    finally:
        cv2.destroyWindow(title)


def screen_there() -> bool:
    """Whether a window may be opened: without a screen some builds of OpenCV end the whole program."""
    if sys.platform.startswith(("win", "darwin")):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
