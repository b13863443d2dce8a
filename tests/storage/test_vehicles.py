from collections.abc import Callable
from typing import Any

import pytest
from tests.storage.pages import read_all
from tests.storage.rows import (
    ACME,
    OTHER,
    STRANGE,
    vehicle,
)

from roundsman.storage.database import Database
from roundsman.storage.keyset import Position
from roundsman.storage.vehicles import find_vehicle, look_up_vehicle, save_vehicle, select_vehicles

pytestmark = pytest.mark.both_databases


def ids_of(fetch: Callable[[Position | None, int], list[tuple[Position, Any]]]) -> list[str]:
    return [found.id for found in read_all(fetch, 2)]


def test_a_vehicle_is_stored_changed_and_found_by_its_organization_alone(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        save_vehicle(tx, ACME, vehicle("veh-1", name=STRANGE))
        save_vehicle(tx, OTHER, vehicle("veh-2"))
        save_vehicle(tx, ACME, vehicle("veh-1", name=STRANGE * 2, year=9_999))
        changed = vehicle("veh-1", name=STRANGE * 2, year=9_999)
        for locked in (False, True):
            assert find_vehicle(tx, ACME, "veh-1", locked=locked) == changed
            assert find_vehicle(tx, OTHER, "veh-1", locked=locked) is None
            assert find_vehicle(tx, ACME, "VEH-1", locked=locked) is None
    assert look_up_vehicle(shared, ACME, "veh-1") == changed
    assert look_up_vehicle(shared, OTHER, "veh-2") == vehicle("veh-2")
    assert look_up_vehicle(shared, ACME, "veh-2") is None


def test_vehicles_are_listed_oldest_first_page_by_page_through_ties(shared: Database) -> None:
    with shared.writing() as tx:
        for id_, seconds in (("v5", 2), ("v2", 1), ("v1", 1), ("v4", 1.000001), ("v3", 1)):
            save_vehicle(tx, ACME, vehicle(id_, seconds))
        save_vehicle(tx, ACME, vehicle("v0", 1, is_archived=True))
        save_vehicle(tx, OTHER, vehicle("v9", 1))

        def unarchived(after: Position | None, count: int) -> Any:
            return select_vehicles(tx, ACME, after, count, include_archived=False)

        def all_of_them(after: Position | None, count: int) -> Any:
            return select_vehicles(tx, ACME, after, count, include_archived=True)

        assert ids_of(unarchived) == ["v1", "v2", "v3", "v4", "v5"]
        assert ids_of(all_of_them) == ["v0", "v1", "v2", "v3", "v4", "v5"]
        save_vehicle(tx, ACME, vehicle("v2", 1, is_archived=True))
        assert ids_of(unarchived) == ["v1", "v3", "v4", "v5"]
