"""A stop as a client's system knows it, before it is on any route."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.geocoding import Geocoding
from roundsman.domain.item import Item
from roundsman.domain.loads import Loads, Skills
from roundsman.domain.model import UNSET, Line, Model, Prose, Rule, Tags, UnsetType, obey_rules
from roundsman.domain.stop_type import StopType
from roundsman.domain.task import TaskTemplates
from roundsman.domain.time_window import Date, TimeWindow
from roundsman.kit.durations import Duration


class Attribute(Model):
    """A key and a value that mean something to the client."""

    key: Line = ""
    value: Line = ""


type TimeWindows = Annotated[tuple[TimeWindow, ...], Meta(max_length=20)]
type HttpsUrl = Annotated[
    str,
    Meta(
        pattern=r"^(https://[^\s/?#@]+([/?#]\S*)?)?$",
        max_length=2_048,
        description="an https:// URL",
    ),
]


def _judge_type(stop: Any) -> Iterator[str]:
    """Find a break: breaks belong to routes (decisions §8)."""
    if stop.type is StopType.BREAK:
        yield "must be UNKNOWN, DELIVERY, PICKUP or TASK; BREAK cannot be imported"


class StopDraft(Model):
    """What a client says of a stop; bounds in decisions §1."""

    rules: ClassVar = (Rule(_judge_type, ("type",)),)
    server_set: ClassVar[frozenset[str]] = frozenset({"id", "importedAt", "geocoding"})

    client_stop_id: Annotated[str, Meta(max_length=255)] = ""
    address: Address | UnsetType = UNSET
    contact: Contact | UnsetType = UNSET
    coordinates: Coordinates | UnsetType = UNSET
    items: Annotated[tuple[Item, ...], Meta(max_length=499)] = ()
    note: Prose = ""
    duration: Duration | UnsetType = UNSET
    priority: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    order_name: Line = ""
    time_windows: TimeWindows = ()
    delivery_date: Date | UnsetType = UNSET
    attributes: Annotated[tuple[Attribute, ...], Meta(max_length=100)] = ()
    tags: Tags = ()
    tasks: TaskTemplates = ()
    type: StopType = StopType.UNKNOWN
    custom_signature_disclosure: Prose = ""
    order_reference_url: HttpsUrl = ""
    loads: Loads | UnsetType = UNSET
    """What it takes of a vehicle; kilograms and items are its items', unless they are given."""

    required_skills: Skills = ()

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class ImportedStop(StopDraft):
    """A stop in the organization's pool; `address` or `coordinates` were given, both are known."""

    id: str
    imported_at: datetime
    geocoding: Geocoding | UnsetType = UNSET
    """Absent for a stop that a version before this one imported."""
