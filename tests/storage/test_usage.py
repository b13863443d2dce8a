import pytest
from tests.storage.rows import ACME, OTHER, STRANGE, at, event, record, route

from roundsman.storage.database import Database
from roundsman.storage.events import add_events
from roundsman.storage.routes import add_route
from roundsman.storage.usage import Usage, add_usage, correct_usage, list_to_measure, measure

pytestmark = pytest.mark.both_databases


def test_bytes_are_counted_for_each_organization_and_corrected_without_losing_what_came_meanwhile(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        assert add_usage(tx, ACME, 700) == 700
        assert add_usage(tx, ACME, 2**40) == 2**40 + 700
        assert add_usage(tx, OTHER, 5) == 5
        never = sorted(list_to_measure(tx, 10**15, at(0)), key=lambda one: one.organization_id)
        assert never == [
            Usage(organization_id=ACME, stored_bytes=2**40 + 700),
            Usage(organization_id=OTHER, stored_bytes=5),
        ]
        add_usage(tx, ACME, 11)  # between the look and the correction
        for usage in never:
            correct_usage(tx, usage, 100, at(10))
        assert add_usage(tx, ACME, 0) == 111
        assert add_usage(tx, OTHER, 0) == 100
        assert list_to_measure(tx, 110, at(10)) == []
        assert list_to_measure(tx, 111, at(99)) == []
        again = list_to_measure(tx, 110, at(11))
        assert again == [Usage(organization_id=ACME, stored_bytes=111)]


def test_what_an_organization_stores_is_measured_in_bytes_and_not_in_characters(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        assert measure(tx, ACME) == 0
        add_events(tx, [event("e1", payload_id="p1")], {"p1": STRANGE.encode()})
        add_events(tx, [event("e2", organization_id=OTHER, payload_id="p2")], {"p2": b"x" * 10_000})
        assert measure(tx, ACME) == len(STRANGE.encode())
        record(tx, event("e3"))  # without a payload
        add_route(tx, ACME, route("rte-1", name=STRANGE))
        with_route = measure(tx, ACME)
        assert with_route > 2 * len(STRANGE.encode())
        add_route(tx, ACME, route("rte-2", name=STRANGE))
        assert measure(tx, ACME) - with_route == with_route - len(STRANGE.encode())
        assert measure(tx, OTHER) == 10_000
