"""What others make of exported files: our own import, parsers of others, a spreadsheet program."""

import csv
import io
import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import gpxpy
import icalendar
import pytest
from msgspec.structs import replace
from openpyxl import load_workbook
from tests.api.conftest import World
from tests.api.test_routes import create_route

from roundsman.domain.address import Coordinates
from roundsman.domain.customer_note import CustomerNote
from roundsman.domain.proof import LeftWith
from roundsman.domain.rating import CustomerRating
from roundsman.domain.route_stop import StoreOrderNotes
from roundsman.storage.routes import find_route, save_route

pytestmark = pytest.mark.spec("decisions §18")

type Json = Any

MEDIA_TYPES = {
    "CSV": "text/csv",
    "XLSX": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
STOPS: list[Json] = [
    {
        "clientStopId": "0042",
        "orderName": "00123",
        "contact": {
            "firstName": "Zoë",
            "lastName": 'O\'Neil, "the baker"',
            "company": "Süß & Söhne",
            "phone": "+14105550123",
            "email": "zoe@example.com",
        },
        "address": {
            "address1": "1 Main St; rear",
            "address2": "Apt. 5",
            "zip": "00501",
            "city": "Holtsville",
            "provinceCode": "NY",
            "countryCode": "US",
        },
        "coordinates": {"latitude": 39.290001, "longitude": -76.610001},
        "timeWindows": [
            {"start": {"hours": 8}, "end": {"hours": 10, "minutes": 30}},
            {"start": {"hours": 14}, "end": {"hours": 16}},
        ],
        "deliveryDate": {"year": 2024, "month": 7, "day": 1},
        "duration": "450s",
        "items": [{"name": "Crate", "quantity": 3, "grams": 1500}],
        "priority": 7,
        "note": "Ring twice,\nthen wait",
    },
    {"clientStopId": "plain", "coordinates": {"latitude": 39.3, "longitude": -76.62}},
]
FORMULAS = (
    "=1+1", "+1+1", "-1+1", "@SUM(1,1)", "\t=1+1", "\r=1+1", "=cmd|' /C calc'!A0", "'=1+1",
    '=HYPERLINK("http://x.test","Click")', "x;=1+1", "x\n=1+1", '";=1+1', "=IMPORTXML(A1)",
)  # fmt: skip
"""What is tried against spreadsheet programs (OWASP, "CSV Injection")."""


def make_route(world: World, *stops: Json) -> str:
    route = create_route(world, name="Monday", scheduledFor="2024-07-01T12:00:00Z")
    imported = world.client.post("/stops/imports", list(stops))
    assert imported.status_code == 200, imported.text
    ids = [one["id"] for one in imported.json()["stops"]]
    added = world.client.post(f"/routes/{route}/stops", [{"importedStopId": one} for one in ids])
    assert added.status_code == 200, added.text
    return route


def export(world: World, route: str, kind: str) -> bytes:
    answer = world.client.get(f"/routes/{route}/export?query.format={kind}")
    assert answer.status_code == 200, answer.text
    content: bytes = answer.content
    return content


KEPT = (
    "clientStopId", "contact", "address", "coordinates", "timeWindows", "deliveryDate",
    "duration", "priority", "note",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["CSV", "XLSX"])
def test_what_a_spreadsheet_can_hold_comes_back_from_an_export(world: World, kind: str) -> None:
    route = make_route(world, *STOPS)
    before = world.client.get("/stops/imports").json()["stops"]
    content = export(world, route, kind)
    answer = world.client.send(
        "POST", "/stops/imports", content=content, headers={"Content-Type": MEDIA_TYPES[kind]}
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["rejectedRows"] == []
    after = {one["clientStopId"]: one for one in world.client.get("/stops/imports").json()["stops"]}
    assert len(after) == len(before), "the same stops, by their own ids"
    for one in before:
        again = after[one["clientStopId"]]
        assert {name: again.get(name) for name in KEPT} == {name: one.get(name) for name in KEPT}
        # A stop without a name of its order is called by whatever it was shown as.
        assert again["orderName"] == (one["orderName"] or again["orderName"])
        assert _amounts(again) == _amounts(one)
        assert [item["name"] for item in again["items"]] == [item["name"] for item in one["items"]]


WHOLE: Json = {
    "clientStopId": "whole",
    "orderName": "#9",
    "type": "PICKUP",
    "coordinates": {"latitude": 39.31, "longitude": -76.63},
    "note": "Ring twice",
    "items": [
        {"name": "Crate, large", "quantity": 2, "grams": 1500, "sku": "00-17"},
        {"name": "=Bag", "quantity": 1, "grams": 0, "sku": ""},
    ],
    "tags": ["vip", "cold, not frozen", "=1+1"],
    "attributes": [{"key": "colour", "value": "blue"}, {"key": "=x", "value": '"=1+1"'}],
    "loads": {"pallets": 1.5},
    "requiredSkills": ["crane", "fridge"],
    "tasks": [{"title": "Weigh", "type": "RADIO_BUTTONS", "items": [{"title": "heavy"}]}],
    "orderReferenceUrl": "https://example.com/orders/9",
    "customSignatureDisclosure": "Received whole",
}
SAME: Json = {
    **WHOLE,
    "clientStopId": "same door",
    "type": "DELIVERY",
    "items": [],
    "tags": ["vip", "early"],
    "attributes": [{"key": "k", "value": "1"}, {"key": "k", "value": "2"}],
}
SERVER_SET = ("importedAt", "geocoding")


@pytest.mark.parametrize("kind", ["CSV", "XLSX"])
def test_a_stop_with_everything_is_the_same_one_when_its_export_is_imported(
    world: World, kind: str
) -> None:
    route = make_route(world, WHOLE, SAME)
    before = world.client.get("/stops/imports").json()["stops"]
    content = export(world, route, kind)
    for one in before:
        emptied = {"importedStop": {"tags": ["changed"]}, "updateMask": "tags"}
        changed = world.client.send("PATCH", f"/stops/imports/{one['id']}", json=emptied)
        assert changed.status_code == 200, changed.text
    answer = world.client.send(
        "POST", "/stops/imports", content=content, headers={"Content-Type": MEDIA_TYPES[kind]}
    )
    assert answer.status_code == 200, answer.text
    assert [
        one["message"] for one in answer.json()["warnings"] if "left out" in one["message"]
    ] == []
    after = world.client.get("/stops/imports").json()["stops"]
    assert [_as_sent(one) for one in after] == [_as_sent(one) for one in before]


def _as_sent(stop: Json) -> Json:
    return {name: value for name, value in stop.items() if name not in SERVER_SET}


def test_an_export_says_what_was_asked_and_what_was_done(world: World) -> None:
    route = make_route(world, WHOLE)
    (stop,) = world.client.get(f"/routes/{route}").json()["stops"]
    with world.tools.database.writing() as tx:
        found = find_route(tx, world.credentials.organization_id, route)
        assert found is not None
        now = world.clock.now()
        done = replace(
            found.route.stops[0],
            customer_note=CustomerNote(note="=ring softly", at=now),
            arrived_at=now,
            recipient_name="Auntie",
            left_with=LeftWith.NEIGHBOUR,
            delivered_coordinates=Coordinates(latitude=39.3, longitude=-76.6),
            customer_rating=CustomerRating(rating=4, comment="quick", created_at=now),
            store_order=StoreOrderNotes(order_note="gift", customer_note="no bell"),
        )
        save_route(
            tx, world.credentials.organization_id, replace(found.route, stops=(done,)), read=found
        )
    (row,) = csv.DictReader(io.StringIO(export(world, route, "CSV").decode("utf-8-sig")))
    said = {
        "stopType": "PICKUP",
        "sku": "00-17",
        "askedByCustomer": "'=ring softly",
        "shopNote": "gift",
        "writtenWithOrder": "no bell",
        "receivedBy": "Auntie",
        "leftWith": "NEIGHBOUR",
        "doneLatitude": "39.3",
        "rating": "4",
        "ratingComment": "quick",
        "requiredSkills": "crane, fridge",
    }
    assert {name: row[name] for name in said} == said
    assert row["arrivedAt"]
    point, *_ = json.loads(export(world, route, "GEOJSON"))["features"]
    assert point["properties"]["attributes"]["colour"] == "blue"
    assert point["properties"]["loads"] == {"pallets": 1.5}
    assert point["properties"]["itemList"][0]["sku"] == "00-17"
    assert stop["id"] == point["properties"]["stopId"]


def test_a_break_of_an_exported_route_is_no_stop_to_import(world: World) -> None:
    sheet = "name,latitude,longitude,stopType\nLunch,39.3,-76.6,BREAK\nA,39.3,-76.6,pickup\n"
    read = world.client.send(
        "POST",
        "/stops/imports?query.partial=true",
        content=sheet.encode(),
        headers={"Content-Type": "text/csv"},
    ).json()
    assert [stop["type"] for stop in read["stops"]] == ["PICKUP"]
    assert read["rejectedRows"][0]["reason"].startswith("is a break")


def test_what_an_export_does_not_write_is_left_out_of_the_stop(world: World) -> None:
    sheet = "name,lat,lng,stopType,attributes,itemList\nA,39.3,-76.6,dropoff,{x,[1]\n"
    read = world.client.send(
        "POST", "/stops/imports", content=sheet.encode(), headers={"Content-Type": "text/csv"}
    ).json()
    left_out = {one["field"] for one in read["warnings"]}
    assert left_out == {"stopType", "attributes", "itemList"}
    assert read["stops"][0]["type"] == "UNKNOWN"


def _amounts(stop: Json) -> tuple[int, int]:
    items = stop["items"]
    grams = sum(one["quantity"] * one["grams"] for one in items)
    return sum(one["quantity"] for one in items), grams


def formula_stops() -> list[Json]:
    return [
        {
            "orderName": text,
            "clientStopId": f"{number} {text}",
            "note": text,
            "contact": {"firstName": text, "company": text},
            "coordinates": {"latitude": 39.29 + number / 1000, "longitude": -76.61},
        }
        for number, text in enumerate(FORMULAS)
    ]


def test_no_cell_of_a_file_is_a_formula(world: World) -> None:
    content = export(world, make_route(world, *formula_stops()), "CSV").decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(content, newline="")))
    assert len(rows) == 1 + len(FORMULAS)
    for row in rows:
        assert not [cell for cell in row if cell.startswith(("=", "+", "-1", "@", "\t", "\r"))]


