"""Failed sign-ins are written down beside the answers, whatever the database does meanwhile."""

from collections.abc import Sequence
from threading import Event

import pytest
from tests.storage.rows import ACME, NOW, organization

from roundsman.domain.errors import Unavailable
from roundsman.domain.principal import Principal, api_client
from roundsman.domain.security_event import SecurityEvent, SecurityEventKind
from roundsman.operations.sign_in_failures import FailedSignIn, FindPrincipals, SignInFailures
from roundsman.storage.database import Database, Transaction
from roundsman.storage.organizations import add_organization
from roundsman.storage.security_events import SecurityEventFilter, select_security_events


@pytest.fixture
def failures(database: Database) -> SignInFailures:
    with database.writing() as tx:
        add_organization(tx, organization(ACME), NOW)
    return SignInFailures(database)


def found(tx: Transaction) -> Sequence[Principal]:
    del tx
    return [api_client(ACME, "c", "c@example.com")]


def failed(claimed: str, find: FindPrincipals = found) -> FailedSignIn:
    return FailedSignIn(
        kind=SecurityEventKind.CLIENT_SIGN_IN_FAILED,
        claimed=claimed,
        find=find,
        at=NOW,
        address="192.0.2.1",
        user_agent="",
    )


def recorded(database: Database) -> list[SecurityEvent]:
    with database.reading() as tx:
        page = select_security_events(tx, ACME, SecurityEventFilter(), None, 200)
    return [event for _, event in page]


def times(event: SecurityEvent) -> int:
    return (event.details and event.details.times) or 1


def test_after_an_outage_the_next_failure_is_recorded(
    database: Database, failures: SignInFailures
) -> None:
    def away(tx: Transaction) -> Sequence[Principal]:
        del tx
        raise Unavailable("database is away")

    failures.note(failed("a", away))
    failures.wait()
    assert recorded(database) == []
    failures.note(failed("b"))
    failures.wait()
    (event,) = recorded(database)
    assert (event.address, times(event)) == ("192.0.2.1", 1)


def test_of_what_waits_a_thousand_different_ones_are_kept_and_equal_ones_counted(
    database: Database, failures: SignInFailures
) -> None:
    is_looking, may_go_on = Event(), Event()

    def slow(tx: Transaction) -> Sequence[Principal]:
        is_looking.set()
        assert may_go_on.wait(30)
        return found(tx)

    failures.note(failed("first", slow))
    assert is_looking.wait(30)
    for number in range(1_100):
        failures.note(failed(f"client {number}"))
    for _ in range(50):
        failures.note(failed("client 0"))
    may_go_on.set()
    failures.wait()
    (event,) = recorded(database)
    assert times(event) == 1 + 1_000 + 50


def test_one_person_in_two_organizations_is_recorded_in_both(
    database: Database, failures: SignInFailures
) -> None:
    other = "other-0002"
    with database.writing() as tx:
        add_organization(tx, organization(other), NOW)

    def both(tx: Transaction) -> Sequence[Principal]:
        del tx
        return [api_client(owner, "m", "ann@example.com") for owner in (ACME, other)]

    failures.note(failed("ann@example.com", both))
    failures.wait()
    with database.reading() as tx:
        for owner in (ACME, other):
            ((_, event),) = select_security_events(tx, owner, SecurityEventFilter(), None, 9)
            assert event.principal.email == "ann@example.com"
