"""What is known of a route beside it, and where its drivers were."""

from datetime import timedelta

import pytest
from sqlalchemy import bindparam, select
from tests.storage.rows import ACME, HERE, MICROSECOND, NOW, OTHER, add_drivers, at, route, stop

from roundsman.domain.live_route import LiveRoute
from roundsman.domain.route import DriverFix
from roundsman.domain.route_ends import RouteStart, StartStatus
from roundsman.domain.route_stop import DeliveryStatus
from roundsman.storage.database import Database
from roundsman.storage.dialects import upsert_newer
from roundsman.storage.driver_positions import (
    add_positions,
    find_latest_position,
    is_within,
    list_position_times,
    list_track,
    of_spans,
    remove_old_positions,
    remove_track,
)
from roundsman.storage.driver_tables import driver_positions as positions
from roundsman.storage.driver_tables import live_routes
from roundsman.storage.live_routes import (
    Saving,
    list_latest_positions,
    list_movements,
    list_positions,
    remove_live_route,
    save_live_route,
)
from roundsman.storage.routes import add_route, find_route, look_up_route, look_up_state

pytestmark = pytest.mark.both_databases


SAVING = Saving(ACME, "r", "dana", at(20))


def fix(seconds: float, accuracy: float = 0.1) -> DriverFix:
    return DriverFix(coordinates=HERE, accuracy_meters=accuracy, at=at(seconds))


def test_the_last_position_on_each_route_under_way_is_listed(shared: Database) -> None:
    begun = RouteStart(coordinates=HERE, status=StartStatus.STARTED)
    with shared.writing() as tx:
        for owner, id_, start in (
            (ACME, "begun", begun),
            (ACME, "waiting", RouteStart(coordinates=HERE)),
            (OTHER, "theirs", begun),
        ):
            is_out = start is begun
            status = DeliveryStatus.OUT_FOR_DELIVERY if is_out else DeliveryStatus.UNKNOWN
            stops = (stop(f"s-{id_}", delivery_status=status),)
            add_route(tx, owner, route(id_, start=start, stops=stops))
            save_live_route(tx, Saving(owner, id_, "dana", at(20)), LiveRoute(fix=fix(5)))
        save_live_route(tx, Saving(ACME, "begun", "dana", at(21)), LiveRoute(fix=fix(7)))
        found = list_latest_positions(tx, ACME)
    assert [(one.route_id, one.driver_id, one.at) for one in found] == [("begun", "dana", at(7))]


def test_a_route_is_read_with_what_is_known_beside_it(shared: Database) -> None:
    start = RouteStart(coordinates=HERE, status=StartStatus.STARTED)
    stored = route("r", start=start, stops=(stop("s", updated_arrival=NOW),), order_is_current=True)
    live = LiveRoute(fix=fix(5), version=1, arrivals={"s": at(9)}, order_is_outdated=True)
    with shared.writing() as tx:
        add_route(tx, ACME, stored)
        save_live_route(tx, SAVING, live)
        save_live_route(tx, SAVING, LiveRoute(fix=fix(4)))
        found = find_route(tx, ACME, "r")
    assert found is not None
    assert (found.live, found.live_revision, found.version) == (live, 1, 1)
    assert found.route.stops[0].updated_arrival == at(9)
    assert (found.route.last_fix, found.route.order_is_current) == (fix(5), False)
    of_another = LiveRoute(fix=fix(6), version=2, arrivals={"s": at(10)})
    with shared.writing() as tx:
        save_live_route(tx, SAVING, of_another)
    later = look_up_route(shared, ACME, "r")
    assert later is not None
    assert (later.live, later.live_revision) == (of_another, 2)
    assert later.route.stops[0].updated_arrival == NOW, "these are another version's arrivals"
    assert look_up_state(shared, ACME, "r") == (1, None, None, 2)
    with shared.writing() as tx:
        row = {
            "route_id": "r",
            "organization_id": ACME,
            "driver_id": "dana",
            "revision": 1,
            "at": at(6),
            "saved_at": at(6),
            "body": "{}",
        }
        upsert_newer(tx, live_routes, row, key="route_id", newer="at", counted="revision")
    assert look_up_route(shared, ACME, "r") == later, "as new is not newer"
    with shared.writing() as tx:
        remove_live_route(tx, "r")
    assert look_up_state(shared, ACME, "r") == (1, None, None, None)


def test_a_track_is_read_in_order_and_forgotten_when_it_is_old(shared: Database) -> None:
    with shared.writing() as tx:
        add_drivers(tx, dana=ACME, lee=OTHER)
        add_positions(tx, ACME, "dana", "r", [fix(3), fix(1), fix(2), fix(1, 99)])
        add_positions(tx, ACME, "dana", "other route", [fix(4)])
        add_positions(tx, OTHER, "lee", "theirs", [fix(0)])
        assert [point.at for point in list_track(tx, ACME, "r", 9)] == [at(1), at(2), at(3)]
        assert [point.at for point in list_track(tx, ACME, "r", 2)] == [at(2), at(3)]
        assert list_track(tx, OTHER, "r", 9) == []
        latest = find_latest_position(tx, ACME, "r", at(2.5))
        assert latest is not None
        assert latest.at == at(2)
        assert find_latest_position(tx, ACME, "r", at(0.5)) is None
        assert find_latest_position(tx, OTHER, "r", at(9)) is None
        spans = [(at(1), at(2)), (at(4), at(4) + timedelta(days=1))]
        assert sorted(list_position_times(tx, "dana", spans)) == [at(1), at(2), at(4)]
        wanted = select(positions.c.at).where(
            positions.c.driver_id == bindparam("driver"), is_within(positions.c.at, len(spans))
        )
        found = tx.execute(wanted, of_spans("dana", spans)).scalars()
        assert sorted(found) == [at(1), at(2), at(4)]
        assert list_position_times(tx, "dana", []) == []
        assert remove_old_positions(tx, ACME, at(3), 1) == 1
        assert remove_old_positions(tx, ACME, at(3), 9) == 1
        assert remove_old_positions(tx, ACME, at(3), 9) == 0
        assert [point.at for point in list_track(tx, ACME, "r", 9)] == [at(3)]
        assert remove_old_positions(tx, ACME, at(3) + MICROSECOND, 9) == 1
        assert len(list_track(tx, OTHER, "theirs", 9)) == 1
        remove_track(tx, "theirs")
        assert list_track(tx, OTHER, "theirs", 9) == []
        assert len(list_track(tx, ACME, "other route", 9)) == 1


def test_who_moved_since_a_moment_is_found_and_where_to(shared: Database) -> None:
    with shared.writing() as tx:
        for saving, seconds in (
            (Saving(ACME, "late", "dana", at(3)), 1),
            (Saving(ACME, "soon", "kim", at(2)), 5),
            (Saving(OTHER, "theirs", "lee", at(9)), 5),
        ):
            save_live_route(tx, saving, LiveRoute(fix=fix(seconds), arrivals={"s": NOW}))
        late = ("late", "dana", at(1), at(3))
        assert set(list_movements(tx, ACME, at(2))) == {late, ("soon", "kim", at(5), at(2))}
        assert list_movements(tx, ACME, at(2) + MICROSECOND) == [late]
        assert list_movements(tx, ACME, at(4)) == []
        found = list_positions(tx, ACME, ["soon", "late", "theirs", "none"])
        assert [(one.driver_id, one.route_id, one.at) for one in found] == [
            ("dana", "late", at(1)),
            ("kim", "soon", at(5)),
        ]
        assert found[0].coordinates == HERE
