import pytest
from tests.storage.rows import ACME, HERE, OTHER, add_drivers, at, route
from tests.storage.test_journal import note, settled

from roundsman.domain.route import DriverFix
from roundsman.domain.route_status import RouteStatus
from roundsman.storage.database import Database
from roundsman.storage.driver_exports import (
    list_driven_routes,
    list_driver_actions,
    list_driver_positions,
)
from roundsman.storage.driver_positions import add_positions
from roundsman.storage.journal import add_settled
from roundsman.storage.routes import add_route

pytestmark = pytest.mark.both_databases


def test_what_is_stored_of_a_driver_is_listed_oldest_first_and_nothing_of_others(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        add_drivers(tx, a=ACME, b=ACME)
        for number, driver_id in enumerate(("a", "b", "a")):
            one = route(f"rte-{number}", driver_id=driver_id, name=f"Round {number}", stops=())
            add_route(tx, ACME, one)
            fixes = [
                DriverFix(coordinates=HERE, accuracy_meters=5, at=at(10 * number + minute))
                for minute in (1, 0)
            ]
            add_positions(tx, ACME, driver_id, f"rte-{number}", fixes)
        add_settled(
            tx, ACME, [settled(note(2), received=2), settled(note(3), driver_id="b", received=1)]
        )
        add_settled(tx, ACME, [settled(note(1), received=1)])
        driven = list_driven_routes(tx, ACME, "a")
        assert [(one.id, one.name) for one in driven] == [
            ("rte-0", "Round 0"),
            ("rte-2", "Round 2"),
        ]
        assert {one.status for one in driven} == {RouteStatus.UNSTARTED}
        positions = list_driver_positions(tx, ACME, "a")
        assert [(one.route_id, one.at) for one in positions] == [
            ("rte-0", at(0)),
            ("rte-0", at(1)),
            ("rte-2", at(20)),
            ("rte-2", at(21)),
        ]
        actions = [entry.id for entry, _ in list_driver_actions(tx, ACME, "a")]
        assert actions == [note(1).id, note(2).id]
        assert list_driven_routes(tx, OTHER, "a") == ()
        assert list_driver_positions(tx, OTHER, "a") == ()
        assert list(list_driver_actions(tx, OTHER, "a")) == []
