"""Plausible games, played by the rules engine from a seed, with the time of all that shows or sounds.

The pace is that of a quiet table: a card every second and a half, a trick taken two seconds after.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assistant.i18n import N_
from assistant.simulation.players import FAMILY, Move, Players, Temper
from assistant.simulation.sayings import say
from assistant.simulation.script import TAKE_AWAY, TAKE_SLIDE, Fist, Gesture, Lay, Reach, Script, Take, Words
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
UNSEEN = frozenset({"deal", "discard"})
"""Events that nobody says and the camera does not show."""
BEGUN = 0.4
"""Share of the tables that go on from a score: so fortial, holding, singing and the end of a game come up."""


class UnknownTable(TrutError):
    """A game or a number of seats that cannot be simulated."""

    code = "unknown-table"


@dataclass(slots=True)
class _Writer:
    """The growing script: a clock, the gestures, the record."""

    rng: np.random.Generator
    game: Game
    players: Players
    t: float = 1.0
    gestures: list[Gesture] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    @property
    def seats(self) -> int:
        return self.game.seats

    def wait(self, least: float, most: float) -> float:
        """Let time pass; the new time, in hundredths."""
        self.t = round(self.t + float(self.rng.uniform(least, most)), 2)
        return self.t

    def apply(self, event: Event, by: str) -> Accepted:
        """Say an event now. The players only say what the rules allow, so a refusal is a fault of theirs."""
        result = self.game.apply(event)
        if isinstance(result, Refusal):
            raise AssertionError(f"the simulated players broke the rules: {event}: {result.code}")
        self.lines.append(f"{event} | t={self.t:.2f} by={by}")
        return result

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
    fidgets: float = 0.0,
) -> Script:
    """A game of ``rounds`` rounds (fewer if it is won before).

    Args:
        seed: the same seed gives the same game.
        game: one of ``engine.GAMES``.
        seats: number of players; None for the usual one of the game.
        truts: share of the rounds in which somebody truts if he gets to it; in the point games how eager they are.
        spoken: share of the truts that are said, not knocked; a spoken one is of the seat whose turn it is.
        fidgets: chance that, before a card, somebody's hand comes over the table for nothing.

    Raises:
        UnknownTable: an unknown game, or a number of seats that it does not have.
    """
    if game not in GAMES:
        raise UnknownTable(N_("jeu inconnu : {game} ; les jeux : {games}"), game=game, games=", ".join(GAMES))
    seats = SEATS[game][0] if seats is None else seats
    if seats not in SEATS[game]:
        known = ", ".join(map(str, sorted(SEATS[game])))
        raise UnknownTable(N_("{game} se joue à {known}, pas à {seats}"), game=game, known=known, seats=seats)
    if rounds < 1:
        raise UnknownTable(N_("il faut simuler au moins une manche"))
    rng = np.random.default_rng([seed, 7])
    header = _header(rng, game, seats)
    table = Game(header)
    w = _Writer(rng, table, Players(rng, table, Temper(truts, spoken)))
    played = 0
    while played < rounds and table.winner is None:
        _round(w, fidgets)
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


def _round(w: _Writer, fidgets: float) -> None:
    """One round from the deal to its award."""
    w.players.take_cards()
    first = True
    while True:
        move = w.players.decide()
        if move.event.verb == "play" and w.rng.random() < fidgets:
            _fidget(w)
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
    if event.verb == "play":
        assert event.seat is not None
        w.wait(1.6, 1.85) if first else w.wait(1.25, 1.75)
        w.gestures.append(_laid(w, event.seat, event.args[0]))
        return w.apply(event, "camera")
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
            if taker is None and _lying(w):  # folded with cards on the table: somebody of the winners clears it
                taker = next(s for s in range(1, w.seats + 1) if outcome.winner in (None, "A" if s % 2 else "B"))
        elif isinstance(outcome, GameWon):
            over = True
    if taker is not None:
        w.wait(1.9, 2.5)  # everybody looks at the trick first
        w.gestures.append(Take(w.t, taker, face_down=bool(w.rng.random() < 0.7)))
        w.t = round(w.t + TAKE_SLIDE + TAKE_AWAY, 2)
    if over:
        w.wait(0.9, 1.5)
    elif taker is not None:
        w.t = round(w.t - HURRY, 2)
    return over


def _lying(w: _Writer) -> bool:
    """Whether cards lie on the table that nobody has taken yet."""
    taken = max((g.t for g in w.gestures if isinstance(g, Take)), default=0.0)
    return any(isinstance(g, Lay) and g.t > taken for g in w.gestures)


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
    w.gestures.append(Fist(w.t, event.seat, float(x), float(y), tuple(hits)))
    return w.apply(event, "microphone")


def _fidget(w: _Writer) -> None:
    """A hand near the edge that wants a glass, not a card."""
    seat = int(w.rng.integers(1, w.seats + 1))
    seated = place(seat, w.seats)
    reach = 150.0 if seated.edge[1] else 270.0
    x, y = seated.before(reach, float(w.rng.choice([-1, 1]) * w.rng.uniform(90, 150)))
    w.wait(0.9, 1.2)
    w.gestures.append(Reach(w.t, seat, float(x), float(y)))
    w.wait(0.7, 0.9)


def _laid(w: _Writer, seat: int, card: str) -> Lay:
    """Where a card comes to lie in front of its seat, and how it is turned."""
    seated = place(seat, w.seats)
    astray, turn = np.clip(w.rng.normal(size=2), -1.6, 1.6) * (9, 7), float(np.clip(w.rng.normal(), -1.6, 1.6))
    x, y = seated.lays + astray
    return Lay(w.t, seat, card, float(x), float(y), seated.upright + 10 * turn)
