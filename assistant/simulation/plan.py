"""Plausible games, played by the rules engine from a seed, with the time of all that shows or sounds.

The pace is that of a quiet table: a card every second and a half, a trick taken two seconds after. ``manners`` make
it less quiet.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np

from assistant.i18n import N_
from assistant.simulation.infractions import Wrong, wrong_card
from assistant.simulation.manners import MANNERS, Manners
from assistant.simulation.placing import heap_of, laid, returned, visited
from assistant.simulation.players import FAMILY, Move, Players, Temper
from assistant.simulation.sayings import say, small_talk
from assistant.simulation.script import (
    PUT_DOWN,
    Fist,
    Gesture,
    Lay,
    Push,
    Reach,
    Return,
    Script,
    Take,
    TakeBack,
    Turn,
    Words,
)
from assistant.simulation.seating import place
from engine import (
    GAMES,
    Accepted,
    Event,
    Game,
    GameWon,
    Header,
    Refusal,
    RoundEnded,
    TrickRotten,
    TrickWon,
    header_lines,
)
from engine.errors import TrutError
from engine.header import SEATS, score_words

HURRY = 0.8
"""Seconds by which the next leader's hand is already coming while the trick is still carried off."""
AGAIN = 1.35
"""Seconds that a hand needs to leave and to come back."""
BRISK = 0.55
"""Share of the usual time after which a card follows where people play fast."""
UNSEEN = frozenset({"deal", "discard"})
"""Events that nobody says and the camera does not show."""
BEGUN = 0.4
"""Share of the tables that go on from a score: so fortial, holding, singing and the end of a game come up."""


class UnknownTable(TrutError):
    """A game, a number of seats or a manner that cannot be simulated."""

    code = "unknown-table"


@dataclass(slots=True)
class _Writer:
    """The growing script: a clock, the gestures, the record.

    Attributes:
        open: the cards of the trick that lies on the table.
        heaps: tricks that were won, and hands that were given back: whatever else lies there.
    """

    rng: np.random.Generator
    game: Game
    players: Players
    manners: Manners
    t: float = 1.0
    gestures: list[Gesture] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    open: list[Lay] = field(default_factory=list)
    heaps: list[int] = field(default_factory=list)
    pieces: int = 0

    @property
    def seats(self) -> int:
        return self.game.seats

    def piece(self) -> int:
        """A number for a card that comes on the table."""
        self.pieces += 1
        return self.pieces

    def wait(self, least: float, most: float) -> float:
        """Let time pass; the new time, in hundredths."""
        self.t = round(self.t + float(self.rng.uniform(least, most)), 2)
        return self.t

    def pause(self, least: float, most: float) -> float:
        """Let time pass for the sake of a manner: the game goes on as it would have without it, later."""
        self.t = round(self.t + self.manners.between(least, most), 2)
        return self.t

    def apply(self, event: Event, by: str) -> Accepted:
        """Say an event now. The players only say what the rules allow, so a refusal is a fault of theirs."""
        result = self.game.apply(event)
        if isinstance(result, Refusal):
            raise AssertionError(f"the simulated players broke the rules: {event}: {result.code}")
        self.lines.append(f"{event} | t={self.t:.2f} by={by}")
        return result

    def refuse(self, wrong: Wrong) -> None:
        """Something that the rules refuse happens now."""
        result = self.game.apply(wrong.event)
        assert isinstance(result, Refusal)
        assert result.code == wrong.code, (wrong, result.code)
        self.lines += [f"{wrong.event} | t={self.t:.2f} by=camera", f"expect error {wrong.code}"]

    def expect(self, what: str) -> None:
        """A line of the record that checks it."""
        self.lines.append(f"expect {what}")


