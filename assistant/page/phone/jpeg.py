"""What a JPEG says of itself in its header, so that nothing is decoded that is not a picture of a sensible size."""

from __future__ import annotations

MOST_BYTES = 1 << 20
"""A picture of 1280 x 720 has 60 to 250 thousand."""
MOST_PIXELS = 4096
"""A side."""
LEAST_PIXELS = 64
MOST_SCANS = 20
"""A progressive picture is sent in some ten scans; each is a pass over all pixels, and thousands would fit."""

_FRAMES = {0xC0, 0xC1, 0xC2}
"""Baseline, extended, progressive: what decoders read."""
_OTHER_FRAMES = {0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
_START, _END, _SCAN = 0xD8, 0xD9, 0xDA


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG in pixels; None where it is none, or one that is not worth decoding: too large, too
    small, lossless, with other than one or three colours, with too many scans."""
    if len(data) > MOST_BYTES or data[:2] != b"\xff\xd8" or data.count(b"\xff\xda") > MOST_SCANS:
        return None
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:  # filling
            at += 1
            continue
        if marker in _FRAMES:
            return _sides(data[at + 4 : at + 10])
        length = int.from_bytes(data[at + 2 : at + 4])
        if marker in _OTHER_FRAMES or marker in (0, _START, _END, _SCAN) or length < 2:
            return None
        at += 2 + length
    return None


def _sides(header: bytes) -> tuple[int, int] | None:
    if len(header) < 6:
        return None
    bits, height, width, colours = header[0], int.from_bytes(header[1:3]), int.from_bytes(header[3:5]), header[5]
    sensible = bits == 8 and colours in (1, 3)
    if sensible and LEAST_PIXELS <= width <= MOST_PIXELS and LEAST_PIXELS <= height <= MOST_PIXELS:
        return width, height
    return None
