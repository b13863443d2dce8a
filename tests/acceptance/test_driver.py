"""A driver's day against the real process: sign up, drive, prove, complete; offline for hours."""

import hashlib
import http.client
import json
import math
import os
import random
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from tests.acceptance.test_main_job import roundsman, serving
from tests.acceptance.under_fire.battle import battle, open_client
from tests.images.test_decoder_process import with_exif

ACTIONS = int(os.environ.get("ROUNDSMAN_REPLAY_ACTIONS", "120"))
PER_STOP = 10
CUT = 0.3
TASKS = [
    {"title": "Seal", "type": "TEXT_INPUT", "requiredToMarkStopAsDelivered": True},
    {"title": "Checks", "type": "CHECKBOXES", "items": [{"title": "cold"}]},
]
UPLOAD = "0b7ac1b0-5a55-4a37-9d7a-6a2b8a5a9a01"
HERE = {"latitude": 39.3, "longitude": -76.6}


@dataclass
class Day:
    """A running installation, its interface and a signed-up driver."""

    address: str
    api: httpx.Client
    device: httpx.Client
    driver_id: str
    token: str
    organization: str
    told: int = 0

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def action(self, kind: str, route: str, **fields: Any) -> dict[str, Any]:
        self.told += 1
        return {
            "id": f"00000000-0000-4000-8000-{self.told:012d}",
            "kind": kind,
            "sequence": self.told,
            "at": datetime.now(UTC).isoformat(),  # noqa: TID251 -- the device's clock
            "routeId": route,
            **fields,
        }

    def send(self, *actions: dict[str, Any]) -> list[Any]:
        """Send a batch; wait when the server says that it is too much."""
        url = f"{self.address}/driver/api/actions"
        while True:
            response = self.device.post(url, json={"actions": actions}, headers=self.headers())
            if response.status_code != 429:
                assert response.status_code == 200, response.text
                return list(response.json()["results"])
            _wait(response.headers["Retry-After"])

    def send_and_lose_the_answer(self, *actions: dict[str, Any]) -> None:
        """Send a batch and hang up as soon as the answer begins: it is committed by then."""
        host = urlsplit(self.address).netloc
        body = json.dumps({"actions": actions})
        begun = b"HTTP/1.1 429"
        while begun.endswith(b"429"):
            connection = http.client.HTTPConnection(host, timeout=60)
            connection.request("POST", "/driver/api/actions", body, self.headers())
            begun = self._read_begin(connection.sock, len(begun))
            connection.close()
        # Under fire the answer may be lost before it begins; all of these are sent again anyway.
        assert begun == b"HTTP/1.1 200" or (battle() is not None and not begun)

    @staticmethod
    def _read_begin(connection: socket.socket, size: int) -> bytes:
        try:
            return connection.recv(size)
        except ConnectionError:
            return b""

    def dispatch(self, stops: int, **fields: Any) -> Any:
        """Dispatch a route of so many stops to the driver."""
        imported = [
            {"coordinates": {"latitude": 39.29, "longitude": -76.6 + number / 1_000}}
            for number in range(stops)
        ]
        ids = self.post("/stops/imports", imported)["stops"]
        start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
        route = self.post(
            "/routes",
            {"start": start, "driverId": self.driver_id, "stopTasks": TASKS, **fields},
        )
        path = f"/routes/{route['id']}"
        self.post(f"{path}/stops", [{"importedStopId": stop["id"]} for stop in ids])
        return self.post(f"{path}/dispatch", {})

    def post(self, path: str, body: Any) -> Any:
        response = self.api.post(path, json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def get(self, path: str) -> Any:
        response = self.device.get(f"{self.address}/driver/api{path}", headers=self.headers())
        assert response.status_code == 200, response.text
        return response.json()

    def pages(self, path: str, name: str) -> Iterator[Any]:
        """Yield every row of a list."""
        page = self.api.get(f"{path}?query.limit=200").json()
        yield from page[name]
        while page["nextCursor"]:
            page = self.api.get(f"{path}?cursor={page['nextCursor']}").json()
            yield from page[name]


def _wait(seconds: str) -> None:
    # The server's own clock decides, so there is no other clock to move.
    time.sleep(float(seconds))


@contextmanager
def signed_up(data: Path, url: str, **environment: str) -> Iterator[Day]:
    made = roundsman(data, url, "organization", "create", "Acme Foods")
    slug = ("--organization", made["organization"])
    key = roundsman(data, url, "credentials", "create", *slug, "--email", "dev@example.com")
    with (
        serving(data, url, **environment) as address,
        open_client() as api,
        open_client() as device,
    ):
        api.base_url = httpx.URL(f"{address}/api/2024-07")
        secret = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
        token = api.post("/authenticate", json=secret).json()["accessToken"]
        api.headers["Authorization"] = f"Bearer {token}"
        invited = api.post("/drivers", json={"firstName": "Dana"}).json()
        assert "Accept" in device.get(invited["inviteUrl"]).text
        invite = invited["inviteUrl"].replace("/driver/invite/", "/driver/api/invites/")
        answer = device.post(invite, json={"device": "phone"}).json()
        driver_id, token = answer["driver"]["id"], answer["token"]
        yield Day(address, api, device, driver_id, token, made["organization"])


@pytest.mark.spec("decisions §9")
def test_a_driver_signs_up_and_delivers_with_proof(tmp_path: Path, database_url: str) -> None:
    with signed_up(tmp_path, database_url) as day:
        route = day.dispatch(1)
        (listed,) = day.get("/routes")["routes"]
        id_, stop = route["id"], route["stops"][0]
        assert (listed["id"], listed["claimable"]) == (id_, False)
        photo = with_exif(6)
        day.send(
            day.action("ROUTE_STARTED", id_),
            day.action("PHOTO", id_, stopId=stop["id"], uploadId=UPLOAD),
            day.action("TASK_COMPLETED", id_, taskId=stop["tasks"][0]["id"], value="S-1"),
            day.action("STOP_DELIVERED", id_, stopId=stop["id"], position=HERE),
        )
        uploaded = day.device.put(
            f"{day.address}/driver/api/uploads/{UPLOAD}",
            content=photo,
            headers={**day.headers(), "X-Content-SHA256": hashlib.sha256(photo).hexdigest()},
        )
        assert uploaded.json()["complete"] is True
        driven = day.get(f"/routes/{id_}")["stops"][0]
        assert (driven["deliveryStatus"], driven["deliveredCoordinates"]) == ("DELIVERED", HERE)
        shown = day.device.get(driven["proofOfDeliveryPhotos"][0]["url"], follow_redirects=True)
        assert shown.headers["content-type"] == "image/jpeg"
        assert b"SecretMaker" not in shown.content
        told = Counter(event["topic"] for event in day.pages("/events", "events"))
        assert told == {
            "DRIVER_ADDED": 1,
            "IMPORTED_STOP_CREATED": 1,
            "ROUTE_CREATED": 1,
            "ROUTE_UPDATED": 1,
            "ROUTE_DISPATCHED": 1,
            "ROUTE_STARTED": 1,
            "STOP_STATUS_UPDATED": 2,
            "STOP_UPDATED": 3,
            "ROUTE_COMPLETED": 1,
        }


def told_offline(day: Day, route: Any) -> list[dict[str, Any]]:
    """Write down ten actions a stop, and the start."""
    id_ = route["id"]
    told = [day.action("ROUTE_STARTED", id_)]
    for stop in route["stops"]:
        at = {"stopId": stop["id"]}
        seal, checks = stop["tasks"]
        told += [
            day.action("POSITION", id_, position=stop["plannedCoordinates"]),
            day.action("TASK_COMPLETED", id_, taskId=seal["id"], value="S"),
            day.action(
                "TASK_ITEM_COMPLETED",
                id_,
                taskId=checks["id"],
                itemId=checks["items"][0]["id"],
            ),
            *(day.action("BARCODE", id_, value=str(code), **at) for code in range(4)),
            day.action("BARCODE_ISSUE", id_, reason="OTHER", **at),
            day.action("PROOF_NOTE", id_, note="porch", **at),
            day.action("STOP_DELIVERED", id_, **at),
        ]
    return told[:ACTIONS]


@pytest.mark.full
@pytest.mark.spec("decisions §9")
def test_offline_actions_replayed_out_of_order_are_recorded_once(
    tmp_path: Path, database_url: str
) -> None:
    draw = random.Random(11)  # noqa: S311 -- repeats itself on purpose
    with signed_up(tmp_path, database_url) as day:
        route = day.dispatch(ACTIONS // PER_STOP)
        told = told_offline(day, route)
        batches = []
        shuffled = draw.sample(told, len(told))
        while shuffled:
            size = draw.randint(1, 20)
            batches.append(shuffled[:size])
            shuffled = shuffled[size:]
        cut = draw.sample(batches, math.ceil(CUT * len(batches)))
        for batch in batches:
            (day.send_and_lose_the_answer if batch in cut else day.send)(*batch)
        for batch in draw.sample(cut, len(cut)):
            day.send(*batch)
        entries = list(day.pages("/driver-actions", "actions"))
        print(f"{len(told)} told, {len(cut)} of {len(batches)} cut: {len(entries)} records")  # noqa: T201 -- the figure
        kept = {entry["id"] for entry in entries}
        positions = {action["id"] for action in told if action["kind"] == "POSITION"}
        assert len(entries) == len(kept)
        assert {action["id"] for action in told} - positions <= kept
        assert kept & positions == set(), "these are on the track"
        track = day.api.get(f"/routes/{route['id']}/track").json()
        assert track["points"]
        assert {entry["outcome"] for entry in entries} == {"APPLIED"}
        stops = day.get(f"/routes/{route['id']}")["stops"]
        delivered = sum(1 for action in told if action["kind"] == "STOP_DELIVERED")
        assert Counter(stop["deliveryStatus"] for stop in stops)["DELIVERED"] == delivered
        assert sum(len(stop["proofOfDeliveryBarcodes"]) for stop in stops) == sum(
            1 for action in told if action["kind"] == "BARCODE"
        )
