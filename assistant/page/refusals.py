"""What the page answers when it does not do what was asked: one code, one sentence in each language, no more."""

from __future__ import annotations

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from assistant.i18n import both, describe
from engine.errors import TrutError


class Refused(TrutError):
    """A request that is not followed.

    Args:
        template: French sentence with ``{named}`` fields.
        code: what a program goes by, kebab-case (``"watch-only"``).
        status: of HTTP.
        retry_after: seconds after which it may be tried again.
    """

    def __init__(
        self, template: str, code: str, status: int, *, retry_after: float | None = None, **fields: object
    ) -> None:
        super().__init__(template, **fields)
        self.code = code
        self.status = status
        self.retry_after = retry_after


def response_to(refused: Refused) -> JSONResponse:
    """``{"error": code, "text": {"fr", "en"}}`` with the status of the refusal."""
    headers = {} if refused.retry_after is None else {"Retry-After": str(max(1, round(refused.retry_after)))}
    body = {"error": refused.code, "text": both(lambda: describe(refused))}
    return JSONResponse(body, status_code=refused.status, headers=headers)


def broken() -> Refused:
    """Something in the program is broken; what it was is told at the table, not to the network."""
    return Refused("La page a rencontré une erreur ; la partie continue.", "broken", 500)


def too_large(most: int) -> Refused:
    """More bytes than anybody needs to send here."""
    return Refused("C'est trop gros : {most} octets au plus.", "too-large", 413, most=most)


async def refuse_in_general(request: Request, problem: Exception) -> Response:
    """What the router itself refuses: no such path, no such method."""
    assert isinstance(problem, HTTPException)
    known = {
        404: Refused("Il n'y a rien à cette adresse.", "not-found", 404),
        405: Refused("Cela ne se demande pas ainsi.", "method-not-allowed", 405),
    }
    phrase = HTTPStatus(problem.status_code).phrase.lower().replace(" ", "-")
    refused = known.get(problem.status_code) or Refused("Demande refusée.", phrase, problem.status_code)
    response = response_to(refused)
    for name, value in (problem.headers or {}).items():
        response.headers[name] = value
    return response
