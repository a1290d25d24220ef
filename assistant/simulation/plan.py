"""Plausible games of trut, played by the rules engine from a seed, with the time of all that shows or sounds.

The pace is that of a quiet table: a card every second and a half, a trick taken two seconds after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from assistant.i18n import N_
from assistant.simulation.faces import PACK
from assistant.simulation.script import TAKE_AWAY, TAKE_SLIDE, Fist, Gesture, Lay, Reach, Script, Take, Words
from assistant.simulation.stage import seat_direction
from engine import Accepted, Event, Game, GameWon, Header, Refusal, RoundEnded, TrickRotten, TrickWon
from engine.errors import TrutError

PHRASES: dict[str, tuple[str, ...]] = {
    "trut": ("Je trute !", "Je trute."),
    "accept": ("Je vais voir.", "Joue !"),
    "fold": ("Je me couche.",),
    "pass": ("Je ne trute pas.",),
}
HURRY = 0.8
"""Seconds by which the next leader's hand is already coming while the trick is still carried off."""
STRENGTH = {
    rank: n for n, rank in enumerate(("9", "10", "J", "Q", "K", "A", "8", "7"))
}  # RULES.md T-3, low to high


class UnknownTable(TrutError):
    """A game or a number of seats that cannot be simulated."""

    code = "unknown-table"


@dataclass(slots=True)
class _Writer:
    """The growing script: a clock, the gestures, the record."""

    rng: np.random.Generator
    game: Game
    seats: int
    t: float = 1.0
    gestures: list[Gesture] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def wait(self, least: float, most: float) -> float:
        """Let time pass; the new time, in hundredths."""
        self.t = round(self.t + float(self.rng.uniform(least, most)), 2)
        return self.t

    def apply(self, event: Event, by: str) -> Accepted:
        """Say an event now. The plan only says what the rules allow, so a refusal is a fault of the plan."""
        result = self.game.apply(event)
        if isinstance(result, Refusal):
            raise AssertionError(f"the simulated players broke the rules: {event}: {result.code}")
        self.lines.append(f"{event} | t={self.t:.2f} by={by}")
        return result


def plan(
    seed: int,
    *,
    game: str = "trut",
    seats: int = 4,
    rounds: int = 3,
    truts: float = 0.6,
    spoken: float = 0.45,
    fidgets: float = 0.0,
) -> Script:
    """A game of ``rounds`` rounds (fewer if it is won before).

    Args:
        seed: the same seed gives the same game.
        truts: share of the rounds in which somebody truts if he gets to it.
        spoken: share of the truts that are said, not knocked; a spoken one is of the seat whose turn it is.
        fidgets: chance that, before a card, somebody's hand comes over the table for nothing.

    Raises:
        UnknownTable: another game than trut, or a number of seats that it does not have.
    """
    if game != "trut":
        raise UnknownTable(N_("{game} : ce jeu ne se simule pas encore ; essayez --game trut"), game=game)
    if seats not in (2, 4):
        raise UnknownTable(N_("le trut se joue à 2 ou à 4, pas à {seats}"), seats=seats)
    if rounds < 1:
        raise UnknownTable(N_("il faut simuler au moins une manche"))
    rng = np.random.default_rng([seed, 7])
    dealer = seats
    w = _Writer(rng, Game(Header(game=game, seats=seats, dealer=dealer)), seats)
    head = ["# simulated table", f"game {game}", f"seats {seats}", f"dealer {dealer}"]
    played = 0
    while played < rounds and w.game.winner is None:
        _round(w, truts, spoken, fidgets)
        played += 1
    winner = w.game.winner or "none"
    record = "\n".join([*head, *w.lines, f"expect winner {winner}", ""])
    gestures = tuple(sorted(w.gestures, key=lambda g: (g.t, g.seat)))
    return Script(game, seats, gestures, record, played, round(w.t + 2.5, 2))


def _round(w: _Writer, truts: float, spoken: float, fidgets: float) -> None:
    """One round from the deal to its award."""
    rng = w.rng
    result = w.apply(Event("deal"), "camera")
    pack = [PACK[i] for i in rng.permutation(len(PACK))]
    hands = {seat: pack[3 * seat - 3 : 3 * seat] for seat in range(1, w.seats + 1)}
    table: list[str] = []
    # after which card of the round somebody truts (0: before the first); never in most of the other rounds
    moment = int(rng.integers(0, 2 * w.seats + 1)) if rng.random() < truts else -1
    laid = 0
    first = True
    while True:
        if w.game.phase == "fortial":
            seat = w.game.awaiting[0]
            strong = sum(STRENGTH[c[:-1]] for c in hands[seat]) > 11
            result = _say(w, "trut" if strong else "pass", seat, 1.9, 2.4)
        elif w.game.phase == "answer":
            seat = w.game.awaiting[0]
            brave = 0.35 + 0.03 * sum(STRENGTH[c[:-1]] for c in hands[seat])
            result = _say(w, "accept" if rng.random() < brave else "fold", seat, 1.5, 2.1)
        elif laid == moment and w.game.stake != "long":
            moment = -1
            result = _trut(w, hands, spoken, pensive=bool(laid) and not table)
            first = False
        else:
            turn = w.game.turn
            assert turn is not None
            if rng.random() < fidgets:
                _fidget(w)
            w.wait(1.6, 1.85) if first else w.wait(1.25, 1.75)
            card = _choose(rng, hands[turn], table)
            hands[turn].remove(card)
            table.append(card)
            w.gestures.append(_laid(w, turn, card))
            result = w.apply(Event("play", turn, (card,)), "camera")
            laid += 1
            first = False
        if _settle(w, result, table):
            return


