"""API clients, their secrets and access tokens (decisions §3)."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from roundsman.domain.api_client import CredentialsDraft, ListedCredentials, NewCredentials
from roundsman.domain.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
)
from roundsman.domain.member import email_key
from roundsman.domain.principal import ALL_SCOPES, Principal, Scope, api_client
from roundsman.domain.security_event import (
    SecurityEventDetails,
    SecurityEventKind,
)
from roundsman.kit.secrets import ACCESS_TOKEN, CLIENT_SECRET, hash_secret, new_secret
from roundsman.operations.organizations import Registrar, require_organization
from roundsman.operations.request import Request
from roundsman.operations.security_events import record_hourly
from roundsman.operations.sign_in_failures import FailedSignIn
from roundsman.operations.sign_in_limits import SignInLimits
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage import api_clients
from roundsman.storage.api_clients import ClientRecord
from roundsman.storage.database import Database, Transaction
from roundsman.storage.organizations import find_organization
from roundsman.storage.tables import as_micros

TOKEN_LIFETIME = timedelta(seconds=3600)
"""Specification, Limits: access token lifetime."""

_MOST_LIVE_SECRETS = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Credentials:
    """What an integrator signs in with; the secret is shown this once."""

    organization_id: str
    client_id: str
    client_secret: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AccessToken:
    """A fresh token and what it is good for."""

    text: str
    organization_id: str
    lifetime: timedelta
    scopes: frozenset[Scope]


class ScopeNotGranted(InvalidArgument):
    """A token was asked for that may do more than its credentials."""


def list_clients(database: Database, organization_id: str) -> list[ClientRecord]:
    """Return an organization's API clients, oldest first; raise NotFound when there is none."""
    require_organization(database, organization_id)
    with database.reading() as tx:
        return api_clients.select_clients(tx, organization_id)


def create_credentials(
    registrar: Registrar,
    organization_id: str,
    email: str,
    scopes: frozenset[Scope] = ALL_SCOPES,
) -> Credentials:
    """Make an API client that may do what its scopes allow, with its first secret."""
    client_id = registrar.ids.random_bytes(16).hex()
    secret = new_secret(registrar.ids, CLIENT_SECRET)
    now = registrar.clock.now()
    with registrar.database.writing() as tx:
        if find_organization(tx, organization_id) is None:
            raise NotFound(f'organization "{organization_id}" not found')
        caller = api_client(organization_id, client_id, email, scopes)
        api_clients.add_client(tx, caller, now)
        api_clients.add_secret(tx, client_id, hash_secret(secret), now)
        details = SecurityEventDetails(
            client_id=client_id,
            email=email,
            scopes=" ".join(scope for scope in Scope if scope in scopes),
        )
        registrar.record(tx, organization_id, SecurityEventKind.CREDENTIALS_CREATED, details)
    return Credentials(organization_id=organization_id, client_id=client_id, client_secret=secret)


def rotate_secret(registrar: Registrar, client_id: str) -> Credentials:
    """Add a second secret; until the rotation is finished or cancelled both authenticate."""
    secret = new_secret(registrar.ids, CLIENT_SECRET)
    now = registrar.clock.now()
    with registrar.database.writing() as tx:
        caller = api_clients.find_client(tx, client_id)
        secrets = api_clients.list_secrets(tx, client_id)
        if caller is None or not secrets:  # as in _end_rotation
            raise NotFound(f'client "{client_id}" not found')
        if len(secrets) >= _MOST_LIVE_SECRETS:
            raise FailedPrecondition("a rotation is under way; finish or cancel it first")
        api_clients.add_secret(tx, client_id, hash_secret(secret), now)
        details = SecurityEventDetails(client_id=client_id)
        kind = SecurityEventKind.CREDENTIALS_ROTATION_STARTED
        registrar.record(tx, caller.organization_id, kind, details)
    return Credentials(
        organization_id=caller.organization_id, client_id=client_id, client_secret=secret
    )


