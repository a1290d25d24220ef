"""``trut demo --web`` from its first line to Ctrl-C, as a user runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(os.name != "posix", reason="how Ctrl-C is sent")
def test_the_page_follows_a_simulated_table_and_stays_until_ctrl_c() -> None:
    words = ["demo", "--lang", "fr", "--fast", "--rounds", "1", "--seats", "2", "--seed", "11", "--no-speak", "--web"]
    demo = subprocess.Popen(
        [sys.executable, "-m", "assistant", *words],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert demo.stdout is not None
        lines: list[str] = []
        for line in demo.stdout:
            lines.append(line)
            if line.startswith("C'est la fin"):
                break
        found = re.search(r"La page : (http://\S+)#code=[A-Z]{6}\n", "".join(lines))
        assert found is not None
        state = json.loads(httpx.get(f"{found[1]}api/state").text)
        assert (state["mode"], len(state["round_cards"]) > 0) == ("film", True)
        listed = httpx.get(f"{found[1]}api/games").json()["games"]
        assert [game["running"] for game in listed] == [True]
        demo.send_signal(signal.SIGINT)
        _rest, err = demo.communicate(timeout=30)
        assert err == ""
        right = next(line for line in lines if "manche juste" in line)
        assert (demo.returncode == 0) == right.startswith("1 manche juste sur 1")
    finally:
        demo.kill()
        demo.communicate()
