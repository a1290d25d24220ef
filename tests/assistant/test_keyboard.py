"""Typed lines: short words, lines of the record, and what one would say aloud, in all five games."""

from __future__ import annotations

import io
import random
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import settings as kept
from assistant.cli import main
from assistant.interpreter import Interpreter
from assistant.keyboard import typed
from assistant.keylines import Shown, card_of, plain, understand
from assistant.keywords import CALLS, manual
from assistant.orders import Command, Drop, Insert, Order, Redo, Rename, Reply, Reseat, Say, Undo
from assistant.scorepad import result
from assistant.session import Referee
from engine import GAMES, Event, Game, Header, Record, Refusal, parse_event
from engine import replay as replay_record
from engine.events import FORMS

TRUT = Header("trut", seats=4, dealer=4, names={2: "Marie", 3: "Jean-Paul"})


def game_of(*lines: str, header: Header = TRUT) -> Game:
    game = Game(header)
    for line in lines:
        assert not isinstance(game.apply(parse_event(line)), Refusal), line
    return game


def said(line: str, game: Game) -> str | None:
    order = understand(line, game)
    return str(order.event) if isinstance(order, Say) else None


def shown(line: str, game: Game) -> str:
    order = understand(line, game)
    assert isinstance(order, Shown), order
    return "\n".join(order.lines)


PLAYED = ("deal", "play 1 7h", "play 2 9d", "trut 3")


@pytest.mark.parametrize(
    ("line", "card"),
    [
        ("rp", "Ks"), ("dp", "Qs"), ("RP", "Ks"), ("10d", "10d"), ("7h", "7h"), ("8t", "8c"), ("vca", "Jd"),
        ("aco", "Ah"), ("Kc", "Kc"), ("7♣", "7c"), ("r?", "K?"), ("roi de pique", "Ks"), ("le roi de pique", "Ks"),
        ("La dame de cœur", "Qh"), ("la dame", "Q?"), ("r p", "Ks"),
    ],
)  # fmt: skip
def test_cards_of_the_french_pack(line: str, card: str) -> None:
    assert said(line, game_of("deal")) == f"play {card}"


@pytest.mark.parametrize("line", ["7c", "dc", "ac", "10c"])
def test_a_c_could_be_three_suits_and_does_nothing(line: str) -> None:
    assert "trèfle" in shown(line, game_of("deal"))


def test_cards_of_the_other_packs() -> None:
    numbers, spanish = Game(Header("trut-robin-red")), Game(Header("truc-y-flou"))
    assert said("5", numbers) == "play 5"
    assert said("3 5", numbers) == "play 3 5"
    assert said("le huit", numbers) == "play 8"
    assert said("12e", spanish) == "play 12e"
    assert said("7c", spanish) == "play 7c"
    assert said("as d'or", spanish) == "play 1o"
    assert card_of("9", numbers) is None


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("t", "trut"), ("t2", "trut 2"), ("t 2", "trut 2"), ("2 t", "trut 2"), ("marie t", "trut 2"),
        ("Jean-Paul rp", "play 3 Ks"), ("3 rp", "play 3 Ks"), ("je trute", "trut"), ("2 je trute", "trut 2"),
        ("b", "brelan"), ("2p", "deux-petits"), ("2 p", "pass 2"), ("c", "fold"), ("v4", "accept 4"), ("d", "deal"),
        ("trut 3", "trut 3"), ("play 3 7c", "play 3 7c"), ("set-score A 1 0 B 0 2", "set-score A 1 0 B 0 2"),
        ("concede B", "concede B"), ("hand 1 7h 8h 9h", "hand 1 7h 8h 9h"), ("a petit", "set-score A 0 1 B 0 0"),
        ("b long", "set-score A 0 0 B 1 0"),
    ],
)  # fmt: skip
def test_what_happened(line: str, event: str) -> None:
    assert said(line, Game(TRUT)) == event


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("o", Reply(0, 0, "keyboard", True)),
        ("n", Reply(0, 0, "keyboard", False)),
        ("oui", Reply(0, 0, "keyboard", True)),
        ("je passe", Reply(0, 0, "keyboard", False)),
        ("place deux", Reply(0, 0, "keyboard", 2)),
        ("u", Undo(0, 0, "keyboard")),
        ("u 3", Undo(0, 0, "keyboard", 3)),
        ("undo 3", Undo(0, 0, "keyboard", 3)),
        ("annule", Undo(0, 0, "keyboard")),
        ("r", Redo(0, 0, "keyboard")),
        ("s", Command(0, 0, "keyboard", "score")),
        ("le score", Command(0, 0, "keyboard", "score")),
        ("m", Command(0, 0, "keyboard", "annul")),
        ("nouvelle partie", Command(0, 0, "keyboard", "new-game")),
        ("=dp", Rename(0, 0, "keyboard", 2, "Qs")),
        ("2=dp", Rename(0, 0, "keyboard", 2, "Qs")),
        ("3=dp", Rename(0, 0, "keyboard", 1, "Qs")),
        ("non, la dame de pique", Rename(0, 0, "keyboard", 2, "Qs")),
        ("=p4", Reseat(0, 0, "keyboard", 3, 4)),
        ("3=marie", Reseat(0, 0, "keyboard", 1, 2)),
        ("c'était Marie", Reseat(0, 0, "keyboard", 3, 2)),
        ("x", Drop(0, 0, "keyboard", 3)),
        ("x3", Drop(0, 0, "keyboard", 1)),
        ("<t2", Insert(0, 0, "keyboard", 3, Event("trut", 2))),
        ("2<dp", Insert(0, 0, "keyboard", 2, Event("play", 2, ("Qs",)))),
    ],
)
def test_answers_words_to_the_assistant_and_corrections(line: str, order: Order) -> None:
    assert understand(line, game_of(*PLAYED)) == order


@pytest.mark.parametrize("line", ["xyz", "rpp", "9=dp", "=zz", "x9", "0=dp", "<qq", "a 3", "c'est moi qui donne"])
def test_what_is_not_understood_is_answered_in_one_line(line: str) -> None:
    game = game_of("deal", "play 1 7h")
    answer = understand(line, game)
    assert isinstance(answer, Shown)
    assert len(answer.lines) == 1


def test_an_empty_line_says_nothing() -> None:
    assert understand("   ", game_of("deal")) is None


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_verb_of_every_game_can_be_typed_short_and_in_full(ruleset: str) -> None:
    game = Game(Header(ruleset))
    for word, event in CALLS[ruleset].items():
        assert said(word, game) == event
        verb, *args = event.split(" ")
        assert said(f"2 {word}", game) == " ".join((verb, "2", *args))
    verbs = {event.split(" ")[0] for event in CALLS[ruleset].values()}
    assert {"trut": 7, "trut-robin-red": 7, "trut-gatine": 12, "truc": 4, "truc-y-flou": 12}[ruleset] == len(verbs)
    full = {"cut": "cut 1", "play": "play 1 7", "hand": "hand 1 7", "deal": "deal 1", "declare": "declare 1 20"}
    for verb in FORMS.keys() - {"undo", "set-score", "concede", "annul"}:
        line = full.get(verb, f"{verb} 1 4" if verb in ("balou",) else f"{verb} 1")
        assert said(line, game) == line


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_manual_lists_every_short_word(ruleset: str) -> None:
    lines = "\n".join(manual(Header(ruleset)))
    for word in CALLS[ruleset]:
        assert f"{word} = " in lines
    assert shown("?", Game(Header(ruleset))) == lines


@pytest.mark.parametrize("ruleset", GAMES)
def test_what_the_manual_gives_as_an_example_is_understood_in_this_game(ruleset: str) -> None:
    game = Game(Header(ruleset))
    first = {"trut-robin-red": "5", "truc-y-flou": "12e"}.get(ruleset, "Ks")
    assert not isinstance(game.apply(Event("deal")), Refusal)
    assert not isinstance(game.apply(Event("play", game.turn, (first,))), Refusal)
    lines = manual(game.header)
    quoted = [text.strip() for line in lines for text in re.findall("«(.*?)»", line)]
    short = [line.split("  ")[0] for line in lines if line.startswith(("2 ", "="))]
    assert len(quoted) == 6
    assert len(short) == 3
    for example in (*quoted, *short[:2]):
        assert not isinstance(understand(example, game), Shown), example


def test_the_latest_moves_are_listed_with_their_numbers() -> None:
    assert shown("l", game_of(*PLAYED)).splitlines() == [
        " 3  Sud joue le sept de cœur.",
        " 2  Marie joue le neuf de carreau.",
        " 1  Jean-Paul trute.",
    ]


