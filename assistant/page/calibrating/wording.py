"""Sentences in both languages, and what goes into them."""

from __future__ import annotations

from functools import partial
from typing import Any

from assistant.calibrating.telling import ADVICE, wording
from assistant.i18n import _, both, describe
from calibration.lights import Light
from engine.errors import TrutError

Both = dict[str, str]
"""A sentence in French and in English."""


def sentence(template: str, **fields: object) -> Both:
    """A marked sentence in both languages."""
    return both(lambda: _(template).format(**fields))


def why(problem: TrutError) -> Both:
    """What an error says."""
    return both(lambda: describe(problem))


def light(one: Light) -> dict[str, Any]:
    """A traffic light for the page: its level, name, figure, and what to do about it."""
    title, figure, advice = (both(partial(_part, one, n)) for n in range(3))
    return {
        "light": one.kind,
        "level": one.level,
        "sure": one.sure,
        "title": title,
        "figure": figure,
        "advice": advice if advice["fr"] else None,
    }


def _part(one: Light, n: int) -> str:
    return wording(one)[n]


def no_cards() -> Both:
    """The lights were measured on a bare table."""
    return sentence(ADVICE["no-cards"])