def finish_rotation(registrar: Registrar, client_id: str) -> None:
    """Disable the old secret and its tokens."""
    kind = SecurityEventKind.CREDENTIALS_ROTATION_FINISHED
    _end_rotation(registrar, client_id, kind, removed=0)


def cancel_rotation(registrar: Registrar, client_id: str) -> None:
    """Disable the new secret and its tokens."""
    kind = SecurityEventKind.CREDENTIALS_ROTATION_CANCELLED
    _end_rotation(registrar, client_id, kind, removed=1)


def _end_rotation(
    registrar: Registrar, client_id: str, kind: SecurityEventKind, *, removed: int
) -> None:
    with registrar.database.writing() as tx:
        caller = api_clients.find_client(tx, client_id)
        secrets = api_clients.list_secrets(tx, client_id)
        if caller is None or not secrets:  # those that are deleted have none
            raise NotFound(f'client "{client_id}" not found')
        if len(secrets) < _MOST_LIVE_SECRETS:
            raise FailedPrecondition("no rotation is under way")
        api_clients.remove_secret(tx, secrets[removed])
        details = SecurityEventDetails(client_id=client_id)
        registrar.record(tx, caller.organization_id, kind, details)


def sign_in_client(
    tools: Tools,
    request: Request,
    client_id: str,
    client_secret: str,
    asked: frozenset[Scope] | None = None,
) -> AccessToken:
    """Exchange credentials for a token with the scopes that are asked for, or all there are.

    Whoever has failed too often is refused before the secret is looked at (decisions §3).
    """
    limits = SignInLimits(tools.buckets)
    now = tools.clock.now()
    limits.check(request.address, client_id, as_micros(now))
    try:
        caller, secret = _check_secret(tools, client_id, client_secret)
    except PermissionDenied:
        limits.count_failure(request.address, client_id, as_micros(now))
        tools.failures.note(
            FailedSignIn(
                kind=SecurityEventKind.CLIENT_SIGN_IN_FAILED,
                claimed=client_id,
                find=partial(_find_principals, client_id),
                at=now,
                address=request.address,
                user_agent=request.user_agent,
            )
        )
        raise
    token = _issue_token(tools, replace(request, principal=caller), secret, asked)
    limits.count_success(request.address, client_id, as_micros(now))
    return token


def _check_secret(tools: Tools, client_id: str, client_secret: str) -> tuple[Principal, bytes]:
    """Return whose secret this is, and its hash; messages as the specification has them."""
    if not client_id:
        raise InvalidArgument("missing client_id")
    if not client_secret:
        raise InvalidArgument("missing client_secret")
    given = hash_secret(client_secret)
    with tools.database.reading() as tx:
        caller = api_clients.find_client(tx, client_id)
        secrets = api_clients.list_secrets(tx, client_id)
    # Every comparison runs, so that time tells nothing about which secret came close.
    matches = [hmac.compare_digest(given, kept) for kept in secrets]
    if caller is None or not any(matches):
        raise PermissionDenied("failed to authenticate client")
    return caller, given


def _issue_token(
    tools: Tools, request: Request, secret: bytes, asked: frozenset[Scope] | None
) -> AccessToken:
    caller = request.principal
    if asked is not None and not asked <= caller.scopes:
        raise ScopeNotGranted("these credentials do not have every scope that is asked for")
    token = new_secret(tools.ids, ACCESS_TOKEN)
    now = tools.clock.now()
    with tools.database.writing() as tx:
        api_clients.remove_expired_tokens(tx, now)
        api_clients.add_token(tx, hash_secret(token), secret, now + TOKEN_LIFETIME, asked)
        record_hourly(tx, request.origin(), SecurityEventKind.CLIENT_SIGNED_IN, now)
    return AccessToken(
        text=token,
        organization_id=caller.organization_id,
        lifetime=TOKEN_LIFETIME,
        scopes=caller.scopes if asked is None else asked,
    )


def _find_principals(client_id: str, tx: Transaction) -> Sequence[Principal]:
    caller = api_clients.find_client(tx, client_id)
    return () if caller is None else (caller,)


