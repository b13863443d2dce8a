import pytest
from tests.storage.rows import ACME, NOW, OTHER, at

from roundsman.domain.change import Change, ObjectKind
from roundsman.domain.topics import Topic
from roundsman.storage.changes import (
    add_changes,
    latest_number,
    list_changes_after,
    oldest_number,
    remove_old_changes,
)
from roundsman.storage.database import Database

pytestmark = pytest.mark.both_databases

VAN = Change(kind=ObjectKind.VEHICLE, id="v")
STOP = Change(
    kind=ObjectKind.STOP, id="s", route_id="r", version=7, topic=Topic.STOP_STATUS_UPDATED
)


def test_changes_are_numbered_by_organization_and_read_in_order(shared: Database) -> None:
    with shared.writing() as tx:
        assert (latest_number(tx, ACME), oldest_number(tx, ACME)) == (0, 0)
        add_changes(tx, ACME, [VAN, STOP], NOW)
        add_changes(tx, OTHER, [VAN], NOW)
        add_changes(tx, ACME, [VAN], at(-5))
        assert list_changes_after(tx, ACME, 0, 9) == [(1, VAN), (2, STOP), (3, VAN)]
        assert list_changes_after(tx, ACME, 1, 1) == [(2, STOP)]
        assert list_changes_after(tx, ACME, 3, 9) == []
        assert list_changes_after(tx, OTHER, 0, 9) == [(1, VAN)]


def test_old_changes_go_but_the_last_stays_and_numbers_go_on(shared: Database) -> None:
    with shared.writing() as tx:
        for seconds in range(4):
            add_changes(tx, ACME, [VAN], at(seconds))
        add_changes(tx, OTHER, [VAN], at(0))
        assert remove_old_changes(tx, ACME, at(2), 1) == 1
        assert oldest_number(tx, ACME) == 2
        assert remove_old_changes(tx, ACME, at(99), 9) == 2
        assert (oldest_number(tx, ACME), latest_number(tx, ACME)) == (4, 4)
        add_changes(tx, ACME, [STOP], at(0))
        assert list_changes_after(tx, ACME, 4, 9) == [(5, STOP)]
        assert latest_number(tx, OTHER) == 1
