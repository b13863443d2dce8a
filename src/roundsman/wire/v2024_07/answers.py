"""The bodies that clients receive, where they are not a noun of the domain by themselves."""

from typing import ClassVar

import msgspec
from msgspec import field

from roundsman.domain.erasure import Erasure
from roundsman.domain.message import Message, MessageSettings
from roundsman.domain.model import Model, Name
from roundsman.domain.organization import Organization, OrganizationSettings
from roundsman.domain.route_history import HistoryEntry
from roundsman.domain.security_event import SecurityEvent
from roundsman.wire.field_mask import UpdateShape, wire_names


class AuthenticateAnswer(Model):
    """A fresh access token; the lifetime is a string of digits (specification)."""

    access_token: str
    expires_in_seconds: str
    organization: str


class OAuthToken(Model):
    """A fresh access token, as RFC 6749 names its parts (section 5.1)."""

    access_token: str = field(name="access_token")
    token_type: str = field(name="token_type", default="Bearer")
    expires_in: int = field(name="expires_in")
    scope: str


class OAuthError(Model):
    """Why there is no token (RFC 6749, section 5.2)."""

    error: str
    error_description: str = field(name="error_description")


class OrganizationAnswer(OrganizationSettings):
    """Who asks, by which clocks their day is, and what their customers' pages look like."""

    id: str
    name: str
    timezone: str
    logo_url: str = ""


_SHOWN_AS_THEY_ARE = ("id", "name", "timezone", *OrganizationSettings.__struct_fields__)


def encode_organization(organization: Organization, logo_url: str) -> bytes:
    """Return an organization as JSON, without its secrets."""
    same = {name: getattr(organization, name) for name in _SHOWN_AS_THEY_ARE}
    return msgspec.json.encode(OrganizationAnswer(**same, logo_url=logo_url))


class OrganizationUpdate(OrganizationSettings):
    """What an owner may change of an organization."""

    server_set: ClassVar[frozenset[str]] = frozenset({"id", "timezone", "logoUrl"})

    name: Name = "-"


ORGANIZATION_UPDATE = UpdateShape(
    "organization",
    OrganizationUpdate,
    ("name", *wire_names(OrganizationSettings)),
    never_blank=("name",),
)


class MessageSettingsAnswer(MessageSettings):
    """What an organization has decided about messages; headers of its gateway are hidden."""


MESSAGE_SETTINGS_UPDATE = UpdateShape(
    "messages", MessageSettingsAnswer, wire_names(MessageSettings)
)


class HistoryAnswer(Model):
    """A page of what happened to a route, newest first."""

    entries: tuple[HistoryEntry, ...] = ()
    next_cursor: str = ""


class MessagesAnswer(Model):
    """A page of messages, newest first."""

    messages: tuple[Message, ...] = ()
    next_cursor: str = ""


class RatingLink(Model):
    """Where a stop's customer may rate it."""

    url: str


class SecurityEventsAnswer(Model):
    """A page of security events, newest first."""

    security_events: tuple[SecurityEvent, ...] = ()
    next_cursor: str = ""


class ErasuresAnswer(Model):
    """A page of erasures, newest first."""

    erasures: tuple[Erasure, ...] = ()
    next_cursor: str = ""


class EmptyAnswer(Model):
    """What a delete answers: `{}`."""
