"""The bodies that clients send, where they are not a noun of the domain by themselves."""

from roundsman.domain.model import Model


class AuthenticateBody(Model):
    """Credentials to exchange for an access token."""

    client_id: str = ""
    client_secret: str = ""


class EmptyBody(Model):
    """An object without fields."""
