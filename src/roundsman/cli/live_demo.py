"""A live day of the demo organization beside the server: `serve --demo --live`."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import structlog

from roundsman.app import KINDS
from roundsman.cli.day_runs import open_day_run
from roundsman.cli.demo import DEMO_PLACE, DEMO_TOWN
from roundsman.domain.principal import operator
from roundsman.domain.queries import ListRoutes
from roundsman.kit.time_zones import zone_at
from roundsman.operations.demo import DEMO_EMAIL
from roundsman.operations.paging import list_all
from roundsman.operations.request import Request
from roundsman.operations.routes import archive_route, list_routes
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.simulation.clock import DayClock
from roundsman.simulation.customers import SIMULATED
from roundsman.simulation.preparing import DayTools, DayToSimulate, prepare_day

_STOPS, _VANS = 100, 4
_ON_THE_ROAD_FOR = timedelta(minutes=90)
_STEP = timedelta(minutes=5)

_log = structlog.get_logger("roundsman.demo")


@contextmanager
def live_demo(settings: Settings, tools: Tools, organization_id: str) -> Iterator[None]:
    """Play a day during the block: the vans left ninety minutes ago, and go on as time does."""
    leaves = _leaves(tools.clock.now())
    clock = DayClock(leaves - timedelta(hours=1), 0, tools.clock)
    playing = threading.Thread(
        target=_play, args=(settings, tools, clock, organization_id, leaves), name="live demo"
    )
    playing.start()
    try:
        yield
    finally:
        clock.stop()
        playing.join()


def _leaves(now: datetime) -> datetime:
    """Return when the vans left, by the clocks at the demo's start."""
    zone = zone_at(latitude=DEMO_PLACE.latitude, longitude=DEMO_PLACE.longitude)
    left = now - _ON_THE_ROAD_FOR
    seconds = left.timestamp() // _STEP.total_seconds() * _STEP.total_seconds()
    return datetime.fromtimestamp(seconds, zone)


def _play(
    settings: Settings, tools: Tools, clock: DayClock, organization_id: str, leaves: datetime
) -> None:
    request = Request(principal=operator(organization_id, DEMO_EMAIL))
    try:
        with open_day_run(settings, tools, clock, request, leaves.toordinal()) as run:
            _archive_earlier_days(tools, request)
            day_tools = DayTools(real=tools, then=run.tools, kinds=KINDS)
            run.run(prepare_day(day_tools, request, _live_day(leaves)))
    except Exception:  # noqa: BLE001 -- a door
        # The server that it is shown on goes on serving.
        _log.exception("live_demo_ended")


def _live_day(leaves: datetime) -> DayToSimulate:
    return DayToSimulate(
        stops=_STOPS,
        vans=_VANS,
        seed=leaves.toordinal(),
        leaves=leaves,
        start=DEMO_PLACE,
        town=DEMO_TOWN,
    )


def _archive_earlier_days(tools: Tools, request: Request) -> None:
    """Put away what nobody drives any more, since the server was stopped meanwhile."""
    earlier = list_all(
        lambda query: list_routes(tools, request.organization_id, query), ListRoutes(tag=SIMULATED)
    )
    for assigned in earlier:
        archive_route(tools, request, assigned.route.id)
