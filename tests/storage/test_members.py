"""Members, their browsers and their links, on both databases."""

from dataclasses import replace as changed
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from tests.storage.rows import ACME, OTHER

from roundsman.domain.member import Member, MemberStatus
from roundsman.domain.member_session import MemberSession
from roundsman.domain.principal import Role
from roundsman.storage.database import Database
from roundsman.storage.member_links import (
    LinkKind,
    MemberLink,
    find_link,
    remove_expired_links,
    remove_links,
    replace_link,
    take_link,
)
from roundsman.storage.member_sessions import (
    add_member_session,
    find_signed_in,
    list_member_sessions,
    note_session_seen,
    remove_ended_member_sessions,
    remove_member_session,
    remove_member_sessions,
    remove_other_sessions_of_person,
    remove_session_of_token,
    remove_sessions_of_person,
)
from roundsman.storage.members import (
    count_active_owners,
    find_member,
    find_member_anywhere,
    find_password_hash,
    insert_member,
    list_active_owners,
    list_memberships,
    note_accepted,
    note_member_seen,
    remove_password,
    save_member,
    save_password_hash,
    select_members,
)

pytestmark = pytest.mark.both_databases
NOW = datetime(2024, 7, 1, 6, tzinfo=UTC)
ANN = Member(
    id="mem-1",
    email="Ann@example.com",
    name="Ann",
    role=Role.OWNER,
    status=MemberStatus.ACTIVE,
    created_at=NOW,
)


def add(shared: Database, *members: tuple[str, Member]) -> None:
    with shared.writing() as tx:
        for organization, member in members:
            assert insert_member(tx, organization, member)


def test_an_e_mail_is_a_member_once_whatever_its_case(shared: Database) -> None:
    add(shared, (ACME, ANN), (OTHER, replace(ANN, id="mem-2", email="ann@example.com")))
    with shared.writing() as tx:
        assert not insert_member(tx, ACME, replace(ANN, id="mem-3", email="ANN@example.com"))
    with shared.reading() as tx:
        known = list_memberships(tx, "ANN@EXAMPLE.COM")
        assert {one.organization_id: one.member.id for one in known} == {
            ACME: "mem-1",
            OTHER: "mem-2",
        }


def test_addresses_are_the_same_but_for_the_case_of_ascii_letters(shared: Database) -> None:
    distinct = (
        "kim@business.example",
        "\u212aim@business.example",
        "kim@busine\u00df.example",
        "kim@bu\u017finess.example",
        "k\u0130m@business.example",
    )
    add(shared, *((ACME, replace(ANN, id=one, email=one)) for one in distinct))
    with shared.reading() as tx:
        for one in distinct:
            assert [known.member.id for known in list_memberships(tx, one)] == [one]
        (known,) = list_memberships(tx, "KIM@Business.EXAMPLE")
        assert known.member.id == distinct[0]


def test_a_member_is_found_within_the_organization_alone(shared: Database) -> None:
    add(shared, (ACME, ANN))
    with shared.writing() as tx:
        found = find_member(tx, ACME, "mem-1", locked=True)
        assert found is not None
        assert (found.member, found.has_accepted) == (ANN, False)
        assert find_member(tx, OTHER, "mem-1") is None
        assert find_member_anywhere(tx, "mem-1") == found
        note_accepted(tx, "mem-1", NOW)
        note_member_seen(tx, "mem-1", NOW)
        save_member(tx, ACME, replace(ANN, name="Ann A", role=Role.VIEWER))
        save_member(tx, OTHER, replace(ANN, name="Eve"))
    with shared.reading() as tx:
        found = find_member(tx, ACME, "mem-1")
        assert found is not None
        assert found.has_accepted
        assert found.member == replace(ANN, name="Ann A", role=Role.VIEWER, last_seen_at=NOW)


def test_active_owners_are_counted_and_listed(shared: Database) -> None:
    add(
        shared,
        (ACME, ANN),
        (ACME, replace(ANN, id="mem-2", email="b@example.com", role=Role.PLANNER)),
        (ACME, replace(ANN, id="mem-3", email="c@example.com", status=MemberStatus.INVITED)),
        (OTHER, replace(ANN, id="mem-4", email="d@example.com")),
    )
    with shared.reading() as tx:
        assert count_active_owners(tx, ACME) == 1
        assert list_active_owners(tx, ACME) == ["mem-1"]
        assert list_active_owners(tx, OTHER) == ["mem-4"]


def test_members_come_oldest_first(shared: Database) -> None:
    days = [
        replace(ANN, id=f"mem-{n}", email=f"{n}@example.com", created_at=NOW - timedelta(days=n))
        for n in range(3)
    ]
    add(shared, *((ACME, one) for one in days))
    with shared.reading() as tx:
        first = select_members(tx, ACME, None, 2)
        assert [one.id for _, one in first] == ["mem-2", "mem-1"]
        rest = select_members(tx, ACME, first[-1][0], 2)
        assert [one.id for _, one in rest] == ["mem-0"]


