"""Routes and days taken away as files, and as pages to print."""

import csv
import hashlib
import io
import json
import re
from base64 import b64encode
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, urlsplit
from xml.etree import ElementTree

import pytest
import segno
from openpyxl import load_workbook
from tests.api.conftest import World
from tests.api.test_routes import create_route

from roundsman.kit.languages import words_of
from roundsman.routing.route_rows import HEADER

pytestmark = pytest.mark.spec("decisions §18")

type Json = Any

EVIL = "=HYPERLINK(1)"
STOPS = [
    {
        "orderName": EVIL,
        "contact": {"firstName": "Ann", "lastName": "O'Neil", "phone": "+14105550123"},
        "address": {"address1": "1 Main St", "zip": "00123", "city": "Baltimore"},
        "coordinates": {"latitude": 39.29, "longitude": -76.61},
        "timeWindows": [{"start": {"hours": 8}, "end": {"hours": 10, "minutes": 30}}],
        "items": [{"name": "Crate; of, milk", "quantity": 2, "grams": 500}],
        "note": "<b>back door</b>",
    },
    {"orderName": "#2", "coordinates": {"latitude": 39.30, "longitude": -76.62}},
]


@pytest.fixture
def route(world: World) -> str:
    id_ = create_route(world, name="Nord/Süd", scheduledFor="2024-07-01T12:00:00Z")
    ids = [one["id"] for one in world.client.post("/stops/imports", STOPS).json()["stops"]]
    added = world.client.post(f"/routes/{id_}/stops", [{"importedStopId": one} for one in ids])
    assert added.status_code == 200, added.text
    return id_


def export(world: World, path: str, kind: str) -> Json:
    answer = world.client.get(f"{path}/export?query.format={kind}")
    assert answer.status_code == 200, answer.text
    assert f'.{kind.lower()}"' in answer.headers["Content-Disposition"]
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    return answer


