"""Applies every fix that plans of the `short` family offer: `python -m bench.fixes`.

Each instance is planned as the service plans, what stays out is explained, and every fix is planned
as `POST /plans` with `basedOn` and `fixes` would. Counted is how many of the stops left out have a
fix with which they are served and nobody else is lost, whether the published judge finds these
plans legal, and how many of the fixes that say `minimal` serve the stop with one unit less.
"""

import argparse
import copy
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from bench.fleet_instances import judge, make_instance, read_instance
from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import DayToPlan, StopToPlan, VehicleLocation, VehicleToPlan
from roundsman.domain.plan import Plan, PlanProposal, PlanStatus
from roundsman.domain.plan_draft import PlanDraft, PlanEffort, PlanOptions, PlanShift
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.domain.unassigned_stop import PlanFix, PlanFixType, UnassignedStop
from roundsman.domain.vehicle import VehicleCosts
from roundsman.kit.durations import from_seconds
from roundsman.kit.loading import load
from roundsman.operations.plan_bases import plan_again
from roundsman.planning import warm
from roundsman.planning.fleet import FleetBudget, FleetPlan, plan_fleet
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import TravelMatrix, TravelProfile
from roundsman.routing.fleet_problem import FleetDay, moves_of, pose_fleet_problem
from roundsman.routing.fleet_unassigned import list_unassigned

type Json = Any

MIDNIGHT = datetime(2026, 7, 1, tzinfo=UTC)
_SOUTH, _WEST, _STEP = 5.6, -0.2, 0.0001
"""Places stand in a row in Accra, where clocks show UTC."""

_UNITS = {
    PlanFixType.CLOSE_LATER: 60.0,
    PlanFixType.OPEN_EARLIER: 60.0,
    PlanFixType.EXTEND_SHIFT: 60.0,
    PlanFixType.RAISE_CAPACITY: 1.0,
}


class InstanceRoads(EstimatedRoads):
    """The travel tables of an instance; its places are told apart by their latitude."""

    def __init__(self, given: Json) -> None:
        super().__init__()
        self._durations = np.array(given["durations"], np.int32)
        self._distances = np.array(given["distances"], np.int32)

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        """Return the instance's own times and distances."""
        del profile
        rows, columns = ([_row(place) for place in places] for places in (sources, targets))
        durations = self._durations[np.ix_(rows, columns)]
        return TravelMatrix(
            durations=durations,
            distances=self._distances[np.ix_(rows, columns)],
            estimated=np.zeros(durations.shape, np.bool_),
        )


def _place(row: int) -> Coordinates:
    return Coordinates(latitude=round(_SOUTH + row * _STEP, 6), longitude=_WEST)


def _row(place: Coordinates) -> int:
    return round((place.latitude - _SOUTH) / _STEP)


def to_day(given: Json, seed: int) -> DayToPlan:
    """Return an instance of the `short` family as a day that was asked for."""
    names = given["dimensions"]
    return DayToPlan(
        stops=tuple(
            StopToPlan(
                imported_stop_id=stop["id"],
                updated_at=MIDNIGHT,
                coordinates=_place(stop["location"]),
                duration=from_seconds(stop["duration"]),
                time_windows=tuple(
                    TimeWindow(start=_clock(opens), end=_clock(closes))
                    for opens, closes in stop["timeWindows"]
                ),
                priority=stop["priority"],
                loads=dict(zip(names, map(float, stop["load"]), strict=True)),
                unassigned_cost=given["unplannedCost"] * (1.0 + stop["priority"]),
            )
            for stop in given["stops"]
        ),
        vehicles=tuple(
            VehicleToPlan(
                id=van["id"],
                start=VehicleLocation(coordinates=_place(van["startLocation"])),
                end=VehicleLocation(coordinates=_place(van["endLocation"])),
                shift=PlanShift(start=_moment(van["shift"][0]), end=_moment(van["shift"][1])),
                capacities=dict(zip(names, map(float, van["capacity"]), strict=True)),
                costs=VehicleCosts(
                    fixed=float(van["costs"]["fixed"]),
                    per_hour=float(van["costs"]["perHour"]),
                    per_traveled_hour=float(van["costs"]["perTraveledHour"]),
                    per_kilometer=float(van["costs"]["perKilometer"]),
                ),
            )
            for van in given["vehicles"]
        ),
        moves=moves_of(PlanEffort.NORMAL, len(given["stops"])),
        max_seconds=600,
        seed=seed,
        priority_inversion_cost=0.0,
    )


