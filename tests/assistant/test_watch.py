"""``trut watch`` as a user calls it: options, what is printed, exit status, bad input in one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from assistant import wiring
from assistant.cli import main
from assistant.i18n import set_language
from assistant.testing import BlankCamera, ScriptedEars, ScriptedEyes, SilentMicrophone, script_of
from assistant.wiring import Media
from audio.errors import SpeechUnavailable
from engine import Record, replay
from vision.errors import NoSuchCamera

TRUTH = """\
game trut
seats 2
dealer 2
deal | t=1.00
play 1 As | t=2.75
trut 2 | t=4.00
accept 1 | t=5.50
play 2 Kh | t=7.00
play 1 8d | t=10.00
play 2 Qs | t=11.30
"""


@pytest.fixture(autouse=True)
def _french() -> Iterator[None]:
    yield
    set_language("fr")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eyes and ears that follow ``TRUTH`` whatever they are shown."""
    observations = script_of(TRUTH)
    monkeypatch.setattr(wiring, "eyes_for", lambda deck, seats, table=None: ScriptedEyes(observations))
    monkeypatch.setattr(wiring, "ears_for", lambda game, *taught: ScriptedEars(observations))
    monkeypatch.setattr(
        wiring, "open_media", lambda camera, mic, phone=None: Media(BlankCamera(16), SilentMicrophone(16), live=False)
    )


def watch(*words: str) -> int:
    return main(["watch", "--lang", "fr", *words])


