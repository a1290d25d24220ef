"""``openapi.json`` is what the page does: the same routes, and answers as it describes them, whatever is asked."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from starlette.routing import Route
from starlette.testclient import TestClient
from whole_page import WholePage

from assistant.page.server import create_app

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    schemathesis = pytest.importorskip("schemathesis")
    from schemathesis.checks import not_a_server_error
    from schemathesis.config import SchemathesisConfig
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )



@schemathesis.serializer("image/jpeg", "image/png")
def _as_it_is(context: Any, value: bytes) -> bytes:
    return value


KEPT = json.loads((Path(__file__).parents[3] / "assistant/page/openapi.json").read_text(encoding="utf-8"))
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 8
"""Requests of each operation, always the same."""
ORIGIN = "http://localhost"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholePage]:
    whole = WholePage(tmp_path_factory.mktemp("records"))
    yield whole
    whole.close()


def _browser(table: WholePage) -> TestClient:
    return TestClient(create_app(table.page), ORIGIN, client=("127.0.0.1", 5), headers={"Origin": ORIGIN})


def test_every_route_is_described_and_nothing_else(table: WholePage) -> None:
    routes = {
        (re.sub(r":\w+}", "}", route.path), method.lower())
        for route in create_app(table.page).routes
        if isinstance(route, Route)
        for method in (route.methods or ()) - {"HEAD"}
    }
    described = {(path, method) for path, methods in KEPT["paths"].items() for method in methods}
    assert routes == described
    names = [operation["operationId"] for methods in KEPT["paths"].values() for operation in methods.values()]
    assert len(names) == len(set(names))


def test_what_changes_something_is_for_those_who_joined_and_says_so(table: WholePage) -> None:
    """Everything with ``security`` refuses a watcher before it looks at what he sends."""
    browser = _browser(table)
    for path, methods in KEPT["paths"].items():
        for method, operation in methods.items():
            url = re.sub(r"{k}", "1", re.sub(r"{(?!k)\w+}", "running", path))
            if "security" in operation:
                answer = browser.request(method, url, content=b"x" * 100)
                assert (answer.status_code, answer.json()["error"]) == (403, "watch-only"), path
            elif method != "get":
                assert path in ("/api/join", "/api/leave")


def _operations() -> Any:
    config = SchemathesisConfig.from_dict({"generation": {"deterministic": True}})
    return schemathesis.openapi.from_dict(KEPT, config=config)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("joined", [False, True], ids=["watching", "joined"])
@pytest.mark.parametrize("operation", [f"{m} {p}" for p, ms in KEPT["paths"].items() for m in ms])
def test_whatever_is_asked_is_answered_as_described(table: WholePage, operation: str, joined: bool) -> None:
    method, path = operation.split()
    browser = _browser(table)
    if joined:
        assert browser.post("/api/join", json={"code": "ABCDEF"}).status_code == 204
    told, log = list(table.told), table.log
    case = _operations()[path][method].as_strategy()

    @given(case)
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def asked(case: Any) -> None:
        request = case.as_transport_kwargs(base_url=ORIGIN)
        request.pop("cookies")  # the browser's own
        request["content"] = request.pop("data", None)
        case.validate_response(browser.request(**request), checks=CHECKS)

    asked()
    assert table.told == told, "nothing breaks"
    assert table.log == log, "nothing over HTTP plays the game"

