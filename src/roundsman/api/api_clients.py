"""API credentials at the door."""

from roundsman.domain.api_client import CredentialsDraft, NewCredentials
from roundsman.domain.principal import Scope
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations
from roundsman.operations import api_clients
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import CredentialsAnswer

OPERATIONS = Operations("Credentials", ApiClient(), Scope.SETTINGS)


@OPERATIONS.add(
    "GET",
    "/credentials",
    scope=Scope.SETTINGS,
    summary="List the credentials that programs sign in with, oldest first",
)
def list_credentials(tools: Tools, request: Request) -> CredentialsAnswer:
    """See which API clients there are and what each may do; secrets are not shown."""
    return CredentialsAnswer(credentials=api_clients.list_credentials(tools, request))


@OPERATIONS.add(
    "POST",
    "/credentials",
    summary="Make credentials for a program; the secret is answered this once",
    body_may_be_absent=True,
    keeps_answers=False,
)
def create_credentials(tools: Tools, request: Request, body: CredentialsDraft) -> NewCredentials:
    """Make another API client; its secret is answered this once, and no Idempotency-Key is heeded,
    for an answer that is kept would keep it. After a lost answer take those credentials back.
    """
    return api_clients.create_credentials_of_owner(tools, request, body)


@OPERATIONS.add(
    "DELETE",
    "/credentials/{clientId}",
    summary="Take credentials back: their secrets and tokens end at once",
)
def delete_credentials(tools: Tools, request: Request, client_id: str) -> None:
    """End an API client for good, with all its tokens."""
    api_clients.delete_credentials(tools, request, client_id)
