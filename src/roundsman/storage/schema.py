"""The whole schema: loading this module makes `metadata` know the tables of every part."""

from roundsman.storage import (
    arrival_tables,
    driver_tables,
    evidence_tables,
    member_tables,
    message_tables,
    storefront_tables,
)
from roundsman.storage.tables import metadata

__all__ = [
    "arrival_tables",
    "driver_tables",
    "evidence_tables",
    "member_tables",
    "message_tables",
    "metadata",
    "storefront_tables",
]
