"""Evidence: an organization's chain of records, and the key that signs its checkpoints."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Row, bindparam, func, insert, or_, select, true, update

from roundsman.storage.database import Transaction
from roundsman.storage.evidence_tables import evidence_keys, evidence_records

type Disclosed = Mapping[str, tuple[str, str]]
"""Personal fields by name, each with its salt and its value."""

_read_disclosed = msgspec.json.Decoder(dict[str, tuple[str, str]]).decode

# Every tap at a door runs these: built once, they cost no more than their execution.
_LINK_COLUMNS = (
    evidence_records.c.sequence,
    evidence_records.c.recorded_at,
    evidence_records.c.record_hash,
    evidence_records.c.hash,
    evidence_records.c.signature,
)
_newest = (
    select(*_LINK_COLUMNS)
    .where(evidence_records.c.organization_id == bindparam("organization"))
    .order_by(evidence_records.c.sequence.desc())
    .limit(1)
    .subquery("newest")
)
_CHAIN_END = (
    select(evidence_keys.c.public_key, evidence_keys.c.private_key, evidence_keys.c.created_at)
    .add_columns(*_newest.c)
    .select_from(evidence_keys.outerjoin(_newest, true()))
    .where(evidence_keys.c.organization_id == bindparam("organization"))
)
_KEY = select(evidence_keys).where(evidence_keys.c.organization_id == bindparam("organization"))
_STOPS_WITH_RECORDS = select(evidence_records.c.stop_id).where(
    evidence_records.c.organization_id == bindparam("organization"),
    evidence_records.c.stop_id.in_(bindparam("stops", expanding=True)),
)
_RECORDS_OF_ONE = select(func.count()).where(
    evidence_records.c.organization_id == bindparam("organization"),
    evidence_records.c.stop_id == bindparam("stop"),
)
_ADD = insert(evidence_records)


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceLink:
    """A record's place in the chain; `signature` is there where a checkpoint was made."""

    sequence: int
    recorded_at: datetime
    record_hash: bytes
    hash: bytes
    signature: bytes | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceRecord:
    """A record of a stop; its text is none once it has served its time."""

    link: EvidenceLink
    stop_id: str
    route_id: str
    record: str | None
    disclosed: Disclosed
    customer: str = ""
    """Keyed hashes of what the customer is known by, separated by spaces."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredEvidenceKey:
    """A key pair: the public half in PEM, the private one sealed."""

    public_key: str
    private_key: str
    created_at: datetime


def find_evidence_key(tx: Transaction, organization_id: str) -> StoredEvidenceKey | None:
    """Return the key of an organization, if it was made."""
    row = tx.execute(_KEY, {"organization": organization_id}).first()
    if row is None:
        return None
    return StoredEvidenceKey(
        public_key=row.public_key, private_key=row.private_key, created_at=row.created_at
    )


def find_chain_end(
    tx: Transaction, organization_id: str
) -> tuple[StoredEvidenceKey | None, EvidenceLink | None]:
    """Return the key that signs an organization's next record and its newest link.

    Without a key there is no link either: the first record is signed.
    """
    row = tx.execute(_CHAIN_END, {"organization": organization_id}).first()
    if row is None:
        return None, None
    key = StoredEvidenceKey(
        public_key=row.public_key, private_key=row.private_key, created_at=row.created_at
    )
    return key, None if row.sequence is None else _link(row)


def add_evidence_key(tx: Transaction, organization_id: str, key: StoredEvidenceKey) -> None:
    """Store the key of an organization."""
    tx.execute(
        insert(evidence_keys).values(
            organization_id=organization_id,
            public_key=key.public_key,
            private_key=key.private_key,
            created_at=key.created_at,
        )
    )


def add_evidence(tx: Transaction, organization_id: str, records: Sequence[EvidenceRecord]) -> int:
    """Add records to an organization's chain; return how many bytes their texts take."""
    rows = [
        {
            "organization_id": organization_id,
            "sequence": one.link.sequence,
            "stop_id": one.stop_id,
            "route_id": one.route_id,
            "recorded_at": one.link.recorded_at,
            "record": one.record,
            "disclosed": msgspec.json.encode(one.disclosed).decode() if one.disclosed else None,
            "customer": one.customer or None,
            "record_hash": one.link.record_hash,
            "hash": one.link.hash,
            "signature": one.link.signature,
        }
        for one in records
    ]
    tx.execute(_ADD, rows)
    return sum(len(str(row[name] or "")) for row in rows for name in ("record", "disclosed"))


