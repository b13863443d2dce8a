"""Pages of members, and what an invitation answers."""

import msgspec

from roundsman.domain.member import Member
from roundsman.domain.model import Model


class MembersAnswer(Model):
    """A page of members."""

    members: tuple[Member, ...] = ()
    next_cursor: str = ""


class InvitedMember(Model):
    """A member who is to take up an invitation, and the link to do it with."""

    member: Member
    invite_url: str


def encode_members(members: tuple[Member, ...], next_cursor: str) -> bytes:
    """Return a page of members as JSON."""
    return msgspec.json.encode(MembersAnswer(members=members, next_cursor=next_cursor))


def encode_invited_member(member: Member, invite_url: str) -> bytes:
    """Return a member beside the invitation."""
    return msgspec.json.encode(InvitedMember(member=member, invite_url=invite_url))
