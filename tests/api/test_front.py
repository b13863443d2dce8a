"""What whoever finds the address alone is shown."""

from collections.abc import Iterator

import pytest
from tests.api.conftest import World
from tests.support.in_process import InProcessClient

from roundsman.app import make_front
from roundsman.settings import Settings


@pytest.fixture
def http(world: World) -> Iterator[InProcessClient]:
    front = make_front(Settings(), world.tools, world.client.interface)
    yield InProcessClient(front, base_url="https://roundsman.test")
    front.close()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_bare_address_is_a_page_for_everybody(http: InProcessClient, method: str) -> None:
    answer = http.request(method, "/")
    assert answer.status_code == 200
    assert answer.headers["X-Request-Id"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Type"].startswith("text/html")


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize("path", ["/api", "/api/", "/api/2024-07", "/api/2024-07/", "/nothing"])
def test_other_unknown_paths_stay_unknown(http: InProcessClient, path: str) -> None:
    answer = http.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, 5)
    assert answer.headers["X-Request-Id"]


def test_nothing_can_be_posted_to_the_bare_address(http: InProcessClient) -> None:
    answer = http.post("/", json={})
    assert (answer.status_code, answer.json()["code"]) == (405, 12)
    assert answer.headers["Allow"] == "GET, HEAD"
