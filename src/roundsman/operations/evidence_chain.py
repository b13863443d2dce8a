"""Adds what a change proves to its organization's chain, in the transaction of the change.

Changes of one organization stand in line (`unit_of_work`), so the chain has no forks. The last
record of a change is signed: a bundle ends at such a checkpoint, soon after its own last record.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from roundsman.domain.address import Contact
from roundsman.domain.evidence import (
    GENESIS,
    EvidenceKind,
    Finding,
    StopChange,
    find_evidence,
    hash_personal,
    hash_record,
    link_records,
    merge_moves,
)
from roundsman.domain.principal import Principal
from roundsman.domain.route_stop import RouteStop
from roundsman.kit.canonical_json import Plain, canonical_json
from roundsman.kit.loading import load
from roundsman.kit.secrets import sign
from roundsman.kit.timestamps import format_timestamp
from roundsman.operations.tools import Tools
from roundsman.storage.attachments import read_picture
from roundsman.storage.database import Transaction
from roundsman.storage.evidence import (
    EvidenceLink,
    EvidenceRecord,
    StoredEvidenceKey,
    add_evidence,
    add_evidence_key,
    count_evidence,
    find_chain_end,
    find_evidence_key,
)
from roundsman.storage.sealed_columns import EVIDENCE_KEY, sealing_purpose

_KEY_BYTES = 32
_SALT_BYTES = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class ChainContext:
    """Whose chain grows, because of whom and when."""

    organization_id: str
    principal: Principal
    now: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class _Draft:
    route_id: str
    stop_id: str
    finding: Finding
    customer: str = ""
    is_joined: bool = False


def chain_stop_changes(
    tools: Tools, tx: Transaction, context: ChainContext, changes: Sequence[StopChange]
) -> int:
    """Add what changes of stops prove; return how many bytes that takes.

    What a stop had before there was a chain joins it first.
    """
    if not changes:
        return 0
    merged = merge_moves(changes)
    known = count_evidence(tx, context.organization_id, [change.stop_id for change in merged])
    drafts = list(_drafts(tools, context.organization_id, merged, known))
    return _append(tools, tx, context, drafts, known) if drafts else 0


def chain_erasure(
    tools: Tools, tx: Transaction, context: ChainContext, stops: Mapping[str, str], erasure_id: str
) -> None:
    """Add that the personal fields of some stops were erased; `stops` are their routes by id."""
    finding = Finding(kind=EvidenceKind.ERASED, facts={"erasureId": erasure_id})
    known = count_evidence(tx, context.organization_id, list(stops))
    drafts = [
        _Draft(route_id=route_id, stop_id=stop_id, finding=finding)
        for stop_id, route_id in stops.items()
        if stop_id in known
    ]
    if drafts:
        _append(tools, tx, context, drafts, known)


def obtain_evidence_key(
    tools: Tools, tx: Transaction, organization_id: str, now: datetime
) -> StoredEvidenceKey:
    """Return the organization's key; the transaction that comes first makes it."""
    found = find_evidence_key(tx, organization_id)
    if found is not None:
        return found
    private_key = tools.ids.random_bytes(_KEY_BYTES)
    purpose = sealing_purpose(EVIDENCE_KEY, organization_id)
    made = StoredEvidenceKey(
        public_key=load("roundsman.kit.encryption:public_key_of")(private_key).decode(),
        private_key=tools.secret_box.seal(purpose, private_key.hex()),
        created_at=now,
    )
    add_evidence_key(tx, organization_id, made)
    return made


def sign_evidence(tools: Tools, organization_id: str, key: StoredEvidenceKey, data: bytes) -> bytes:
    """Return the organization's signature of some bytes."""
    purpose = sealing_purpose(EVIDENCE_KEY, organization_id)
    private_key = bytes.fromhex(tools.secret_box.unseal(purpose, key.private_key))
    signature: bytes = load("roundsman.kit.encryption:sign_bytes")(private_key, data)
    return signature


def customer_key(tools: Tools, organization_id: str, name: str, value: str) -> str:
    """Return by what records find a customer: nobody reads a phone number from it."""
    return sign(tools.link_key, "customer", organization_id, name, value.casefold())


