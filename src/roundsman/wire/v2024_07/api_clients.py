"""A list of credentials."""

from roundsman.domain.api_client import ListedCredentials
from roundsman.domain.model import Model


class CredentialsAnswer(Model):
    """The credentials of an organization, oldest first; there are few."""

    credentials: tuple[ListedCredentials, ...] = ()
