"""Files of stops over HTTP: tried, imported in part or as a whole, and refused by row."""

import csv
import datetime
import io
from dataclasses import replace
from typing import Any

import pytest
from tests.api.conftest import World, settle
from tests.api.described import DescribedClient
from tests.spreadsheets.test_sheets import workbook

from roundsman.spreadsheets.column_words import Field

pytestmark = pytest.mark.spec("decisions §18")

type Json = Any

WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

GOOD = """Order,Street,City,State,Country,Window,Qty
#1,100 Light St,Baltimore,MD,US,08:00-10:00,2
#2,401 E Pratt St,Baltimore,MD,US,,1
"""
DIRTY = GOOD + "#3,,,,,,4\n#4,300 Nowhere,Zzyzxville,QQ,XX,,1\n"
PLACES = "Name,Lat,Lng\nA,39.29,-76.61\nB,39.30,-76.62\n"


def post(world: World, content: str, query: str = "", **headers: str) -> Json:
    sent = {"Content-Type": "text/csv", **headers}
    return world.client.send(
        "POST", f"/stops/imports?{query}", content=content.encode(), headers=sent
    )


@pytest.mark.both_databases
def test_a_file_is_imported_as_a_whole(world: World) -> None:
    answer = post(world, PLACES)
    assert answer.status_code == 200, answer.text
    done = answer.json()
    assert [stop["orderName"] for stop in done["stops"]] == ["A", "B"]
    assert done["rejectedRows"] == []
    assert {"header": "Lat", "field": "latitude"} in done["columns"]
    assert set(done["fields"]) == set(Field)
    listed = world.client.get("/stops/imports").json()["stops"]
    assert {stop["orderName"] for stop in listed} == {"A", "B"}
    assert world.topics().count("IMPORTED_STOP_CREATED") == 2


def test_a_dry_run_says_what_would_be_and_stores_nothing(world: World) -> None:
    tried = post(world, DIRTY, "query.dryRun=true").json()
    assert len(tried["stops"]) == 2
    assert [one["row"] for one in tried["rejectedRows"]] == [4, 5]
    assert all(one["reason"] for one in tried["rejectedRows"])
    assert world.client.get("/stops/imports").json()["stops"] == []
    assert world.topics() == []


def test_one_bad_row_keeps_all_out_unless_a_part_will_do(world: World) -> None:
    refused = post(world, DIRTY)
    assert refused.status_code == 400
    assert refused.json()["code"] == 3
    fields = [one["field"] for one in refused.json()["details"][0]["fieldViolations"]]
    assert fields == ["rows[4]", "rows[5].address"]
    assert world.client.get("/stops/imports").json()["stops"] == []
    part = post(world, DIRTY, "query.partial=true").json()
    assert len(part["stops"]) == 2
    assert len(world.client.get("/stops/imports").json()["stops"]) == 2


def test_a_column_is_what_the_caller_says(world: World) -> None:
    odd = "Who,Foo,Bar\nAnn,39.29,-76.61\n"
    assert post(world, odd).status_code == 400
    done = post(
        world, odd, "query.column.name=Who&query.column.latitude=Foo&query.column.longitude=Bar"
    )
    assert done.status_code == 200, done.text
    (stop,) = done.json()["stops"]
    assert stop["coordinates"] == {"latitude": 39.29, "longitude": -76.61}
    assert stop["orderName"] == "Ann"
    unknown = post(world, odd, "query.column.shoeSize=Foo")
    assert unknown.json()["code"] == 3
    assert "shoeSize" in unknown.json()["message"]


def test_a_column_is_not_read_where_the_caller_says_so(world: World) -> None:
    sheet = "Name,Phone,Latitude,Longitude\nAnn,+14105550101,39.29,-76.61\n"
    assert post(world, sheet).json()["stops"][0]["contact"]["phone"]
    (stop,) = post(world, sheet, "query.ignored.1=Phone").json()["stops"]
    assert not stop.get("contact", {}).get("phone")


