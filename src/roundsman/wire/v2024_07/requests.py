"""The bodies that clients send, where they are not a noun of the domain by themselves."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.address import Location
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.item import Item
from roundsman.domain.noun import UNSET, Noun, Rule, UnsetType, obey_rules
from roundsman.domain.store_order import ItemSelection
from roundsman.wire.field_mask import UpdateShape

type StopImport = Annotated[tuple[StopDraft, ...], Meta(min_length=1, max_length=200)]
"""Specification, Limits: stops per import request."""


type ImportedItems = Annotated[tuple[Item, ...], Meta(max_length=499)]
"""Specification, Limits: items per imported stop."""

STOP_FIELDS = (
    "timeWindows",
    "attributes",
    "priority",
    "duration",
    "orderName",
    "deliveryDate",
    "type",
    "customSignatureDisclosure",
    "orderReferenceUrl",
    "note",
    "contact",
    "tags",
)
"""What an update of an imported stop may change (decisions §6)."""

IMPORTED_STOP_UPDATE = UpdateShape("importedStop", StopDraft, STOP_FIELDS)
IMPORTED_STOP_LOCATION = UpdateShape("location", Location, ("address", "coordinates"), clears=False)


class AuthenticateBody(Noun):
    """Credentials to exchange for an access token."""

    client_id: str = ""
    client_secret: str = ""


def _judge_name(stop: Any) -> Iterator[str]:
    """Find a stop without a name, or with two that could disagree."""
    if not (stop.imported_stop_id or stop.client_stop_id):
        yield "is required when clientStopId is not given"
    if stop.imported_stop_id and stop.client_stop_id:
        yield "must not be given with clientStopId"


class AddStopBody(Noun):
    """Names an imported stop, by its id or by the client's own."""

    rules: ClassVar = (Rule(_judge_name, ("imported_stop_id", "client_stop_id")),)
    imported_stop_id: Annotated[str, Meta(max_length=255)] = ""
    client_stop_id: Annotated[str, Meta(max_length=255)] = ""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


type AddStopsBody = Annotated[tuple[AddStopBody, ...], Meta(min_length=1, max_length=200)]


class ReoptimizeBody(Noun):
    """What a reoptimization leaves out of account.

    On a started route the stops that are done always stay in front.
    """

    ignore_completed_stops: bool | UnsetType = UNSET
    ignore_routing_constraints: bool = False


class DispatchBody(Noun):
    """Until when a route is dispatched; absent: 24 hours past the later of now and its end."""

    dispatched_until: datetime | UnsetType = UNSET


class AddOrderBody(Noun):
    """Names an order of the storefront, and which of its items go."""

    store_order_id: Annotated[str, Meta(min_length=1, max_length=255)]
    item_selection: ItemSelection = ItemSelection.UNKNOWN


type AddOrdersBody = Annotated[tuple[AddOrderBody, ...], Meta(min_length=1, max_length=200)]
"""Specification, Limits: orders per request."""


class EmptyBody(Noun):
    """An object without fields."""
