"""What the planner's door hands out, and what it allows a browser to do with it."""

import re
from collections.abc import Mapping

import pytest
from tests.api.conftest import World
from tests.support.in_process import InProcessClient

from roundsman.api.app import BASE_PATH
from roundsman.app import make_application
from roundsman.endpoints.built_files import BuiltFiles
from roundsman.settings import Settings

FILES = BuiltFiles("roundsman.console")
PATHS = ["/console", *(f"/console/{name}" for name in FILES.names() if name != "index.html")]


def read_asset(name: str) -> str:
    return FILES.read(name).decode()


def policy_of(headers: Mapping[str, str]) -> dict[str, str]:
    parts = headers["Content-Security-Policy"].split("; ")
    return {name: rest for name, _, rest in (part.partition(" ") for part in parts)}


@pytest.mark.parametrize("path", [*PATHS, "/console/"])
def test_a_page_may_run_and_ask_nothing_but_this_server_and_stand_in_no_frame(
    http: InProcessClient, path: str
) -> None:
    answer = http.get(path)
    assert answer.status_code == 200
    policy = policy_of(answer.headers)
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["form-action"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["font-src"] == policy["worker-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["trusted-types"] == "default"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["X-Request-Id"]
    assert "Set-Cookie" not in answer.headers


def test_every_file_has_the_type_that_browsers_insist_on(http: InProcessClient) -> None:
    types = {path.rpartition(".")[2]: http.get(path).headers["Content-Type"] for path in PATHS}
    assert types == {
        "/console": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
    }


def test_everything_that_the_files_load_is_there(http: InProcessClient) -> None:
    named = re.findall(r'(?:src|href)="(/console[^"]*)"', read_asset("index.html"))
    assert len(named) >= 3
    assert {path: http.get(path).status_code for path in named} == dict.fromkeys(named, 200)


def test_no_file_names_another_server_or_holds_script_or_style_of_its_own() -> None:
    for name in FILES.names():
        text = re.sub(r"http://www\.w3\.org/[\w/]+", "", read_asset(name))
        assert "http:" not in text, name
        assert "https:" not in text, name
        assert "sourceMappingURL" not in text, name
    assert "<script>" not in read_asset("index.html")
    assert " style=" not in read_asset("index.html")


def test_the_console_asks_the_interface_that_is_served() -> None:
    assert BASE_PATH in read_asset("index.js")
    assert f'href="{BASE_PATH}/docs"' in read_asset("index.html")


def test_the_shell_is_small(http: InProcessClient) -> None:
    """The bound is that of doors 4.8; who speaks another language than English loads that, too."""
    zipped = {"Accept-Encoding": "gzip"}
    sizes = {
        path.rpartition("/")[2]: int(http.head(path, headers=zipped).headers["Content-Length"])
        for path in PATHS
    }
    languages = {name for name in sizes if re.fullmatch(r"[a-z]{2}\.js", name)}
    assert len(languages) == 7
    largest = max(sizes[name] for name in languages)
    assert sum(sizes[name] for name in sizes.keys() - languages) <= 110 * 1024
    assert largest <= 15 * 1024


def test_a_browser_loads_a_file_again_only_when_it_has_changed(http: InProcessClient) -> None:
    first = http.get("/console/index.js")
    assert first.headers["Cache-Control"] == "no-cache"
    mark = first.headers["ETag"]
    again = http.get("/console/index.js", headers={"If-None-Match": mark})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["Content-Security-Policy"]
    changed = http.get("/console/index.js", headers={"If-None-Match": '"another"'})
    assert changed.content == first.content


def test_head_is_answered_without_a_body(http: InProcessClient) -> None:
    answer = http.head("/console", headers={"Accept-Encoding": "identity"})
    assert answer.status_code == 200
    assert int(answer.headers["Content-Length"]) == len(read_asset("index.html").encode())


@pytest.mark.parametrize(
    "path", ["/console/nothing.js", "/console/../app.py", "/console/%2e%2e/app.py", "/console/a/b"]
)
def test_other_paths_are_unknown(http: InProcessClient, path: str) -> None:
    answer = http.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, 5)


def test_nothing_can_be_sent_to_it(http: InProcessClient) -> None:
    answer = http.post("/console", data={"password": "typed without scripts"})
    assert (answer.status_code, answer.json()["code"]) == (405, 12)
    assert answer.headers["Allow"] == "GET, HEAD"


def test_plain_http_from_another_machine_is_refused(world: World) -> None:
    front = make_application(Settings(), world.tools)
    client = InProcessClient(front, base_url="http://roundsman.test", address="203.0.113.7")
    refused = client.get("/console")
    assert (refused.status_code, refused.json()["message"]) == (400, "requests must use HTTPS")
    front.close()