@pytest.mark.parametrize("choice", ["column.name", "ignored.1"])
def test_a_choice_of_a_column_that_is_not_there_is_refused(world: World, choice: str) -> None:
    refused = post(world, PLACES, f"query.{choice}=Nowhere").json()
    (violation,) = refused["details"][0]["fieldViolations"]
    assert violation["field"] == f"query.{choice}"
    assert "is no header of the file" in violation["description"]
    assert world.client.get("/stops/imports").json()["stops"] == []


def test_an_order_is_the_stops_name_and_its_customer_the_contact(world: World) -> None:
    sheet = "Customer,Order Number,Latitude,Longitude\nAnn Lee,A-1,39.29,-76.61\n"
    done = post(world, sheet, "query.dryRun=true").json()
    assert done["stops"][0]["orderName"] == "A-1"
    assert done["stops"][0]["contact"]["firstName"] == "Ann"
    assert done["rows"] == [2]


def test_stops_without_a_day_get_the_one_that_is_given(world: World) -> None:
    done = post(world, PLACES, "query.deliveryDate=2024-07-03").json()
    assert done["stops"][0]["deliveryDate"] == {"year": 2024, "month": 7, "day": 3}
    bad = post(world, PLACES, "query.deliveryDate=2024-02-30")
    assert bad.json()["details"][0]["fieldViolations"][0]["field"] == "query.deliveryDate"


def test_an_unreadable_cell_costs_the_cell_or_where_strict_the_row(world: World) -> None:
    odd = "Name,Latitude,Longitude,Priority\nA,39.29,-76.61,soon\n"
    done = post(world, odd).json()
    assert len(done["stops"]) == 1
    assert done["warnings"][0]["row"] == 2
    assert done["warnings"][0]["field"] == "priority"
    assert post(world, odd, "query.strict=true").status_code == 400


def test_a_link_that_is_none_costs_the_link_and_the_others_are_imported(world: World) -> None:
    links = "Name,Latitude,Longitude,orderReferenceUrl\n" + "".join(
        f"{number},39.29,-76.61,{scheme}://shop.example/{number}\n"
        for number, scheme in enumerate(("https", "http"))
    )
    done = post(world, links).json()
    assert [one["orderReferenceUrl"] for one in done["stops"]] == ["https://shop.example/0", ""]
    message = '"http://shop.example/1" must be an https:// URL; left out'
    (warning,) = done["warnings"]
    assert (warning["index"], warning["row"]) == (1, 3)
    assert (warning["field"], warning["message"]) == ("orderReferenceUrl", message)


@pytest.mark.spec("decisions §18")
def test_skills_and_loads_stand_under_the_headers_that_the_command_line_reads(world: World) -> None:
    van = {"name": "Van", "capacities": {"crates": 10, "litres": 90}}
    assert world.client.post("/vehicles", van).status_code == 200
    head = "Name,Latitude,Longitude,skills,Crates,liters,vehicles,Subtotal,Loads\n"
    rows = 'A,39.29,-76.61,crane; lift,4,30,Van,12.50,\nB,39.3,-76.61,,many,,,,"{""litres"":5}"\n'
    done = post(world, head + rows).json()
    assert [one["requiredSkills"] for one in done["stops"]] == [["crane", "lift"], []]
    assert [one["loads"] for one in done["stops"]] == [{"crates": 4}, {"litres": 5}]
    fields = {one["header"]: one["field"] for one in done["columns"]}
    assert (fields["skills"], fields["Crates"]) == ("requiredSkills", "loads")
    assert (fields["liters"], fields["vehicles"], fields["Subtotal"]) == ("", "", "")
    assert [(one["row"], one["field"], one["message"]) for one in done["warnings"]] == [
        (2, "liters", 'is not read; did you mean the load "litres" of a vehicle?'),
        (2, "vehicles", "is not kept with a stop; say it in the request for a plan"),
        (3, "crates", '"many" is not a number; left out'),
    ]
    chosen = "query.ignored.1=Crates&query.ignored.2=vehicles&query.ignored.3=liters"
    ignored = post(world, head + rows, chosen).json()
    assert [one.get("loads") for one in ignored["stops"]] == [None, {"litres": 5}]
    assert ignored["warnings"] == []
    assert post(world, head + rows, "query.strict=true").status_code == 400


