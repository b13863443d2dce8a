"""API clients, their secrets and the access tokens made with them; only hashes are kept.

A token hangs on the secret that made it, so removing a secret kills its tokens at once.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BigInteger, bindparam, delete, func, insert, select

from roundsman.domain.principal import ALL_SCOPES, Principal, Scope, api_client
from roundsman.storage.database import Database, Transaction
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import access_tokens, api_clients, as_micros, client_secrets

_CALLER_OF_TOKEN = Lookup(
    select(
        api_clients.c.organization_id,
        api_clients.c.id,
        api_clients.c.email,
        api_clients.c.scopes,
        access_tokens.c.scopes,
    )
    .join(client_secrets, client_secrets.c.client_id == api_clients.c.id)
    .join(access_tokens, access_tokens.c.secret_hash == client_secrets.c.secret_hash)
    .where(
        access_tokens.c.token_hash == bindparam("token_hash"),
        access_tokens.c.expires_at > bindparam("now", type_=BigInteger),
    )
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ClientRecord:
    """Who may sign in, and with how many secrets: two while they are rotated."""

    client_id: str
    email: str
    created_at: datetime
    live_secrets: int
    scopes: frozenset[Scope]


def add_client(tx: Transaction, caller: Principal, now: datetime) -> None:
    """Store a new API client."""
    tx.execute(
        insert(api_clients).values(
            id=caller.id,
            organization_id=caller.organization_id,
            email=caller.email,
            created_at=now,
            scopes=_join(caller.scopes),
        )
    )


def _join(scopes: frozenset[Scope]) -> str | None:
    return None if scopes == ALL_SCOPES else " ".join(sorted(scopes))


def _split(scopes: str | None) -> frozenset[Scope]:
    return ALL_SCOPES if scopes is None else frozenset(Scope(one) for one in scopes.split())


def find_client(tx: Transaction, client_id: str) -> Principal | None:
    """Return an API client."""
    row = tx.execute(select(api_clients).where(api_clients.c.id == client_id)).first()
    if row is None:
        return None
    return api_client(row.organization_id, row.id, row.email, _split(row.scopes))


def select_clients(tx: Transaction, organization_id: str) -> list[ClientRecord]:
    """Return an organization's API clients, oldest first."""
    found = (
        select(api_clients, func.count(client_secrets.c.secret_hash).label("secrets"))
        .outerjoin(client_secrets, client_secrets.c.client_id == api_clients.c.id)
        .where(api_clients.c.organization_id == organization_id)
        .group_by(api_clients.c.id)
        .order_by(api_clients.c.created_at, api_clients.c.id)
    )
    return [
        ClientRecord(
            client_id=row.id,
            email=row.email,
            created_at=row.created_at,
            live_secrets=row.secrets,
            scopes=_split(row.scopes),
        )
        for row in tx.execute(found)
    ]


def has_client(tx: Transaction, organization_id: str) -> bool:
    """Say whether an organization has any API client."""
    found = select(api_clients.c.id).where(api_clients.c.organization_id == organization_id)
    return tx.execute(found.limit(1)).first() is not None


def add_secret(tx: Transaction, client_id: str, secret_hash: bytes, now: datetime) -> None:
    """Let one more secret authenticate a client."""
    tx.execute(
        insert(client_secrets).values(client_id=client_id, secret_hash=secret_hash, created_at=now)
    )


def list_secrets(tx: Transaction, client_id: str) -> list[bytes]:
    """Return the hashes of a client's live secrets, oldest first."""
    return list(
        tx.execute(
            select(client_secrets.c.secret_hash)
            .where(client_secrets.c.client_id == client_id)
            .order_by(client_secrets.c.created_at)
        ).scalars()
    )


def remove_secret(tx: Transaction, secret_hash: bytes) -> None:
    """Remove a secret, and with it every token that it made."""
    tx.execute(delete(client_secrets).where(client_secrets.c.secret_hash == secret_hash))


def add_token(
    tx: Transaction,
    token_hash: bytes,
    secret_hash: bytes,
    expires_at: datetime,
    scopes: frozenset[Scope] | None = None,
) -> None:
    """Store an access token, which may do what its client may, or less."""
    tx.execute(
        insert(access_tokens).values(
            token_hash=token_hash,
            secret_hash=secret_hash,
            expires_at=expires_at,
            scopes=None if scopes is None else _join(scopes),
        )
    )


def remove_token(tx: Transaction, token_hash: bytes) -> None:
    """Forget an access token, which ends it at once."""
    tx.execute(delete(access_tokens).where(access_tokens.c.token_hash == token_hash))


def remove_expired_tokens(tx: Transaction, now: datetime) -> int:
    """Forget tokens that can no longer be used; return how many."""
    return tx.execute(delete(access_tokens).where(access_tokens.c.expires_at <= now)).rowcount


def find_caller(database: Database, token_hash: bytes, now: datetime) -> Principal | None:
    """Return whose live token this is."""
    row = database.look_up(_CALLER_OF_TOKEN, token_hash=token_hash, now=as_micros(now))
    if row is None:
        return None
    organization_id, client_id, email, scopes, scopes_of_token = row
    allowed = _split(scopes) & _split(scopes_of_token)
    return api_client(organization_id, client_id, email, allowed)


def count_clients(tx: Transaction, organization_id: str) -> int:
    """Return how many API clients an organization has."""
    return tx.execute(
        select(func.count())
        .select_from(api_clients)
        .where(api_clients.c.organization_id == organization_id)
    ).scalar_one()
