"""An order that is corrected in the very moment in which it comes onto a route."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.operations.test_works_in_line import DRAFT, HERE, InterruptedRoads, Office
from tests.world import CountingIds, FixedClock

from roundsman.domain.address import Coordinates
from roundsman.domain.route import Route
from roundsman.domain.store_order import ItemSelection, StoreOrderDraft
from roundsman.domain.transfer import StopMove
from roundsman.installation import make_tools
from roundsman.operations.order_locations import relocate_order
from roundsman.operations.request import Request
from roundsman.operations.route_changes import load_route
from roundsman.operations.routes import create_route
from roundsman.operations.store_orders import add_orders, save_order
from roundsman.operations.tools import Tools
from roundsman.operations.transfers import transfer_stops
from roundsman.settings import Settings
from roundsman.storage.database import Database

pytestmark = pytest.mark.both_databases

DOOR = Coordinates(latitude=39.41, longitude=-76.59)

type Adding = Callable[[Tools, Request, str], object]


def add(tools: Tools, request: Request, route_id: str) -> object:
    return add_orders(tools, request, route_id, [("1", ItemSelection.ALL)])


def transfer(tools: Tools, request: Request, route_id: str) -> object:
    return transfer_stops(tools, request, [StopMove(store_order_id="1", to_route_id=route_id)])


@pytest.fixture
def office(database: Database, clock: FixedClock, ids: CountingIds, tmp_path: Path) -> Office:
    office = Office(make_tools(Settings(data=tmp_path), database, clock, ids))
    save_order(office.tools, office.request, "1", StoreOrderDraft(name="#1", coordinates=HERE))
    return office


def new_route(office: Office) -> str:
    return create_route(office.tools, office.request, DRAFT).route.id


def correct(office: Office, tools: Tools) -> None:
    relocate_order(tools, office.request, "1", {"coordinates": DOOR})


def once(happen: Callable[[], object]) -> InterruptedRoads:
    """Return roads during whose first answer something else happens."""
    left = [happen]
    return InterruptedRoads(lambda: left.pop()() if left else None)


def doors(office: Office, *route_ids: str) -> list[Coordinates]:
    routes: list[Route] = [load_route(office.tools, office.id, id_).route for id_ in route_ids]
    return [stop.planned_coordinates for route in routes for stop in route.stops]


@pytest.mark.parametrize("bring", [add, transfer])
def test_an_order_corrected_while_it_comes_onto_a_route_goes_to_its_new_door(
    office: Office, bring: Adding
) -> None:
    route = new_route(office)
    roads = once(lambda: correct(office, office.tools))
    bring(replace(office.tools, roads=roads), office.request, route)
    assert doors(office, route) == [DOOR]


def test_a_route_that_gets_an_order_while_it_is_corrected_follows(office: Office) -> None:
    one, other = new_route(office), new_route(office)
    add(office.tools, office.request, one)
    roads = once(lambda: add(office.tools, office.request, other))
    correct(office, replace(office.tools, roads=roads))
    assert doors(office, one, other) == [DOOR, DOOR]
