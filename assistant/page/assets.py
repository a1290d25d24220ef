"""The files of the page, read once when the server starts.

What is asked for picks one of them from a table by its whole name: no path from the network reaches a file name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).with_name("static")
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Only such files are served."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page."""

    body: bytes
    kind: str
    tag: str

    @classmethod
    def of(cls, body: bytes, kind: str) -> Asset:
        """With the tag by which a browser knows that it has it already."""
        return cls(body, kind, f'"{hashlib.sha256(body).hexdigest()[:20]}"')

    def response(self, request: Request) -> Response:
        """All of it, or that it is what the browser has already."""
        headers = {"ETag": self.tag, "Cache-Control": "no-cache"}
        known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
        if self.tag in known:
            return Response(status_code=304, headers=headers)
        return Response(self.body, media_type=self.kind, headers=headers)


@cache
def assets(folder: Path = FOLDER) -> Mapping[str, Asset]:
    """Every file of the page by its name, as ``js/app.js``."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in KINDS)
    return {
        path.relative_to(folder).as_posix(): Asset.of(path.read_bytes(), KINDS[path.suffix]) for path in files
    }
