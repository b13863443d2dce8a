import pytest
from tests.storage.rows import ACME, OTHER, add_drivers, at

from roundsman.storage.database import Database
from roundsman.storage.driver_invites import (
    StoredInvite,
    find_invite,
    remove_invites,
    replace_invite,
    take_invite,
)

pytestmark = pytest.mark.both_databases


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
