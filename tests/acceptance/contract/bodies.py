"""Bodies that the tests send, and the few steps with which most of their worlds begin."""

from typing import Any

from tests.acceptance.contract.installation import Client

HERE = {"latitude": 39.29, "longitude": -76.61}
BALTIMORE = {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}
BERLIN = {"city": "Berlin", "countryCode": "DE"}
NOWHERE = {"address1": "1 Main St", "city": "Qwxzvbnmville", "countryCode": "US"}
UNKNOWN_UUID = "00000000-0000-4000-8000-000000000000"
IN_JULY = "2024-07-02T12:00:00Z"

TASK = {
    "title": "Check the seal",
    "type": "CHECKBOXES",
    "items": [{"title": "Seal is whole"}, {"title": "Seal is ours"}],
    "requiredToMarkStopAsDelivered": True,
    "requiredToMarkStopAsAttempted": False,
}
FULL_STOP: dict[str, Any] = {
    "clientStopId": "order 1/Ω",
    "address": {
        "address1": "100 N Holliday St",
        "address2": "Floor 2",
        "city": "Baltimore",
        "provinceCode": "MD",
        "countryCode": "US",
        "zip": "21202",
    },
    "contact": {
        "firstName": "Ann",
        "lastName": "Lee",
        "company": "Acme",
        "phone": "+14105550123",
        "email": "ann@example.com",
    },
    "coordinates": HERE,
    "items": [{"name": "Box", "quantity": 3, "grams": 700, "sku": "B-1"}],
    "note": "ring twice",
    "duration": "300s",
    "priority": 7,
    "orderName": "#1001",
    "timeWindows": [
        {
            "start": {"hours": 9, "minutes": 0, "seconds": 0},
            "end": {"hours": 12, "minutes": 30, "seconds": 0},
        }
    ],
    "deliveryDate": {"year": 2024, "month": 7, "day": 2},
    "attributes": [{"key": "zone", "value": "north"}],
    "tags": ["fragile"],
    "tasks": [TASK],
    "type": "DELIVERY",
    "customSignatureDisclosure": "I agree",
    "orderReferenceUrl": "https://shop.example.com/orders/1001",
    "loads": {"pallets": 0.5},
    "requiredSkills": ["fridge"],
}


def at(offset: float) -> dict[str, float]:
    """Return a place north of the depot, farther the larger the offset."""
    return {"latitude": round(39.29 + offset, 6), "longitude": -76.61}


def new_stops(client: Client, count: int, **fields: Any) -> list[Any]:
    """Import stops that lie on a line going north and return them."""
    body = [{"coordinates": at(0.01 * (n + 1)), **fields} for n in range(count)]
    stops: list[Any] = client.post("/stops/imports", body)["stops"]
    return stops


def new_route(client: Client, *stops: Any, **fields: Any) -> Any:
    """Create a route that starts at the depot and holds the given imported stops."""
    route = client.post("/routes", {"start": {"coordinates": HERE}, **fields})
    if not stops:
        return route
    return client.post(
        f"/routes/{route['id']}/stops", [{"importedStopId": stop["id"]} for stop in stops]
    )


def new_driver(client: Client, *, active: bool = True) -> Any:
    """Invite a driver and, where asked, activate them."""
    driver = client.post("/drivers", {"firstName": "Dana", "lastName": "Diaz"})["driver"]
    if active:
        return client.post(f"/drivers/{driver['id']}/activate")
    return driver


def topics(client: Client, after: int = 0) -> list[str]:
    """Return the topics of what happened, oldest first, without the first so many."""
    events = client.get("/events", limit=200)["events"]
    return [event["topic"] for event in events][after:]
