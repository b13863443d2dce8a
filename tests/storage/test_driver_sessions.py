import pytest
from sqlalchemy.exc import IntegrityError
from tests.storage.rows import ACME, MICROSECOND, OTHER, STRANGE, add_drivers, at, driver

from roundsman.domain.driver import DriverStatus
from roundsman.domain.driver_session import IDLE_LIFETIME, LIFETIME, DriverSession
from roundsman.domain.principal import driver_device
from roundsman.storage.database import Database
from roundsman.storage.driver_sessions import (
    RestorableSession,
    StoredInvite,
    add_session,
    find_invite,
    find_restorable,
    find_signed,
    note_seen,
    remove_ended_sessions,
    remove_invites,
    remove_session,
    remove_sessions,
    remove_trackers,
    replace_invite,
    select_sessions,
    take_invite,
)
from roundsman.storage.drivers import save_driver

pytestmark = pytest.mark.both_databases


def session(id_: str, seconds: float = 0) -> DriverSession:
    return DriverSession(id=id_, device=f"{id_} {STRANGE}", created_at=at(seconds))


@pytest.fixture
def signed_in(shared: Database) -> Database:
    with shared.writing() as tx:
        add_drivers(tx, a=ACME, b=OTHER)
        add_session(tx, "a", session("s2"), b"\0two")
        add_session(tx, "a", session("s1"), b"\0one")
        add_session(tx, "a", session("s0", 1), b"\0late")
        add_session(tx, "b", session("s9"), b"\0other")
    return shared


def test_devices_are_listed_oldest_first_and_signed_out_one_by_one_or_all(
    signed_in: Database,
) -> None:
    with signed_in.writing() as tx:
        assert select_sessions(tx, "a", at(9)) == (session("s1"), session("s2"), session("s0", 1))
        assert not remove_session(tx, "a", "s9")
        assert remove_session(tx, "a", "s2")
        assert not remove_session(tx, "a", "s2")
        assert select_sessions(tx, "a", at(9)) == (session("s1"), session("s0", 1))
        remove_sessions(tx, "a")
        assert select_sessions(tx, "a", at(9)) == ()
        assert select_sessions(tx, "b", at(9)) == (session("s9"),)


def test_a_token_is_good_while_its_driver_may_drive(signed_in: Database) -> None:
    ours = driver_device(ACME, "s1", "a")
    theirs = driver_device(OTHER, "s9", "b")
    with signed_in.writing() as tx:
        tokens = (b"\0one", b"\0other", b"\0ONE", b"")
        found = [find_signed(tx, one, at(9)) for one in tokens]
        assert found == [(ours, at(0)), (theirs, at(0)), None, None]
        for status in set(DriverStatus) - {DriverStatus.ACTIVE}:
            save_driver(tx, ACME, driver("a", status))
            assert find_signed(tx, b"\0one", at(9)) is None
            assert find_signed(tx, b"\0other", at(9)) == (theirs, at(0))
        save_driver(tx, ACME, driver("a"))
        assert find_signed(tx, b"\0one", at(9)) == (ours, at(0))


def test_a_tracker_is_no_device_and_the_last_one_counts(signed_in: Database) -> None:
    with signed_in.writing() as tx:
        add_session(tx, "a", session("s3"), b"tracker", is_tracker=True)
        assert find_signed(tx, b"tracker", at(9)) is None
        found = find_signed(tx, b"tracker", at(9), may_be_tracker=True)
        assert found == (driver_device(ACME, "s3", "a"), at(0))
        device = find_signed(tx, b"\0one", at(9), may_be_tracker=True)
        assert device == (driver_device(ACME, "s1", "a"), at(0))
        remove_trackers(tx, "b")
        assert find_signed(tx, b"tracker", at(9), may_be_tracker=True) == found
        remove_trackers(tx, "a")
        assert find_signed(tx, b"tracker", at(9), may_be_tracker=True) is None
        assert find_signed(tx, b"\0one", at(9)) == device


def test_a_session_ends_when_it_is_old_or_was_not_heard_of_for_long(signed_in: Database) -> None:
    idle, whole = IDLE_LIFETIME.total_seconds(), LIFETIME.total_seconds()
    with signed_in.writing() as tx:
        assert find_signed(tx, b"\0one", at(idle) - MICROSECOND) is not None
        assert find_signed(tx, b"\0one", at(idle)) is None
        note_seen(tx, "s1", at(idle - 5))
        signed = find_signed(tx, b"\0one", at(idle))
        assert signed is not None
        assert signed[1] == at(idle - 5)
        assert [one.id for one in select_sessions(tx, "a", at(idle))] == ["s1", "s0"]
        remove_ended_sessions(tx, at(idle))
        assert [one.id for one in select_sessions(tx, "a", at(9))] == ["s1", "s0"]
        assert select_sessions(tx, "b", at(9)) == ()
        note_seen(tx, "s1", at(whole))
        assert find_signed(tx, b"\0one", at(whole) - MICROSECOND) is not None
        assert find_signed(tx, b"\0one", at(whole)) is None


def test_a_session_that_is_there_already_is_refused(signed_in: Database) -> None:
    with signed_in.writing() as tx:
        for id_, token in (("s1", b"new"), ("new", b"\0one")):
            with pytest.raises(IntegrityError), tx.begin_nested():
                add_session(tx, "b", session(id_), token)
        assert select_sessions(tx, "b", at(9)) == (session("s9"),)


def test_a_driver_has_one_invite_that_works_once(shared: Database) -> None:
    with shared.writing() as tx:
        add_drivers(tx, a=ACME, b=OTHER)
        replace_invite(tx, "a", b"\0first", at(1))
        replace_invite(tx, "b", b"\0other", at(2))
        assert find_invite(tx, b"\0first") == StoredInvite(driver_id="a", expires_at=at(1))
        replace_invite(tx, "a", b"\0second", at(3))
        assert find_invite(tx, b"\0first") is None
        assert find_invite(tx, b"\0other") == StoredInvite(driver_id="b", expires_at=at(2))
        assert not take_invite(tx, b"\0first")
        assert take_invite(tx, b"\0second")
        assert not take_invite(tx, b"\0second")
        replace_invite(tx, "a", b"\0third", at(4))
        remove_invites(tx, "a")
        assert find_invite(tx, b"\0third") is None
        assert find_invite(tx, b"\0other") is not None


def test_a_session_is_restored_by_its_second_hash(shared: Database) -> None:
    with shared.writing() as tx:
        add_drivers(tx, a=ACME, b=OTHER)
        add_session(tx, "a", session("s1"), b"\0one", b"\0again")
        add_session(tx, "b", session("s2"), b"\0two")
        found = find_restorable(tx, b"\0again", at(0))
        assert found == RestorableSession(
            organization_id=ACME, driver_id="a", session_id="s1", device=session("s1").device
        )
        assert find_restorable(tx, b"\0one", at(0)) is None
        assert find_restorable(tx, b"\0again", at(0) + IDLE_LIFETIME) is None
        save_driver(tx, ACME, driver("a", status=DriverStatus.DEACTIVATED))
        assert find_restorable(tx, b"\0again", at(0)) is None
