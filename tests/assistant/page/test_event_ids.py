"""Event ids: an id names one observation for ever, whatever is corrected elsewhere."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.interpreter import Interpreter
from assistant.orders import Drop, Insert, Order, Redo, Rename, Reseat, Say, Undo
from assistant.page.event_ids import EventIds, Origin
from assistant.testing import place_of
from audio.events import Knock, Phrase
from engine import Event, Game, Header, parse_event
from vision.events import CardLaid, CardReread

CARDS = st.sampled_from(["7h", "7d", "8s", "9c", "Jd", "Qs", "Kc", "As", "10h", "Kh", "8d"])
SEATS = st.integers(1, 4)
PLACES = st.integers(0, 14)
EVENTS = st.one_of(
    st.builds(lambda seat, card: Event("play", seat, (card,)), st.none() | SEATS, CARDS),
    st.builds(Event, st.sampled_from(["trut", "accept", "fold"]), st.none() | SEATS),
    st.sampled_from([Event("deal"), Event("annul")]),
)
T = st.just(0.0)
BY = st.just("page")
ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(Say, T, T, BY, EVENTS),
    st.builds(Say, T, T, BY, st.builds(lambda card: Event("play", None, (card,)), CARDS)),
    st.builds(Rename, T, T, BY, PLACES, CARDS),
    st.builds(Reseat, T, T, BY, PLACES, SEATS),
    st.builds(Drop, T, T, BY, PLACES),
    st.builds(Insert, T, T, BY, PLACES, EVENTS),
    st.builds(Undo, T, T, BY, st.integers(1, 3)),
    st.builds(Redo, T, T, BY),
)
SEEN = st.one_of(
    st.tuples(st.just("card"), CARDS, SEATS),
    st.tuples(st.just("again"), CARDS, SEATS),
    st.tuples(st.just("knock"), CARDS, SEATS),
    st.tuples(st.just("word"), CARDS, SEATS),
)


class Named:
    """A table of which every event has a name."""

    def __init__(self, header: Header) -> None:
        self.interpreter = Interpreter(Game(header), live=True)
        self.ids = EventIds()
        self.seen: dict[str, tuple[Origin, str]] = {}

    def follow(self) -> None:
        """Name what there is, and see that no name has come to mean anything else."""
        game = self.interpreter.game
        self.ids.follow(game.log, self.interpreter.entries)
        named = [self.ids[at] for at in range(len(self.ids))]
        assert [one.event for one in named] == list(game.log)
        assert len({one.id for one in named}) == len(named)
        for one in named:
            assert one.origin is not None
            assert self.seen.setdefault(one.id, (one.origin, one.event.verb)) == (one.origin, one.event.verb)


@given(steps=st.lists(st.tuples(st.one_of(ORDERS, SEEN), st.sampled_from([0.1, 1.0, 2.5, 7.0])), max_size=30))
@settings(max_examples=100, deadline=None)
def test_an_id_never_comes_to_name_another_observation(steps: list[tuple[object, float]]) -> None:
    table = Named(Header("trut", seats=4, dealer=4))
    interpreter, t, tracks = table.interpreter, 0.5, 0
    for step, pause in steps:
        t = round(t + pause, 2)
        match step:
            case ("card", str(card), int(seat)):
                tracks += 1
                quad = place_of(seat, 4, 9 * tracks)
                interpreter.observe([CardLaid(t, t, tracks, card, 0.97, seat, quad, seat, ((card, 0.97),))])
            case ("again", str(card), int(seat)):
                interpreter.observe([CardReread(t, t, seat, card, 0.99, ((card, 0.99),))])
            case ("knock", _, int()):
                interpreter.observe([Knock(t, t, 0.96, int(10 * t), 1)])
            case ("word", _, int(seat)):
                interpreter.observe([Phrase(t, t, "accept", ("accept",), True, "je vais voir", 0.95, seat)])
            case order:
                interpreter.order(type(order)(**{**_fields(order), "t": t, "decided": t}))  # type: ignore[arg-type]
        interpreter.advance(t)
        table.follow()


def _fields(order: object) -> dict[str, object]:
    return {name: getattr(order, name) for name in order.__slots__}  # type: ignore[attr-defined]


class Told(Named):
    """A table at which everything is told, one thing a second."""

    def __init__(self, lines: str) -> None:
        super().__init__(Header("trut", seats=2, dealer=2))
        self.t = 0.0
        for line in lines.split(","):
            self.order(Say(0, 0, "page", parse_event(line.strip())))

    def order(self, order: Order) -> None:
        self.t += 1.0
        self.interpreter.order(type(order)(**{**_fields(order), "t": self.t, "decided": self.t}))
        self.follow()

    @property
    def names(self) -> dict[str, str]:
        return {str(self.ids[at].event): self.ids[at].id for at in range(len(self.ids))}


GAME = "deal, play 1 As, play 2 Kh, play 1 8d, play 2 Qs"


def test_a_correction_elsewhere_leaves_the_names_of_all_others() -> None:
    table = Told(GAME)
    before = table.names
    table.order(Rename(0, 0, "page", 2, "Ks"))
    now = table.names
    assert now.pop("play 2 Ks") == before.pop("play 2 Kh")
    assert now == before


def test_what_was_taken_out_comes_back_by_its_name() -> None:
    table = Told(GAME)
    before = table.names
    table.order(Drop(0, 0, "page", 4))
    assert "play 2 Qs" not in table.names
    table.order(Undo(0, 0, "page"))
    assert table.names == before
    table.order(Undo(0, 0, "page", 2))
    table.order(Redo(0, 0, "page"))
    assert table.names == before


def test_what_is_put_in_has_a_name_of_its_own() -> None:
    table = Told("deal, play 1 As, play 2 Kh")
    before = table.names
    table.order(Insert(0, 0, "page", 1, parse_event("trut 2")))
    table.order(Say(0, 0, "page", parse_event("accept 1")))
    new = table.names["trut 2"]
    assert new not in before.values()
    assert table.names["deal"] == before["deal"]


def test_the_same_card_laid_again_is_another_one() -> None:
    table = Told("deal, play 1 As")
    first = table.names["play 1 As"]
    table.order(Undo(0, 0, "page"))
    table.order(Say(0, 0, "page", parse_event("play 1 As")))
    assert table.names["play 1 As"] != first


def test_a_record_taken_up_is_named_and_corrected() -> None:
    game = Game(Header("trut", seats=2, dealer=2))
    for line in GAME.split(", "):
        game.apply(parse_event(line))
    interpreter = Interpreter(game, live=True)
    interpreter.restore(game)
    ids = EventIds()
    ids.follow(game.log, interpreter.entries)
    before = [ids[at].id for at in range(len(ids))]
    interpreter.order(Rename(3.0, 3.0, "page", 2, "Ks"))
    ids.follow(game.log, interpreter.entries)
    assert [ids[at].id for at in range(len(ids))] == before
