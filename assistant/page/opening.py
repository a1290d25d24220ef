"""Opening the page of a table: where it is served, and what is said about it in the terminal.

On this machine alone it is plain HTTP. Opened to the room, phones take HTTPS with a certificate made on the spot; a
television that cannot pass a browser's warning watches over plain HTTP on the next port.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from assistant.i18n import N_, _
from assistant.page.addresses import addresses, is_open, names
from assistant.page.qr import qr_lines
from assistant.page.server import Listener
from engine.errors import TrutError

PORT = 8032
"""Where the page is unless said: a pack has thirty-two cards."""
TRIED = 20
"""Ports that are tried from there on."""
HERE = "127.0.0.1"
ANYWHERE = ("0.0.0.0", "::")


HOST_AND_PORT = re.compile(
    r"\[([0-9a-fA-F:.]+)\](?::(\d+))?|([^:\[\]\s]+)(?::(\d+))?|([0-9a-fA-F]*:[0-9a-fA-F]*:[0-9a-fA-F:]*)", re.ASCII
)
"""[IPv6]:PORT, HOST:PORT, IPv6 alone."""


class BadAddress(TrutError):
    """``--web`` names no address."""

    code = "bad-address"


@dataclass(frozen=True, slots=True)
class Where:
    """Where the page shall be.

    Attributes:
        host: an address of this machine, or all of them.
        port: 0 chooses one that is free, from ``PORT`` on.
    """

    host: str = HERE
    port: int = 0

    @property
    def open(self) -> bool:
        """Whether others reach it."""
        return is_open(self.host)


def where(text: str) -> Where:
    """What ``--web`` says: ``HOST:PORT``, ``HOST``, ``PORT`` or nothing.

    Raises:
        BadAddress: it is none of them.
    """
    if not text:
        return Where()
    if text.isascii() and text.isdigit():
        host, port = HERE, text
    else:
        match = HOST_AND_PORT.fullmatch(text)
        if match is None:
            raise BadAddress(N_("--web {text} : il faut HOST:PORT, par exemple 0.0.0.0:8032"), text=text)
        host = match[1] or match[3] or match[5]
        port = match[2] or match[4] or "0"
    if len(port) > 5 or int(port) > 65535:
        raise BadAddress(N_("--web {text} : le port va de 1 à 65535"), text=text)
    return Where(HERE if host == "localhost" else host, int(port))


@dataclass(frozen=True, slots=True)
class Addresses:
    """Under which addresses the page is to be had.

    Attributes:
        here: on this machine.
        safe: for phones, over HTTPS; empty where the page is not open to the room.
        plain: to watch only, over plain HTTP.
        fingerprint: of the certificate.
    """

    here: str
    safe: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    fingerprint: str | None = None

    def lines(self, code: str, view: str, out: TextIO) -> Iterator[str]:
        """What is printed: the join code stands behind ``#``, which no browser sends anywhere.

        Args:
            view: which part of the page phones begin with, empty for the board. The QR code leads to a view over plain
                HTTP: its page prepares for the browser's warning, shows the fingerprint, and hands the code on.
        """
        within = "&".join(filter(None, (view, f"code={code}")))
        if not self.safe:
            yield _("La page : {address}").format(address=f"{self.here}#{within}")
            return
        best, *others = self.safe
        yield _("La page, pour les téléphones : {address}").format(address=f"{best}#{within}")
        yield from qr_lines(f"{self.plain[0] if view else best}#{within}", out)
        for other in others:
            yield _("  ou : {address}").format(address=f"{other}#{within}")
        yield _("  Le code de la table : {code}. Qui l'a peut corriger.").format(code=code)
        yield _("  Le navigateur avertit une fois : ce certificat est fait ici. Son empreinte (SHA-256) :")
        yield f"  {self.fingerprint}"
        yield _("  Pour regarder seulement, sans avertissement : {address}").format(address=self.plain[0])
        yield _("  Sur cet ordinateur : {address}").format(address=f"{self.here}#code={code}")


@dataclass(frozen=True)
class Place:
    """Listeners of a page, and what its addresses are once they listen."""

    listeners: tuple[Listener, ...]
    hosts: tuple[str, ...]
    fingerprint: str | None = None

    def addresses(self, ports: Sequence[int]) -> Addresses:
        """The addresses, once the listeners have these ports."""
        if self.fingerprint is None:
            return Addresses(_address("http", self.hosts[0], ports[0]))
        safe = tuple(_address("https", host, ports[0]) for host in self.hosts)
        plain = tuple(_address("http", host, ports[1]) for host in self.hosts)
        return Addresses(_address("http", HERE, ports[-1]), safe, plain, self.fingerprint)


def place(asked: Where, folder: Path) -> Place:
    """How the page is served where it is asked for.

    Args:
        folder: where certificates are kept.

    Raises:
        NoCertificate: none can be kept there.
    """
    port, tries = (asked.port, 1) if asked.port else (PORT, TRIED)
    if not asked.open:
        return Place((Listener(asked.host, port, tries=tries),), (asked.host,))
    from assistant.page.certificate import certificate_for

    everywhere = asked.host in ANYWHERE
    reached = _reached(asked.host)
    certificate = certificate_for([*reached, *names(), "localhost", HERE], folder)
    beside = port + 1 if port < 65535 else port - 1
    listeners = [
        Listener(asked.host, port, certificate.path, tries=tries),
        Listener(asked.host, beside, tries=TRIED),
    ]
    if not everywhere:
        listeners.append(Listener(HERE, beside, tries=TRIED))
    return Place(tuple(listeners), tuple(reached or names() or (HERE,)), certificate.fingerprint)


def _reached(host: str) -> list[str]:
    """The addresses at which others reach who listens at ``host``; those of IPv6 only where there are no others: they
    are long, and change every day."""
    if host not in ANYWHERE:
        return [host]
    found = addresses()
    return [address for address in found if ":" not in address] or (found if host == "::" else [])


def _address(scheme: str, host: str, port: int) -> str:
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"

