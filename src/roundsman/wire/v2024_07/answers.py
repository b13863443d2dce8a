"""The bodies that clients receive, where they are not a noun of the domain by themselves."""

from roundsman.domain.driver_session import DriverSession
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.noun import Noun
from roundsman.domain.stop_doubts import StopWarning
from roundsman.domain.webhook_subscription import WebhookSubscription


class AuthenticateAnswer(Noun):
    """A fresh access token; the lifetime is a string of digits (specification)."""

    access_token: str
    expires_in_seconds: str
    organization: str


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

    webhooks: tuple[WebhookSubscription, ...] = ()


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


class EmptyAnswer(Noun):
    """What a delete answers: `{}`."""
