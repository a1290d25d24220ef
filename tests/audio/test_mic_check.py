"""``trut doctor --mic`` and ``trut listen --mic`` at microphones that are none."""

from __future__ import annotations

import io
import json

import pytest
from sounds import table

from assistant.cli import main
from assistant.mic_check import check
from assistant.testing import FakeMicrophones, Fault
from audio.devices import InputDevice
from audio.ears import Ears
from audio.knocks import KnockDetector

Capture = pytest.CaptureFixture[str]
DEVICES = [InputDevice(0, "Micro USB", 48_000, 1, "ALSA", True), InputDevice(1, "Micro interne", 44_100, 2, "ALSA")]


class Deaf:
    cautions = ()

    def expect(self, verbs: frozenset[str] | None) -> None: ...

    def accept(self, samples: object) -> list[object]:
        return []

    def finish(self) -> list[object]:
        return []


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> FakeMicrophones:
    """A room with two microphones: knocks at 2 and 9 s, the one in use pulled out from 4 to 7 s."""
    made = FakeMicrophones(
        12, DEVICES, room=table([2.0, 9.0], 12), faults=[Fault("unplugged", 4, 7), Fault("muted", 10)]
    )
    monkeypatch.setattr("audio.source.microphone", made.microphone)
    monkeypatch.setattr("audio.phrases.PhraseSpotter", lambda *_what, **_kind: Deaf())
    return made


def test_doctor_shows_what_a_microphone_gives(room: FakeMicrophones, capsys: Capture) -> None:
    assert main(["doctor", "--mic", "--seconds", "12", "--lang", "fr"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert lines[0].startswith("→ micro 0 : Micro USB, 48000 Hz, canaux : 1 (par défaut)")
    assert lines[1].startswith("  micro 1 : Micro interne, 44100 Hz")
    assert 10 <= sum("bruit de fond" in line for line in lines) <= 13
    assert sum("un coup sur la table" in line for line in lines) == 2
    assert "Je n'entends plus la table." in lines
    assert "J'entends de nouveau la table." in lines


def test_doctor_in_json(room: FakeMicrophones, capsys: Capture) -> None:
    assert main(["doctor", "--mic", "interne", "--seconds", "3.5", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(r["name"], r["rate"], r["channels"], r["used"]) for r in rows if r["kind"] == "device"] == [
        ("Micro USB", 48000, 1, False),
        ("Micro interne", 44100, 2, True),
    ]
    levels = [r for r in rows if r["kind"] == "level"]
    assert [round(r["t"]) for r in levels] == [0, 1, 2, 3]
    assert all(-65 < r["floor"] < -55 and r["clipped"] == 0 for r in levels[1:])
    assert [r["kind"] for r in rows].count("knock") == 1


def test_on_a_terminal_one_line_is_written_over(room: FakeMicrophones) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    ears = Ears(knocks=KnockDetector(), spotter=Deaf())  # type: ignore[arg-type]
    check(room.microphone(), ears, 3.0, False, out)
    text = out.getvalue()
    assert text.count("\r") > 25
    assert text.count("\n") == 4  # two devices, a knock, the end


@pytest.mark.parametrize("words", [["--mic"], ["--mic", "Yeti"]])
def test_without_a_microphone_one_line_and_status_1(words: list[str], capsys: Capture) -> None:
    """Here PortAudio or the device is missing, whichever."""
    assert main(["doctor", *words, "--seconds", "1"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_options_that_make_no_sense(capsys: Capture) -> None:
    for words in (["--seconds", "3"], ["--mic", "--seconds", "-1"], ["--mic", "--game", "belote"]):
        assert main(["doctor", *words]) == 2, words
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_listen_goes_on_when_the_microphone_comes_back(room: FakeMicrophones, capsys: Capture) -> None:
    assert main(["listen", "--mic", "--json", "--lang", "fr"]) == 0
    out, err = capsys.readouterr()
    knocks = [json.loads(line)["t"] for line in out.splitlines()]
    assert knocks == pytest.approx([2.0, 9.0], abs=0.06)
    assert err.splitlines() == [
        "trut: Je n'entends plus la table.",
        "trut: J'entends de nouveau la table.",
    ]
