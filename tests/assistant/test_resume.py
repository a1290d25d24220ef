"""``trut resume``: the same game, in the same file, at the same card; and what it refuses in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from assistant import settings, wiring
from assistant.cli import main
from assistant.i18n import set_language
from assistant.interpreter import Interpreter
from assistant.testing import BlankCamera, ScriptedEars, ScriptedEyes, SilentMicrophone, place_of, script_of
from assistant.wiring import Media
from engine import Game, Record, replay
from vision.events import CardLaid, CardsTaken

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
HEAD = "game trut\nversion 1\nseats 2\ndealer 2\nname 1 Anne\n"
EVENTS = [
    "deal | t=2.75 by=rules\n",
    "play 1 As | t=2.75 by=camera p=0.97\n",
    "trut 2 | t=4.00 by=microphone p=0.96\n",
    "accept 1 | t=5.50 by=microphone p=0.90\n",
    "play 2 Kh | t=7.00 by=camera p=0.97\n",
    "play 1 8d | t=10.00 by=camera p=0.97\n",
    "play 2 Qs | t=11.30 by=camera p=0.97\n",
]
WHOLE = HEAD + "".join(EVENTS)


@pytest.fixture
def rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A film whose first second is the eighth of the game."""
    observations = [o for o in script_of(TRUTH) if o.t > 8]
    shifted = [type(o)(**{**_fields(o), "t": o.t - 8, "decided": o.decided - 8}) for o in observations]
    monkeypatch.setattr(wiring, "eyes_for", lambda *_: ScriptedEyes(shifted))
    monkeypatch.setattr(wiring, "ears_for", lambda *_: ScriptedEars(shifted))
    monkeypatch.setattr(wiring, "open_media", lambda *_: Media(BlankCamera(8), SilentMicrophone(8), live=False))


def _fields(observation: object) -> dict[str, object]:
    return {name: getattr(observation, name) for name in type(observation).__dataclass_fields__}  # type: ignore[attr-defined]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "trut-1.trut"
    path.write_text(HEAD + "".join(EVENTS[:5]))
    return path


def resume(*words: object) -> int:
    try:
        return main(["resume", "--lang", "fr", *map(str, words)])
    finally:
        set_language("fr")


@pytest.mark.usefixtures("rest")
def test_the_rest_of_a_film_gives_the_record_of_the_whole(record: Path) -> None:
    assert resume(record, "--clock", 8) == 0
    assert record.read_text() == WHOLE
    assert [path.name for path in record.parent.iterdir()] == ["trut-1.trut"]


@pytest.mark.usefixtures("rest")
def test_without_a_clock_the_times_go_on_from_the_last_event(record: Path) -> None:
    assert resume(record) == 0
    assert "play 1 8d | t=9.00 by" in record.read_text()


