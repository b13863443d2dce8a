"""Another organization's ids answer byte for byte as ids that nobody has."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.api.app import OPERATIONS
from roundsman.api.operation import Operation

HERE = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
NOBODYS = "00000000-0000-4000-8000-000000000000"

BODIES: Mapping[str, Any] = {
    "addRouteStops": [{"importedStopId": "a"}],
    "reoptimizeRoute": {},
    "dispatchRoute": {},
    "updateRoute": {"route": {"note": "n"}, "updateMask": "note"},
    "assignRouteVehicle": {"vehicleId": "veh-1"},
    "assignRouteDriver": {"driverId": "drv-1"},
    "updateRouteStartLocation": {"location": HERE, "updateMask": "coordinates"},
    "updateRouteStartTasks": [],
    "updateRouteEndLocation": {"location": HERE, "updateMask": "coordinates"},
    "updateRouteEndTasks": [],
    "updateRouteStop": {"routeStop": {"note": "n"}, "updateMask": "note"},
    "updateRouteStopLocation": {
        "location": {"plannedCoordinates": HERE["coordinates"]},
        "updateMask": "plannedCoordinates",
    },
    "updateRouteStopItems": [],
    "updateRouteStopTasks": [],
    "moveRouteStop": {"index": 0},
    "updateImportedStop": {"importedStop": {"note": "n"}, "updateMask": "note"},
    "updateImportedStopLocation": {"location": HERE, "updateMask": "coordinates"},
    "updateImportedStopItems": [],
    "updateImportedStopTasks": [],
}
"""A body that would do for each operation that has one and takes an id: a new one needs a row."""

TAKING_IDS = [operation for operation in OPERATIONS if operation.parameters]


def path(operation: Operation, ids: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: ids[match[1]], operation.path)


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize("operation", TAKING_IDS, ids=lambda operation: operation.id)
def test_a_strangers_id_is_nobodys(world: World, operation: Operation) -> None:
    stop = world.client.post("/stops/imports", [{**HERE, "clientStopId": "a"}]).json()["stops"][0]
    route = world.client.post("/routes", {"start": HERE}).json()["id"]
    on_it = world.client.post(f"/routes/{route}/stops", [{"clientStopId": "a"}]).json()["stops"][0]
    ours = {"id": stop["id"], "routeId": route, "stopId": on_it["id"]}
    nobodys = {"id": f"ist-{NOBODYS}", "routeId": f"rte-{NOBODYS}", "stopId": f"rst-{NOBODYS}"}
    body = {} if operation.body is None else {"json": BODIES[operation.id]}
    before = world.count("events")
    answers = [
        world.stranger.send(operation.method, path(operation, ids), **body)
        for ids in (ours, nobodys)
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content == answers[1].content
    assert world.count("events") == before
