"""What may be said in the state of the game in which each call is made, for measuring with the grammar of the moment.

Games are played at random; at every state the referee's interpreter tells what it expects. Of the states in which a
call is expected, the one that expects most is taken: the hardest.
"""

from __future__ import annotations

import random
from functools import lru_cache

from assistant.interpreter import Interpreter
from engine import Accepted, Game, Header

_GAMES, _EVENTS = 12, 80


@lru_cache(maxsize=8)
def moments(game: str) -> dict[str, frozenset[str]]:
    """For every verb that was ever expected, all the verbs expected with it where that are most."""
    choose = random.Random(6)
    found: dict[str, frozenset[str]] = {}
    for _ in range(_GAMES):
        played = Game(Header(game))
        interpreter = Interpreter(played)
        for _ in range(_EVENTS):
            expected = interpreter.expected()
            for verb in expected:
                if len(expected) > len(found.get(verb, ())):
                    found[verb] = expected
            legal = played.legal()
            if not legal:
                break
            # calls are few beside the cards that may be laid: draw the verb first
            verb = choose.choice(sorted({event.verb for event in legal}))
            event = choose.choice([event for event in legal if event.verb == verb])
            if not isinstance(played.apply(event), Accepted):
                break
    return found
