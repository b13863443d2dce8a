"""A driver whose server is killed while the device sends: what was told is there once, whole."""

import hashlib
import io
import random
import signal
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

import httpx2 as httpx
from PIL import Image
from tests.torture.installation import Installation, Process, installed

from roundsman.operations.evidence_verification import verify_bundle

_PAUSE_SECONDS = 0.1
_PATIENCE_SECONDS = 180
_PER_STOP = ("BARCODE", "BARCODE", "BARCODE", "PROOF_NOTE", "STOP_DELIVERED")
_BATCH = 40
_PART_BYTES = 64 * 1024

type Json = Any


@dataclass(frozen=True, kw_only=True)
class DriverOutcome:
    """What a driver's day came to."""

    kills: int
    halved: int
    """How many batches or files were cut in the middle: some of it was kept, some not."""

    actions: int
    records: int
    uploads: int
    pictures: int
    wrong: int
    """Actions and pictures that were not there, or there twice, in what the interface shows."""

    bundles: int
    broken: int
    """Bundles of evidence that do not verify, or do not have each proof of their stop once."""

    seconds: float

    def holds(self) -> bool:
        made = (self.records, self.pictures, self.wrong, self.broken)
        return made == (self.actions, self.uploads, 0, 0) and self.bundles > 0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills while a driver sent ({self.halved} in the middle),"
            f" {self.actions} actions: {self.records} records,"
            f" {self.uploads} files: {self.pictures} pictures, {self.wrong} wrong,"
            f" {self.bundles} evidence bundles, {self.broken} broken, {self.seconds:.0f} s"
        )


