"""E-mails to an organization's owners: something is no longer sent, or soon will not be.

Each is a job of its own, written in the transaction of the change; its id is made of what happened
and of the member, so that it is written once. It names ids alone: the address and the text come
when it is sent, and it is not sent when it is true no more.

Before a letter is handed over the job says so. A worker that is lost while it hands one over may
have sent it: it is sent once more, under the same Message-ID, and not a third time.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import structlog

from roundsman.domain.errors import Unavailable
from roundsman.domain.job import Job
from roundsman.domain.member import Member, MemberStatus
from roundsman.domain.model import Model
from roundsman.domain.organization import Organization
from roundsman.domain.principal import Role
from roundsman.domain.storefront import StorefrontState
from roundsman.kit.ids import derived_id
from roundsman.kit.timestamps import format_timestamp
from roundsman.notifications.email import Letter, send_letter
from roundsman.notifications.texts import MessageText, OwnerFacts, write_owner_text
from roundsman.operations.jobs import JobKind, RunningJob
from roundsman.operations.organizations import get_organization
from roundsman.operations.retention import retention_of
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage.database import Transaction
from roundsman.storage.jobs import add_job_once, encode_noun
from roundsman.storage.members import find_member, list_active_owners
from roundsman.storage.outbox import sum_up_dropped
from roundsman.storage.storefronts import find_storefront
from roundsman.storage.webhook_subscriptions import find_health, find_subscription

_ATTEMPTED, _ATTEMPTED_AGAIN = "attempted", "attempted again"
"""Positions of a job: how often its letter may have been sent."""

_log = structlog.get_logger("roundsman.operations")


class OwnerLetterKind(StrEnum):
    """What owners are written about."""

    WEBHOOK_FAILING = "WEBHOOK_FAILING"
    WEBHOOK_DEACTIVATED = "WEBHOOK_DEACTIVATED"
    WEBHOOK_GONE = "WEBHOOK_GONE"
    STOREFRONT_PAUSED = "STOREFRONT_PAUSED"


class OwnerLetterJob(Model):
    """What one owner is written about; of whom and what only ids are kept."""

    kind: OwnerLetterKind
    subject_id: str
    member_id: str
    since: datetime
    """Since when nothing is answered."""

    at: datetime
    """When it was switched off, or will be."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """What a letter is about: a webhook or a storefront connection."""

    organization_id: str
    id: str


def write_owner_letters(
    tools: Tools,
    tx: Transaction,
    subject: Subject,
    kind: OwnerLetterKind,
    *,
    since: datetime,
    at: datetime,
) -> int:
    """Have every active owner written to, unless that was done; return how many letters are new.

    A warning is one for the whole outage; of what has happened there is one each time.
    """
    if tools.mail is None:
        return 0
    now = tools.clock.now()
    happening = since if kind is OwnerLetterKind.WEBHOOK_FAILING else at
    written = 0
    for member_id in list_active_owners(tx, subject.organization_id):
        payload = OwnerLetterJob(
            kind=kind, subject_id=subject.id, member_id=member_id, since=since, at=at
        )
        job = Job(
            id=derived_id("job", kind, subject.id, format_timestamp(happening), member_id),
            organization_id=subject.organization_id,
            kind=OWNER_LETTERS.name,
            payload=encode_noun(payload),
            created_at=now,
            due_at=now,
        )
        written += add_job_once(tx, job)
    return written


def send_owner_letter(tools: Tools, job: RunningJob[OwnerLetterJob]) -> None:
    """Send one owner a letter, where it is still true and was not sent already."""
    if job.position == _ATTEMPTED_AGAIN:
        _log.warning("owner_letter_given_up", job=job.job.id)
    elif tools.mail is not None and (letter := _make_letter(tools, job)) is not None:
        _keep_position(tools, job, _ATTEMPTED_AGAIN if job.position else _ATTEMPTED)
        handed = send_letter(tools.mail, letter, tools.clock.now())
        if handed.error and not handed.is_final:
            _keep_position(tools, job, job.position)
            raise Unavailable(f"the e-mail was not taken: {handed.error}")
        if handed.error:
            _log.warning("owner_letter_refused", job=job.job.id, reason=handed.error)
    with begin_work(tools, job.completing()) as work:
        work.done(None)


def _keep_position(tools: Tools, job: RunningJob[OwnerLetterJob], position: str) -> None:
    with begin_work(tools, job.stepping(position)) as work:
        work.done(None)


def _make_letter(tools: Tools, job: RunningJob[OwnerLetterJob]) -> Letter | None:
    """Return the letter as things stand now; None where it need not be sent any more."""
    organization = get_organization(tools.database, job.job.organization_id)
    with tools.database.reading() as tx:
        owner = _find_owner(tx, organization.id, job.payload.member_id)
        if owner is None:
            return None
        if job.payload.kind is OwnerLetterKind.STOREFRONT_PAUSED:
            text = _describe_storefront(tx, organization, job.payload)
        else:
            text = _describe_webhook(tools, tx, organization, job.payload)
    if text is None:
        return None
    return Letter(
        id=job.job.id, to=owner.email, subject=text.subject or "", text=text.text, headers={}
    )


def _find_owner(tx: Transaction, organization_id: str, member_id: str) -> Member | None:
    found = find_member(tx, organization_id, member_id)
    if found is None:
        return None
    is_owner = found.member.role is Role.OWNER and found.member.status is MemberStatus.ACTIVE
    return found.member if is_owner else None


def _describe_webhook(
    tools: Tools, tx: Transaction, organization: Organization, payload: OwnerLetterJob
) -> MessageText | None:
    subscription = find_subscription(tx, organization.id, payload.subject_id)
    health = find_health(tx, organization.id, payload.subject_id)
    if subscription is None or health is None:
        return None
    is_warning = payload.kind is OwnerLetterKind.WEBHOOK_FAILING
    is_same_outage = health.failing_since == payload.since
    if subscription.active is not is_warning or (is_warning and not is_same_outage):
        return None
    dropped = sum_up_dropped(tx, subscription.id, payload.since)
    facts = OwnerFacts(
        organization=organization.name,
        id=subscription.id,
        host=urlsplit(subscription.url).hostname or "",
        since=payload.since,
        at=payload.at,
        count=dropped.count,
        starting=format_timestamp(min(dropped.earliest or payload.since, payload.since)),
        days=retention_of(tools, organization).events_days,
    )
    return _write(organization, payload, facts)


def _describe_storefront(
    tx: Transaction, organization: Organization, payload: OwnerLetterJob
) -> MessageText | None:
    found = find_storefront(tx, organization.id, payload.subject_id)
    if found is None or found.connection.state is StorefrontState.ACTIVE:
        return None
    address = found.connection.address
    facts = OwnerFacts(
        organization=organization.name,
        id=found.connection.id,
        host=urlsplit(address if "//" in address else f"//{address}").hostname or "",
        since=payload.since,
        at=payload.at,
    )
    return _write(organization, payload, facts)


def _write(organization: Organization, payload: OwnerLetterJob, facts: OwnerFacts) -> MessageText:
    zone = ZoneInfo(organization.timezone)
    return write_owner_text(organization.language, payload.kind, facts, zone)


OWNER_LETTERS = JobKind(name="owner-letter", payload=OwnerLetterJob, run=send_owner_letter)
