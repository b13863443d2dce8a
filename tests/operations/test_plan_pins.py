"""A pin is refused before anything is searched for just where no order of the stops keeps it."""

import itertools
import random
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import PresentRoute, StopToPlan, VehicleToPlan
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import PinPosition, PlanShift, RouteLock
from roundsman.domain.vehicle import VehicleCosts
from roundsman.operations.plan_pins import refuse_impossible_pins

pytestmark = pytest.mark.spec("decisions §21")

DAYS = 400
BEGINS = datetime(2024, 7, 1, 12, tzinfo=UTC)
NEW = 2
FIRST, LAST = PinPosition.FIRST, PinPosition.LAST

type Day = tuple[list[StopToPlan], list[VehicleToPlan]]


def test_one_pin_is_refused_just_where_locks_and_fronts_leave_it_no_place() -> None:
    found = {True: 0, False: 0}
    for seed in range(DAYS):
        stops, vehicles = draw_day(random.Random(seed))  # noqa: S311 -- a test's draw
        is_refused = refuses(stops, vehicles)
        assert is_refused != can_be(stops, vehicles), f"seed {seed}"
        found[is_refused] += 1
    assert min(found.values()) > DAYS // 10


def refuses(stops: list[StopToPlan], vehicles: list[VehicleToPlan]) -> bool:
    try:
        refuse_impossible_pins(stops, vehicles)
    except FailedPrecondition:
        return True
    return False


def can_be(stops: list[StopToPlan], vehicles: list[VehicleToPlan]) -> bool:
    """Say whether any order of the stops on the routes keeps pins, locks and what is in front.

    New stops that are not pinned may stay out.
    """
    nobody = len(vehicles)
    owners_of = [
        range(nobody + (index < NEW and stop.pinned_position is UNSET))
        for index, stop in enumerate(stops)
    ]
    for owners in itertools.product(*owners_of):
        routes = [
            [one for one in range(len(stops)) if owners[one] == number]
            for number in range(len(vehicles))
        ]
        if all(
            any(
                keeps(stops, vehicles[number], number, order)
                for order in itertools.permutations(own)
            )
            for number, own in enumerate(routes)
        ):
            return True
    return False


def keeps(
    stops: list[StopToPlan], vehicle: VehicleToPlan, number: int, order: tuple[int, ...]
) -> bool:
    present = vehicle.present_route
    assert isinstance(present, PresentRoute)
    for place, index in enumerate(order):
        stop = stops[index]
        if not isinstance(stop.vehicles, UnsetType) and number not in stop.vehicles:
            return False
        if stop.pinned_vehicle not in {UNSET, number}:
            return False
        if stop.pinned_position is FIRST and place:
            return False
        if stop.pinned_position is LAST and place < len(order) - 1:
            return False
    own = [one for one in order if one in present.stops and stops[one].is_held]
    held = [one for one in present.stops if stops[one].is_held]
    is_whole = present.lock is not RouteLock.ALL or order == present.stops
    return (
        own == held
        and is_whole
        and order[: present.keep_first] == present.stops[: present.keep_first]
    )


def draw_day(rng: random.Random) -> Day:
    """Return two routes and new stops, and one stop pinned to an end, maybe of a vehicle too.

    A pin of what stays in front to the other end is left out: it is refused although all other
    stops could leave that route.
    """
    sizes = rng.randrange(3), rng.randrange(1, 4)
    numbers = list(range(sum(sizes) + NEW))
    routes = [tuple(numbers[NEW : NEW + sizes[0]]), tuple(numbers[NEW + sizes[0] :])]
    stops = [draw_stop(number) for number in numbers]
    vehicles = []
    for number, route in enumerate(routes):
        lock, kept = rng.choice(list(RouteLock)), min(len(route), rng.choice((0, 0, 1, 2)))
        vehicles.append(draw_vehicle(number, route, lock, kept))
        for one in route:
            is_held = lock in {RouteLock.ALL, RouteLock.SEQUENCE} or rng.random() < 0.3
            stays = is_held or lock is RouteLock.VEHICLE
            stops[one] = draw_stop(one, number, (number,) if stays else UNSET, is_held=is_held)
    position = rng.choice((FIRST, LAST))
    in_front = {one for van in vehicles for one in kept_stops_of(van) if position is LAST}
    pinned = rng.choice([one for one in numbers if one not in in_front])
    on = rng.choice((UNSET, 0, 1))
    home = stops[pinned].present_vehicle
    if any(pinned in kept_stops_of(van) for van in vehicles):
        on = rng.choice((UNSET, home))  # a pin elsewhere takes a stop off the front
    stops[pinned] = replace(stops[pinned], pinned_vehicle=on, pinned_position=position)
    return stops, vehicles


def kept_stops_of(vehicle: VehicleToPlan) -> tuple[int, ...]:
    present = vehicle.present_route
    assert isinstance(present, PresentRoute)
    return present.stops[: present.keep_first]


def draw_stop(
    number: int,
    home: int | UnsetType = UNSET,
    vehicles: tuple[int, ...] | UnsetType = UNSET,
    *,
    is_held: bool = False,
) -> StopToPlan:
    return StopToPlan(
        imported_stop_id=f"stop-{number}",
        updated_at=BEGINS,
        coordinates=Coordinates(latitude=39.29, longitude=-76.61),
        loads={},
        unassigned_cost=1.0,
        present_vehicle=home,
        vehicles=vehicles,
        is_held=is_held,
    )


def draw_vehicle(
    number: int, route: tuple[int, ...], lock: RouteLock, keep_first: int
) -> VehicleToPlan:
    return VehicleToPlan(
        id=f"route-{number}",
        shift=PlanShift(start=BEGINS, end=BEGINS + timedelta(hours=8)),
        capacities={},
        costs=VehicleCosts(),
        present_route=PresentRoute(
            id=f"route-{number}", basis="", stops=route, lock=lock, keep_first=keep_first
        ),
    )
