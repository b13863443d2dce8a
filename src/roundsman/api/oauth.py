"""The token endpoint of OAuth 2.0: the client credentials grant (RFC 6749, section 4.4).

Its tokens are those of `/authenticate`, and guesses at either are counted together (decisions §22).
"""

import base64
import binascii
import re
from dataclasses import dataclass

import msgspec
from starlette.responses import Response

from roundsman.domain.errors import (
    InvalidArgument,
    PermissionDenied,
    ResourceExhausted,
    RoundsmanError,
    Unavailable,
)
from roundsman.domain.principal import Scope
from roundsman.endpoints.access import Anybody, HttpRequest
from roundsman.endpoints.bodies import require_media_type
from roundsman.endpoints.errors import (
    PayloadTooLarge,
    UnsupportedMediaType,
    error_response,
    json_response,
)
from roundsman.endpoints.operation import Answer, Operations
from roundsman.endpoints.schemas import Schema, Schemas
from roundsman.operations import api_clients
from roundsman.operations.api_clients import ScopeNotGranted
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import OAuthError, OAuthToken
from roundsman.wire.form import FORM, decode_form_value, read_form

OPERATIONS = Operations("Authentication", Anybody())

TOKEN_PATH = "/oauth/token"  # noqa: S105 -- a path
_GRANT = "client_credentials"
_NO_CACHE = {"Pragma": "no-cache"}
_CHALLENGE = {"WWW-Authenticate": 'Basic realm="Roundsman", charset="UTF-8"'}
_VISIBLE = re.compile(r"[ -~]+")
_UNWANTED = re.compile(r"[^ !#-\[\]-~]")
"""What a description may not hold (RFC 6749, section 5.2)."""


class _Refused(RoundsmanError):
    """A request that the standard has a word for."""

    code = InvalidArgument.code

    def __init__(self, error: str, description: str) -> None:
        super().__init__(description)
        self.error = error


@dataclass(frozen=True, kw_only=True, slots=True)
class _Credentials:
    client_id: str
    secret: str = ""


def _describe_form(_schemas: Schemas) -> dict[str, Schema]:
    one = "|".join(scope.lower() for scope in Scope)
    visible = {"type": "string", "pattern": "^[ -~]*$"}
    properties = {
        "grant_type": {"type": "string", "const": _GRANT},
        "scope": {
            "type": "string",
            "pattern": f"^(({one})( ({one}))*)?$",
            "description": "Scopes separated by spaces; without it all that the credentials have.",
            "examples": ["read write"],
        },
        "client_id": {**visible, "description": "Where HTTP Basic is not used."},
        "client_secret": {**visible, "description": "Where HTTP Basic is not used."},
    }
    schema = {"type": "object", "properties": properties, "required": ["grant_type"]}
    return {FORM: {"schema": schema}}


def _show_error(http: HttpRequest, error: RoundsmanError) -> Response:
    """Return an error as the standard has it, or as usual where it has none."""
    match error:
        case PayloadTooLarge() | UnsupportedMediaType():
            return error_response(error)
        case _Refused(error=name):
            return _refuse(http, name, error.message)
        case ScopeNotGranted():
            return _refuse(http, "invalid_scope", error.message)
        case PermissionDenied():
            return _refuse(http, "invalid_client", error.message)
        case InvalidArgument():
            return _refuse(http, "invalid_request", error.message)
        case ResourceExhausted() | Unavailable():
            return _add_error(error_response(error), error.message)
        case _:
            return error_response(error)


def _refuse(http: HttpRequest, name: str, description: str) -> Response:
    body = OAuthError(error=name, error_description=_UNWANTED.sub("?", description))
    headers = dict(_NO_CACHE)
    if name == "invalid_client" and "authorization" in http.headers:
        headers |= _CHALLENGE
    return json_response(body, 401 if name == "invalid_client" else 400, headers)


def _add_error(usual: Response, description: str) -> Response:
    """Add to a usual error what a client that knows the standard alone looks for."""
    body: dict[str, object] = msgspec.json.decode(usual.body)
    body |= {"error": "temporarily_unavailable", "error_description": description}
    kept = {name: usual.headers[name] for name in ("Retry-After",) if name in usual.headers}
    return json_response(body, usual.status_code, kept)


@OPERATIONS.add(
    "POST",
    TOKEN_PATH,
    summary="Exchange credentials for an access token by OAuth 2.0's client credentials grant",
    answer=Answer(
        OAuthToken,
        headers=lambda _token: _NO_CACHE,
        described_headers={"Pragma": "The answer is for nobody's cache."},
    ),
    describe_body=_describe_form,
    ignores_query=True,
    refusal=OAuthError,
    show_error=_show_error,
)
def issue_token(tools: Tools, request: Request, http: HttpRequest) -> OAuthToken:
    """Get an access token as OAuth 2.0 has it (RFC 6749, section 4.4); a smaller scope may be asked
    for. Its errors have the form of the RFC.
    """
    if http.body:
        require_media_type(http.headers, FORM)
    form = read_form(http.body)
    given = form.get("grant_type")
    if given is None:
        raise _Refused("invalid_request", f"grant_type is missing; send {_GRANT}")
    if given != _GRANT:
        raise _Refused("unsupported_grant_type", f"grant_type must be {_GRANT}")
    sent = _credentials(http, form)
    asked = _scopes(form["scope"]) if "scope" in form else None
    token = api_clients.sign_in_client(tools, request, sent.client_id, sent.secret, asked)
    return OAuthToken(
        access_token=token.text,
        expires_in=int(token.lifetime.total_seconds()),
        scope=" ".join(scope.lower() for scope in Scope if scope in token.scopes),
    )


def _credentials(http: HttpRequest, form: dict[str, str]) -> _Credentials:
    """Return who asks, by exactly one of the two ways (RFC 6749, section 2.3.1)."""
    in_form = _Credentials(
        client_id=form.get("client_id", ""), secret=form.get("client_secret", "")
    )
    authorization = http.headers.get("authorization")
    sent = in_form if authorization is None else _basic(authorization)
    if authorization is not None and in_form.secret:
        raise _Refused("invalid_request", "the secret comes by HTTP Basic or in the form, not both")
    if in_form.client_id not in {"", sent.client_id}:
        raise _Refused("invalid_request", "client_id differs from the one of HTTP Basic")
    if not sent.client_id or not sent.secret:
        message = "send client ID and secret by HTTP Basic, or as client_id and client_secret"
        raise _Refused("invalid_client", message)
    if not _VISIBLE.fullmatch(sent.client_id) or not _VISIBLE.fullmatch(sent.secret):
        raise _Refused("invalid_request", "client ID and secret hold visible ASCII characters only")
    return sent


def _basic(authorization: str) -> _Credentials:
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        raise _Refused("invalid_client", "Authorization must be Basic here")
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode()
        client_id, _, secret = text.partition(":")
        return _Credentials(
            client_id=decode_form_value(client_id), secret=decode_form_value(secret)
        )
    except (binascii.Error, UnicodeDecodeError):
        message = "Authorization must be Basic and base64 of client ID, colon, secret"
        raise _Refused("invalid_client", message) from None


def _scopes(text: str) -> frozenset[Scope]:
    names = text.split(" ")
    known = {scope.lower(): scope for scope in Scope}
    if not all(name in known for name in names):
        allowed = " ".join(known)
        raise _Refused("invalid_scope", f"scope holds some of {allowed}, separated by one space")
    return frozenset(known[name] for name in names)
