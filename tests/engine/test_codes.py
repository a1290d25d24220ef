"""The order of the error codes (NOTATION.md section 7), by tables and predicates that know nothing of the
rulesets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Accepted, Event, Game, Header, Record, Refusal
from engine.events import FORMS

AnyEvent = Callable[[random.Random, Game], Event]
AnyHeader = Callable[[random.Random, str], Header]

TRUTS = {"trut", "brelan", "tierce", "deux-petits"}
WORDS = {  # the possible words of a phase, by game; "answer" for all kinds of questions together
    "fortial": {*TRUTS, "pass"},
    "hold": {"hold", "refuse"},
    "sing": {"sing", "silent"},
    "discard": {"discard"},
    "redeal": {"redeal"},
    "count": {"declare", "silent"},
}
ANSWERS = {
    "trut": {"accept", "fold"},
    "truc": {"accept", "refuse", "fold", "rest"},
    "truc-y-flou": {"accept", "refuse", "sing", "silent", "rest", "better", "retruc", "balou"},
}
PENDING = {
    **dict.fromkeys(("fortial", "hold", "sing"), "declare-pending"),
    **dict.fromkeys(("answer", "count"), "challenge-pending"),
    "discard": "discard-pending",
    "redeal": "redeal-due",
}
NO_MOVE = {"hand", "annul", "concede", "undo", "set-score", "cut", "deal"}
ARGS = {"play": ("7s",), "hand": ("7s", "8s", "9s"), "raise": ("1",), "balou": ("4",), "declare": ("20",)}


def words_of(game: Game) -> set[str]:
    """The possible words of the phase."""
    if game.phase == "answer":
        return ANSWERS[game.header.game if game.header.game.startswith("truc") else "trut"]
    return WORDS.get(game.phase, set())


def every_move(game: Game) -> Iterator[Event]:
    for verb in sorted(FORMS.keys() - NO_MOVE):
        args = () if verb == "raise" and game.header.game == "truc" else ARGS.get(verb, ())
        for seat in range(1, game.seats + 1):
            yield Event(verb, seat, args)


def code_of(game: Game, event: Event) -> str | None:
    """The code of a refusal, None for an accepted event, which is taken back."""
    answer = game.apply(event)
    if isinstance(answer, Refusal):
        return answer.code
    game.undo()
    return None


def check_phase(game: Game) -> None:
    """Lines 4 to 7 of the table: whatever is no word of the phase has the code of the phase."""
    foreign = {verb for verb in FORMS if verb not in game.table._words} - NO_MOVE
    for event in every_move(game):
        code = code_of(game, event)
        if game.phase == "over":
            assert code == "game-over"
        elif event.verb in foreign:
            assert code == "not-in-game", event
        elif game.phase == "deal":
            assert code == "round-over", event
        elif game.phase != "play" and event.verb not in words_of(game):
            assert code == PENDING[game.phase], event
        elif game.phase == "play":
            assert code not in ("round-over", "round-running", *PENDING.values()), event
    running = game.phase not in ("deal", "over")
    for verb in ("deal", "cut"):
        code = code_of(game, Event(verb, game.next_dealer if verb == "deal" else game.cutter))
        if running:
            assert code == ("redeal-due" if verb == "deal" and game.phase == "redeal" else "round-running")
    assert code_of(game, Event("annul")) == (
        None if running else "game-over" if game.winner else "round-over"
    )


def check_cards(rng: random.Random, game: Game) -> None:
    """Lines 1 to 16 for a card: the first that fails gives the code."""
    if game.phase != "play":
        return
    tokens = [*game.table.PACK.tokens, "Xx", "7z"]
    laid = [event for event in game.log if event.verb == "play"]
    for _ in range(12):
        token = rng.choice(tokens)
        if laid and rng.random() < 0.4:
            token = rng.choice(laid).args[0]
        if token.endswith("?"):
            continue
        seat = rng.choice([game.turn or 0, *range(game.seats + 2)])
        code = code_of(game, Event("play", seat, (token,)))
        hand = game.known_hand(seat) if 1 <= seat <= game.seats else None
        if not 1 <= seat <= game.seats:
            assert code == "bad-seat"
        elif token in ("Xx", "7z"):
            assert code == "unknown-card"
        elif seat != game.turn:
            assert code == "out-of-turn"
        elif code == "not-in-hand":
            assert hand is not None
            assert token not in hand
        elif code is None:
            assert hand is None or token in hand or f"{token[:-1]}?" in hand
        else:
            assert code == "duplicate-card"


@given(seed=st.integers(0, 2**40))
@settings(max_examples=15, deadline=None)
def test_codes_of_random_games(ruleset: str, any_header: AnyHeader, any_event: AnyEvent, seed: int) -> None:
    """Lines 1 to 7 and 12 to 16 of the table, anywhere in random games."""
    rng = random.Random(seed)
    game = Game(any_header(rng, ruleset))
    for _ in range(25):
        check_phase(game)
        check_cards(rng, game)
        for _ in range(3):
            game.apply(any_event(rng, game))


def test_codes_along_the_golden_records(ruleset: str, records: Path) -> None:
    """The same in every fourth position of the golden records."""
    rng = random.Random(1)
    for path in sorted((records / ruleset).glob("[0-9]*.trut")):
        record = Record.load(path)
        game = Game(record.header)
        for place, event in enumerate(record.events()):
            if isinstance(game.apply(event), Accepted) and place % 4 == 0:
                check_phase(game)
                check_cards(rng, game)


def test_syntax_comes_before_the_seat_and_the_seat_before_the_end(ruleset: str) -> None:
    """Lines 1 to 4."""
    game = Game(Header(ruleset))
    game.apply(Event("concede", None, ("A",)))
    for event, code in (
        (Event("foo", 99), "unknown-verb"),
        (Event("play", 99), "syntax"),
        (Event("play", None, ("x", "7s")), "syntax"),
        (Event("play", 99, ("7s",)), "bad-seat"),
        (Event("play", 0, ("7s",)), "bad-seat"),
        (Event("play", 1, ("7s",)), "game-over"),
        (Event("hold", 1), "game-over"),
        (Event("hold", 99), "bad-seat"),
        (Event("hold", 1, ("x",)), "syntax"),
        (Event("seats", None, ("x",)), "bad-header"),
        (Event("concede", None, ("C",)), "syntax"),
        (Event("annul", None, ("x",)), "syntax"),
        (Event("annul"), "game-over"),
    ):
        assert code_of(game, event) == code
