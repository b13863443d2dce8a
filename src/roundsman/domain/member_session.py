"""A browser in which a member is signed in (decisions §13)."""

from datetime import datetime, timedelta

from roundsman.domain.model import Model

MEMBER_SESSION_LIFETIME = timedelta(days=30)
MEMBER_SESSION_IDLE_LIFETIME = timedelta(hours=12)

MEMBER_SEEN_EVERY = timedelta(minutes=5)
"""How exactly it is kept when a member was last seen: a request should not cost a write."""


class MemberSession(Model):
    """One browser."""

    id: str
    created_at: datetime
    last_seen_at: datetime
