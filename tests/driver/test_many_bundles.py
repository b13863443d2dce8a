"""Bundles of evidence of very many stops: each verifies, and whatever is done to one is named."""

import json
import multiprocessing
import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import Device, sign_up, start_route
from tests.driver.test_evidence import Files, fetch, pack, problems, problems_of, unpack

from roundsman.endpoints.application import Application
from roundsman.operations.evidence_verification import verify_files

type Json = Any

FLIPS = 30
"""Of one bundle with the records of a whole day in its chain, at bytes that are drawn."""

FLIP_EVERY = int(os.environ.get("ROUNDSMAN_FLIP_EVERY", "8"))
"""Which bytes of small bundles are flipped; 1 is all: an hour of processor for a thousand."""

STOP = {"coordinates": {"latitude": 39.3, "longitude": -76.6}}


def drive_day(world: World, device: Device, chance: random.Random, stops: int) -> list[str]:
    """Deliver a route, some proof at each stop, in an order that mixes the stops' records."""
    stop_ids = start_route(world, device, [STOP] * stops)
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


def deliver_one_by_one(world: World, device: Device, stops: int) -> Iterator[bytes]:
    """Yield bundles whose chains are short: nothing is recorded between the records of a stop."""
    for stop_id in start_route(world, device, [STOP] * stops):
        said = device.action("PROOF_NOTE", stopId=stop_id, note="by the shed")
        results = device.results(said, device.action("STOP_DELIVERED", stopId=stop_id))
        assert {one["outcome"] for one in results} == {"APPLIED"}
        world.clock.advance(seconds=1)  # or the client asks more often than it may
        yield fetch(world, device, stop_id)


def flip_bytes(bundle: bytes, first: int) -> tuple[int, list[str]]:
    """Flip a bit of every so many bytes, from one on; return how many, and which nobody named."""
    files, unnamed, index = unpack(bundle), [], first
    total = sum(map(len, files.values()))
    for name, content in files.items():
        while index < len(content):
            changed = bytearray(content)
            changed[index] ^= 1 << index % 8
            if not problems_of(verify_files, {**files, name: bytes(changed)}):
                unnamed.append(f"byte {index} of {name}")
            index += FLIP_EVERY
        index -= len(content)
    return len(range(first, total, FLIP_EVERY)), unnamed


@pytest.mark.full  # every byte of one bundle is flipped in `test_evidence`
@pytest.mark.spec("decisions §17")
def test_a_flipped_byte_of_any_of_a_thousand_bundles_is_named(
    world: World, door: Application, record_property: Callable[[str, object], None]
) -> None:
    device = sign_up(world, door)
    bundles = [one for _ in range(20) for one in deliver_one_by_one(world, device, 50)]
    # All are made alike: when each begins at another byte, every part of a bundle is flipped.
    firsts = [number % FLIP_EVERY for number in range(len(bundles))]
    processes = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(os.cpu_count(), processes) as pool:
        done = list(pool.map(flip_bytes, bundles, firsts, chunksize=4))
    assert [unnamed for _, unnamed in done if unnamed] == []
    flips = sum(count for count, _ in done)
    size = sum(len(content) for one in bundles for content in unpack(one).values())
    record_property("flips", flips)
    print(f"{flips} of {size} bytes of {len(bundles)} bundles flipped, each is named")  # noqa: T201 -- the figure
