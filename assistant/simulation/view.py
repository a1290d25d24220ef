"""The simulated camera: a pinhole above a table that is measured in millimetres.

World: origin in the middle of the table, x to the right of the picture, y to its top, z up from the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class View:
    """Where the camera hangs.

    Attributes:
        width, height: picture in pixels.
        scale: pixels a millimetre at the middle of the table.
        slant: degrees between the camera's axis and the vertical; it leans over from seat 1's side.
        roll: degrees that the picture is turned.
        distance: millimetres from the lens to the middle of the table.
    """

    width: int = 1280
    height: int = 720
    scale: float = 1.75
    slant: float = 0.0
    roll: float = 0.0
    distance: float = 900.0
    _matrix: Array = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tilt, roll = np.radians(self.slant), np.radians(self.roll)
        right = np.array([np.cos(roll), np.sin(roll), 0.0])
        forward = np.array([0.0, np.sin(tilt), -np.cos(tilt)])
        right -= forward * (right @ forward)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        focal = self.scale * self.distance
        inside = np.array([[focal, 0, self.width / 2], [0, focal, self.height / 2], [0, 0, 1.0]])
        outside = np.column_stack([np.stack([right, down, forward]), [0.0, 0.0, self.distance]])
        object.__setattr__(self, "_matrix", inside @ outside)

    def project(self, points: Array) -> Array:
        """Millimetres (N, 3) to pixels (N, 2)."""
        p = np.column_stack([points, np.ones(len(points))]) @ self._matrix.T
        return np.asarray(p[:, :2] / p[:, 2:])

    def plane(self, z: float = 0.0) -> Array:
        """Homography (3, 3) from the plane at height ``z`` (x, y in millimetres) to pixels."""
        m = self._matrix
        return np.column_stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]])

    def reach(self, direction: Array, z: float = 0.0) -> float:
        """Millimetres from the middle to the edge of the picture in a direction (unit x, y)."""
        low, high = 0.0, 2000.0
        for _ in range(30):
            mid = (low + high) / 2
            x, y = self.project(np.array([[*(direction * mid), z]]))[0]
            inside = 0 <= x < self.width and 0 <= y < self.height
            low, high = (mid, high) if inside else (low, mid)
        return low
