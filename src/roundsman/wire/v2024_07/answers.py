"""The bodies that clients receive, where they are not a noun of the domain by themselves."""

from roundsman.domain.noun import Noun


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


class RatingLink(Noun):
    """Where a stop's customer may rate it."""

    url: str


class EmptyAnswer(Noun):
    """What a delete answers: `{}`."""