def rows_of_csv(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


@pytest.mark.parametrize("path", ["route", "day"])
def test_a_table_has_a_row_a_stop_and_runs_nothing(world: World, route: str, path: str) -> None:
    where = f"/routes/{route}" if path == "route" else "/days/2024-07-01"
    first, second = rows_of_csv(export(world, where, "CSV").content)
    assert tuple(first) == HEADER
    assert (first["position"], second["position"]) == ("1", "2")
    assert first["order"] == f"'{EVIL}"
    assert first["phone"] == "'+14105550123"
    assert first["zip"] == "00123"
    assert first["timeWindows"] == "08:00-10:30"
    assert first["longitude"] == "-76.61"
    assert first["plannedArrival"].startswith("2024-07-01 08:")
    assert first["name"] == "Ann O'Neil"


def test_a_workbook_holds_text_as_text(world: World, route: str) -> None:
    content = export(world, f"/routes/{route}", "XLSX").content
    sheet: Any = load_workbook(io.BytesIO(content)).active
    header, one, _ = sheet.iter_rows(values_only=True)
    assert header == HEADER
    assert one[HEADER.index("order")] == EVIL
    cells = next(sheet.iter_rows(min_row=2, max_row=2))
    assert cells[HEADER.index("order")].data_type == "s"
    assert one[HEADER.index("zip")] == "00123"
    assert one[HEADER.index("latitude")] == 39.29


def test_maps_and_calendars_get_files_of_their_own(world: World, route: str) -> None:
    where = f"/routes/{route}"
    shown = json.loads(export(world, where, "GEOJSON").content)
    kinds = [one["geometry"]["type"] for one in shown["features"]]
    assert kinds == ["Point", "Point", "LineString"]
    assert shown["features"][0]["geometry"]["coordinates"] == [-76.61, 39.29]
    gpx = ElementTree.fromstring(export(world, where, "GPX").content)  # noqa: S314 -- our own
    points = gpx.iter("{http://www.topografix.com/GPX/1/1}rtept")
    assert [one.findtext("{*}name") for one in points][1:3] == ["1 Ann O'Neil", "2 #2"]
    calendar = export(world, where, "ICS").content.decode()
    assert calendar.count("BEGIN:VEVENT") == 2
    assert "\r\nSUMMARY:1 Ann O'Neil\r\n" in calendar
    assert all(len(line.encode()) <= 75 for line in calendar.split("\r\n"))


def test_a_sheet_shows_everything_at_a_door_as_text(world: World, route: str) -> None:
    for path in (f"/routes/{route}/sheet", "/days/2024-07-01/sheet"):
        page = world.client.get(path)
        assert page.status_code == 200
        assert "text/html" in page.headers["Content-Type"]
        for words in (
            "Ann O&#39;Neil",
            "+14105550123",
            "08:00\N{EN DASH}10:30",
            "Signature",
            "2 Crate",
        ):
            assert words in page.text
        assert "&lt;b&gt;back door&lt;/b&gt;" in page.text
        assert "https://waze.com/ul?ll=39.29,-76.61" in page.text
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        assert "break-inside: avoid" in page.text


def test_a_sheet_leads_to_nine_stops_at_once(world: World, route: str) -> None:
    places = [(39.3 + number / 100, -76.6) for number in range(10)]
    drafts = [{"coordinates": {"latitude": lat, "longitude": lon}} for lat, lon in places]
    stops = world.client.post("/stops/imports", drafts).json()["stops"]
    added = [{"importedStopId": stop["id"]} for stop in stops]
    world.client.post(f"/routes/{route}/stops", added)
    shown = world.client.get(f"/routes/{route}").json()["stops"]
    at = [
        f"{one['plannedCoordinates']['latitude']},{one['plannedCoordinates']['longitude']}"
        for one in shown
    ]
    assert len(at) == 12
    for path in (f"/routes/{route}/sheet", "/days/2024-07-01/sheet"):
        page = unescape(world.client.get(path).text)
        links = re.findall(r'<a href="([^"]*)">Google Maps ([^<]*)</a>', page)
        assert [name for _, name in links] == ["1\N{EN DASH}9", "10\N{EN DASH}12"]
        asked = [dict(parse_qsl(urlsplit(link).query)) for link, _ in links]
        assert [one["waypoints"].split("|") for one in asked] == [at[:8], at[9:11]]
        assert [one["destination"] for one in asked] == [at[8], at[11]]
        assert {one["api"] for one in asked} == {"1"}
        assert all(link.startswith("https://www.google.com/maps/dir/?api=1&") for link, _ in links)


def test_a_sheet_leads_to_the_address_of_a_stop_at_0_0_and_not_into_the_sea(
    world: World, route: str
) -> None:
    nowhere = {"latitude": 0, "longitude": 0}
    address = {"address1": "5 Main St", "city": "Towson", "zip": "21204"}
    drafts = [{"coordinates": nowhere, "address": address}, {"coordinates": nowhere}]
    stops = world.client.post("/stops/imports", drafts).json()["stops"]
    world.client.post(f"/routes/{route}/stops", [{"importedStopId": one["id"]} for one in stops])
    page = unescape(world.client.get(f"/routes/{route}/sheet").text)
    links = [unquote_plus(link) for link in re.findall(r'<a href="([^"]*)"', page)]
    assert len([link for link in links if "5 Main St, Towson, 21204" in link]) == 5
    assert not [link for link in links if re.search(r"[=|]0(\.0+)?,0", link)]


def test_a_sheet_leads_to_the_route_in_the_driver_s_app(world: World, route: str) -> None:
    link = f"{world.tools.address.url}/driver#/route/{route}"
    code = segno.make(link, error="m", micro=False).svg_inline(omitsize=True, border=0)
    (squares,) = re.findall(r' d="([^"]+)"', code)
    for path in (f"/routes/{route}/sheet", "/days/2024-07-01/sheet"):
        page = world.client.get(path).text
        assert page.count("Open in the driver&#39;s app") == 1
        assert page.count(f' d="{squares}"') == 1


def test_a_sheet_says_what_a_number_counts_and_what_goods_weigh(world: World, route: str) -> None:
    page = world.client.get(f"/routes/{route}/sheet").text
    assert "<p>2 Crate; of, milk (1 kg)</p>" in page
    bare = {"items": [{"quantity": 2, "grams": 12_620}, {"quantity": 3, "grams": 40}]}
    place = {"coordinates": {"latitude": 39.3, "longitude": -76.6}}
    (stop,) = world.client.post("/stops/imports", [{**place, **bare}]).json()["stops"]
    world.client.post(f"/routes/{route}/stops", [{"importedStopId": stop["id"]}])
    sheet = f"/routes/{route}/sheet"
    german = world.client.send("GET", sheet, headers={"Accept-Language": "de"}).text
    assert "<p>Artikel: 2 (25,2 kg), Artikel: 3 (120 g)</p>" in german


def test_a_sheet_has_the_notes_that_came_with_an_order(world: World, route: str) -> None:
    order = {"name": "#9", "coordinates": {"latitude": 39.3, "longitude": -76.62}}
    notes = {"orderNote": "Two of three", "customerNote": "Dog & cat"}
    world.client.send("PUT", "/store-orders/9", json={**order, **notes})
    added = world.client.post(f"/routes/{route}/store-orders", [{"storeOrderId": "9"}])
    assert added.status_code == 200, added.text
    page = world.client.get(f"/routes/{route}/sheet").text
    assert page.count("Two of three") == 1, "it is the stop's note, too"
    assert page.count("From the customer: Dog &amp; cat") == 1
    sheet = f"/routes/{route}/sheet"
    german = world.client.send("GET", sheet, headers={"Accept-Language": "de"}).text
    assert "Vom Kunden: Dog &amp; cat" in german


def test_a_printed_stop_without_an_address_has_its_coordinates(world: World, route: str) -> None:
    page = world.client.get(f"/routes/{route}/sheet").text
    assert "<p>39.30000, -76.62000</p>" in page
    assert "39.29000, -76.61000" not in page, "where there is an address, that says enough"


def test_each_printed_page_has_the_name_of_its_route_and_a_number(world: World, route: str) -> None:
    create_route(world, name='"} </style>', scheduledFor="2024-07-01T13:00:00Z")
    for path, heads in (
        (f"/routes/{route}/sheet", [r'"Nord\2f Süd"']),
        ("/days/2024-07-01/sheet", [r'"Nord\2f Süd"', r'"\22 \7d \20 \3c \2f style\3e "']),
    ):
        page = world.client.get(path)
        (style,) = re.findall(r"<style>(.*?)</style>", page.text, re.DOTALL)
        assert "counter(page)" in style
        assert re.findall(r"@page route-\d+ { @top-left { content: (.*?); } }", style) == heads
        digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = page.headers["Content-Security-Policy"]
        assert f"style-src 'sha256-{digest}'" in policy.split("; ")


@pytest.mark.parametrize(("language", "said"), [("de", "Di"), ("pl", "wt."), ("", "Tue")])
def test_a_sheet_names_the_day_of_stops_past_midnight(
    world: World, language: str, said: str
) -> None:
    stops = [
        {"coordinates": {"latitude": 39.3, "longitude": -76.61}, "duration": f"{hours * 3600}s"}
        for hours in (1, 0)
    ]
    id_ = create_route(world, name="Night", scheduledFor="2024-07-02T03:30:00Z")
    ids = [one["id"] for one in world.client.post("/stops/imports", stops).json()["stops"]]
    world.client.post(f"/routes/{id_}/stops", [{"importedStopId": one} for one in ids])
    headers = {"Accept-Language": language}
    page = world.client.send("GET", f"/routes/{id_}/sheet", headers=headers).text
    first, second = re.findall(r'<span class="time">(.*?)</span>', page)
    assert first.startswith("23:"), "the day that it left on"
    assert re.fullmatch(said + " 00:[0-9]{2}", second)


def test_a_sheet_names_the_day_of_windows_past_midnight(world: World) -> None:
    place = {"coordinates": {"latitude": 39.3, "longitude": -76.61}}
    windows = [{"start": {"hours": 0, "minutes": 30}, "end": {"hours": 1, "minutes": 30}}]
    days = [None, *({"year": 2024, "month": 7, "day": day} for day in (1, 2, 9))]
    stops = [
        {**place, "timeWindows": windows, **({"deliveryDate": day} if day else {})} for day in days
    ]
    ids = [one["id"] for one in world.client.post("/stops/imports", stops).json()["stops"]]
    added = [{"importedStopId": one} for one in ids]
    night = create_route(world, name="Night", scheduledFor="2024-07-02T03:30:00Z")
    world.client.post(f"/routes/{night}/stops", added)
    page = world.client.send("GET", f"/routes/{night}/sheet").text
    said = re.findall(r"\(([^()]*)00:30\N{EN DASH}01:30\)", page)
    assert said == ["", "", "Tue ", "Tue 9 Jul 2024 "]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de-DE,de;q=0.9", ("Abfahrt Mo, 1. Juli 2024, 08:00", "2 Stopps", "2,0 km")),
        ("pl-PL,pl;q=0.9", ("odjazd pon., 1 lipca 2024, 08:00", "2 przystanki", "2,0 km")),
        ("", ("leaves Mon 1 Jul 2024, 08:00", "2 stops", "2.0 km")),
    ],
)
def test_a_sheet_is_in_the_language_of_whoever_prints_it(
    world: World, route: str, language: str, said: tuple[str, ...]
) -> None:
    for path in (f"/routes/{route}/sheet", "/days/2024-07-01/sheet"):
        page = world.client.send("GET", path, headers={"Accept-Language": language})
        for words in said:
            assert words in page.text
        assert f'lang="{language[:2] or "en"}"' in page.text
        assert words_of("roundsman.operations", language[:2] or "en").say("signature") in page.text
        assert "Accept-Language" in page.headers["Vary"]


