import pytest
from sqlalchemy.exc import IntegrityError
from tests.storage.rows import ACME, NOW, OTHER, STRANGE, at, organization

from roundsman.storage.database import Database
from roundsman.storage.organizations import (
    add_organization,
    count_route,
    find_organization,
    find_signing_secrets,
    lock_organization,
    select_organizations,
    update_signing_secrets,
)

pytestmark = pytest.mark.both_databases


def test_organizations_are_found_by_their_slugs_and_listed_oldest_first(shared: Database) -> None:
    odd = organization("b-odd", name=STRANGE, timezone="Europe/Zurich")
    with shared.writing() as tx:
        add_organization(tx, odd, NOW)
        add_organization(tx, organization("a-first"), at(-1))
        with pytest.raises(IntegrityError), tx.begin_nested():
            add_organization(tx, organization(ACME), NOW)
    with shared.writing() as tx:
        lock_organization(tx, ACME)
        lock_organization(tx, "nobody")
        assert [one.id for one in select_organizations(tx)] == ["a-first", ACME, "b-odd", OTHER]
        assert find_organization(tx, "b-odd") == odd
        assert find_organization(tx, "B-ODD") is None


def test_each_organization_numbers_its_own_routes(shared: Database) -> None:
    with shared.writing() as tx:
        counted = [count_route(tx, owner) for owner in (ACME, ACME, OTHER, ACME)]
    assert counted == [1, 2, 1, 3]
    with shared.writing() as tx:
        assert count_route(tx, OTHER) == 2


def test_signing_secrets_are_rotated_one_organization_at_a_time(shared: Database) -> None:
    with shared.writing() as tx:
        assert find_signing_secrets(tx, ACME) == (f"{ACME} signs", None)
        update_signing_secrets(tx, ACME, f"{ACME} signs", "next")
        assert find_signing_secrets(tx, ACME) == (f"{ACME} signs", "next")
        update_signing_secrets(tx, ACME, "next", None)
        assert find_signing_secrets(tx, ACME) == ("next", None)
        assert find_signing_secrets(tx, OTHER) == (f"{OTHER} signs", None)
        assert find_signing_secrets(tx, "nobody") is None
        found = find_organization(tx, ACME)
        assert found is not None
        assert found.webhook_secret == "next"
