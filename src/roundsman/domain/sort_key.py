"""What lists can be sorted by (specification, GET /routes)."""

from enum import StrEnum


class SortKey(StrEnum):
    """What a list is sorted by; UNKNOWN is CREATED_AT."""

    UNKNOWN = "UNKNOWN"
    CREATED_AT = "CREATED_AT"
    UPDATED_AT = "UPDATED_AT"
    SCHEDULED_AT = "SCHEDULED_AT"
