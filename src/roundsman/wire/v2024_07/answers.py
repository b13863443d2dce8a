"""The bodies that clients receive, where they are not a noun of the domain by themselves."""

from msgspec import field

from roundsman.domain.driver_session import DriverSession
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.noun import Noun
from roundsman.domain.security_event import SecurityEvent
from roundsman.domain.stop_doubts import StopWarning
from roundsman.domain.subscription import Subscription


class AuthenticateAnswer(Noun):
    """A fresh access token; the lifetime is a string of digits (specification)."""

    access_token: str
    expires_in_seconds: str
    organization: str


class OAuthToken(Noun):
    """A fresh access token, as RFC 6749 names its parts (section 5.1)."""

    access_token: str = field(name="access_token")
    token_type: str = field(name="token_type", default="Bearer")
    expires_in: int = field(name="expires_in")
    scope: str


class OAuthError(Noun):
    """Why there is no token (RFC 6749, section 5.2)."""

    error: str
    error_description: str = field(name="error_description")


class OrganizationAnswer(Noun):
    """Who asks, and by which clocks their day is."""

    id: str
    name: str
    timezone: str


class ImportedStopsAnswer(Noun):
    """The stops of an import, in the order they were sent, and what is doubtful about them."""

    stops: tuple[ImportedStop, ...] = ()
    warnings: tuple[StopWarning, ...] = ()


class WebhooksAnswer(Noun):
    """Every subscription of an organization, oldest first."""

    webhooks: tuple[Subscription, ...] = ()


class WebhookTestAnswer(Noun):
    """Which event was made to test a webhook."""

    event_id: str


class ImportedStopsPage(Noun):
    """A page of imported stops."""

    stops: tuple[ImportedStop, ...] = ()
    next_cursor: str = ""


class DriverSessionsAnswer(Noun):
    """The devices on which a driver is signed in, oldest first."""

    sessions: tuple[DriverSession, ...] = ()


class RatingLink(Noun):
    """Where a stop's customer may rate it."""

    url: str


class SecurityEventsAnswer(Noun):
    """A page of security events, newest first."""

    security_events: tuple[SecurityEvent, ...] = ()
    next_cursor: str = ""


class EmptyAnswer(Noun):
    """What a delete answers: `{}`."""
