"""A client written from the specification's prose for the original service, pointed at ours.

It uses the standard library only and knows nothing but the base URL, the two credentials and what
the specification says: exchange, cache the token, follow cursors, retry with the same key.
"""

import json
import urllib.request
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError

import pytest
from tests.acceptance.contract.installation import BASE, Installation

MUTATING = {"POST", "PUT", "PATCH", "DELETE"}
_RETRIES = 5


class OriginalClient:
    """What an integrator has in production; only `base_url` changes."""

    def __init__(self, base_url: str, client_id: str, client_secret: str) -> None:
        self._base_url = base_url
        self._credentials = {"clientId": client_id, "clientSecret": client_secret}
        self._token = ""
        self._sent = 0

    def call(self, method: str, path: str, body: Any = None) -> Any:
        if not self._token:
            granted = self._exchange("POST", "/authenticate", self._credentials, {})
            self._token, seconds = granted["accessToken"], int(granted["expiresInSeconds"])
            assert seconds > 0
        headers = {"Authorization": f"Bearer {self._token}"}
        if method in MUTATING:
            self._sent += 1
            headers["Idempotency-Key"] = f"{method} {path} {self._sent}"
        try:
            return self._exchange(method, path, body, headers)
        except HTTPError as error:
            with error:
                told = json.loads(error.read())
            raise ValueError(error.code, told["code"], told["message"]) from error

    def _insist(self, request: urllib.request.Request) -> Any:
        for _ in range(_RETRIES):
            try:
                return self._open(request)
            except HTTPError:
                raise
            except (ConnectionError, URLError, HTTPException):
                continue  # nobody answered: the same key, the same effect
        return self._open(request)

    def _open(self, request: urllib.request.Request) -> Any:
        with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 -- our own server
            return json.load(response)

    def _exchange(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        data = None if body is None else json.dumps(body).encode()
        kind = {"Content-Type": "application/json"}
        url = self._base_url + path
        request = urllib.request.Request(url, data, {**headers, **kind}, method=method)  # noqa: S310 -- our own server
        return self._insist(request)

    def walk(self, path: str, name: str, query: str) -> list[Any]:
        page = self.call("GET", f"{path}?{query}")
        rows = list(page[name])
        while page["nextCursor"]:
            page = self.call("GET", f"{path}?cursor={page['nextCursor']}")
            rows += page[name]
        return rows


@pytest.mark.spec("What the service does")
@pytest.mark.spec("Versioning")
def test_a_client_of_the_original_service_does_its_days_work(installation: Installation) -> None:
    key = installation.new_key(installation.new_organization()["organization"])
    service = OriginalClient(installation.address + BASE, key["clientId"], key["clientSecret"])
    orders = [
        {
            "clientStopId": f"order-{number}",
            "address": {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"},
            "coordinates": {"latitude": 39.29 + 0.01 * number, "longitude": -76.61},
            "contact": {"firstName": "Ann", "phone": "+14105550123"},
            "items": [{"name": "Box", "quantity": 2, "grams": 250}],
            "type": "DELIVERY",
        }
        for number in (4, 2, 5, 1, 3)
    ]
    imported = service.call("POST", "/stops/imports", orders)["stops"]
    start = {"address": {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}}
    route = service.call("POST", "/routes", {"start": start, "end": start})
    path = f"/routes/{route['id']}"
    service.call("POST", f"{path}/stops", [{"importedStopId": stop["id"]} for stop in imported])
    best = service.call("POST", f"{path}/reoptimize", {})
    assert best["optimized"] is True
    last = best["stops"][-1]["id"]
    moved = service.call("PUT", f"{path}/stops/{last}/position", {"index": 0})
    assert (moved["stops"][0]["id"], moved["optimized"]) == (last, False)
    changed = service.call(
        "PATCH",
        f"{path}/stops/{last}",
        {
            "routeStop": {"orderReferenceUrl": "https://shop.example.com/1"},
            "updateMask": "orderReferenceUrl",
        },
    )
    assert changed["orderReferenceUrl"] == "https://shop.example.com/1"
    best = service.call("POST", f"{path}/reoptimize", {"ignoreRoutingConstraints": True})
    assert best["totalItemGrams"] == "2500"
    dispatched = service.call("POST", f"{path}/dispatch", {})
    assert service.call("GET", path) == dispatched
    assert "dispatchedUntil" not in service.call("DELETE", f"{path}/dispatch")
    with pytest.raises(ValueError, match=r"\(404, 5, "):
        service.call("GET", "/routes/rte-00000000-0000-4000-8000-000000000000")
    listed = service.walk("/stops/imports", "stops", "query.limit=2&query.sortKey=CREATED_AT")
    assert {stop["clientStopId"] for stop in listed} == {order["clientStopId"] for order in orders}
    assert [row["id"] for row in service.walk("/routes", "routes", "query.limit=1")] == [
        route["id"]
    ]
    vehicles = service.call("GET", "/vehicles?query.limit=200")
    assert vehicles == {"vehicles": [], "nextCursor": ""}
