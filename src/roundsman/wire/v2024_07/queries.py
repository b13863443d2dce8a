"""The query arguments of lists (decisions §5)."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from roundsman.domain.actions import Outcome
from roundsman.domain.driver import DriverStatus
from roundsman.domain.noun import UNSET, BadField, Noun, UnsetType
from roundsman.domain.sort_key import SortKey
from roundsman.domain.topics import Topic

type Limit = Annotated[int, Meta(ge=0, le=200)]


class ListRoutes(Noun):
    """Which routes, and in which order."""

    limit: Limit = 0
    sort_key: SortKey = SortKey.UNKNOWN
    timestamp_start: datetime | UnsetType = UNSET
    timestamp_end: datetime | UnsetType = UNSET
    include_archived: bool = False


class ListVehicles(Noun):
    """Which vehicles, oldest first."""

    limit: Limit = 0
    include_archived: bool = False


class ListDrivers(Noun):
    """Which drivers, oldest first; UNKNOWN is all but the archived."""

    limit: Limit = 0
    status: DriverStatus = DriverStatus.UNKNOWN


class ListEvents(Noun):
    """Which events, oldest first."""

    limit: Limit = 0
    topic: Topic | UnsetType = UNSET
    timestamp_start: datetime | UnsetType = UNSET
    timestamp_end: datetime | UnsetType = UNSET


class ListDriverActions(Noun):
    """Which entries of the drivers' journals, oldest first; empty asks for all."""

    limit: Limit = 0
    route_id: Annotated[str, Meta(max_length=255)] = ""
    driver_id: Annotated[str, Meta(max_length=255)] = ""
    outcome: Outcome | UnsetType = UNSET


class ListImportedStops(Noun):
    """Which imported stops, and in which order; here a limit of 0 is refused (decisions §5)."""

    limit: Annotated[int, Meta(ge=1, le=200)] = 20
    sort_key: SortKey = SortKey.UNKNOWN
    timestamp_start: datetime | UnsetType = UNSET
    timestamp_end: datetime | UnsetType = UNSET
    unrouted: bool = False

    def __post_init__(self) -> None:
        """Refuse what imported stops do not have."""
        if self.sort_key is SortKey.SCHEDULED_AT:
            raise BadField("sortKey", "must be one of UNKNOWN, CREATED_AT, UPDATED_AT")
