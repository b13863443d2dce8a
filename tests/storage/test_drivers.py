from collections.abc import Callable
from typing import Any

import pytest
from tests.storage.pages import read_all
from tests.storage.rows import (
    ACME,
    NOW,
    OTHER,
    STRANGE,
    add_drivers,
    at,
    driver,
)

from roundsman.domain.driver import DriverStatus
from roundsman.storage.database import Database
from roundsman.storage.drivers import (
    find_driver,
    find_driver_organization,
    insert_driver,
    look_up_driver,
    save_driver,
    select_drivers,
)
from roundsman.storage.keyset import Position

pytestmark = pytest.mark.both_databases


def ids_of(fetch: Callable[[Position | None, int], list[tuple[Position, Any]]]) -> list[str]:
    return [found.id for found in read_all(fetch, 2)]


def test_a_driver_is_stored_changed_and_found_by_its_organization_alone(shared: Database) -> None:
    with shared.writing() as tx:
        add_drivers(tx, drv_1=ACME, drv_2=OTHER)
        changed = driver("drv_1", DriverStatus.DEACTIVATED, last_name=STRANGE)
        save_driver(tx, OTHER, driver("drv_1", last_name="of somebody else"))
        assert find_driver(tx, ACME, "drv_1") == driver("drv_1")
        save_driver(tx, ACME, changed)
        for locked in (False, True):
            assert find_driver(tx, ACME, "drv_1", locked=locked) == changed
            assert find_driver(tx, OTHER, "drv_1", locked=locked) is None
        assert find_driver(tx, OTHER, "drv_2") == driver("drv_2")
        owners = [find_driver_organization(tx, one) for one in ("drv_1", "drv_2", "drv_3")]
        assert owners == [ACME, OTHER, None]
    assert look_up_driver(shared, ACME, "drv_1") == changed
    assert look_up_driver(shared, OTHER, "drv_1") is None
    assert look_up_driver(shared, OTHER, "drv_2") == driver("drv_2")


def test_drivers_are_listed_by_status_oldest_first_page_by_page_through_ties(
    shared: Database,
) -> None:
    pending, active, deactivated, archived = list(DriverStatus)[1:]
    statuses = {"d4": pending, "d1": active, "d3": deactivated, "d2": archived, "d0": pending}
    with shared.writing() as tx:
        for number, (id_, status) in enumerate(statuses.items()):
            insert_driver(tx, ACME, driver(id_, status), at(0 if number < 3 else 1))
        insert_driver(tx, OTHER, driver("d9"), NOW)

        def of(status: DriverStatus | None) -> list[str]:
            return ids_of(lambda after, count: select_drivers(tx, ACME, status, after, count))

        assert of(None) == ["d1", "d3", "d4", "d0"]
        assert [of(one) for one in list(DriverStatus)[1:]] == [["d4", "d0"], ["d1"], ["d3"], ["d2"]]
        save_driver(tx, ACME, driver("d3", DriverStatus.ARCHIVED))
        assert of(None) == ["d1", "d4", "d0"]
        assert of(DriverStatus.ARCHIVED) == ["d3", "d2"]
