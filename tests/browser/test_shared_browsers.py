"""The browser that modules share: what one module does to it, the next does not see."""

from contextlib import suppress

from playwright.sync_api import Error as PlaywrightError
from tests.browser.conftest import Browsers


def test_a_browser_that_crashed_is_replaced(browsers: Browsers, browser_program: str) -> None:
    with browsers.lent(browser_program) as crashed, suppress(PlaywrightError):
        crashed.new_browser_cdp_session().send("Browser.crash")
    with browsers.lent(browser_program) as browser:
        browser.new_page().goto("about:blank")
    assert not crashed.is_connected()


def test_what_one_module_leaves_open_is_closed(browsers: Browsers, browser_program: str) -> None:
    with browsers.lent(browser_program) as browser:
        browser.new_page()
    with browsers.lent(browser_program) as again:
        assert again is browser
        assert again.contexts == []
