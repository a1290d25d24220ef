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


class NoSuchCamera(VisionError):
    """A device that is not plugged in, or gives no picture: the answer is "no", not a bad input."""

    code = "no-such-camera"
    exit_status = 1


class CameraBusy(NoSuchCamera):
    """A device that another program has open."""

    code = "camera-busy"


class UnknownDeck(VisionError):
    """Neither a shipped deck nor an enrolled one."""

    code = "unknown-deck"


class BrokenDeck(VisionError):
    """The file of an enrolled deck that is missing, damaged or cannot be written."""

    code = "broken-deck"


class MissingWeights(VisionError):
    """A file of trained weights that the installation should hold is not there."""

    code = "missing-weights"
