"""What `plan` does, apart from options and output: locate, pose the route, search."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime
from threading import Event

from msgspec.structs import asdict
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from roundsman.cli.plan_advice import SheetWording
from roundsman.cli.plan_ends import Located
from roundsman.cli.plan_input import PlanInput
from roundsman.cli.plan_report import PlanReport, report_plan
from roundsman.domain.advice import Advice
from roundsman.domain.model import UNSET
from roundsman.domain.route import Route, RouteOptions
from roundsman.domain.route_ends import RouteEnd, RouteStart
from roundsman.kit.ids import IdSource
from roundsman.planning import moves_within
from roundsman.roads.network import Path, RoadNetwork
from roundsman.routing.advice import explain_violations
from roundsman.routing.ordering import CachedRoads, PlannedRoute, SearchBudget, plan_route
from roundsman.routing.route_problem import trip_of

_REFRESH_SECONDS = 0.05


def run_with_progress[Result](
    console: Console,
    label: str,
    seconds: float,
    work: Callable[[Callable[[], bool]], Result],
    interrupted: Event | None = None,
) -> Result:
    """Run `work`, which is handed what says whether it was cancelled, and show how far it is.

    Ctrl-C cancels the work before it ends the command. Where `interrupted` is given, that is set
    instead, and what the work has come to is returned.
    """
    cancelled = interrupted or Event()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with (
        ThreadPoolExecutor(1) as thread,
        Progress(*columns, console=console, transient=True) as bar,
    ):
        task = bar.add_task(label, total=seconds)
        result = thread.submit(work, cancelled.is_set)
        try:
            while wait([result], _REFRESH_SECONDS).not_done:
                bar.update(task, completed=min(bar.tasks[0].elapsed or 0, seconds))
        except KeyboardInterrupt:
            cancelled.set()
            if interrupted is None:
                raise
        return result.result()


_LONGEST_OVERRUN = 3
"""How many times as long as asked a machine under load may take over the same search."""

_MOST_SECONDS_AGAIN = 2.0
"""Of searching again with a change, however long the first search was allowed to take."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanRequest:
    """A route to plan, everything in it located; `departure` is when the vehicle leaves."""

    name: str
    start: Located
    end: Located | None
    given: PlanInput
    options: RouteOptions
    departure: datetime
    seconds: float
    wants_paths: bool = False
    """The report is to be drawn on a map."""


def plan_request(
    request: PlanRequest,
    *,
    roads: RoadNetwork,
    ids: IdSource,
    now: datetime,
    cancelled: Callable[[], bool] | None = None,
) -> PlanReport:
    """Return the route in the best order that about the request's seconds can find."""
    cached = CachedRoads(roads)
    wording = SheetWording(request.given.rows)

    def plan(route: Route, seconds: float) -> PlannedRoute:
        return plan_route(
            route,
            roads=cached,
            departure=route.departure(),
            budget=budget_of(seconds, cancelled),
            now=now,
            wording=wording,
        )

    def plan_again(route: Route) -> PlannedRoute:
        return plan(route, min(request.seconds, _MOST_SECONDS_AGAIN))

    planned = plan(route_of(request, ids, now), request.seconds)
    advice = Advice()
    if planned.violations:
        advice = explain_violations(
            planned, plan_again, now=now, wording=wording, cancelled=cancelled
        )
    drawn = _paths(planned.route, roads) if request.wants_paths else ()
    return report_plan(planned, request.given, advice, _attribution(request, planned, roads), drawn)


def budget_of(seconds: float, cancelled: Callable[[], bool] | None) -> SearchBudget:
    """Return a budget of moves, so that equal input gives equal output; time is but a guard."""
    guard = _LONGEST_OVERRUN * seconds
    return SearchBudget(seconds=guard, moves=moves_within(seconds), cancelled=cancelled)


def route_of(request: PlanRequest, ids: IdSource, now: datetime) -> Route:
    """Return the request's stops as a route, in the order of the sheet."""
    start, end = request.start, request.end
    options = asdict(request.options) | {"scheduled_for": request.departure}
    return Route(
        id=f"rte-{ids.new_uuid()}",
        number=1,
        name=request.name,
        start=RouteStart(address=start.address, coordinates=start.coordinates),
        end=UNSET if end is None else RouteEnd(address=end.address, coordinates=end.coordinates),
        stops=request.given.stops,
        created_at=now,
        updated_at=now,
        **options,
    )


def _paths(route: Route, roads: RoadNetwork) -> tuple[Path, ...]:
    trip = trip_of(route, route.created_at)
    return tuple(roads.paths(trip.waypoints(), trip.profile))


def _attribution(request: PlanRequest, planned: PlannedRoute, roads: RoadNetwork) -> str:
    """Places and roads are named after their sources where any of them was used."""
    route_ends = (one.match for one in (request.start, request.end) if one)
    used = [match.attribution for match in (*route_ends, *request.given.matches.values()) if match]
    ways = "" if planned.timed.is_wholly_estimated else roads.attribution()
    return " · ".join(dict.fromkeys(line for line in (*used, ways) if line))
