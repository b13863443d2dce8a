"""What whoever finds the address alone is shown."""

from collections.abc import Iterator

import pytest
from tests.api.conftest import World
from tests.support.in_process import InProcessClient

from roundsman.app import make_application
from roundsman.settings import Settings


@pytest.fixture
def http(world: World) -> Iterator[InProcessClient]:
    front = make_application(Settings(), world.tools)
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


ANSWERS = {
    "an operation": ("GET", "/api/2024-07/vehicles", 401),
    "credentials": ("POST", "/api/2024-07/authenticate", 400),
    "an unknown path": ("GET", "/api/2024-07/nothing", 404),
    "a wrong method": ("PUT", "/api/2024-07/routes", 405),
    "a driver": ("GET", "/driver/api/session", 401),
    "an invite": ("GET", "/driver/invite/x", 404),
    "a customer": ("GET", "/ratings/x", 404),
    "an attachment": ("GET", "/attachments/x", 404),
    "health": ("GET", "/healthz", 200),
}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", ANSWERS)
def test_no_cache_keeps_an_answer_and_no_browser_guesses_its_type(
    http: InProcessClient, name: str
) -> None:
    method, path, status = ANSWERS[name]
    answer = http.request(method, path)
    assert answer.status_code == status
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= set(policy)
    assert ("sandbox" in policy) != answer.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", "/api/2024-07/routes", "/driver/api/session", "/healthz"])
def test_no_other_site_is_let_in_and_no_unknown_method(
    http: InProcessClient, method: str, path: str
) -> None:
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    answer = http.request(method, path, headers=asked)
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    assert "elsewhere" not in answer.text


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_tokens_invites_and_data_are_for_no_cache(world: World) -> None:
    keys = {
        "clientId": world.credentials.client_id,
        "clientSecret": world.credentials.client_secret,
    }
    for answer in (
        world.client.post("/authenticate", keys),
        world.client.post("/drivers", {"firstName": "Dana"}),
        world.client.get("/drivers"),
    ):
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("path", ["docs", "docs/start.js", "docs/swagger-ui.css", "openapi.json"])
def test_the_documentation_runs_its_own_scripts_alone_and_stands_in_no_frame(
    http: InProcessClient, path: str
) -> None:
    page = http.get(f"/api/2024-07/{path}")
    policy = page.headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= set(policy)
    assert page.headers["X-Frame-Options"] == "DENY"
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["Cache-Control"] == "no-cache"
    known = {"If-None-Match": page.headers["ETag"]}
    again = http.get(f"/api/2024-07/{path}", headers=known)
    assert (again.status_code, again.content) == (304, b"")
