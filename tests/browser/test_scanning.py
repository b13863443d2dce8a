"""Codes are read from the camera's picture, also where the browser has no reader of its own."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect
from tests.browser.office import House, Office
from tests.browser.test_driver_app import Handset, dispatched, expect_sent, start

CODE = "4006381333931"
_MODULE, _WIDTH, _HEIGHT = 4, 640, 480
_LEFT_ODD = [
    "0001101",
    "0011001",
    "0010011",
    "0111101",
    "0100011",
    "0110001",
    "0101111",
    "0111011",
    "0110111",
    "0001011",
]
_PARITY = [
    "OOOOOO",
    "OOEOEE",
    "OOEEOE",
    "OOEEEO",
    "OEOOEE",
    "OEEOOE",
    "OEEEOO",
    "OEOEOE",
    "OEOEEO",
    "OEEOEO",
]


def bars_of(code: str) -> str:
    """Return the modules of an EAN-13, a one for each that is dark (ISO/IEC 15420)."""
    digits = [int(digit) for digit in code]
    right = ["".join("10"[int(one)] for one in odd) for odd in _LEFT_ODD]
    sides = {"O": _LEFT_ODD, "E": [one[::-1] for one in right]}
    kinds = zip(digits[1:7], _PARITY[digits[0]], strict=True)
    left = "".join(sides[kind][digit] for digit, kind in kinds)
    return f"101{left}01010{''.join(right[digit] for digit in digits[7:])}101"


def film(code: str, file: Path) -> None:
    """Write a film of one picture that shows a code, as the browser's made-up camera takes it."""
    picture = np.full((_HEIGHT, _WIDTH), 235, dtype=np.uint8)
    for number, bar in enumerate(bars_of(code)):
        if bar == "1":
            begin = 130 + number * _MODULE
            picture[120:360, begin : begin + _MODULE] = 16
    gray = np.full(_WIDTH * _HEIGHT // 2, 128, dtype=np.uint8)
    head = f"YUV4MPEG2 W{_WIDTH} H{_HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n"
    file.write_bytes(head.encode() + picture.tobytes() + gray.tobytes())


@pytest.fixture
def camera_phone(house: House, tmp_path: Path) -> Iterator[Handset]:
    """A phone whose camera sees a parcel's code; its browser does not know what codes are."""
    film(CODE, tmp_path / "parcel.y4m")
    phone = Handset(
        house.playwright,
        tmp_path / "phone",
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={tmp_path / 'parcel.y4m'}",
    )
    phone.context.add_init_script("delete window.BarcodeDetector")
    yield phone
    phone.close()
    assert phone.troubles == []


@pytest.mark.spec("doors 4.2")
def test_a_code_is_read_without_a_network_where_the_browser_cannot(
    office: Office, camera_phone: Handset
) -> None:
    route = dispatched(office, camera_phone, {"orderName": "#1"})
    page = camera_phone.page
    start(page)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # a page that was open before takes its files from the phone a moment later
    expect(page.get_by_role("link", name="#1")).to_be_visible()
    camera_phone.context.set_offline(True)
    page.get_by_role("link", name="#1").click()
    page.get_by_role("button", name="Scan").click()
    expect(page.get_by_text(CODE)).to_be_visible()
    page.get_by_role("button", name="Delivered").click()
    camera_phone.context.set_offline(False)
    expect_sent(page)
    (stop,) = office.http.get(f"/routes/{route}").json()["stops"]
    assert [one["value"] for one in stop["proofOfDeliveryBarcodes"]] == [CODE]
