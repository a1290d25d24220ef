"""Orders of every kind, in any order, between what is seen and heard: no crash, and the record checks itself."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.acts import Act, Action
from assistant.announcer import Announcer
from assistant.interpreter import Interpreter
from assistant.journal import lines_of
from assistant.orders import Command, Drop, Insert, Order, Redo, Rename, Reply, Reseat, Say, Undo
from assistant.testing import place_of
from audio.events import Knock, Phrase
from engine import Event, Game, Header, Record, replay
from engine.record import header_lines
from vision.events import CardLaid, CardReread, CardsTaken

CARDS = st.sampled_from(["7h", "7d", "8s", "9c", "Jd", "Qs", "Kc", "As", "K?", "2h"])
SEATS = st.integers(1, 4)
ANY_SEAT = st.integers(0, 6)
"""What can be typed or said: not every number is a seat of this table."""
PLACES = st.integers(-1, 14)
EVENTS = st.one_of(
    st.builds(lambda seat, card: Event("play", seat, (card,)), st.none() | ANY_SEAT, CARDS),
    st.builds(Event, st.sampled_from(["trut", "accept", "fold", "pass", "brelan"]), st.none() | ANY_SEAT),
    st.sampled_from([Event("deal"), Event("annul"), Event("set-score", args=("A", "1", "0", "B", "0", "2"))]),
    st.just(Event("concede", args=("A",))),
)
WORDS = ["trut", "accept", "fold", "undo", "7h", "seat 2"]
T = st.just(0.0)
BY = st.sampled_from(["keyboard", "page", "voice"])
ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(Say, T, T, BY, EVENTS),
    st.builds(Say, T, T, BY, EVENTS),
    st.builds(Rename, T, T, BY, PLACES, CARDS),
    st.builds(Reseat, T, T, BY, PLACES, ANY_SEAT),
    st.builds(Drop, T, T, BY, PLACES),
    st.builds(Insert, T, T, BY, PLACES, EVENTS),
    st.builds(Undo, T, T, BY, st.integers(0, 4)),
    st.builds(Redo, T, T, BY),
    st.builds(Reply, T, T, BY, st.one_of(ANY_SEAT, CARDS, st.booleans())),
    st.builds(Command, T, T, BY, st.sampled_from(["undo", "annul", "before", "score", "pause", "resume"])),
)
SEEN = st.one_of(
    st.tuples(st.just("card"), CARDS, SEATS, st.sampled_from([0.4, 0.85, 0.97])),
    st.tuples(st.just("again"), CARDS, SEATS, st.sampled_from([0.85, 0.99])),
    st.tuples(st.just("taken"), CARDS, SEATS, st.just(1.0)),
    st.tuples(st.just("knock"), CARDS, SEATS, st.just(0.95)),
    st.tuples(st.just("word"), st.sampled_from(WORDS), SEATS, st.just(1.0)),
)


@given(steps=st.lists(st.tuples(st.one_of(ORDERS, SEEN), st.sampled_from([0.1, 1.0, 2.5, 7.0])), max_size=30))
@settings(max_examples=150, deadline=None)
def test_whatever_is_told_the_record_checks_itself(steps: list[tuple[object, float]]) -> None:
    header = Header("trut", seats=4, dealer=4)
    interpreter = Interpreter(Game(header), live=True)
    announcer = Announcer(interpreter.game)
    lines, t, tracks = "".join(f"{line}\n" for line in header_lines(header)), 0.5, 0

    def took(acts: list[Act]) -> None:
        nonlocal lines
        lines += "".join(lines_of(act) for act in acts if isinstance(act, Action))
        assert all(said.text for act in acts for said in announcer.words(act))

    for step, pause in steps:
        t = round(t + pause, 2)
        match step:
            case ("card", str(card), int(seat), float(p)):
                tracks += 1
                quad = place_of(seat, 4, 9 * tracks)
                interpreter.observe([CardLaid(t, t, tracks, card, p, seat, quad, seat, ((card, p),))])
            case ("again", str(card), int(seat), float(p)):
                interpreter.observe([CardReread(t, t, seat, card, p, ((card, p),))])
            case ("taken", _, int(seat), _):
                interpreter.observe([CardsTaken(t, t, (seat, seat + 1))])
            case ("knock", _, _, float(p)):
                interpreter.observe([Knock(t, t, p, tracks + int(10 * t), 1)])
            case ("word", str(word), _, float(p)):
                interpreter.observe([Phrase(t, t, word, (word,), False, word, p)])
            case order:
                type_of = type(order)
                fields = {name: getattr(order, name) for name in type_of.__slots__}  # type: ignore[attr-defined]
                took(interpreter.order(type_of(**{**fields, "t": t, "decided": t})))
        took(interpreter.advance(t))
        brought = [event for entry in interpreter.entries for event in entry.events]
        log = interpreter.game.log
        assert list(log[len(log) - len(brought) :]) == brought
    took(interpreter.finish(t))
    again = replay(Record.parse(lines))
    assert again.holds
    assert again.game.log == interpreter.game.log
