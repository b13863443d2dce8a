import pytest
from sqlalchemy.exc import IntegrityError
from tests.storage.pages import read_all
from tests.storage.rows import ACME, NOW, OTHER, STRANGE, at, imported_stop

from roundsman.storage.database import Database, Transaction
from roundsman.storage.imported_stops import (
    StopFilter,
    find_imported_stops,
    find_update_times,
    remove_imported_stop,
    save_imported_stops,
    select_imported_stops,
)
from roundsman.storage.tables import as_micros

pytestmark = pytest.mark.both_databases

_BOUNDS = ("starting", "ending")


def found_ids(tx: Transaction, owner: str, **wanted: list[str]) -> list[str]:
    return sorted(one.id for one in find_imported_stops(tx, owner, **wanted))


def test_stops_are_found_by_their_ids_or_the_clients_own_in_their_organization(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        odd = imported_stop("s1", client_stop_id=STRANGE, note=STRANGE, priority=1_000_000)
        save_imported_stops(tx, ACME, [odd, imported_stop("s2"), imported_stop("s3")], NOW)
        save_imported_stops(tx, OTHER, [imported_stop("s4", client_stop_id=STRANGE)], NOW)
        save_imported_stops(tx, ACME, [imported_stop("s5", client_stop_id="Case")], NOW)
        save_imported_stops(tx, ACME, [imported_stop("s6", client_stop_id="case")], NOW)
        assert find_imported_stops(tx, ACME, ids=["s1"]) == [odd]
        assert find_imported_stops(tx, ACME, client_stop_ids=[STRANGE]) == [odd]
        assert found_ids(tx, OTHER, client_stop_ids=[STRANGE]) == ["s4"]
        assert found_ids(tx, ACME, ids=["s1", "s2", "s4", "S3"]) == ["s1", "s2"]
        assert found_ids(tx, ACME, ids=["s1", "s2"], client_stop_ids=[STRANGE, "case"]) == [
            "s1", "s2", "s6",
        ]  # fmt: skip
        assert found_ids(tx, ACME, client_stop_ids=[""]) == []
        assert found_ids(tx, ACME) == []


def test_many_stops_are_stored_and_found_at_once(shared: Database) -> None:
    many = [imported_stop(f"s{number}", client_stop_id=f"c{number}") for number in range(1_200)]
    with shared.writing() as tx:
        save_imported_stops(tx, ACME, many, NOW)
        assert len(find_imported_stops(tx, ACME, ids=[one.id for one in many])) == 1_200
        own = [one.client_stop_id for one in many]
        assert len(find_imported_stops(tx, ACME, client_stop_ids=own)) == 1_200


def test_storing_no_stops_does_nothing(shared: Database) -> None:
    with shared.writing() as tx:
        assert save_imported_stops(tx, ACME, [], NOW) == 0


def test_an_import_replaces_the_stop_with_its_id_and_a_clients_id_names_one_stop(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        save_imported_stops(tx, ACME, [imported_stop("s1", client_stop_id="c")], NOW)
        again = imported_stop("s1", note="again")
        save_imported_stops(tx, ACME, [again, imported_stop("s2", client_stop_id="c")], at(5))
        assert find_imported_stops(tx, ACME, ids=["s1"]) == [again]
        assert found_ids(tx, ACME, client_stop_ids=["c"]) == ["s2"]
        with pytest.raises(IntegrityError), tx.begin_nested():
            save_imported_stops(tx, ACME, [imported_stop("s3", client_stop_id="c")], NOW)
        remove_imported_stop(tx, OTHER, "s1")
        assert found_ids(tx, ACME, ids=["s1", "s2"]) == ["s1", "s2"]
        remove_imported_stop(tx, ACME, "s1")
        assert found_ids(tx, ACME, ids=["s1", "s2"]) == ["s2"]


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize("unrouted", [False, True])
def test_stops_are_listed_newest_first_by_import_oldest_first_by_update(
    shared: Database,
    unrouted: bool,  # noqa: FBT001 -- a table's column
) -> None:
    """All of these are on no route, so both lists are the same."""
    with shared.writing() as tx:
        imported_at = {"s1": 1, "s4": 1, "s3": 1.000001, "s2": 1, "s5": 0}
        updated_at = {"s1": 7, "s4": 7, "s3": 7, "s2": 9, "s5": 6.999999}
        for id_, seconds in imported_at.items():
            save_imported_stops(tx, ACME, [imported_stop(id_, seconds)], at(updated_at[id_]))
        save_imported_stops(tx, OTHER, [imported_stop("s9", 1)], at(7))

    def read(tx: Transaction, *, by_update: bool, count: int = 9, **bounds: float) -> list[str]:
        moments = {name: at(bounds[name]) if name in bounds else None for name in _BOUNDS}
        wanted = StopFilter(
            by_update=by_update,
            unrouted=unrouted,
            starting=moments["starting"],
            ending=moments["ending"],
        )
        found = read_all(
            lambda after, some: select_imported_stops(tx, ACME, wanted, after, some), count
        )
        return [one.id for one in found]

    with shared.reading() as tx:
        for count in (1, 2, 5, 6):
            by_import = read(tx, by_update=False, count=count)
            assert by_import == ["s3", "s4", "s2", "s1", "s5"]
            by_update = read(tx, by_update=True, count=count)
            assert by_update == ["s5", "s1", "s3", "s4", "s2"]
        assert read(tx, by_update=False, starting=1, ending=1.000001) == ["s4", "s2", "s1"]
        assert read(tx, by_update=True, starting=6.999999, ending=7) == ["s5"]
        assert read(tx, by_update=True, starting=7) == ["s1", "s3", "s4", "s2"]
        first = select_imported_stops(
            tx, ACME, StopFilter(by_update=True, starting=None, ending=None, unrouted=unrouted),
            None, 1,
        )  # fmt: skip
        assert first[0][0] == (as_micros(at(6.999999)), "s5")
    with shared.writing() as tx:
        # Imported again: when it first was is its own, when it last was is not.
        save_imported_stops(tx, ACME, [imported_stop("s5", 0, note="again")], at(8))
        assert read(tx, by_update=False) == ["s3", "s4", "s2", "s1", "s5"]
        assert read(tx, by_update=True) == ["s1", "s3", "s4", "s5", "s2"]
        assert read(tx, by_update=True, starting=8, ending=9) == ["s5"]


def test_when_stops_were_changed_last_is_known_of_those_that_are_there(shared: Database) -> None:
    with shared.writing() as tx:
        save_imported_stops(tx, ACME, [imported_stop("a"), imported_stop("b")], NOW)
        save_imported_stops(tx, ACME, [imported_stop("b", note="n")], at(5))
        assert find_update_times(tx, ACME, ["a", "b", "c"]) == {"a": NOW, "b": at(5)}
        assert find_update_times(tx, OTHER, ["a", "b"]) == {}