def test_a_sheet_of_no_language_is_in_the_organizations(world: World) -> None:
    body = {"organization": {"language": "de"}, "updateMask": "language"}
    assert world.client.send("PATCH", "/organization", json=body).status_code == 200
    page = world.client.get("/days/2024-07-05/sheet")
    assert "An diesem Tag gibt es keine Touren." in page.text


def test_what_cannot_be_taken_away_is_refused(world: World, route: str) -> None:
    unknown = world.client.get(f"/routes/{route}/export?query.format=PDF")
    assert (unknown.status_code, unknown.json()["code"]) == (400, 3)
    assert world.client.get("/days/2024-07-01/export?query.format=GPX").json()["code"] == 3
    assert world.client.get("/days/2024-02-30/export").json()["code"] == 3
    nobody = "rte-00000000-0000-4000-8000-000000000000"
    assert world.client.get(f"/routes/{nobody}/export").status_code == 404
    assert world.client.get(f"/routes/{nobody}/sheet").status_code == 404
    empty = world.client.get("/days/2024-07-05/export")
    assert rows_of_csv(empty.content) == []


def test_files_and_sheets_stand_in_no_frame(world: World, route: str) -> None:
    for where in (f"/routes/{route}", "/days/2024-07-01"):
        for path in ("export?query.format=CSV", "export?query.format=XLSX", "sheet"):
            policy = world.client.get(f"{where}/{path}").headers["Content-Security-Policy"]
            assert {"default-src 'none'", "frame-ancestors 'none'"} <= set(policy.split("; "))


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ('a"; filename="b.exe', "a-filename-b.exe.csv"),
        ("../../etc/passwd", "etc-passwd.csv"),
        ("Süd\N{RIGHT-TO-LEFT OVERRIDE}vsc", "S-d-vsc.csv"),
        ("\N{GRINNING FACE}", "route.csv"),
    ],
)
def test_a_download_is_named_in_plain_characters(world: World, name: str, called: str) -> None:
    id_ = create_route(world, name=name)
    answer = world.client.get(f"/routes/{id_}/export?query.format=CSV")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{called}"'