def list_evidence(tx: Transaction, organization_id: str, stop_id: str) -> list[EvidenceRecord]:
    """Return the records of a stop, oldest first."""
    rows = tx.execute(
        select(evidence_records)
        .where(
            evidence_records.c.organization_id == organization_id,
            evidence_records.c.stop_id == stop_id,
        )
        .order_by(evidence_records.c.sequence)
    )
    return [
        EvidenceRecord(
            link=_link(row),
            stop_id=row.stop_id,
            route_id=row.route_id,
            record=row.record,
            disclosed=_read_disclosed(row.disclosed) if row.disclosed else {},
            customer=row.customer or "",
        )
        for row in rows
    ]


def count_evidence(
    tx: Transaction, organization_id: str, stop_ids: Collection[str]
) -> dict[str, int]:
    """Return how many records each stop has that has any."""
    if len(stop_ids) == 1:  # a tap: a list of any length takes twice as long to ask for
        (stop_id,) = stop_ids
        one = {"organization": organization_id, "stop": stop_id}
        count = tx.execute(_RECORDS_OF_ONE, one).scalar_one()
        return {stop_id: count} if count else {}
    asked = {"organization": organization_id, "stops": list(stop_ids)}
    return dict(Counter(tx.execute(_STOPS_WITH_RECORDS, asked).scalars()))


def list_evidence_of_customer(
    tx: Transaction, organization_id: str, key: str
) -> list[EvidenceRecord]:
    """Return the records of the stops of a customer, who is known by a keyed hash."""
    theirs = select(evidence_records.c.stop_id).where(
        evidence_records.c.organization_id == organization_id,
        evidence_records.c.customer.contains(key, autoescape=True),
    )
    return [
        one
        for stop_id in tx.execute(theirs.distinct()).scalars().all()
        for one in list_evidence(tx, organization_id, stop_id)
    ]


def list_evidence_links(
    tx: Transaction, organization_id: str, first: int, last: int
) -> list[EvidenceLink]:
    """Return a stretch of an organization's chain and no more than digests."""
    rows = tx.execute(
        select(*_LINK_COLUMNS)
        .where(
            evidence_records.c.organization_id == organization_id,
            evidence_records.c.sequence.between(first, last),
        )
        .order_by(evidence_records.c.sequence)
    )
    return [_link(row) for row in rows]


def find_checkpoint(tx: Transaction, organization_id: str, sequence: int) -> EvidenceLink | None:
    """Return the first signed link from a place in the chain on."""
    row = tx.execute(
        select(*_LINK_COLUMNS)
        .where(
            evidence_records.c.organization_id == organization_id,
            evidence_records.c.sequence >= sequence,
            evidence_records.c.signature.is_not(None),
        )
        .order_by(evidence_records.c.sequence)
        .limit(1)
    ).first()
    return None if row is None else _link(row)


def erase_disclosed(tx: Transaction, organization_id: str, stop_ids: Collection[str]) -> int:
    """Forget the personal fields of some stops' records; their hashes stay in the chain."""
    return tx.execute(
        update(evidence_records)
        .where(
            evidence_records.c.organization_id == organization_id,
            evidence_records.c.stop_id.in_(stop_ids),
            or_(
                evidence_records.c.disclosed.is_not(None), evidence_records.c.customer.is_not(None)
            ),
        )
        .values(disclosed=None, customer=None)
    ).rowcount


def remove_old_evidence(tx: Transaction, organization_id: str, before: datetime, most: int) -> int:
    """Forget what the oldest records say; return how many. Their digests keep the chain whole."""
    oldest = (
        select(evidence_records.c.sequence)
        .where(
            evidence_records.c.organization_id == organization_id,
            evidence_records.c.recorded_at < before,
            evidence_records.c.record.is_not(None),
        )
        .order_by(evidence_records.c.recorded_at)
        .limit(most)
    )
    return tx.execute(
        update(evidence_records)
        .where(
            evidence_records.c.organization_id == organization_id,
            evidence_records.c.sequence.in_(oldest),
        )
        .values(record=None, disclosed=None, customer=None, stop_id="", route_id="")
    ).rowcount


def _link(row: Row[*tuple[Any, ...]]) -> EvidenceLink:
    return EvidenceLink(
        sequence=row.sequence,
        recorded_at=row.recorded_at,
        record_hash=bytes(row.record_hash),
        hash=bytes(row.hash),
        signature=None if row.signature is None else bytes(row.signature),
    )
