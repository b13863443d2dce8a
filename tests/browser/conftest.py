"""One server a session, one Chromium while this room's tests run, a page of its own for each."""

import shutil
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright
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


class Browsers:
    """Playwright and the browsers that modules share, each started when it is first asked for."""

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._playwright: Playwright | None = None
        self._by_program: dict[str, Browser] = {}

    @property
    def playwright(self) -> Playwright:
        if self._playwright is None:
            self._playwright = self._opened.enter_context(sync_playwright())
        return self._playwright

    @contextmanager
    def lent(self, program: str) -> Iterator[Browser]:
        """Lend a browser that lives; what its user leaves open in it is closed."""
        browser = self._by_program.get(program)
        if browser is None or not browser.is_connected():
            browser = self.playwright.chromium.launch(executable_path=program, args=OPTIONS)
            self._by_program[program] = browser
        try:
            yield browser
        finally:
            for context in browser.contexts if browser.is_connected() else ():
                context.close()

    def close(self) -> None:
        for browser in self._by_program.values():
            browser.close()
        self._by_program.clear()
        self._opened.close()
        self._playwright = None


_browsers = Browsers()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    nextitem: pytest.Item | None,
) -> Generator[None, None, None]:
    """Close the browsers after this room's last test of a worker, or before it goes to another.

    Playwright's loop runs as long as it is open: tests of other rooms could run none of theirs.
    """
    yield
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _browsers.close()


@pytest.fixture(scope="module")
def browsers() -> Browsers:
    """Return the browsers of this worker."""
    return _browsers


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
def house(
    request: pytest.FixtureRequest, browsers: Browsers, browser_program: str
) -> Iterator[House]:
    address, url, data = request.getfixturevalue("common_server")
    with browsers.lent(browser_program) as browser:
        yield House(address, url, data, browser, browsers.playwright)


@pytest.fixture
def office(house: House) -> Iterator[Office]:
    opened = open_office(house)
    with closing(opened.http):
        yield opened
    opened.page.close()
    assert opened.troubles == []
