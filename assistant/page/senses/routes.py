"""``/senses``, the socket of those who look, and the picture behind a reading. Only for those who may correct."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.i18n import both, describe
from assistant.page.access import Role, correcting, must_correct, page_of, read_json
from assistant.page.limits import Bucket
from assistant.page.page import Page
from assistant.page.refusals import Refused
from assistant.page.senses.onlooker import Onlooker
from assistant.page.senses.senses import Senses

SMALL = 1024
"""Bytes of a message from an onlooker."""
WORDS, WORDS_PER_SECOND = 40, 10
"""Messages that one may send at once, and then."""
PATIENCE = 20.0
"""Seconds that he may take for one message before he is let go."""
LARGEST = 100_000
"""Pixels of a screen's width that are believed."""
TRY_LATER, GOING = 1013, 1001


def routes() -> list[BaseRoute]:
    """Those of this module."""
    return [WebSocketRoute("/senses", look), Route("/api/card/{event}.jpg", card)]


def senses_of(page: Page) -> Senses:
    """Raises ``Refused`` where nobody watches or listens through this page."""
    if not isinstance(page.senses, Senses):
        raise Refused("Il n'y a ici ni image ni son à montrer.", "no-senses", 404)
    return page.senses


@correcting
async def card(request: Request) -> Response:
    """The picture behind the reading of a card."""
    picture = senses_of(page_of(request)).card(request.path_params["event"])
    if picture is None:
        raise Refused("Il n'y a pas, ou plus, de photo de cette carte.", "no-picture", 404)
    return Response(picture, media_type="image/jpeg")


async def look(socket: WebSocket) -> None:
    """One onlooker, until he goes."""
    must_correct(socket)
    senses = senses_of(page_of(socket))
    await socket.accept()
    loop, bell = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the server is going
            loop.call_soon_threadsafe(bell.set)

    one = senses.enter(wake)
    if one is None:
        full = Refused("Trop d'appareils regardent déjà par ici ; réessayez plus tard.", "full", 429)
        await socket.send_text(
            json.dumps({"type": "refused", "error": full.code, "text": both(lambda: describe(full))})
        )
        await socket.close(TRY_LATER, full.code)
        return
    try:
        await _Look(socket, senses, one, bell).run()
    finally:
        senses.leave(one)


class _Look:
    def __init__(self, socket: WebSocket, senses: Senses, one: Onlooker, bell: asyncio.Event) -> None:
        self._socket, self._senses, self._one, self._bell = socket, senses, one, bell
        self._access = page_of(socket).access
        self._rate = Bucket(WORDS, WORDS_PER_SECOND, self._access.now)

    async def run(self) -> None:
        sending = asyncio.create_task(self._send())
        listening = asyncio.create_task(self._listen())
        done, pending = await asyncio.wait({sending, listening}, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        for task in done:
            with suppress(WebSocketDisconnect, TimeoutError, OSError, RuntimeError):
                task.result()

    async def _send(self) -> None:
        """What waits, as fast as he takes it."""
        while True:
            await self._bell.wait()
            self._bell.clear()
            if self._access.visitor(self._socket).role is not Role.CORRECT:
                await self._socket.close(1008, "watch-only")
                return
            texts, levels, picture = self._one.take()
            if levels:
                texts.append(json.dumps({"type": "level", "levels": levels}, separators=(",", ":")))
            async with asyncio.timeout(PATIENCE):
                for text in texts:
                    await self._socket.send_text(text)
                if picture is not None:
                    await self._socket.send_bytes(picture)
            if self._senses.closed:
                await self._socket.close(GOING, "closed")
                return

    async def _listen(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if self._rate.take():
                raise Refused("Trop de messages.", "too-many-messages", 429)
            self._understand(message.get("text"))

    def _understand(self, text: str | None) -> None:
        """One message; what is none closes the socket (``Refused``)."""
        found = read_json(text) if text is not None and len(text) <= SMALL else None
        match found:
            case {"type": "got", "n": int(n)}:
                self._one.got(n, self._senses.clock())
            case {"type": "want", "width": int(width)} if 0 < width <= LARGEST:
                self._one.wants(width)
            case _:
                raise Refused("Ce n'est pas un message de la page.", "bad-message", 400)
