"""The settings stand in for what the command line does not say, and for nothing else."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from assistant import defaults, settings
from assistant.defaults import camera_number, fill_devices, microphone_number, seats_of, with_house_rules
from assistant.settings import Settings
from audio import devices
from audio.devices import InputDevice
from engine import Header


def found(**values: str | int) -> Settings:
    return Settings(Path("settings.toml"), {key.replace("__", "."): value for key, value in values.items()})


def media(camera: str | None, mic: str | None, **values: str) -> tuple[str | None, str | None]:
    args = argparse.Namespace(camera=camera, mic=mic)
    fill_devices(args, found(devices__camera="2", devices__microphone="3", **values))
    return args.camera, args.mic


def test_devices_stand_in_for_devices_only() -> None:
    assert media(None, None) == ("2", "3")
    assert media("0", None) == ("0", "3")
    assert media("off", None) == ("off", "3")
    assert media(None, "off") == ("2", "off")
    assert media("film.mp4", None) == ("film.mp4", None)
    assert media(None, "son.wav") == (None, "son.wav")
    assert media("rtsp://cafe/1", None) == ("rtsp://cafe/1", "3")


def test_house_rules_and_names_of_the_command_line_count_more() -> None:
    mine = found(rules__trut__fortial="off", rules__trut__target=5, players__1="Anne", players__4="Léa")
    asked = Header("trut", seats=2, options={"target": "3"}, names={1: "Marie"})
    header = with_house_rules(asked, mine)
    assert (header.options, header.names) == ({"fortial": "off", "target": "3"}, {1: "Marie"})
    assert with_house_rules(Header("truc"), mine).options == {}


def test_the_number_of_players_counts_where_the_game_allows_it() -> None:
    assert seats_of("trut", found(table__seats="2")) == 2
    assert seats_of("truc-y-flou", found(table__seats="2")) == 0
    assert seats_of("trut", found()) == 0


def test_a_camera_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, name in ((0, "Integrated Camera"), (2, "Logitech C920")):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(name + "\n")
    monkeypatch.setattr(defaults, "NAMES", tmp_path)
    assert camera_number("c920") == "2"
    assert camera_number("1") == "1"
    with pytest.raises(defaults.NoSuchDevice):
        camera_number("Brio")


def test_a_microphone_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Room:
        def inputs(self) -> list[InputDevice]:
            return [InputDevice(0, "HDA Intel", 48_000, 2, "", True), InputDevice(4, "Yeti Stereo", 48_000, 2)]

    monkeypatch.setattr(devices, "PortAudio", Room)
    assert microphone_number("yeti") == "4"
    with pytest.raises(defaults.NoSuchDevice):
        microphone_number("Snowball")


def test_a_device_that_is_not_there_is_said_and_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(defaults, "NAMES", tmp_path)
    assert defaults.camera_of(found(devices__camera="Brio")) is None
    assert capsys.readouterr().err == "trut: la caméra « Brio » des réglages n'est pas là : je prends la première\n"


def test_the_language_of_the_settings_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    from assistant.cli import main
    from assistant.i18n import set_language

    settings.change("language", "en")
    try:
        assert main(["config", "get", "nonsense"]) == 2
        assert "unknown setting" in capsys.readouterr().err
    finally:
        set_language("fr")
