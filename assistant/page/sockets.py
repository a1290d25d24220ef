"""``/live``: the newest state to everybody who watches, taps from those who may correct.

Every watcher is sent whole states, the newest there is when his connection can take one: who is slow skips some, and
nothing queues up. A tap is answered to who tapped.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.i18n import both, describe
from assistant.page.access import SMALL, Role, page_of, read_json, watch_only
from assistant.page.limits import Bucket
from assistant.page.page import AnAnswer, Page
from assistant.page.refusals import Refused

TAPS, TAPS_PER_SECOND = 60, 20
"""Messages that one socket may send at once, and then."""
TOGETHER = 0.04
"""Seconds in which changes become one state for the watchers."""
PATIENCE = 20.0
"""Seconds that a watcher may take for one message before he is let go."""
MOST_ANSWERS = 100
"""Answers that wait for one watcher."""


class Watchers:
    """Wakes all who watch when the state has changed, however many there are, with one call from the referee's
    thread."""

    def __init__(self, page: Page) -> None:
        self._loop = asyncio.get_running_loop()
        self._bells: set[asyncio.Event] = set()
        self._waiting = False
        self._stop = page.feed.listen(self._changed)

    @property
    def here(self) -> bool:
        """Whether the loop that runs is theirs."""
        return self._loop is asyncio.get_running_loop()

    def _changed(self) -> None:
        """Called from any thread, also when the server is going."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._soon)

    def _soon(self) -> None:
        if not self._waiting:
            self._waiting = True
            self._loop.call_later(TOGETHER, self._ring)

    def _ring(self) -> None:
        self._waiting = False
        for bell in self._bells:
            bell.set()

    def enter(self) -> asyncio.Event:
        bell = asyncio.Event()
        self._bells.add(bell)
        return bell

    def leave(self, bell: asyncio.Event) -> None:
        self._bells.discard(bell)

    def close(self) -> None:
        self._stop()


def watchers_of(socket: WebSocket) -> Watchers:
    """Those who watch through the loop that runs."""
    state = socket.app.state
    watchers: Watchers | None = getattr(state, "watchers", None)
    if watchers is None or not watchers.here:
        if watchers is not None:
            watchers.close()
        state.watchers = watchers = Watchers(page_of(socket))
    return watchers


async def live(socket: WebSocket) -> None:
    """One watcher, until he goes."""
    await socket.accept()
    page = page_of(socket)
    watchers = watchers_of(socket)
    bell = watchers.enter()
    one = _Watcher(socket, page, bell)
    try:
        await one.run()
    finally:
        watchers.leave(bell)


class _Watcher:
    def __init__(self, socket: WebSocket, page: Page, bell: asyncio.Event) -> None:
        self._socket, self._page, self._bell = socket, page, bell
        self._loop = asyncio.get_running_loop()
        self._answers: list[str] = []
        self._rate = Bucket(TAPS, TAPS_PER_SECOND, page.access.now)

    async def run(self) -> None:
        visitor = self._page.access.visitor(self._socket)
        hello = {"type": "hello", "role": visitor.role, "server": self._page.access.boot, "lang": self._page.lang}
        self._answers.append(json.dumps(hello))
        self._bell.set()
        sending = asyncio.create_task(self._send())
        try:
            await self._receive(sending)
        except WebSocketDisconnect:
            pass
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, TimeoutError, OSError, RuntimeError):
                await sending

    async def _send(self) -> None:
        """Answers, then the newest state; ends where the watcher takes too long."""
        shown = -1
        while True:
            await self._bell.wait()
            self._bell.clear()
            answers, self._answers = self._answers, []
            state = self._page.feed.state()
            if state.rev != shown:
                shown = state.rev
                answers.append(state.text)
            for text in answers:
                async with asyncio.timeout(PATIENCE):  # wait_for may swallow a cancellation in 3.11
                    await self._socket.send_text(text)

    async def _receive(self, sending: asyncio.Task[None]) -> None:
        while True:
            coming = asyncio.ensure_future(self._socket.receive())
            done, _pending = await asyncio.wait({coming, sending}, return_when=asyncio.FIRST_COMPLETED)
            if coming not in done:  # nothing can be sent any more
                coming.cancel()
                with suppress(asyncio.CancelledError, RuntimeError):
                    await coming
                return
            message = coming.result()
            if message["type"] == "websocket.disconnect":
                return
            if self._rate.take():
                raise Refused("Trop de messages.", "too-many-messages", 429)
            self._understand(message.get("text"))

    def _understand(self, text: str | None) -> None:
        """One message; what is none closes the socket (``Refused``)."""
        if text is None or len(text) > SMALL:
            raise Refused("Ce n'est pas un message de la page.", "bad-message", 400)
        found = read_json(text)
        if not isinstance(found, dict):
            raise Refused("Ce n'est pas un message de la page.", "bad-message", 400)
        match found.get("type"):
            case "ping":
                self._say({"type": "pong"})
            case "tap":
                self._tap(found)
            case _:
                raise Refused("Ce n'est pas un message de la page.", "bad-message", 400)

    def _tap(self, message: Mapping[str, object]) -> None:
        named = message.get("id")
        if not isinstance(named, str) or not 0 < len(named) <= 80:
            raise Refused("Ce n'est pas un message de la page.", "bad-message", 400)
        visitor = self._page.access.visitor(self._socket)
        if visitor.role is not Role.CORRECT:
            refused = watch_only()
            self._say(
                {
                    "type": "answer",
                    "id": named,
                    "ok": False,
                    "code": refused.code,
                    "text": both(lambda: describe(refused)),
                }
            )
            return
        self._page.feed.tap(message, visitor.name, self._answered)

    def _answered(self, answer: AnAnswer) -> None:
        """Called from any thread, also when the watcher has gone."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._say, answer.row())

    def _say(self, message: Mapping[str, object]) -> None:
        if len(self._answers) < MOST_ANSWERS:
            self._answers.append(json.dumps(message, ensure_ascii=False))
        self._bell.set()


def routes() -> list[BaseRoute]:
    return [WebSocketRoute("/live", live)]
