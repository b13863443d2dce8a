"""Security events are kept, counted, listed newest first and forgotten, on both databases."""

import pytest
from tests.storage.pages import read_all
from tests.storage.rows import ACME, MICROSECOND, NOW, OTHER, STRANGE, at

from roundsman.domain.principal import PrincipalKind
from roundsman.domain.security_event import (
    SecurityEvent,
    SecurityEventDetails,
    SecurityEventKind,
    SecurityPrincipal,
)
from roundsman.storage.database import Database
from roundsman.storage.security_events import (
    SecurityEventFilter,
    add_security_event,
    count_security_events,
    has_security_event,
    remove_old_security_events,
    select_security_events,
)

pytestmark = pytest.mark.both_databases

FAILED = SecurityEventKind.CLIENT_SIGN_IN_FAILED
ROTATED = SecurityEventKind.CREDENTIALS_ROTATION_STARTED


def event(
    id_: str, seconds: float = 0, kind: SecurityEventKind = ROTATED, address: str = "192.0.2.1"
) -> SecurityEvent:
    return SecurityEvent(
        id=id_,
        kind=kind,
        at=at(seconds),
        principal=SecurityPrincipal(kind=PrincipalKind.OPERATOR),
        address=address,
    )


def listed(database: Database, wanted: SecurityEventFilter, owner: str = ACME) -> list[str]:
    with database.reading() as tx:
        found = read_all(
            lambda after, count: select_security_events(tx, owner, wanted, after, count), 2
        )
    return [one.id for one in found]


def test_an_event_is_read_as_it_was_recorded(shared: Database) -> None:
    full = SecurityEvent(
        id="a",
        kind=ROTATED,
        at=NOW,
        principal=SecurityPrincipal(kind=PrincipalKind.API_CLIENT, id="c", email=STRANGE),
        address="2001:db8::1",
        user_agent=STRANGE,
        details=SecurityEventDetails(command="credentials rotate", client_id=STRANGE),
    )
    bare = event("b", 1)
    with shared.writing() as tx:
        for one in (full, bare):
            add_security_event(tx, ACME, one)
        page = select_security_events(tx, ACME, SecurityEventFilter(), None, 9)
        assert [one for _, one in page] == [bare, full]
        assert (has_security_event(tx, "a"), has_security_event(tx, "A")) == (True, False)


def test_what_happens_again_under_one_id_is_counted_and_keeps_its_first_moment(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        add_security_event(tx, ACME, event("a", 5))
        add_security_event(tx, ACME, event("a", 9, address="192.0.2.2"), times=3)
        add_security_event(tx, ACME, event("a", 7))
        ((_, found),) = select_security_events(tx, ACME, SecurityEventFilter(), None, 9)
    assert (found.at, found.address) == (at(5), "192.0.2.1")
    assert found.details == SecurityEventDetails(times=5, last_at=at(9))


def test_events_are_listed_newest_first_by_organization_kind_and_time(shared: Database) -> None:
    with shared.writing() as tx:
        for id_, seconds in (("a", 0), ("b", 1), ("c", 1), ("d", 2)):
            add_security_event(tx, ACME, event(id_, seconds))
        add_security_event(tx, ACME, event("failed", 1, FAILED))
        add_security_event(tx, OTHER, event("theirs", 1))
        counts = [
            count_security_events(tx, ACME, kind, since)
            for kind, since in ((ROTATED, NOW), (ROTATED, at(1)), (FAILED, at(1)), (FAILED, at(2)))
        ]
    assert counts == [4, 3, 1, 0]
    assert listed(shared, SecurityEventFilter()) == ["d", "failed", "c", "b", "a"]
    assert listed(shared, SecurityEventFilter(kind=FAILED)) == ["failed"]
    assert listed(shared, SecurityEventFilter(kind=ROTATED, since=at(1))) == ["d", "c", "b"]
    assert listed(shared, SecurityEventFilter(since=at(1) + MICROSECOND)) == ["d"]
    assert listed(shared, SecurityEventFilter(), OTHER) == ["theirs"]


def test_the_oldest_are_forgotten_so_many_at_a_time(shared: Database) -> None:
    with shared.writing() as tx:
        for seconds in range(4):
            add_security_event(tx, ACME, event(str(seconds), seconds))
        add_security_event(tx, OTHER, event("theirs", 0))
        assert remove_old_security_events(tx, ACME, at(3), 2) == 2
        assert remove_old_security_events(tx, ACME, at(3), 2) == 1
        assert remove_old_security_events(tx, ACME, at(3), 2) == 0
    assert listed(shared, SecurityEventFilter()) == ["3"]
    assert listed(shared, SecurityEventFilter(), OTHER) == ["theirs"]
