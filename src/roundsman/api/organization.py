"""The organization that a token belongs to, at the door."""

from roundsman.api.operation import Call, Operation
from roundsman.operations.identity import get_organization
from roundsman.wire.v2024_07.answers import OrganizationAnswer


def _get_organization(call: Call) -> OrganizationAnswer:
    organization = get_organization(call.tools.database, call.organization_id)
    return OrganizationAnswer(
        id=organization.id, name=organization.name, timezone=organization.timezone
    )


OPERATIONS = (
    Operation(
        id="getOrganization",
        method="GET",
        path="/organization",
        summary="Get the name and the time zone of the organization that asks",
        tag="Authentication",
        handle=_get_organization,
        answer=OrganizationAnswer,
    ),
)