@pytest.mark.usefixtures("rest")
def test_where_the_game_stands_is_said_first(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert resume(record) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == (
        "  0:00.0  » La partie reprend. Anne contre Nord : 0 long et 0 petit à 0 long et 0 petit. "
        "Un pli est fait : Anne. La manche vaut un long. À Anne de jouer."
    )


@pytest.mark.usefixtures("rest")
def test_json_is_that_of_watch(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert resume(record, "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0]["kind"] == "announcement"
    assert main(["score", str(record), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == rows[-1]


@pytest.mark.usefixtures("rest")
@pytest.mark.parametrize("cut", range(1, len(EVENTS[4])))
def test_a_torn_line_is_reported_kept_and_played_again(
    record: Path, cut: int, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = EVENTS[4][:cut]
    record.write_text(HEAD + "".join(EVENTS[:4]) + torn)
    assert resume(record, "--clock", 8) == 0
    err = capsys.readouterr().err
    assert err == (
        f"trut: {record} : la dernière ligne, inachevée, est retirée, et gardée dans {record}.torn : "
        f"« {' '.join(torn.split())} »\n"
    )
    assert Path(f"{record}.torn").read_text() == torn
    assert replay(Record.load(record)).holds


@pytest.mark.usefixtures("rest")
def test_an_infraction_that_was_not_finished_is_completed(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with record.open("a") as file:
        file.write("play 2 9c | t=7.50 by=camera p=0.97\nexpect err")
    assert resume(record, "--clock", 8) == 0
    assert "« expect error out-of-turn » manquait" in capsys.readouterr().err
    infraction = "play 2 9c | t=7.50 by=camera p=0.97\nexpect error out-of-turn\n"
    assert record.read_text() == HEAD + "".join([*EVENTS[:5], infraction, *EVENTS[5:]])


@pytest.mark.usefixtures("rest")
def test_a_record_that_does_not_hold_is_told_and_gone_on_with(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with record.open("a") as file:
        file.write("expect turn 2\n")
    assert resume(record, "--clock", 8) == 0
    assert "ne se vérifie pas elle-même" in capsys.readouterr().err
    assert record.read_text() == HEAD + "".join([*EVENTS[:5], "expect turn 2\n", *EVENTS[5:]])


@pytest.mark.usefixtures("rest")
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--game", "truc"), "--game truc contredit la partie enregistrée (trut)"),
        (("--seats", "4"), "--seats 4 contredit la partie enregistrée (2)"),
        (("--dealer", "1"), "--dealer 1 contredit la partie enregistrée (2)"),
        (("--score", "A 1 0 B 0 0"), "--score A 1 0 B 0 0 contredit la partie enregistrée (A 0 0 B 0 0)"),
        (("--option", "fortial", "off"), "--option fortial off contredit la partie enregistrée (on)"),
        (("--name", "1", "Léa"), "--name 1 Léa contredit la partie enregistrée (Anne)"),
        (("--name", "2", "Léa"), "--name 2 Léa contredit la partie enregistrée (-)"),
        (("--record", "là"), "--record ne va pas avec resume"),
        (("--clock", "3"), "--clock 3 : le dernier événement est à 7.00 s"),
        (("--option", "fortial", "maybe"), "n'est pas permis"),
    ],
)
def test_options_may_not_contradict_the_record(
    record: Path, options: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = record.read_bytes()
    assert resume(record, *options) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1
    assert record.read_bytes() == before


@pytest.mark.usefixtures("rest")
def test_options_may_repeat_the_record(record: Path) -> None:
    same = ("--game", "trut", "--seats", 2, "--dealer", 2, "--score", "A 0 0 B 0 0", "--option", "fortial", "on")
    assert resume(record, *same, "--name", "1", "Anne", "--clock", 8) == 0
    assert record.read_text() == WHOLE


@pytest.mark.usefixtures("rest")
def test_without_a_record_it_is_the_last_one(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.change("records.folder", str(record.parent))
    older = record.parent / "trut-7.trut"
    older.write_text("game trut\n")
    os.utime(older, (1, 1))
    assert resume("--clock", 8) == 0
    assert record.read_text() == WHOLE
    settings.change("records.folder", str(record.parent / "none"))
    assert resume() == 2
    assert "aucune partie à reprendre" in capsys.readouterr().err


def test_a_finished_game_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "trut-1.trut"
    path.write_text("game trut\nseats 2\nconcede A\n")
    assert resume(path) == 1
    assert capsys.readouterr().err == f"trut: {path} : cette partie est finie, l'équipe B a gagné\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("game trut\nversion 2\n", "version 2 du format : ce programme lit la version 1"),
        ("hello\n", "ce n'est pas une partie enregistrée"),
        ("", "ce n'est pas une partie enregistrée"),
        ("game trut\nexpect weather fine\n", "attente inconnue"),
    ],
)
def test_what_is_no_record_is_one_line(
    tmp_path: Path, text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "trut-1.trut"
    path.write_text(text)
    assert resume(path) == 2
    err = capsys.readouterr().err
    assert says in err
    assert str(path) in err
    assert err.count("\n") == 1
    assert path.read_text() == text


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert resume(tmp_path / "none.trut") == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert resume(tmp_path) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.usefixtures("rest")
def test_a_record_that_is_being_written_is_one_line(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from assistant.journal import Journal

    other = Journal.resume(record)[0]
    assert resume(record) == 2
    assert "un autre programme écrit déjà cette partie" in capsys.readouterr().err
    other.close()


def test_a_camera_that_cannot_be_opened_leaves_the_record(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "eyes_for", lambda *_: ScriptedEyes([]))
    before = record.read_bytes()
    assert resume(record, "--camera", "none.mp4") == 2
    assert record.read_bytes() == before


# -- what lies there when the eyes open ----------------------------------------------------------------------


def lying(card: str, seat: int, track: int = 1) -> CardLaid:
    return CardLaid(0.0, 0.2, track, card, 0.97, seat, place_of(seat, 2, track), None, ((card, 0.97),))


def taken_up(events: list[str], *there: CardLaid | CardsTaken) -> Game:
    """A game that goes on from a record, with these cards on the table."""
    game = replay(Record.parse(HEAD + "".join(events))).game
    interpreter = Interpreter(game)
    interpreter.restore(game)
    interpreter.observe(there)
    for clock in range(1, 8):
        interpreter.advance(float(clock))
    return game


def test_a_card_that_the_record_knows_counts_once() -> None:
    before = replay(Record.parse(HEAD + "".join(EVENTS[:4]))).game
    assert taken_up(EVENTS[:4], lying("As", 1)).log == before.log


def test_a_card_laid_when_the_power_went_is_played() -> None:
    game = taken_up(EVENTS[:4], lying("Kh", 2), lying("As", 1, 2))
    assert str(game.log[-1]) == "play 2 Kh"
    assert len(game.log) == 5


def test_the_first_card_of_a_round_laid_when_the_power_went_is_played() -> None:
    assert replay(Record.parse(WHOLE)).game.phase == "deal"
    game = taken_up(EVENTS, lying("10h", 2))
    assert [str(event) for event in game.log[-2:]] == ["deal", "play 2 10h"]


def test_the_cards_of_a_settled_round_open_no_new_one() -> None:
    before = replay(Record.parse(WHOLE)).game
    assert taken_up(EVENTS, lying("Qs", 2), lying("8d", 1, 2)).log == before.log
    assert taken_up(EVENTS, lying("Qs", 2), lying("8d", 1, 2), lying("Jh", 2, 3)).log == before.log


def test_a_card_lying_before_somebody_whose_turn_it_is_not_waits() -> None:
    before = replay(Record.parse(HEAD + "".join(EVENTS[:2]))).game
    assert taken_up(EVENTS[:2], lying("Qs", 1, 2)).log == before.log


def test_what_lies_there_before_a_game_begins_is_nothing() -> None:
    assert taken_up([], lying("As", 1)).log == ()


def test_a_card_of_the_settled_round_that_was_dealt_again_opens_the_next_one() -> None:
    dealt = CardLaid(5.7, 6.0, 3, "As", 0.97, 2, place_of(2, 2, 3), 2, (("As", 0.97),))
    there = lying("Qs", 2), lying("8d", 1, 2), CardsTaken(2.4, 3.0, (1, 2))
    assert [str(event) for event in taken_up(EVENTS, *there, dealt).log[-2:]] == ["deal", "play 2 As"]
