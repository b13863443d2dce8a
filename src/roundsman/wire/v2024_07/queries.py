"""The query arguments of lists (decisions §5)."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from roundsman.domain.driver import DriverStatus
from roundsman.domain.noun import UNSET, Noun, UnsetType
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