@pytest.mark.both_databases
def test_a_retry_with_its_key_imports_once(world: World) -> None:
    first, again = (post(world, PLACES, **{"Idempotency-Key": "k1"}) for _ in range(2))
    assert first.json() == again.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert len(world.client.get("/stops/imports").json()["stops"]) == 2
    other = post(world, PLACES + "C,39.31,-76.60\n", **{"Idempotency-Key": "k1"})
    assert other.status_code in {400, 409, 422}
    tried = [
        post(world, PLACES, "query.dryRun=true", **{"Idempotency-Key": "k2"}).status_code
        for _ in range(2)
    ]
    assert tried == [200, 200]


@pytest.mark.parametrize("query", ["", "query.partial=true", "query.dryRun=true"])
@pytest.mark.parametrize("blank", ["", "\n\n", ",,\n , ,\n"])
def test_a_header_without_rows_below_it_is_refused(world: World, blank: str, query: str) -> None:
    refused = post(world, "Name,Latitude,Longitude\n" + blank, query)
    assert refused.status_code == 400, refused.text
    assert refused.json()["code"] == 3
    assert "a header but no rows below it" in refused.json()["message"]


def test_a_workbook_of_a_header_alone_is_refused(world: World) -> None:
    book = workbook(stops=[["Name", "Lat", "Lng"]])
    refused = world.client.send(
        "POST", "/stops/imports", content=book, headers={"Content-Type": WORKBOOK}
    )
    assert refused.status_code == 400
    assert "a header but no rows below it" in refused.json()["message"]


@pytest.mark.both_databases
def test_a_part_of_which_every_row_is_refused_says_why(world: World) -> None:
    done = post(world, "name,latitude,longitude\nA,95,13\n", "query.partial=true")
    assert done.status_code == 200, done.text
    assert done.json()["stops"] == []
    assert done.json()["rejectedRows"] == [
        {
            "row": 2,
            "column": "latitude",
            "reason": "95 is outside -90 to 90",
            "type": "OUT_OF_RANGE",
            "values": {"value": "95", "least": -90, "most": 90},
            "cells": ["A", "95", "13"],
        }
    ]
    assert world.topics() == []


def test_each_cell_that_is_wrong_is_named_by_its_header(world: World) -> None:
    sheet = "Name,Lat,Lng,Priorität\nA,95,200,x\nB,52.5,13.4,y\n"
    tried = post(world, sheet, "query.strict=true&query.dryRun=true").json()
    assert [(one["row"], one["column"], one["reason"]) for one in tried["rejectedRows"]] == [
        (2, "Lat", "95 is outside -90 to 90"),
        (2, "Lng", "200 is outside -180 to 180"),
        (2, "Priorität", '"x" is not a whole number'),
        (3, "Priorität", '"y" is not a whole number'),
    ]
    refused = post(world, sheet, "query.strict=true").json()
    assert refused["message"].startswith("2 rows are refused, row 2 first: Lat: 95 ")
    fields = [one["field"] for one in refused["details"][0]["fieldViolations"]]
    assert fields == ["rows[2].Lat", "rows[2].Lng", "rows[2].Priorität", "rows[3].Priorität"]


@pytest.mark.parametrize("content", ["", "just words\n", "Name\nA\n"])
def test_what_is_no_table_of_stops_is_refused(world: World, content: str) -> None:
    assert post(world, content).json()["code"] == 3


def test_two_rows_of_one_client_stop_id_are_one_too_many(world: World) -> None:
    twice = "clientStopId,Latitude,Longitude\nx,39.29,-76.61\nx,39.30,-76.62\n"
    refused = post(world, twice)
    assert refused.json()["details"][0]["fieldViolations"][0]["field"] == "rows[3].clientStopId"


def test_a_workbook_is_read_and_other_files_are_not(world: World) -> None:
    book = workbook(stops=[["Name", "Lat", "Lng"], ["A", "39.29", "-76.61"]])
    done = world.client.send(
        "POST", "/stops/imports", content=book, headers={"Content-Type": WORKBOOK}
    )
    assert [stop["orderName"] for stop in done.json()["stops"]] == ["A"]
    wrong = world.client.send(
        "POST", "/stops/imports", content=b"words", headers={"Content-Type": "text/plain"}
    )
    assert wrong.status_code == 415
    message = f"Content-Type must be application/json, text/csv or {WORKBOOK}"
    assert wrong.json()["message"] == message


