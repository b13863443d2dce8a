"""Who asks: one type for everybody, whatever they come with (decisions §13)."""

from collections.abc import Mapping
from enum import StrEnum

from roundsman.domain.errors import NotAllowed
from roundsman.domain.model import Model


class Scope(StrEnum):
    """What credentials may be allowed; a role is a set of them."""

    READ = "READ"
    WRITE = "WRITE"
    DISPATCH = "DISPATCH"
    SETTINGS = "SETTINGS"


ALL_SCOPES = frozenset(Scope)

SCOPE_MEANINGS: Mapping[Scope, str] = {
    Scope.READ: "Every GET that names no other scope.",
    Scope.WRITE: "Change stops, routes and store orders.",
    Scope.DISPATCH: "Make routes ready, dispatch and undispatch them.",
    Scope.SETTINGS: "Change vehicles, drivers, webhooks and members; read security events.",
}


class Role(StrEnum):
    """What a member is to an organization (decisions §13)."""

    OWNER = "OWNER"
    PLANNER = "PLANNER"
    VIEWER = "VIEWER"


SCOPES_OF_ROLE: Mapping[Role, frozenset[Scope]] = {
    Role.OWNER: ALL_SCOPES,
    Role.PLANNER: ALL_SCOPES - {Scope.SETTINGS},
    Role.VIEWER: frozenset({Scope.READ}),
}


class PrincipalKind(StrEnum):
    """What somebody comes with."""

    API_CLIENT = "API_CLIENT"
    MEMBER = "MEMBER"
    DRIVER_DEVICE = "DRIVER_DEVICE"
    LINK_HOLDER = "LINK_HOLDER"
    STOREFRONT = "STOREFRONT"
    OPERATOR = "OPERATOR"


class Principal(Model):
    """Somebody who acts for one organization; made only where what they come with is checked."""

    kind: PrincipalKind
    organization_id: str
    id: str = ""
    """Of the API client, the member, or the driver's session."""

    email: str = ""
    """As whom events name an API client, a member or an operator, where it is known."""

    driver_id: str = ""
    session_id: str = ""
    """Of a member's browser."""

    role: Role | None = None
    """Of a member."""

    scopes: frozenset[Scope] = frozenset()

    def require(self, scope: Scope) -> None:
        """Refuse who may not do what takes a scope, naming it, or the role that has it."""
        if scope in self.scopes:
            return
        if self.role is None:
            raise NotAllowed(f"scope {scope} is missing")
        able = " or ".join(role for role, scopes in SCOPES_OF_ROLE.items() if scope in scopes)
        raise NotAllowed(f"role {able} is missing: {self.role} does not have scope {scope}")

    def require_to_give(self, field: str, given: frozenset[Scope]) -> None:
        """Refuse to give somebody a scope that the giver does not have, naming the field."""
        missing = [scope for scope in Scope if scope in given - self.scopes]
        if missing:
            are = "scope {} is" if len(missing) == 1 else "scopes {} are"
            raise NotAllowed(
                f"{field} gives more than you have: {are.format(', '.join(missing))} missing"
            )


def api_client(
    organization_id: str, client_id: str, email: str, scopes: frozenset[Scope] = ALL_SCOPES
) -> Principal:
    """Return the holder of an access token; `email` is the developer contact."""
    return Principal(
        kind=PrincipalKind.API_CLIENT,
        organization_id=organization_id,
        id=client_id,
        email=email,
        scopes=scopes,
    )


def member(
    organization_id: str, member_id: str, email: str, role: Role, session_id: str = ""
) -> Principal:
    """Return a member who is signed in in a browser; the role says what they may do."""
    return Principal(
        kind=PrincipalKind.MEMBER,
        organization_id=organization_id,
        id=member_id,
        email=email,
        session_id=session_id,
        role=role,
        scopes=SCOPES_OF_ROLE[role],
    )


def driver_device(organization_id: str, session_id: str, driver_id: str) -> Principal:
    """Return a driver on one signed-in device."""
    return Principal(
        kind=PrincipalKind.DRIVER_DEVICE,
        organization_id=organization_id,
        id=session_id,
        driver_id=driver_id,
    )


def link_holder(organization_id: str) -> Principal:
    """Return whoever holds a link of the organization: an invite, or a customer's."""
    return Principal(kind=PrincipalKind.LINK_HOLDER, organization_id=organization_id)


def connected_shop(organization_id: str, storefront_id: str) -> Principal:
    """Return a shop, for whose sake its orders are kept and stops follow them."""
    return Principal(
        kind=PrincipalKind.STOREFRONT, organization_id=organization_id, id=storefront_id
    )


def operator(organization_id: str, email: str = "") -> Principal:
    """Return who runs the installation, or the installation itself, acting for an organization."""
    return Principal(
        kind=PrincipalKind.OPERATOR,
        organization_id=organization_id,
        email=email,
        scopes=ALL_SCOPES,
    )
