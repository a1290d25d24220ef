"""How often, and how many at once: buckets that fill again with time, and places that are taken and given back."""

from __future__ import annotations

import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST_KEYS = 4096
"""Buckets that are kept; the one unused for longest goes."""


class Bucket:
    """So many at once, then so many a second.

    Args:
        burst: how many may come at once.
        rate: how many a second come back.
        now: the clock, seconds.
    """

    def __init__(self, burst: float, rate: float, now: Callable[[], float]) -> None:
        self.burst, self.rate = burst, rate
        self._now = now
        self._left, self._at = burst, now()

    def take(self, count: float = 1.0) -> float:
        """Take ``count``, if they are there.

        Returns:
            0 where they were; else the seconds until they will be.
        """
        now = self._now()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left >= count:
            self._left -= count
            return 0.0
        return (count - self._left) / self.rate

    def give_back(self, count: float = 1.0) -> None:
        """What was taken counts no more."""
        self._left = min(self.burst, self._left + count)


class Buckets:
    """A bucket for every key, of bounded number."""

    def __init__(self, burst: float, rate: float, now: Callable[[], float]) -> None:
        self._burst, self._rate, self._now = burst, rate, now
        self._kept: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, count: float = 1.0) -> float:
        """As ``Bucket.take``, from the bucket of ``key``."""
        bucket = self._kept.get(key)
        if bucket is None:
            bucket = self._kept[key] = Bucket(self._burst, self._rate, self._now)
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEYS:
            self._kept.popitem(last=False)
        return bucket.take(count)

    def give_back(self, key: str, count: float = 1.0) -> None:
        """As ``Bucket.give_back``, to the bucket of ``key``."""
        if key in self._kept:
            self._kept[key].give_back(count)


class Places:
    """Places of which so many can be taken at once, and so many of them by one key."""

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each = most, each
        self._taken: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """How many are taken now."""
        return self._taken.total()

    def enter(self, key: str) -> bool:
        """Take a place; False where there is none. Who got one gives it back with ``leave``."""
        if self.taken >= self.most or self._taken[key] >= self.each:
            return False
        self._taken[key] += 1
        return True

    def leave(self, key: str) -> None:
        """Give a place back."""
        self._taken[key] -= 1
        if self._taken[key] <= 0:
            del self._taken[key]

    @contextmanager
    def place(self, key: str) -> Iterator[bool]:
        """``enter`` and ``leave`` around a block; gives whether there was a place."""
        entered = self.enter(key)
        try:
            yield entered
        finally:
            if entered:
                self.leave(key)


def key_of(address: str) -> str:
    """Who an address is for the limits: itself; of IPv6 its network, since whoever has one has them all."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False).network_address)
    return str(found)


def is_loopback(address: str) -> bool:
    """Whether it is this very machine."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback
