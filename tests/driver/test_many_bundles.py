"""Bundles of evidence of very many stops: each verifies, and whatever is done to one is named."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import create_route
from tests.driver.device import Device, sign_up
from tests.driver.test_evidence import Files, fetch, pack, problems, unpack

from roundsman.endpoints.application import Application

type Json = Any

FLIPS = 30
"""Of one bundle, at bytes that are drawn; every byte of one is flipped in `test_evidence`."""

STOP = {"coordinates": {"latitude": 39.3, "longitude": -76.6}}


def drive_day(world: World, device: Device, chance: random.Random, stops: int) -> list[str]:
    """Deliver a route, some proof at each stop, in an order that mixes the stops' records."""
    imported = world.client.post("/stops/imports", [STOP] * stops).json()["stops"]
    device.route_id = create_route(
        world, scheduledFor="2024-07-01T06:30:00Z", driverId=device.driver_id
    )
    path = f"/routes/{device.route_id}"
    added = [{"importedStopId": one["id"]} for one in imported]
    assert world.client.post(f"{path}/stops", added).status_code == 200
    assert world.client.post(f"{path}/dispatch", {}).status_code == 200
    world.clock.advance(seconds=30)
    device.done("ROUTE_STARTED")
    stop_ids = [one["id"] for one in device.route()["stops"]]
    said = [
        device.action("PROOF_NOTE", stopId=stop_id, note=f"note {number} \N{SNOWMAN}")
        for stop_id in stop_ids
        for number in range(chance.randint(1, 3))
    ]
    said += [
        device.action("BARCODE", stopId=stop_id, value="4006381333931") for stop_id in stop_ids
    ]
    chance.shuffle(said)
    said += [device.action("STOP_DELIVERED", stopId=stop_id) for stop_id in stop_ids]
    for number, action in enumerate(said, device.told + 1):
        action["sequence"] = number
    device.told += len(said)
    for first in range(0, len(said), 100):
        results = device.results(*said[first : first + 100])
        assert {one["outcome"] for one in results} == {"APPLIED"}
    return stop_ids


def with_records(files: Files, lines: list[bytes]) -> Files:
    return {**files, "records.jsonl": b"".join(lines)}


def with_entries(files: Files, entries: list[Json]) -> Files:
    chain = {**json.loads(files["chain.json"]), "entries": entries}
    text = json.dumps(chain, separators=(",", ":"), sort_keys=True) + "\n"
    return {**files, "chain.json": text.encode()}


def rearranged[T](rows: list[T]) -> Iterator[list[T]]:
    """Yield rows with each dropped, each doubled, and each changed with the one behind it."""
    for index, row in enumerate(rows):
        yield rows[:index] + rows[index + 1 :]
        yield [*rows[: index + 1], row, *rows[index + 1 :]]
        if index + 1 < len(rows):
            yield [*rows[:index], rows[index + 1], row, *rows[index + 2 :]]


def altered(files: Files, chance: random.Random) -> Iterator[Files]:
    """Yield what somebody could make of a bundle."""
    for lines in rearranged(files["records.jsonl"].splitlines(keepends=True)):
        yield with_records(files, lines)
    # A chain has an entry of every other stop's records between: a few of them are tried.
    entries = json.loads(files["chain.json"])["entries"]
    first = chance.randrange(max(1, len(entries) - 4))
    for some in rearranged(entries[first : first + 4]):
        yield with_entries(files, [*entries[:first], *some, *entries[first + 4 :]])
    names = sorted(files)
    for _ in range(FLIPS):
        name = chance.choice([one for one in names if files[one]])
        changed = bytearray(files[name])
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        yield {**files, name: bytes(changed)}


@pytest.mark.spec("decisions §17")
@pytest.mark.parametrize(
    ("routes", "stops"),
    [
        pytest.param(1, 4, id="4 bundles"),
        pytest.param(20, 50, id="1000 bundles", marks=pytest.mark.full),
    ],
)
def test_whatever_is_done_to_any_bundle_is_named(
    world: World,
    door: Application,
    record_property: Callable[[str, object], None],
    routes: int,
    stops: int,
) -> None:
    chance = random.Random(routes)  # noqa: S311 -- repeats itself on purpose
    device = sign_up(world, door)
    tried = 0
    for _ in range(routes):
        for stop_id in drive_day(world, device, chance, stops):
            world.clock.advance(seconds=1)  # or the client asks more often than it may
            bundle = fetch(world, device, stop_id)
            assert problems(bundle) == ""
            for files in altered(unpack(bundle), chance):
                assert problems(pack(files)), "an altered bundle was taken for whole"
                tried += 1
    record_property("altered", tried)
    print(f"{routes * stops} bundles verify, {tried} altered ones are named")  # noqa: T201 -- the figure
