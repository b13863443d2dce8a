import pytest
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError
from tests.storage.rows import ACME, NOW, OTHER, STRANGE, at, organization

from roundsman.domain.address import Coordinates, Location
from roundsman.domain.organization import Language, Logo, PositionSharing
from roundsman.storage.database import Database
from roundsman.storage.organizations import (
    add_organization,
    count_route,
    find_logo,
    find_organization,
    find_signing_secrets,
    lock_organization,
    read_routes_counted,
    remove_logo,
    replace_logo,
    select_organizations,
    update_organization,
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
        known = [read_routes_counted(tx, owner) for owner in (ACME, OTHER)]
    assert (counted, known) == ([1, 2, 1, 3], [3, 1])
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


def test_settings_are_replaced_for_one_organization(shared: Database) -> None:
    with shared.writing() as tx:
        before = find_organization(tx, ACME)
        assert before is not None
        changed = replace(
            before,
            name=STRANGE,
            phone="+14105550100",
            color="#0f766e",
            language=Language.POLISH,
            start=Location(coordinates=Coordinates(latitude=39.29, longitude=-76.61)),
            share_driver_position=PositionSharing.NEXT_STOP,
        )
        update_organization(tx, changed)
        assert find_organization(tx, ACME) == changed
        assert find_organization(tx, OTHER) == organization(OTHER)
        # A row that the version before wrote has no settings.
        tx.exec_driver_sql("UPDATE organizations SET settings = NULL")
        assert find_organization(tx, ACME) == replace(before, name=STRANGE)


def test_an_organization_has_one_logo(shared: Database) -> None:
    first, second = (
        Logo(id=f"lgo-{number}", media_type="image/png", data=bytes([number])) for number in (1, 2)
    )
    with shared.writing() as tx:
        for logo in (first, second):
            replace_logo(tx, ACME, logo)
        replace_logo(tx, OTHER, Logo(id="lgo-3", media_type="image/jpeg", data=b"3"))
        assert find_logo(tx, "lgo-1") is None
        assert find_logo(tx, "lgo-2") == second
        found = find_organization(tx, ACME)
        assert found is not None
        assert found.logo_id == "lgo-2"
        remove_logo(tx, ACME)
        assert find_logo(tx, "lgo-2") is None
        assert find_logo(tx, "lgo-3") is not None
        remove_logo(tx, ACME)
        found = find_organization(tx, ACME)
        assert found is not None
        assert found.logo_id == ""
