"""`roundsman plan --vehicles`: the stops of a spreadsheet on several vehicles."""

import csv
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from tests.support import commands
from tests.support.commands import COMMAND

pytestmark = pytest.mark.spec("decisions §21")

STOPS = """\
name,latitude,longitude,duration,kg,crates,skills,vehicles,fixedVehicle,unassignedCost
North,39.32,-76.61,10,30,1,,,,
South,39.26,-76.61,10,30,1,,,,
Cold,39.29,-76.58,10,10,,fridge,,,
Crane,39.29,-76.64,10,10,,crane,,,77
Named,39.30,-76.60,10,10,,,cold,,
Fixed,39.28,-76.60,10,10,,,,van-2,
"""
VEHICLES = """name,count,start,end,shiftStart,shiftEnd,kilograms,crates,skills,maxStops
van,2,"39.29,-76.61",=,8:00,16:00,45,2,,2
cold,1,"39.29,-76.61",,9:00,15:00,25,2,fridge,
"""


def _effort(arguments: tuple[str, ...]) -> tuple[str, ...]:
    return ("--effort", "QUICK") if "--vehicles" in arguments else ()


def run(folder: Path, *arguments: str, stops: str = STOPS, vehicles: str = VEHICLES) -> Any:
    (folder / "stops.csv").write_text(stops)
    (folder / "vehicles.csv").write_text(vehicles)
    return commands.run(
        [*COMMAND, "plan", "stops.csv", *_effort(arguments), *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
    )


def test_json_has_its_keys_where_nothing_is_planned(tmp_path: Path) -> None:
    said = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json")
    planned = json.loads(run(tmp_path, *said).stdout)
    broken = STOPS + "Nowhere,x,y,10,,,,,,\n"
    for stops, options in ((broken, ("--strict",)), (STOPS.splitlines()[0] + "\nA,x,y", ())):
        done = run(tmp_path, *said, *options, stops=stops)
        answer = json.loads(done.stdout)
        assert (done.returncode, answer.keys()) == (1, planned.keys())
        assert (answer["routes"], answer["unassigned"], answer["cost"]) == ([], [], 0)
        assert len(answer["rejectedRows"]) == 1
        assert answer["statistics"].keys() <= planned["statistics"].keys()


def test_a_sheet_of_stops_goes_on_a_sheet_of_vehicles(tmp_path: Path) -> None:
    done = run(tmp_path, "--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json")
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    served = {
        route["vehicle"]: {stop["name"] for stop in route["stops"]} for route in plan["routes"]
    }
    assert {"Cold", "Named"} == served["cold"]
    assert "Fixed" in served["van-2"]
    assert served["van-1"] | served["van-2"] == {"North", "South", "Fixed"}
    (out,) = plan["unassigned"]
    assert (out["row"], out["name"]) == (5, "Crane")
    assert {reason["type"] for reason in out["reasons"]} == {"requiredSkills"}
    assert {fix["type"] for fix in out["fixes"]} == {"GRANT_SKILL"}
    assert plan["vehiclesUsed"] == 3
    assert plan["cost"] == pytest.approx(sum(route["cost"] for route in plan["routes"]) + 77)
    for route in plan["routes"]:
        assert route["plannedDeparture"].startswith("2030-07-01T1")
        arrivals = [stop["plannedArrival"] for stop in route["stops"]]
        assert arrivals == sorted(arrivals)
    again = run(tmp_path, "--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json")
    assert again.stdout == done.stdout
    assert "skills" in done.stderr
    assert "ignored" not in done.stderr


def test_skills_and_loads_may_stand_as_an_export_writes_them(tmp_path: Path) -> None:
    stops = STOPS.replace("skills", "requiredSkills").replace("crates", "loads")
    stops = stops.replace(",30,1,", ',30,"{""crates"":1}",')
    arguments = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json")
    plan = json.loads(run(tmp_path, *arguments, stops=stops).stdout)
    assert [out["name"] for out in plan["unassigned"]] == ["Crane"]
    stops = stops.replace('"{""crates"":1}"', '"{""crates"":3}"')
    plan = json.loads(run(tmp_path, *arguments, stops=stops).stdout)
    assert [out["name"] for out in plan["unassigned"]] == ["North", "South", "Crane"]


HEAVY = "name,latitude,longitude,kg\nA,39.30,-76.61,10\nB,39.31,-76.61,10\n"
VAN = 'name,count,{},start,shiftStart,shiftEnd\nVan,1,{},"39.29,-76.61",8:00,17:00\n'


@pytest.mark.parametrize(
    ("stops", "vehicles", "words"),
    [
        (
            HEAVY,
            VAN.format("kilogramms,skils", "5,"),
            'vehicles.csv: column "kilogramms": no stop has such a load, did you mean "kilograms"?',
        ),
        (
            HEAVY.replace("kg", "litres"),
            VAN.format("liters", "5"),
            'vehicles.csv: column "liters": no stop has such a load, did you mean "litres"?',
        ),
        (
            HEAVY.replace("kg", "kilogramms"),
            VAN.format("kilograms", "5"),
            'stops.csv: column "kilogramms": no vehicle has such a load, did you mean "kilograms"?',
        ),
        (
            HEAVY,
            VAN.format("breaks", "18:00-19:00 30m"),
            "vehicles.csv: row 2: breaks: 18:00\N{EN DASH}19:00 must lie within the shift",
        ),
        (
            HEAVY,
            VAN.format("breaks", "07:30-09:00 30m"),
            "vehicles.csv: row 2: breaks: 7:30\N{EN DASH}9:00 must lie within the shift",
        ),
        (
            HEAVY,
            VAN.replace("Van,1", "Van,0").format("skills", ""),
            "vehicles.csv: row 2: count: 0 is outside 1 to 200",
        ),
    ],
)
def test_what_would_plan_another_day_than_is_meant_is_refused(
    tmp_path: Path, stops: str, vehicles: str, words: str
) -> None:
    said = ("--vehicles", "vehicles.csv", "--date", "2030-07-01")
    done = run(tmp_path, *said, stops=stops, vehicles=vehicles)
    assert done.returncode == 2
    assert words in done.stderr


def test_a_limit_in_any_spelling_of_kilograms_holds_and_other_columns_are_named(
    tmp_path: Path,
) -> None:
    vehicles = VAN.format("KG,plate,note,year,skils", "15,B-AB 123,a dent,2019,")
    said = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json")
    done = run(tmp_path, *said, stops=HEAVY, vehicles=vehicles)
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    (out,) = plan["unassigned"]
    assert {reason["type"] for reason in out["reasons"]} <= {"capacities", "CONTENTION"}
    assert "vehicles.csv: columns without a meaning here, ignored: plate, note" in done.stderr
    assert plan["warnings"] == [
        'vehicles.csv: column "year" limits nothing: no stop has such a load',
        'vehicles.csv: column "skils" is ignored, did you mean "skills"?',
    ]
    for warning in plan["warnings"]:
        assert f"warning: {warning}" in done.stderr


def test_a_table_a_van_says_what_stays_out_and_a_file_holds_all(tmp_path: Path) -> None:
    said = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--csv", "out.csv", "--strict")
    done = run(tmp_path, *said)
    assert done.returncode == 1, "--strict, and a stop stays out"
    for words in (
        "van-1: ",
        "cold: ",
        "1 stop stays out",
        "it needs crane",
        "3 of 3 vehicles",
        "with crane",
    ):
        assert words in done.stdout
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert len(rows) == 6
    assert rows[-1]["name"] == "Crane"
    assert "it needs crane" in rows[-1]["reason"]
    assert [row["position"] for row in rows if row["vehicle"] == "cold"] == ["1", "2"]


TWO_SIDES = "name,latitude,longitude\n" + "".join(
    f"{side}{row},{39.3 + row / 500},{longitude}\n"
    for side, longitude in (("West", -76.66), ("East", -76.56))
    for row in range(12)
)


def test_vans_are_even_or_keep_to_their_part_of_the_town_when_asked(tmp_path: Path) -> None:
    wanted = ("--vehicles", "3", "--start", "39.29,-76.61", "--json")
    plans = [
        json.loads(run(tmp_path, *wanted, *more, stops=TWO_SIDES).stdout)
        for more in ((), ("--even",), ("--compact",))
    ]
    loose, even, compact = ([route["stops"] for route in plan["routes"]] for plan in plans)
    assert [len(stops) for stops in loose] == [24]
    assert [len(stops) for stops in even] == [8, 8, 8]
    assert plans[1]["statistics"]["balanceCost"] == 400
    sides = [{stop["name"][:4] for stop in stops} for stops in compact]
    assert sorted(map(sorted, sides)) == [["East"], ["West"]]


def test_a_map_shows_every_vehicle_and_what_stays_out(tmp_path: Path) -> None:
    said = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--map", "day.html")
    done = run(tmp_path, *said)
    assert done.returncode == 0, done.stderr
    assert "map written to day.html" in done.stderr
    page = (tmp_path / "day.html").read_text()
    block = re.search(r'<script type="application/json" id="route">(.*?)</script>', page, re.DOTALL)
    assert block is not None
    day = json.loads(block[1])
    assert [route["name"] for route in day["routes"]] == ["van-1", "van-2", "cold"]
    assert len({route["color"] for route in day["routes"]}) == 3
    for route in day["routes"]:
        assert len(route["paths"]) == len(route["stops"]) + (route["end"] is not None)
        assert route["start"]["label"] == "39.29000, -76.61000"
    assert day["routes"][2]["end"] is None, "it ends where its last stop is"
    (out,) = day["out"]
    assert (out["name"], out["row"]) == ("Crane", 5)
    assert "cold: it needs crane" in out["why"]
    assert any(one.startswith("would help: ") and "with crane" in one for one in out["why"])
    assert day["streets"] is None
    assert day["day"] == "Monday, 1 July 2030"


def test_a_window_after_the_shift_is_helped_by_just_as_much(tmp_path: Path) -> None:
    stops = """name,latitude,longitude,duration,windows
Late,39.29,-76.61,10,12:00-14:00
"""
    vans = """name,start,end,shiftStart,shiftEnd
van,"39.29,-76.61",=,8:00,11:30
"""
    ask = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json")
    (out,) = json.loads(run(tmp_path, *ask, stops=stops, vehicles=vans).stdout)["unassigned"]
    (short,) = (reason["amount"] for reason in out["reasons"])
    assert {fix["type"]: (fix["amount"], fix["minimal"]) for fix in out["fixes"]} == {
        "OPEN_EARLIER": (60 * math.ceil(short / 60), True),
        "EXTEND_SHIFT": (60 * math.ceil(short / 60), True),
    }


def test_a_window_after_midnight_is_told_to_name_the_next_day(tmp_path: Path) -> None:
    stops = "name,latitude,longitude,windows,date\nNight,39.30,-76.61,1:00-3:00,{}\n"
    vans = 'name,start,end,shiftStart,shiftEnd\nvan,"39.29,-76.61",=,21:00,5:00\n'
    ask = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json")
    plan = json.loads(run(tmp_path, *ask, stops=stops.format(""), vehicles=vans).stdout)
    ((reason,),) = (out["reasons"] for out in plan["unassigned"])
    assert reason["type"] == "timeWindows"
    assert reason["description"] == (
        "its windows are missed by 18 h 04 min; they are of 2030-07-01, when the shift begins: for "
        "the hours after midnight its deliveryDate has to be 2030-07-02"
    )
    dated = json.loads(run(tmp_path, *ask, stops=stops.format("2030-07-02"), vehicles=vans).stdout)
    assert dated["unassigned"] == []
    named = json.loads(run(tmp_path, *ask, stops=stops.format("2030-07-01"), vehicles=vans).stdout)
    assert named["unassigned"][0]["reasons"][0]["description"] == (
        "its windows are missed by 18 h 04 min; they are of 2030-07-01, its deliveryDate: for the "
        "hours after midnight its deliveryDate has to be 2030-07-02"
    )
    evening = stops.format("2030-07-02").replace("1:00-3:00", "22:00-23:00")
    named = json.loads(run(tmp_path, *ask, stops=evening, vehicles=vans).stdout)
    assert named["unassigned"][0]["reasons"][0]["description"] == (
        "its windows are missed by 17 h 04 min; they are of 2030-07-02, its deliveryDate: for the "
        "hours before midnight its deliveryDate has to be 2030-07-01"
    )
    # No day helps a window that the shift never reaches.
    noon = stops.format("").replace("1:00-3:00", "12:00-13:00")
    plan = json.loads(run(tmp_path, *ask, stops=noon, vehicles=vans).stdout)
    assert "windows are missed by" in plan["unassigned"][0]["reasons"][0]["description"]


def test_a_stop_that_may_stay_out_instead_is_named_by_its_row(tmp_path: Path) -> None:
    stops = """name,latitude,longitude,duration,unassignedCost
Anna,39.30,-76.61,300,900
Bert,39.31,-76.61,300,900
"""
    vans = """name,start,end,shiftStart,shiftEnd
van,"39.29,-76.61",=,8:00,16:00
"""
    ask = ("--vehicles", "vehicles.csv", "--date", "2030-07-01")
    plan = json.loads(run(tmp_path, *ask, "--json", stops=stops, vehicles=vans).stdout)
    (out,) = plan["unassigned"]
    (instead,) = (fix for fix in out["fixes"] if fix["type"] == "DROP_STOP")
    assert {out["row"], instead["row"]} == {2, 3}
    assert all("row" not in fix for fix in out["fixes"] if fix["type"] == "ADD_VEHICLE")
    printed = run(tmp_path, *ask, stops=stops, vehicles=vans)
    assert "1 stop on 1 of 1 vehicles" in printed.stdout


def test_so_many_alike_vans_leave_where_it_is_said(tmp_path: Path) -> None:
    start = ("--start", "39.29,-76.61", "--round-trip", "--start-at", "2030-07-01 08:00")
    simple = "name,latitude,longitude,duration\n" + "".join(
        f"Stop {number},{39.2 + 0.01 * number},-76.6,60\n" for number in range(12)
    )
    done = run(tmp_path, "--vehicles", "2", *start, "--json", stops=simple)
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    assert [route["vehicle"] for route in plan["routes"]] == ["van-1", "van-2"]
    assert plan["unassigned"] == []
    alone = run(tmp_path, *start, "--json", stops=simple)
    assert "the work of 2 vans of eight hours" in alone.stderr
    assert "--vehicles 2" in alone.stderr


def test_alike_vans_heed_the_limits_of_the_command_line(tmp_path: Path) -> None:
    start = ("--vehicles", "1", "--start", "39.29,-76.61", "--start-at", "2030-07-01 08:00")
    stops = "name,latitude,longitude,duration,kg\nA,39.30,-76.6,60,30\nB,39.31,-76.6,60,30\n"

    def plan(*said: str) -> Any:
        return json.loads(run(tmp_path, *start, *said, "--json", stops=stops).stdout)

    assert plan()["unassigned"] == []
    assert len(plan("--max-kilograms", "40")["unassigned"]) == 1
    assert len(plan("--max-duration", "90")["unassigned"]) == 1
    slow = plan("--speed-factor", "0.5")["routes"][0]["plannedEnd"]
    assert slow > plan()["routes"][0]["plannedEnd"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--vehicles", "vehicles.csv", "--map", "stops.csv"), "is the file with the stops"),
        (("--vehicles", "nothing.csv"), "neither a file nor a number"),
        (("--vehicles", "3"), "--start"),
        (("--vehicles", "300", "--start", "39.29,-76.61"), "between 1 and 200"),
        (("--vehicles", "vehicles.csv", "--date", "July"), "--date"),
        (("--vehicles", "vehicles.csv", "--date", "9999-12-31"), "1900 to 2199"),
        ((), "--start"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (STOPS.replace("cold,,", "bus,,"), 'row 6: vehicles: "bus" is no vehicle'),
        (STOPS.replace("van-2", "van"), "row 7: fixedVehicle: stands for several"),
        (STOPS.replace(",77", ",much"), 'row 5: unassignedcost: "much" is not a number'),
    ],
)
def test_a_cell_that_cannot_be_meant_is_named(tmp_path: Path, wrong: str, words: str) -> None:
    done = run(tmp_path, "--vehicles", "vehicles.csv", stops=wrong)
    assert done.returncode == 2
    assert words in done.stderr


ROW_OF_STOPS = "name,latitude,longitude,duration\n" + "".join(
    f"S{number},{39.30 + number / 100},-76.6,50\n" for number in range(1, 11)
)
WITH_BREAK = """name,start,end,shiftStart,shiftEnd,breaks
van,"39.29,-76.61",=,8:00,16:00,12:00-12:30 30m
"""


def run_with_break(folder: Path, *files: str) -> Any:
    said = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json", *files)
    return run(folder, *said, stops=ROW_OF_STOPS, vehicles=WITH_BREAK)


def test_a_routes_break_way_home_and_costs_add_up(tmp_path: Path) -> None:
    plan = json.loads(run_with_break(tmp_path).stdout)
    (route,) = plan["routes"]
    (rest,) = route["breaks"]
    before = route["stops"][rest["afterStops"] - 1]
    assert before["plannedDeparture"] <= rest["plannedArrival"] < rest["plannedDeparture"]
    assert route["end"]["plannedArrival"] == route["plannedEnd"]
    legs = [*route["stops"], *route["breaks"], route["end"]]
    total = sum(leg["distanceMeters"] for leg in legs)
    assert total == route["totalDistanceMeters"] == plan["statistics"]["totalDistanceMeters"]
    assert route["durations"]["break"] == "1800s"
    spent = sum(int(part.removesuffix("s")) for part in route["durations"].values())
    assert f"{spent}s" == route["totalDuration"]
    costs = {name: cost for name, cost in route["costs"].items() if name != "total"}
    assert sum(costs.values()) == pytest.approx(route["cost"])


def test_the_files_have_breaks_the_way_home_and_who_stays_out(tmp_path: Path) -> None:
    done = run_with_break(tmp_path, "--csv", "plan.csv", "--out", "out.csv")
    plan = json.loads(done.stdout)
    (route,) = plan["routes"]
    (rest,) = route["breaks"]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "plan.csv").read_text())))
    interval = f"{rest['plannedArrival']}/{rest['plannedDeparture']}"
    breaks = [row["breakBefore"] for row in rows]
    assert breaks[rest["afterStops"]] == interval
    assert sorted(breaks)[:-1] == [""] * (len(rows) - 1)
    assert [row["plannedEnd"] for row in rows if row["plannedEnd"]] == [route["plannedEnd"]]
    meters = [int(row["distanceMeters"] or 0) + int(row["endDistanceMeters"] or 0) for row in rows]
    assert sum(meters) == route["totalDistanceMeters"]

    out = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text("utf-8-sig"))))
    assert len(out) == len(rows) == 10
    assert re.fullmatch(r"12:\d\d-1[23]:\d\d", out[rest["afterStops"]]["breakBefore"])
    left_out = out[len(route["stops"]) :]
    assert {row["order"] for row in left_out} == {stop["name"] for stop in plan["unassigned"]}
    assert {(row["route"], row["position"]) for row in left_out} == {("", "")}
    assert all("not beside what the plan has" in row["reason"] for row in left_out)
    assert f"{len(left_out)} stops that stay out stand last, without a route" in done.stderr


