"""Who may do what on the page.

Whoever has the link can watch. Whoever has the join code too gets a token, and can correct; a browser keeps it in a
cookie that no script can read and that no other site can send. Over plain HTTP nobody but this very machine ever gets
more than to watch: anyone in the room could read the token along.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from assistant.page.limits import Bucket, Buckets, Places, is_loopback, key_of
from assistant.page.refusals import Refused, too_large

if TYPE_CHECKING:
    from assistant.page.page import Page

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters of the join code: none that is taken for another letter or for a digit."""
LETTERS_IN_CODE = 6
"""23 to the 6th are 148 million codes; with the limits below, four hours of guessing find one in twenty thousand."""
TRIES, TRIES_PER_SECOND = 5, 1 / 12
"""Codes that one address may try at once, and then."""
ALL_TRIES, ALL_TRIES_PER_SECOND = 60, 1 / 2
"""The same for all addresses together: one alone cannot use them up, so it shuts nobody out."""
REQUESTS, REQUESTS_PER_SECOND = 3000, 150
"""Requests of one address: a whole café behind one router opens the page, two phones send pictures."""
SOCKETS, SOCKETS_EACH = 500, 400
"""Web sockets that are open at once, and those of one address."""
TOKENS = 100
"""Tokens that count; the oldest goes."""
BODY_SECONDS = 60.0
"""Seconds that a body may take to come."""
SMALL = 16 * 1024
"""Bytes that a JSON body has at most, unless said."""


