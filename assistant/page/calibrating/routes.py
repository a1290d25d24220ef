"""The routes of the calibration panels; all of them are for those who have the join code."""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from assistant.i18n import N_, in_language
from assistant.page.access import body_of, correcting, fields_of, page_of
from assistant.page.calibrating import deck as decks
from assistant.page.calibrating import hearing
from assistant.page.calibrating import table as tables
from assistant.page.calibrating.deck import DeckLesson
from assistant.page.calibrating.desk import Desk, Lesson
from assistant.page.calibrating.errors import Busy, Exists, Incomplete, NoCamera, NoLesson, NoMicrophone, NoTable
from assistant.page.calibrating.hearing import KnocksLesson, VoicesLesson
from assistant.page.calibrating.table import SitLesson
from assistant.page.calibrating.taps import NO_CAMERA
from assistant.page.calibrating.wording import why
from assistant.page.page import Page
from assistant.page.refusals import Refused
from engine.errors import TrutError
from vision.decks import PATTERNS

STATUS: dict[type[TrutError], int] = {
    Busy: 409,
    Exists: 409,
    Incomplete: 409,
    NoTable: 409,
    NoLesson: 404,
    NoCamera: 409,
    NoMicrophone: 409,
}
"""Statuses of problems; all others are things that cannot be (422)."""
NO_MICROPHONE = N_("aucun son ne vient : branchez le micro, ou ouvrez la page sur le téléphone qui écoute la table")

Endpoint = Callable[[Request], Awaitable[Response]]


def routes() -> list[BaseRoute]:
    """Those of the four panels."""
    return [
        Route("/api/table", _table),
        Route("/api/table/picture.jpg", _picture),
        Route("/api/table/seen.jpg", _seen),
        Route("/api/table/find", _find, methods=["POST"]),
        Route("/api/table/move", _move, methods=["POST"]),
        Route("/api/table/look", _look, methods=["POST"]),
        Route("/api/table/save", _save, methods=["POST"]),
        Route("/api/table/sit", _sit, methods=["POST"]),
        Route("/api/deck", _deck),
        Route("/api/deck/begin", _deck_begin, methods=["POST"]),
        Route("/api/deck/watch", _deck_watch, methods=["POST"]),
        Route("/api/deck/ask", _deck_ask, methods=["POST"]),
        Route("/api/deck/picture", _deck_picture, methods=["POST"]),
        Route("/api/deck/pack", _deck_pack, methods=["POST"]),
        Route("/api/deck/name", _deck_name, methods=["POST"]),
        Route("/api/deck/use", _deck_use, methods=["POST"]),
        Route("/api/deck/card.jpg", _deck_card),
        Route("/api/knocks", _knocks),
        Route("/api/knocks/begin", _knocks_begin, methods=["POST"]),
        Route("/api/voices", _voices),
        Route("/api/voices/begin", _voices_begin, methods=["POST"]),
        Route("/api/voices/skip", _voices_skip, methods=["POST"]),
        Route("/api/voices/forget", _voices_forget, methods=["POST"]),
        Route("/api/lesson", _lesson),
        Route("/api/lesson/stop", _stop, methods=["POST"]),
    ]


