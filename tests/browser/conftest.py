"""One server and one Chromium a module; a page of its own for each test."""

import shutil
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import sync_playwright
from tests.acceptance.test_main_job import serving
from tests.browser.office import House, Office, open_office

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = (
    "--no-sandbox",  # it looks at our own pages only, and CI runs as root
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    program = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("Chromium is not installed")
    data = tmp_path_factory.mktemp("house")
    patch = pytest.MonkeyPatch()
    patch.setenv("ROUNDSMAN_WEBHOOK_ALLOW", "127.0.0.0/8")
    url = f"sqlite:///{data / 'roundsman.db'}"
    with serving(data, url) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_OPTIONS)
        yield House(address, url, browser)
        browser.close()
    patch.undo()


@pytest.fixture
def office(house: House) -> Iterator[Office]:
    opened = open_office(house)
    with closing(opened.http):
        yield opened
    opened.page.close()
    assert opened.troubles == []
