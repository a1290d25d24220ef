"""What people lay that they may not: out of turn, before an answer, a card that was out already."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.simulation.manners import Manners
from assistant.simulation.players import Move, Players
from engine import Event, Game


@dataclass(frozen=True, slots=True)
class Wrong:
    """A card that the rules refuse, and their code for it."""

    event: Event
    code: str


def wrong_card(manners: Manners, game: Game, players: Players, move: Move) -> Wrong | None:
    """A wrong card that somebody could lay before ``move``; None where nobody could go wrong now."""
    if game.phase == "answer" and move.event.verb != "play":
        return _unanswered(game, players)
    if game.phase != "play" or move.event.verb != "play" or move.event.seat is None:
        return None
    laid = [event.args[0] for event in _round(game) if event.verb == "play"]
    if laid and game.table.PACK.copies == 1 and manners.rng.random() < 0.3:
        return Wrong(Event("play", move.event.seat, (laid[int(manners.rng.integers(len(laid)))],)), "duplicate-card")
    others = [seat for seat, hand in players.hands.items() if seat != move.event.seat and hand]
    if not others:
        return None
    seat = others[int(manners.rng.integers(len(others)))]
    hand = players.hands[seat]
    return Wrong(Event("play", seat, (hand[int(manners.rng.integers(len(hand)))],)), "out-of-turn")


def _unanswered(game: Game, players: Players) -> Wrong | None:
    """The seat whose turn it is plays on although a call waits for its answer."""
    turn = game.turn
    if turn is None or not players.hands[turn]:
        return None
    return Wrong(Event("play", turn, (players.hands[turn][0],)), "challenge-pending")


def _round(game: Game) -> list[Event]:
    """The events of the running round."""
    events: list[Event] = []
    for event in reversed(game.log):
        if event.verb in ("deal", "redeal"):
            break
        events.append(event)
    return events