def plan(
    seed: int,
    *,
    game: str = "trut",
    seats: int | None = None,
    rounds: int = 3,
    truts: float = 0.6,
    spoken: float = 0.45,
    manners: Collection[str] = (),
) -> Script:
    """A game of ``rounds`` rounds (fewer if it is won before).

    Args:
        seed: the same seed gives the same game.
        game: one of ``engine.GAMES``.
        seats: number of players; None for the usual one of the game.
        truts: share of the rounds in which somebody truts if he gets to it; in the point games how eager they are.
        spoken: share of the truts that are said, not knocked; a spoken one is of the seat whose turn it is.
        manners: names of ``manners.MANNERS``; they change how the game looks and sounds, not how it goes.

    Raises:
        UnknownTable: an unknown game or manner, or a number of seats that the game does not have.
    """
    if game not in GAMES:
        raise UnknownTable(N_("jeu inconnu : {game} ; les jeux : {games}"), game=game, games=", ".join(GAMES))
    seats = SEATS[game][0] if seats is None else seats
    if seats not in SEATS[game]:
        known = ", ".join(map(str, sorted(SEATS[game])))
        raise UnknownTable(N_("{game} se joue à {known}, pas à {seats}"), game=game, known=known, seats=seats)
    if rounds < 1:
        raise UnknownTable(N_("il faut simuler au moins une manche"))
    for name in manners:
        if name not in MANNERS:
            names = ", ".join(MANNERS)
            raise UnknownTable(N_("manière inconnue : {name} ; les manières : {names}"), name=name, names=names)
    rng = np.random.default_rng([seed, 7])
    header = _header(rng, game, seats)
    table = Game(header)
    ways = Manners(np.random.default_rng([seed, 10]), frozenset(manners))
    w = _Writer(rng, table, Players(rng, table, Temper(truts, spoken)), ways)
    played = 0
    while played < rounds and table.winner is None:
        _round(w)
        played += 1
    head = ["# simulated table", *header_lines(header)]
    record = "\n".join([*head, *w.lines, f"expect winner {table.winner or 'none'}", ""])
    gestures = tuple(sorted(w.gestures, key=lambda g: (g.t, g.seat)))
    return Script(game, seats, gestures, record, played, round(w.t + 2.5, 2))


def _header(rng: np.random.Generator, game: str, seats: int) -> Header:
    """Who deals and from which score the table goes on."""
    dealer = int(rng.integers(1, seats + 1))
    fresh = Header(game, seats=seats, dealer=dealer)
    if rng.random() >= BEGUN:
        return fresh
    most = {"longs": fresh.target - 1, "petits": 2} if game in FAMILY else {"points": fresh.target - 1}
    score = {team: {kind: _reached(rng, n) for kind, n in most.items()} for team in "AB"}
    return Header(game, seats=seats, dealer=dealer, score=score)


def _reached(rng: np.random.Generator, most: int) -> int:
    """How far a team has come: often as far as can be, where the rules have most to say."""
    return most if rng.random() < 0.4 else int(rng.integers(most + 1))


# -- a round ---------------------------------------------------------------------------------------------------


def _round(w: _Writer) -> None:
    """One round from the deal to its award."""
    w.players.take_cards()
    first = True
    while True:
        move = w.players.decide()
        result = _made(w, move, first)
        first = move.event.verb in UNSEEN or (first and move.event.verb not in ("play", "trut"))
        if _settle(w, result):
            return


def _made(w: _Writer, move: Move, first: bool) -> Accepted:
    """Let a move take its time, show or sound, and count."""
    event = move.event
    if event.verb in UNSEEN:
        if event.verb == "discard":
            w.wait(0.9, 1.6)
        return w.apply(event, "camera")
    if w.manners.does("infractions"):
        _infraction(w, move)
    if event.verb == "play":
        return _play(w, event, first)
    new_cards = event.verb == "redeal" if event.seat is None else event.verb == "accept" and _redeal_asked(w.game)
    if move.knocked:
        result = _knock(w, event)
    elif event.seat is None:
        result = _redealt(w, event)
    else:
        result = _say(w, move)
    if new_cards:
        w.players.take_new_cards()
    return result


def _redeal_asked(game: Game) -> bool:
    return game.header.game == "truc" and game.log[-1].verb == "redeal"


