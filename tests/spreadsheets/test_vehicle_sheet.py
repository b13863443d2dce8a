import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.model import UNSET
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.domain.vehicle import USUAL_COSTS, DailyBreak, VehicleCosts
from roundsman.spreadsheets.vehicle_sheet import SheetVehicle, read_vehicle_sheet

pytestmark = pytest.mark.spec("decisions §21")


PALLETS = {"pallets": "Pallets"}


def test_every_column_is_read_and_those_that_stops_have_are_loads() -> None:
    header = (
        "Name,count,start,end,shiftStart,Shift End,kilograms,pallets,skills,max stops,maxDuration,"
        "maxDistance,breaks,fixedCost,costPerHour,speedFactor,driver"
    )
    row = (
        '"Van",2,"Main St 1, Baltimore",=,8:00,16:30,"1200,5",3,fridge; lift,40,8h,150,'
        '"12:00-13:30 30m; 15:00-16:00 15m",20,25,0.9,Dana'
    )
    plain = "Bike,,,,,,,,,,,,,,,,"
    sheet = read_vehicle_sheet(f"{header}\n{row}\n{plain}\n".encode(), PALLETS)
    assert (sheet.ignored, sheet.doubts) == ((), ())
    van, bike = sheet.vehicles
    assert van == SheetVehicle(
        row=2,
        name="Van",
        count=2,
        start="Main St 1, Baltimore",
        end="=",
        shift_start=TimeOfDay(hours=8),
        shift_end=TimeOfDay(hours=16, minutes=30),
        capacities={"kilograms": 1200.5, "pallets": 3},
        skills=("fridge", "lift"),
        max_stops=40,
        max_duration="28800s",  # type: ignore[arg-type]  # written out
        max_distance_meters=150_000,
        breaks=(
            DailyBreak(
                time_window=TimeWindow(
                    start=TimeOfDay(hours=12), end=TimeOfDay(hours=13, minutes=30)
                ),
                duration="1800s",  # type: ignore[arg-type]  # written out
            ),
            DailyBreak(
                time_window=TimeWindow(start=TimeOfDay(hours=15), end=TimeOfDay(hours=16)),
                duration="900s",  # type: ignore[arg-type]  # written out
            ),
        ),
        costs=VehicleCosts(fixed=20, per_hour=25),
        speed_factor=0.9,
        driver="Dana",
    )
    assert (bike.count, bike.capacities, bike.costs, bike.max_duration) == (
        1,
        {},
        USUAL_COSTS,
        UNSET,
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("start,end\na,b\n", 'no column is called "name"'),
        ("name\n", "no vehicles below it"),
        (
            "name,count\nVan,x\n,2\n",
            'row 2: count: "x" is not a whole number; row 3: name is empty',
        ),
        ("name\nVan\nVan\n", 'row 3: name: "Van" is given more than once'),
        ("name,count\nVan,201\n", "row 2: count: 201 is outside 1 to 200"),
        ("name,Count\nVan,0\n", "row 2: Count: 0 is outside 1 to 200"),
        ("name,speedFactor\nVan,0\n", "row 2: speedFactor: 0 is outside 0.1 to 10"),
        ("name,speedFactor\nVan,0.01\n", "row 2: speedFactor: 0.01 is outside 0.1 to 10"),
        ("name,speedFactor\nVan,11\n", "row 2: speedFactor: 11 is outside 0.1 to 10"),
        ("name,count\nVan,150\nBus,51\n", "201 vehicles; at most 200"),
        ("name,shiftStart\nVan,noon-ish\n", "row 2: shiftStart:"),
        ("name,breaks\nVan,lunch\n", 'row 2: breaks: "lunch" is no break, such as'),
        ("name,pallets\nVan,many\n", 'row 2: pallets: "many" is not a number'),
        ("name,kg\nVan,many\n", 'row 2: kg: "many" is not a number'),
        (
            "name,kg,kilograms\nVan,1,2\n",
            'column "kilograms": another is the load "kilograms", too',
        ),
        (
            "name,kilogramms,palets\nVan,1,2\n",
            'column "palets": no stop has such a load, did you mean "Pallets"?',
        ),
    ],
)
def test_what_cannot_be_read_is_named_by_row_and_column(text: str, words: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_vehicle_sheet(text.encode(), PALLETS)
    assert words in refused.value.message


@pytest.mark.parametrize("header", ["kg", "Kilograms", "Weight (kg)"])
def test_kilograms_and_items_have_the_words_that_they_have_in_a_file_of_stops(header: str) -> None:
    (van,) = read_vehicle_sheet(f"name,{header},Qty\nVan,5,9\n".encode()).vehicles
    assert van.capacities == {"kilograms": 5, "items": 9}


def test_columns_that_are_no_loads_are_named_and_leave_the_vehicles_as_they_are() -> None:
    sheet = read_vehicle_sheet(
        b"name,plate,note,year,skils,max stop,kilograms,driver,driver phone\n"
        b"Van,B-AB 123,has a dent,2019,,40,500,Dana,+14105550123\n"
        b"Bus,B-AB 124,,2021,fridge,,,,\n",
        PALLETS,
    )
    van, bus = sheet.vehicles
    assert (van.capacities, van.driver, van.max_stops) == ({"kilograms": 500}, "Dana", 0)
    assert (bus.capacities, bus.skills) == ({}, ())
    assert sheet.ignored == ("plate", "note", "driver phone")
    assert sheet.doubts == (
        'column "year" limits nothing: no stop has such a load',
        'column "skils" is ignored, did you mean "skills"?',
        'column "max stop" limits nothing: no stop has such a load, did you mean "maxStops"?',
    )


def test_one_side_of_a_shift_alone_is_said_not_to_count() -> None:
    sheet = read_vehicle_sheet(b"name,shiftStart,shiftEnd\nVan,6:00,\nBus,,17:00\nCar,,\n")
    assert sheet.doubts == (
        "row 2: shiftStart counts only beside a shiftEnd",
        "row 3: shiftEnd counts only beside a shiftStart",
    )


def test_a_load_that_no_stop_has_is_not_taken_for_one_that_the_file_has() -> None:
    sheet = read_vehicle_sheet(b"name,pallets,pallet height\nVan,3,120\n", PALLETS)
    assert sheet.vehicles[0].capacities == {"pallets": 3}
    assert sheet.doubts == ('column "pallet height" limits nothing: no stop has such a load',)
