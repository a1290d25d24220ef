"""Key lines: what a typed line says. A pure function of the line and of how the game stands.

Short words first (``assistant.keywords``), then a line of the record, then what one would say aloud. What is not
understood, or could be two things, is answered in one line and does nothing.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from assistant.announcer import Announcer
from assistant.answering import NO, YES
from assistant.i18n import _
from assistant.keywords import CALLS, COMMANDS, cards_of, manual
from assistant.names import Names
from assistant.orders import Command, Drop, Insert, Order, Redo, Rename, Reply, Reseat, Say, Undo
from assistant.scorepad import result
from audio.cardnames import corrects
from audio.phrasebook import COMMANDS as SPOKEN
from audio.phrasebook import DEALER, SEAT, Call, calls_of
from engine import Event, Game
from engine.events import FORMS, number, parse_event

BY = "keyboard"
NO_MOVES = frozenset({"deal", "cut", "hand"})
"""Events that have a seat and are neither a card nor a call."""
LISTED = 9
"""Moves that are listed at most."""
_FRENCH = re.compile(r"(10|[789]|[vdrajqk])(co|ca|[psthdc?♠♥♦♣])")
_SPANISH = re.compile(r"(1[0-2]|[1-7]|[avr])([ebodc?])")
_RANKS = {"v": "J", "j": "J", "d": "Q", "q": "Q", "r": "K", "k": "K", "a": "A"}
_SPANISH_RANKS = {"a": "1", "v": "10", "r": "12"}
_SUITS = {"p": "s", "t": "c", "co": "h", "ca": "d", "♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_ENGLISH = frozenset("jqk")
_RENAMED = re.compile(r"(\d*)\s*=\s*(.+)")
_DROPPED = re.compile(r"x\s*(\d*)")
_INSERTED = re.compile(r"(\d*)\s*<\s*(.+)")
_RESULT = re.compile(r"([ab])\s+(petit|long|p|l|\d+)(?:\s*(?:pts?|points?))?")
_TOTAL = re.compile(r"(\d+)\s*(?:pts?|points?)")


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines for whoever typed, and nothing else."""

    lines: tuple[str, ...]


def understand(line: str, game: Game) -> Order | Shown | None:
    """What a line says; None for an empty one. The times of the order are nought: it counts when it is followed."""
    text = plain(line)
    if not text:
        return None
    for reading in (_word, _correction, _result, _of_the_record, _happened, _spoken):
        found = reading(text, line.strip(), game)
        if found is not None:
            return found
    return _unclear(line.strip())


def plain(text: str) -> str:
    """Small letters without accents and commas, single spaces.

    >>> plain("  Non, le Huit de cœur ")
    'non le huit de coeur'
    """
    text = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("’", "'"))
    text = "".join(c for c in text if not unicodedata.combining(c)).replace(",", " ")
    return " ".join(text.split())


# -- words to the assistant ---------------------------------------------------------------------------------


def _word(text: str, _line: str, game: Game) -> Order | Shown | None:
    undo = re.fullmatch(r"u\s*(\d*)", text)
    if undo is not None:
        return Undo(0.0, 0.0, BY, int(undo[1] or 1))
    match text:
        case "?" | "aide" | "help":
            return Shown(manual(game.header))
        case "l":
            return _listed(game)
        case "r":
            return Redo(0.0, 0.0, BY)
        case "o" | "y" | "oui":
            return Reply(0.0, 0.0, BY, True)
        case "n" | "non":
            return Reply(0.0, 0.0, BY, False)
        case "d":
            return _say(Event("deal"))
    return Command(0.0, 0.0, BY, COMMANDS[text]) if text in COMMANDS else None


def _listed(game: Game) -> Shown:
    """The latest moves, the last one with the number 1."""
    announcer = Announcer(game)
    latest = moves(game)[: -LISTED - 1 : -1]
    lines = [f"{back:2d}  {announcer.sentence(game.log[at])}" for back, at in enumerate(latest, 1)]
    return Shown(tuple(reversed(lines)) or (_("Rien n'est encore joué."),))