def test_what_a_fix_serves_too_is_named_by_rows_and_equal_in_every_run(tmp_path: Path) -> None:
    one, again = (run_with_break(tmp_path).stdout for _ in range(2))
    assert one == again
    out = json.loads(one)["unassigned"]
    rows = {stop["row"] for stop in out}
    more = [(stop, fix) for stop in out for fix in stop["fixes"] if fix["type"] == "ADD_VEHICLE"]
    assert more
    for stop, fix in more:
        assert set(fix["alsoServesRows"]) == rows - {stop["row"]}
        assert fix["alsoServes"] == [f"row {row}" for row in fix["alsoServesRows"]]


def test_a_sheet_without_a_country_is_of_the_one_that_the_first_vehicle_leaves_from(
    tmp_path: Path,
) -> None:
    stops = "name,city,state,phone,date\nA,Towson,MD,410-321-4455,07/01/2030\n"
    vehicles = 'name,start\nvan,"Baltimore, MD"\n'
    done = run(
        tmp_path,
        *("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json"),
        stops=stops,
        vehicles=vehicles,
    )
    assert done.returncode == 0, done.stderr
    assert "left out" not in done.stderr
    assert [stop["name"] for stop in json.loads(done.stdout)["routes"][0]["stops"]] == ["A"]