def desk_route(endpoint: Endpoint) -> Endpoint:
    """An endpoint for those who may correct; what cannot be is said in both languages."""

    @wraps(endpoint)
    async def guarded(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused:
            raise
        except TrutError as problem:
            status = next((code for kind, code in STATUS.items() if isinstance(problem, kind)), 422)
            raise Refused(problem.template, problem.code, status, retry_after=None, **problem.fields) from problem

    made: Endpoint = correcting(guarded)
    return made


def _json(found: object, status: int = 200) -> JSONResponse:
    return JSONResponse(found, status_code=status, headers={"Cache-Control": "no-store"})


def _jpeg(data: bytes) -> Response:
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


def _bad() -> Refused:
    return Refused(N_("Cette demande n'est pas complète."), "bad-request", 400)


def _desk(request: Request) -> Desk:
    desk: Desk | None = page_of(request).desk
    if desk is None:
        raise Refused(N_("Cette table ne se prépare pas sur la page."), "no-desk", 404)
    return desk


def _game(request: Request) -> dict[str, Any]:
    """What the board shows of the game: seats, pack, names of the players."""
    state: dict[str, Any] = json.loads(page_of(request).feed.state().text)
    return state


def _names(state: dict[str, Any]) -> dict[int, str]:
    return {player["seat"]: player["name"] for player in state["players"] if player.get("given")}


class Pause:
    """Makes the referee pause by a tap, like a person; who had paused before goes on pausing afterwards."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._ours = False

    def __call__(self, on: bool) -> None:
        if on:
            self._ours = not json.loads(self._page.feed.state().text).get("paused")
        if self._ours:
            tap = {"type": "tap", "id": secrets.token_hex(8), "do": "pause" if on else "resume"}
            self._page.feed.tap(tap, "desk", lambda answer: None)


def _word(fields: dict[str, object], key: str, most: int = 200) -> str:
    found = fields.get(key)
    if not isinstance(found, str) or len(found) > most:
        raise _bad()
    return found


def _number(fields: dict[str, object], key: str) -> int:
    found = fields.get(key)
    if not isinstance(found, int) or isinstance(found, bool) or not -(10**6) < found < 10**6:
        raise _bad()
    return found


def _told(desk: Desk, lesson: Lesson) -> dict[str, Any]:
    """How a lesson is going; its problem in both languages."""
    state = dict(lesson.state())
    problem = state.get("problem")
    if problem is not None:
        state["problem"] = why(problem)
    return {"kind": lesson.kind, "over": desk.ended(lesson), "state": state}


# -- the table -------------------------------------------------------------------------------------------------------


@desk_route
async def _table(request: Request) -> Response:
    from assistant import settings
    from calibration.profile import saved_profiles

    desk = _desk(request)
    size = desk.table.size()
    try:
        name = settings.load().text("table.profile")
    except TrutError:
        name = None
    seats = _game(request)["game"]["seats"]
    setup = await run_in_threadpool(tables.kept, name, seats, size)
    return _json(
        {
            "camera": _camera_of(desk),
            "microphone": _microphone_of(desk),
            "size": None if size is None else list(size),
            "live": desk.live,
            "calibrated": desk.of_eyes("zone") is not None,
            "profile": name,
            "profiles": saved_profiles(),
            "setup": None if setup is None else tables.told(setup),
            "lesson": desk.doing(),
        }
    )


def _camera_of(desk: Desk) -> str:
    if desk.frames.newest is not None:
        return "on"
    return "lost" if desk.has_eyes else "none"


def _microphone_of(desk: Desk) -> str:
    if desk.sounds.on:
        return "on"
    return "lost" if desk.has_ears else "none"


@desk_route
async def _picture(request: Request) -> Response:
    whole = request.query_params.get("whole") == "1"
    panel, now = _desk(request).table, page_of(request).access.now()
    return _jpeg(await run_in_threadpool(lambda: panel.picture(whole=whole, now=now)))


@desk_route
async def _seen(request: Request) -> Response:
    number, data = _desk(request).picture_of_the_lights
    if request.query_params.get("n") != str(number) or not data:
        raise Refused(N_("Cette image n'est plus là : regardez la table à nouveau."), "not-found", 404)
    return _jpeg(data)


@desk_route
async def _find(request: Request) -> Response:
    seats, desk = _number(await fields_of(request), "seats"), _desk(request)
    return _json(await run_in_threadpool(desk.look_alone, lambda: desk.table.find(seats)))


@desk_route
async def _move(request: Request) -> Response:
    fields = await fields_of(request)
    setup = tables.setup_of(fields.get("setup"))
    return _json({"setup": tables.told(tables.moved(setup, fields.get("change")))})


@desk_route
async def _look(request: Request) -> Response:
    fields, desk = await fields_of(request), _desk(request)
    setup, names = tables.setup_of(fields.get("setup")), _names(_game(request))

    def look() -> dict[str, Any]:
        with in_language("en" if fields.get("lang") == "en" else "fr"):  # the cards' names in the picture
            return desk.table.look(setup, names)

    return _json(await run_in_threadpool(desk.look_alone, look))


@desk_route
async def _save(request: Request) -> Response:
    fields = await fields_of(request)
    name, setup = _word(fields, "name"), tables.setup_of(fields.get("setup"))
    seats, over = _game(request)["game"]["seats"], fields.get("replace") is True
    desk = _desk(request)
    desk.must_be_live()
    saved = await run_in_threadpool(desk.look_alone, lambda: desk.table.save(name, setup, over=over, seats=seats))
    return _json({"profile": saved.profile.name, "effect": saved.effect, "remembered": saved.remembered})


@desk_route
async def _sit(request: Request) -> Response:
    setup = tables.setup_of((await fields_of(request)).get("setup"))
    desk = _desk(request)
    if desk.frames.newest is None:
        raise NoCamera(NO_CAMERA)
    return await _begun(request, SitLesson(setup))


async def _begun(request: Request, lesson: Lesson) -> Response:
    desk, page = _desk(request), page_of(request)
    name = await run_in_threadpool(lambda: desk.begin(lesson, Pause(page)))
    return _json({"lesson": name, **_told(desk, lesson)})


@desk_route
async def _lesson(request: Request) -> Response:
    """How a lesson is going; who began it keeps it going by asking."""
    desk = _desk(request)
    return _json(_told(desk, desk.lesson(request.query_params.get("lesson", ""))))


@desk_route
async def _stop(request: Request) -> Response:
    name = _word(await fields_of(request), "lesson")
    await run_in_threadpool(_desk(request).stop, name)
    return Response(status_code=204)


# -- the deck --------------------------------------------------------------------------------------------------------


@desk_route
async def _deck(request: Request) -> Response:
    game = _game(request)["game"]
    known = await run_in_threadpool(decks.known_decks)
    camera = _camera_of(_desk(request))
    return _json({"decks": known, "patterns": list(PATTERNS), "pack": game["pack"], "camera": camera})


def _deck_lesson(request: Request, fields: dict[str, object]) -> DeckLesson:
    lesson = _desk(request).lesson(_word(fields, "lesson"))
    if not isinstance(lesson, DeckLesson) or _desk(request).ended(lesson):
        raise NoLesson(N_("cette leçon est finie"))
    return lesson


@desk_route
async def _deck_begin(request: Request) -> Response:
    fields = await fields_of(request)
    name, like = _word(fields, "name"), _word(fields, "like")
    replace, more = fields.get("replace") is True, fields.get("more") is True
    lesson = await run_in_threadpool(lambda: decks.opened(name, like, replace=replace, more=more))
    return await _begun(request, lesson)


@desk_route
async def _deck_watch(request: Request) -> Response:
    fields = await fields_of(request)
    lesson, on = _deck_lesson(request, fields), fields.get("on") is True
    if on and _desk(request).frames.newest is None:
        raise NoCamera(NO_CAMERA)
    await run_in_threadpool(lesson.watch, on)
    return _json(_told(_desk(request), lesson))


@desk_route
async def _deck_ask(request: Request) -> Response:
    fields = await fields_of(request)
    lesson, card = _deck_lesson(request, fields), _word(fields, "card", 8)
    await run_in_threadpool(lesson.ask, card)
    return _json(_told(_desk(request), lesson))


@desk_route
async def _deck_picture(request: Request) -> Response:
    """A photograph from the phone: ``?lesson=…`` and ``&card=7h`` where it shows one."""
    lesson = _deck_lesson(request, {"lesson": request.query_params.get("lesson")})
    card = request.query_params.get("card")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in ("image/jpeg", "image/png"):
        raise Refused(N_("Il faut une photo, en JPEG ou en PNG."), "not-a-picture", 415)
    data = await body_of(request, decks.MOST_BYTES)

    def learn() -> int:
        return lesson.photograph(decks.checked_picture(data), card)

    found = await run_in_threadpool(_desk(request).look_alone, learn)
    return _json({"found": found, **_told(_desk(request), lesson)})


@desk_route
async def _deck_pack(request: Request) -> Response:
    """The pack that is laid out before the table's camera, in one picture."""
    desk = _desk(request)
    lesson = _deck_lesson(request, await fields_of(request))
    found = await run_in_threadpool(desk.look_alone, lambda: lesson.photograph(desk.frames.without_hands(), None))
    return _json({"found": found, **_told(desk, lesson)})


@desk_route
async def _deck_name(request: Request) -> Response:
    fields = await fields_of(request)
    lesson, number = _deck_lesson(request, fields), _number(fields, "n")
    card = None if fields.get("card") is None else _word(fields, "card", 8)
    await run_in_threadpool(lesson.name, number, card)
    return _json(_told(_desk(request), lesson))


@desk_route
async def _deck_use(request: Request) -> Response:
    fields, desk = await fields_of(request), _desk(request)
    desk.must_be_live()
    name, anyway = _word(fields, "name"), fields.get("anyway") is True
    return _json({"effect": await run_in_threadpool(lambda: decks.use(desk, name, anyway=anyway))})


@desk_route
async def _deck_card(request: Request) -> Response:
    """A card of the lesson: ``?lesson=…&card=7h`` as it was learnt, ``&unnamed=3`` one that waits for its name."""
    query = request.query_params
    lesson = _desk(request).lesson(query.get("lesson", ""))
    data = None
    if isinstance(lesson, DeckLesson):
        number = query.get("unnamed", "")
        if number.isascii() and number.isdigit() and len(number) < 6:
            data = lesson.picture_of_unnamed(int(number))
        else:
            data = lesson.picture_of_card(query.get("card", ""))
    if data is None:
        raise Refused(N_("Cette carte n'a pas été montrée."), "not-found", 404)
    return _jpeg(data)


# -- knocks and voices -----------------------------------------------------------------------------------------------


def _must_hear(desk: Desk) -> None:
    if not desk.sounds.on:
        raise NoMicrophone(NO_MICROPHONE)


@desk_route
async def _knocks(request: Request) -> Response:
    from assistant.calibrating.knock import profile_path

    return _json({"microphone": _microphone_of(_desk(request)), "known": profile_path().is_file()})


@desk_route
async def _knocks_begin(request: Request) -> Response:
    fields, desk = await fields_of(request), _desk(request)
    _must_hear(desk)
    return await _begun(request, KnocksLesson.opened(desk, replace=fields.get("replace") is True))


@desk_route
async def _voices(request: Request) -> Response:
    from assistant.calibrating.voice import phrases_to_say

    state = _game(request)
    known = await run_in_threadpool(hearing.learnt_voices)
    return _json(
        {
            "microphone": _microphone_of(_desk(request)),
            "players": list(_names(state).values()),
            "phrases": list(phrases_to_say(state["game"]["name"])),
            "known": known,
        }
    )


@desk_route
async def _voices_begin(request: Request) -> Response:
    fields, desk = await fields_of(request), _desk(request)
    _must_hear(desk)
    game = _game(request)["game"]["name"]
    return await _begun(request, await run_in_threadpool(VoicesLesson.opened, desk, fields.get("names"), game))


@desk_route
async def _voices_skip(request: Request) -> Response:
    lesson = _desk(request).lesson(_word(await fields_of(request), "lesson"))
    if not isinstance(lesson, VoicesLesson):
        raise NoLesson(N_("cette leçon est finie"))
    lesson.skip()
    return _json(_told(_desk(request), lesson))


@desk_route
async def _voices_forget(request: Request) -> Response:
    name = _word(await fields_of(request), "name", hearing.MOST_LETTERS)
    await run_in_threadpool(hearing.forget_voice, _desk(request), name)
    return _json({"known": await run_in_threadpool(hearing.learnt_voices)})
