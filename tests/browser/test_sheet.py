"""The sheet of a long route as a browser prints it."""

import re
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.office import Office
from tests.browser.test_streets import town, town_office

__all__ = ["town", "town_office"]

STOPS = 300
_AT_ONCE = 150
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_PAGE = re.compile(rb"/Type /Page\b")
_LINE = re.compile(rb"^[\d.]+ ([\d.]+) ([\d.]+) 1 re$", re.MULTILINE)


def add_long_route(office: Office) -> str:
    """Return the id of a route of STOPS stops, some of which have much to say."""
    start = {"coordinates": {"latitude": 50.078, "longitude": 10.01}}
    route = str(office.post("/routes", {"name": "Long", "start": start})["id"])
    for first in range(0, STOPS, _AT_ONCE):
        stops = [
            {
                "orderName": f"#{number}",
                "note": "Ring twice, then wait. " * (number % 9),
                "coordinates": {
                    "latitude": 50.076 + number % 20 / 8000,
                    "longitude": 10.01 + number / 15_000,
                },
            }
            for number in range(first, first + _AT_ONCE)
        ]
        imported = office.post("/stops/imports", stops)["stops"]
        office.post(f"/routes/{route}/stops", [{"importedStopId": one["id"]} for one in imported])
    return route


def lines_of_pages(printed: bytes) -> list[list[str]]:
    """Return for each page the lines over stops and under signatures, from top to bottom."""
    pages = []
    for found in _STREAM.finditer(printed):
        try:
            # Not whole: where its last byte is a carriage return, that is read as the line's end.
            content = zlib.decompressobj().decompress(found[1])
        except zlib.error:
            continue
        if b"BT" not in content:
            continue
        lines = sorted((float(y), float(wide)) for y, wide in _LINE.findall(content))
        pages.append(["stop" if wide > 500 else "signature" for _, wide in lines])
    return pages


def test_a_page_counts_whose_compressed_content_ends_like_a_line() -> None:
    drawn = (b"BT\n%d\n0 0 704 1 re" % number for number in range(10_000))
    packed = next(one for one in map(zlib.compress, drawn) if one.endswith(b"\r"))
    assert lines_of_pages(b"stream\n" + packed + b"\nendstream") == [["stop"]]


@pytest.mark.spec("decisions §18")
def test_three_hundred_stops_are_printed_and_none_is_split_over_pages(
    town_office: Office, tmp_path: Path
) -> None:
    route = add_long_route(town_office)
    page = town_office.page
    sheet = tmp_path / "sheet.html"
    sheet.write_bytes(town_office.http.get(f"/routes/{route}/sheet").content)
    page.goto(sheet.as_uri())
    picture = page.get_by_role("img", name="Map of Long")
    expect(picture.locator("use").first).to_be_attached()
    expect(picture.locator("text", has_text="High Street").first).to_be_visible()
    expect(page.get_by_text("© those")).to_be_visible()
    expect(page.get_by_text("Open in the driver's app")).to_be_visible()
    printed = page.pdf(format="A4")
    pages = lines_of_pages(printed)
    assert len(pages) == len(_PAGE.findall(printed)) > 10
    assert sum(lines.count("stop") for lines in pages) == STOPS
    for lines in pages:
        assert lines == ["stop", "signature"] * (len(lines) // 2)