def as_csv(*rows: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(rows)
    return text.getvalue()


def test_a_refused_row_says_what_stands_in_it(world: World) -> None:
    sheet = 'Name,,Lat,Lng,Note\n"Ann ""A""",x,95,200,"one, two"\nB,x,39.29,-76.61,\n=C,x,\n'
    tried = post(world, sheet, "query.dryRun=true").json()
    assert [one["header"] for one in tried["columns"]] == ["Name", "Lat", "Lng", "Note"]
    assert [(one["row"], one.get("cells")) for one in tried["rejectedRows"]] == [
        (2, ['Ann "A"', "95", "200", "one, two"]),
        (2, None),
        (4, ["=C", "", "", ""]),
    ]


def test_a_refused_row_shows_the_cells_that_have_no_header(world: World) -> None:
    tried = post(world, "Street,City\n100 Light St, Unit 2,Baltimore\n", "query.dryRun=true").json()
    (refused,) = tried["rejectedRows"]
    assert refused["column"] == ""
    assert refused["cells"] == ["100 Light St", "Unit 2", "Baltimore"]


def test_a_line_of_an_order_that_is_left_out_names_the_orders_row(world: World) -> None:
    sheet = "Order,Lat,Lng,Item\nA-1,95,-76.61,Bread\nA-1,,,Milk\n"
    tried = post(world, sheet, "query.dryRun=true").json()
    assert [one.get("orderRow") for one in tried["rejectedRows"]] == [None, 2]


def test_cells_of_a_workbook_make_the_same_stop_as_csv(world: World) -> None:
    header = ["Name", "Lat", "Lng", "Day", "From", "Until", "Qty", "Kg", "Ref", "Note", "Phone"]
    values: list[object] = [
        "Ann",
        139.29,
        -76.61,
        datetime.datetime(2030, 5, 6),  # noqa: DTZ001 -- a spreadsheet knows no zone
        datetime.time(9, 30),
        datetime.datetime(1899, 12, 30, 17, 0),  # noqa: DTZ001 -- as above
        2.0,
        1.25,
        "'02134",
        ' =SUM(1) "of", \nfive',
        4105550101,
    ]
    book = workbook(stops=[header, values])
    tried = world.client.send(
        "POST",
        "/stops/imports?query.dryRun=true&query.country=US",
        content=book,
        headers={"Content-Type": WORKBOOK},
    ).json()
    (refused,) = tried["rejectedRows"]
    mended = ["39.29" if one == "139.29" else one for one in refused["cells"]]
    values[1] = 39.29
    whole = world.client.send(
        "POST",
        "/stops/imports?query.dryRun=true&query.country=US",
        content=workbook(stops=[header, values]),
        headers={"Content-Type": WORKBOOK},
    ).json()
    again = post(world, as_csv(header, mended), "query.dryRun=true&query.country=US").json()
    (stop,), (same,) = whole["stops"], again["stops"]
    left_out = {"id", "importedAt"}
    assert {**same, **dict.fromkeys(left_out)} == {**stop, **dict.fromkeys(left_out)}
    assert same["timeWindows"] == [
        {
            "start": {"hours": 9, "minutes": 30, "seconds": 0},
            "end": {"hours": 17, "minutes": 0, "seconds": 0},
        }
    ]
    assert same["contact"]["phone"] == "+14105550101"
    assert same["note"] == '=SUM(1) "of", \nfive'


def test_rows_of_a_file_are_in_the_country_that_is_given(world: World) -> None:
    sheet = "Name,Lat,Lng,Country,Phone\nA,39.29,-76.61,US,410-555-0101\n"
    assert post(world, sheet, "query.dryRun=true").json()["country"] == "US"
    alone = "Name,Lat,Lng,Country,Phone\nA,39.29,-76.61,,410-555-0101\n"
    assert "phone" not in str(post(world, alone, "query.dryRun=true").json()["stops"])
    (stop,) = post(world, alone, "query.dryRun=true&query.country=US").json()["stops"]
    assert stop["contact"]["phone"] == "+14105550101"
    refused = post(world, alone, "query.country=Atlantis").json()
    assert refused["code"] == 3
    assert refused["details"][0]["fieldViolations"][0]["field"] == "query.country"


BARE = "Name,Lat,Lng,Country,Phone,Date\nA,39.29,-76.61,,(410) 321-4455,12/24/2026\n"
BALTIMORE = {"city": "Baltimore", "provinceCode": "MD"}
CHRISTMAS_EVE = {"year": 2026, "month": 12, "day": 24}


def start_at(world: World, **start: Json) -> None:
    changed = {"organization": {"start": start}, "updateMask": "start"}
    assert world.client.send("PATCH", "/organization", json=changed).status_code == 200


@pytest.mark.parametrize(
    "start",
    [
        {"address": {**BALTIMORE, "countryCode": "US"}},
        {"address": BALTIMORE},
        {"address": {"address1": "Baltimore, MD"}},
        {"coordinates": {"latitude": 39.29, "longitude": -76.61}},
    ],
)
def test_a_file_is_of_the_country_where_routes_begin(world: World, start: Json) -> None:
    start_at(world, **start)
    read = post(world, BARE).json()
    assert read["country"] == "US"
    assert read["warnings"] == []
    (stop,) = read["stops"]
    assert stop["contact"]["phone"] == "+14103214455"
    assert stop["deliveryDate"] == CHRISTMAS_EVE


def test_a_file_is_of_the_country_of_the_time_zone_where_no_start_says_one(world: World) -> None:
    client = DescribedClient(world.client.interface)
    settle(world.tools, client, "Nordwind", "Europe/Berlin")
    sheet = "Name,City,Zip,Phone,Date\nA,Halle,06108,0345 2021234,24/12/2026\n"
    read = post(replace(world, client=client), sheet).json()
    assert read["country"] == "DE"
    assert read["stops"][0]["contact"]["phone"] == "+493452021234"
    assert read["stops"][0]["deliveryDate"] == CHRISTMAS_EVE


def test_addresses_are_looked_for_where_routes_begin_before_where_most_rows_are(
    world: World,
) -> None:
    sheet = "city,country\nToledo,\nMadrid,ES\nAranjuez,ES\n"
    spanish = post(world, sheet, "query.dryRun=true").json()
    assert spanish["country"] == "ES"
    assert spanish["stops"][0]["coordinates"]["latitude"] == pytest.approx(39.86, abs=0.1)
    start_at(world, address={**BALTIMORE, "countryCode": "US"})
    american = post(world, sheet, "query.dryRun=true").json()
    assert american["country"] == "US"
    assert american["stops"][0]["coordinates"]["latitude"] == pytest.approx(41.66, abs=0.1)
    asked = post(world, sheet, "query.dryRun=true&query.country=ES").json()
    assert asked["country"] == "ES"
    assert asked["stops"][0] == {**spanish["stops"][0], "id": asked["stops"][0]["id"]}


def test_a_start_that_is_nowhere_refuses_no_file(world: World) -> None:
    start_at(world, address={"city": "Zzyzxville"})
    read = post(world, BARE)
    assert read.status_code == 200
    assert read.json()["country"] == ""


ADDRESSES = "Name,Street,City,State,Zip,Country\n"


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (",Baltimroe,MD,,US", {"type": "UNKNOWN_CITY", "values": {"value": "Baltimroe"}}),
        (",Zzyzxville,,,", {"type": "UNKNOWN_CITY", "values": {"value": "Zzyzxville"}}),
        (",,,00001,US", {"type": "UNKNOWN_ZIP", "values": {"value": "00001"}}),
        (",Bern,QQ,,US", {"type": "UNKNOWN_PROVINCE", "values": {"value": "QQ"}}),
        (",Bern,,,XX", {"type": "UNKNOWN_COUNTRY", "values": {"value": "XX"}}),
        (",Springfield,,,US", {"type": "ADDRESS_AMBIGUOUS", "values": {"value": "Springfield"}}),
        (",,,AB1 2CD,GB", {"type": "CITY_REQUIRED"}),
        (
            ",12 Main Street,,,",
            {"type": "CITY_LOOKS_LIKE_STREET", "values": {"value": "12 Main Street"}},
        ),
        (
            ",Baltimore,MD,90210,US",
            {"type": "ZIP_IS_ELSEWHERE", "values": {"value": "90210", "readAs": "CA"}},
        ),
    ],
)
def test_an_address_that_is_not_found_says_as_what(world: World, row: str, found: Json) -> None:
    tried = post(world, f"{ADDRESSES}A,{row}\n", "query.dryRun=true").json()
    (one,) = tried["rejectedRows"]
    given = one.get("values", {})
    choices = given.pop("choices", [])
    assert {"type": one["type"], **({"values": given} if given else {})} == found
    assert all(choice in one["reason"] for choice in choices)


