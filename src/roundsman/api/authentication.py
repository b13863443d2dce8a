"""Exchanging credentials, and telling who holds a token."""

from roundsman.endpoints.access import Anybody, ApiClient, HttpRequest, access_token_of
from roundsman.endpoints.operation import Operations
from roundsman.operations import api_clients
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import AuthenticateAnswer, AuthenticateBody, EmptyBody

OPERATIONS = Operations("Authentication", ApiClient())


@OPERATIONS.add(
    "POST",
    "/authenticate",
    summary="Exchange a client ID and a secret for an access token",
    access=Anybody(),
)
def authenticate(tools: Tools, request: Request, body: AuthenticateBody) -> AuthenticateAnswer:
    """Exchange client ID and secret for an access token, which lasts an hour. Wrong ones are
    refused with 401, and who guesses too often with 429.
    """
    token = api_clients.sign_in_client(tools, request, body.client_id, body.client_secret)
    return AuthenticateAnswer(
        access_token=token.text,
        expires_in_seconds=str(int(token.lifetime.total_seconds())),
        organization=token.organization_id,
    )


@OPERATIONS.add(
    "POST",
    "/sign-out",
    summary="End the access token that the request comes with, at once",
    body_may_be_absent=True,
)
def sign_out(tools: Tools, request: Request, http: HttpRequest, body: EmptyBody) -> None:
    """End the access token that the request carries, at once. Ask when a program is done, or a
    token may have leaked.
    """
    del body
    api_clients.sign_out(tools, request, access_token_of(http))
