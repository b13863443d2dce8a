"""The tables of expected arrivals: what was expected when, and what the past teaches."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text

from roundsman.storage.tables import Instant, metadata

__all__ = ["arrival_forecasts", "arrival_spreads", "metadata"]

arrival_forecasts = Table(
    "arrival_forecasts",
    metadata,
    Column("stop_id", String, primary_key=True),
    Column("stops_ahead", Integer, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("is_estimated", Boolean, nullable=False),
    Column("known_at", Instant, nullable=False),
    Column("expected_at", Instant, nullable=False),
    Column("window_start", Instant, nullable=False),
    Column("window_end", Instant, nullable=False),
    Column("arrived_at", Instant),
    Index("ix_arrival_forecasts_known", "organization_id", "known_at"),
)
"""What was expected of a stop when it first had so many stops before it, and what came of that."""

arrival_spreads = Table(
    "arrival_spreads",
    metadata,
    Column("organization_id", String, ForeignKey("organizations.id"), primary_key=True),
    Column("learned_at", Instant, nullable=False),
    Column("body", Text, nullable=False),
)
"""How far arrivals were from what was expected, of each organization by itself."""
