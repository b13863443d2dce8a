"""Security events: who signed in or failed to, and who changed what others may do."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.principal import Principal, PrincipalKind, Role

SECURITY_EVENTS_KEPT_FOR = timedelta(days=365)


class SecurityEventKind(StrEnum):
    """What happened."""

    CLIENT_SIGNED_IN = "CLIENT_SIGNED_IN"
    CLIENT_SIGN_IN_FAILED = "CLIENT_SIGN_IN_FAILED"
    CLIENT_SIGNED_OUT = "CLIENT_SIGNED_OUT"
    CREDENTIALS_CREATED = "CREDENTIALS_CREATED"
    CREDENTIALS_ROTATION_STARTED = "CREDENTIALS_ROTATION_STARTED"
    CREDENTIALS_ROTATION_FINISHED = "CREDENTIALS_ROTATION_FINISHED"
    CREDENTIALS_ROTATION_CANCELLED = "CREDENTIALS_ROTATION_CANCELLED"
    CREDENTIALS_DELETED = "CREDENTIALS_DELETED"
    DRIVER_INVITED = "DRIVER_INVITED"
    DRIVER_ACTIVATED = "DRIVER_ACTIVATED"
    DRIVER_DEACTIVATED = "DRIVER_DEACTIVATED"
    DRIVER_ARCHIVED = "DRIVER_ARCHIVED"
    DRIVER_SIGNED_IN = "DRIVER_SIGNED_IN"
    DRIVER_SIGNED_OUT = "DRIVER_SIGNED_OUT"
    MEMBER_INVITED = "MEMBER_INVITED"
    MEMBER_JOINED = "MEMBER_JOINED"
    MEMBER_CHANGED = "MEMBER_CHANGED"
    MEMBER_DEACTIVATED = "MEMBER_DEACTIVATED"
    MEMBER_ACTIVATED = "MEMBER_ACTIVATED"
    MEMBER_SIGNED_IN = "MEMBER_SIGNED_IN"
    MEMBER_SIGN_IN_FAILED = "MEMBER_SIGN_IN_FAILED"
    MEMBER_SIGNED_OUT = "MEMBER_SIGNED_OUT"
    PASSWORD_RESET_REQUESTED = "PASSWORD_RESET_REQUESTED"  # noqa: S105 -- the name of a kind
    PASSWORD_RESET_LINK_MADE = "PASSWORD_RESET_LINK_MADE"  # noqa: S105
    PASSWORD_CHANGED = "PASSWORD_CHANGED"  # noqa: S105
    SECOND_FACTOR_ADDED = "SECOND_FACTOR_ADDED"
    SECOND_FACTOR_REMOVED = "SECOND_FACTOR_REMOVED"
    RECOVERY_CODES_MADE = "RECOVERY_CODES_MADE"
    RECOVERY_CODE_USED = "RECOVERY_CODE_USED"
    WEBHOOK_CREATED = "WEBHOOK_CREATED"
    WEBHOOK_REMOVED = "WEBHOOK_REMOVED"
    WEBHOOK_ROTATION_STARTED = "WEBHOOK_ROTATION_STARTED"
    WEBHOOK_ROTATION_FINISHED = "WEBHOOK_ROTATION_FINISHED"
    WEBHOOK_ROTATION_CANCELLED = "WEBHOOK_ROTATION_CANCELLED"
    STOREFRONT_CONNECTED = "STOREFRONT_CONNECTED"
    STOREFRONT_CHANGED = "STOREFRONT_CHANGED"
    STOREFRONT_DISCONNECTED = "STOREFRONT_DISCONNECTED"
    SUPPRESSIONS_LIFTED = "SUPPRESSIONS_LIFTED"
    CUSTOMER_ERASED = "CUSTOMER_ERASED"
    DRIVER_ERASED = "DRIVER_ERASED"
    ORGANIZATION_CREATED = "ORGANIZATION_CREATED"
    COMMAND_RUN = "COMMAND_RUN"
    """A command that changed something for which there is no kind of its own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestOrigin:
    """Who asks, from where, and by which command of the command line if by one."""

    principal: Principal
    address: str = ""
    user_agent: str = ""
    command: str = ""


class SecurityPrincipal(Model):
    """Who it was; of a failed sign-in, whose sign-in failed."""

    kind: PrincipalKind
    id: str | UnsetType = UNSET
    email: str | UnsetType = UNSET


class SecurityEventDetails(Model):
    """What else is known: the command, what it was done to, and how often; never a secret."""

    command: str | UnsetType = UNSET
    client_id: str | UnsetType = UNSET
    client_ids: str | UnsetType = UNSET
    """Of credentials that go on though the member whose address they carry may make none now."""

    scopes: str | UnsetType = UNSET
    driver_id: str | UnsetType = UNSET
    member_id: str | UnsetType = UNSET
    role: Role | UnsetType = UNSET
    session_id: str | UnsetType = UNSET
    webhook_id: str | UnsetType = UNSET
    storefront_id: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    factor: str | UnsetType = UNSET
    lifted: int | UnsetType = UNSET
    """How many recipients are written to again; which ones is not kept."""

    times: int | UnsetType = UNSET
    """How often it happened within the hour, where that was more than once."""

    last_at: datetime | UnsetType = UNSET


NO_DETAILS = SecurityEventDetails()


class SecurityEvent(Model):
    """Who did what to whom may do what, when and from where."""

    id: str
    kind: SecurityEventKind
    at: datetime
    principal: SecurityPrincipal
    address: str | UnsetType = UNSET
    user_agent: str | UnsetType = UNSET
    details: SecurityEventDetails | UnsetType = UNSET


def describe_principal(principal: Principal) -> SecurityPrincipal:
    """Return how a security event names somebody: a device as its driver."""
    named = principal.driver_id or principal.id
    return SecurityPrincipal(kind=principal.kind, id=named or UNSET, email=principal.email or UNSET)
