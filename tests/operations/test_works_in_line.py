from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace as changed
from prometheus_client import REGISTRY
from sqlalchemy import select
from structlog.testing import capture_logs
from tests.world import CountingIds, FixedClock

from roundsman.domain.address import Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import DriverDraft
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.event import Event
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.model import UNSET
from roundsman.domain.principal import operator
from roundsman.domain.queries import ListEvents, ListRoutes, Query
from roundsman.domain.route_draft import RouteDraft, RouteEndDraft
from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import WebhookSubscriptionDraft
from roundsman.installation import make_registrar, make_tools
from roundsman.kit.ids import IdSource
from roundsman.operations.drivers import activate_driver, add_driver, deactivate_driver
from roundsman.operations.event_log import list_events
from roundsman.operations.events import TICK
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.operations.route_changes import load_route
from roundsman.operations.route_stops import add_stops
from roundsman.operations.routes import create_route, dispatch_route, list_routes, update_route
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.operations.webhook_subscriptions import add_subscription
from roundsman.roads import network
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import Leg, TravelMatrix, TravelProfile
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.storage.tables import outbox
from roundsman.wire.query import read_query

pytestmark = pytest.mark.both_databases

HERE = Coordinates(latitude=39.29, longitude=-76.61)
DRAFT = RouteDraft(start=RouteEndDraft(coordinates=HERE))


def counted_behind() -> float:
    return REGISTRY.get_sample_value("roundsman_changes_behind_records_total") or 0.0


class Office:
    """An organization with what its operations need."""

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        organization = create_organization(make_registrar(tools), "Acme", "UTC")
        self.id = organization.id
        self.request = Request(principal=operator(self.id, "dev@example.com"))

    def new_route(self) -> AssignedRoute:
        return create_route(self.tools, self.request, DRAFT)

    def events(self) -> list[Event]:
        query = Query(arguments=ListEvents(), cursor="")
        return [told.event for told in list_events(self.tools, self.id, query).rows]

    def by_update(self) -> list[str]:
        query = read_query("query.sortKey=UPDATED_AT", ListRoutes)
        return [row.route.id for row in list_routes(self.tools, self.id, query).rows]


@pytest.fixture
def office(database: Database, clock: FixedClock, ids: CountingIds, tmp_path: Path) -> Office:
    return Office(make_tools(Settings(data=tmp_path), database, clock, ids))


@pytest.mark.spec("decisions §5")
def test_a_change_that_began_later_neither_commits_nor_is_dated_before(
    office: Office, clock: FixedClock
) -> None:
    with ThreadPoolExecutor(1) as others:
        with begin_work(office.tools, office.request) as first:
            clock.advance(seconds=1)
            second = others.submit(office.new_route)
            with pytest.raises(TimeoutError):
                second.result(timeout=0.5)
            first.done(None)
        assert second.result(timeout=60).route.updated_at > first.now


@pytest.mark.spec("decisions §5")
def test_a_host_whose_clock_is_behind_does_not_date_a_change_behind_a_readers_back(
    office: Office, clock: FixedClock
) -> None:
    first = office.new_route().route
    clock.advance(seconds=-30)
    second, third = office.new_route().route, office.new_route().route
    assert first.updated_at < second.updated_at < third.updated_at
    assert office.by_update() == [first.id, second.id, third.id]


