"""From a problem in VROOM's JSON to the fleet engine's.

VROOM weighs what is served before what it costs: the sum of priorities first, then the number of
jobs. Here both are prices, each above the sum of all that comes after it. Its cost counts driving
alone, neither waiting nor service.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.vroom import VroomJob, VroomMatrices, VroomProblem, VroomTable, VroomVehicle
from roundsman.planning.fleet import Break, FleetCosts, FleetProblem, FleetStop, FleetVehicle
from roundsman.roads.network import RoadNetwork, TravelProfile
from roundsman.routing.route_problem import scaled

_HOUR = 3600
_CAR = "car"
_HIGHEST_PRICES = 1e15
"""Of all jobs together: sums beyond would swallow the cents of the routes."""

type Table = NDArray[np.int32]
type Way = tuple[str, float]
"""A profile and a speed factor."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """Rows of the travel tables, and the tables for each way of driving."""

    jobs: Sequence[int]
    starts: Sequence[int | None]
    ends: Sequence[int | None]
    ways: Sequence[Way]
    durations: Sequence[Table]
    distances: Sequence[Table] | None
    estimated: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class PosedProblem:
    """The engine's problem, and what its answers mean."""

    given: VroomProblem
    places: Places
    begins: int
    """The moment of the caller's axis that is the engine's 0."""

    fleet: FleetProblem


def pose_vroom_problem(given: VroomProblem, roads: RoadNetwork) -> PosedProblem:
    """Write a problem down for the engine; raise InvalidArgument naming what cannot be."""
    tables = given.tables()
    violations = [*_find_wrong_amounts(given), *_find_wrong_places(given, tables)]
    violations += _find_wrong_tables(given, tables)
    if violations:
        raise InvalidArgument(f"{violations[0].field} {violations[0].description}", violations)
    places = _take_tables(given, tables) if tables else _query_roads(given, roads)
    begins, span = _find_axis(given, places)
    prices = _price_jobs(given, places)
    size = _amounts_of(given)
    profiles = {way: number for number, way in enumerate(dict.fromkeys(places.ways))}
    latest = max(_named_times(given), default=begins) + span - begins
    fleet = FleetProblem(
        durations=places.durations,
        distances=places.distances,
        stops=[
            _pose_job(job, node, price, begins, size)
            for job, node, price in zip(given.jobs, places.jobs, prices, strict=True)
        ],
        vehicles=[
            _pose_vehicle(
                vehicle, number, places, profiles[places.ways[number]], begins, latest, size
            )
            for number, vehicle in enumerate(given.vehicles)
        ],
        loads=size,
    )
    return PosedProblem(given=given, places=places, begins=begins, fleet=fleet)


def _amounts_of(given: VroomProblem) -> int:
    """Return how many components amounts have: as many as the first capacity."""
    return len(given.vehicles[0].capacity or ())


def _find_wrong_amounts(given: VroomProblem) -> Iterator[FieldViolation]:
    size = _amounts_of(given)
    amounts = [
        *((f"vehicles[{k}].capacity", one.capacity) for k, one in enumerate(given.vehicles)),
        *((f"jobs[{k}].delivery", one.delivery) for k, one in enumerate(given.jobs)),
        *((f"jobs[{k}].pickup", one.pickup) for k, one in enumerate(given.jobs)),
    ]
    wrong = [
        FieldViolation(
            field=field,
            description=f"must have {size} components, as the first vehicle's capacity has",
        )
        for field, amount in amounts
        if not isinstance(amount, UnsetType) and len(amount) != size
    ]
    yield from wrong
    if wrong:
        return
    delivered = {k for job in given.jobs for k, amount in enumerate(job.delivery or ()) if amount}
    for number, job in enumerate(given.jobs):
        both = [k for k, amount in enumerate(job.pickup or ()) if amount and k in delivered]
        if both:
            yield FieldViolation(
                field=f"jobs[{number}].pickup",
                description=(
                    f"and deliveries of one component ({both[0]}) are not supported together"
                ),
            )


