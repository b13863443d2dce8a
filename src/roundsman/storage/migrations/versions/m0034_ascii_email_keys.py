"""Tell e-mail addresses apart that Unicode's case folding had made one, such as ß and ss.

Members whose address is not what their person is called by become people of their own. Nobody knows
which of the two chose the password and the second factors, so both choose a new password by a link.
Whose address is ASCII alone keeps all, unless another address had been taken for it.
"""

import sqlalchemy as sa
from alembic import op

from roundsman.domain.member import email_key

revision = "0034"
down_revision = "0033"

_members = sa.table("members", *map(sa.column, ("id", "email", "email_key")))
_people = sa.table("people", *map(sa.column, ("email_key", "password_hash")))
_sessions = sa.table("member_sessions", sa.column("member_id"))
_links = sa.table("member_links", *map(sa.column, ("email_key", "member_id")))
_FACTORS = ("totp_secrets", "recovery_codes", "passkeys")


def upgrade() -> None:
    """Give each address a person of its own."""
    connection = op.get_bind()
    moved = [
        (row.id, row.email_key, email_key(row.email))
        for row in connection.execute(sa.select(_members))
        if row.email_key != email_key(row.email)
    ]
    for key in {shared for _, shared, _ in moved}:
        _end_sign_in(connection, key)
    for key in {own for _, _, own in moved}:
        known = sa.select(_people.c.email_key).where(_people.c.email_key == key)
        if connection.execute(known).first() is None:
            connection.execute(sa.insert(_people).values(email_key=key))
    for member_id, _, own in moved:
        for table, is_theirs in (
            (_members, _members.c.id == member_id),
            (_links, _links.c.member_id == member_id),
        ):
            connection.execute(sa.update(table).where(is_theirs).values(email_key=own))
    for key in {shared for _, shared, _ in moved}:
        staying = sa.select(_members.c.id).where(_members.c.email_key == key)
        if connection.execute(staying).first() is None:
            connection.execute(sa.delete(_people).where(_people.c.email_key == key))


def _end_sign_in(connection: sa.Connection, key: str) -> None:
    theirs = sa.select(_members.c.id).where(_members.c.email_key == key)
    connection.execute(sa.delete(_sessions).where(_sessions.c.member_id.in_(theirs)))
    resets = (_links.c.email_key == key) & _links.c.member_id.is_(None)
    connection.execute(sa.delete(_links).where(resets))
    for name in _FACTORS:
        factors = sa.table(name, sa.column("email_key"))
        connection.execute(sa.delete(factors).where(factors.c.email_key == key))
    person = _people.c.email_key == key
    connection.execute(sa.update(_people).where(person).values(password_hash=None))


def downgrade() -> None:
    """Leave them: the version before finds whose address has no letter that it folds."""
