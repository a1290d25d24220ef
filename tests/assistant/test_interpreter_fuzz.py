"""Whatever is seen and heard, in any order and however wrong: no crash, and the record checks itself."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from assistant.acts import Action
from assistant.announcer import Announcer
from assistant.holding import Observation
from assistant.interpreter import Interpreter
from assistant.journal import lines_of
from assistant.testing import place_of
from audio.events import Knock, Phrase
from engine import Game, Header, Record, replay
from engine.record import header_lines
from vision.events import (
    CameraBack,
    CameraLost,
    CardLaid,
    CardMoved,
    CardReread,
    CardsTaken,
    HandGone,
    HandSeen,
)

CARDS = ["7h", "7d", "8s", "9c", "10h", "Jd", "Qs", "Kc", "Ac", "As", "K?", "2h", None]
WORDS = [
    "trut",
    "accept",
    "fold",
    "pass",
    "brelan",
    "undo",
    "annul",
    "score",
    "turn",
    "repeat",
    "rules",
    "yes",
    "no",
    "pause",
    "resume",
    "new-game",
    "7h",
    "K?",
    "hold",
]

times = st.floats(0, 60).map(lambda t: round(t, 2))
delays = st.sampled_from([0.0, 0.1, 0.4, 1.0, 3.0])
seats = st.sampled_from([None, 1, 2, 3, 4])
tracks = st.integers(1, 8)
cards = st.sampled_from(CARDS)
chances = st.sampled_from([0.1, 0.4, 0.7, 0.95, 0.99])
guesses = st.lists(st.tuples(st.sampled_from([c for c in CARDS if c]), chances), max_size=3).map(tuple)
quads = st.tuples(st.integers(1, 4), st.integers(0, 40)).map(lambda p: place_of(p[0], 4, p[1]))


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    t = draw(times)
    d = round(t + draw(delays), 2)
    match draw(st.integers(0, 8)):
        case 0 | 1 | 2:
            return CardLaid(
                t,
                d,
                draw(st.integers(1, 60)),
                draw(cards),
                draw(chances),
                draw(seats),
                draw(quads),
                draw(seats),
                draw(guesses),
            )
        case 3:
            return CardReread(t, d, draw(tracks), draw(cards), draw(chances), draw(guesses))
        case 4:
            return CardsTaken(t, d, tuple(draw(st.lists(tracks, min_size=1, max_size=4))))
        case 5:
            kind = draw(st.sampled_from([HandSeen, HandGone]))
            return kind(t, d, draw(seats))
        case 6:
            return Knock(t, d, draw(chances), draw(st.integers(1, 5)), draw(st.integers(1, 2)))
        case 7:
            means = tuple(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)))
            doubtful, text = draw(st.booleans()), draw(st.sampled_from(["…", "non, …"]))
            return Phrase(
                t, d, means[0], means, draw(st.booleans()), text, draw(chances), draw(seats), doubtful=doubtful
            )
        case _:
            kind = draw(st.integers(0, 2))
            if kind == 0:
                return CardMoved(t, d, draw(tracks), draw(seats), draw(quads))
            return CameraLost(t, d, "gone") if kind == 1 else CameraBack(t, d)


PLACE = place_of(1, 4, 0)
UNDO_ASKED_ABOUT: list[Observation] = [  # while a declaration is due: a card must not try the undo out
    CardLaid(0.0, 0.0, 1, "7h", 0.1, None, PLACE),
    CardLaid(1.0, 1.0, 1, "7h", 0.1, None, PLACE),
    Phrase(0.0, 3.0, "undo", ("undo",), False, "…", 0.1),
    CardLaid(0.0, 3.0, 1, "7h", 0.1, None, PLACE),
]


@settings(max_examples=150, deadline=None)
@example(seen=UNDO_ASKED_ABOUT, live=False, fortial=True)
@given(seen=st.lists(observations(), max_size=60), live=st.booleans(), fortial=st.booleans())
def test_the_record_always_checks_itself(seen: list[Observation], live: bool, fortial: bool) -> None:
    score = {"A": {"longs": 6, "petits": 2}, "B": {"longs": 3, "petits": 1}} if fortial else None
    header = Header("trut", seats=4, dealer=4, score=score)
    game = Game(header)
    interpreter, announcer = Interpreter(game, live=live), Announcer(game)
    text = "".join(f"{line}\n" for line in header_lines(header))
    left = sorted(seen, key=lambda o: o.decided)
    clock = 0.0
    while left:
        clock = round(clock + 0.5, 2)
        ready = [o for o in left if o.decided <= clock]
        left = left[len(ready) :]
        interpreter.observe(ready)
        acts = interpreter.advance(clock)
        if not left:
            acts += interpreter.finish(clock)
        for act in acts:
            assert act.decided >= act.t
            announcer.words(act)
            if isinstance(act, Action):
                text += lines_of(act)
        interpreter.expected()
    result = replay(Record.parse(text))
    assert result.holds, text
    assert (result.game.state(), result.game.rounds) == (game.state(), game.rounds)