def test_no_cell_of_a_workbook_is_a_formula(world: World) -> None:
    content = export(world, make_route(world, *formula_stops()), "XLSX")
    sheet: Any = load_workbook(io.BytesIO(content)).active
    kinds = {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None}
    assert kinds == {"s", "n"}
    assert next(row[2] for row in sheet.iter_rows(min_row=2, values_only=True)) == FORMULAS[0]


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_a_spreadsheet_program_keeps_codes_and_runs_nothing(world: World, tmp_path: Path) -> None:
    route = make_route(world, *STOPS, *formula_stops())
    (tmp_path / "route.xlsx").write_bytes(export(world, route, "XLSX"))
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/profile"]
    # Comma, quotation mark, UTF-8, from the first row, formulas shown as formulas.
    shown = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,true"
    subprocess.run(  # noqa: S603 -- the program that is asked for
        [*command, "--convert-to", shown, "--outdir", str(tmp_path), str(tmp_path / "route.xlsx")],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    with (tmp_path / "route.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    first = rows[0]
    assert (first["order"], first["zip"], first["clientStopId"]) == ("00123", "00501", "0042")
    assert first["phone"] == "+14105550123"
    said = {row["note"].strip() for row in rows[len(STOPS) :]}
    assert said == {text.replace("\r", "").strip() for text in FORMULAS}, "as it was written"


def test_a_calendar_is_read_by_somebody_else_s_parser(world: World) -> None:
    route = make_route(world, *STOPS)
    calendar: Any = icalendar.Calendar.from_ical(export(world, route, "ICS"))
    events = calendar.walk("VEVENT")
    assert calendar.errors == []
    assert [one.errors for one in events] == [[], []]
    shown = world.client.get(f"/routes/{route}").json()["stops"]
    assert len({str(one["UID"]) for one in events}) == 2
    for event, stop in zip(events, shown, strict=True):
        planned = datetime.fromisoformat(stop["plannedArrival"])
        assert abs(event["DTSTART"].dt.astimezone(UTC) - planned).total_seconds() < 60 * 60 * 8
    assert 'O\'Neil, "the baker"' in str(events[0]["SUMMARY"])
    assert "1 Main St; rear" in str(events[0]["LOCATION"])


def test_a_track_is_read_by_somebody_else_s_parser(world: World) -> None:
    track: Any = gpxpy.parse(export(world, make_route(world, *STOPS), "GPX").decode())
    (planned,) = track.routes
    names = [point.name for point in planned.points]
    assert [name for name in names if name and "O'Neil" in name]
    there = {(point.latitude, point.longitude) for point in planned.points}
    assert {(39.290001, -76.610001), (39.3, -76.62)} <= there
