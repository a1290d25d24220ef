"""A QR code in the terminal, to be read by a phone from the screen."""

from __future__ import annotations

import os
from typing import TextIO

import segno

MARGIN = 2
"""Light modules round the code; readers want some."""
HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
"""Two modules one above the other, dark ones drawn."""
ON_WHITE, BLACK, WHITE, OFF = "\x1b[30;107m", "\x1b[40m", "\x1b[107m", "\x1b[0m"


def qr_lines(text: str, out: TextIO) -> list[str]:
    """A QR code for ``out``: half blocks where it can write them, else coloured blanks, twice as large; none where it
    is no terminal, or one without colours. Black on white whatever the colours of the terminal, as readers expect.
    """
    if not out.isatty() or os.environ.get("TERM") == "dumb":
        return []
    if os.name == "nt":
        os.system("")  # switches the colours of an old console on
    rows = [[bool(module) for module in row] for row in segno.make_qr(text, error="l").matrix_iter(border=MARGIN)]
    try:
        "".join(HALVES.values()).encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ["".join(f"{BLACK if dark else WHITE}  " for dark in row) + OFF for row in rows]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [ON_WHITE + "".join(HALVES[two] for two in zip(*pair, strict=True)) + OFF for pair in pairs]