def _customer_of(tools: Tools, organization_id: str, stop: RouteStop | None) -> str:
    if stop is None:
        return ""
    contact = stop.contact or Contact()
    known = {
        "phone": contact.phone,
        "email": contact.email,
        "client_stop_id": stop.client_stop_id,
        "imported_stop_id": stop.imported_stop_id,
    }
    keys = [
        customer_key(tools, organization_id, name, value) for name, value in known.items() if value
    ]
    if stop.copied_from:
        keys.append(customer_key(tools, organization_id, "imported_stop_id", stop.copied_from))
    return " ".join(keys)


def _drafts(
    tools: Tools, organization_id: str, changes: Sequence[StopChange], known: Mapping[str, int]
) -> Iterator[_Draft]:
    for change in changes:
        customer = _customer_of(tools, organization_id, change.after or change.before)
        draft = partial(_Draft, route_id=change.route_id, stop_id=change.stop_id, customer=customer)
        if change.before is not None and change.stop_id not in known:
            for finding in find_evidence(None, change.before):
                yield draft(finding=finding, is_joined=True)
        for finding in find_evidence(change.before, change.after):
            yield draft(finding=finding)


def _append(
    tools: Tools,
    tx: Transaction,
    context: ChainContext,
    drafts: Sequence[_Draft],
    known: Mapping[str, int],
) -> int:
    """Add records to the chain and sign the last one; return how many bytes they take."""
    owner = context.organization_id
    key, head = find_chain_end(tx, owner)
    sequence, previous = (0, GENESIS) if head is None else (head.sequence, head.hash)
    if head is None:
        beginning = _Draft(route_id="", stop_id="", finding=Finding(kind=EvidenceKind.BEGINNING))
        drafts = [beginning, *drafts]
    counted = dict(known)
    records = []
    for draft in drafts:
        sequence += 1
        counted[draft.stop_id] = counted.get(draft.stop_id, 0) + 1
        salts = {name: tools.ids.random_bytes(_SALT_BYTES).hex() for name in draft.finding.personal}
        text = _written(tx, context, draft, sequence, counted[draft.stop_id], salts)
        record_hash = hash_record(text)
        previous = link_records(previous, record_hash)
        link = EvidenceLink(
            sequence=sequence, recorded_at=context.now, record_hash=record_hash, hash=previous
        )
        records.append(
            EvidenceRecord(
                link=link,
                stop_id=draft.stop_id,
                route_id=draft.route_id,
                record=text.decode(),
                customer=draft.customer,
                disclosed={
                    name: (salts[name], value) for name, value in draft.finding.personal.items()
                },
            )
        )
    key = key or obtain_evidence_key(tools, tx, owner, context.now)
    signature = sign_evidence(tools, owner, key, previous)
    records[-1] = replace(records[-1], link=replace(records[-1].link, signature=signature))
    return add_evidence(tx, owner, records)


def _written(
    tx: Transaction,
    context: ChainContext,
    draft: _Draft,
    sequence: int,
    stop_sequence: int,
    salts: Mapping[str, str],
) -> bytes:
    """Return a record in its canonical form."""
    finding = draft.finding
    facts: dict[str, Plain] = dict(finding.facts)
    if "attachmentId" in finding.facts:
        facts |= _describe_picture(tx, str(finding.facts["attachmentId"]))
    record: dict[str, Plain] = {
        "version": 1,
        "organization": context.organization_id,
        "sequence": sequence,
        "kind": finding.kind.value,
        "recordedAt": format_timestamp(context.now),
    }
    if draft.stop_id:
        by = context.principal
        device = {"driverId": by.driver_id} if by.driver_id else {}
        record |= {
            "routeId": draft.route_id,
            "stopId": draft.stop_id,
            "stopSequence": stop_sequence,
            "by": {"kind": by.kind.value, "id": by.id, **device},
            "facts": facts,
            "hashes": {
                name: hash_personal(salts[name], value) for name, value in finding.personal.items()
            },
        }
    if finding.at is not None:
        record["at"] = format_timestamp(finding.at)
    if draft.is_joined:
        record["joined"] = True
    return canonical_json(record)


def _describe_picture(tx: Transaction, attachment_id: str) -> dict[str, Plain]:
    picture = read_picture(tx, attachment_id)
    if picture is None:  # erased before there was a chain
        return {}
    return {"mediaType": picture.media_type, "sha256": hash_record(picture.data).hex()}
