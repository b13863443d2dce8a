"""Where drivers were last, and at whose door that was."""

from typing import Any

import pytest

from roundsman.domain.position_erasure import is_at_door, without_departures, without_last_position

type Json = Any

HERE = {"latitude": 52.5, "longitude": 13.4}
NEAR = {"latitude": 52.505, "longitude": 13.41}
FAR = {"latitude": 52.6, "longitude": 13.4}
OPEN = {"id": "open", "deliveryStatus": "OUT_FOR_DELIVERY", "plannedCoordinates": HERE}
DONE = {
    "id": "done",
    "deliveryStatus": "DELIVERED",
    "plannedCoordinates": HERE,
    "updatedArrival": "2030-05-06T08:00:00Z",
}
NEXT = {**OPEN, "id": "next", "plannedCoordinates": FAR, "arrivedAt": "2030-05-06T09:00:00Z"}


@pytest.mark.parametrize(
    ("where", "at", "visits", "expected"),
    [
        (NEAR, "07:00", [OPEN], True),
        (FAR, "07:00", [OPEN], False),
        (FAR, "07:00", [DONE], False),
        (FAR, "08:00", [DONE], True),
        (FAR, "08:30", [DONE, OPEN], True),
        (FAR, "09:30", [DONE, NEXT], False),
        (NEAR, "09:30", [DONE, NEXT], True),
    ],
)
def test_a_position_is_at_a_door_that_is_near_or_was_the_last_one(
    where: Json, at: str, visits: Json, *, expected: bool
) -> None:
    fix = {"coordinates": where, "at": f"2030-05-06T{at}:00.000001Z"}
    assert is_at_door(fix, visits[:1], visits) == expected


@pytest.mark.parametrize(("longitude", "expected"), [(-179.997, True), (-179.9, False)])
def test_a_door_on_the_other_side_of_the_date_line_is_near(
    longitude: float, *, expected: bool
) -> None:
    door = {**OPEN, "plannedCoordinates": {"latitude": -16.8, "longitude": 179.998}}
    fix = {"coordinates": {"latitude": -16.8, "longitude": longitude}, "at": "2030-05-06T07:00:00Z"}
    assert is_at_door(fix, [door], [door]) == expected


def test_what_shows_a_route_says_no_last_position() -> None:
    shown = [{"id": "r", "lastPosition": {"at": "then"}, "copies": [{"lastFix": {}, "id": "q"}]}]
    assert without_last_position(shown) == [{"id": "r", "copies": [{"id": "q"}]}]


def test_a_plan_says_the_town_of_who_was_on_the_road_and_keeps_depots() -> None:
    start = {"coordinates": {"latitude": 52.51234, "longitude": 13.41234}}
    town = {"coordinates": {"latitude": 52.51, "longitude": 13.41}}
    vehicles = [
        {"id": "a", "start": start, "presentRoute": {"id": "r", "underWay": {"stops": 1}}},
        {"id": "b", "start": start, "presentRoute": {"id": "q"}},
        {"id": "c", "start": start},
    ]
    cleared = without_departures({"vehicles": vehicles})["vehicles"]
    assert [one["start"] for one in cleared] == [town, start, start]
    assert without_departures({"stops": []}) == {"stops": []}
