"""Who asks: one type for everybody, whatever they come with (decisions §13)."""

from collections.abc import Mapping
from enum import StrEnum

from roundsman.domain.errors import NotAllowed
from roundsman.domain.noun import Noun


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
    Scope.SETTINGS: "Change vehicles, drivers and webhooks; read security events.",
}


class PrincipalKind(StrEnum):
    """What somebody comes with."""

    API_CLIENT = "API_CLIENT"
    DRIVER_DEVICE = "DRIVER_DEVICE"
    LINK_HOLDER = "LINK_HOLDER"
    OPERATOR = "OPERATOR"


class Principal(Noun):
    """Somebody who acts for one organization; made only where what they come with is checked."""

    kind: PrincipalKind
    organization_id: str
    id: str = ""
    """Of the API client, or of the driver's session."""

    email: str = ""
    """As whom events name an API client or an operator, where it is known."""

    driver_id: str = ""
    scopes: frozenset[Scope] = frozenset()

    def require(self, scope: Scope) -> None:
        """Refuse who may not do what takes a scope."""
        if scope not in self.scopes:
            raise NotAllowed(f"scope {scope} is missing")


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


def operator(organization_id: str, email: str = "") -> Principal:
    """Return who runs the installation, or the installation itself, acting for an organization."""
    return Principal(
        kind=PrincipalKind.OPERATOR,
        organization_id=organization_id,
        email=email,
        scopes=ALL_SCOPES,
    )
