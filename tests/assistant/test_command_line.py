"""What holds for every command: one line and exit 2 instead of a traceback, whatever stands around the program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.cli import main

SCORE_PAD = ("--game", "trut", "--camera", "off", "--mic", "off", "--no-speak")


def trut(words: tuple[str, ...], home: Path, redirected: str) -> subprocess.CompletedProcess[str]:
    """``trut`` as a shell runs it, with nothing of the user's."""
    command = [sys.executable, "-m", "assistant", *words]
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home), "TRUT_SETTINGS": ""}
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirected}', "sh", *command],
        env={**os.environ, **own},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(os.name != "posix", reason="a shell of Unix")
@pytest.mark.parametrize("words", [("watch", *SCORE_PAD, "--keys"), ("watch", *SCORE_PAD), ("forget",)])
def test_standard_input_may_be_closed(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "trut" / "games").mkdir(parents=True)
    (tmp_path / "trut" / "games" / "trut-1.trut").write_text("game trut\n")
    done = trut(("--lang", "fr", *words), tmp_path, "<&-")
    assert done.returncode == {"watch": 0 if "--keys" in words else 2, "forget": 1}[words[0]]
    assert "Traceback" not in done.stderr
    assert (tmp_path / "trut" / "games" / "trut-1.trut").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("words", [("rules", "trut"), ("decks",), ("config",)])
def test_standard_output_may_lie_on_a_full_disk(words: tuple[str, ...], tmp_path: Path) -> None:
    done = trut(("--lang", "en", *words), tmp_path, ">/dev/full")
    assert (done.returncode, done.stderr) == (2, "trut: cannot read or write (No space left on device)\n")


@pytest.mark.skipif(os.name != "posix", reason="a shell of Unix")
def test_standard_output_may_be_closed(tmp_path: Path) -> None:
    done = trut(("decks",), tmp_path, ">&-")
    assert (done.returncode, done.stderr) == (0, "")


ODD = "a\nb\x1b[31m"


@pytest.mark.parametrize("words", [("score", ODD), ("decks", ODD), ("calibrate", "show", "--profile", ODD)])
def test_what_is_wrong_stays_on_one_line(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "fr", *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "\x1b" not in said
    assert "a\N{REPLACEMENT CHARACTER}b" in said


def test_no_command_lets_onnxruntime_report_home() -> None:
    ask = "import os, assistant.cli; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    there = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    done = subprocess.run([sys.executable, "-c", ask], env=there, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "1\n")
