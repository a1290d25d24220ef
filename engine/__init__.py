"""The truth at the table: cards, tricks, five rule systems, and the record. Standard library only.

Make a game, say what happens, and read what follows:

>>> from engine import Event, Game, Header, parse_event
>>> game = Game(Header("trut", seats=2, names={1: "Marie"}))
>>> for line in ("deal", "play 1 7h", "play 2 8h"):
...     answer = game.apply(parse_event(line))
>>> answer.outcomes
(TrickWon(n=1, team='A', seat=1, next_leader=1, cards=('7h', '8h')),)

What is not allowed is refused, with a code and a sentence, and nothing changes:

>>> game.apply(Event("play", 2, ("9h",))).code
'out-of-turn'
>>> game.turn, game.phase, game.score["A"]
(1, 'play', {'longs': 0, 'petits': 0})

Ask what may happen next, why something was decided, and take it back:

>>> [str(event) for event in game.legal()[:3]], len(game.legal())
(['trut 1', 'trut 2', 'play 1 7s'], 33)
>>> print(game.explain(answer.outcomes[0]))
pli pour l'équipe A : 7h de la place 1 est la plus forte, clause C-11
>>> game.undo().outcomes, game.turn
((Undone(count=1),), 2)

Read a record, which checks itself, and replay it:

>>> record = Record.parse("game truc\\ndeal\\nraise 1\\nrefuse 2\\nexpect score A 1 B 0\\n")
>>> result = replay(record)
>>> result.holds, result.game.score["A"]
(True, {'points': 1})
"""

from engine.cards import team_of
from engine.events import Event, parse_event
from engine.explain import Ruling
from engine.game import Game
from engine.header import BadHeader, Header
from engine.options import GAMES, OPTIONS
from engine.outcomes import (
    Accepted,
    ChallengeFolded,
    ChallengeMade,
    ChallengeTaken,
    DeclarationDue,
    Declared,
    GameWon,
    MancheWon,
    Outcome,
    PetitsConverted,
    PointsScored,
    RoundDealt,
    RoundEnded,
    ScoreSet,
    TrickRotten,
    TrickWon,
    Undone,
)
from engine.record import Line, Record, RecordError, event_line, header_lines
from engine.refusals import Refusal
from engine.replay import Replay, replay

__all__ = [
    "GAMES",
    "OPTIONS",
    "Accepted",
    "BadHeader",
    "ChallengeFolded",
    "ChallengeMade",
    "ChallengeTaken",
    "DeclarationDue",
    "Declared",
    "Event",
    "Game",
    "GameWon",
    "Header",
    "Line",
    "MancheWon",
    "Outcome",
    "PetitsConverted",
    "PointsScored",
    "Record",
    "RecordError",
    "Refusal",
    "Replay",
    "RoundDealt",
    "RoundEnded",
    "Ruling",
    "ScoreSet",
    "TrickRotten",
    "TrickWon",
    "Undone",
    "event_line",
    "header_lines",
    "parse_event",
    "replay",
    "team_of",
]
