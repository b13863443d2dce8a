import pytest
from tests.storage.rows import ACME, OTHER, add_drivers, at, driver

from roundsman.domain.driver import DriverStatus
from roundsman.domain.driver_session import DriverSession
from roundsman.storage.database import Database, Transaction
from roundsman.storage.driver_sessions import add_session, remove_session
from roundsman.storage.drivers import save_driver
from roundsman.storage.push_subscriptions import (
    DuePush,
    claim_due_pushes,
    end_push_subscription,
    has_push_subscription,
    is_any_push_due,
    note_change_for_drivers,
    remove_push_subscription,
    retry_push,
    save_push_subscription,
    settle_push,
)

pytestmark = pytest.mark.both_databases


@pytest.fixture
def subscribed(shared: Database) -> Database:
    with shared.writing() as tx:
        add_drivers(tx, a=ACME, b=OTHER)
        for driver_id, owner, session_id in (
            ("a", ACME, "s1"),
            ("a", ACME, "s2"),
            ("b", OTHER, "s9"),
        ):
            session = DriverSession(id=session_id, device="phone", created_at=at(0))
            add_session(tx, driver_id, session, session_id.encode())
            save_push_subscription(tx, owner, driver_id, session_id, f"sealed {session_id}")
    return shared


def change(tx: Transaction, seconds: float, owner: str = ACME) -> None:
    note_change_for_drivers(tx, owner, ["a", "b"], at(seconds + 5))


def claim(tx: Transaction, seconds: float, worker: str = "w") -> list[DuePush]:
    return claim_due_pushes(tx, worker, at(seconds), at(seconds + 30), 10)


def test_every_device_of_a_driver_is_told_once_of_many_changes(subscribed: Database) -> None:
    with subscribed.writing() as tx:
        assert not is_any_push_due(tx, at(99))
        for seconds in (0, 1, 2):
            change(tx, seconds)
        assert not is_any_push_due(tx, at(4))
        assert is_any_push_due(tx, at(5))
        first, second = claim(tx, 5)
        assert [(one.session_id, one.endpoint) for one in (first, second)] == [
            ("s1", "sealed s1"),
            ("s2", "sealed s2"),
        ]
        assert claim(tx, 6) == [], "it is another's for a while"
        settle_push(tx, first, at(10))
        settle_push(tx, second, at(10))
        assert not is_any_push_due(tx, at(99))


def test_what_changes_while_a_device_is_told_is_told_again(subscribed: Database) -> None:
    with subscribed.writing() as tx:
        change(tx, 0)
        first, _ = claim(tx, 5)
        change(tx, 6)
        settle_push(tx, first, at(11))
        assert [one.session_id for one in claim(tx, 11)] == ["s1"]


def test_a_worker_that_died_gives_its_devices_back_and_settles_nothing(
    subscribed: Database,
) -> None:
    with subscribed.writing() as tx:
        change(tx, 0)
        lost, _ = claim(tx, 5, "dead")
        again, _ = claim(tx, 35)
        assert again.attempt == 2
        settle_push(tx, lost, at(40))
        end_push_subscription(tx, lost)
        assert has_push_subscription(tx, ACME, "s1")
        retry_push(tx, again, at(60))
        assert "s1" in {one.session_id for one in claim(tx, 65)}


def test_what_is_given_up_waits_for_the_next_change(subscribed: Database) -> None:
    with subscribed.writing() as tx:
        change(tx, 0)
        for push in claim(tx, 5):
            retry_push(tx, push, None)
        assert not is_any_push_due(tx, at(1_000))
        change(tx, 1_000)
        assert {one.attempt for one in claim(tx, 1_005)} == {1}


def test_a_subscription_is_its_organizations_and_ends_with_its_session(
    subscribed: Database,
) -> None:
    with subscribed.writing() as tx:
        assert not has_push_subscription(tx, OTHER, "s1")
        remove_push_subscription(tx, OTHER, "s1")
        assert has_push_subscription(tx, ACME, "s1")
        change(tx, 0, OTHER)
        (gone,) = claim(tx, 5)
        assert gone.session_id == "s9"
        end_push_subscription(tx, gone)
        assert not has_push_subscription(tx, OTHER, "s9")
        remove_push_subscription(tx, ACME, "s1")
        assert not has_push_subscription(tx, ACME, "s1")
        remove_session(tx, "a", "s2")
        assert not has_push_subscription(tx, ACME, "s2")


def test_who_may_not_drive_is_told_nothing(subscribed: Database) -> None:
    with subscribed.writing() as tx:
        save_driver(tx, ACME, driver("a", DriverStatus.DEACTIVATED))
        change(tx, 0)
        assert not is_any_push_due(tx, at(99))