@pytest.mark.usefixtures("scripted")
def test_json_lines_end_with_what_trut_score_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch("--game", "trut", "--seats", "2", "--record", str(tmp_path), "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["kind"] for row in rows[:-1]} == {"observation", "action", "announcement"}
    for row in rows[:-1]:
        assert row["decided"] >= row["t"] >= 0
    laid = next(row for row in rows if row.get("what") == "card-laid")
    assert (laid["card"], laid["zone"], len(laid["quad"])) == ("As", 1, 4)
    played = next(row for row in rows if row.get("event") == "play 1 As")
    assert (played["refused"], played["by"]) == (None, "camera")
    assert main(["score", rows[-1]["file"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == rows[-1]
    assert rows[-1]["score"]["A"] == {"longs": 1, "petits": 0}


@pytest.mark.usefixtures("scripted")
def test_people_read_sentences_and_where_the_record_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--game", "trut", "--seats", "2", "--record", str(tmp_path), "--name", "1", "Anne")
    assert watch(*words) == 0
    out = capsys.readouterr().out
    assert "Anne joue l'as de pique" in out
    assert "» Pli pour Anne." in out
    assert "trut-1.trut" in out


@pytest.mark.usefixtures("scripted")
def test_in_english(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--lang", "en", "--game", "trut", "--seats", "2", "--record", str(tmp_path)]) == 0
    assert "South will see: the round is worth a long." in capsys.readouterr().out


def test_ears_that_cannot_be_made_leave_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wiring, "eyes_for", lambda deck, seats, table=None: ScriptedEyes(script_of(TRUTH)))
    monkeypatch.setattr(
        wiring, "open_media", lambda camera, mic, phone=None: Media(BlankCamera(2), SilentMicrophone(2), live=False)
    )
    options = ["--seats", "2", "--record", str(tmp_path / "games"), "--knock-profile", str(tmp_path / "none.json")]
    assert watch("--game", "trut", *options) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / "games").exists()


@pytest.mark.usefixtures("scripted")
def test_two_runs_give_the_same_record(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        watch("--game", "trut", "--seats", "2", "--record", str(tmp_path / folder))
    assert (tmp_path / "a" / "trut-1.trut").read_bytes() == (tmp_path / "b" / "trut-1.trut").read_bytes()


@pytest.mark.usefixtures("scripted")
def test_the_options_are_the_header_of_the_record(tmp_path: Path) -> None:
    options = (
        "--dealer",
        "2",
        "--option",
        "fortial",
        "off",
        "--score",
        "A 1 2 B 0 1",
        "--name",
        "2",
        "Jean Paul",
    )
    assert watch("--game", "trut", "--seats", "2", "--record", str(tmp_path), *options) == 0
    result = replay(Record.load(tmp_path / "trut-1.trut"))
    header = result.record.header
    assert (header.dealer, header.options, header.names) == (2, {"fortial": "off"}, {2: "Jean Paul"})
    assert result.game.score == {"A": {"longs": 2, "petits": 2}, "B": {"longs": 0, "petits": 0}}


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--game", "belote"), "jeu inconnu"),
        (("--game", "trut", "--seats", "3"), "ne se joue pas à 3"),
        (("--game", "trut", "--seats", "0"), "places"),
        (("--game", "trut", "--dealer", "5"), "place 5"),
        (("--game", "trut", "--option", "couleur", "oui"), "option inconnue"),
        (("--game", "trut", "--option", "target", "0"), "target"),
        (("--game", "trut", "--score", "A 1"), "score mal écrit"),
        (("--game", "trut", "--score", "A 9 0 B 0 0"), "score de départ impossible"),
        (("--game", "trut", "--name", "5", "Anne"), "place 5"),
        (("--game", "trut", "--name", "un", "Anne"), "nom impossible"),
        (("--game", "trut", "--name", "1", "A # B"), "nom impossible"),
        (("--game", "trut", "--deck", "inconnu"), "jeu de cartes inconnu"),
        (("--game", "trut-robin-red"), "doit être appris"),
        (("--game", "trut", "--camera", "off"), "rien à arbitrer"),
        (("--game", "trut", "--camera", "0", "--mic", "son.wav"), "tous deux"),
        (("--game", "trut", "--camera", "nulle-part.mp4"), "nulle-part.mp4"),
        (("--game", "trut", "--camera", "off", "--mic", "nulle-part.wav"), "nulle-part.wav"),
        (("--game", "trut", "--web", "ici"), "« ici » n'est pas une adresse de cette machine"),
        (("--game", "trut", "--web", "ici:ici"), "--web ici:ici"),
        (("--game", "trut", "--camera", "phone"), "--web 0.0.0.0"),
        (("--game", "trut", "--coach"), "--coach"),
        (("--game", "trut", "--profile", "nulle part"), "aucun profil de table"),
        (("--game", "trut", "--voices", "voix"), "voix : ce fichier de voix n'existe pas"),
        (("--game", "trut", "--seats", "deux"), "deux"),
        ((), "--game"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_exit_2(
    words: tuple[str, ...], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch(*words, "--record", str(tmp_path)) == 2
    told = capsys.readouterr()
    assert part in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert list(tmp_path.iterdir()) == []


def test_no_camera_is_exit_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(camera: str | None, mic: str | None, phone: object = None) -> Media:
        raise NoSuchCamera("caméra {name} introuvable", name=camera)

    monkeypatch.setattr(wiring, "open_media", none)
    monkeypatch.setattr(wiring, "eyes_for", lambda deck, seats, table=None: ScriptedEyes([]))
    assert watch("--game", "trut", "--camera", "7", "--record", str(tmp_path)) == 1
    assert capsys.readouterr().err == "trut: caméra 7 introuvable\n"


@pytest.mark.parametrize("content", [b"", b"not a film at all", b"\x00\x00\x00\x18ftypmp42" + bytes(200)])
def test_a_film_that_is_none_is_one_line_and_exit_2(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wiring, "eyes_for", lambda deck, seats, table=None: ScriptedEyes([]))
    file = tmp_path / "film.mp4"
    file.write_bytes(content)
    assert watch("--game", "trut", "--camera", str(file), "--record", str(tmp_path / "r")) == 2
    told = capfd.readouterr()
    assert "film.mp4" in told.err
    assert told.err.count("\n") == 1


def test_a_folder_of_pictures_is_a_camera_without_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times: list[float] = []

    class Watching(ScriptedEyes):
        def accept(self, frame):  # type: ignore[no-untyped-def]
            times.append(frame.t)
            return super().accept(frame)

    monkeypatch.setattr(wiring, "eyes_for", lambda deck, seats, table=None: Watching([]))
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((90, 160, 3), 80, np.uint8))
    assert watch("--game", "trut", "--camera", str(tmp_path), "--record", str(tmp_path / "r"), "--json") == 0
    assert times == [0.0, 0.5, 1.0]
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["rounds"] == []


def test_the_record_goes_to_the_users_data_folder_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assistant.journal import default_folder

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert default_folder().name == "games"


def test_media_are_chosen_as_the_command_line_says() -> None:
    calls: list[tuple[str, object]] = []

    class Patch:
        pictures = staticmethod(lambda name, live, phone=None: calls.append(("camera", name)) or BlankCamera(1))
        sound = staticmethod(lambda camera, mic, live, phone=None: calls.append(("mic", mic)) or SilentMicrophone(1))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "_open_pictures", Patch.pictures)
        patch.setattr(wiring, "_open_sound", Patch.sound)
        assert wiring.open_media(None, None).live
        assert not wiring.open_media("film.mp4", None).live
        assert wiring.open_media("rtsp://cafe/1", "off").live
        assert wiring.open_media(None, "son.wav").camera is None
    assert calls == [
        ("camera", ""), ("mic", None),
        ("camera", "film.mp4"), ("mic", None),
        ("camera", "rtsp://cafe/1"), ("mic", "off"),
        ("mic", "son.wav"),
    ]  # fmt: skip


@pytest.mark.usefixtures("scripted")
def test_a_disk_that_is_full_at_the_end_leaves_the_game_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from faulty_disk import Fault, FaultyDisk

    from assistant import journal

    disk = FaultyDisk()
    monkeypatch.setattr(journal, "Disk", lambda: disk)
    monkeypatch.setattr(journal, "default_folder", lambda: Path("/chez-moi"))
    real = journal.Journal.rescue

    def rescue(self: journal.Journal, folders: list[Path]) -> Path | None:
        disk.heal()
        return real(self, folders)

    monkeypatch.setattr(journal.Journal, "rescue", rescue)
    disk.fault = Fault("full", 12, steps=1000)
    assert watch("--game", "trut", "--seats", "2", "--record", "/plein") == 1
    captured = capsys.readouterr()
    assert "» Le disque est plein." in captured.out
    assert captured.err == (
        "trut: /plein/trut-1.trut : le disque n'a pas tout pris (No space left on device) ; "
        "la partie entière est dans /chez-moi/trut-1.trut\n"
    )
    assert replay(Record.parse(disk.text(Path("/chez-moi/trut-1.trut")))).game.score["A"]["longs"] == 1


@pytest.mark.usefixtures("scripted")
def test_the_settings_stand_in_for_what_is_not_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from assistant import settings

    assert watch("--record", str(tmp_path)) == 2
    assert "trut config set table.game" in capsys.readouterr().err
    for key, value in (
        ("table.game", "trut"),
        ("table.seats", "2"),
        ("players.1", "Anne"),
        ("rules.trut.fortial", "off"),
        ("records.folder", str(tmp_path / "parties")),
    ):
        settings.change(key, value)
    assert watch() == 0
    header = Record.load(tmp_path / "parties" / "trut-1.trut").header
    assert (header.game, header.seats, header.names, header.options) == ("trut", 2, {1: "Anne"}, {"fortial": "off"})
    assert watch("--name", "1", "Zoé", "--option", "fortial", "on", "--record", str(tmp_path)) == 0
    header = Record.load(tmp_path / "trut-1.trut").header
    assert (header.names, header.options) == ({1: "Zoé"}, {"fortial": "on"})


@pytest.mark.usefixtures("scripted")
def test_a_slip_in_the_settings_stops_no_other_command(capsys: pytest.CaptureFixture[str]) -> None:
    from assistant import settings

    settings.settings_path().write_text("colour = 'red'\n")
    assert watch("--game", "trut", "--seats", "2") == 2
    assert "ligne 1 : réglage inconnu" in capsys.readouterr().err
    assert main(["rules", "trut", "T-20"]) == 0


@pytest.mark.parametrize("as_json", [False, True])
def test_a_live_table_shows_that_it_is_heard_and_seen(
    as_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wiring, "eyes_for", lambda *_: ScriptedEyes([]))
    monkeypatch.setattr(wiring, "ears_for", lambda *_: ScriptedEars([]))
    monkeypatch.setattr(
        wiring, "open_media", lambda camera, mic, phone=None: Media(BlankCamera(0.3), SilentMicrophone(0.3), live=True)
    )
    words = ["--game", "trut", "--record", str(tmp_path), "--no-speak"]
    watch(*words, *(["--json"] if as_json else []))
    out = capsys.readouterr().out
    assert ("● écoute et regarde" in out) != as_json
    if as_json:
        assert all(json.loads(line) for line in out.splitlines())


GAME = ("--game", "trut", "--seats", "2", "--name", "1", "Anne")


class Said:
    """Stands for ``audio.speech.Speaker`` and notes what it is made with and says."""

    speaking = False
    made: ClassVar[list[dict[str, object]]] = []
    texts: ClassVar[list[str]] = []

    def __init__(self, language: str, **options: object) -> None:
        self.made.append(options)

    def say(self, text: str) -> None:
        self.texts.append(text)

    def close(self, timeout: float) -> None: ...


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, scripted: None) -> type[Said]:
    Said.made, Said.texts = [], []
    monkeypatch.setattr("audio.speech.Speaker", Said)
    return Said


def test_from_files_only_who_asks_hears_anything(said: type[Said], tmp_path: Path) -> None:
    assert watch(*GAME, "--record", str(tmp_path)) == 0
    assert said.made == []
    assert watch(*GAME, "--record", str(tmp_path), "--speak") == 0
    assert said.texts[0] == "Nord trute. À Anne de répondre."


def test_every_card_is_said_through_the_loudspeaker_that_was_asked_for(said: type[Said], tmp_path: Path) -> None:
    options = ("--speech", "every-card", "--volume", "4", "--output", "USB")
    assert watch(*GAME, "--record", str(tmp_path), *options) == 0
    assert said.texts[:2] == ["Anne, l'as de pique.", "À Nord."]
    assert (said.made[0]["volume"], said.made[0]["device"]) == (4, "USB")


def test_the_settings_say_how_to_speak_where_the_command_line_does_not(
    said: type[Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('[speech]\nmode = "every-card"\nvolume = 9\ndevice = "3"\n')
    monkeypatch.setenv("TRUT_SETTINGS", str(settings))
    assert watch(*GAME, "--record", str(tmp_path), "--speak") == 0
    assert said.texts[0] == "Anne, l'as de pique."
    assert (said.made[0]["volume"], said.made[0]["device"]) == (9, 3)


@pytest.mark.parametrize("mode", ["text", "off"])
def test_some_modes_need_no_loudspeaker(
    mode: str, said: type[Said], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch(*GAME, "--record", str(tmp_path), "--speech", mode) == 0
    assert said.made == []
    assert ("║ » Nord trute." in capsys.readouterr().out) == (mode == "text")


@pytest.mark.usefixtures("scripted")
def test_without_a_loudspeaker_it_is_said_once_in_writing_and_the_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(device: object = None) -> None:
        raise SpeechUnavailable("aucun haut-parleur : les annonces sont seulement écrites")

    monkeypatch.setattr("audio.speech.loudspeaker", missing)
    assert watch(*GAME, "--record", str(tmp_path), "--speak") == 0
    out, err = capsys.readouterr()
    assert err == "trut: aucun haut-parleur : les annonces sont seulement écrites\n"
    assert "Nord trute." in out