def test_a_person_has_one_password(shared: Database) -> None:
    add(shared, (ACME, ANN))
    with shared.writing() as tx:
        assert find_password_hash(tx, "ann@example.com") is None
        save_password_hash(tx, "ANN@example.com", "hash")
        save_password_hash(tx, "nobody@example.com", "hash")
        assert find_password_hash(tx, "ann@example.com") == "hash"
        assert find_password_hash(tx, "nobody@example.com") is None
        remove_password(tx, "Ann@example.com")
        assert find_password_hash(tx, "ann@example.com") is None


def session(id_: str, created: datetime = NOW) -> MemberSession:
    return MemberSession(id=id_, created_at=created, last_seen_at=created)


def test_who_is_signed_in_is_found_while_the_session_lives(shared: Database) -> None:
    add(shared, (ACME, ANN))
    with shared.writing() as tx:
        add_member_session(tx, "mem-1", session("ses-1"), b"token")
    found = find_signed_in(shared, b"token", NOW + timedelta(hours=11))
    assert found is not None
    assert (found.principal.organization_id, found.principal.id) == (ACME, "mem-1")
    assert (found.principal.role, found.principal.session_id) == (Role.OWNER, "ses-1")
    assert (found.created_at, found.seen_at) == (NOW, NOW)
    assert find_signed_in(shared, b"other", NOW) is None
    assert find_signed_in(shared, b"token", NOW + timedelta(hours=12)) is None
    with shared.writing() as tx:
        note_session_seen(tx, "ses-1", NOW + timedelta(hours=11))
    assert find_signed_in(shared, b"token", NOW + timedelta(hours=22)) is not None
    assert find_signed_in(shared, b"token", NOW + timedelta(days=30)) is None
    with shared.writing() as tx:
        save_member(tx, ACME, replace(ANN, status=MemberStatus.DEACTIVATED))
    assert find_signed_in(shared, b"token", NOW + timedelta(hours=12)) is None


def test_browsers_are_signed_out_one_all_and_when_their_time_is_over(shared: Database) -> None:
    add(shared, (ACME, ANN), (OTHER, replace(ANN, id="mem-2")))
    with shared.writing() as tx:
        for member, id_ in (("mem-1", "ses-1"), ("mem-1", "ses-2"), ("mem-2", "ses-3")):
            add_member_session(tx, member, session(id_), id_.encode())
        add_member_session(tx, "mem-1", session("ses-0", NOW - timedelta(hours=13)), b"old")
        assert [one.id for one in list_member_sessions(tx, "mem-1", NOW)] == ["ses-1", "ses-2"]
        assert not remove_member_session(tx, "mem-2", "ses-1")
        assert remove_member_session(tx, "mem-1", "ses-1")
        remove_ended_member_sessions(tx, NOW)
        assert not remove_member_session(tx, "mem-1", "ses-0")
        remove_member_sessions(tx, "mem-1")
        assert list_member_sessions(tx, "mem-1", NOW) == []
        assert len(list_member_sessions(tx, "mem-2", NOW)) == 1
        add_member_session(tx, "mem-2", session("ses-4"), b"ses-4")
        remove_other_sessions_of_person(tx, "ANN@example.com", "ses-4")
        assert [one.id for one in list_member_sessions(tx, "mem-2", NOW)] == ["ses-4"]
        for id_ in ("ses-5", "ses-6"):
            add_member_session(tx, "mem-1", session(id_), id_.encode())
        remove_session_of_token(tx, b"nobody's")
        remove_session_of_token(tx, b"ses-5")
        assert [one.id for one in list_member_sessions(tx, "mem-1", NOW)] == ["ses-6"]
        remove_sessions_of_person(tx, "ANN@example.com")
        assert list_member_sessions(tx, "mem-2", NOW) == []


def test_a_link_is_used_once_and_a_new_one_voids_the_one_before(shared: Database) -> None:
    add(shared, (ACME, ANN))
    invite = MemberLink(
        kind=LinkKind.INVITE, email="ann@example.com", member_id="mem-1", expires_at=NOW
    )
    reset = changed(invite, kind=LinkKind.PASSWORD_RESET, member_id=None)
    with shared.writing() as tx:
        replace_link(tx, invite, b"1")
        replace_link(tx, reset, b"2")
        replace_link(tx, invite, b"3")
        assert find_link(tx, LinkKind.INVITE, b"1") is None
        assert find_link(tx, LinkKind.INVITE, b"2") is None
        assert find_link(tx, LinkKind.PASSWORD_RESET, b"2") == reset
        assert find_link(tx, LinkKind.INVITE, b"3") == invite
        replace_link(tx, reset, b"4")
        assert find_link(tx, LinkKind.PASSWORD_RESET, b"2") is None
        assert take_link(tx, b"3")
        assert not take_link(tx, b"3")
        remove_links(tx, LinkKind.PASSWORD_RESET, "ANN@example.com", None)
        assert find_link(tx, LinkKind.PASSWORD_RESET, b"4") is None
        replace_link(tx, invite, b"5")
        remove_expired_links(tx, NOW - timedelta(seconds=1))
        assert find_link(tx, LinkKind.INVITE, b"5") is not None
        remove_expired_links(tx, NOW)
        assert find_link(tx, LinkKind.INVITE, b"5") is None


def test_a_new_installation_has_no_account(database: Database) -> None:
    with database.reading() as tx:
        for table in ("members", "people", "api_clients", "client_secrets", "driver_sessions"):
            found = tx.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()  # noqa: S608 -- named above
            assert found == 0, table