def _clock(seconds: int) -> TimeOfDay:
    hours, rest = divmod(seconds, 3_600)
    return TimeOfDay(hours=hours, minutes=rest // 60)


def _moment(seconds: float) -> datetime:
    return MIDNIGHT + timedelta(seconds=seconds)


@dataclass
class Tally:
    """What the fixes of some plans do."""

    out: int = 0
    served: int = 0
    fixes: int = 0
    failed: int = 0
    illegal: int = 0
    minimal: int = 0
    less_serves: int = 0
    search_seconds: float = 0.0
    explain_seconds: float = 0.0

    def cells(self) -> Iterator[str]:
        """Yield the cells of a line of the table."""
        yield f"{self.out}"
        yield f"{self.served} ({100 * self.served / max(1, self.out):.1f} %)"
        yield f"{self.fixes - self.failed} of {self.fixes}"
        yield f"{self.illegal}"
        yield f"{self.minimal - self.less_serves} of {self.minimal}"
        yield f"{100 * self.explain_seconds / max(0.001, self.search_seconds):.0f} %"


@dataclass(frozen=True)
class _Planned:
    """An instance and its plan."""

    given: Json
    day: FleetDay
    found: FleetPlan
    proposal: PlanProposal
    roads: InstanceRoads

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The place of each stop by its name."""
        return {stop.name(): number for number, stop in enumerate(self.day.given.stops)}

    def plan_with(
        self, out: UnassignedStop, fix: PlanFix, moves: int
    ) -> tuple[FleetDay, FleetPlan]:
        """Plan again from the plan, as a plan that is based on it does."""
        basis = Plan(
            id="basis", name="basis", status=PlanStatus.COMPLETED, created_at=MIDNIGHT,
            options=PlanOptions(priority_inversion_cost=0.0),
        )  # fmt: skip
        options = PlanOptions(
            moves=moves, priority_inversion_cost=0.0, seed=self.day.given.seed, explain=False
        )
        asked = PlanDraft(based_on="basis", fixes=(fix.index,), options=options)
        chosen = msgspec.structs.replace(out, fixes=(fix,))
        proposal = msgspec.structs.replace(self.proposal, unassigned=(chosen,))
        given, _ = plan_again(asked, basis, self.day.given, proposal)
        day = pose_fleet_problem(given, self.roads)
        budget = FleetBudget(seconds=given.max_seconds, moves=given.moves)
        return day, plan_fleet(day.problem, budget, seed=given.seed)

    def serves(
        self, out: UnassignedStop, fix: PlanFix, moves: int
    ) -> tuple[bool, FleetDay, FleetPlan]:
        """Return whether a stop is served with a fix, and all who were are still."""
        day, found = self.plan_with(out, fix, moves)
        index = self.numbers[out.imported_stop_id]
        given_up = {
            number
            for number, stop in enumerate(self.day.given.stops)
            if fix.type is PlanFixType.DROP_STOP and stop.name() == fix.subject
        }
        lost = set(found.unassigned) - set(self.found.unassigned) - given_up
        return index not in found.unassigned and not lost, day, found


def count_fixes(size: int, seed: int, moves: int, tally: Tally) -> None:
    """Plan an instance, and try every fix of its plan."""
    planned = _plan(size, seed, tally)
    for out in planned.proposal.unassigned:
        helps = False
        for fix in out.fixes:
            does, day, found = planned.serves(out, fix, moves)
            helps |= does
            tally.fixes += 1
            tally.failed += not does
            tally.illegal += bool(_judge(planned.given, day, found)["violations"])
            if fix.minimal and fix.type in _UNITS:
                amount = fix.amount - _UNITS[fix.type]
                less = msgspec.structs.replace(fix, amount=amount)
                tally.minimal += 1
                tally.less_serves += amount > 0 and planned.serves(out, less, moves)[0]
        tally.out += 1
        tally.served += helps


def _plan(size: int, seed: int, tally: Tally) -> _Planned:
    given = make_instance("short", size, seed)
    roads = InstanceRoads(given)
    day = pose_fleet_problem(to_day(given, seed=0), roads)
    begun = time.process_time()
    found = plan_fleet(day.problem, FleetBudget(seconds=600, moves=day.given.moves), seed=0)
    spent = time.process_time() - begun
    begun = time.process_time()
    unassigned = list_unassigned(day, found, spent=spent, cancelled=lambda: False)
    tally.explain_seconds += time.process_time() - begun
    tally.search_seconds += spent
    proposal = PlanProposal(routes=day.show_routes(found), unassigned=unassigned)
    return _Planned(given, day, found, proposal, roads)


def _judge(given: Json, day: FleetDay, found: FleetPlan) -> Json:
    """Have the published judge look at a plan of the instance as a fix has changed it."""
    patched = copy.deepcopy(given)
    vans = patched["vehicles"]
    for number, vehicle in enumerate(day.given.vehicles):
        if number == len(vans):
            vans.append(copy.deepcopy(vans[0]) | {"id": vehicle.id})
        van = vans[number]
        van["shift"][1] = int((vehicle.shift.end - MIDNIGHT).total_seconds())
        van["capacity"] = [round(vehicle.capacities[name]) for name in given["dimensions"]]
    for kept, stop in zip(patched["stops"], day.given.stops, strict=True):
        if kept["timeWindows"]:
            kept["timeWindows"][0][0] -= stop.opens_earlier_seconds
            kept["timeWindows"][-1][1] += stop.closes_later_seconds
        for widened in stop.widened_windows:
            kept["timeWindows"][widened.index][0] -= widened.opens_earlier_seconds
            kept["timeWindows"][widened.index][1] += widened.closes_later_seconds
    instance = read_instance(patched)
    hours = round((day.begins - MIDNIGHT).total_seconds())
    shifted = replace(
        found,
        routes=[
            replace(
                route,
                departure=route.departure + hours,
                steps=[replace(step, begin=step.begin + hours) for step in route.steps],
            )
            for route in found.routes
        ],
    )
    return judge(patched, instance.write_plan(shifted))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench.fixes", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[80, 120, 250])
    parser.add_argument("--instances", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=8000)
    parser.add_argument("--moves", type=int, default=5_000, help="of each plan with a fix")
    asked = parser.parse_args()
    load("roundsman.planning.fleet.search:compile_fleet")()
    warm()
    write = sys.stdout.write
    write("| stops | left out | served by a fix | fixes that serve | illegal | one unit less ")
    write("fails | explaining, of the search |\n|---|---|---|---|---|---|---|\n")
    for size in asked.sizes:
        tally = Tally()
        for seed in range(asked.first_seed, asked.first_seed + asked.instances):
            count_fixes(size, seed, asked.moves, tally)
        write(f"| {size} | {' | '.join(tally.cells())} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
