"""The ways by which a phone sends: a web socket, or plain uploads where its browser refuses one.

``/phone`` takes the texts and bytes of ``assistant.page.phone.messages`` and answers with texts. The uploads take the
same: ``POST /api/phone/begin`` gives a word, under which ``/tell`` takes texts, ``/picture`` a JPEG and ``/sound``
samples; each answer carries what the phone is told meanwhile. What cannot be understood closes the socket, or is
answered with a refusal; nothing of it reaches the table.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.i18n import N_
from assistant.page.access import body_of, correcting, fields_of, must_correct, page_of, read_json, watching
from assistant.page.phone.jpeg import MOST_BYTES
from assistant.page.phone.messages import (
    MOST_MESSAGE,
    MOST_SOUND,
    MOST_TEXT,
    BadPhoneData,
    Begin,
    numbers_of,
    picture,
    sound,
    told,
    unpacked,
)
from assistant.page.phone.phone import Message, NotWanted, Phone, Sender, Taken, TooMany, UnknownSender
from assistant.page.refusals import Refused

BEGINNING = 10.0
"""Seconds that an open socket may take to say what it is."""
SILENCE = 20.0
"""Seconds without a word after which a phone's socket is closed."""
PATIENCE = 10.0
"""Seconds that a phone may take for one message."""
MANY = 50
"""Messages beyond its allowance that a socket may send before it is closed."""


def routes() -> list[BaseRoute]:
    return [
        WebSocketRoute("/phone", socket),
        Route("/api/phone", status),
        Route("/api/phone/begin", begin, methods=["POST"]),
        Route("/api/phone/tell", tell, methods=["POST"]),
        Route("/api/phone/picture", upload_picture, methods=["POST"]),
        Route("/api/phone/sound", upload_sound, methods=["POST"]),
    ]


def phone_of(connection: Request | WebSocket) -> Phone:
    """The phone's place at this table. Raises Refused where there is none."""
    phone: Phone | None = page_of(connection).phone
    if phone is None:
        raise refused(NotWanted(N_("la table n'attend pas de téléphone : lancez-la avec --camera phone")))
    return phone


def refused(problem: BadPhoneData) -> Refused:
    """What the page answers to it."""
    return Refused(problem.template, problem.code, problem.status, retry_after=None, **problem.fields)


@watching
async def status(request: Request) -> Response:
    """What a phone is wanted for, and how the one that sends is doing; where the page is secure."""
    page = page_of(request)
    phone: Phone | None = page.phone
    about: dict[str, Any] = {"camera": "none", "microphone": "none"} if phone is None else phone.status()
    about["https"], about["fingerprint"] = getattr(page, "https", None), getattr(page, "fingerprint", None)
    return JSONResponse(about)


# -- the socket ------------------------------------------------------------------------------------------------------


async def socket(socket: WebSocket) -> None:
    """One phone, until it goes."""
    must_correct(socket)
    phone = phone_of(socket)
    await socket.accept()
    await _Connection(socket, phone).run()


