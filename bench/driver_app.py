"""Times the driver's app with a processor four times slower: `python -m bench.driver_app`.

Cold start without a network until the list of 150 stops is there, and from the tap on *Delivered*
until the next stop is on the screen, each the median of ten. Nothing is drawn by a graphics card.

With `--photos` it drives a day of 150 stops with a photo of twelve megapixels at each, all without
a network, and prints what the phone has stored then, its memory, and how long it takes to send it
all to a server on the same machine.
"""

import argparse
import gzip
import statistics
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright
from tests.browser.conftest import OPTIONS, find_chromium
from tests.browser.driver_storm import Server
from tests.browser.office import House, open_office
from tests.browser.test_driver_app import Handset, dispatched, start

from bench.installation import resident_megabytes

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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", action="store_true", help="a day with a photo at each stop")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        url = f"sqlite:///{folder}/roundsman.db"
        server = Server(Path(folder), url)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(OPTIONS))
        office = open_office(House(server.address, url, Path(folder), browser, playwright))
        handset = Handset(playwright, Path(folder) / "phone", "--enable-precise-memory-info")
        dispatched(office, handset, *({"orderName": f"#{one}"} for one in range(1, _STOPS + 1)))
        start(handset.page)
        handset.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        if wanted.photos:
            _drive_with_photos(handset, server, Path(folder))
        else:
            _measure_speed(handset, server)
        handset.close()
        browser.close()
        office.http.close()
        server.end()


def _measure_speed(handset: Handset, server: Server) -> None:
    shell = files("roundsman.driver").joinpath("built")
    size = sum(
        len(gzip.compress(shell.joinpath(name).read_bytes()))
        for name in ("index.html", "index.js", "index.css")
    )
    colds = [_cold_start(handset, server.address) for _ in range(_ROUNDS)]
    handset.page.get_by_role("link", name="Next stop").click()
    handset.page.get_by_role("button", name="Delivered").wait_for()
    taps = [handset.page.evaluate(_TAP, "Delivered") for _ in range(_ROUNDS)]
    sys.stdout.write(
        f"shell {size / 1024:.1f} KB compressed; cold start {statistics.median(colds):.0f} ms, "
        f"slowest {max(colds):.0f}; tap {statistics.median(taps):.0f} ms, slowest {max(taps):.0f}\n"
    )


def _drive_with_photos(handset: Handset, server: Server, folder: Path) -> None:
    page = handset.page
    photo = folder / "door.jpg"
    # A picture as a camera takes it: some detail, some sky.
    small = Image.effect_noise((1000, 750), 60).convert("RGB")
    small.resize((4000, 3000)).save(photo, quality=90)
    handset.context.set_offline(True)
    page.get_by_role("link", name="Next stop").click()
    began = time.perf_counter()
    heaps = []
    for number in range(1, _STOPS + 1):
        expect(page.get_by_role("heading", name=f"#{number}", exact=True)).to_be_visible()
        page.get_by_label("Photo", exact=True).set_input_files(photo)
        expect(page.get_by_role("img", name="Photo 1")).to_be_visible(timeout=30_000)
        page.get_by_role("button", name="Delivered").click()
        heaps.append(page.evaluate("() => performance.memory.usedJSHeapSize") / 1e6)
    driven = time.perf_counter() - began
    waits = page.get_by_role("status").inner_text()
    stored = page.evaluate("() => navigator.storage.estimate().then((one) => one.usage)") / 1e6
    before = resident_megabytes(server.pid)
    handset.context.set_offline(False)
    began = time.perf_counter()
    expect(page.get_by_role("status")).to_have_text("All sent", timeout=600_000)
    sent = time.perf_counter() - began
    after = page.evaluate("() => navigator.storage.estimate().then((one) => one.usage)") / 1e6
    sys.stdout.write(
        f"{_STOPS} stops with a photo of {photo.stat().st_size / 1e6:.1f} MB in {driven:.0f} s: "
        f"{waits}; stored {stored:.0f} MB, heap {max(heaps):.0f} MB at most (first {heaps[0]:.0f}, "
        f"last {heaps[-1]:.0f}); all sent in {sent:.0f} s, then stored {after:.0f} MB; "
        f"the server holds {before} MB before, {resident_megabytes(server.pid)} MB after\n"
    )


if __name__ == "__main__":
    main()
