"""A route on which every change changes something, and a request for each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.api.conftest import World
from tests.api.test_routes import add, create_route, import_line

from roundsman.api.app import OPERATIONS
from roundsman.api.examples import EXAMPLES
from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.vehicle import Vehicle
from roundsman.endpoints.operation import Operation
from roundsman.storage.drivers import find_driver, insert_driver, save_driver
from roundsman.storage.vehicles import save_vehicle

ELSEWHERE = {"latitude": 39.2, "longitude": -76.7}
BESIDE = {
    "previewRoute",
    "revokeTrackingLink",
    "resyncRouteStopLocation",
    "resyncRouteStopWindows",
}
"""Changes nothing, changes something about a route that is not in it, and is of stops of orders
alone (`test_order_locations.py`, `test_order_times.py`).
"""

CHANGING = [
    operation
    for operation in OPERATIONS
    if operation.changes
    and operation.path.startswith("/routes/{routeId}")
    and operation.id not in BESIDE
]

BODIES: Mapping[str, Any] = {
    "addRouteStops": [{"clientStopId": "spare"}],
    "addStoreOrders": [{"storeOrderId": "spare"}],
    "updateRoute": {"route": {"note": "other"}, "updateMask": "note"},
    "assignRouteVehicle": {"vehicleId": "veh-2"},
    "assignRouteDriver": {"driverId": "drv-2"},
    "updateRouteStartLocation": {
        "location": {"coordinates": ELSEWHERE},
        "updateMask": "coordinates",
    },
    "updateRouteStartTasks": [{"title": "t"}],
    "updateRouteEndLocation": {
        "location": {"coordinates": ELSEWHERE},
        "updateMask": "coordinates",
    },
    "updateRouteEndTasks": [{"title": "t"}],
    "updateRouteStop": {"routeStop": {"note": "other"}, "updateMask": "note"},
    "updateRouteStopLocation": {
        "location": {"plannedCoordinates": ELSEWHERE},
        "updateMask": "plannedCoordinates",
    },
    "updateRouteStopItems": [{"name": "i", "quantity": 2}],
    "updateRouteStopTasks": [{"title": "t"}],
    "moveRouteStop": {"index": 1},
}
"""What to send where an operation needs a body; a new operation needs a row."""


@dataclass
class BusyRoute:
    """A route with an end, a crew and two stops in an order that is not the best."""

    world: World
    id: str
    stops: list[str]

    def send(self, operation: Operation, **options: Any) -> Any:
        """Send the request that changes something."""
        ids = {"routeId": self.id, "stopId": self.stops[0]}
        path = re.sub(r"\{(\w+)\}", lambda match: ids[match[1]], operation.path)
        bodies = {**BODIES, "orderRouteStops": {"stopIds": self.stops[::-1]}}
        if operation.id in bodies:
            options["json"] = bodies[operation.id]
        return self.world.client.send(operation.method, path, **options)

    def put(self, path: str, body: Any) -> Any:
        return self.world.client.send("PUT", f"/routes/{self.id}{path}", json=body)

    def patch(self, path: str, body: Any) -> Any:
        return self.world.client.send("PATCH", f"/routes/{self.id}{path}", json=body)

    def delete(self, path: str = "") -> Any:
        return self.world.client.send("DELETE", f"/routes/{self.id}{path}")

    def post(self, path: str, body: Any = None) -> Any:
        return self.world.client.post(f"/routes/{self.id}{path}", body)

    def read(self) -> Any:
        return self.world.client.get(f"/routes/{self.id}").json()

    def reoptimized(self) -> Any:
        route = self.post("/reoptimize", {}).json()
        assert route["optimized"] is True
        self.stops = [stop["id"] for stop in route["stops"]]
        del route["moved"]  # of the answer, not of the route
        return route


def hire(world: World, driver_id: str, status: str = "ACTIVE", name: str = "Dana") -> None:
    """Let a driver be in the organization, with this status now."""
    driver = Driver(id=driver_id, first_name=name, status=DriverStatus(status))
    slug = world.credentials.organization_id
    with world.tools.database.writing() as tx:
        if find_driver(tx, slug, driver_id) is None:
            insert_driver(tx, slug, driver, world.clock.now())
        else:
            save_driver(tx, slug, driver)


def buy(world: World, vehicle_id: str, *, is_archived: bool = False) -> None:
    """Let a vehicle be in the organization."""
    vehicle = Vehicle(
        id=vehicle_id, name="Van", is_archived=is_archived, created_timestamp=world.clock.now()
    )
    with world.tools.database.writing() as tx:
        save_vehicle(tx, world.credentials.organization_id, vehicle)


def busy_route(world: World, **fields: Any) -> BusyRoute:
    for number in (1, 2):
        hire(world, f"drv-{number}")
        buy(world, f"veh-{number}")
    import_line(world, 5, clientStopId="spare")
    world.client.send("PUT", "/store-orders/spare", json=EXAMPLES["saveStoreOrder"])
    options = {
        "end": {"coordinates": {"latitude": 39.29, "longitude": -76.57}},
        "vehicleId": "veh-1",
        "driverId": "drv-1",
        "scheduledFor": "2024-07-02T08:00:00Z",
        **fields,
    }
    route = create_route(world, **options)
    added = add(world, route, import_line(world, 2, 1, items=[{"quantity": 3, "grams": 200}]))
    return BusyRoute(world, route, [stop["id"] for stop in added.json()["stops"]])
