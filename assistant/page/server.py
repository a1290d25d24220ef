"""Serving the page: the application, and uvicorn in a thread of its own beside the table.

Nothing of it can stop the table: the sockets are opened before the thread starts (a port that is taken is told at
once), and a server that falls is told once and started again (``assistant.care``).
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request as Request11

from assistant.care import Care, Fallen, Risen
from assistant.i18n import LANGUAGES, N_, _, describe
from assistant.page import games, house_rules, senses, sockets
from assistant.page.access import SMALL, cookie_of, fields_of, is_secure, page_of, trustworthy
from assistant.page.addresses import knows
from assistant.page.assets import Asset, assets
from assistant.page.calibrating import routes as calibrating
from assistant.page.doors import Door, PortTaken, open_door
from assistant.page.guard import Guard
from assistant.page.page import Page
from assistant.page.phone import routes as phone
from assistant.page.phone.messages import MOST_MESSAGE
from assistant.page.refusals import Refused, refuse_in_general
from assistant.page.words import texts
from engine.errors import TrutError

WAIT = 10.0
"""Seconds that the server may take to start, and to end."""
PATIENCE = 15.0
"""Seconds that the head of a request may take, and a connection without one."""
HEADERS = 16 * 1024
"""Bytes of a request's head."""
LONG_MESSAGES = {"/phone": MOST_MESSAGE}
"""Sockets that take longer messages than ``SMALL``, and the bytes of the longest."""
QUIET = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "websockets", "websockets.server", "asyncio")
"""Loggers whose lines are not for who plays cards; what matters is told in our own words."""


def routes() -> list[BaseRoute]:
    """Those of this module."""
    return [
        Route("/", _index),
        Route("/static/{name:path}", _static),
        Route("/texts/{lang}", _texts),
        Route("/api/state", _state),
        Route("/api/role", _role),
        Route("/api/join", _join, methods=["POST"]),
        Route("/api/leave", _leave, methods=["POST"]),
    ]


FEATURES: Sequence[Callable[[], list[BaseRoute]]] = (
    routes,
    sockets.routes,
    phone.routes,
    senses.routes,
    games.routes,
    calibrating.routes,
    house_rules.routes,
)
"""The parts of the page; each gives its routes."""


def create_app(page: Page) -> Starlette:
    """The application, with its gate round it."""
    app = Starlette(
        routes=[route for part in FEATURES for route in part()],
        exception_handlers={HTTPException: refuse_in_general},  # what is ``Refused`` goes to the gate
    )
    app.router.redirect_slashes = False
    app.state.page = page
    app.add_middleware(Guard, page=page, knows=knows)
    return app


async def _index(request: Request) -> Response:
    return _asset(request, "index.html")


async def _static(request: Request) -> Response:
    return _asset(request, request.path_params["name"])


def _asset(request: Request, name: str) -> Response:
    found = assets().get(name)
    if found is None:
        raise HTTPException(404)
    return found.response(request)


async def _texts(request: Request) -> Response:
    lang = request.path_params["lang"]
    if lang not in LANGUAGES:
        raise HTTPException(404)
    body = JSONResponse(dict(texts(lang))).body
    return Asset.of(bytes(body), "application/json").response(request)


async def _state(request: Request) -> Response:
    return Response(page_of(request).feed.state().text, media_type="application/json")


async def _role(request: Request) -> Response:
    page = page_of(request)
    return JSONResponse(
        {
            "role": page.access.visitor(request).role,
            "server": page.access.boot,
            "lang": page.lang,
            "secure": is_secure(request),
            "may_join": trustworthy(request),
            "https": page.https,
            "fingerprint": page.fingerprint,
        }
    )


async def _join(request: Request) -> Response:
    code = (await fields_of(request)).get("code")
    if not isinstance(code, str) or len(code) > 40:
        raise Refused("Il faut le code de la table.", "bad-request", 400)
    token = page_of(request).access.join(request, code)
    response = Response(status_code=204)
    response.set_cookie(
        cookie_of(request), token, path="/", httponly=True, samesite="strict", secure=is_secure(request)
    )
    return response


async def _leave(request: Request) -> Response:
    page_of(request).access.leave(request)
    response = Response(status_code=204)
    response.delete_cookie(
        cookie_of(request), path="/", httponly=True, samesite="strict", secure=is_secure(request)
    )
    return response


class PageStopped(TrutError):
    """The server of the page has ended though nobody asked it to."""

    code = "page-stopped"


@dataclass(frozen=True, slots=True)
class Listener:
    """Where the page is listened for.

    Attributes:
        host, port: an address of this machine, or all of them; port 0 is any that is free.
        certificate: a file with key and certificate for HTTPS, None for plain HTTP.
        tries: ports that may be tried, from ``port`` on, where others are taken.
    """

    host: str
    port: int
    certificate: Path | None = None
    tries: int = 1

    def open(self) -> Door:
        """Listen. Raises PortTaken, NoSuchAddress."""
        for port in range(self.port, self.port + self.tries - 1):
            try:
                return open_door(self.host, port)
            except PortTaken:
                continue
        return open_door(self.host, self.port + self.tries - 1)