def moves(game: Game) -> list[int]:
    """Where the cards and calls stand in the log."""
    return [i for i, event in enumerate(game.log) if event.seat is not None and event.verb not in NO_MOVES]


# -- corrections --------------------------------------------------------------------------------------------


def _correction(text: str, _line: str, game: Game) -> Order | Shown | None:
    if (match := _RENAMED.fullmatch(text)) is not None:
        return _put_right(match[1], match[2], game)
    if (match := _DROPPED.fullmatch(text)) is not None:
        at = _counted_back(match[1], game)
        return at if isinstance(at, Shown) else Drop(0.0, 0.0, BY, at)
    if (match := _INSERTED.fullmatch(text)) is not None:
        at = _counted_back(match[1], game)
        event = _event(match[2], game)
        if event is None:
            return _unclear(match[2])
        if isinstance(event, Shown):
            return event
        if isinstance(at, Shown):
            return at
        return Insert(0.0, 0.0, BY, at, _with_seat(event, at, game))
    return None


def _put_right(back: str, what: str, game: Game) -> Order | Shown:
    """``=dp``, ``3=p2``, ``=marie``"""
    at = _counted_back(back, game)
    if isinstance(at, Shown):
        return at
    place = re.fullmatch(r"(?:p|place )\s*([1-9])", what)
    seat = int(place[1]) if place is not None else _named(what, game)
    if seat is not None:
        return Reseat(0.0, 0.0, BY, at, seat)
    card = card_of(what, game)
    if card is None:
        return _unclear(what)
    if isinstance(card, Shown):
        return card
    if not back:
        at = next((i for i in reversed(moves(game)) if game.log[i].verb == "play"), at)
    return Rename(0.0, 0.0, BY, at, card)


def _counted_back(back: str, game: Game) -> int | Shown:
    """Where the move stands that is the ``back``-th from the end."""
    found, count = moves(game), int(back or 1)
    if not 1 <= count <= len(found):
        return Shown((_("Il n'y a pas tant de coups."),))
    return found[-count]


def _with_seat(event: Event, at: int, game: Game) -> Event:
    """A card that is put in without a seat is that of the one whose card it stood in for."""
    return event if event.seat is not None else Event(event.verb, game.log[at].seat, event.args)


# -- what happened ------------------------------------------------------------------------------------------


def _result(text: str, _line: str, game: Game) -> Order | Shown | None:
    match = _RESULT.fullmatch(text)
    if match is None:
        return None
    event = result(game, match[1].upper(), {"p": "petit", "l": "long"}.get(match[2], match[2]))
    return _unclear(text) if event is None else _say(event)


def _of_the_record(text: str, line: str, _game: Game) -> Order | Shown | None:
    verb = text.partition(" ")[0]
    if verb not in FORMS or (verb == text and FORMS[verb].seat == "yes"):
        return None
    event = parse_event(f"{verb} {line.partition(' ')[2]}")
    if not FORMS[verb].fits(event):
        return None
    if verb == "undo":
        return Undo(0.0, 0.0, BY, (number(event.args[0]) or 0) if event.args else 1)
    return _say(event)


def _happened(text: str, _line: str, game: Game) -> Order | Shown | None:
    event = _event(text, game)
    return _say(event) if isinstance(event, Event) else event


