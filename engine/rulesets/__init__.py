"""The five games, one file each. ``ruleset_of`` finds the one that a record names."""

from __future__ import annotations

from engine.header import Header
from engine.rulesets.truc import Truc
from engine.rulesets.truc_y_flou import TrucYFlou
from engine.rulesets.trut import Trut
from engine.rulesets.trut_gatine import TrutGatine
from engine.rulesets.trut_robin_red import TrutRobinRed
from engine.table import Table

RULESETS: dict[str, type[Table]] = {
    "trut": Trut,
    "trut-gatine": TrutGatine,
    "trut-robin-red": TrutRobinRed,
    "truc": Truc,
    "truc-y-flou": TrucYFlou,
}


def ruleset_of(header: Header) -> Table:
    """A fresh table that plays by the rules of ``header.game``."""
    return RULESETS[header.game](header)
