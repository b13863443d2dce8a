import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.model import UNSET
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.domain.vehicle import USUAL_COSTS, DailyBreak, VehicleCosts
from roundsman.spreadsheets.vehicle_sheet import SheetVehicle, read_vehicle_sheet

pytestmark = pytest.mark.spec("decisions §21")


def test_every_column_is_read_and_all_others_are_loads() -> None:
    header = (
        "Name,count,start,end,shiftStart,Shift End,kilograms,pallets,skills,max stops,maxDuration,"
        "maxDistance,breaks,fixedCost,costPerHour,speedFactor,driver"
    )
    row = (
        '"Van",2,"Main St 1, Baltimore",=,8:00,16:30,"1200,5",3,fridge; lift,40,8h,150,'
        '"12:00-13:30 30m; 15:00-16:00 15m",20,25,0.9,Dana'
    )
    plain = "Bike,,,,,,,,,,,,,,,,"
    van, bike = read_vehicle_sheet(
        f"{header}\n{row}\n{plain}\n".replace("1200,5", "1200,5").encode()
    )
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
        ("name,count\nVan,201\n", "row 2: count: 201 is outside 0 to 200"),
        ("name,count\nVan,150\nBus,51\n", "201 vehicles; at most 200"),
        ("name,shiftStart\nVan,noon-ish\n", "row 2: shiftStart:"),
        ("name,breaks\nVan,lunch\n", 'row 2: breaks: "lunch" is no break, such as'),
        ("name,crates\nVan,many\n", 'row 2: crates: "many" is not a number'),
    ],
)
def test_what_cannot_be_read_is_named_by_row_and_column(text: str, words: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_vehicle_sheet(text.encode())
    assert words in refused.value.message