def test_a_refused_file_says_by_type_what_is_wrong_with_each_row(world: World) -> None:
    refused = post(world, "name,latitude,longitude\nA,95,13\n").json()
    assert refused["details"][0]["fieldViolations"] == [
        {
            "field": "rows[2].latitude",
            "description": "95 is outside -90 to 90",
            "type": "OUT_OF_RANGE",
            "values": {"value": "95", "least": -90, "most": 90},
        }
    ]


def test_what_is_doubtful_about_rows_has_types(world: World) -> None:
    content = (
        "Id,Name,Lat,Lng,Minutes\n"
        "a,A,39.29,-76.61,long\nb,B,39.30,-76.62,\na,C,39.31,-76.63,\nd,D,-76.61,39.29,\n"
        "e,E,0,0,\n"
    )
    tried = post(
        world,
        content,
        "query.dryRun=true&query.column.clientStopId=Id&query.column.duration=Minutes",
    ).json()
    assert [(one["type"], one["values"]) for one in tried["rejectedRows"]] == [
        ("REPEATED_ID", {"row": 2})
    ]
    doubts = {one["row"]: one for one in tried["warnings"]}
    assert (doubts[2]["type"], doubts[2]["leftOut"]) == ("NOT_A_NUMBER", True)
    assert (doubts[5]["type"], doubts[5]["leftOut"]) == ("COORDINATES_SWAPPED", False)
    assert doubts[5]["values"]["distanceMeters"] > 1_000_000
    assert doubts[6]["type"] == "COORDINATES_ZERO"