def _find_wrong_places(
    given: VroomProblem, tables: Mapping[str, VroomMatrices]
) -> Iterator[FieldViolation]:
    size = max((len(table.durations) for table in tables.values()), default=0)
    for number, job in enumerate(given.jobs):
        yield from _find_wrong_place(f"jobs[{number}].", job, "location", size, is_required=True)
        if given.options.g and not job.location:
            yield FieldViolation(field=f"jobs[{number}].location", description="is required by g")
    for number, vehicle in enumerate(given.vehicles):
        for name in ("start", "end"):
            is_there = getattr(vehicle, name) or getattr(vehicle, f"{name}_index") is not UNSET
            yield from _find_wrong_place(
                f"vehicles[{number}].", vehicle, name, size, is_required=bool(is_there)
            )
            if given.options.g and is_there and not getattr(vehicle, name):
                field = f"vehicles[{number}].{name}"
                yield FieldViolation(field=field, description="is required by g")


def _find_wrong_place(
    path: str, noun: VroomJob | VroomVehicle, name: str, size: int, *, is_required: bool
) -> Iterator[FieldViolation]:
    """Find a place that is not said in the way that the tables, or the roads, need."""
    if not is_required:
        return
    index = getattr(noun, f"{name}_index")
    field = f"{path}{name}_index" if size else f"{path}{name}"
    if size and isinstance(index, UnsetType):
        yield FieldViolation(field=field, description="is required with matrices")
    elif size and index >= size:
        yield FieldViolation(field=field, description=f"must be below {size}, the matrix's size")
    elif not size and not getattr(noun, name):
        yield FieldViolation(field=field, description="is required without matrices")


def _find_wrong_tables(
    given: VroomProblem, tables: Mapping[str, VroomMatrices]
) -> Iterator[FieldViolation]:
    known = set(tables) or {_CAR}
    for number, vehicle in enumerate(given.vehicles):
        field = f"vehicles[{number}]"
        if vehicle.profile not in known:
            names = ", ".join(sorted(known))
            yield FieldViolation(
                field=f"{field}.profile",
                description=f"has no travel times; these have: {names}",
            )
        elif tables and isinstance(tables[vehicle.profile].distances, UnsetType):
            needing = [
                name
                for name, is_given in (
                    ("costs.per_km", vehicle.costs.per_km > 0),
                    ("max_distance", not isinstance(vehicle.max_distance, UnsetType)),
                )
                if is_given
            ]
            for name in needing:
                description = f"needs matrices.{vehicle.profile}.distances"
                yield FieldViolation(field=f"{field}.{name}", description=description)
    size = len(next(iter(tables.values())).durations) if tables else 0
    for profile, one in tables.items():
        path = "matrix" if not isinstance(given.matrix, UnsetType) else f"matrices.{profile}"
        for name, table in (("durations", one.durations), ("distances", one.distances)):
            field = path if path == "matrix" else f"{path}.{name}"
            if not isinstance(table, UnsetType) and not _is_square(table, size):
                yield FieldViolation(field=field, description=f"must be {size} rows of {size}")


def _is_square(table: VroomTable, size: int) -> bool:
    return len(table) == size > 0 and all(len(row) == size for row in table)


def _take_tables(given: VroomProblem, tables: Mapping[str, VroomMatrices]) -> Places:
    ways = [(one.profile, one.speed_factor) for one in given.vehicles]
    each = dict.fromkeys(ways)
    distances = [
        None if isinstance(table, UnsetType) else np.array(table, np.int32)
        for table in (tables[profile].distances for profile, _ in each)
    ]
    known = [table for table in distances if table is not None]
    size = len(next(iter(tables.values())).durations)
    nothing = np.zeros((size, size), np.int32)
    times = [np.array(tables[profile].durations, np.int32) for profile, _ in each]
    return Places(
        jobs=[job.location_index or 0 for job in given.jobs],
        starts=[_index(one.start_index) for one in given.vehicles],
        ends=[_index(one.end_index) for one in given.vehicles],
        ways=ways,
        durations=[scaled(one, way[1]) for one, way in zip(times, each, strict=True)],
        distances=[nothing if one is None else one for one in distances] if known else None,
        estimated=False,
    )


def _index(index: int | UnsetType) -> int | None:
    return None if isinstance(index, UnsetType) else index


