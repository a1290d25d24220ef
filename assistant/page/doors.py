"""The listening sockets: opened by us, and shut to whoever opens too many connections.

Every connection costs the program a file descriptor, also before a byte of it is read. The table needs some for its
record, so they are bounded here, and not first in the application.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from typing import Any

from assistant.i18n import N_
from assistant.page.limits import Places, is_loopback, key_of
from engine.errors import TrutError

CONNECTIONS, CONNECTIONS_EACH = 800, 600
"""Connections that are open at once, and those of one address: a café's guests may all have the same one."""
FILES = 4096
"""File descriptors that are asked of the system."""


class PortTaken(TrutError):
    """Another program listens there."""

    code = "port-taken"


class NoSuchAddress(TrutError):
    """This machine has no such address."""

    code = "no-such-address"


class _Visitor(socket.socket):
    """A connection that gives its place back when it is closed."""

    place: tuple[Places, str] | None = None

    def close(self) -> None:
        if self.place is not None:
            places, key = self.place
            self.place = None
            places.leave(key)
        super().close()


class Door(socket.socket):
    """A listening socket that lets in as many as there are places."""

    places: Places

    def accept(self) -> tuple[socket.socket, Any]:
        """As ``socket.accept``; a visitor for whom there is no place is shut out, and nobody came."""
        handle, address = self._accept()  # type: ignore[attr-defined]
        visitor = _Visitor(self.family, self.type, self.proto, fileno=handle)
        key = key_of(str(address[0]))
        if is_loopback(key):  # this machine's own pages always find room
            return visitor, address
        if not self.places.enter(key):
            visitor.close()
            raise BlockingIOError
        visitor.place = self.places, key
        return visitor, address


def open_door(host: str, port: int, places: Places | None = None) -> Door:
    """Listen at ``host``: an address, ``0.0.0.0`` or ``::`` for all of the machine's.

    Args:
        port: 0 is any that is free.
        places: by default ``CONNECTIONS`` of its own.

    Raises:
        PortTaken: another program listens there.
        NoSuchAddress: the machine has no such address.
    """
    _allow_files()
    try:
        family, kind, proto, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise NoSuchAddress(N_("« {host} » n'est pas une adresse de cette machine"), host=host) from None
    door = Door(family, kind, proto)
    door.places = places or Places(CONNECTIONS, CONNECTIONS_EACH)
    try:
        if os.name == "posix":
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        elif hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            door.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        if family == socket.AF_INET6:
            with contextlib.suppress(OSError):  # :: means the old addresses too, where the system can
                door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        door.bind(address)
        door.listen(256)
        door.setblocking(False)
    except OSError as problem:
        door.close()
        why = problem.strerror or str(problem)
        if problem.errno in _NOT_OURS:
            raise NoSuchAddress(N_("« {host} » n'est pas une adresse de cette machine"), host=host) from None
        raise PortTaken(
            N_("le port {port} de {host} est pris ({why}) ; --web HOST:PORT en choisit un autre"),
            host=host,
            port=port,
            why=why,
        ) from None
    return door


def _not_ours() -> frozenset[int]:
    import errno

    return frozenset({errno.EADDRNOTAVAIL, getattr(errno, "WSAEADDRNOTAVAIL", errno.EADDRNOTAVAIL)})


_NOT_OURS = _not_ours()


def _allow_files() -> None:
    """Two hundred watchers and the table are more files than some systems allow unasked."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
