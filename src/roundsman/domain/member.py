"""People who plan for an organization: their roles, and how a member's status may move.

Decisions §13. A person is known by an e-mail address and has one password; a member is a person in
one organization.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from string import ascii_lowercase, ascii_uppercase
from typing import ClassVar, Self

from msgspec.structs import replace

from roundsman.domain.address import Email, RequiredEmail
from roundsman.domain.api_client import ListedCredentials
from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UNSET, Line, Model, UnsetType
from roundsman.domain.principal import Role

MEMBER_INVITE_LIFETIME = timedelta(days=7)
PASSWORD_RESET_LIFETIME = timedelta(hours=24)
SIGN_IN_LINK_LIFETIME = timedelta(hours=24)

_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class MemberStatus(StrEnum):
    """Where a member stands: INVITED until the invitation is taken up."""

    INVITED = "INVITED"
    ACTIVE = "ACTIVE"
    DEACTIVATED = "DEACTIVATED"


class MemberDetails(Model):
    """What an owner may change of a member."""

    server_set: ClassVar[frozenset[str]] = frozenset(
        {"id", "email", "status", "createdAt", "lastSeenAt"}
    )

    name: Line = ""
    role: Role = Role.PLANNER


class MemberDraft(MemberDetails):
    """Who is to be invited."""

    server_set: ClassVar[frozenset[str]] = frozenset({"id", "status", "createdAt", "lastSeenAt"})

    email: RequiredEmail


class Member(MemberDetails):
    """A person who plans for one organization."""

    id: str
    email: Email
    status: MemberStatus = MemberStatus.INVITED
    created_at: datetime
    last_seen_at: datetime | UnsetType = UNSET

    def is_active_owner(self) -> bool:
        """Say whether this member may do all, now."""
        return self.role is Role.OWNER and self.status is MemberStatus.ACTIVE

    def accepted(self, name: str) -> Self:
        """Take up an invitation."""
        self._require("can take up an invitation", MemberStatus.INVITED)
        return replace(self, status=MemberStatus.ACTIVE, name=name or self.name)

    def require_invitable(self) -> None:
        """Refuse to invite who has taken up an invitation, or may not."""
        self._require("can be invited", MemberStatus.INVITED)

    def deactivated(self) -> Self:
        """Keep the member from signing in."""
        return replace(self, status=MemberStatus.DEACTIVATED)

    def activated(self, *, has_accepted: bool) -> Self:
        """Let a deactivated member in again; one who never took up the invitation is invited."""
        self._require("can be activated", MemberStatus.ACTIVE, MemberStatus.DEACTIVATED)
        return replace(self, status=MemberStatus.ACTIVE if has_accepted else MemberStatus.INVITED)

    def _require(self, what: str, *allowed: MemberStatus) -> None:
        if self.status not in allowed:
            description = f"member is {self.status}; only {' or '.join(allowed)} {what}"
            violation = PreconditionViolation(
                type="memberStatus", subject=self.id, description=description
            )
            raise FailedPrecondition(description, [violation])


class ChangedMember(Member):
    """A member as changed, and what somebody who may no longer make credentials has left behind."""

    credentials: tuple[ListedCredentials, ...] = ()
    """Credentials that carry the member's address and go on, when the member is deactivated or
    loses SETTINGS; a shop may run on them, so they end only when somebody removes them."""


def email_key(email: str) -> str:
    """Return what an e-mail address is compared by: its case says nothing (decisions §22).

    ASCII letters alone are folded. Unicode's case folding makes one of ß and ss, whose domains
    belong to different people; so would `str.lower` of the Kelvin sign and k.
    """
    return email.strip().translate(_LOWER)
