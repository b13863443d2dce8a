"""What people with a browser find at the bare address, and where nothing is."""

import html
import re

import pytest
from scripts.reference.commands_page import commands
from tests.reference.test_reference import find_command, typed_commands
from tests.support.in_process import InProcessClient

from roundsman.api.app import BASE_PATH
from roundsman.domain.organization import Language
from roundsman.kit.languages import words_of

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/", "/help"])
def test_a_page_is_small_and_loads_and_runs_nothing(http: InProcessClient, path: str) -> None:
    answer = http.get(path, headers=BROWSER)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Security-Policy"].startswith(
        "default-src 'none'; style-src 'sha"
    )
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert len(answer.content) <= 10 * 1024
    assert "width=device-width" in answer.text
    assert "prefers-color-scheme: dark" in answer.text
    assert not re.search(r"<script|<img|<link|https?://", answer.text)
    assert http.head(path).status_code == 200


def test_the_start_leads_to_console_interface_and_first_steps(http: InProcessClient) -> None:
    ways = re.findall(r'<li><a href="([^"]+)"', http.get("/").text)
    assert ways == ["/console", f"{BASE_PATH}/docs", "/help"]
    for path in ways:
        answer = http.get(path, headers=BROWSER)
        assert (answer.status_code, answer.headers["Content-Type"][:9]) == (200, "text/html")


def test_the_commands_of_the_first_steps_exist(http: InProcessClient) -> None:
    shown = re.findall(r"<pre>(.*?)</pre>", http.get("/help").text, re.DOTALL)
    typed = [
        one for block in shown for one in typed_commands(f"```\n{html.unescape(block)}\n```\n")
    ]
    known = dict(commands())
    assert len(typed) >= 4
    for one in typed:
        command = find_command(one.split(), known)
        assert command, one
        options = {option for parameter in command.params for option in parameter.opts}
        assert set(re.findall(r"--[a-z-]+", one)) <= options


ERRORS = (
    ("/nowhere", 404, "There is nothing here"),
    ("/console/nowhere", 404, "There is nothing here"),
    (f"{BASE_PATH}/nowhere", 404, "There is nothing here"),
    (f"{BASE_PATH}/routes", 401, "This address is for programs"),
    (f"{BASE_PATH}/authenticate", 405, "This address is for programs"),
    ("/driver/api/routes", 401, "This address is for programs"),
    ("/driver/api/invites/dead", 404, "ask for a new one."),
    ("/driver/invite/dead", 404, "This link does not work"),
    ("/attachments/dead", 404, "Attachment not found"),
    ("/files/att-1?expires=1&signature=x", 404, "Link has expired"),
    ("/ratings/dead", 404, "This did not work"),
)


def test_a_browser_gets_an_error_as_a_page(http: InProcessClient) -> None:
    for path, status, said in ERRORS:
        page = http.get(path, headers=BROWSER)
        kind = page.headers["Content-Type"]
        assert (path, page.status_code, kind) == (path, status, "text/html; charset=utf-8")
        assert said in page.text, path
        assert len(page.content) <= 10 * 1024
        assert page.headers["X-Request-Id"]
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert page.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("language", Language)
def test_an_error_is_said_in_the_language_of_the_browser(
    http: InProcessClient, language: Language
) -> None:
    words = words_of("roundsman.endpoints", language)
    asked = {**BROWSER, "Accept-Language": f"{language}-XX,en;q=0.5"}
    for path, said in (
        ("/nowhere", "missing.text"),
        ("/routes", "missing.text"),
        (f"{BASE_PATH}/routes", "programs.text"),
        ("/driver/invite/dead", "link.text"),
        ("/members/invite/dead", "link.text"),
        ("/members/reset/dead", "link.text"),
    ):
        page = http.get(path, headers=asked)
        assert f'lang="{language}"' in page.text
        assert words.say(said) in html.unescape(page.text)
        assert "Accept-Language" in page.headers["Vary"]


def test_who_has_a_dead_invite_and_is_signed_in_may_open_the_app(http: InProcessClient) -> None:
    page = http.get("/driver/invite/dead", headers={**BROWSER, "Accept-Language": "pl-PL"})
    assert "Poproś planistę o nowy." in page.text
    assert '<a href="/driver">' in page.text


def test_a_program_gets_the_same_error_as_json(http: InProcessClient) -> None:
    for path, status, _ in ERRORS:
        if path.startswith("/driver/invite/"):
            continue  # that is a page for everybody
        page = http.get(path, headers=BROWSER)
        for accept in ("*/*", "application/json", "application/json, text/html;q=0.9"):
            told = http.get(path, headers={"Accept": accept})
            kind = told.headers["Content-Type"]
            assert (path, told.status_code, kind) == (path, status, "application/json")
            assert set(told.json()) >= {"code", "message"}
            for name in ("Allow", "WWW-Authenticate"):
                assert page.headers.get(name) == told.headers.get(name)


def test_whoever_sends_credentials_or_changes_something_is_a_program(http: InProcessClient) -> None:
    for path, status, code in (("/routes/rte-gone", 401, 16), ("/nowhere", 404, 5)):
        signed = {**BROWSER, "Authorization": "Bearer wrong"}
        told = http.get(f"{BASE_PATH}{path}", headers=signed)
        assert (told.status_code, told.json()["code"]) == (status, code)
    sent = http.post(f"{BASE_PATH}/authenticate", json={}, headers=BROWSER)
    assert sent.json()["message"] == "missing client_id"


def test_what_an_error_quotes_cannot_become_markup(http: InProcessClient) -> None:
    page = http.get("/ratings/%3Cscript%3Ealert(1)%3C/script%3E", headers=BROWSER)
    assert "<script" not in page.text
