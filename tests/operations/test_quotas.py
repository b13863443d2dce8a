"""What one client may store is bounded: a stop, a route, and all of an organization."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed
from sqlalchemy import select
from tests.operations.test_works_in_line import DRAFT, HERE, Office, office
from tests.world import FixedClock

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.imported_stop import StopDraft
from roundsman.operations.housekeeping import remove_outdated
from roundsman.operations.imported_stops import (
    delete_imported_stop,
    import_stops,
    update_imported_stop,
)
from roundsman.operations.route_changes import load_route
from roundsman.operations.route_stops import add_stops, remove_stops
from roundsman.operations.routes import create_route, delete_route, update_route
from roundsman.storage.tables import organizations
from roundsman.storage.usage import measure

__all__ = ["office"]

pytestmark = [pytest.mark.spec("decisions §22"), pytest.mark.both_databases]


def refused(error: pytest.ExceptionInfo[FailedPrecondition]) -> PreconditionViolation:
    (violation,) = error.value.violations
    assert violation.description in error.value.message
    return violation


def bring(office: Office, count: int, note: str = "") -> list[tuple[str, str]]:
    drafts = [StopDraft(coordinates=HERE, note=note) for _ in range(count)]
    stops = import_stops(office.tools, office.request, drafts)
    return [("importedStopId", stop.id) for stop in stops]


def add(office: Office, route_id: str, named: Sequence[tuple[str, str]]) -> None:
    add_stops(office.tools, office.request, route_id, named)


def stored_bytes(office: Office) -> int:
    with office.tools.database.reading() as tx:
        asked = select(organizations.c.stored_bytes).where(organizations.c.id == office.id)
        return int(tx.execute(asked).scalar_one())


def test_a_route_has_a_thousand_stops_at_most(office: Office) -> None:
    route = office.new_route().route
    for _ in range(4):
        add(office, route.id, bring(office, 249))
    add(office, route.id, bring(office, 4))
    with pytest.raises(FailedPrecondition) as error:
        add(office, route.id, bring(office, 1))
    assert refused(error) == PreconditionViolation(
        type="stops",
        subject=route.id,
        description="would have 1,001 stops; at most 1,000 are allowed",
    )
    stops = load_route(office.tools, office.id, route.id).route.stops
    assert len(stops) == 1_000
    update_route(office.tools, office.request, route.id, {"name": "full"})


def test_a_stop_has_64_kib_at_most_and_what_would_be_larger_is_not_stored(office: Office) -> None:
    large = StopDraft(coordinates=HERE, client_stop_id="large", tags=("x" * 1_000,) * 64)
    too_large = changed(large, note="x" * 2_000)
    (stop,) = import_stops(office.tools, office.request, [large])
    with pytest.raises(FailedPrecondition) as error:
        import_stops(office.tools, office.request, [too_large, StopDraft(coordinates=HERE)])
    assert (refused(error).type, refused(error).subject) == ("stopBytes", "large")
    assert "at most 65,536 are allowed" in refused(error).description
    with pytest.raises(FailedPrecondition):
        update_imported_stop(
            office.tools,
            office.request,
            stop.id,
            lambda one: changed(one, note="x" * 2_000),
        )
    with office.tools.database.reading() as tx:
        assert tx.exec_driver_sql("SELECT count(*) FROM imported_stops").scalar_one() == 1
        assert tx.exec_driver_sql("SELECT count(*) FROM events").scalar_one() == 1


def test_a_route_has_8_mib_at_most(office: Office) -> None:
    route = office.new_route().route
    note = "x" * 9_000
    tags = ("y" * 1_000,) * 50
    drafts = [StopDraft(coordinates=HERE, note=note, tags=tags) for _ in range(150)]
    named = [
        ("importedStopId", stop.id) for stop in import_stops(office.tools, office.request, drafts)
    ]
    add(office, route.id, named[:130])
    with pytest.raises(FailedPrecondition) as error:
        add(office, route.id, named[130:])
    assert refused(error).type == "routeBytes"
    assert "at most 8,388,608 are allowed" in refused(error).description
    stops = load_route(office.tools, office.id, route.id).route.stops
    assert len(stops) == 130
    remove_stops(office.tools, office.request, route.id, [stops[0].id])


def test_an_organization_stores_so_much_and_may_always_remove(
    office: Office, clock: FixedClock
) -> None:
    office.tools = replace(office.tools, quota_bytes=20_000)
    route = office.new_route().route
    named = bring(office, 5)
    add(office, route.id, named[:2])
    with pytest.raises(FailedPrecondition) as error:
        bring(office, 10, note="x" * 1_000)
    violation = refused(error)
    assert (violation.type, violation.subject) == ("organizationBytes", office.id)
    assert "at most 20,000 are allowed" in violation.description
    before = stored_bytes(office)
    assert 1_000 < before <= 20_000, "what was refused is not counted"
    tight = replace(office.tools, quota_bytes=before)
    for change in (
        lambda: create_route(tight, office.request, DRAFT),
        lambda: import_stops(tight, office.request, [StopDraft(coordinates=HERE)]),
        lambda: add_stops(tight, office.request, route.id, named[2:3]),
    ):
        with pytest.raises(FailedPrecondition):
            change()
    delete_imported_stop(tight, office.request, named[4][1])
    remove_stops(
        tight,
        office.request,
        route.id,
        [load_route(tight, office.id, route.id).route.stops[0].id],
    )
    delete_route(tight, office.request, route.id)
    clock.advance(days=31)
    remove_outdated(tight)
    with office.tools.database.reading() as tx:
        assert stored_bytes(office) == measure(tx, office.id) < before
    import_stops(tight, office.request, [StopDraft(coordinates=HERE)])
