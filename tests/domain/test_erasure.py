"""Whatever is erased of a stored document, what is left of it can be read again."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from roundsman.domain.day_to_plan import DayToPlan
from roundsman.domain.erasure import (
    CustomerIdentifier,
    CustomerSearch,
    CustomerTraces,
    without_customers,
    without_proof,
)
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.plan import Plan, PlanProposal
from roundsman.domain.route import Route
from roundsman.domain.route_actions import ACTIONS
from roundsman.domain.route_stop import StoreOrderNotes
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.store_order_state import StoreOrderState

type Json = Any

STORED = (ImportedStop, StoreOrder, Route, Plan, DayToPlan, PlanProposal, *ACTIONS.values())
"""What is read with its type from the tables in which a customer may be."""

IDS = {"stopId": "rst-1", "routeStopId": "rst-1", "importedStopId": "ist-1", "storeOrderId": "1001"}
IDS_OF = {"RouteStop": "rst-1", "ImportedStop": "ist-1", "StoreOrder": "1001"}
TEXTS = (
    "gift wrap",
    "+14105550123",
    "a@b.example",
    "https://a.example/b",
    "300s",
    "America/New_York",
    "7b5f2c0e-52a6-4f0e-9d3a-0c1d2e3f4a5b",
)
TIME = "2024-07-01T06:30:00Z"


def examples(kind: inspect.Type, name: str = "") -> list[Json]:  # noqa: C901 -- a case each
    """Return values of a type: each of an enum, and each of every field of an object."""
    match kind:
        case inspect.Metadata():
            return examples(kind.type, name)
        case inspect.StructType():
            return list(_objects(kind.cls))
        case inspect.EnumType():
            return [member.value for member in kind.cls]
        case inspect.LiteralType():
            return list(kind.values)
        case inspect.StrType():
            texts = (IDS[name],) if name in IDS else TEXTS
            return [one for one in texts if re.search(kind.pattern or "", one)][:1]
        case inspect.BoolType():
            return [True, False]
        case inspect.IntType():
            return [kind.ge or 1]
        case inspect.FloatType():
            return [12.3456789 if kind.le is None else min(kind.le, 12.3456789)]
        case inspect.DateTimeType():
            return [TIME]
        case inspect.TimeDeltaType():
            return ["PT5M"]
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType():
            return [[one] for one in examples(kind.item_type, name)]
        case inspect.DictType():
            keys = examples(kind.key_type)
            return [{keys[0]: one} for one in examples(kind.value_type)]
        case inspect.UnionType():
            return [value for one in kind.types for value in examples(one, name)]
        case inspect.NoneType():
            return [None]
    return []


@cache
def _objects(cls: type) -> tuple[Json, ...]:
    kind = inspect.type_info(cls)
    assert isinstance(kind, inspect.StructType)
    fields = {one.encode_name: one for one in kind.fields}
    least: dict[str, Json] = {
        name: examples(one.type, name)[0] for name, one in fields.items() if one.required
    }
    if cls.__name__ in IDS_OF:
        least["id"] = IDS_OF[cls.__name__]
    return (
        least,
        *(
            {**least, name: value}
            for name, one in fields.items()
            if name != "id"
            for value in examples(one.type, name)
        ),
    )


def erased(document: Json) -> Json:
    traces = CustomerTraces(
        identifier=CustomerIdentifier(imported_stop_id="ist-1"),
        route_stops={"rst-1": ""},
        store_order_ids=("1001",),
    )
    return CustomerSearch(traces).scrub(document, str(document.get("id", "")))


def too_old(document: Json) -> Json:
    return without_customers(document, is_order=document.get("id") == "1001")


@pytest.mark.parametrize("erase", [erased, too_old, without_proof])
def test_every_document_can_be_read_when_its_customer_is_erased(
    erase: Callable[[Json], Json],
) -> None:
    changed = 0
    for cls in STORED:
        for document in _objects(cls):
            try:
                msgspec.convert(document, cls)
            except ValueError:
                continue  # breaks a rule of the noun, such as boxes on a text field
            left = erase(document)
            msgspec.convert(left, cls)
            changed += left != document
    assert changed > 20


def test_the_documents_of_that_test_have_every_state_of_an_order() -> None:
    def states(value: Json) -> Iterator[str]:
        if isinstance(value, Mapping):
            if isinstance(value.get("storeOrder"), Mapping):
                yield value["storeOrder"].get("state", "")
            for inner in value.values():
                yield from states(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from states(inner)

    assert set(states(list(_objects(Route)))) >= set(StoreOrderState)
    assert msgspec.convert({"state": "CANCELLED"}, StoreOrderNotes).state == "CANCELLED"


def test_the_state_of_an_order_stays_and_its_texts_go() -> None:
    order = {"orderNote": "gift wrap", "customerNote": "happy birthday", "state": "CANCELLED"}
    stop = {"id": "rst-1", "storeOrder": order}
    left = {
        "id": "rst-1",
        "storeOrder": {"orderNote": "", "customerNote": "", "state": "CANCELLED"},
    }
    for erase in (erased, too_old):
        assert erase(stop) == left


def test_of_where_an_order_goes_by_now_the_town_is_left() -> None:
    address = {"address1": "999 Newplace Ave", "city": "Towson", "zip": "21204"}
    stop = {"id": "rst-1", "storeOrder": {"orderNote": "Side door", "address": address}}
    shown = without_customers(stop)["storeOrder"]
    assert shown == {"orderNote": "", "address": {"city": "Towson"}}


@pytest.mark.parametrize(
    ("route", "is_theirs"),
    [
        ({"steps": [{"type": "STOP", "importedStopId": "ist-1"}]}, True),
        ({"steps": [{"type": "STOP", "routeStopId": "rst-1"}]}, True),
        ({"routeId": "rte-1", "steps": []}, True),
        ({"routeId": "rte-2", "steps": [{"type": "STOP", "importedStopId": "ist-2"}]}, False),
        ({"routeId": "", "steps": [{"type": "BREAK"}]}, False),
    ],
)
def test_a_line_that_leads_to_an_erased_customer_goes(route: Json, *, is_theirs: bool) -> None:
    traces = CustomerTraces(
        identifier=CustomerIdentifier(imported_stop_id="ist-1"),
        route_stops={"rst-1": "rte-1", "rst-0": ""},
    )
    drawn = {**route, "polyline": "_p~iF~ps|U"}
    (left,) = CustomerSearch(traces).scrub({"routes": [drawn]})["routes"]
    assert left == (route if is_theirs else drawn)
