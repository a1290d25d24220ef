"""What can go wrong with pictures, cameras and decks."""

from __future__ import annotations

from engine.errors import TrutError


class VisionError(TrutError):
    code = "vision"


class UnreadablePicture(VisionError):
    """A still picture that is missing, empty, truncated or no picture."""

    code = "unreadable-picture"


class CameraUnavailable(VisionError):
    """No such camera, or a film that cannot be decoded."""

    code = "camera-unavailable"


class UnknownDeck(VisionError):
    """Neither a shipped deck nor an enrolled one."""

    code = "unknown-deck"
