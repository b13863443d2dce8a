"""The organization that a token belongs to, at the door."""

from roundsman.domain.principal import Scope
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations
from roundsman.operations import organizations
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import OrganizationAnswer

OPERATIONS = Operations("Authentication", ApiClient(), Scope.SETTINGS)


@OPERATIONS.add(
    "GET", "/organization", summary="Get the name and the time zone of the organization that asks"
)
def get_organization(tools: Tools, request: Request) -> OrganizationAnswer:
    organization = organizations.get_organization(tools.database, request.organization_id)
    return OrganizationAnswer(
        id=organization.id, name=organization.name, timezone=organization.timezone
    )
