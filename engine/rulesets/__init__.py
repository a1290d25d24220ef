"""The five games, one file each. ``ruleset_of`` finds the one that a record names."""

from __future__ import annotations

from engine.header import BadHeader, Header
from engine.rulesets.trut import Trut
from engine.table import Table

RULESETS: dict[str, type[Table]] = {"trut": Trut}


def ruleset_of(header: Header) -> Table:
    """A fresh table that plays by the rules of ``header.game``."""
    try:
        return RULESETS[header.game](header)
    except KeyError:
        raise BadHeader("les règles de {game} ne sont pas encore écrites", game=header.game) from None
