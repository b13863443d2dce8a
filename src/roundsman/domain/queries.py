"""Query arguments of lists and of imports (decisions §5)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from msgspec import Meta, field

from roundsman.domain.actions import Outcome
from roundsman.domain.address import Email
from roundsman.domain.driver import DriverStatus
from roundsman.domain.event_delivery import DeliveryState
from roundsman.domain.geocoding import MinimumMatch
from roundsman.domain.message import MessageStatus
from roundsman.domain.model import UNSET, Line, Model, Rule, UnsetType, obey_rules
from roundsman.domain.plan import PlanStatus
from roundsman.domain.planned_days import parse_planned_day
from roundsman.domain.route_status import RouteStatus
from roundsman.domain.security_event import SecurityEventKind
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import ReportStatus
from roundsman.domain.topics import Topic

type Limit = Annotated[int, Meta(ge=0, le=200)]
type Id = Annotated[str, Meta(max_length=255)]
type DateText = Annotated[
    str,
    Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$", description="a date such as 2024-07-01"),
]


class SortKey(StrEnum):
    """What a list is sorted by (specification, GET /routes); UNKNOWN is CREATED_AT."""

    UNKNOWN = "UNKNOWN"
    CREATED_AT = "CREATED_AT"
    UPDATED_AT = "UPDATED_AT"
    SCHEDULED_AT = "SCHEDULED_AT"


@dataclass(frozen=True, slots=True)
class Query[N: Model]:
    """Arguments of a list: its first page, or the page that `cursor` names."""

    arguments: N
    cursor: str = ""
    given: frozenset[str] = frozenset()
    """Which arguments were sent; the others have their defaults."""


class ListRoutes(Model):
    """Which routes, and in which order; `text` is a part of what `domain.search_text` says."""

    limit: Limit = 0
    sort_key: SortKey = SortKey.UNKNOWN
    timestamp_start: datetime | UnsetType = UNSET
    timestamp_end: datetime | UnsetType = UNSET
    include_archived: bool = False
    driver_id: Id = ""
    vehicle_id: Id = ""
    status: RouteStatus | UnsetType = UNSET
    tag: Line = ""
    text: Line = ""


class SearchDay(Model):
    """What is searched for in a day: a part of what `domain.search_text` says of a day."""

    text: Line


class FollowChanges(Model):
    """After which change to go on, by its id; without one from now on (decisions §14)."""

    unprefixed: ClassVar[frozenset[str]] = frozenset({"after"})

    after: Annotated[str, Meta(max_length=500)] = ""


class ListVehicles(Model):
    """Which vehicles, oldest first."""

    limit: Limit = 0
    include_archived: bool = False


class ListDrivers(Model):
    """Which drivers, oldest first; UNKNOWN is all but the archived."""

    limit: Limit = 0
    status: DriverStatus = DriverStatus.UNKNOWN


class ListPlans(Model):
    """Which plans, newest first."""

    limit: Limit = 0
    status: PlanStatus | UnsetType = UNSET


class AwaitPlan(Model):
    """For how many seconds to wait until the plan's status changes."""

    wait: Annotated[int, Meta(ge=0, le=30)] = 0


class ListMembers(Model):
    """Which members, oldest first."""

    limit: Limit = 0


class ListEvents(Model):
    """Which events, oldest first."""

    limit: Limit = 0
    topic: Topic | UnsetType = UNSET
    object_id: Id = ""
    timestamp_start: datetime | UnsetType = UNSET
    timestamp_end: datetime | UnsetType = UNSET


class ListHistory(Model):
    """What of a route's history, newest first; a stop's alone where one is named."""

    limit: Limit = 0
    stop_id: Id = ""


class ListSecurityEvents(Model):
    """Which security events, newest first: of a kind, and from a moment on."""

    limit: Limit = 0
    kind: SecurityEventKind | UnsetType = UNSET
    since: datetime | UnsetType = UNSET


class ListErasures(Model):
    """Erasures, newest first."""

    limit: Limit = 0


class ListMessages(Model):
    """Which messages to customers, newest first; empty asks for all."""

    limit: Limit = 0
    stop_id: Id = ""
    status: MessageStatus | UnsetType = UNSET


class SuppressedRecipients(Model):
    """Whose messages are suppressed: of one e-mail address, or of all."""

    email: Email = ""


class ListReports(Model):
    """Which reports to a shop, newest first; without a status all."""

    limit: Limit = 0
    status: ReportStatus | UnsetType = UNSET


class ListDeliveries(Model):
    """Which deliveries of a webhook, the newest event first; without a status all."""

    limit: Limit = 0
    status: DeliveryState | UnsetType = UNSET


class ListDriverActions(Model):
    """Which entries of the drivers' journals, oldest first; empty asks for all."""

    limit: Limit = 0
    route_id: Id = ""
    driver_id: Id = ""
    outcome: Outcome | UnsetType = UNSET
    resolved: bool | UnsetType = UNSET
    positions: bool | UnsetType = UNSET


