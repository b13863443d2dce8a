"""A request as operations see it: who asks, from where, and what keeps the answer for a retry."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from roundsman.domain.event import Actor
from roundsman.domain.model import UNSET
from roundsman.domain.principal import Principal, PrincipalKind
from roundsman.domain.security_event import (
    RequestOrigin,
)
from roundsman.storage.database import Transaction

_LONGEST_USER_AGENT = 500


class Receipt(Protocol):
    """Keeps an operation's answer in the transaction that earned it."""

    def keep(self, tx: Transaction, result: object, now: datetime) -> None:
        """Store the answer to this result."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """Who asks, what they may be answered again, and when to stop working on it."""

    principal: Principal
    receipt: Receipt | None = None
    cancelled: Callable[[], bool] | None = None
    expected_versions: frozenset[int] | None = None
    """Of what is to be changed: another version is left as it is. None is any."""

    address: str = ""
    """Where the request came from."""

    user_agent: str = ""
    session_token: str = ""
    """Of the cookie of a member who is signed in already; signing in again ends that session."""

    command: str = ""
    """Which command of the command line asks, where one does."""

    actor: Actor | None = None
    """Whom events name, where that is somebody else than who asks."""

    @property
    def organization_id(self) -> str:
        """Return whose data the request may touch."""
        return self.principal.organization_id

    def origin(self) -> RequestOrigin:
        """Return who asks and from where, as security events say it."""
        return RequestOrigin(
            principal=self.principal,
            address=self.address,
            user_agent=self.user_agent,
            command=self.command,
        )

    def event_actor(self) -> Actor:
        """Return whom events name (specification, Events, `user`)."""
        if self.actor is not None:
            return self.actor
        if self.principal.kind is not PrincipalKind.DRIVER_DEVICE:
            return Actor(email=self.principal.email or UNSET)
        return Actor(
            driver_id=self.principal.driver_id,
            ip_address=self.address or UNSET,
            user_agent=self.user_agent[:_LONGEST_USER_AGENT] or UNSET,
        )