def test_a_table_tells_what_a_stop_would_have_to_be_worth(tmp_path: Path) -> None:
    cheap = "name,latitude,longitude,unassignedCost\nFar,39.35,-76.61,2\n"
    alike = ("--vehicles", "1", "--start", "39.29,-76.61", "--start-at", "2030-07-01T08:00")
    out = run(tmp_path, *alike, stops=cheap).stdout
    (lacking,) = re.findall(r"serving it costs ([\d.]+) more than leaving it out", out)
    (worth,) = re.findall(r"unassignedCost ([\d.]+)", out)
    assert float(worth) == pytest.approx(2 + float(lacking))
    dear = cheap.replace(",2\n", f",{worth}\n")
    assert "1 stop on 1 of 1 vehicles" in run(tmp_path, *alike, stops=dear).stdout


SIMPLE = "name,latitude,longitude\nA,39.30,-76.60\nB,39.31,-76.60\n"
BARE = "name\nvan\n"
COMPLETE = """\
name,start,end,shiftStart,shiftEnd,maxDuration,kilograms,speedFactor
van,"39.29,-76.61",=,8:00,16:00,480,90,1
"""
HERE = ("--start", "39.29,-76.61")


def routes_of(folder: Path, *said: str, vehicles: str = BARE, stops: str = SIMPLE) -> Any:
    done = run(folder, *said, "--json", stops=stops, vehicles=vehicles)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_what_the_file_of_vehicles_leaves_open_the_command_line_says(tmp_path: Path) -> None:
    heavy = "name,latitude,longitude,kg\nA,39.30,-76.60,5\nB,39.31,-76.60,5\n"
    file = ("--vehicles", "vehicles.csv", "--start-at", "2030-07-01 10:00")

    def plan(*said: str) -> Any:
        return routes_of(tmp_path, *file, *said, stops=heavy)

    (bare,) = plan()["routes"]
    assert bare["plannedDeparture"] == "2030-07-01T14:00:00Z"
    assert "end" not in bare
    (round_trip,) = plan(*HERE, "--round-trip")["routes"]
    assert round_trip["end"]["latitude"] == 39.29
    assert round_trip["totalDistanceMeters"] > bare["totalDistanceMeters"]
    (ends,) = plan(*HERE, "--end", "39.33,-76.60")["routes"]
    assert ends["end"]["latitude"] == 39.33
    assert len(plan("--max-kilograms", "6")["unassigned"]) == 1
    assert plan("--max-duration", "1")["unassigned"] != []
    (slow,) = plan(*HERE, "--speed-factor", "0.5")["routes"]
    (usual,) = plan(*HERE)["routes"]
    assert slow["plannedEnd"] > usual["plannedEnd"]