def test_rows_that_are_one_stop_are_said_and_imported(world: World) -> None:
    sheet = (
        "Name,Phone,Lat,Lng,Window,Note\n"
        "Ann,+14105550123,39.29,-76.61,,first\n"
        "Bob,,39.29,-76.61,,\n"
        " ann ,+14105550123,39.29,-76.61,,again\n"
        "Ann,+14105550199,39.29,-76.61,,another customer\n"
        "Ann,+14105550123,39.29,-76.61,08:00-10:00,another time\n"
        "Ann,+14105550123,39.30,-76.61,,another place\n"
        "Bob,,39.29,-76.61,,\n"
        "Bob,,39.29,-76.61,,\n"
    )
    for query in ("query.dryRun=true", ""):
        answer = post(world, sheet, query).json()
        assert len(answer["stops"]) == 8
        assert answer["rejectedRows"] == []
        assert [(one["index"], one["row"], one["values"]) for one in answer["warnings"]] == [
            (2, 4, {"row": 2}),
            (6, 8, {"row": 3}),
            (7, 9, {"row": 3}),
        ]
        assert {one["type"] for one in answer["warnings"]} == {"REPEATED_STOP"}
        assert answer["warnings"][0]["message"] == "is the same stop as row 2; each is imported"


def test_rows_with_ids_of_their_own_are_no_repeated_stop(world: World) -> None:
    sheet = "ID,Name,Lat,Lng\na,Ann,39.29,-76.61\nb,Ann,39.29,-76.61\n"
    answer = post(world, sheet, "query.dryRun=true").json()
    assert [stop["clientStopId"] for stop in answer["stops"]] == ["a", "b"]
    assert answer["warnings"] == []
