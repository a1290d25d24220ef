"""Nothing is recorded unless asked: a refereed film leaves the record of the game and not a file more, and nothing
goes to the network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import soundfile

ROOT = Path(__file__).parents[2]
WATCHED = """
import socket, sys

def forbidden(event, args):
    if event.startswith("socket.") and event != "socket.gethostname":
        raise SystemExit(f"the network was touched: {event} {args}")

def no_socket(*args, **kwargs):
    raise SystemExit("a socket was opened")

sys.addaudithook(forbidden)
socket.socket = no_socket
from assistant.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_film_leaves_the_record_alone_and_opens_no_socket(tmp_path: Path) -> None:
    film, home = tmp_path / "film", tmp_path / "home"
    film.mkdir()
    (home / "tmp").mkdir(parents=True)
    rng = np.random.default_rng(4)
    for number in range(6):
        picture = np.full((360, 640, 3), (40, 90, 40), np.uint8) + rng.integers(0, 4, (360, 640, 3), np.uint8)
        if number > 1:
            cv2.rectangle(picture, (280, 200), (340, 290), (250, 250, 250), -1)
        cv2.imwrite(str(film / f"{number}.png"), picture)
    soundfile.write(film.parent / "son.wav", rng.normal(0, 0.001, 3 * 16000), 16000)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "TRUT_"))}
    environment |= {"HOME": str(home), "USERPROFILE": str(home), "TMPDIR": str(home / "tmp"), "PYTHONPATH": str(ROOT)}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1"}
    words = ["watch", "--game", "trut", "--camera", str(film), "--mic", str(tmp_path / "son.wav")]
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *words], cwd=home, env=environment, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    left = [path for path in home.rglob("*") if path.is_file()]
    assert [path.name for path in left] == ["trut-1.trut"]
    assert len(list(film.iterdir())) == 6
