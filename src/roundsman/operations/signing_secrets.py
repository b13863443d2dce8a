"""The secret that events are signed with, an organization's or one webhook's, and its rotation.

A webhook is signed for with the organization's secret until it has one of its own. While a secret
is rotated, `webhook-signature` holds a signature of each, and `X-Service-Hmac-Sha256`, which has
room for one, stays with the secret that the receiver knows.
"""

from dataclasses import dataclass

from roundsman.domain.errors import FailedPrecondition, NotFound
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.kit.secrets import new_signing_secret
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage.database import Transaction
from roundsman.storage.organizations import find_signing_secrets, update_signing_secrets
from roundsman.storage.sealed_columns import WEBHOOK_SECRET, sealing_purpose
from roundsman.storage.webhook_subscriptions import find_own_secrets, update_own_secrets


@dataclass(frozen=True, kw_only=True, slots=True)
class SigningSecrets:
    """What events are signed with; `following` is there while a rotation is under way."""

    current: str
    following: str | None
    is_own: bool = False
    """Whether it is the webhook's, and no longer the organization's."""


def read_secrets(tools: Tools, organization_id: str, webhook_id: str = "") -> SigningSecrets:
    """Return what an organization's events are signed with, or those to one webhook."""
    with tools.database.reading() as tx:
        current, following = _load(tools, tx, organization_id, webhook_id)
        if current is None:
            return _as_organization_signs(tools, tx, organization_id, following)
    return SigningSecrets(current=current, following=following, is_own=bool(webhook_id))


def rotate_signing_secret(tools: Tools, request: Request, webhook_id: str = "") -> SigningSecrets:
    """Add a second secret, to be made known to receivers before the rotation is finished.

    The first of a webhook's own replaces the organization's for it.
    """
    with begin_work(tools, request) as work:
        current, following = _load(tools, work.tx, work.organization_id, webhook_id)
        if following is not None:
            raise FailedPrecondition("a rotation is under way; finish or cancel it first")
        _record(work, SecurityEventKind.WEBHOOK_ROTATION_STARTED, webhook_id)
        return _save(tools, work, webhook_id, current, new_signing_secret(tools.ids))


def finish_signing_rotation(tools: Tools, request: Request, webhook_id: str = "") -> SigningSecrets:
    """Sign with the new secret alone."""
    with begin_work(tools, request) as work:
        _, following = _load(tools, work.tx, work.organization_id, webhook_id)
        _require_rotation(following)
        _record(work, SecurityEventKind.WEBHOOK_ROTATION_FINISHED, webhook_id)
        return _save(tools, work, webhook_id, following, None)


def cancel_signing_rotation(tools: Tools, request: Request, webhook_id: str = "") -> SigningSecrets:
    """Sign with the old secret alone."""
    with begin_work(tools, request) as work:
        current, following = _load(tools, work.tx, work.organization_id, webhook_id)
        _require_rotation(following)
        _record(work, SecurityEventKind.WEBHOOK_ROTATION_CANCELLED, webhook_id)
        return _save(tools, work, webhook_id, current, None)


def _require_rotation(following: str | None) -> None:
    if following is None:
        raise FailedPrecondition("no rotation is under way")


def _record(work: UnitOfWork, kind: SecurityEventKind, webhook_id: str) -> None:
    if webhook_id:
        work.record_security(kind, SecurityEventDetails(webhook_id=webhook_id))
    else:
        work.record_security(kind)


def _load(
    tools: Tools, tx: Transaction, organization_id: str, webhook_id: str
) -> tuple[str | None, str | None]:
    """Return the secrets of an organization, or a webhook's own, of which it may have none."""
    if webhook_id:
        found = find_own_secrets(tx, organization_id, webhook_id)
        if found is None:
            raise NotFound("webhook not found")
    else:
        found = find_signing_secrets(tx, organization_id)
        if found is None:
            raise NotFound(f'organization "{organization_id}" not found')
    purpose = sealing_purpose(WEBHOOK_SECRET, webhook_id or organization_id)
    current, following = (
        None if one is None else tools.secret_box.unseal(purpose, one) for one in found
    )
    return current, following


def _as_organization_signs(
    tools: Tools, tx: Transaction, organization_id: str, following: str | None
) -> SigningSecrets:
    """Return what a webhook without a secret of its own is signed for with."""
    current, its_following = _load(tools, tx, organization_id, "")
    if current is None:
        raise RuntimeError("an organization has a signing secret")
    return SigningSecrets(current=current, following=following or its_following)


def _save(
    tools: Tools, work: UnitOfWork, webhook_id: str, current: str | None, following: str | None
) -> SigningSecrets:
    owner = work.organization_id
    purpose = sealing_purpose(WEBHOOK_SECRET, webhook_id or owner)
    sealed, next_sealed = (
        None if one is None else tools.secret_box.seal(purpose, one) for one in (current, following)
    )
    if webhook_id:
        update_own_secrets(work.tx, owner, webhook_id, sealed, next_sealed)
    elif sealed is not None:
        update_signing_secrets(work.tx, owner, sealed, next_sealed)
    if current is None:
        return work.done(_as_organization_signs(tools, work.tx, owner, following))
    return work.done(SigningSecrets(current=current, following=following, is_own=bool(webhook_id)))