def test_a_clock_that_was_far_ahead_is_not_followed(office: Office, clock: FixedClock) -> None:
    office.new_route()
    clock.advance(hours=-1)
    assert office.new_route().route.updated_at == clock.now()


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(days=1), timedelta(days=365)])
def test_events_are_due_by_the_clock_however_far_ahead_what_is_recorded(
    office: Office, clock: FixedClock, ahead: timedelta
) -> None:
    tools, request = office.tools, office.request
    topics = (Topic.ROUTE_CREATED, Topic.ROUTE_UPDATED)
    add_subscription(
        tools, request, WebhookSubscriptionDraft(url="https://1.1.1.1/in", topics=topics)
    )
    route = office.new_route().route
    behind, dated = counted_behind(), clock.now()
    clock.advance(seconds=-ahead.total_seconds())
    with capture_logs() as lines:
        for name in ("a", "b"):
            update_route(tools, request, route.id, {"name": name})
        office.new_route()
    events = office.events()
    with tools.database.reading() as tx:
        due = list(tx.execute(select(outbox.c.due_at)).scalars())
    assert len(due) == 4
    assert sorted(due)[:3] == [clock.now()] * 3, "sent at once"
    of_route = [event.timestamp for event in events if event.object_id == route.id]
    assert of_route == [dated, dated + TICK, dated + 2 * TICK], "strictly increasing"
    assert counted_behind() == behind + 3
    assert [(line["event"], line["seconds"]) for line in lines] == [
        ("clock_behind_records", round(ahead.total_seconds()))
    ], "one line a minute"


def test_organizations_do_not_wait_for_each_other(
    database: Database, clock: FixedClock, ids: CountingIds, tmp_path: Path
) -> None:
    if database.dialect_name == "sqlite":
        pytest.skip("SQLite has one writer")
    tools = make_tools(Settings(data=tmp_path), database, clock, ids)
    one, other = Office(tools), Office(tools)
    with ThreadPoolExecutor(1) as others, begin_work(tools, one.request) as first:
        assert others.submit(other.new_route).result(timeout=60).route.name == "#1"
        first.done(None)


class InterruptedRoads:
    """Roads during whose answer something else happens."""

    def __init__(self, happen: Callable[[], object]) -> None:
        self._happen = happen
        self._roads = EstimatedRoads()

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        return self._roads.matrix(sources, targets, profile)

    def legs(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Leg]:
        self._happen()
        return self._roads.legs(waypoints, profile)

    def paths(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[network.Path]:
        return self._roads.paths(waypoints, profile)

    def attribution(self) -> str:
        return self._roads.attribution()

    def close(self) -> None:
        self._roads.close()


@pytest.mark.spec("decisions §7")
def test_a_driver_deactivated_while_a_dispatch_is_worked_out_is_not_dispatched_to(
    office: Office,
) -> None:
    tools, request = office.tools, office.request
    driver = add_driver(tools, request, DriverDraft(first_name="Dana")).driver
    activate_driver(tools, request, driver.id)
    draft = changed(DRAFT, driver_id=driver.id)
    route_id = create_route(tools, request, draft).route.id
    (stop,) = import_stops(tools, request, [StopDraft(coordinates=HERE)])
    add_stops(tools, request, route_id, [("importedStopId", stop.id)])
    roads = InterruptedRoads(lambda: deactivate_driver(tools, request, driver.id))
    with pytest.raises(FailedPrecondition, match="driver"):
        dispatch_route(replace(tools, roads=roads), request, route_id, UNSET)
    assert not load_route(tools, office.id, route_id).route.dispatched_until


class RepeatingIds(CountingIds):
    """Draws the same two bytes three times before it goes on."""

    def __init__(self) -> None:
        super().__init__()
        self._left = 3

    def random_bytes(self, count: int) -> bytes:
        if count == 2 and self._left:
            self._left -= 1
            return b"\xa5\xc2"
        return super().random_bytes(count)


@pytest.mark.spec("decisions §3")
def test_organizations_of_one_name_get_different_slugs_whatever_is_drawn(
    database: Database, clock: FixedClock, tmp_path: Path
) -> None:
    ids: IdSource = RepeatingIds()
    registrar = make_registrar(make_tools(Settings(data=tmp_path), database, clock, ids))
    slugs = [create_organization(registrar, "Acme Foods", "UTC").id for _ in range(2)]
    assert slugs[0] == "acme-foods-a5c2"
    assert slugs[1].startswith("acme-foods-")
    assert slugs[1] != slugs[0]
