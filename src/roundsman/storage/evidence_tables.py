"""The tables of evidence, of what was erased, and of how far old data were cleared."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, LargeBinary, String, Table, Text

from roundsman.storage.tables import Instant, metadata

__all__ = [
    "erasures",
    "evidence_keys",
    "evidence_records",
    "metadata",
    "organization_erasures",
    "retention_holds",
    "retention_marks",
]

evidence_keys = Table(
    "evidence_keys",
    metadata,
    Column("organization_id", String, ForeignKey("organizations.id"), primary_key=True),
    Column("public_key", Text, nullable=False),
    Column("private_key", Text, nullable=False),  # sealed
    Column("created_at", Instant, nullable=False),
)

evidence_records = Table(
    "evidence_records",
    metadata,
    Column("organization_id", String, ForeignKey("organizations.id"), primary_key=True),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("stop_id", String, nullable=False),
    Column("route_id", String, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    Column("record", Text),  # canonical JSON; none once it has served its time
    Column("disclosed", Text),  # JSON; none where nothing personal is in it, or it was erased
    Column("customer", Text),  # hashes by which an erasure finds it, the stop being gone
    Column("record_hash", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("signature", LargeBinary),  # of the last record of a change: a checkpoint
    Index("ix_evidence_records_stop", "organization_id", "stop_id", "sequence"),
    Index("ix_evidence_records_recorded", "organization_id", "recorded_at"),
)

erasures = Table(
    "erasures",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("job_id", String, nullable=False),
    Column("traces", Text),  # sealed JSON; none once everything is erased
    Column("receipt", Text, nullable=False),  # JSON; it is shown once the erasure is completed
    Column("completed_at", Instant),
    Index("ix_erasures_created", "organization_id", "created_at", "id"),
)

organization_erasures = Table(
    "organization_erasures",
    metadata,
    Column("key", String, primary_key=True),  # a keyed hash of the slug, which names the business
    Column("begun_at", Instant, nullable=False),
    Column("removed", Text, nullable=False),  # JSON: rows by table
    Column("completed_at", Instant),  # none while rows or bytes of the organization may be left
)
"""Organizations that were erased or are being erased; it belongs to none of them."""

retention_marks = Table(
    "retention_marks",
    metadata,
    Column("organization_id", String, ForeignKey("organizations.id"), primary_key=True),
    Column("name", String, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("last_id", String, nullable=False),
)
"""Up to which row, by time and id, an organization's old rows were cleared of what."""

retention_holds = Table(
    "retention_holds",
    metadata,
    Column("organization_id", String, ForeignKey("organizations.id"), primary_key=True),
    Column("name", String, primary_key=True),
    Column("row_id", String, primary_key=True),
    Column("until", Instant, nullable=False),
    Index("ix_retention_holds_until", "organization_id", "name", "until"),
    Index("ix_retention_holds_row", "organization_id", "row_id"),
)
"""Rows behind a mark that were not cleared, because their delivery is over only then."""