def identify_client(tools: Tools, token: str) -> Principal | None:
    """Return whose live token this is; it is looked up each time, so that revoking ends it."""
    return api_clients.find_caller(tools.database, hash_secret(token), tools.clock.now())


def sign_out(tools: Tools, request: Request, token: str) -> None:
    """End an access token at once."""
    with begin_work(tools, request) as work:
        api_clients.remove_token(work.tx, hash_secret(token))
        work.record_security(SecurityEventKind.CLIENT_SIGNED_OUT)
        work.done(None)


def list_credentials(tools: Tools, request: Request) -> tuple[ListedCredentials, ...]:
    """Return the credentials that have a secret, oldest first."""
    with tools.database.reading() as tx:
        return _list_live(tx, request)


def list_credentials_of(
    tx: Transaction, request: Request, email: str
) -> tuple[ListedCredentials, ...]:
    """Return the credentials that carry a person's address: they get that of who makes them."""
    key = email_key(email)
    return tuple(one for one in _list_live(tx, request) if email_key(one.email) == key)


def _list_live(tx: Transaction, request: Request) -> tuple[ListedCredentials, ...]:
    return tuple(
        ListedCredentials(
            id=one.client_id,
            email=one.email,
            scopes=_in_order(one.scopes),
            created_at=one.created_at,
            current=one.client_id == request.principal.id,
        )
        for one in api_clients.select_clients(tx, request.organization_id)
        if one.live_secrets
    )


def create_credentials_of_owner(
    tools: Tools, request: Request, draft: CredentialsDraft
) -> NewCredentials:
    """Make credentials that may do no more than who makes them; the secret is kept as a hash."""
    scopes = frozenset(draft.scopes) or request.principal.scopes
    request.principal.require_to_give("scopes", scopes)
    secret = new_secret(tools.ids, CLIENT_SECRET)
    with begin_work(tools, request) as work:
        client_id = work.ids.random_bytes(16).hex()
        email = request.principal.email
        client = api_client(work.organization_id, client_id, email, scopes)
        api_clients.add_client(work.tx, client, work.now)
        api_clients.add_secret(work.tx, client_id, hash_secret(secret), work.now)
        work.record_security(
            SecurityEventKind.CREDENTIALS_CREATED,
            SecurityEventDetails(
                client_id=client_id, email=email, scopes=" ".join(_in_order(scopes))
            ),
        )
        return work.done(
            NewCredentials(client_id=client_id, client_secret=secret, scopes=_in_order(scopes))
        )


def delete_credentials(tools: Tools, request: Request, client_id: str) -> None:
    """End the secrets and tokens of credentials; raise NotFound for those of nobody here."""
    with begin_work(tools, request) as work:
        known = api_clients.find_client(work.tx, client_id)
        secrets = api_clients.list_secrets(work.tx, client_id)
        if known is None or known.organization_id != work.organization_id or not secrets:
            raise NotFound("credentials not found")
        for secret in secrets:
            api_clients.remove_secret(work.tx, secret)
        details = SecurityEventDetails(client_id=client_id)
        work.record_security(SecurityEventKind.CREDENTIALS_DELETED, details)
        work.done(None)


def delete_client(registrar: Registrar, client_id: str) -> None:
    """End a client's secrets and tokens, as whoever runs the installation."""
    with registrar.database.writing() as tx:
        known = api_clients.find_client(tx, client_id)
        secrets = api_clients.list_secrets(tx, client_id)
        if known is None or not secrets:
            raise NotFound(f'client "{client_id}" not found')
        for secret in secrets:
            api_clients.remove_secret(tx, secret)
        details = SecurityEventDetails(client_id=client_id)
        kind = SecurityEventKind.CREDENTIALS_DELETED
        registrar.record(tx, known.organization_id, kind, details)


def _in_order(scopes: frozenset[Scope]) -> tuple[Scope, ...]:
    return tuple(scope for scope in Scope if scope in scopes)
