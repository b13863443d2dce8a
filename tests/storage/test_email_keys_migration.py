"""People whose addresses case folding had made one are told apart; all others stay as they are."""

import pytest
from sqlalchemy import text
from tests.storage.upgrading import upgrade_to

from roundsman.storage.database import Database
from roundsman.storage.member_links import LinkKind, find_link
from roundsman.storage.members import find_password_hash, list_memberships
from roundsman.storage.migrate import migrate
from roundsman.storage.second_factors import find_totp

pytestmark = pytest.mark.both_databases

_INSERTS = (
    (
        "INSERT INTO organizations (id, name, timezone, webhook_secret, routes_counted, created_at)"
        " VALUES (:organization_id, 'A', 'UTC', 'x', 0, 0) ON CONFLICT (id) DO NOTHING"
    ),
    (
        "INSERT INTO people (email_key, password_hash) VALUES (:key, 'hash')"
        " ON CONFLICT (email_key) DO NOTHING"
    ),
    (
        "INSERT INTO members"
        " (id, organization_id, email_key, email, name, role, status, created_at)"
        " VALUES (:id, :organization_id, :key, :email, '', 'OWNER', 'ACTIVE', 0)"
    ),
    (
        "INSERT INTO member_sessions (token_hash, id, member_id, created_at, seen_at)"
        " VALUES (:token, :id, :id, 0, 0)"
    ),
    (
        "INSERT INTO member_links (token_hash, kind, email_key, member_id, expires_at)"
        " VALUES (:token, 'INVITE', :key, :id, 0)"
    ),
    (
        "INSERT INTO totp_secrets (email_key, secret, is_confirmed, last_step)"
        " VALUES (:key, 'sealed', true, 0) ON CONFLICT (email_key) DO NOTHING"
    ),
)
_MEMBERS = (
    ("beta", "V@business.example", "v@business.example"),
    ("alpha", "v@busineß.example", "v@business.example"),
    ("beta", "Ann@Example.com", "ann@example.com"),
    ("beta", "JÜRGEN@example.com", "jürgen@example.com"),
    ("beta", "bjørn@example.com", "bjørn@example.com"),
)


def test_people_of_before_are_who_their_addresses_say(empty_url: str) -> None:
    database = Database(empty_url)
    upgrade_to(database, "0033")
    with database.writing() as tx:
        for number, (organization, email, key) in enumerate(_MEMBERS):
            row = {"id": f"mem-{number}", "organization_id": organization, "email": email}
            for statement in _INSERTS:
                tx.execute(text(statement), row | {"key": key, "token": bytes([number])})
    migrate(database)
    with database.reading() as tx:
        for organization, email, _ in _MEMBERS:
            (known,) = list_memberships(tx, email)
            assert (known.organization_id, known.member.email) == (organization, email)
        kept = {email for _, email, _ in _MEMBERS if find_password_hash(tx, email)}
        assert kept == {"Ann@Example.com", "bjørn@example.com"}
        assert {email for _, email, _ in _MEMBERS if find_totp(tx, email)} == kept
        signed_in = text("SELECT member_id FROM member_sessions ORDER BY member_id")
        assert tx.execute(signed_in).scalars().all() == ["mem-2", "mem-4"]
        link = find_link(tx, LinkKind.INVITE, bytes([1]))
        assert link is not None
        assert (link.email, link.member_id) == ("v@busineß.example", "mem-1")
        people = tx.execute(text("SELECT count(*) FROM people")).scalar_one()
        assert people == len(_MEMBERS), "nobody is left whom no member is"
    database.close()
