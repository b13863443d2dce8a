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
    "signOut": {},
    "requestErasure": {"phone": "+14105550123", "reason": "asked by letter"},
    "updateOrganization": {
        "organization": {"phone": "+14105550100", "color": "#0f766e", "language": "en"},
        "updateMask": "phone,color,language",
    },
    "updateMessageSettings": {
        "messages": {
            "rules": [{"moment": "ON_THE_WAY", "channel": "EMAIL", "enabled": True}],
            "templates": [
                {
                    "moment": "ON_THE_WAY",
                    "channel": "SMS",
                    "language": "en",
                    "text": "{organization}: {order} comes {window}. {link}",
                }
            ],
            "quietHours": {"start": "21:00", "end": "08:00"},
            "smsGateway": {
                "method": "POST",
                "url": "https://sms.example.com/messages",
                "headers": {"Authorization": "Bearer secret"},
                "body": '{"to": "{to}", "text": "{text}", "reference": "{id}"}',
            },
        },
        "updateMask": "rules,templates,quietHours,smsGateway",
    },
    "previewMessage": {"moment": "ON_THE_WAY", "channel": "SMS", "language": "de"},
    "testMessage": {"moment": "NEXT", "channel": "EMAIL", "to": "ann@example.com"},
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
    "previewRoute": {"scheduledFor": "2024-07-01T10:00:00-04:00"},
    "findInsertions": {
        "stops": [{"importedStopId": "ist-00000000-0000-4000-8000-000000000000"}],
        "routeIds": ["rte-00000000-0000-4000-8000-000000000000"],
    },
    "createPlan": {
        "stops": [{"clientStopId": "order-1001", "loads": {"pallets": 0.5}}],
        "vehicles": [
            {
                "id": "van",
                "count": 2,
                "start": {"coordinates": _BALTIMORE},
                "end": {"coordinates": _BALTIMORE},
                "shift": {"start": "2024-07-01T08:00:00-04:00", "end": "2024-07-01T16:00:00-04:00"},
                "capacities": {"pallets": 6},
            }
        ],
        "options": {"effort": "QUICK"},
    },
    "solveVroomProblem": {
        "jobs": [
            {"id": 1, "service": 300, "delivery": [1], "location": [-76.61, 39.3], "skills": [14]},
            {
                "id": 2,
                "delivery": [1],
                "location": [-76.6, 39.28],
                "time_windows": [[32400, 36000]],
            },
        ],
        "vehicles": [
            {
                "id": 1,
                "start": [-76.61, 39.29],
                "end": [-76.61, 39.29],
                "capacity": [4],
                "skills": [14],
                "time_window": [28800, 43200],
            }
        ],
    },
    "cancelPlan": {},
    "comparePlan": {"with": ["CURRENT"]},
    "applyPlan": {"routeDetails": {"tags": ["monday"]}},
    "copyDay": {
        "from": "2024-07-01",
        "routeIds": ["rte-00000000-0000-4000-8000-000000000000"],
    },
    "transferStops": {
        "moves": [
            {
                "stopId": "rst-00000000-0000-4000-8000-000000000000",
                "toRouteId": "rte-00000000-0000-4000-8000-000000000000",
                "index": 0,
            }
        ]
    },
    "dispatchRoute": {"dispatchedUntil": "2024-07-02T08:00:00-04:00"},
    "updateRoute": {"route": {"note": "Use the back gate"}, "updateMask": "note"},
    "assignRouteVehicle": {"vehicleId": "veh-00000000-0000-4000-8000-000000000000"},
    "assignRouteDriver": {"driverId": "drv-00000000-0000-4000-8000-000000000000"},
    "updateRouteStartLocation": {
        "location": {"coordinates": _BALTIMORE},
        "updateMask": "coordinates",
    },
    "updateRouteEndLocation": {
        "location": {"coordinates": _BALTIMORE},
        "updateMask": "coordinates",
    },
    "updateRouteStartTasks": [_TASK],
    "updateRouteEndTasks": [_TASK],
    "moveRouteStop": {"index": 0},
    "orderRouteStops": {
        "stopIds": [
            "rst-00000000-0000-4000-8000-000000000002",
            "rst-00000000-0000-4000-8000-000000000001",
        ]
    },
    "updateRouteStop": {"routeStop": {"duration": "600s"}, "updateMask": "duration"},
    "updateRouteStopLocation": {
        "location": {"plannedCoordinates": _BALTIMORE},
        "updateMask": "plannedCoordinates",
    },
    "updateRouteStopItems": [_ITEM],
    "updateRouteStopTasks": [_TASK],
    "addVehicle": {"name": "Van 1", "make": "Ford", "year": 2021, "type": "CARGO_VAN"},
    "updateVehicle": {"vehicle": {"license": "MD 123"}, "updateMask": "license"},
    "addDriver": {"firstName": "Dana", "lastName": "Doe", "phone": "+14105550123"},
    "createCredentials": {"scopes": ["READ"]},
    "addMember": {"email": "ann@example.com", "name": "Ann Ames", "role": "PLANNER"},
    "updateMember": {"member": {"role": "VIEWER"}, "updateMask": "role"},
    "updateDriver": {"driver": {"email": "dana@example.com"}, "updateMask": "email"},
    "addWebhook": {
        "url": "https://example.com/hooks",
        "topics": ["ROUTE_COMPLETED", "STOP_STATUS_UPDATED"],
        "payload": "THIN",
        "filter": {"tags": ["wholesale"]},
    },
    "replayWebhookEvents": {"since": "2024-07-01T08:00:00Z"},
    "saveStoreOrder": {
        "name": "#1001",
        "address": _ADDRESS,
        "items": [{**_ITEM, "fulfilledQuantity": 1}],
        "orderNote": "Ring twice",
        "deliveryDate": {"year": 2024, "month": 7, "day": 2},
        "timeWindows": [{"start": {"hours": 9}, "end": {"hours": 12}}],
    },
    "addStorefront": {
        "platform": "MEDUSA",
        "label": "Farm shop",
        "address": "https://shop.example.com",
        "prefix": "",
        "credentials": {"apiKey": "sk_of_the_shop", "hookSecret": "as_in_our_plugin"},
        "settings": {"deliveryDate": ["Delivery Date"], "timeWindow": ["Delivery Time"]},
    },
    "updateStorefront": {
        "storefront": {"label": "Farm shop, north", "settings": {"removeCancelled": True}},
        "updateMask": "label,settings",
    },
    "replaceStorefrontCredentials": {"credentials": {"apiKey": "sk_made_anew"}},
    "checkStorefront": {},
    "syncStorefront": {"full": True},
    "pauseStorefront": {},
    "resumeStorefront": {},
    "retryStorefrontReport": {},
    "addStoreOrders": [{"storeOrderId": "1001", "itemSelection": "PREFER_UNFULFILLED"}],
    "resyncStoreOrders": {},
    "updateStoreOrderLocation": {
        "location": {"coordinates": _BALTIMORE},
        "updateMask": "coordinates",
    },
    "resyncRouteStopLocation": {},
    "resyncRouteStopWindows": {},
}