class _Connection:
    """A phone's socket. Messages for it may be left in any thread."""

    def __init__(self, socket: WebSocket, phone: Phone) -> None:
        self._socket, self._phone = socket, phone
        self._loop = asyncio.get_running_loop()
        self._messages: deque[Message] = deque(maxlen=100)
        self._bell = asyncio.Event()
        self._sender: Sender | None = None
        self._too_many = 0

    async def run(self) -> None:
        sending = asyncio.create_task(self._send())
        try:
            await self._receive(sending)
        except WebSocketDisconnect:
            pass
        except BadPhoneData as problem:
            raise refused(problem) from None
        finally:
            if self._sender is not None:
                self._phone.leave(self._sender)
            sending.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, TimeoutError, OSError, RuntimeError):
                await sending

    def post(self, message: Message) -> None:
        """Leave a message for the phone."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._leave, message)

    def _leave(self, message: Message) -> None:
        self._messages.append(message)
        self._bell.set()

    async def _send(self) -> None:
        while True:
            await self._bell.wait()
            self._bell.clear()
            while self._messages:
                message = self._messages.popleft()
                async with asyncio.timeout(PATIENCE):  # wait_for may swallow a cancellation in 3.11
                    await self._socket.send_text(json.dumps(message, ensure_ascii=False))
                if message["type"] in ("over", "replaced"):
                    await self._socket.close(1000, str(message["type"]))
                    return

    async def _receive(self, sending: asyncio.Task[None]) -> None:
        while True:
            coming = asyncio.ensure_future(self._socket.receive())
            patience = SILENCE if self._sender is not None else BEGINNING
            done, _ = await asyncio.wait({coming, sending}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if coming not in done:  # nothing can be sent any more, or nothing came
                coming.cancel()
                with suppress(asyncio.CancelledError, RuntimeError, WebSocketDisconnect):
                    await coming
                if not done:
                    raise Refused("Le téléphone ne dit plus rien.", "silent", 408)
                return
            message = coming.result()
            if message["type"] == "websocket.disconnect":
                return
            must_correct(self._socket)  # he may have left meanwhile
            try:
                self._take(message.get("text"), message.get("bytes"))
            except TooMany:
                self._too_many += 1
                if self._too_many > MANY:
                    raise

    def _take(self, text: str | None, data: bytes | None) -> None:
        if data is not None and self._sender is not None:
            if len(data) > MOST_MESSAGE:
                raise BadPhoneData(N_("le téléphone a envoyé ce que l'arbitre ne comprend pas"))
            answer = self._sender.came(unpacked(data))
            if answer is not None:
                self._leave(answer)
            return
        if text is None or len(text) > MOST_TEXT:
            raise BadPhoneData(N_("le téléphone a envoyé ce que l'arbitre ne comprend pas"))
        meant = told(read_json(text))
        if isinstance(meant, Begin):
            self._begin(meant)
        elif self._sender is not None:
            self._sender.told(meant)
        else:
            raise BadPhoneData(N_("le téléphone a envoyé ce que l'arbitre ne comprend pas"))

    def _begin(self, begin: Begin) -> None:
        try:
            sender = self._phone.join(begin, self.post)
        except (Taken, NotWanted) as problem:  # the person is asked
            self._leave({"type": "refused", "code": problem.code})
            return
        self._sender = sender
        self._leave(sender.ready())


# -- uploads ---------------------------------------------------------------------------------------------------------


@correcting
async def begin(request: Request) -> Response:
    """A phone that uploads begins: ``{"sender": word, "messages": […]}``."""
    phone = phone_of(request)
    try:
        meant = told({**await fields_of(request, MOST_TEXT), "type": "begin"})
        assert isinstance(meant, Begin)
        word, sender = phone.join_uploading(meant)
    except BadPhoneData as problem:
        raise refused(problem) from None
    return JSONResponse({"sender": word, "messages": [dict(sender.ready())]})


@correcting
async def tell(request: Request) -> Response:
    """A text message of a phone that uploads."""
    phone, message = phone_of(request), await fields_of(request, MOST_TEXT)
    try:
        sender, waiting = phone.uploader(_word(request))
        meant = told(message)
        if not isinstance(meant, Begin):
            sender.told(meant)
    except BadPhoneData as problem:
        raise refused(problem) from None
    return _messages(waiting)


@correcting
async def upload_picture(request: Request) -> Response:
    """A JPEG; its number, moment and how many were left out before it are in the address."""
    _must_be(request, "image/jpeg")
    phone, jpeg = phone_of(request), await body_of(request, MOST_BYTES)
    try:
        sender, waiting = phone.uploader(_word(request))
        number, taken, left_out = numbers_of(request.query_params, "n", "taken", "left_out")
        answer = sender.came(picture(number, taken, left_out, jpeg))
    except BadPhoneData as problem:
        raise refused(problem) from None
    return _messages(waiting, answer)


@correcting
async def upload_sound(request: Request) -> Response:
    """Samples of 16 bits; take, number, moment and number of the first sample are in the address."""
    _must_be(request, "application/octet-stream")
    phone, samples = phone_of(request), await body_of(request, MOST_SOUND)
    try:
        sender, waiting = phone.uploader(_word(request))
        take, number, ended, first = numbers_of(request.query_params, "take", "n", "ended", "first")
        sender.came(sound(take, number, ended, first, samples))
    except BadPhoneData as problem:
        raise refused(problem) from None
    return _messages(waiting, {"type": "heard", "n": int(number)})


def _word(request: Request) -> str:
    word = request.query_params.get("sender", "")
    if not 0 < len(word) <= 64:
        raise UnknownSender(N_("ce téléphone n'est plus celui de la table"))
    return word


def _must_be(request: Request, kind: str) -> None:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != kind:
        raise Refused("Il faut « {kind} ».", "wrong-type", 415, kind=kind)


def _messages(waiting: deque[Message], *more: Message | None) -> Response:
    messages = [dict(message) for message in more if message is not None]
    while waiting:
        messages.append(dict(waiting.popleft()))
    return JSONResponse({"messages": messages})
