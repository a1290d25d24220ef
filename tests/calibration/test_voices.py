"""``trut calibrate voice``: from recordings and at the microphone."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
import soundfile

from assistant.calibrating.voice import MATTERS, MOST_ASKED, Sitting, level_bar, phrases_to_say
from assistant.cli import main
from audio.errors import MicrophoneUnavailable
from audio.espeak import espeak
from audio.phrasebook import GAMES, calls_of
from audio.resampling import Samples, resampled
from audio.voices import MOST_SITTINGS, SpeakerVoices
from calibration.voices import Asked, BadTakes, Learner, NothingHeard, clipped, learn, read_rows

RATE = 16000
PHRASES = ("je vais voir", "je me couche")
Capture = pytest.CaptureFixture[str]


@lru_cache(maxsize=32)
def speech(text: str, voice: str = "f3", rate: int = 165) -> Samples:
    wave = espeak().say(text, f"fr+{voice}", rate, 50, 50)
    samples = resampled((wave.samples / 32768).astype(np.float32), wave.rate, RATE)
    return samples / np.abs(samples).max() * np.float32(0.3)


def quiet(seconds: float, seed: int = 0) -> Samples:
    return np.random.default_rng(seed).normal(0, 3e-4, round(seconds * RATE)).astype(np.float32)


@pytest.fixture
def takes(tmp_path: Path) -> Path:
    """Two players, two phrases each, and their list."""
    rows = []
    for name, voice in (("Anne", "f3"), ("Jean", "m5")):
        for i, text in enumerate(PHRASES):
            soundfile.write(tmp_path / f"{name}{i}.wav", speech(text, voice), RATE)
            rows.append({"file": f"{name}{i}.wav", "text": text, "speaker": name})
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


# -- from recordings ---------------------------------------------------------------------------------------------------


def test_recordings_are_enrolled_and_told(takes: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "t.voices"
    assert main(["calibrate", "voice", "--takes", str(takes), "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["added"] == 4
    assert told["speakers"]["Jean"] == {"phrases": sorted(PHRASES), "takes": 2}
    assert SpeakerVoices.load(out).names == ("Anne", "Jean")


def test_the_same_recordings_add_nothing_and_others_another_sitting(takes: Path, tmp_path: Path) -> None:
    rows = read_rows(takes)
    once = learn(rows).voices
    assert learn(rows, once).added == 0
    soundfile.write(tmp_path / "Anne0.wav", speech(PHRASES[0], "f3", 185), RATE)
    again = learn(rows, once)
    assert again.added == 1
    assert [t.sitting for t in again.voices.takes if (t.speaker, t.text) == ("Anne", PHRASES[0])] == [1, 2]


def test_many_takes_of_a_list_are_not_all_kept(takes: Path, tmp_path: Path) -> None:
    lines = []
    for i in range(MOST_SITTINGS + 2):
        soundfile.write(tmp_path / f"x{i}.wav", speech(PHRASES[0], "f3", 150 + 10 * i), RATE)
        lines.append(json.dumps({"file": f"x{i}.wav", "text": PHRASES[0], "speaker": "Anne"}))
    takes.write_text("\n".join(lines), encoding="utf-8")
    assert len(learn(read_rows(takes)).voices.takes) == MOST_SITTINGS


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "JSON"),
        ("[1]", "objet"),
        ('{"file": "Anne0.wav", "text": "oui"}', "speaker"),
        ('{"file": "Anne0.wav", "text": " ", "speaker": "A"}', "text"),
        ('{"file": 3, "text": "oui", "speaker": "A"}', "file"),
        ('{"file": "Anne0.wav", "text": "oui", "speaker": "A\\nB"}', "speaker"),
        ('{"file": "none.wav", "text": "oui", "speaker": "A"}', "none.wav"),
        ('{"file": "Anne0.wav", "text": "!!!", "speaker": "A"}', "!!!"),
        ("[" * 5000, "JSON"),
        ('{"file": "' + "x" * 5000 + '", "text": "oui", "speaker": "A"}', "n'existe pas"),
        ('{"file": "Anne0.wav", "text": "' + "je trute " * 60 + '", "speaker": "A"}', "trop longue"),
    ],
)
def test_a_bad_row_names_file_line_and_fault(
    takes: Path, tmp_path: Path, line: str, what: str, capsys: Capture
) -> None:
    takes.write_text(takes.read_text(encoding="utf-8") + "\n" + line + "\n", encoding="utf-8")
    assert main(["calibrate", "voice", "--takes", str(takes), "--out", str(tmp_path / "o")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "labels.jsonl" in err
    assert "6" in err
    assert what in err
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00"])
def test_a_list_that_is_none(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "l.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadTakes):
        read_rows(path)


def test_a_file_that_is_no_sound_and_an_out_that_is_no_voices(takes: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["calibrate", "voice", "--takes", str(takes), "--out", str(takes)]) == 2
    (tmp_path / "Jean1.wav").write_text("no sound")
    assert main(["calibrate", "voice", "--takes", str(takes), "--out", str(tmp_path / "o")]) == 2
    assert main(["calibrate", "voice", "--takes", str(takes)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_silence_is_left_aside_and_alone_is_an_error(takes: Path, tmp_path: Path, capsys: Capture) -> None:
    soundfile.write(tmp_path / "Jean1.wav", quiet(1.0), RATE)
    assert main(["calibrate", "voice", "--takes", str(takes), "--out", str(tmp_path / "o"), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["added"] == 3
    assert "Jean1.wav" in err
    takes.write_text('{"file": "Jean1.wav", "text": "oui", "speaker": "Jean"}', encoding="utf-8")
    assert main(["calibrate", "voice", "--takes", str(takes), "--out", str(tmp_path / "p")]) == 2


def test_another_phrase_than_the_list_says_is_kept_but_told(takes: Path, tmp_path: Path, capsys: Capture) -> None:
    rows = [json.loads(line) for line in takes.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows[0]["text"] = "non, la dame de pique"
    takes.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert main(["calibrate", "voice", "--takes", str(takes), "--out", str(tmp_path / "o"), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["added"] == 4
    assert len(err.splitlines()) == 1
    assert rows[0]["file"] in err
    assert "dame de pique" in err


def test_the_phrase_is_found_wherever_it_is_said() -> None:
    alone = Learner().listen(speech("je vais voir"), "je vais voir", "A").take
    late = Learner().listen(np.concatenate([quiet(2.0), speech("je vais voir"), quiet(0.7)]), "je vais voir", "A").take
    assert abs(len(alone.hidden) - len(late.hidden)) <= 3
    assert not Learner().listen(speech("je vais voir"), "je vais voir", "A").doubtful
    assert Learner().listen(speech("je vais voir"), "annule", "A").doubtful
    with pytest.raises(NothingHeard):
        Learner().listen(quiet(1.0), "oui", "A")


# -- at the microphone -------------------------------------------------------------------------------------------------


class Room:
    """A microphone that hears this, in blocks of 50 ms; Ctrl-C is pressed at the end where ``stop`` says so."""

    rate = RATE
    name = "test"

    def __init__(self, *sounds: Samples, stop: bool = False) -> None:
        self._sound, self._stop = np.concatenate(sounds), stop

    def __iter__(self) -> Iterator[Samples]:
        for start in range(0, len(self._sound), 800):
            yield self._sound[start : start + 800]
        if self._stop:
            raise KeyboardInterrupt

    def close(self) -> None:
        pass


def sitting(room: Room, out: Path, names: list[str], old: SpeakerVoices | None = None) -> tuple[SpeakerVoices, str]:
    shown: list[str] = []
    asked = Sitting(room, PHRASES, out=out, old=old or SpeakerVoices(), show=shown.append)
    voices = asked.of(names)
    return voices, "".join(text for text in shown if "\r" not in text)


def test_a_player_says_each_phrase_once(tmp_path: Path) -> None:
    out = tmp_path / "t.voices"
    room = Room(quiet(1), speech(PHRASES[0]), quiet(1.5), speech(PHRASES[1]), quiet(1.5))
    voices, shown = sitting(room, out, ["Anne"])
    assert [(t.speaker, t.text, t.sitting) for t in voices.takes] == [("Anne", text, 1) for text in PHRASES]
    assert shown.count("merci") == 2
    assert SpeakerVoices.load(out).texts("Anne") == set(PHRASES)
    later, shown = sitting(room, out, ["Anne"], voices)
    assert sorted(t.sitting for t in later.takes) == [1, 1, 2, 2]
    assert "encore une fois" in shown


def test_what_was_not_heard_or_too_loud_or_another_phrase_is_asked_again(tmp_path: Path) -> None:
    loud = np.clip(speech(PHRASES[0]) * 30, -1, 1)
    room = Room(
        quiet(9), loud, quiet(1.5), speech(PHRASES[0]), quiet(1.5),
        speech("à qui de jouer"), quiet(1.5), speech(PHRASES[1]), quiet(1.5),
    )  # fmt: skip
    voices, shown = sitting(room, tmp_path / "t.voices", ["Anne"])
    assert len(voices.takes) == 2
    for complaint in ("rien entendu", "trop fort", "pas bien compris"):
        assert shown.count(complaint) == 1, shown
    assert shown.count("merci") == 2


def test_ctrl_c_keeps_what_there_is(tmp_path: Path) -> None:
    out = tmp_path / "t.voices"
    voices, shown = sitting(Room(quiet(1), speech(PHRASES[0]), quiet(1.5), stop=True), out, ["Anne", "Jean"])
    assert [t.text for t in voices.takes] == [PHRASES[0]]
    assert "gardé" in shown
    assert len(SpeakerVoices.load(out).takes) == 1


def test_nobody_says_anything(tmp_path: Path) -> None:
    out = tmp_path / "t.voices"
    voices, _shown = sitting(Room(quiet(60)), out, ["Anne"])
    assert not voices.takes
    assert not out.exists()


def test_a_phrase_is_cut_out_whatever_the_blocks() -> None:
    stream = np.concatenate([quiet(1), speech(PHRASES[0]), quiet(2)])
    found = []
    for size in (160, 777, 16000):
        asked = Asked()
        for start in range(0, len(stream), size):
            heard = asked.accept(stream[start : start + size])
            if heard is not None:
                found.append(heard)
                break
    assert len(found) == 3
    assert all(np.array_equal(found[0], other) for other in found[1:])
    assert len(speech(PHRASES[0])) < len(found[0]) < len(speech(PHRASES[0])) + 1.5 * RATE


def test_a_click_and_a_steady_hum_are_no_phrase() -> None:
    click = quiet(3)
    click[RATE : RATE + 300] = 0.8
    hum = 0.05 * np.sin(2 * np.pi * 120 * np.arange(4 * RATE) / RATE).astype(np.float32)
    for stream in (click, hum):
        assert Asked().accept(stream) is None
    assert clipped(np.ones(100, np.float32))
    assert not clipped(speech(PHRASES[0]))


@pytest.mark.parametrize("game", GAMES)
def test_the_phrases_that_matter_are_the_games_own(game: str) -> None:
    phrases = phrases_to_say(game)
    events = {call.text: call.phrase for call in calls_of(game)}
    assert 4 <= len(phrases) <= MOST_ASKED
    assert len({events[text] for text in phrases}) == len(phrases)
    assert {events[text] for text in phrases} <= set(MATTERS)


def test_the_level_is_a_bar_of_fixed_width() -> None:
    assert {len(level_bar(level)) for level in (-200.0, -60.0, -30.0, 0.0, 5.0)} == {20}
    assert level_bar(-30.0).count("█") == 10


def test_without_a_name_or_a_file_it_is_one_line(capsys: Capture) -> None:
    assert main(["calibrate", "voice"]) == 2
    assert "--out" in capsys.readouterr().err


def test_a_list_to_say_is_looked_at_before_anybody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    asked: list[str] = []

    def no_microphone(device: object = None) -> None:
        asked.append("microphone")
        raise MicrophoneUnavailable("aucun micro")

    monkeypatch.setattr("assistant.calibrating.voice.microphone", no_microphone)
    path = tmp_path / "phrases.txt"
    command = ["calibrate", "voice", "--out", str(tmp_path / "o"), "--name", "A", "--phrases", str(path)]
    path.write_text("oui\n!!!\n")
    assert main(command) == 2
    assert asked == []
    assert len(capsys.readouterr().err.splitlines()) == 1
    path.write_text("\n".join(f"oui {n}" for n in range(MOST_ASKED + 1)))
    assert main(command) == 2
    assert asked == ["microphone"]
    assert str(MOST_ASKED + 1) in capsys.readouterr().err


def test_prompts_leave_stdout_to_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert main(["calibrate", "voice", "--out", str(tmp_path / "o"), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "1" in err


def test_one_take_is_one_take(takes: Path, tmp_path: Path, capsys: Capture) -> None:
    takes.write_text(takes.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    for language, line in (("en", ": 1 phrase, 1 take\n"), ("fr", ": 1 phrase, 1 prise\n")):
        assert (
            main(["calibrate", "voice", "--takes", str(takes), "--out", str(tmp_path / language), "--lang", language])
            == 0
        )
        assert line in capsys.readouterr().out
