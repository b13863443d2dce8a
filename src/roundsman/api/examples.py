"""A body that would do for every operation that has one: in the description, and in tests."""

from collections.abc import Mapping
from typing import Any

_BALTIMORE = {"latitude": 39.2904, "longitude": -76.6122}
_TASK = {
    "title": "Before handing over",
    "type": "CHECKBOXES",
    "items": [{"title": "Seal is intact"}],
    "requiredToMarkStopAsDelivered": True,
}
_ITEM = {"name": "Box of apples", "quantity": 2, "grams": 1500, "sku": "APPLE-2"}
_ADDRESS = {"address1": "100 Light St", "city": "Baltimore", "provinceCode": "MD"}

EXAMPLES: Mapping[str, Any] = {
    "authenticate": {"clientId": "<client id>", "clientSecret": "<client secret>"},
    "importStops": [
        {
            "clientStopId": "order-1001",
            "address": _ADDRESS,
            "coordinates": _BALTIMORE,
            "contact": {"firstName": "Ann", "phone": "+14105550123"},
            "items": [_ITEM],
            "duration": "300s",
            "timeWindows": [{"start": {"hours": 9}, "end": {"hours": 12}}],
            "type": "DELIVERY",
        }
    ],
    "updateImportedStop": {
        "importedStop": {"priority": 5, "note": "Ring twice"},
        "updateMask": "priority,note",
    },
    "updateImportedStopLocation": {
        "location": {"coordinates": _BALTIMORE},
        "updateMask": "coordinates",
    },
    "updateImportedStopItems": [_ITEM],
    "updateImportedStopTasks": [_TASK],
    "createRoute": {
        "name": "Monday, north",
        "start": {"coordinates": _BALTIMORE},
        "scheduledFor": "2024-07-01T08:00:00-04:00",
        "maxDuration": "28800s",
    },
    "addRouteStops": [{"clientStopId": "order-1001"}],
    "reoptimizeRoute": {"ignoreCompletedStops": True},
    "dispatchRoute": {"dispatchedUntil": "2024-07-02T08:00:00-04:00"},
    "updateRoute": {
        "route": {"note": "Ice on the bridge", "maxStops": 40},
        "updateMask": "note,maxStops",
    },
    "assignRouteVehicle": {"vehicleId": "<vehicle id>"},
    "assignRouteDriver": {"driverId": "<driver id>"},
    "updateRouteStartLocation": {
        "location": {"coordinates": _BALTIMORE},
        "updateMask": "coordinates",
    },
    "updateRouteStartTasks": [_TASK],
    "updateRouteEndLocation": {
        "location": {"coordinates": _BALTIMORE},
        "updateMask": "coordinates",
    },
    "updateRouteEndTasks": [_TASK],
    "updateRouteStop": {
        "routeStop": {"priority": 5, "note": "Ring twice"},
        "updateMask": "priority,note",
    },
    "updateRouteStopLocation": {
        "location": {"plannedCoordinates": _BALTIMORE},
        "updateMask": "plannedCoordinates",
    },
    "updateRouteStopItems": [_ITEM],
    "updateRouteStopTasks": [_TASK],
    "moveRouteStop": {"index": 0},
}