class Role(StrEnum):
    """What somebody may do."""

    WATCH = "watch"
    CORRECT = "correct"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks.

    Attributes:
        role: what he may do.
        name: of his browser for as long as it is joined (``"page-3"``), empty for those who only watch.
    """

    role: Role
    name: str = ""


class Access:
    """The join code of this session, the tokens that were given for it, and the limits.

    Args:
        code: the join code; by default a new one.
        now: the clock, seconds.

    Attributes:
        boot: names this run of the server: who comes back and reads another one starts afresh.
    """

    def __init__(self, code: str | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self.code = code or new_code()
        self.boot = secrets.token_hex(8)
        self.sockets = Places(SOCKETS, SOCKETS_EACH)
        self.now = now
        self._requests = Buckets(REQUESTS, REQUESTS_PER_SECOND, now)
        self._tries = Buckets(TRIES, TRIES_PER_SECOND, now)
        self._all_tries = Bucket(ALL_TRIES, ALL_TRIES_PER_SECOND, now)
        self._tokens: dict[bytes, str] = {}
        self._joined = 0

    def visitor(self, connection: HTTPConnection) -> Visitor:
        """Who asks, by his cookie."""
        token = connection.cookies.get(cookie_of(connection))
        if token is None or not trustworthy(connection):
            return Visitor(Role.WATCH)
        digest = _digest(token)
        name = ""
        for known, its_name in list(self._tokens.items()):  # all of them, so that the time tells nothing
            if hmac.compare_digest(known, digest):
                name = its_name
        return Visitor(Role.CORRECT, name) if name else Visitor(Role.WATCH)

    def join(self, connection: HTTPConnection, code: str) -> str:
        """Exchange the join code for a token.

        Raises:
            Refused: it is another one, it was tried too often, or the connection is not secret.
        """
        if not trustworthy(connection):
            raise Refused("Pour corriger il faut l'adresse sûre, en https : celle du code QR.", "not-secret", 403)
        address = address_of(connection)
        wait = self._tries.take(key_of(address))
        if not wait and not is_loopback(address):
            wait = self._all_tries.take()
        if wait:
            raise Refused("Trop d'essais : attendez un peu.", "too-many-tries", 429, retry_after=wait)
        if not hmac.compare_digest(_plain(code).encode(), _plain(self.code).encode()):
            raise Refused("Ce n'est pas le code : il est écrit sur l'ordinateur de la table.", "wrong-code", 403)
        self._tries.give_back(key_of(address))  # who has the code guesses nothing: six friends join one after the other
        if not is_loopback(address):
            self._all_tries.give_back()
        token = secrets.token_urlsafe(32)
        self._joined += 1
        self._tokens[_digest(token)] = f"page-{self._joined}"
        while len(self._tokens) > TOKENS:
            del self._tokens[next(iter(self._tokens))]
        return token

    def leave(self, connection: HTTPConnection) -> None:
        """Forget the token of this browser."""
        token = connection.cookies.get(cookie_of(connection))
        if token is not None:
            self._tokens.pop(_digest(token), None)

    def count(self, connection: HTTPConnection) -> None:
        """A request came.

        Raises:
            Refused: too many come from its address.
        """
        wait = self._requests.take(key_of(address_of(connection)))
        if wait:
            raise Refused("Trop de demandes : attendez un peu.", "too-many-requests", 429, retry_after=wait)


def new_code() -> str:
    """A join code that can be read aloud."""
    return "".join(secrets.choice(LETTERS) for _ in range(LETTERS_IN_CODE))


def _plain(code: str) -> str:
    """A code as it counts: small letters and blanks make no difference."""
    return "".join(code.upper().split()).replace("-", "")


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()


def address_of(connection: HTTPConnection) -> str:
    """The address at the other end."""
    return connection.client.host if connection.client is not None else ""


def is_secure(connection: HTTPConnection) -> bool:
    """Whether nobody can read along on the way."""
    return connection.scope["scheme"] in ("https", "wss")


def trustworthy(connection: HTTPConnection) -> bool:
    """Whether a token may go over this connection: it is secret, or does not leave the machine."""
    return is_secure(connection) or is_loopback(address_of(connection))


def cookie_of(connection: HTTPConnection) -> str:
    """The name of the cookie: browsers share cookies between ports, so it has the port in it."""
    server = connection.scope.get("server")
    name = f"trut-{server[1] if server else 0}"
    return f"__Host-{name}" if is_secure(connection) else name


def page_of(connection: HTTPConnection) -> Page:
    """The page that is served."""
    page: Page = connection.app.state.page
    return page


Endpoint = Callable[[Request], Awaitable[Response]]


def watching(endpoint: Endpoint) -> Endpoint:
    """An endpoint for everybody who has the link."""
    return endpoint


def correcting(endpoint: Endpoint) -> Endpoint:
    """An endpoint for those who have exchanged the join code for a token."""

    @wraps(endpoint)
    async def guarded(request: Request) -> Response:
        must_correct(request)
        return await endpoint(request)

    return guarded


def must_correct(connection: HTTPConnection) -> Visitor:
    """Who asks.

    Raises:
        Refused: he may only watch.
    """
    visitor = page_of(connection).access.visitor(connection)
    if visitor.role is not Role.CORRECT:
        raise watch_only()
    return visitor


def watch_only() -> Refused:
    """He has not given the join code."""
    return Refused("Vous regardez seulement : pour corriger, donnez le code de la table.", "watch-only", 403)


async def body_of(request: Request, most: int) -> bytes:
    """The body of a request, read no further than ``most`` bytes.

    Raises:
        Refused: it is longer, or takes too long to come.
    """
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length[:20]) > most:
        raise too_large(most)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise too_large(most)
    except TimeoutError:
        raise Refused("L'envoi dure trop longtemps.", "too-slow", 408) from None
    return bytes(body)


async def json_of(request: Request, most: int = SMALL) -> object:
    """The JSON body of a request.

    Raises:
        Refused: it is too long, of another type, or no JSON.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused("Il faut du JSON (content-type: application/json).", "not-json", 415)
    return read_json(await body_of(request, most))


async def fields_of(request: Request, most: int = SMALL) -> dict[str, object]:
    """The JSON body of a request, which must be an object.

    Raises:
        Refused: it is not.
    """
    found = await json_of(request, most)
    if not isinstance(found, dict):
        raise bad_json()
    return found


def read_json(text: str | bytes) -> object:
    """JSON from the network: only what JSON is, and what can be written down again.

    Raises:
        Refused: it is something else (also nested too deep, half a surrogate, a number that is none).
    """
    try:
        if isinstance(text, bytes):
            text = text.decode()
        found: object = json.loads(text, parse_constant=_no_number)
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise bad_json() from None
    return found


def bad_json() -> Refused:
    """It cannot be understood."""
    return Refused("Ce n'est pas le JSON attendu.", "bad-json", 400)


def _no_number(name: str) -> float:
    raise ValueError(name)