def _query_roads(given: VroomProblem, roads: RoadNetwork) -> Places:
    said = [
        *(job.location for job in given.jobs),
        *(one.start for one in given.vehicles),
        *(one.end for one in given.vehicles),
    ]
    at = [None if isinstance(one, UnsetType) else coordinates_of(one) for one in said]
    known = list(dict.fromkeys(one for one in at if one is not None))
    row_of = {place: number for number, place in enumerate(known)}
    rows = [None if one is None else row_of[one] for one in at]
    found = roads.matrix(known, known, TravelProfile())
    jobs, vehicles = len(given.jobs), len(given.vehicles)
    ways = [(one.profile, one.speed_factor) for one in given.vehicles]
    each = dict.fromkeys(ways)
    return Places(
        jobs=[row for row in rows[:jobs] if row is not None],
        starts=rows[jobs : jobs + vehicles],
        ends=rows[jobs + vehicles :],
        ways=ways,
        durations=[scaled(found.durations, factor) for _, factor in each],
        distances=[found.distances for _ in each],
        estimated=bool(found.estimated.any()),
    )


def coordinates_of(location: Sequence[float]) -> Coordinates:
    """Return the place of a pair, longitude first."""
    return Coordinates(longitude=location[0], latitude=location[1])


def _named_times(given: VroomProblem) -> list[int]:
    """Return every moment that the problem names."""
    windows = [window for job in given.jobs for window in job.time_windows]
    windows += [one.time_window for one in given.vehicles if one.time_window]
    windows += [rest.time_windows[0] for one in given.vehicles for rest in one.breaks]
    return [moment for window in windows for moment in window]


def _find_axis(given: VroomProblem, places: Places) -> tuple[int, int]:
    """Return the engine's 0 on the caller's axis, and seconds in which one vehicle can do all.

    A vehicle without hours may leave so early that it is at the first window in time.
    """
    longest = max(int(table.max()) for table in places.durations)
    breaks = sum(rest.service for one in given.vehicles for rest in one.breaks)
    span = (len(given.jobs) + 2) * longest + sum(job.service for job in given.jobs) + breaks
    return max(0, min(_named_times(given), default=0) - longest), span


def _price_jobs(given: VroomProblem, places: Places) -> list[float]:
    """Return for each job what it costs to leave it out: priorities first, then their number."""
    legs = len(given.jobs) + len(given.vehicles)
    leg = max(
        one.costs.per_hour * float(places.durations[way].max()) / _HOUR
        + one.costs.per_km * (float(places.distances[way].max()) if places.distances else 0) / 1000
        for one, way in zip(given.vehicles, _way_numbers(places), strict=True)
    )
    above_all_routes = 1 + legs * leg + sum(one.costs.fixed for one in given.vehicles)
    weights = [job.priority * (len(given.jobs) + 1) + 1 for job in given.jobs]
    most = _HIGHEST_PRICES / max(1, sum(weights))
    return [weight * min(above_all_routes, most) for weight in weights]


def _way_numbers(places: Places) -> list[int]:
    numbers = {way: number for number, way in enumerate(dict.fromkeys(places.ways))}
    return [numbers[way] for way in places.ways]


def _pose_job(job: VroomJob, node: int, price: float, begins: int, size: int) -> FleetStop:
    nothing = (0,) * size
    return FleetStop(
        node=node,
        service=job.service,
        windows=[(window[0] - begins, window[1] - begins) for window in job.time_windows],
        loads=[
            given + taken
            for given, taken in zip(job.delivery or nothing, job.pickup or nothing, strict=True)
        ],
        skills=frozenset(str(skill) for skill in job.skills),
        unassigned_cost=price,
    )


def _pose_vehicle(  # noqa: PLR0913 -- what is worked out once for all vehicles
    vehicle: VroomVehicle,
    number: int,
    places: Places,
    profile: int,
    begins: int,
    latest: int,
    size: int,
) -> FleetVehicle:
    opens, closes = vehicle.time_window or (begins, begins + latest)
    return FleetVehicle(
        start=places.starts[number],
        end=places.ends[number],
        opens=opens - begins,
        closes=closes - begins,
        capacities=vehicle.capacity or (0,) * size,
        skills=frozenset(str(skill) for skill in vehicle.skills),
        breaks=[
            Break(
                opens=rest.time_windows[0][0] - begins,
                closes=rest.time_windows[0][1] - begins,
                duration=rest.service,
            )
            for rest in vehicle.breaks
        ],
        max_stops=_index(vehicle.max_tasks),
        max_metres=_index(vehicle.max_distance),
        costs=FleetCosts(
            fixed=vehicle.costs.fixed,
            per_traveled_hour=vehicle.costs.per_hour,
            per_kilometer=vehicle.costs.per_km,
        ),
        profile=profile,
    )
