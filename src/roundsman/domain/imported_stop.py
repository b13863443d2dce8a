"""A stop as a client's system knows it, before it is on any route."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.customer_note import CustomerNote
from roundsman.domain.geocoding import Geocoding
from roundsman.domain.item import ImportedItems
from roundsman.domain.loads import Loads, Skills
from roundsman.domain.model import UNSET, Line, Model, Prose, Rule, Tags, UnsetType, obey_rules
from roundsman.domain.stop_type import StopType
from roundsman.domain.task import TaskTemplates
from roundsman.domain.time_window import Date, TimeWindow
from roundsman.kit.durations import Duration


class Attribute(Model):
    """A key and a value that mean something to the client."""

    key: Line = ""
    """Of your own choice."""

    value: Line = ""
    """Kept and shown as it is."""


type Attributes = Annotated[tuple[Attribute, ...], Meta(max_length=100)]
type TimeWindows = Annotated[tuple[TimeWindow, ...], Meta(max_length=20)]
type HttpsUrl = Annotated[
    str,
    Meta(
        pattern=r"^(https://[^\s/?#@]+([/?#]\S*)?)?$",
        max_length=2_048,
        description="an https:// URL",
    ),
]

type Priority = Annotated[int, Meta(ge=0, le=1_000_000)]


def judge_type(stop: Any) -> Iterator[str]:
    """Find a break: breaks belong to routes (decisions §8)."""
    if stop.type is StopType.BREAK:
        yield "must be UNKNOWN, DELIVERY, PICKUP or TASK; BREAK cannot be imported"


class StopDraft(Model):
    """What a client says of a stop; bounds in decisions §1."""

    rules: ClassVar = (Rule(judge_type, ("type",)),)
    server_set: ClassVar[frozenset[str]] = frozenset(
        {"id", "importedAt", "geocoding", "copiedFrom", "customerNote"}
    )

    client_stop_id: Annotated[str, Meta(max_length=255)] = ""
    """Your own id of the stop; another import with it replaces the stop."""

    address: Address | UnsetType = UNSET
    """Where it is in words; looked up where there are no coordinates."""

    contact: Contact | UnsetType = UNSET
    """Who is at the door."""

    coordinates: Coordinates | UnsetType = UNSET
    """Where it is."""

    items: ImportedItems = ()
    """The goods."""

    note: Prose = ""
    """For the driver."""

    duration: Duration | UnsetType = UNSET
    """How long service takes there; without it, the route's default does."""

    priority: Priority = 0
    """A stop with a higher one comes before others as far as windows allow; 0 is none."""

    order_name: Line = ""
    """What people call the order, such as #1001."""

    time_windows: TimeWindows = ()
    """When service may begin, in the stop's own time zone; none is any time."""

    delivery_date: Date | UnsetType = UNSET
    """The day it is to be delivered on; without one, any."""

    attributes: Attributes = ()
    """Keys and values of your own, which come back in answers and events."""

    tags: Tags = ()
    """Words of your own to find it by; webhooks can be limited to them."""

    tasks: TaskTemplates = ()
    """What the driver has to do there."""

    type: StopType = StopType.UNKNOWN
    """Whether goods are brought, fetched, or neither."""

    custom_signature_disclosure: Prose = ""
    """What the customer reads above the signature."""

    order_reference_url: HttpsUrl = ""
    loads: Loads | UnsetType = UNSET
    """What it takes of a vehicle; kilograms and items are its items', unless they are given."""

    required_skills: Skills = ()
    """What a vehicle of a plan must have to serve it."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class ImportedStop(StopDraft):
    """A stop in the organization's pool; `address` or `coordinates` were given, both are known."""

    id: str
    """Its id in the pool."""

    imported_at: datetime
    """When it was imported last."""

    geocoding: Geocoding | UnsetType = UNSET
    """Absent for a stop that a version before this one imported."""

    copied_from: str | UnsetType = UNSET
    """The imported stop that it was first copied from with its day, however often it was copied
    since; absent where it is no copy."""

    customer_note: CustomerNote | UnsetType = UNSET
    """What the customer wrote to the driver while it was on a route that it has left since."""
