"""Window: what follows from a doubtful reading is announced a moment later, so that a better reading or a player's
correction may come first. Then only what is right is said.

The record is written at once, whatever is held back here. As soon as the game goes on nothing is held back any more:
announcements keep their order.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from assistant.acts import Act, Action, Notice, Question
from assistant.announcer import Announcement

WINDOW = 1.5
"""Seconds that an announcement waits at most."""
DOUBTFUL = 0.9
"""Chance that a card was read rightly below which what follows from it waits."""

Said = tuple[Act, list[Announcement]]
"""An act with the words for it."""


class Window:
    """Holds announcements back.

    Args:
        instead: the words for what a correction changed, without the correction itself: nobody has heard yet what
            was wrong.
    """

    def __init__(self, instead: Callable[[Notice], list[Announcement]]) -> None:
        self._instead = instead
        self._held: list[Said] = []
        self._until = math.inf

    def through(self, act: Act, words: Sequence[Announcement]) -> list[Said]:
        """What is to be said now that this happened.

        Args:
            words: the announcer's for ``act``, often none.
        """
        said = (act, list(words))
        match act:
            case Action(refused=None) if words and _doubtful(act):
                before = self._release(act.decided)
                self._held, self._until = [said], act.decided + WINDOW
                return before
            case Notice(kind="corrected") if self._held:
                return self._corrected(act)
            case Action(event=event) if event.verb == "undo" and words:
                self._held = []  # it was taken back before anybody heard it
                return [said]
            case Question():
                return [said]
        return [*self._release(act.decided), said] if words else [said]

    def due(self, clock: float) -> list[Said]:
        """What has waited long enough at ``clock``."""
        return self._release(min(clock, self._until)) if clock >= self._until else []

    def _corrected(self, notice: Notice) -> list[Said]:
        """What was held back is wrong, or stands as it is."""
        if "trick" not in notice.fields and "score" not in notice.fields:
            return self._release(notice.decided)
        self._held = []
        return [(notice, self._instead(notice))]

    def _release(self, clock: float) -> list[Said]:
        held, self._held, self._until = self._held, [], math.inf
        return [
            (act, [dataclasses.replace(words, decided=max(words.decided, clock)) for words in said])
            for act, said in held
        ]


def _doubtful(action: Action) -> bool:
    """Whether it is a card that the eyes are not sure of."""
    return action.event.verb == "play" and action.by == "camera" and action.p is not None and action.p < DOUBTFUL
