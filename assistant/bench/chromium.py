"""The system's Chromium, for measuring and trying the page in a real browser."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
"""It talks to nobody but the table."""
FAKE_DEVICES = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
"""Camera and microphone are make-believe, and nobody is asked whether they may be used."""


def chromium() -> str | None:
    """Where it is, or what ``TRUT_CHROMIUM`` names; None where there is none."""
    return os.environ.get("TRUT_CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
