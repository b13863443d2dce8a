"""Exchanging credentials, and telling who holds a token."""

from roundsman.api.operation import Call, Operation, answer_nothing
from roundsman.domain.caller import Caller
from roundsman.domain.errors import InvalidArgument, Unauthenticated
from roundsman.operations import identity
from roundsman.wire.json_text import parse_json
from roundsman.wire.v2024_07.answers import AuthenticateAnswer, Nothing
from roundsman.wire.v2024_07.requests import AuthenticateBody, EmptyBody

NOBODY = Caller(organization_id="", client_id="", email="")
"""Who calls a public operation: an organization that has nothing."""


def read_token(authorization: str | None) -> str:
    """Return the token of an Authorization header."""
    if authorization is None:
        raise Unauthenticated("access token is missing; send Authorization: Bearer <ACCESS_TOKEN>")
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("Authorization must be Bearer <ACCESS_TOKEN>")
    return token.strip()


def claimed_client(body: bytes) -> str:
    """Return which client a body says to be, if it says so in a string."""
    try:
        content = parse_json(body)
    except InvalidArgument:
        return ""
    claimed = content.get("clientId") if isinstance(content, dict) else None
    return claimed if isinstance(claimed, str) else ""


def _authenticate(call: Call) -> AuthenticateAnswer:
    registrar = identity.Registrar(
        database=call.tools.database, clock=call.tools.clock, ids=call.tools.ids
    )
    token = identity.authenticate(registrar, call.body.client_id, call.body.client_secret)
    return AuthenticateAnswer(
        access_token=token.text,
        expires_in_seconds=str(int(token.lifetime.total_seconds())),
        organization=token.organization_id,
    )


def _sign_out(call: Call) -> None:
    identity.sign_out(call.tools, call.request, call.token)


OPERATIONS = (
    Operation(
        id="authenticate",
        method="POST",
        path="/authenticate",
        summary="Exchange a client ID and a secret for an access token",
        tag="Authentication",
        handle=_authenticate,
        body=AuthenticateBody,
        answer=AuthenticateAnswer,
        is_public=True,
    ),
    Operation(
        id="signOut",
        method="POST",
        path="/sign-out",
        summary="End the access token that the request comes with, at once",
        tag="Authentication",
        handle=_sign_out,
        body=EmptyBody,
        body_may_be_absent=True,
        answer=Nothing,
        render=answer_nothing,
    ),
)