@pytest.mark.parametrize("many", [(), ("--vehicles", "2"), ("--vehicles", "vehicles.csv")])
def test_a_day_is_planned_whatever_is_planned(tmp_path: Path, many: tuple[str, ...]) -> None:
    for said, clock in (
        (("--date", "2030-05-03"), "12:00:00"),
        (("--date", "2030-05-03", "--start-at", "10:30"), "14:30:00"),
    ):
        plan = routes_of(tmp_path, *many, *HERE, *said)
        stops = plan["routes"][0]["stops"] if many else plan["stops"]
        assert stops[0]["plannedArrival"].startswith("2030-05-03T")
        if many:
            assert plan["routes"][0]["plannedDeparture"] == f"2030-05-03T{clock}Z"


def test_one_route_is_written_as_csv_too(tmp_path: Path) -> None:
    at = (*HERE, "--start-at", "2030-07-01 08:00", "--csv", "out.csv")
    done = run(tmp_path, *at, stops=SIMPLE)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert [(row["position"], row["name"]) for row in rows] == [("1", "A"), ("2", "B")]
    assert rows[0]["plannedArrival"].startswith("2030-07-01T12:")
    assert rows[-1]["plannedEnd"] == rows[-1]["plannedDeparture"]
    run(tmp_path, "--vehicles", "1", *at, stops=SIMPLE)
    of_many = csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text()))
    assert list(of_many.fieldnames or ()) == list(rows[0])


