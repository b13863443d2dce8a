"""The organization that a token belongs to, at the door: its settings and its logo."""

from roundsman.domain.principal import Scope
from roundsman.endpoints.access import ApiClient, HttpRequest
from roundsman.endpoints.operation import Answer, Operations, Pool
from roundsman.operations import organizations
from roundsman.operations.organizations import MOST_LOGO_BYTES, OrganizationView
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import (
    ORGANIZATION_UPDATE,
    OrganizationAnswer,
    encode_organization,
)
from roundsman.wire.field_mask import Changes

OPERATIONS = Operations("Authentication", ApiClient(), Scope.SETTINGS)


def _encode(view: OrganizationView) -> bytes:
    return encode_organization(view.organization, view.logo_url)


_ORGANIZATION = Answer(OrganizationAnswer, _encode)


@OPERATIONS.add(
    "GET",
    "/organization",
    summary="Get the organization that asks: its name, its time zone and its settings",
    answer=_ORGANIZATION,
)
def get_organization(tools: Tools, request: Request) -> OrganizationView:
    """See whom the token speaks for, and the organization's settings. A good first call to check
    credentials.
    """
    return organizations.view_organization(tools, request.organization_id)


@OPERATIONS.add(
    "PATCH",
    "/organization",
    summary="Change the settings of the organization that the mask names",
    update=ORGANIZATION_UPDATE,
    answer=_ORGANIZATION,
)
def update_organization(tools: Tools, request: Request, body: Changes) -> OrganizationView:
    """Change settings of the organization; the mask says which. Customers' pages and drivers' apps
    show the new ones at once.
    """
    return organizations.change_organization(tools, request, body.values)


# The same picture again is the same logo again, so a key would add nothing.
@OPERATIONS.add(
    "PUT",
    "/organization/logo",
    summary="Put a JPEG or PNG on the organization's pages as its logo",
    answer=_ORGANIZATION,
    pool=Pool.UPLOAD,
    notices_departure=True,
    keeps_answers=False,
    most_body_bytes=MOST_LOGO_BYTES,
    describe_body=lambda _schemas: {"application/octet-stream": {"schema": {}}},
)
def put_organization_logo(tools: Tools, http: HttpRequest, request: Request) -> OrganizationView:
    """Set the picture that customers see on their pages; PNG or JPEG of up to a mebibyte. What is
    no picture is refused.
    """
    return organizations.put_logo(tools, request, http.body, http.has_left)


@OPERATIONS.add(
    "DELETE",
    "/organization/logo",
    summary="Take the logo off the organization's pages",
    answer=_ORGANIZATION,
)
def remove_organization_logo(tools: Tools, request: Request) -> OrganizationView:
    """Show no picture on customers' pages any more. Without one nothing happens."""
    return organizations.delete_logo(tools, request)