@given(st.text(alphabet="rdvap710 =<x?btu23nosc'éàm", max_size=9))
@settings(max_examples=300, deadline=None)
def test_no_line_is_too_odd(line: str) -> None:
    game = game_of(*PLAYED)
    order = understand(line, game)
    if order is not None and not isinstance(order, Shown):
        Interpreter(game, live=True).order(order)
    assert plain(plain(line)) == plain(line)


# -- a round counted at once --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "team", "award", "event"),
    [
        (Header("trut", score={"A": {"longs": 1, "petits": 2}, "B": {"longs": 0, "petits": 1}}), "A", "petit",
         "set-score A 2 0 B 0 0"),
        (Header("trut", score={"A": {"longs": 6, "petits": 1}, "B": {"longs": 0, "petits": 1}}), "A", "long",
         "concede B"),
        (Header("truc"), "B", "2", "set-score A 0 B 2"),
        (Header("truc", score={"A": {"points": 11}, "B": {"points": 3}}), "A", "1", "concede B"),
        (Header("truc"), "B", "petit", "None"),
        (Header("trut"), "B", "2", "None"),
        (Header("truc-y-flou", score={"A": {"points": 24}, "B": {"points": 3}}), "A", "1", "None"),
    ],
)  # fmt: skip
def test_a_round_counted_at_once(header: Header, team: str, award: str, event: str) -> None:
    game = Game(header)
    found = result(game, team, award)
    assert str(found) == event
    assert found is None or not isinstance(game.apply(found), Refusal)


# -- a game typed from its beginning ------------------------------------------------------------------------


def test_a_typed_game_is_played_like_any_other() -> None:
    shown: list[str] = []
    referee = Referee(Game(TRUT), live=True, show=shown.extend)
    lines = ["7h", "9d", "", "jean-paul t", "n", "o", "oups", "10p", "=vp", "8d", "u", "r"]
    for t, line in enumerate(typed(lines), 1):
        referee.order(replace(line, t=float(t), decided=float(t)))
    assert [str(event) for event in referee.game.log] == [
        "deal", "play 1 7h", "play 2 9d", "trut 3", "fold 2", "accept 4", "play 3 Js", "play 4 8d",
    ]  # fmt: skip
    assert len(shown) == 1
    assert "oups" in shown[0]


def test_without_camera_and_microphone_watch_is_a_score_pad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "7h\n9d\n10p\nvp\n?\nrien\na petit\nm\nb long\nu\nb long\na petit\n=8h\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode() + b"\xff\n")))
    words = ("watch", "--lang", "fr", "--game", "trut", "--camera", "off", "--mic", "off", "--keys", "--no-speak")
    assert main([*words, "--record", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "« rien » : je ne comprends pas." in printed
    assert "Une manche est en cours." in printed
    text = (tmp_path / "trut-1.trut").read_text(encoding="utf-8")
    again = replay_record(Record.parse(text))
    assert again.holds
    assert again.game.score == {"A": {"longs": 0, "petits": 1}, "B": {"longs": 1, "petits": 0}}
    assert " by=keyboard" in text
    assert [event.verb for event in again.game.log][-3:] == ["annul", "set-score", "set-score"]


@pytest.mark.parametrize("game", ["truc", "trut-robin-red", "truc-y-flou"])
def test_a_score_pad_needs_neither_deck_nor_table(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"s\n")))
    kept.change("table.profile", "gone")
    words = ("watch", "--lang", "fr", "--game", game, "--camera", "off", "--mic", "off", "--keys", "--no-speak")
    assert main([*words, "--record", str(tmp_path)]) == 0
    assert capsys.readouterr().err == ""
    assert (tmp_path / f"{game}-1.trut").is_file()


def test_keys_are_for_a_table_and_not_for_a_film(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "film"
    film.mkdir()
    cv2.imwrite(str(film / "0.png"), np.zeros((72, 128, 3), np.uint8))
    words = ("watch", "--lang", "fr", "--game", "trut", "--camera", str(film), "--keys", "--record", str(tmp_path))
    assert main([*words]) == 2
    assert "--keys" in capsys.readouterr().err


@pytest.mark.parametrize("ruleset", GAMES)
def test_whatever_is_legal_can_be_typed(ruleset: str) -> None:
    rng = random.Random(ruleset)
    game = Game(Header(ruleset))
    for _ in range(200):
        legal = [event for event in game.legal() if event.verb != "annul"]
        if not legal:
            break
        event = rng.choice(legal)
        order = understand(str(event), game)
        assert isinstance(order, Say)
        assert order.event == event
        game.apply(event)
