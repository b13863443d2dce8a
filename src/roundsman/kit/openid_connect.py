"""What passes between us and an OpenID Connect provider.

The provider itself stands in `openid_provider`, which is loaded where one is set up: what verifies
its signatures takes 0.1 s to load.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class ProviderFailed(Exception):
    """The provider did not answer, or not as the protocol has it; the words are for the log."""


class IdentityRefused(Exception):
    """What the provider says of somebody cannot be believed."""


class EmailNotGiven(IdentityRefused):
    """The provider says who somebody is, but no e-mail address, as without the scope `email`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProviderIdentity:
    """Who somebody is, by the provider."""

    email: str
    is_verified: bool
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SignInAttempt:
    """What ties an answer of the provider to the browser that was sent there."""

    state: str
    nonce: str
    code_verifier: str


class OpenIdConnect(Protocol):
    """A provider at which people sign in."""

    def authorization_url(self, attempt: SignInAttempt, redirect_uri: str) -> str:
        """Return where a browser is sent to sign in."""
        ...

    def identify(
        self, code: str, attempt: SignInAttempt, redirect_uri: str, now: datetime
    ) -> ProviderIdentity:
        """Return who came back with a code."""
        ...

    def close(self) -> None:
        """Close the connections that are kept open."""
        ...