def _event(text: str, game: Game) -> Event | Shown | None:
    """A card or a call, with its seat before it (``3 rp``, ``marie t``), behind it (``t3``), or none."""
    calls = CALLS[game.header.game]
    first, _space, rest = text.partition(" ")
    seat = int(first) if re.fullmatch("[1-9]", first) and rest else _named(first, game)
    if rest and seat is not None and 1 <= seat <= game.seats:
        said = _event(rest, game)
        return Event(said.verb, seat, said.args) if isinstance(said, Event) and said.seat is None else said
    card = card_of(text.replace(" ", ""), game)
    if card is not None:
        return card if isinstance(card, Shown) else Event("play", None, (card,))
    if text in calls:
        verb, *args = calls[text].split(" ")
        return Event(verb, None, tuple(args))
    behind = re.fullmatch(r"([a-z]+) ?([1-9])", text)
    if behind is not None and behind[1] in calls:
        verb, *args = calls[behind[1]].split(" ")
        return Event(verb, int(behind[2]), tuple(args))
    total = _TOTAL.fullmatch(text)
    if total is not None and game.header.game == "truc-y-flou":
        return Event("declare", None, (total[1],))
    call = _phrase(text, game)
    if call is None or corrects(call.text) or len(call.means) > 1:
        return None
    verb, *args = call.phrase.split(" ")
    if game.table.PACK.get(call.phrase) is not None:
        return Event("play", None, (call.phrase,))
    return Event(verb, None, tuple(args)) if verb in FORMS and verb not in SPOKEN else None


def card_of(text: str, game: Game) -> str | Shown | None:
    """A card as it is typed, in the words of the record: ``rp`` is ``Ks``. None for what looks like none."""
    pack, header = game.table.PACK, game.header
    match cards_of(header.game):
        case "numbers":
            return text if text.isdigit() and pack.get(text) is not None else None
        case "spanish":
            spanish = _SPANISH.fullmatch(text)
            if spanish is None:
                return None
            suit = "o" if spanish[2] == "d" else spanish[2]
            card = _SPANISH_RANKS.get(spanish[1], spanish[1]) + suit
            return card if pack.get(card) is not None else None
    french = _FRENCH.fullmatch(text)
    if french is None:
        return None
    rank, suit = french.groups()
    if suit == "c" and rank not in _ENGLISH:
        sentence = _("« {text} » : cœur ({rank}co), carreau ({rank}ca) ou trèfle ({rank}t) ?")
        return Shown((sentence.format(text=text, rank=rank),))
    return _RANKS.get(rank, rank) + _SUITS.get(suit, suit)


def _named(text: str, game: Game) -> int | None:
    """The seat of a player's name, or of a side of the table."""
    called = [plain(name) for name in Names(game.header).to_hear()]
    return called.index(text) + 1 if called.count(text) == 1 else None


# -- as it is said ------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _phrases(game: str, called: tuple[str, ...]) -> dict[str, Call]:
    return {plain(call.text): call for call in reversed(calls_of(game, called)) if call.phrase}


def _phrase(text: str, game: Game) -> Call | None:
    """What one would say aloud."""
    return _phrases(game.header.game, Names(game.header).to_hear()).get(text)


def _spoken(text: str, _line: str, game: Game) -> Order | Shown | None:
    """What is said to the assistant or in answer; what is said to all is an event (``_event``)."""
    call = _phrase(text, game)
    if call is None:
        return None
    verb, *args = call.phrase.split(" ")
    if game.table.PACK.get(call.phrase) is not None:  # "non, le huit de cœur"
        at = _counted_back("", game)
        at = next((i for i in reversed(moves(game)) if game.log[i].verb == "play"), at)
        return at if isinstance(at, Shown) else Rename(0.0, 0.0, BY, at, call.phrase)
    if verb == SEAT:
        seat = game.dealer if args[0] == "dealer" else int(args[0])
        latest = _counted_back("", game)
        if not corrects(call.text):
            return Reply(0.0, 0.0, BY, seat)
        return latest if isinstance(latest, Shown) else Reseat(0.0, 0.0, BY, latest, seat)
    if verb == "undo":
        return Undo(0.0, 0.0, BY)
    if verb in SPOKEN or (verb == DEALER and args != ["me"]):
        return Command(0.0, 0.0, BY, call.phrase)
    if verb in ("yes", *YES):
        return Reply(0.0, 0.0, BY, True)
    return Reply(0.0, 0.0, BY, False) if verb in ("no", *NO) else None


def _say(event: Event) -> Say:
    return Say(0.0, 0.0, BY, event)


def _unclear(text: str) -> Shown:
    return Shown((_("« {text} » : je ne comprends pas. « ? » donne tout ce qu'on peut écrire.").format(text=text),))
