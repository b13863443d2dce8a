"""Signing in and out, invitations and new passwords as JSON."""

from collections.abc import Sequence

from roundsman.domain.member import Member
from roundsman.domain.member_session import MemberSession
from roundsman.domain.model import Line, Model
from roundsman.domain.organization import Organization
from roundsman.domain.principal import Role


class SignInBody(Model):
    """Who signs in; the organization may be left out by who plans for one."""

    email: Line
    password: Line
    organization: Line = ""
    code: Line = ""
    """Of an app, or a recovery code, where the person has set that up."""


class AcceptInvitationBody(Model):
    """What taking up an invitation takes; without a name the invited one stays."""

    name: Line = ""
    password: Line
    code: Line = ""


class RequestResetBody(Model):
    """Who forgot the password."""

    email: Line


class ResetBody(Model):
    """The new password."""

    password: Line


class ChangePasswordBody(Model):
    """The password that a member has, and the one that they want."""

    password: Line
    new_password: Line
    code: Line = ""
    """Of an app, or a recovery code, where the person has set that up."""


class SignInWays(Model):
    """In which ways members may sign in, beside a password, and what helps who has forgotten it."""

    open_id_connect: bool

    password_reset_mail: bool
    """Whether a link to choose a new password with goes out by e-mail; else whoever runs the
    installation hands one out.
    """


class PlannedFor(Model):
    """For whom a member plans."""

    id: str
    name: str
    timezone: str


class MemberSessionAnswer(Model):
    """Who is signed in, and what the page must send beside the cookie."""

    member: Member
    organization: PlannedFor
    csrf_token: str


class ListedSession(MemberSession):
    """One browser; `current` is the one that asks."""

    current: bool = False


class MemberSessionsAnswer(Model):
    """The browsers in which a member is signed in."""

    sessions: tuple[ListedSession, ...] = ()


class InvitationAnswer(Model):
    """What a link invites to; with a password, the person's own is asked for and none is set."""

    email: str
    name: str = ""
    role: Role
    organization: PlannedFor
    has_password: bool = False


def show_organization(organization: Organization) -> PlannedFor:
    """Return an organization as its members see it."""
    return PlannedFor(id=organization.id, name=organization.name, timezone=organization.timezone)


def show_browsers(sessions: Sequence[MemberSession], current: str) -> MemberSessionsAnswer:
    """Return browsers, saying which of them asks."""
    return MemberSessionsAnswer(
        sessions=tuple(
            ListedSession(
                id=one.id,
                created_at=one.created_at,
                last_seen_at=one.last_seen_at,
                current=one.id == current,
            )
            for one in sessions
        )
    )
