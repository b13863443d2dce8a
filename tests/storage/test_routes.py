from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import select
from tests.storage.pages import read_all
from tests.storage.rows import (
    ACME,
    MICROSECOND,
    NOW,
    OTHER,
    STRANGE,
    add_drivers,
    at,
    driver,
    imported_stop,
    route,
    stop,
    vehicle,
)

from roundsman.domain.queries import SortKey
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.storage.database import Database, Transaction
from roundsman.storage.imported_stops import StopFilter, save_imported_stops, select_imported_stops
from roundsman.storage.routes import (
    UNSCHEDULED,
    RouteFilter,
    StoredRoute,
    VersionConflict,
    add_route,
    find_live_routes_of_origins,
    find_route,
    find_routes_of_stops,
    list_dispatched,
    list_routes_of_origin,
    list_routes_of_origins,
    look_up_route,
    look_up_state,
    release_stops,
    remove_route,
    save_route,
    select_routes,
)
from roundsman.storage.tables import route_stop_origins
from roundsman.storage.vehicles import save_vehicle

pytestmark = pytest.mark.both_databases


def require(tx: Transaction, owner: str, route_id: str) -> StoredRoute:
    found = find_route(tx, owner, route_id)
    assert found is not None
    return found


def origins(tx: Transaction) -> set[tuple[str, ...]]:
    table = route_stop_origins.c
    found = select(table.stop_id, table.route_id, table.organization_id, table.origin_id)
    return {tuple(row) for row in tx.execute(found)}


def test_a_route_is_read_as_it_was_stored_by_its_organization_alone(shared: Database) -> None:
    full = route(
        "rte-1",
        number=2**31 - 1,
        name=STRANGE,
        stops=(stop("stp-1", note=STRANGE, imported_stop_id="ist-1"), stop("stp-2")),
        scheduled_for=at(0.000001),
        max_item_count=10**12,
        travel_gap=0.1 + 0.2,
    )
    with shared.writing() as tx:
        add_route(tx, ACME, route("rte-1"))
        add_route(tx, OTHER, route("rte-2"))
        save_route(tx, ACME, full, read=StoredRoute(route=route("rte-1"), version=1))
        assert require(tx, ACME, "rte-1") == StoredRoute(route=full, version=2)
        assert require(tx, OTHER, "rte-2") == StoredRoute(route=route("rte-2"), version=1)
        for owner, id_ in ((OTHER, "rte-1"), (ACME, "rte-2"), (ACME, "RTE-1")):
            assert find_route(tx, owner, id_) is None
    assert look_up_route(shared, ACME, "rte-1") == StoredRoute(route=full, version=2)
    assert look_up_route(shared, OTHER, "rte-1") is None
    assert look_up_route(shared, ACME, "rte-3") is None


def test_only_who_read_the_latest_version_changes_or_removes_a_route(shared: Database) -> None:
    with shared.writing() as tx:
        add_route(tx, ACME, route("rte-1"))
        first = require(tx, ACME, "rte-1")
        renamed = replace(first.route, name="renamed", stops=(stop("s", imported_stop_id="i"),))
        save_route(tx, ACME, renamed, read=first)
        stale_changes: tuple[Callable[[], object], ...] = (
            lambda: save_route(tx, ACME, replace(first.route, name="lost"), read=first),
            lambda: save_route(tx, OTHER, renamed, read=StoredRoute(route=renamed, version=2)),
            lambda: save_route(tx, ACME, renamed, read=StoredRoute(route=renamed, version=3)),
            lambda: remove_route(tx, ACME, first, NOW),
            lambda: remove_route(tx, OTHER, StoredRoute(route=route("rte-1"), version=2), NOW),
        )
        for change in stale_changes:
            with pytest.raises(VersionConflict, match="send the request again"), tx.begin_nested():
                change()
            assert require(tx, ACME, "rte-1") == StoredRoute(route=renamed, version=2)
        assert origins(tx) == {("s", "rte-1", ACME, "i")}
        remove_route(tx, ACME, require(tx, ACME, "rte-1"), NOW)
        assert find_route(tx, ACME, "rte-1") is None
        assert origins(tx) == set()


def test_what_an_answer_shows_of_a_route_stops_at_its_organizations_fleet(
    shared: Database,
) -> None:
    assigned = {
        "none": {},
        "ours": {"vehicle_id": "our van", "driver_id": "ours"},
        "their van": {"vehicle_id": "their van", "driver_id": "ours"},
        "their driver": {"vehicle_id": "our van", "driver_id": "theirs"},
    }
    with shared.writing() as tx:
        add_drivers(tx, ours=ACME, theirs=OTHER)
        save_vehicle(tx, ACME, vehicle("our van"))
        save_vehicle(tx, OTHER, vehicle("their van"))
        for name, named in assigned.items():
            add_route(tx, ACME, route(name, **named))
    van, person = (
        msgspec.json.encode(one).decode() for one in (vehicle("our van"), driver("ours"))
    )
    assert {name: look_up_state(shared, ACME, name) for name in assigned} == {
        "none": (1, None, None, None),
        "ours": (1, van, person, None),
        "their van": (1, None, person, None),
        "their driver": (1, van, None, None),
    }
    assert look_up_state(shared, OTHER, "ours") is None


def read_ids(tx: Transaction, wanted: RouteFilter, count: int = 2, owner: str = ACME) -> list[str]:
    """Return the ids of all pages."""
    found = read_all(lambda after, some: select_routes(tx, owner, wanted, after, some), count)
    return [one.id for one in found]


def filtered(sort_key: SortKey = SortKey.CREATED_AT, **changes: object) -> RouteFilter:
    plain = {"starting": None, "ending": None, "include_archived": False}
    return RouteFilter(**{"sort_key": sort_key, **plain, **changes})  # type: ignore[arg-type] # a table of arguments


@pytest.mark.spec("decisions §5")
def test_pages_of_routes_neither_miss_nor_repeat_one_in_any_order(shared: Database) -> None:
    """Ties by time are broken by id; routes without a schedule stand behind those with one."""
    made = {
        # id: created, updated, scheduled
        "r1": (0, 5, None),
        "r2": (1, 4, at(9)),
        "r3": (1, 4, at(9)),
        "r4": (1, 4.000001, at(8)),
        "r5": (1.000001, 4, None),
        "r6": (2, 1, datetime(1970, 1, 1, tzinfo=UTC)),
    }
    with shared.writing() as tx:
        for id_ in ("r4", "r2", "r6", "r1", "r5", "r3"):
            created, updated, scheduled = made[id_]
            named = {} if scheduled is None else {"scheduled_for": scheduled}
            times = {"created_at": at(created), "updated_at": at(updated)}
            add_route(tx, ACME, route(id_, **times, **named))
        add_route(tx, ACME, route("r0", archived_at=NOW, created_at=at(1), updated_at=at(4)))
        add_route(tx, OTHER, route("r9", created_at=at(1), updated_at=at(4)))
    with shared.reading() as tx:
        for count in (1, 2, 3, 6, 7):
            for key in (SortKey.CREATED_AT, SortKey.UNKNOWN):
                assert read_ids(tx, filtered(key), count) == ["r6", "r5", "r4", "r3", "r2", "r1"]
            by_update = read_ids(tx, filtered(SortKey.UPDATED_AT), count)
            assert by_update == ["r6", "r2", "r3", "r5", "r4", "r1"]
            by_schedule = read_ids(tx, filtered(SortKey.SCHEDULED_AT), count)
            assert by_schedule == ["r3", "r2", "r4", "r6", "r5", "r1"]
        with_archived = read_ids(tx, filtered(include_archived=True))
        assert with_archived == ["r6", "r5", "r4", "r3", "r2", "r0", "r1"]
        assert read_ids(tx, filtered(), owner=OTHER) == ["r9"]
        assert read_ids(tx, filtered(), owner="nobody") == []


@pytest.mark.spec("decisions §5")
def test_routes_are_listed_from_a_time_to_before_another_on_the_sorts_own_time(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        for number in range(4):
            times = {"created_at": at(number), "updated_at": at(10 - number)}
            add_route(tx, ACME, route(f"r{number}", **times, scheduled_for=at(number * 10)))
        add_route(tx, ACME, route("none", created_at=at(99), updated_at=at(99)))
    with shared.reading() as tx:
        between = filtered(starting=at(1), ending=at(3))
        assert read_ids(tx, between) == ["r2", "r1"]
        assert read_ids(tx, filtered(starting=at(1) + MICROSECOND, ending=at(3))) == ["r2"]
        assert read_ids(tx, filtered(starting=at(1), ending=at(3) + MICROSECOND)) == [
            "r3", "r2", "r1",
        ]  # fmt: skip
        by_update = filtered(SortKey.UPDATED_AT, starting=at(8), ending=at(10))
        assert read_ids(tx, by_update) == ["r2", "r1"]
        by_schedule = filtered(SortKey.SCHEDULED_AT, starting=at(10), ending=at(30))
        assert read_ids(tx, by_schedule) == ["r2", "r1"]
        # What has no schedule is before no time, and after none.
        long_ago = filtered(SortKey.SCHEDULED_AT, starting=UNSCHEDULED)
        for wanted in (long_ago, filtered(SortKey.SCHEDULED_AT, ending=at(99))):
            assert read_ids(tx, wanted) == ["r3", "r2", "r1", "r0"]


def test_routes_are_found_by_where_their_stops_came_from(shared: Database) -> None:
    with shared.writing() as tx:
        save_imported_stops(tx, ACME, [imported_stop("origin")], NOW)
        for owner, id_, seconds in (
            (ACME, "b", 1),
            (ACME, "a", 1),
            (ACME, "c", 0),
            (OTHER, "z", 0),
        ):
            add_route(tx, owner, route(id_, created_at=at(seconds)))
        put(tx, "a", stop("a1", imported_stop_id="origin"), stop("a2", imported_stop_id="origin"))
        put(tx, "b", stop("b1", store_order_id="origin"), stop("b2"))
        put(tx, "c", stop("c1", saved_stop_id="ORIGIN"))
        put(tx, "z", stop("z1", imported_stop_id="origin"), owner=OTHER)
        assert ids_of(tx, ACME, "origin") == ["a", "b"]
        assert ids_of(tx, OTHER, "origin") == ["z"]
        assert ids_of(tx, ACME, "ORIGIN") == ["c"]
        put(tx, "c", stop("c2", saved_stop_id="origin"))
        put(tx, "b", stop("b2"), archived_at=NOW)
        put(tx, "a", stop("a2", imported_stop_id="origin"), archived_at=NOW)
        assert ids_of(tx, ACME, "origin") == ["c", "a"]
        unrouted = StopFilter(by_update=False, starting=None, ending=None, unrouted=True)
        assert select_imported_stops(tx, ACME, unrouted, None, 9) == []
        remove_route(tx, ACME, require(tx, ACME, "a"), NOW)
        remove_route(tx, ACME, require(tx, ACME, "c"), NOW)
        assert ids_of(tx, ACME, "origin") == []
        assert ids_of(tx, OTHER, "origin") == ["z"]
        found = select_imported_stops(tx, ACME, unrouted, None, 9)
        assert [one.id for _, one in found] == ["origin"]


def put(
    tx: Transaction, route_id: str, *stops: RouteStop, owner: str = ACME, **changes: object
) -> None:
    read = require(tx, owner, route_id)
    save_route(tx, owner, replace(read.route, stops=stops, **changes), read=read)


def ids_of(tx: Transaction, owner: str, origin: str) -> list[str]:
    found = list_routes_of_origin(tx, owner, origin)
    assert found == list_routes_of_origins(tx, owner, [origin, "nobody's"])
    return [one.id for one in found]


def test_a_driver_sees_running_dispatches_and_those_to_be_claimed_soonest_to_end_first(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        for id_, until, whose in (
            ("mine later", 20, "me"),
            ("tied b", 10, "me"),
            ("tied a", 10, ""),
            ("just over", 0, "me"),
            ("colleague's", 10, "you"),
            ("just not over", 0.000001, "me"),
        ):
            add_route(tx, ACME, route(id_, dispatched_until=at(until), driver_id=whose))
        add_route(tx, ACME, route("never dispatched", driver_id="me"))
        add_route(tx, OTHER, route("theirs", dispatched_until=at(10)))

    def seen(tx: Transaction, count: int, owner: str = ACME) -> list[str]:
        return [found.id for found in list_dispatched(tx, owner, "me", NOW, count)]

    with shared.writing() as tx:
        assert seen(tx, 9) == ["just not over", "tied a", "tied b", "mine later"]
        assert seen(tx, 2) == ["just not over", "tied a"]
        assert seen(tx, 9, OTHER) == ["theirs"]
        read = require(tx, ACME, "tied a")
        save_route(tx, ACME, replace(read.route, driver_id="you"), read=read)
        read = require(tx, ACME, "tied b")
        save_route(tx, ACME, read.route.undispatched(), read=read)
        assert seen(tx, 9) == ["just not over", "mine later"]


def test_stops_know_their_route_and_go_to_another_whichever_is_saved_first(
    shared: Database,
) -> None:
    pair: tuple[RouteStop, ...] = (stop("stp-1", imported_stop_id="ist-1"), stop("stp-2"))
    with shared.writing() as tx:
        for owner, id_, stops in ((ACME, "rte-1", pair), (ACME, "rte-2", ()), (OTHER, "rte-3", ())):
            add_route(tx, owner, route(id_))
            read = require(tx, owner, id_)
            save_route(tx, owner, replace(read.route, stops=stops), read=read)
    wanted = ["stp-1", "stp-2", "stp-3"]
    with shared.writing() as tx:
        assert find_routes_of_stops(tx, ACME, wanted) == {"stp-1": "rte-1", "stp-2": "rte-1"}
        assert find_routes_of_stops(tx, OTHER, wanted) == {}
        release_stops(tx, OTHER, ["stp-2"])
        assert find_routes_of_stops(tx, ACME, ["stp-2"]) == {"stp-2": "rte-1"}
        release_stops(tx, ACME, ["stp-2"])
        for id_, stops in (("rte-2", pair[1:]), ("rte-1", pair[:1])):
            read = require(tx, ACME, id_)
            save_route(tx, ACME, replace(read.route, stops=stops), read=read)
        assert find_routes_of_stops(tx, ACME, wanted) == {"stp-1": "rte-1", "stp-2": "rte-2"}


def test_imported_stops_are_found_on_routes_that_are_neither_over_nor_archived(
    shared: Database,
) -> None:
    done = {"delivery_status": DeliveryStatus.DELIVERED}
    with shared.writing() as tx:
        add_route(tx, ACME, route("r1", stops=(stop("s1", imported_stop_id="i1"),)))
        over = stop("s2", imported_stop_id="i2", **done)
        add_route(tx, ACME, route("r2", stops=(over,)))
        archived = stop("s3", imported_stop_id="i3")
        add_route(tx, ACME, route("r3", stops=(archived,), archived_at=NOW))
        wanted = ["i1", "i2", "i3", "i4"]
        assert find_live_routes_of_origins(tx, ACME, wanted) == {"i1": "r1"}
        assert find_live_routes_of_origins(tx, OTHER, wanted) == {}