def _settle(w: _Writer, result: Accepted) -> bool:
    """Write what an event brought about; True when the round is over."""
    over = False
    taker: int | None = None
    for outcome in result.outcomes:
        if isinstance(outcome, TrickWon):
            w.expect(f"trick {outcome.team}")
            taker = outcome.seat
        elif isinstance(outcome, TrickRotten):
            w.expect("trick rotten")
            taker = outcome.next_leader
        elif isinstance(outcome, RoundEnded):
            over = True
            w.expect(f"round {outcome.winner or 'none'} {outcome.award}")
            w.expect(f"score {score_words(outcome.score)}")
            if taker is None and w.open:  # folded with cards on the table: somebody of the winners clears it
                taker = next(s for s in range(1, w.seats + 1) if outcome.winner in (None, "A" if s % 2 else "B"))
        elif isinstance(outcome, GameWon):
            over = True
    if taker is not None:
        _take(w, taker, over)
    if over:
        _clear(w)
        w.wait(0.9, 1.5)
    return over


# -- what the camera sees --------------------------------------------------------------------------------------


def _play(w: _Writer, event: Event, first: bool) -> Accepted:
    """A card is laid, neatly or not."""
    assert event.seat is not None
    m = w.manners
    if m.does("fidgets"):
        _fidget(w)
    if m.does("chatter"):
        _chat(w)
    asleep = w.t
    w.wait(1.6, 1.85) if first else w.wait(1.25, 1.75)
    if w.open and m.does("together"):
        w.t = round(asleep + m.between(0.08, 0.3), 2)
    elif m.does("brisk"):
        w.t = round(asleep + BRISK * (w.t - asleep), 2)
    _withdraw(w, event.seat, w.t)
    lay = laid(w.rng, m, w.seats, event.seat, event.args[0], w.t, w.piece(), w.open)
    w.gestures.append(lay)
    w.open.append(lay)
    if lay.face_down:
        _withdraw(w, event.seat, w.pause(0.9, 2.0))
        w.gestures.append(Turn(w.t, event.seat, lay.piece))
    result = w.apply(event, "camera")
    if m.does("nudge"):
        _withdraw(w, event.seat, w.pause(0.7, 1.1))
        across, down, turn = m.between(-45, 45), m.between(-25, 25), m.between(-20, 20)
        w.gestures.append(Push(w.t, event.seat, lay.piece, lay.x + across, lay.y + down, lay.turn + turn))
    return result


def _infraction(w: _Writer, move: Move) -> None:
    """Somebody lays a card that he may not lay; the table sees it and he takes it back."""
    wrong = wrong_card(w.manners, w.game, w.players, move)
    if wrong is None:
        return
    seat, (card,) = wrong.event.seat, wrong.event.args
    assert seat is not None
    w.pause(1.0, 1.5)
    _withdraw(w, seat, w.t)
    neatly = Manners(w.manners.rng)
    lay = laid(neatly.rng, neatly, w.seats, seat, card, w.t, w.piece(), [])
    w.gestures.append(lay)
    w.refuse(wrong)
    w.pause(1.6, 2.4)
    w.gestures.append(TakeBack(w.t, seat, lay.piece))
    w.pause(0.4, 0.8)


def _take(w: _Writer, winner: int, over: bool) -> None:
    """The trick is gathered by its winner, or by whoever reaches for it."""
    m = w.manners
    start = w.wait(1.9, 2.5)  # everybody looks at the trick first
    taker, apart = winner, 0.0
    if m.does("anyone"):
        taker, apart = int(m.rng.integers(1, w.seats + 1)), m.between(0.0, 0.3)
    early = not over and w.game.phase == "play" and m.does("early")
    if early and taker == w.game.turn:
        taker = taker % w.seats + 1
    pieces = tuple(lay.piece for lay in w.open)
    if apart:
        pieces = tuple(pieces[i] for i in m.rng.permutation(len(pieces)))
    face_down = bool(w.rng.random() < 0.7)
    heap, pile = None, -1
    if m.does("heaps"):
        heap, pile = heap_of(w.seats, taker, len(w.heaps)), w.piece()
        w.heaps.append(pile)
    _withdraw(w, taker, start)
    take = Take(start, taker, face_down or heap is not None, pieces, round(apart, 2), heap, pile)
    w.gestures.append(take)
    w.open.clear()
    w.t = round(take.over, 2)
    if early:
        w.t = round(start + m.between(0.1, 0.8) - 1.25, 2)
    elif not over:
        w.t = round(w.t - HURRY, 2)


