"""Whose hand is over the table: what a knock needs to know, since a microphone cannot tell."""

from __future__ import annotations

from vision.events import HandGone, HandSeen

NEAR = 0.4
"""Seconds by which a hand may come late or leave early in the pictures and still be the hand that knocked."""
KEEP = 30.0
"""Seconds after which a hand that left is forgotten."""


class Hands:
    """The intervals during which a hand of each seat was over the table."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, float, float | None]] = []

    def accept(self, observation: HandSeen | HandGone) -> None:
        if observation.seat is None:
            return
        if isinstance(observation, HandSeen):
            if not any(seat == observation.seat and end is None for seat, _, end in self._spans):
                self._spans.append((observation.seat, observation.t, None))
        else:
            self._spans = [
                (seat, start, observation.t if seat == observation.seat and end is None else end)
                for seat, start, end in self._spans
            ]
        self._spans = [span for span in self._spans if span[2] is None or span[2] > observation.t - KEEP]

    def at(self, t: float) -> tuple[int, ...]:
        """Seats whose hand was over the table at ``t``, the one that came last first; if none was, those
        whose hand was there within ``NEAR`` seconds."""
        return self._within(t, 0.0) or self._within(t, NEAR)

    def gone_after(self, t: float) -> float | None:
        """When the last of the hands that were over the table at ``t`` left; None while one is still there.
        ``t`` itself if none was there."""
        ends = [
            end for _, start, end in self._spans if start - NEAR <= t and (end is None or t <= end + NEAR)
        ]
        return None if None in ends else max([t, *(end for end in ends if end is not None)])

    def during(self, since: float, until: float) -> tuple[int, ...]:
        """Seats whose hand was over the table at some time between ``since`` and ``until``."""
        there = {seat for seat, start, end in self._spans if start <= until and (end is None or end >= since)}
        return tuple(sorted(there))

    def came(self, seat: int, since: float, until: float) -> list[tuple[float, float]]:
        """The visits (start, end) of one seat that began between ``since`` and ``until``; one that still lasts ends
        at ``until``."""
        return [
            (start, until if end is None else end)
            for who, start, end in self._spans
            if who == seat and since <= start <= until
        ]

    def visits(self, since: float, until: float) -> list[tuple[int, float, float]]:
        """Hands that came after ``since`` and left before ``until``, the latest first: (seat, start, end)."""
        ended = [
            (seat, start, end)
            for seat, start, end in self._spans
            if start >= since and end is not None and end <= until
        ]
        return sorted(ended, key=lambda span: -span[1])

    def _within(self, t: float, slack: float) -> tuple[int, ...]:
        spans = [
            (start, seat)
            for seat, start, end in self._spans
            if start - slack <= t and (end is None or t <= end + slack)
        ]
        return tuple(dict.fromkeys(seat for _, seat in sorted(spans, reverse=True)))
