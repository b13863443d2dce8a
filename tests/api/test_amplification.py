"""What is refused costs its sender more than the server, and never fills an answer."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.api.conftest import World
from tests.support.in_process import InProcessClient

from roundsman.api.app import BASE_PATH
from roundsman.app import make_application
from roundsman.settings import Settings

MOST_ANSWERED = 64 * 1024
STOP = "/stops/imports/ist-00000000-0000-4000-8000-000000000000"

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def names(count: int, form: str = "{}") -> dict[str, int]:
    return {form.format(number): 1 for number in range(count)}


HOSTILE: dict[str, tuple[str, str, Any]] = {
    "unknown names": ("POST", "/routes", names(300_000)),
    "names that nearly fit": ("POST", "/routes", names(50_000, "maxStop{}")),
    "names of an update": ("PATCH", STOP, names(300_000)),
    "names of what is updated": (
        "PATCH",
        STOP,
        {"importedStop": names(200_000), "updateMask": "note"},
    ),
    "names in every element": ("POST", "/stops/imports", [names(2_000)] * 200),
    "wrong elements of elements": (
        "POST",
        "/stops/imports",
        [{"items": [names(6)] * 499, "tasks": [7] * 100}] * 200,
    ),
    "long names": ("POST", "/routes", names(30, "x" * 100_000 + "{}")),
    "names that grow when written": ("POST", "/routes", names(200, "\x01" * 95 + "{}")),
    "a mask": ("PATCH", STOP, {"importedStop": {}, "updateMask": "noet," * 500_000}),
    "a mask that just fits": (
        "PATCH",
        STOP,
        {"importedStop": {}, "updateMask": ",".join(chr(200 + n) for n in range(999))},
    ),
    "topics": ("POST", "/webhooks", {"url": "https://a.example", "topics": ["X"] * 200_000}),
    "stops to add": ("POST", "/routes/rte-1/stops", [{"clientStopId": 7}] * 100_000),
    "orders to add": ("POST", "/routes/rte-1/store-orders", [names(40)] * 200),
    "arguments": ("GET", "/routes?" + "&".join(names(900, "query.limi{}")), None),
    "one argument": ("GET", "/routes?" + "x" * 60_000, None),
    "a cursor": ("GET", "/routes?cursor=" + "x" * 8_000, None),
    "a path": ("GET", "/stops/imports/" + "%01" * 20_000, None),
}


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize("name", HOSTILE)
def test_no_refusal_fills_an_answer(
    world: World, name: str, record_property: Callable[[str, object], None]
) -> None:
    method, path, body = HOSTILE[name]
    content = b"" if body is None else json.dumps(body).encode()
    answer = world.client.send(
        method, path, content=content, headers={"Content-Type": "application/json"}
    )
    record_property("hostile_bytes", len(content) + len(path))
    record_property("largest_answer", len(answer.content))
    assert answer.status_code in {400, 404}
    assert len(answer.content) <= MOST_ANSWERED
    told = answer.json().get("details", [{}])[0].get("fieldViolations", [])
    assert len(told) <= 101
    assert len(answer.json()["message"]) <= 1_000
    assert sum("did you mean" in one["description"] for one in told) <= 10
    assert all(len(one["field"]) <= 200 for one in told)


@pytest.mark.spec("decisions §1")
def test_past_a_hundred_violations_the_last_entry_says_how_many_are_left(world: World) -> None:
    refused = world.client.post("/stops/imports", [{"note": 1}] * 120)
    told = refused.json()["details"][0]["fieldViolations"]
    assert [one["field"] for one in told[:2]] == ["[0].note", "[1].note"]
    assert told[100:] == [{"field": "", "description": "and 140 more"}]
    body = [{"clientStopId": "same", "coordinates": {"latitude": 1, "longitude": 1}}] * 150
    repeated = world.client.post("/stops/imports", body).json()["details"][0]["fieldViolations"]
    assert len(repeated) == 101
    assert world.count("imported_stops") == 0


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    "path",
    [
        f"{BASE_PATH}/authenticate",
        "/driver/api/invites/x",
        "/driver/invite/x",
        "/ratings/x",
    ],
)
def test_without_credentials_a_body_is_at_most_16_kib(world: World, path: str) -> None:
    settings = Settings()
    front = make_application(settings, world.tools)
    client = InProcessClient(front, base_url="https://roundsman.test")
    try:
        headers = {"Content-Type": "application/json"}
        fits = client.post(path, content=b" " * 16_384, headers=headers)
        assert fits.status_code in {400, 404}
        large = client.post(path, content=b" " * 16_385, headers=headers)
        assert large.status_code == 413
        is_page = large.headers["Content-Type"].startswith("text/html")
        assert is_page or large.json()["code"] == 3
    finally:
        front.close()
