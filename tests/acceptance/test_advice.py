"""A day that cannot be met, over HTTP against the real process: explained, changed, driven."""

from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.test_main_job import roundsman, serving
from tests.acceptance.under_fire.battle import open_client

START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


def stop(name: str, north: float, closes_after: int) -> dict[str, Any]:
    """A stop north of the start that is served from 7:00 until so many minutes after 8:00."""
    return {
        "clientStopId": name,
        "orderName": name,
        "coordinates": {"latitude": 39.29 + north, "longitude": -76.61},
        "timeWindows": [{"start": {"hours": 7}, "end": {"hours": 8, "minutes": closes_after}}],
        "duration": "300s",
    }


@pytest.mark.full
@pytest.mark.spec("decisions §7")
def test_every_change_that_is_offered_works(  # noqa: PLR0915 -- a day is one story
    tmp_path: Path, database_url: str
) -> None:
    slug = roundsman(tmp_path, database_url, "organization", "create", "Acme Foods")
    made = ("credentials", "create", "--organization", slug["organization"])
    key = roundsman(tmp_path, database_url, *made, "--email", "dev@example.com")
    with (
        serving(tmp_path, database_url) as address,
        open_client(base_url=f"{address}/api/2024-07") as http,
    ):

        def send(method: str, path: str, body: Any = None) -> Any:
            response = http.request(method, path, json=body)
            assert response.status_code == 200, response.text
            return response.json()

        def make_route() -> Any:
            options = {
                "start": START,
                "scheduledFor": "2124-07-03T12:00:00Z",
                "maxDuration": "5400s",
            }
            route = send("POST", "/routes", options)
            added = [{"clientStopId": name} for name in ("north", "south", "far")]
            return send("POST", f"/routes/{route['id']}/stops", added)

        login = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
        token = send("POST", "/authenticate", login)["accessToken"]
        http.headers["Authorization"] = f"Bearer {token}"
        send("POST", "/stops/imports", [stop("north", 0.05, 20), stop("south", -0.05, 25)])
        far = {**stop("far", -0.1, 0), "timeWindows": []}
        send("POST", "/stops/imports", [far])
        route = make_route()
        refused = http.post(f"/routes/{route['id']}/reoptimize", json={})
        assert (refused.status_code, refused.json()["code"]) == (400, 9)
        failure, advice = refused.json()["details"]
        assert [one["type"] for one in failure["violations"]] == ["timeWindows"]
        assert "cannot both be met" in advice["conflicts"][0]["description"]
        assert send("GET", f"/routes/{route['id']}") == route
        names = {one["id"]: one["orderName"] for one in route["stops"]}
        kinds = {change["kind"] for change in advice["changes"]}
        assert kinds == {"timeWindows", "scheduledFor", "removeStop"}
        for change in advice["changes"]:
            fresh = make_route()
            ids = {one["orderName"]: one["id"] for one in fresh["stops"]}
            path = f"/routes/{fresh['id']}"
            send(*request_for(path, ids.get(names.get(change["subject"], ""), ""), change))
            assert send("POST", f"{path}/reoptimize", {})["optimized"] is True


def request_for(route: str, stop: str, change: Any) -> tuple[str, str, Any]:
    """Return the request that makes a change."""
    field = change["kind"]
    if field == "removeStop":
        return "DELETE", f"{route}/stops/{stop}", None
    if field == "timeWindows":
        body = {"routeStop": {field: change[field]}, "updateMask": field}
        return "PATCH", f"{route}/stops/{stop}", body
    return "PATCH", route, {"route": {field: change[field]}, "updateMask": field}