@pytest.mark.parametrize(
    ("said", "option"),
    [
        (HERE, "--start"),
        (("--end", "39.29,-76.61"), "--end"),
        (("--round-trip",), "--round-trip"),
        (("--start-at", "2030-05-04T10:00"), "--start-at"),
        (("--max-duration", "5"), "--max-duration"),
        (("--max-kilograms", "1"), "--max-kilograms"),
        (("--speed-factor", "0.5"), "--speed-factor"),
    ],
)
def test_an_option_that_every_vehicle_of_the_file_overrules_is_refused(
    tmp_path: Path, said: tuple[str, ...], option: str
) -> None:
    done = run(tmp_path, "--vehicles", "vehicles.csv", *said, stops=SIMPLE, vehicles=COMPLETE)
    assert done.returncode == 2
    assert option in done.stderr
    assert "has its own" in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (("--vehicles", "2", *HERE, "--date", "yesterday"), "must be a day of the calendar"),
        ((*HERE, "--date", "2027-13-01"), "must be a day of the calendar"),
        ((*HERE, "--date", "2027-01-01", "--start-at", "2027-01-02 8:00"), "--date says the day"),
        ((*HERE, "--date", "2027-01-01", "--start-at", "20270102"), "--date says the day"),
        (("--vehicles", "2", *HERE, "--round-trip", "--end", "39.3,-76.6"), "one end"),
        ((*HERE, "--seed", "0"), "is for several vehicles"),
        ((*HERE, "--compact"), "is for several vehicles"),
        ((*HERE, "--even"), "is for several vehicles"),
        ((*HERE, "--csv", "stops.csv"), "is the file with the stops"),
        (("--vehicles", "2", *HERE, "--matches"), "add --json"),
    ],
)
def test_what_would_do_nothing_is_refused(
    tmp_path: Path, said: tuple[str, ...], words: str
) -> None:
    (tmp_path / "stops.csv").write_text(SIMPLE)
    done = commands.run(
        [*COMMAND, "plan", "stops.csv", *said],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert words in " ".join(done.stderr.replace("│", " ").split())


def test_a_table_has_the_way_home_and_where_nameless_stops_are(tmp_path: Path) -> None:
    said = ("--vehicles", "1", *HERE, "--round-trip", "--start-at", "2030-07-01T08:00")
    table = run(tmp_path, *said, stops="latitude,longitude\n39.30,-76.60\n").stdout
    assert "39.30000, -76.60000" in table
    (end,) = (line for line in table.splitlines() if " End " in line)
    assert re.search(r"39\.29000, -76\.61000 .* \d\d:\d\d .* k?m ", end)


def test_a_plan_that_was_written_gives_the_same_orders_again(tmp_path: Path) -> None:
    stops = STOPS.replace("name,", "name,tasks,Bay,").replace("\nNorth,", "\nNorth,,12,")
    stops = re.sub(r"\n(South|Cold|Crane|Named|Fixed),", r"\n\1,,,", stops)
    said = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json")
    first = run(tmp_path, *said, "--out", "out.csv", stops=stops)
    assert first.returncode == 0, first.stderr
    out = (tmp_path / "out.csv").read_text("utf-8-sig")
    rows = {row["order"]: row for row in csv.DictReader(io.StringIO(out))}
    assert rows["North"]["Bay"] == "12"
    assert json.loads(rows["North"]["loads"]) == {"crates": 1}
    assert (rows["Cold"]["requiredSkills"], rows["Named"]["vehicles"]) == ("fridge", "cold")
    assert (rows["Fixed"]["fixedVehicle"], rows["Crane"]["unassignedCost"]) == ("van-2", "77")
    again = run(tmp_path, *said, "--out", "again.csv", stops=out)
    assert served_by(again.stdout) == served_by(first.stdout)
    assert "limits nothing" not in again.stderr
    assert {row["stopId"] for row in rows.values()} == {""}
    assert (tmp_path / "again.csv").read_text("utf-8-sig") == out


def served_by(plan: str) -> Any:
    shown = json.loads(plan)
    routes = {
        route["vehicle"]: [stop["name"] for stop in route["stops"]] for route in shown["routes"]
    }
    return routes, shown["cost"], sorted(stop["name"] for stop in shown["unassigned"])


def test_one_route_that_was_written_is_planned_on_vehicles_as_its_sheet_is(tmp_path: Path) -> None:
    said = ("--vehicles", "vehicles.csv", "--date", "2030-07-01", "--json")
    direct = run(tmp_path, *said)
    one = run(tmp_path, *HERE, "--start-at", "2030-07-01T08:00", "--out", "out.csv")
    assert one.returncode == 0, one.stderr
    again = run(tmp_path, *said, stops=(tmp_path / "out.csv").read_text("utf-8-sig"))
    assert served_by(again.stdout) == served_by(direct.stdout)
