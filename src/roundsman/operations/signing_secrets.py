"""The secret that an organization's events are signed with, and its rotation.

While it is rotated, `webhook-signature` holds a signature of each secret, and
`X-Service-Hmac-Sha256`, which has room for one, stays with the secret that receivers know.
"""

from dataclasses import dataclass

from roundsman.domain.errors import FailedPrecondition, NotFound
from roundsman.domain.security_event import SecurityEventKind
from roundsman.kit.secrets import new_signing_secret
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import organizations as stored
from roundsman.storage.database import Transaction
from roundsman.storage.sealed_columns import WEBHOOK_SECRET, sealing_purpose


@dataclass(frozen=True, kw_only=True, slots=True)
class SigningSecrets:
    """What events are signed with; `following` is there while a rotation is under way."""

    current: str
    following: str | None


def read_secrets(tools: Tools, organization_id: str) -> SigningSecrets:
    """Return what an organization's events are signed with."""
    with tools.database.reading() as tx:
        return _load(tools, tx, organization_id)


def rotate_signing_secret(tools: Tools, request: Request) -> SigningSecrets:
    """Add a second secret, to be made known to receivers before the rotation is finished."""
    with begin_work(tools, request) as work:
        secrets = _load(tools, work.tx, work.organization_id)
        if secrets.following is not None:
            raise FailedPrecondition("a rotation is under way; finish or cancel it first")
        work.record_security(SecurityEventKind.WEBHOOK_ROTATION_STARTED)
        return _save(tools, work, secrets.current, new_signing_secret(tools.ids))


def finish_signing_rotation(tools: Tools, request: Request) -> SigningSecrets:
    """Sign with the new secret alone."""
    with begin_work(tools, request) as work:
        _, following = _rotated(tools, work.tx, work.organization_id)
        work.record_security(SecurityEventKind.WEBHOOK_ROTATION_FINISHED)
        return _save(tools, work, following, None)


def cancel_signing_rotation(tools: Tools, request: Request) -> SigningSecrets:
    """Sign with the old secret alone."""
    with begin_work(tools, request) as work:
        current, _ = _rotated(tools, work.tx, work.organization_id)
        work.record_security(SecurityEventKind.WEBHOOK_ROTATION_CANCELLED)
        return _save(tools, work, current, None)


def _rotated(tools: Tools, tx: Transaction, organization_id: str) -> tuple[str, str]:
    secrets = _load(tools, tx, organization_id)
    if secrets.following is None:
        raise FailedPrecondition("no rotation is under way")
    return secrets.current, secrets.following


def _load(tools: Tools, tx: Transaction, organization_id: str) -> SigningSecrets:
    found = stored.find_signing_secrets(tx, organization_id)
    if found is None:
        raise NotFound(f'organization "{organization_id}" not found')
    current, following = found
    purpose = sealing_purpose(WEBHOOK_SECRET, organization_id)
    return SigningSecrets(
        current=tools.secret_box.unseal(purpose, current),
        following=None if following is None else tools.secret_box.unseal(purpose, following),
    )


def _save(tools: Tools, work: UnitOfWork, current: str, following: str | None) -> SigningSecrets:
    purpose = sealing_purpose(WEBHOOK_SECRET, work.organization_id)
    sealed = tools.secret_box.seal(purpose, current)
    next_sealed = None if following is None else tools.secret_box.seal(purpose, following)
    stored.update_signing_secrets(work.tx, work.organization_id, sealed, next_sealed)
    return work.done(SigningSecrets(current=current, following=following))
