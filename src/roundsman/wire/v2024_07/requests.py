"""The bodies that clients send, where they are not a noun of the domain by themselves."""

from roundsman.domain.noun import Noun


class AuthenticateBody(Noun):
    """Credentials to exchange for an access token."""

    client_id: str = ""
    client_secret: str = ""


class EmptyBody(Noun):
    """An object without fields."""
