"""One server a session, one Chromium a module, a page of its own for each test."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright
from tests.acceptance.test_main_job import serving
from tests.browser.office import House, Office, open_office
from tests.support.waiting import PATIENCE_SECONDS

# What is to be seen comes sooner or later; how soon is measured in bench/, on a machine of its own.
expect.set_options(timeout=PATIENCE_SECONDS * 1_000)

# Without windows, menus and a compositor of its own it costs two thirds of a whole browser's time.
_SHELL = "chromium-headless-shell"
_WHOLE = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--no-sandbox",  # it looks at our own pages only, and CI runs as root
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


def find_chromium(*, whole: bool = False) -> str:
    """Return the browser's program; skip the test where there is none.

    A `whole` browser is one that shows notices of the system, too.
    """
    names = _WHOLE if whole else (_SHELL, *_WHOLE)
    program = next((found for name in names if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("Chromium is not installed")
    return program


@pytest.fixture(scope="session")
def common_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Path]]:
    """Return the address, the database and the folder of a server that all modules share.

    Starting one takes longer than most tests do, and each test has an organization of its own.
    """
    data = tmp_path_factory.mktemp("house")
    url = f"sqlite:///{data / 'roundsman.db'}"
    with serving(data, url, ROUNDSMAN_WEBHOOK_ALLOW="127.0.0.0/8") as address:
        yield address, url, data


@pytest.fixture(scope="module")
def browser_program() -> str:
    """Return the program of the browser that a module's tests run in."""
    return find_chromium()


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, browser_program: str) -> Iterator[House]:
    address, url, data = request.getfixturevalue("common_server")
    # Playwright's loop runs as long as it is open: tests of other rooms could run none of theirs.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program, args=OPTIONS)
        yield House(address, url, data, browser, playwright)
        browser.close()


@pytest.fixture
def office(house: House) -> Iterator[Office]:
    opened = open_office(house)
    with closing(opened.http):
        yield opened
    opened.page.close()
    assert opened.troubles == []
