"""The bodies that clients receive, where they are not a noun of the domain by themselves."""

from msgspec import field

from roundsman.domain.model import Model
from roundsman.domain.security_event import SecurityEvent


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


class OrganizationAnswer(Model):
    """Who asks, and by which clocks their day is."""

    id: str
    name: str
    timezone: str


class RatingLink(Model):
    """Where a stop's customer may rate it."""

    url: str


class SecurityEventsAnswer(Model):
    """A page of security events, newest first."""

    security_events: tuple[SecurityEvent, ...] = ()
    next_cursor: str = ""


class EmptyAnswer(Model):
    """What a delete answers: `{}`."""
