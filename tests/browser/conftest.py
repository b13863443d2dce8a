"""One server and one Chromium a module; a page of its own for each test."""

import shutil
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import sync_playwright
from tests.acceptance.test_main_job import serving
from tests.browser.office import House, Office, open_office

_NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--no-sandbox",  # it looks at our own pages only, and CI runs as root
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


def find_chromium() -> str:
    """Return the browser's program; skip the test where there is none."""
    program = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("Chromium is not installed")
    return program


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    program = find_chromium()
    data = tmp_path_factory.mktemp("house")
    patch = pytest.MonkeyPatch()
    patch.setenv("ROUNDSMAN_WEBHOOK_ALLOW", "127.0.0.0/8")
    url = f"sqlite:///{data / 'roundsman.db'}"
    with serving(data, url) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield House(address, url, data, browser, playwright)
        browser.close()
    patch.undo()


@pytest.fixture
def office(house: House) -> Iterator[Office]:
    opened = open_office(house)
    with closing(opened.http):
        yield opened
    opened.page.close()
    assert opened.troubles == []
