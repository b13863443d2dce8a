"""Days that are short of room, drawn at random: each limit of a vehicle comes up."""

import random
from datetime import UTC, datetime, timedelta

from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import DayToPlan, StopToPlan, VehicleLocation, VehicleToPlan
from roundsman.domain.model import UNSET
from roundsman.domain.plan_draft import BreakSpan, PlanBreak, PlanShift
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.domain.vehicle import VehicleCosts
from roundsman.kit.durations import from_seconds

BEGINS = datetime(2024, 7, 1, 12, tzinfo=UTC)
"""Eight in the morning in Baltimore."""

DEPOT = VehicleLocation(coordinates=Coordinates(latitude=39.29, longitude=-76.61))
MOVES = 1_000

SHORT_OF = ("crates", "hours", "stops", "duration", "kilometres", "breaks", "windows", "breaks")


def draw_short_day(seed: int, *, stops: int = 8) -> DayToPlan:
    """Return a day of one van that is short of one thing, or has a break in the way."""
    rng = random.Random(f"short {seed}")  # noqa: S311 -- a test's draw
    lacks = SHORT_OF[seed % len(SHORT_OF)]
    return DayToPlan(
        stops=tuple(_draw_stop(rng, number, lacks) for number in range(stops)),
        vehicles=(_draw_van(lacks),),
        moves=MOVES,
        max_seconds=600,
        seed=seed,
        priority_inversion_cost=0.0,
    )


def _draw_stop(rng: random.Random, number: int, lacks: str) -> StopToPlan:
    opens = rng.randrange(8, 12)
    windows = [
        TimeWindow(start=TimeOfDay(hours=hour), end=TimeOfDay(hours=hour, minutes=30))
        for hour in (opens, opens + 2)
    ]
    count = {"breaks": rng.choice((0, 1, 2)), "windows": rng.choice((1, 2))}.get(lacks, 0)
    return StopToPlan(
        imported_stop_id=f"stop-{number}",
        updated_at=BEGINS,
        coordinates=Coordinates(
            latitude=39.29 + rng.gauss(0, 0.04), longitude=-76.61 + rng.gauss(0, 0.04)
        ),
        duration=from_seconds(rng.randrange(600, 1_500)),
        time_windows=tuple(windows[:count]),
        loads={"crates": float(rng.randrange(1, 6))},
        unassigned_cost=10_000.0,
    )


def _draw_van(lacks: str) -> VehicleToPlan:
    """Return a van whose break, where it has one, is between ten and eleven."""
    ten = BEGINS + timedelta(hours=2)
    rest = PlanBreak(
        time_window=BreakSpan(start=ten, end=ten + timedelta(minutes=20)),
        duration=from_seconds(2_700),
    )
    hours = {"hours": 2, "breaks": 4}.get(lacks, 9)
    return VehicleToPlan(
        id="van",
        start=DEPOT,
        end=DEPOT,
        shift=PlanShift(start=BEGINS, end=BEGINS + timedelta(hours=hours)),
        capacities={"crates": 15.0 if lacks == "crates" else 99.0},
        breaks=(rest,) if lacks == "breaks" else (),
        max_stops=5 if lacks == "stops" else 0,
        max_duration=from_seconds(7_200) if lacks == "duration" else UNSET,
        max_distance_meters=30_000 if lacks == "kilometres" else 0,
        costs=VehicleCosts(
            fixed=20.0, per_hour=25.0, per_traveled_hour=0.0, per_kilometer=0.3, per_stop=0.0
        ),
    )
