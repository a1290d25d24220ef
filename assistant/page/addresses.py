"""What this machine is called on its networks."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from starlette.requests import HTTPConnection

from assistant.page.limits import is_loopback

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
FRESH = 15.0
"""Seconds for which the addresses are believed: a laptop may join another network."""
_ELSEWHERE = ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255", "198.51.100.1")
"""Addresses on the way to which the system would go out by one of its own; nothing is sent there."""


def addresses() -> list[str]:
    """The addresses at which others reach this machine: first those of IPv4 in private networks, last IPv6."""
    found: dict[str, None] = {}
    for source in (_of_interfaces, _by_route, _by_name, _of_interfaces_6):
        with contextlib.suppress(OSError, ValueError):
            found |= dict.fromkeys(source())
    usable = [text for text in found if _is_usable(text)]
    return sorted(usable, key=lambda text: (":" in text, not ipaddress.ip_address(text).is_private))


def names() -> list[str]:
    """The names by which others may know this machine: its own, and that for its local network."""
    own = socket.gethostname().partition(".")[0].lower()
    return [own, f"{own}.local"] if own and own.isascii() and own != "localhost" else []


def knows(host: str, connection: HTTPConnection) -> bool:
    """Whether ``host``, of a request's header, is this machine. Through an address of its own that is loopback, it
    answers to no other name than those of loopback."""
    host = host.lower()
    if host in LOOPBACK:
        return True
    server = connection.scope.get("server")
    here = str(server[0]).partition("%")[0] if server else ""
    if is_loopback(here):
        return False
    bare = host.removeprefix("[").removesuffix("]").partition("%")[0]
    mapped = here.lower().removeprefix("::ffff:")
    return bare in (here, mapped) or bare in _known(int(time.monotonic() / FRESH))


@lru_cache(maxsize=1)
def _known(_when: int) -> frozenset[str]:
    return frozenset([*addresses(), *names()])


def is_open(host: str) -> bool:
    """Whether who listens at ``host`` can be reached from elsewhere."""
    return host != "localhost" and not is_loopback(host)


def _is_usable(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast)


def _of_interfaces() -> Iterator[str]:
    """The IPv4 address of every network interface, where the system tells them so (Linux)."""
    if sys.platform != "linux":
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _number, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # it has none
                told = fcntl.ioctl(asked.fileno(), 0x8915, struct.pack("256s", name.encode()[:15]))  # SIOCGIFADDR
                yield socket.inet_ntoa(told[20:24])


def _of_interfaces_6() -> Iterator[str]:
    """The same for IPv6."""
    table = Path("/proc/net/if_inet6")
    if table.is_file():
        for line in table.read_text().splitlines():
            yield str(ipaddress.ip_address(int(line.split()[0], 16).to_bytes(16, "big")))


def _by_route() -> Iterator[str]:
    """The addresses by which the system would go out."""
    for target in _ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, contextlib.suppress(OSError):
            asked.connect((target, 9))
            yield str(asked.getsockname()[0])


def _by_name() -> Iterator[str]:
    """The addresses that belong to the machine's own name."""
    for _family, _kind, _proto, _name, address in socket.getaddrinfo(socket.gethostname(), None):
        yield str(address[0]).partition("%")[0]