def _judge_sort_key(query: Any) -> Iterator[str]:
    """Find what imported stops do not have."""
    if query.sort_key is SortKey.SCHEDULED_AT:
        yield "must be one of UNKNOWN, CREATED_AT, UPDATED_AT"


def _judge_date(query: Any) -> Iterator[str]:
    """Find a day that no month has."""
    try:
        if query.delivery_date:
            date.fromisoformat(query.delivery_date)
    except ValueError:
        yield "must be a day of the calendar, such as 2024-07-01"


class ImportStops(Model):
    """What an import asks of its stops; without a minimum, whatever was found will do."""

    minimum_match: MinimumMatch | UnsetType = UNSET
    dry_run: bool = False
    """Of a file: say what it would import, and import nothing."""

    partial: bool = False
    """Of a file: import the good rows, though others are refused."""

    strict: bool = False
    """Of a file: refuse a row for an optional cell that cannot be read."""

    delivery_date: str | UnsetType = UNSET
    """Of a file: the day of the stops that name none, such as 2024-07-01."""

    country: str = ""
    """Of a file: the country of rows that name none, such as US; without it that of the
    organization's start or time zone, else that of most rows.
    """

    column: dict[str, str] = {}  # noqa: RUF012 -- a Struct copies it
    """Of a file: under which header a field is, such as `query.column.address1=Street`."""

    ignored: dict[str, str] = {}  # noqa: RUF012 -- as above
    """Of a file: headers of columns that are not read, numbered: `query.ignored.1=Fax`."""


def _judge_first_day(query: Any) -> Iterator[str]:
    """Find a first day that is none, or none that is planned."""
    yield from _judge_day(query.from_)


def _judge_last_day(query: Any) -> Iterator[str]:
    """Find a last day that is none, or none that is planned."""
    yield from _judge_day(query.to)


def _judge_day(text: str) -> Iterator[str]:
    try:
        if text:
            parse_planned_day(text)
    except ValueError as error:
        yield str(error)


def _judge_days(query: Any) -> Iterator[str]:
    """Find a last day that is before the first."""
    if query.from_ and query.to and query.from_ > query.to:
        yield "must not be after to"


class ReportFormat(StrEnum):
    """As what a report is answered."""

    JSON = "JSON"
    CSV = "CSV"


class ReportDays(Model):
    """The days of a report, both included; without them the last 60."""

    rules: ClassVar = (
        Rule(_judge_first_day, ("from_",)),
        Rule(_judge_last_day, ("to",)),
        Rule(_judge_days, ("from_", "to")),
    )

    from_: DateText = field(name="from", default="")
    to: DateText = ""
    format: ReportFormat = ReportFormat.JSON

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class SummaryDays(ReportDays):
    """The days of a summary, both included: at most 31; without them the last 7."""


class ListImportedStops(Model):
    """Which imported stops, and in which order; here a limit of 0 is refused (decisions §5)."""

    rules: ClassVar = (
        Rule(_judge_sort_key, ("sort_key",)),
        Rule(_judge_date, ("delivery_date",)),
    )
    limit: Annotated[int, Meta(ge=1, le=200)] = 20
    sort_key: SortKey = SortKey.UNKNOWN
    timestamp_start: datetime | UnsetType = UNSET
    timestamp_end: datetime | UnsetType = UNSET
    unrouted: bool = False
    text: Line = ""
    tag: Line = ""
    delivery_date: DateText = ""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


def _judge_routed(query: Any) -> Iterator[str]:
    """Find orders that are to be on a route and on none."""
    if query.routed and query.unrouted:
        yield "must not be given beside unrouted"


MOST_ORDERS_WITH_PROGRESS = 50
"""On a page: for each, the routes that it is on are read."""


def _judge_progress(query: Any) -> Iterator[str]:
    """Find a page that is too long to say what has become of each order."""
    if query.progress and query.limit > MOST_ORDERS_WITH_PROGRESS:
        yield f"must be at most {MOST_ORDERS_WITH_PROGRESS} beside progress, not {query.limit}"


class ListStoreOrders(Model):
    """Which orders of storefronts, the one that was changed longest ago first."""

    rules: ClassVar = (
        Rule(_judge_date, ("delivery_date",)),
        Rule(_judge_routed, ("routed", "unrouted")),
        Rule(_judge_progress, ("limit", "progress")),
    )

    limit: Limit = 0
    state: StoreOrderState | UnsetType = UNSET
    delivery_date: DateText = ""
    tag: Line = ""
    location: Line = ""
    unrouted: bool = False
    routed: bool = False
    """Only those of which a route has a stop."""

    text: Line = ""
    connection_id: Id = ""
    """Only those that this storefront connection brought."""

    failed_reports: bool = False
    """Only those of which their shop would not take a report."""

    newest_first: bool = False
    """Whether the order that was changed last comes first."""

    progress: bool = False
    """Whether the answer says what has become of each order; a page has at most 50 then."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)
