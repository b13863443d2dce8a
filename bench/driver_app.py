"""Times the driver's app with a processor four times slower: `python -m bench.driver_app`.

Cold start without a network until the list of 150 stops is there, and from the tap on *Delivered*
until the next stop is on the screen, each the median of ten. Nothing is drawn by a graphics card.
"""

import gzip
import statistics
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.browser.conftest import OPTIONS, find_chromium
from tests.browser.driver_storm import Server
from tests.browser.office import House, open_office
from tests.browser.test_driver_app import Handset, dispatched, start

_STOPS = 150
_ROUNDS = 10
_SLOWER = 4
_TAP = """async (name) => {
  const heading = document.querySelector("h1").textContent;
  const button = [...document.querySelectorAll("button")].find((one) => one.textContent === name);
  const began = performance.now();
  button.click();
  const isSame = () => document.querySelector("h1").textContent === heading;
  while (isSame()) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


def _throttle(handset: Handset) -> None:
    session: Any = handset.context.new_cdp_session(handset.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})


def _cold_start(handset: Handset, address: str) -> float:
    handset.close()
    handset.start()
    handset.context.set_offline(True)
    _throttle(handset)
    page: Page = handset.page
    began = time.perf_counter()
    page.goto(f"{address}/driver", wait_until="commit")
    page.get_by_role("list", name="Stops").get_by_role("link").nth(_STOPS - 1).wait_for()
    return (time.perf_counter() - began) * 1_000


def main() -> None:
    """Print the figures."""
    shell = files("roundsman.driver").joinpath("built")
    size = sum(
        len(gzip.compress(shell.joinpath(name).read_bytes()))
        for name in ("index.html", "index.js", "index.css")
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        url = f"sqlite:///{folder}/roundsman.db"
        server = Server(Path(folder), url)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(OPTIONS))
        office = open_office(House(server.address, url, browser, playwright))
        handset = Handset(playwright, Path(folder) / "phone")
        dispatched(office, handset, *({"orderName": f"#{one}"} for one in range(1, _STOPS + 1)))
        start(handset.page)
        handset.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        colds = [_cold_start(handset, server.address) for _ in range(_ROUNDS)]
        handset.page.get_by_role("link", name="Next stop").click()
        handset.page.get_by_role("button", name="Delivered").wait_for()
        taps = [handset.page.evaluate(_TAP, "Delivered") for _ in range(_ROUNDS)]
        handset.close()
        browser.close()
        office.http.close()
        server.end()
    sys.stdout.write(
        f"shell {size / 1024:.1f} KB compressed; cold start {statistics.median(colds):.0f} ms, "
        f"slowest {max(colds):.0f}; tap {statistics.median(taps):.0f} ms, slowest {max(taps):.0f}\n"
    )


if __name__ == "__main__":
    main()