def _clear(w: _Writer) -> None:
    """The round is over: hands go back, and the next dealer gathers all that lies there."""
    m = w.manners
    if m.does("return"):
        openly = m.rng.random() < 0.2
        for seat, hand in w.players.hands.items():
            if hand:
                w.pause(0.3, 0.7)
                pieces = tuple(w.piece() for _ in hand)
                x, y, turn = returned(m, w.seats, seat)
                w.gestures.append(Return(w.t, seat, tuple(hand), pieces, x, y, turn, not openly))
                w.heaps += pieces
        w.pause(0.4, 0.9)
    if w.heaps:
        w.pause(0.8, 1.4)
        take = Take(w.t, w.game.next_dealer, True, tuple(w.heaps))
        w.gestures.append(take)
        w.heaps.clear()
        w.t = round(take.over, 2)


def _withdraw(w: _Writer, seat: int, t: float) -> None:
    """A hand that stays over its card leaves it before the same player's hand is needed again at ``t``."""
    for n, gesture in enumerate(w.gestures):
        if isinstance(gesture, Lay) and gesture.seat == seat and gesture.t < t < gesture.t + gesture.stays + AGAIN:
            w.gestures[n] = replace(gesture, stays=max(PUT_DOWN, round(t - AGAIN - gesture.t, 2)))


def _fidget(w: _Writer) -> None:
    """A hand near the edge that wants a glass, not a card."""
    seat = int(w.manners.rng.integers(1, w.seats + 1))
    x, y = visited(w.manners, w.seats, seat)
    _withdraw(w, seat, w.pause(0.9, 1.2))
    w.gestures.append(Reach(w.t, seat, x, y))
    w.pause(0.7, 0.9)


# -- what the microphone hears ---------------------------------------------------------------------------------


def _say(w: _Writer, move: Move) -> Accepted:
    """A call in words; where the rules make something of silence, only time passes (F-46)."""
    event = move.event
    pensive = HURRY if w.game.trick == () and w.game.tricks else 0.0
    answering = w.game.phase in ("answer", "count")
    w.wait(1.5, 2.1) if answering else w.wait(1.8 + pensive, 2.3 + pensive)
    text = say(w.rng, w.game.header.game, move.moment or " ".join((event.verb, *event.args)))
    if text is not None and event.seat is not None:
        w.gestures.append(Words(w.t, event.seat, text))
    return w.apply(event, "microphone")


def _redealt(w: _Writer, event: Event) -> Accepted:
    """After a tout pâté the dealer says so, or just deals again (G-50)."""
    w.wait(1.8, 2.6)
    text = say(w.rng, w.game.header.game, "redeal")
    if text is not None and w.rng.random() < 0.6:
        w.gestures.append(Words(w.t, w.game.dealer, text))
    result = w.apply(event, "microphone")
    w.wait(1.0, 1.6)
    return result


def _knock(w: _Writer, event: Event) -> Accepted:
    """A fist hits the table once or twice."""
    assert event.seat is not None
    pensive = HURRY if w.game.trick == () and w.game.tricks else 0.0
    w.wait(1.1 + pensive, 1.6 + pensive)
    seated = place(event.seat, w.seats)
    reach = w.rng.uniform(118, 140) if seated.edge[1] else w.rng.uniform(215, 255)
    x, y = seated.before(float(reach), float(w.rng.uniform(-40, 40)))
    hits = [w.t]
    if w.rng.random() < 0.4:
        hits.append(round(w.t + float(w.rng.uniform(0.2, 0.32)), 2))
    _withdraw(w, event.seat, w.t)
    w.gestures.append(Fist(w.t, event.seat, float(x), float(y), tuple(hits), w.manners.does("hidden")))
    return w.apply(event, "microphone")


def _chat(w: _Writer) -> None:
    """Somebody says something that is no call; it is over before the next card lies."""
    seat = int(w.manners.rng.integers(1, w.seats + 1))
    text = small_talk(w.manners.rng, w.game.header.game)
    w.pause(0.5, 1.2)
    w.gestures.append(Words(w.t, seat, text, talk=True))
