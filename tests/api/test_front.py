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
def test_the_bare_address_leads_to_the_documentation(http: InProcessClient, method: str) -> None:
    led = http.request(method, "/")
    assert led.status_code == 307
    assert led.headers["X-Request-Id"]
    assert led.headers["Cache-Control"] == "no-store"
    shown = http.get(led.headers["Location"])
    assert shown.status_code == 200
    assert shown.headers["Content-Type"].startswith("text/html")
    assert "Roundsman" in shown.text


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
