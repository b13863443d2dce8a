"""Who asks on the command line: the operator, who is no API client and may do everything."""

from roundsman.cli.running_command import running_command
from roundsman.domain.principal import operator
from roundsman.operations.organizations import require_organization
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools


def operator_request(tools: Tools, slug: str) -> Request:
    """Return the request of the command that is running, for an organization that exists."""
    require_organization(tools.database, slug)
    return Request(principal=operator(slug), command=running_command())
