"""Credentials of API clients as owners see them: who may sign in, and what that allows."""

from datetime import datetime

from roundsman.domain.model import Model
from roundsman.domain.principal import Scope


class CredentialsDraft(Model):
    """What new credentials may do; every scope where none is named."""

    scopes: tuple[Scope, ...] = ()


class ListedCredentials(Model):
    """Credentials that can be signed in with; nobody is shown a secret again."""

    id: str
    """The client ID."""

    email: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    current: bool = False
    """Whether it is they that ask."""


class NewCredentials(Model):
    """New credentials; the secret is shown this once."""

    client_id: str
    client_secret: str
    scopes: tuple[Scope, ...]
