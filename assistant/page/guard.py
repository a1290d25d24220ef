"""The gate before every request and every socket, whatever lies behind it.

It lets in who calls the machine by one of its names (no other site's name can be made to point here), whose page is
ours (``Origin``), and not too many of them. It sends every answer out with the headers that keep a browser from
loading, embedding or guessing anything, and what breaks behind it goes no further: the network is told that it broke,
the table is told what.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.i18n import _
from assistant.page.access import address_of, trustworthy
from assistant.page.limits import key_of
from assistant.page.page import Page
from assistant.page.refusals import Refused, broken, response_to, too_large

LARGEST = 64 * 1024 * 1024
"""Bytes of any body; a route that reads one has a bound of its own (``access.body_of``)."""
HOST = re.compile(r"(\[[0-9a-fA-F:.]+(?:%[\w.]+)?\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?", re.ASCII)
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(self), microphone=(self), fullscreen=(self), screen-wake-lock=(self), "
    "geolocation=(), payment=(), usb=(), serial=(), display-capture=(), midi=()",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
    "connect-src 'self' {sockets}; worker-src 'self'; manifest-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""``sockets``: older Safari does not count them to ``'self'``."""


class Guard:
    """The gate.

    Args:
        app: what lies behind it.
        page: whose access it keeps.
        knows: whether a name of the header ``Host``, without its port, is one of this machine.
    """

    def __init__(self, app: ASGIApp, page: Page, knows: Callable[[str, HTTPConnection], bool]) -> None:
        self._app, self._page, self._knows = app, page, knows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        answer = _Answer(scope, send)
        connection = HTTPConnection(scope)
        try:
            self._let_in(connection)
            if scope["type"] == "http":
                await self._app(scope, _bounded(receive), answer.send)
            else:
                await self._socket(connection, receive, answer.send)
        except Refused as refused:
            await answer.refuse(refused)
        except Exception as problem:
            self._page.tell(_("la page : {what}, la partie continue").format(what=_what(problem)))
            await answer.refuse(broken())

    async def _socket(self, connection: HTTPConnection, receive: Receive, send: Send) -> None:
        with self._page.access.sockets.place(key_of(address_of(connection))) as entered:
            if not entered:
                raise Refused("Trop d'appareils regardent déjà cette table.", "full", 429, retry_after=30)
            await self._app(connection.scope, receive, send)

    def _let_in(self, connection: HTTPConnection) -> None:
        """Raises ``Refused`` for what does not come in."""
        host = connection.headers.get("host", "")
        named = HOST.fullmatch(host)
        if named is None or len(connection.headers.getlist("host")) != 1 or not self._knows(named[1], connection):
            raise Refused("Cette machine ne s'appelle pas ainsi.", "unknown-host", 421)
        scope = connection.scope
        asks = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        origin = connection.headers.get("origin")
        scheme = "https" if scope["scheme"] in ("https", "wss") else "http"
        if origin != f"{scheme}://{host}" and not (asks and origin is None):
            raise Refused("Cette demande vient d'une autre page.", "foreign-origin", 403)
        if scope["path"].startswith("/api/"):
            if connection.headers.get("sec-fetch-site", "same-origin") == "cross-site":
                raise Refused("Cette demande vient d'une autre page.", "foreign-origin", 403)
            self._page.access.count(connection)


class _Answer:
    """What goes out: with our headers, and no second answer after the first has begun."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._begun = self._over = False

    async def send(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            self._begun = True
            _protect(self._scope, MutableHeaders(scope=message))
        elif message["type"] in ("websocket.accept", "websocket.close"):
            self._begun = True
            self._over = message["type"] == "websocket.close"
        await self._send(message)

    async def refuse(self, refused: Refused) -> None:
        """Answer with a refusal, if nothing has been answered yet; a socket that is open is closed."""
        if not self._begun:
            response = response_to(refused)
            await response(self._scope, _nothing, self.send)
        elif self._scope["type"] == "websocket" and not self._over:
            code = 1011 if refused.status >= 500 else 1008
            await self.send({"type": "websocket.close", "code": code, "reason": refused.code})


def _protect(scope: Scope, headers: MutableHeaders) -> None:
    host = HTTPConnection(scope).headers.get("host", "")
    sockets = f"ws://{host} wss://{host}" if HOST.fullmatch(host) else ""
    headers.setdefault("Content-Security-Policy", POLICY.format(sockets=sockets))
    for name, value in SECURITY.items():
        headers.setdefault(name, value)
    if trustworthy(HTTPConnection(scope)):  # elsewhere a browser ignores it, and says so
        headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cache-Control", "no-store")


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


def _bounded(receive: Receive) -> Receive:
    """The body of a request, refused where it is larger than any can be."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST:
            raise too_large(LARGEST)
        return message

    return bounded


def _what(problem: Exception) -> str:
    """A fault in a few words, without anything that came from outside on a second line."""
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:200]
