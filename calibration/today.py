"""A calibrated table as it looks today: from the calibrated place, and its play zone only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from calibration.errors import CameraMoved
from calibration.profile import Profile
from vision.anchor import CONFIRMED, Anchor, Homography
from vision.camera import Image
from vision.events import CardSighting, Quad
from vision.steady import fitted


@dataclass(frozen=True)
class Today:
    """What was found.

    Attributes:
        view: the table, as it would look from the calibrated place.
        place: takes its pixels to those of the picture that was given.
        moved: how far the camera has moved since, in picture widths.
    """

    view: Image
    place: Homography
    moved: float

    def as_given(self, sightings: Iterable[CardSighting]) -> list[CardSighting]:
        """Sightings in the view, in the pixels of the picture that was given."""
        out = []
        for seen in sightings:
            there = cv2.perspectiveTransform(np.array([seen.quad], np.float64), self.place)[0]
            out.append(
                replace(seen, quad=cast(Quad, tuple((round(float(x), 1), round(float(y), 1)) for x, y in there)))
            )
        return out


def today(profile: Profile, picture: Image) -> Today:
    """Find a calibrated table in a picture of today.

    Raises:
        CameraMoved: it does not look like the calibrated table from anywhere.
    """
    h, w = profile.reference.shape[:2]
    scale = np.diag([picture.shape[1] / w, picture.shape[1] / w, 1.0])
    now, zone = fitted(picture, w, h), profile.play_zone
    anchor = Anchor(profile.reference, zone.zone)
    cells = anchor.cells(zone.kept(now))
    if not cells.enough or cells.agreement >= CONFIRMED:
        return Today(zone.read(now), scale, 0.0)
    found = anchor.place_of(now)
    if found is None:
        raise CameraMoved("La caméra a bougé et je ne retrouve pas la table : refaites « trut calibrate table »")
    corners = np.array([[[0, 0]], [[w, 0]], [[w, h]], [[0, h]]], np.float64)
    moved = np.linalg.norm(cv2.perspectiveTransform(corners, found[0]) - corners, axis=2).mean() / w
    return Today(zone.read(anchor.from_here(now, found[0])), scale @ found[0], float(moved))