class PageServer:
    """The page, served from a thread of its own until ``close``.

    Args:
        page: what is served.
        listeners: where. The ports are taken at once.

    Raises:
        PortTaken: another program listens there.

    Attributes:
        ports: those of the listeners, in their order.
    """

    def __init__(self, page: Page, listeners: Sequence[Listener]) -> None:
        self.page = page
        self._doors: list[Door] = []
        self._listeners: list[Listener] = []
        try:
            for listener in listeners:
                self._doors.append(listener.open())
                port = self._doors[-1].getsockname()[1]
                self._listeners.append(replace(listener, port=port, tries=1))
        except BaseException:
            self._close_doors()
            raise
        self.ports = tuple(listener.port for listener in self._listeners)
        self._care = Care("page", time.monotonic, self._tell)
        self._ready, self._closing = threading.Event(), threading.Event()
        self._servers: list[uvicorn.Server] = []
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._problem: Exception | None = None

    def start(self) -> None:
        """Serve. Raises what kept the server from starting."""
        self._thread.start()
        self._ready.wait(WAIT)
        if self._problem is not None:
            self.close()
            raise self._problem

    def close(self) -> None:
        """End the server, and wait for that; one that hangs is left behind."""
        self._closing.set()
        for server in self._servers:
            server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(WAIT)
        self._close_doors()

    def __enter__(self) -> PageServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._care(self._serve)
            self._ready.set()
            self._closing.wait(self._care.resting)

    def _serve(self) -> None:
        if not self._doors:
            self._doors = [listener.open() for listener in self._listeners]
        try:
            asyncio.run(self._serve_all())
        except Exception as problem:
            if not self._ready.is_set():
                self._problem = problem
                self._closing.set()
            raise
        finally:
            self._close_doors()
        if not self._closing.is_set():
            raise PageStopped(N_("le serveur s'est arrêté"))

    async def _serve_all(self) -> None:
        for name in QUIET:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        app = create_app(self.page)
        configs = [_config(app, listener) for listener in self._listeners]
        self._servers = [_Server(config, self._started) for config in configs]
        if self._closing.is_set():
            return
        try:
            async with asyncio.TaskGroup() as group:
                for server, door in zip(self._servers, self._doors, strict=True):
                    group.create_task(self._one(server, door))
        finally:
            watchers = getattr(app.state, "watchers", None)
            if watchers is not None:
                watchers.close()

    async def _one(self, server: uvicorn.Server, door: Door) -> None:
        """One server to its end, which is that of all."""
        try:
            await server.serve(sockets=[door])
        finally:
            for other in self._servers:
                other.should_exit = True

    def _started(self) -> None:
        if all(server.started for server in self._servers):
            self._ready.set()

    def _close_doors(self) -> None:
        for door in self._doors:
            door.close()
        self._doors = []

    def _tell(self, news: Fallen | Risen) -> None:
        if isinstance(news, Risen):
            self.page.tell(_("la page est de retour"))
        elif not self._closing.is_set():
            problem = news.problem
            what = describe(problem) if isinstance(problem, TrutError) else f"{type(problem).__name__}: {problem}"
            self.page.tell(_("la page est tombée ({what}) ; la partie continue").format(what=what))


class _Server(uvicorn.Server):
    """A server that tells when it listens."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell_started = started

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        self._tell_started()


class _Http(H11Protocol):
    """A connection that is given up where the head of a request does not come: whoever opens many and says nothing, or
    a letter at a time, would keep the places of others."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(PATIENCE, self._give_up)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._waits_for_a_head() or not self.conn.trailing_data[0]:
            self._cancel()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(PATIENCE, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    def _waits_for_a_head(self) -> bool:
        return self.transport.get_protocol() is self and self.conn.their_state is h11.IDLE

    def _give_up(self) -> None:
        self._deadline = None
        if self._waits_for_a_head():
            self.transport.close()

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class _Socket(WebSocketsSansIOProtocol):
    """A web socket whose messages are bounded by where it leads: what is longer is not even read."""

    def handle_connect(self, event: Request11) -> None:
        self.conn.max_message_size = LONG_MESSAGES.get(event.path.partition("?")[0], SMALL)
        super().handle_connect(event)


def _config(app: Starlette, listener: Listener) -> uvicorn.Config:
    certificate = {} if listener.certificate is None else {"ssl_certfile": str(listener.certificate)}
    return uvicorn.Config(
        app,
        lifespan="off",
        loop="asyncio",
        http=_Http,
        ws=_Socket,
        ws_max_size=SMALL,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        ws_per_message_deflate=False,
        h11_max_incomplete_event_size=HEADERS,
        timeout_keep_alive=int(PATIENCE),
        timeout_graceful_shutdown=1,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        backlog=256,
        **certificate,  # type: ignore[arg-type]
    )