@dataclass
class Phone:
    """A device that insists until it is answered, and the planner's client beside it."""

    installation: Installation
    http: httpx.Client
    api: dict[str, str] = field(default_factory=dict)
    device: dict[str, str] = field(default_factory=dict)
    told: list[Json] = field(default_factory=list)

    def insist(self, send: Callable[[], httpx.Response]) -> Json:
        """Send until there is an answer, and as often as there is room for."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            assert time.monotonic() < deadline, "nobody answers"
            try:
                answer = send()
            except httpx.TransportError:
                time.sleep(_PAUSE_SECONDS)
                continue
            if answer.status_code == 200:
                return answer.json()
            assert answer.status_code in {429, 503}, answer.text
            time.sleep(float(answer.headers.get("Retry-After", _PAUSE_SECONDS)))

    def fetch(self, url: str) -> bytes:
        """Return a file that the planner downloads."""
        answer = self.http.get(url, headers=self.api)
        assert answer.status_code == 200, answer.text
        return answer.content

    def plan(self, method: str, path: str, body: Json = None) -> Json:
        url = f"{self.installation.address}{path}"
        return self.insist(lambda: self.http.request(method, url, json=body, headers=self.api))

    def drive(self, method: str, path: str, **options: Any) -> Json:
        headers = {**self.device, **options.pop("headers", {})}
        url = f"http://127.0.0.1:{self.installation.port}/driver/api{path}"
        return self.insist(lambda: self.http.request(method, url, headers=headers, **options))

    def sign_up(self) -> None:
        client_id, secret = self.installation.client_ids[0]
        body = {"clientId": client_id, "clientSecret": secret}
        self.api["Authorization"] = (
            f"Bearer {self.plan('POST', '/authenticate', body)['accessToken']}"
        )
        invited = self.plan("POST", "/drivers", {"firstName": "Dana"})
        invite = invited["inviteUrl"].rpartition("/")[2]
        signed = self.drive("POST", f"/invites/{invite}", json={"device": "phone"})
        self.device["Authorization"] = f"Bearer {signed['token']}"
        self.driver_id = signed["driver"]["id"]

    def dispatched(self, stops: int) -> Json:
        """Return a route of so many stops, dispatched to the driver."""
        point = {"latitude": 39.29, "longitude": -76.61}
        ids = [
            stop["id"]
            for first in range(0, stops, 200)
            for stop in self.plan(
                "POST", "/stops/imports", [{"coordinates": point}] * min(200, stops - first)
            )["stops"]
        ]
        route = self.plan(
            "POST", "/routes", {"start": {"coordinates": point}, "driverId": self.driver_id}
        )["id"]
        for first in range(0, stops, 200):
            added = [{"importedStopId": id_} for id_ in ids[first : first + 200]]
            self.plan("POST", f"/routes/{route}/stops", added)
        return self.plan("POST", f"/routes/{route}/dispatch", {})

    def tell(self, kind: str, route: str, **fields: Any) -> Json:
        """Write the next entry of the journal."""
        number = len(self.told) + 1
        self.told.append(
            {
                "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.driver_id}/{number}")),
                "kind": kind,
                "sequence": number,
                "at": datetime.now(UTC).isoformat(),  # noqa: TID251 -- the device's clock
                "routeId": route,
                **fields,
            }
        )
        return self.told[-1]

    def send(self, actions: Sequence[Json]) -> list[Json]:
        return list(self.drive("POST", "/actions", json={"actions": actions})["results"])

    def upload(self, id_: str, data: bytes) -> None:
        """Send a file in parts, going on from wherever the server says that it has come."""
        sha256 = {"X-Content-SHA256": hashlib.sha256(data).hexdigest()}
        received = 0
        while received < len(data):
            part = data[received : received + _PART_BYTES]
            span = f"bytes {received}-{received + len(part) - 1}/{len(data)}"
            told = self.drive(
                "PUT",
                f"/uploads/{id_}",
                content=part,
                headers={**sha256, "Content-Range": span},
            )
            received = int(told["received"])


def strike_driver(kind: str, *, blows: int, port: int, seed: int = 1) -> DriverOutcome:
    """Kill the server in the middle of batches and of files, and compare what there is."""
    draw = random.Random(seed)  # noqa: S311 -- repeats itself on purpose
    begun = time.monotonic()
    with (
        installed(kind, port, clients=1) as installation,
        (installation.data / "log").open("wb") as log,
        httpx.Client(timeout=30) as http,
    ):
        (server,) = installation.processes(log, workers=0)
        server.start()
        phone = Phone(installation, http)
        phone.sign_up()
        stops = -(-blows * _BATCH // (2 * len(_PER_STOP)))
        routes = [phone.dispatched(stops) for _ in range(2)]
        batches = list(_batches(phone, routes))
        halved = 0
        for batch in batches:
            ids = ", ".join(f"'{action['id']}'" for action in batch)
            recorded = f"SELECT count(*) FROM driver_actions WHERE id IN ({ids})"  # noqa: S608 -- ids of our own
            is_halved = partial(_is_between, installation, recorded, len(batch))
            with _killed(server, draw.uniform(0.02, 0.4), is_halved) as halves:
                results = phone.send(batch)
            assert {one["outcome"] for one in results} == {"APPLIED"}, results
            halved += sum(halves)
        files = {str(uuid.uuid5(uuid.NAMESPACE_URL, str(n))): _noise(draw) for n in range(blows)}
        for id_, data in files.items():
            received = f"SELECT coalesce(max(received), 0) FROM uploads WHERE id = '{id_}'"  # noqa: S608 -- an id of our own
            size = len(data)
            is_halved = partial(_is_between, installation, received, size)
            with _killed(server, draw.uniform(0.02, 0.2), is_halved) as halves:
                phone.upload(id_, data)
            halved += sum(halves)
        wrong = _count_wrong(phone, routes, list(files))
        bundles = list(_are_whole(phone, routes))
        assert server.end(signal.SIGTERM) == 0, "did not end well"
        return DriverOutcome(
            kills=2 * blows,
            halved=halved,
            actions=len(phone.told),
            records=installation.count("SELECT count(*) FROM driver_actions"),
            uploads=len(files),
            pictures=installation.count("SELECT count(*) FROM attachments"),
            wrong=wrong,
            bundles=len(bundles),
            broken=bundles.count(False),
            seconds=time.monotonic() - begun,
        )


@contextmanager
def _killed(
    server: Process, after_seconds: float, is_halved: Callable[[], bool]
) -> Iterator[list[bool]]:
    """Kill the server so long after the block began, look at what it leaves, and start it again."""
    halves: list[bool] = []

    def strike() -> None:
        time.sleep(after_seconds)
        server.end(signal.SIGKILL)
        halves.append(is_halved())
        server.start()

    blow = threading.Thread(target=strike)
    blow.start()
    yield halves
    blow.join()


def _is_between(installation: Installation, query: str, whole: int) -> bool:
    return 0 < installation.count(query) < whole


def _batches(phone: Phone, routes: Sequence[Json]) -> Iterator[list[Json]]:
    """Write the journal of a day on both routes by turns, so that each action commits alone."""
    for route in routes:
        phone.send([phone.tell("ROUTE_STARTED", route["id"])])
    batch: list[Json] = []
    for pair in zip(*(route["stops"] for route in routes), strict=True):
        for number, kind in enumerate(_PER_STOP):
            for route, stop in zip(routes, pair, strict=True):
                said = {"BARCODE": {"value": str(number)}, "PROOF_NOTE": {"note": "porch"}}
                at = {"stopId": stop["id"], **said.get(kind, {})}
                batch.append(phone.tell(kind, route["id"], **at))
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _noise(draw: random.Random) -> bytes:
    """Return a picture that no compression makes small."""
    picture = Image.frombytes("RGB", (640, 480), draw.randbytes(640 * 480 * 3))
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=90)
    return written.getvalue()


def _count_wrong(phone: Phone, routes: Sequence[Json], files: Sequence[str]) -> int:
    """Compare what the interface shows with what was told."""
    where = {"stopId": routes[0]["stops"][0]["id"]}
    # The route is completed by then; proof is taken all the same.
    phone.send([phone.tell("PHOTO", routes[0]["id"], uploadId=id_, **where) for id_ in files])
    told = Counter(
        (action["stopId"], action["kind"]) for action in phone.told if "stopId" in action
    )
    shown: Counter[tuple[str, str]] = Counter()
    pictures = 0
    for route in routes:
        for stop in phone.drive("GET", f"/routes/{route['id']}")["stops"]:
            shown[stop["id"], "BARCODE"] = len(stop["proofOfDeliveryBarcodes"])
            shown[stop["id"], "PROOF_NOTE"] = int(stop["proofOfDeliveryNote"] == "porch")
            shown[stop["id"], "STOP_DELIVERED"] = int(stop["deliveryStatus"] == "DELIVERED")
            shown[stop["id"], "PHOTO"] = len(stop["proofOfDeliveryPhotos"])
            for photo in stop["proofOfDeliveryPhotos"]:
                seen = phone.http.get(photo["url"], follow_redirects=True)
                with Image.open(io.BytesIO(seen.content)) as picture:
                    pictures += picture.size == (640, 480)
    updates = phone.installation.count("SELECT count(*) FROM events WHERE topic = 'STOP_UPDATED'")
    differing = sum(abs(told[key] - shown[key]) for key in told.keys() | shown.keys())
    return differing + abs(len(files) - pictures) + abs(updates - told.total())


def _are_whole(phone: Phone, routes: Sequence[Json]) -> Iterator[bool]:
    """Yield of each stop whether its bundle verifies and has as many records as were told."""
    told = Counter(action["stopId"] for action in phone.told if "stopId" in action)
    for route in routes:
        for stop in route["stops"]:
            url = f"{phone.installation.address}/routes/{route['id']}/stops/{stop['id']}/evidence"
            verdict = verify_bundle(phone.fetch(url))
            yield not verdict.problems and verdict.records == told[stop["id"]]