def _settle(w: _Writer, result: Accepted, table: list[str]) -> bool:
    """Write what an event brought about; True when the round is over."""
    over = False
    taker: int | None = None
    for outcome in result.outcomes:
        if isinstance(outcome, TrickWon):
            w.lines.append(f"expect trick {outcome.team}")
            taker = outcome.seat
        elif isinstance(outcome, TrickRotten):
            w.lines.append("expect trick rotten")
            taker = outcome.next_leader
        elif isinstance(outcome, RoundEnded):
            over = True
            a, b = outcome.score["A"], outcome.score["B"]
            w.lines.append(f"expect round {outcome.winner or 'none'} {outcome.award}")
            w.lines.append(f"expect score A {a['longs']} {a['petits']} B {b['longs']} {b['petits']}")
            if taker is None and table:  # folded with cards on the table: somebody of the winners clears it
                taker = next(s for s in range(1, w.seats + 1) if outcome.winner == ("A" if s % 2 else "B"))
        elif isinstance(outcome, GameWon):
            over = True
    if taker is not None:
        w.wait(1.9, 2.5)  # everybody looks at the trick first
        w.gestures.append(Take(w.t, taker, face_down=bool(w.rng.random() < 0.7)))
        w.t = round(w.t + TAKE_SLIDE + TAKE_AWAY, 2)
        table.clear()
    if over:
        w.wait(0.9, 1.5)
    elif taker is not None:
        w.t = round(w.t - HURRY, 2)
    return over


def _choose(rng: np.random.Generator, hand: list[str], table: list[str]) -> str:
    """Mostly: the cheapest card that beats the table, else the lowest; sometimes whatever comes to hand."""
    ranked = sorted(hand, key=lambda c: STRENGTH[c[:-1]])
    if not table or rng.random() < 0.35:
        return hand[int(rng.integers(len(hand)))]
    best = max(STRENGTH[c[:-1]] for c in table)
    return next((c for c in ranked if STRENGTH[c[:-1]] >= best), ranked[0])


def _trut(w: _Writer, hands: dict[int, list[str]], spoken: float, *, pensive: bool) -> Accepted:
    """Somebody truts: the seat whose turn it is says so, or anybody knocks; ``pensive``: not in a hurry."""
    turn = w.game.turn
    assert turn is not None
    if w.rng.random() < spoken:
        return _say(w, "trut", turn, 1.8, 2.2)
    holding = [seat for seat in hands if hands[seat]]
    strongest = max(holding, key=lambda s: max(STRENGTH[c[:-1]] for c in hands[s]))
    seat = turn if w.rng.random() < 0.5 else strongest
    w.wait(1.1 + HURRY * pensive, 1.6 + HURRY * pensive)
    place = seat_direction(seat, w.seats)
    across = np.array([-place[1], place[0]])
    x, y = place * float(w.rng.uniform(118, 140) if place[1] else w.rng.uniform(215, 255)) + across * float(
        w.rng.uniform(-40, 40)
    )
    hits = [w.t]
    if w.rng.random() < 0.4:
        hits.append(round(w.t + float(w.rng.uniform(0.2, 0.32)), 2))
    w.gestures.append(Fist(w.t, seat, float(x), float(y), tuple(hits)))
    return w.apply(Event("trut", seat), "microphone")


def _say(w: _Writer, verb: str, seat: int, least: float, most: float) -> Accepted:
    w.wait(least, most)
    texts = PHRASES[verb]
    w.gestures.append(Words(w.t, seat, texts[int(w.rng.integers(len(texts)))]))
    return w.apply(Event(verb, seat), "microphone")


def _fidget(w: _Writer) -> None:
    """A hand near the edge that wants a glass, not a card."""
    seat = int(w.rng.integers(1, w.seats + 1))
    place = seat_direction(seat, w.seats)
    across = np.array([-place[1], place[0]])
    x, y = place * (150.0 if place[1] else 270.0) + across * float(w.rng.choice([-1, 1])) * float(
        w.rng.uniform(90, 150)
    )
    w.wait(0.9, 1.2)
    w.gestures.append(Reach(w.t, seat, float(x), float(y)))
    w.wait(0.7, 0.9)


def _laid(w: _Writer, seat: int, card: str) -> Lay:
    """Where a card comes to lie in front of its seat, and how it is turned."""
    place = seat_direction(seat, w.seats)
    base = place * (np.array([106.0, 80.0]) if w.seats == 4 else np.array([106.0, 70.0]))
    jitter: Callable[[], float] = lambda: float(np.clip(w.rng.normal(), -1.6, 1.6))  # noqa: E731
    upright = {(0, -1): 0.0, (-1, 0): -90.0, (0, 1): 180.0, (1, 0): 90.0}[(int(place[0]), int(place[1]))]
    return Lay(w.t, seat, card, base[0] + 9 * jitter(), base[1] + 7 * jitter(), upright + 10 * jitter())
