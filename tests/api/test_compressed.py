"""Answers are compressed for whoever takes that, at every door, and mean the same."""

import pytest
from tests.api.conftest import World
from tests.support.in_process import InProcessClient

from roundsman.api.app import BASE_PATH
from roundsman.app import make_application
from roundsman.settings import Settings

START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.mark.spec("decisions §14")
def test_long_answers_are_compressed_for_whoever_takes_it(world: World) -> None:
    stops = [{"clientStopId": f"stop-{number}", **START} for number in range(30)]
    wrong = [{"note": 1}] * 30
    world.client.post("/stops/imports", stops)
    front = make_application(Settings(), world.tools)
    http = InProcessClient(front, base_url="https://roundsman.test", headers=world.client.headers)
    asks = (
        ("GET", f"{BASE_PATH}/stops/imports?query.limit=30", None),
        ("HEAD", f"{BASE_PATH}/stops/imports?query.limit=30", None),
        ("POST", f"{BASE_PATH}/stops/imports", stops),
        ("POST", f"{BASE_PATH}/stops/imports", wrong),
        ("GET", f"{BASE_PATH}/openapi.json", None),
        ("GET", f"{BASE_PATH}/docs/swagger-ui.css", None),
        ("GET", "/console/index.js", None),
        ("GET", "/ratings/nonsense", None),
    )
    try:
        for method, path, body in asks:
            page = {"Accept": "text/html"}
            sent = [
                http.request(method, path, json=body, headers={"Accept-Encoding": coding, **page})
                for coding in ("gzip", "identity")
            ]
            small, plain = sent
            assert small.headers["Content-Encoding"] == "gzip", path
            assert "Content-Encoding" not in plain.headers
            assert "Accept-Encoding" in small.headers["Vary"]
            assert "Accept-Encoding" in plain.headers["Vary"]
            assert int(small.headers["Content-Length"]) < int(plain.headers["Content-Length"])
            if method == "GET":
                assert small.content == plain.content
    finally:
        front.close()


def test_a_page_is_known_again_compressed_or_not(world: World) -> None:
    http = InProcessClient(world.client.interface, base_url="https://roundsman.test")
    path = f"{BASE_PATH}/openapi.json"
    marks = [
        http.get(path, headers={"Accept-Encoding": coding}).headers["ETag"]
        for coding in ("gzip", "identity")
    ]
    assert len(set(marks)) == 2
    for mark in marks:
        assert http.get(path, headers={"If-None-Match": mark}).status_code == 304


def test_short_answers_stay_as_they_are(world: World) -> None:
    answer = world.client.send("GET", "/vehicles", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers
