import pytest
from tests.storage.rows import ACME, HERE, NOW, OTHER, at, route

from roundsman.domain.route_stop import RouteStop
from roundsman.storage.database import Database, Transaction
from roundsman.storage.routes import (
    StoredRoute,
    add_route,
    find_route,
    release_stops,
    remove_route,
    save_route,
)
from roundsman.storage.tracking_links import (
    RemovedStop,
    TrackedStop,
    count_revocation,
    find_latest_stop,
    find_stop_origins,
    find_tracked_stop,
    note_removed_stops,
    remove_old_links,
)

pytestmark = pytest.mark.both_databases


def stop(id_: str, origin: str = "ist-1") -> RouteStop:
    return RouteStop(id=id_, updated_at=NOW, planned_coordinates=HERE, imported_stop_id=origin)


def require(tx: Transaction, id_: str) -> StoredRoute:
    found = find_route(tx, ACME, id_)
    assert found is not None
    return found


def test_a_stop_is_found_on_its_route_and_its_revocations_are_counted(shared: Database) -> None:
    with shared.writing() as tx:
        add_route(tx, ACME, route("rte-1", stops=(stop("rst-1"), stop("rst-2", ""))))
        assert find_tracked_stop(tx, "rst-1") == TrackedStop(ACME, "rte-1", "ist-1", 0)
        assert find_tracked_stop(tx, "rst-9") is None
        for owner in (ACME, OTHER, ACME):
            count_revocation(tx, owner, "rst-1")
        assert find_tracked_stop(tx, "rst-1") == TrackedStop(ACME, "rte-1", "ist-1", 2)
        assert find_tracked_stop(tx, "rst-2") == TrackedStop(ACME, "rte-1", "", 0)


def test_a_stop_that_is_taken_off_is_remembered_with_its_revocations(shared: Database) -> None:
    with shared.writing() as tx:
        stops = (stop("rst-1"), stop("rst-2"), stop("rst-3", "1001"))
        add_route(tx, ACME, route("rte-1", stops=stops))
        count_revocation(tx, ACME, "rst-1")
        left = route("rte-1", stops=stops[2:], updated_at=at(60))
        save_route(tx, ACME, left, read=require(tx, "rte-1"))
        assert find_tracked_stop(tx, "rst-1") == TrackedStop(ACME, "", "ist-1", 1, at(60))
        assert find_tracked_stop(tx, "rst-2") == TrackedStop(ACME, "", "ist-1", 0, at(60))
        remove_route(tx, ACME, require(tx, "rte-1"), at(90))
        assert find_tracked_stop(tx, "rst-3") == TrackedStop(ACME, "", "1001", 0, at(90))
        assert remove_old_links(tx, OTHER, at(99), 10) == 0
        assert remove_old_links(tx, ACME, at(90), 10) == 2
        assert find_tracked_stop(tx, "rst-1") is None
        assert find_tracked_stop(tx, "rst-3") is not None


def test_a_revocation_counts_for_the_stops_that_were_made_from_the_same_before(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        removed = [RemovedStop("rst-0", ACME, "ist-1"), RemovedStop("rst-8", ACME, "ist-8")]
        note_removed_stops(tx, removed, at(1))
        note_removed_stops(tx, [RemovedStop("rst-9", OTHER, "ist-1")], at(1))
        add_route(tx, ACME, route("rte-1", stops=(stop("rst-1"), stop("rst-2", ""))))
        add_route(tx, ACME, route("rte-2", stops=(stop("rst-3"),)))
        count_revocation(tx, ACME, "rst-1")
        count_revocation(tx, ACME, "rst-2")
        seen = (find_tracked_stop(tx, f"rst-{n}") for n in (0, 1, 2, 3, 8, 9))
        assert [one and one.times_revoked for one in seen] == [1, 1, 1, 0, 0, 0]


def test_a_stop_that_moves_to_another_route_was_never_taken_off(shared: Database) -> None:
    with shared.writing() as tx:
        add_route(tx, ACME, route("rte-1", stops=(stop("rst-1"),)))
        add_route(tx, ACME, route("rte-2"))
        count_revocation(tx, ACME, "rst-1")
        release_stops(tx, ACME, ["rst-1"])
        save_route(tx, ACME, route("rte-2", stops=(stop("rst-1"),)), read=require(tx, "rte-2"))
        save_route(tx, ACME, route("rte-1"), read=require(tx, "rte-1"))
        assert find_tracked_stop(tx, "rst-1") == TrackedStop(ACME, "rte-2", "ist-1", 1)
        assert remove_old_links(tx, ACME, at(10_000), 10) == 0


def test_the_newest_stop_of_an_origin_is_one_on_a_route_that_is_not_put_away(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        assert find_latest_stop(tx, ACME, "ist-1") == ("", "")
        for number, archived in enumerate((None, None, NOW)):
            changes = {} if archived is None else {"archived_at": archived}
            made = route(
                f"rte-{number}",
                created_at=at(number),
                stops=(stop(f"rst-{number}"),),
                **changes,
            )
            add_route(tx, ACME, made)
        assert find_latest_stop(tx, ACME, "ist-1") == ("rte-1", "rst-1")
        assert find_latest_stop(tx, OTHER, "ist-1") == ("", "")


def test_what_stops_were_made_from_is_known_while_they_have_a_link(shared: Database) -> None:
    with shared.writing() as tx:
        stops = (stop("rst-1"), stop("rst-2", "1001"), stop("rst-3", ""))
        add_route(tx, ACME, route("rte-1", stops=stops))
        left = route("rte-1", stops=stops[1:], updated_at=at(60))
        save_route(tx, ACME, left, read=require(tx, "rte-1"))
        asked = ["rst-1", "rst-2", "rst-3", "rst-9"]
        assert find_stop_origins(tx, ACME, asked) == {
            "rst-1": ("", "ist-1"),
            "rst-2": ("rte-1", "1001"),
            "rst-3": ("rte-1", ""),
        }
        assert find_stop_origins(tx, OTHER, asked) == {}
        assert find_stop_origins(tx, ACME, []) == {}


def test_what_was_noted_twice_is_noted_as_of_the_last_time(shared: Database) -> None:
    with shared.writing() as tx:
        for seconds in (1, 2):
            note_removed_stops(tx, [RemovedStop("rst-1", ACME, "ist-1")], at(seconds))
        note_removed_stops(tx, [], at(3))
        assert find_tracked_stop(tx, "rst-1") == TrackedStop(ACME, "", "ist-1", 0, at(2))
