"""What proves a delivery: chained with the change, taken away, and verified by itself."""

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import TASKS, Device, dispatch, sign_up
from tests.images.test_decoder_process import jpeg

from roundsman.domain.errors import InvalidArgument
from roundsman.endpoints.application import Application
from roundsman.operations.evidence_verification import BundleVerdict, verify_bundle
from roundsman.storage.evidence import find_chain_end, list_evidence_links

pytestmark = pytest.mark.spec("decisions §17")

type Json = Any
type Files = dict[str, bytes]

PHOTO, SIGNATURE = "7b5f2c0e-52a6-4f0e-9d3a-0c1d2e3f4a5b", "7b5f2c0e-52a6-4f0e-9d3a-0c1d2e3f4a5c"


def on_the_road(
    world: World, door: Application, tasks: Sequence[Json] = (), **fields: Any
) -> tuple[Device, list[str]]:
    device = sign_up(world, door, **fields)
    dispatch(world, device, stops=3, stopTasks=list(tasks))
    world.clock.advance(minutes=5)
    device.done("ROUTE_STARTED")
    return device, [stop["id"] for stop in device.route()["stops"]]


def deliver(device: Device, stop_id: str) -> None:
    """Do at a door all that proves anything."""
    stop = next(one for one in device.route()["stops"] if one["id"] == stop_id)
    seal, checks = stop["tasks"]
    device.done("STOP_ARRIVED", stopId=stop_id)
    for upload, kind in ((PHOTO, "PHOTO"), (SIGNATURE, "SIGNATURE")):
        assert device.upload(upload, jpeg()).status_code == 200
        device.done(kind, stopId=stop_id, uploadId=upload)
    device.done("BARCODE", stopId=stop_id, value="4006381333931")
    device.done("BARCODE_ISSUE", stopId=stop_id, reason="ITEM_DAMAGED", note="wet box")
    device.done("TASK_COMPLETED", taskId=seal["id"], value="S-77")
    device.done("TASK_ITEM_COMPLETED", taskId=checks["id"], itemId=checks["items"][0]["id"])
    device.done("PROOF_NOTE", stopId=stop_id, note="behind the shed")
    device.done(
        "STOP_DELIVERED",
        stopId=stop_id,
        recipientName="Grüezi Müller 😀",
        leftWith="NEIGHBOUR",
        position={"latitude": 39.3012345, "longitude": -76.6112345, "accuracyMeters": 6},
    )


def fetch(world: World, device: Device, stop_id: str) -> bytes:
    answer = world.client.get(f"/routes/{device.route_id}/stops/{stop_id}/evidence")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/zip"
    return bytes(answer.content)


def unpack(bundle: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(files: Files) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def records_of(bundle: bytes) -> list[Json]:
    return [json.loads(line) for line in unpack(bundle)["records.jsonl"].splitlines()]


def checkpoint_of(bundle: bytes) -> Json:
    return json.loads(unpack(bundle)["chain.json"])["checkpoint"]


def kinds(bundle: bytes) -> list[str]:
    return [record["kind"] for record in records_of(bundle)]


def problems(bundle: bytes) -> str:
    return problems_of(verify_bundle, bundle)


def problems_of[T](verify: Callable[[T], BundleVerdict], what: T) -> str:
    """Return what a bundle is blamed for, packed or not; a refusal of the whole is one problem."""
    try:
        return "\n".join(verify(what).problems)
    except InvalidArgument as error:
        return str(error)


def test_whatever_happens_at_a_door_is_recorded_and_can_be_verified(
    world: World, door: Application
) -> None:
    device, (first, second, _) = on_the_road(world, door, TASKS)
    deliver(device, first)
    device.done("STOP_ATTEMPTED", stopId=second, reason="REFUSED", note="angry dog")
    bundle = fetch(world, device, first)
    assert kinds(bundle) == [
        "ARRIVED",
        "PHOTO",
        "SIGNATURE",
        "BARCODE",
        "BARCODE_ISSUE",
        "TASK",
        "TASK",
        "NOTE",
        "DELIVERED",
    ]
    files = unpack(bundle)
    key = world.client.get("/settings/evidence-key").json()
    verdict = verify_bundle(bundle, key["publicKey"].encode())
    assert verdict == BundleVerdict(
        organization=world.credentials.organization_id,
        records=9,
        checkpoint_at=checkpoint_of(bundle)["at"],
        public_key=key["publicKey"],
        problems=(),
    )
    assert key["algorithm"] == "Ed25519"
    assert len([name for name in files if name.startswith("photos/")]) == 2
    page = files["page.html"].decode()
    for shown in ("behind the shed", "Grüezi Müller", "39.3012345", "What this cannot prove"):
        assert shown in page
    # What is personal is in a file of its own; the records have hashes.
    for personal in ("behind the shed", "Müller", "39.30", "4006381333931", "S-77", "wet box"):
        assert personal not in files["records.jsonl"].decode()
        assert personal in files["fields.jsonl"].decode()
    assert "angry dog" not in bundle.decode("latin-1")
    last = records_of(bundle)[-1]
    assert last["by"]["driverId"] == device.driver_id
    assert last["facts"] == {"leftWith": "NEIGHBOUR"}
    assert [one["stopSequence"] for one in records_of(bundle)] == list(range(1, 10))


def test_corrections_and_planners_calls_are_recorded_too(world: World, door: Application) -> None:
    device, (first, second, third) = on_the_road(world, door)
    device.done("STOP_ATTEMPTED", stopId=first, reason="NOT_AVAILABLE")
    device.done("STOP_REOPENED", stopId=first)
    device.done("STOP_ATTEMPTED", stopId=first, reason="REFUSED", note="no")
    assert kinds(fetch(world, device, first)) == ["ATTEMPTED", "REOPENED", "ATTEMPTED"]
    removed = world.client.send("DELETE", f"/routes/{device.route_id}/stops/{first}")
    assert removed.status_code == 200, removed.text
    bundle = fetch(world, device, first)  # the stop is gone, its evidence is not
    assert kinds(bundle)[-1] == "REMOVED"
    assert records_of(bundle)[-1]["by"] == {
        "kind": "API_CLIENT",
        "id": world.credentials.client_id,
    }
    assert problems(bundle) == ""
    nothing = world.client.get(f"/routes/{device.route_id}/stops/{second}/evidence")
    assert (nothing.status_code, nothing.json()["code"]) == (400, 9)
    assert nothing.json()["details"][0]["violations"][0]["type"] == "evidence"
    for path in (f"{device.route_id}/stops/rst-x", f"rte-x/stops/{third}"):
        assert world.client.get(f"/routes/{path}/evidence").status_code == 404
    stranger = world.stranger.get(f"/routes/{device.route_id}/stops/{first}/evidence")
    assert stranger.status_code == 404


def test_a_stop_that_moves_keeps_its_records(world: World, door: Application) -> None:
    device, (first, *_) = on_the_road(world, door)
    device.done("PROOF_NOTE", stopId=first, note="gate is shut")
    other = world.client.post(
        "/routes", {"start": {"coordinates": {"latitude": 39.3, "longitude": -76.6}}}
    ).json()["id"]
    moved = world.client.post(
        "/routes/transfers", {"moves": [{"stopId": first, "toRouteId": other}]}
    )
    assert moved.status_code == 200, moved.text
    device.route_id, source = other, device.route_id
    assert kinds(fetch(world, device, first)) == ["NOTE"]
    device.route_id = source
    assert kinds(fetch(world, device, first)) == ["NOTE"]


def test_what_was_proved_before_there_was_a_chain_joins_it_marked(
    world: World, door: Application
) -> None:
    device, (first, second, _) = on_the_road(world, door)
    for stop_id in (first, second):
        device.done("PROOF_NOTE", stopId=stop_id, note="old note")
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql("DELETE FROM evidence_records")
    bundle = fetch(world, device, first)
    (joined,) = records_of(bundle)
    assert (joined["kind"], joined["joined"], joined["sequence"]) == ("NOTE", True, 2)
    assert problems(bundle) == ""
    assert fetch(world, device, first) == bundle  # it joins once
    device.done("PROOF_NOTE", stopId=second, note="new note")
    both = records_of(fetch(world, device, second))
    assert [(one["kind"], one.get("joined", False)) for one in both] == [
        ("NOTE", True),
        ("NOTE", False),
    ]
    with world.tools.database.reading() as tx:
        row = tx.exec_driver_sql("SELECT record FROM evidence_records WHERE sequence = 1")
        assert json.loads(row.scalar_one())["kind"] == "BEGINNING"


@pytest.fixture
def bundle(world: World, door: Application) -> bytes:
    device, (first, second, _) = on_the_road(world, door)
    device.done("PROOF_NOTE", stopId=second, note="of somebody else")
    device.done("STOP_ARRIVED", stopId=first)
    device.done("PROOF_NOTE", stopId=second, note="of somebody else, again")
    device.done("STOP_DELIVERED", stopId=first, recipientName="Ann")
    return fetch(world, device, first)


def test_every_changed_byte_of_every_file_is_found(
    bundle: bytes, record_property: Callable[[str, object], None]
) -> None:
    files, flips = unpack(bundle), 0
    for name, content in files.items():
        for index in range(0, len(content), 7 if name == "page.html" else 1):
            changed = bytearray(content)
            changed[index] ^= 1 << index % 8
            said = problems(pack({**files, name: bytes(changed)}))
            assert said, f"byte {index} of {name}"
            flips += 1
    record_property("flips", flips)


def test_a_changed_byte_of_the_archive_is_found_or_changes_no_content(
    bundle: bytes, record_property: Callable[[str, object], None]
) -> None:
    tried = range(0, len(bundle), 3)
    for index in tried:
        changed = bytearray(bundle)
        changed[index] ^= 1 << index % 8
        if not problems(bytes(changed)):
            assert unpack(bytes(changed)) == unpack(bundle), index
    record_property("flips", len(tried))


def _lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Files], Files]:
    def apply(files: Files) -> Files:
        lines = change(files["records.jsonl"].splitlines(keepends=True))
        return {**files, "records.jsonl": b"".join(lines)}

    return apply


def _entries(change: Callable[[list[Json]], list[Json]]) -> Callable[[Files], Files]:
    def apply(files: Files) -> Files:
        chain = json.loads(files["chain.json"])
        chain["entries"] = change(chain["entries"])
        text = json.dumps(chain, separators=(",", ":"), sort_keys=True) + "\n"
        return {**files, "chain.json": text.encode()}

    return apply


def _without(name: str) -> Callable[[Files], Files]:
    return lambda files: {key: value for key, value in files.items() if key != name}


CHANGES: list[tuple[str, Callable[[Files], Files], str]] = [
    ("a record less", _lines(lambda lines: lines[1:]), "record 3 was dropped"),
    ("the last record less", _lines(lambda lines: lines[:-1]), "record 5 was dropped"),
    ("no record at all", _lines(lambda _: []), "record 3 was dropped"),
    ("a record twice", _lines(lambda lines: [*lines, lines[-1]]), "record 5 is there twice"),
    (
        "records swapped",
        _lines(lambda lines: lines[::-1]),
        "records were reordered: 3 stands behind 5",
    ),
    (
        "a record changed",
        _lines(lambda lines: [lines[0], lines[1].replace(b"DELIVERED", b"ATTEMPTED")]),
        "record 5 was changed",
    ),
    (
        "an entry less",
        _entries(lambda all_: [all_[0], *all_[2:]]),
        "entry 4 of the chain was dropped",
    ),
    ("the first entry less", _entries(lambda all_: all_[1:]), "record 3 was changed"),
    ("the last entry less", _entries(lambda all_: all_[:-1]), "does not end at the checkpoint"),
    ("an entry twice", _entries(lambda all_: [*all_, all_[-1]]), "entry 5 of the chain is there"),
    ("entries swapped", _entries(lambda all_: all_[::-1]), "the chain was reordered: entry 4"),
    ("no entries", _entries(lambda _: []), "every entry of the chain was dropped"),
    ("a page less", _without("page.html"), "page.html was dropped"),
    ("the fields less", _without("fields.jsonl"), "fields.jsonl was dropped"),
    ("a key less", _without("public-key.pem"), "public-key.pem is missing"),
    ("a file more", lambda files: {**files, "photos/x.jpg": b"x"}, "photos/x.jpg was added"),
]


@pytest.mark.parametrize(
    ("change", "says"), [one[1:] for one in CHANGES], ids=[c[0] for c in CHANGES]
)
def test_what_was_dropped_doubled_moved_or_added_is_named(
    bundle: bytes, change: Callable[[Files], Files], says: str
) -> None:
    assert says in problems(pack(change(unpack(bundle))))


def test_a_bundle_that_somebody_else_signed_is_told_from_the_organizations(
    world: World, bundle: bytes
) -> None:
    other = world.stranger.get("/settings/evidence-key").json()["publicKey"].encode()
    assert "is not the key" in "\n".join(verify_bundle(bundle, other).problems)
    with_other = pack({**unpack(bundle), "public-key.pem": other})
    assert "not signed" in problems(with_other)


@pytest.mark.both_databases
def test_changes_at_the_same_time_make_one_chain_without_gaps(
    world: World, door: Application
) -> None:
    devices = [
        on_the_road(world, door, phone=f"+1410555012{number}", email=f"d{number}@example.com")
        for number in range(4)
    ]

    def work(number: int) -> None:
        device, stops = devices[number]
        for index in range(4):
            for stop_id in stops:
                device.done("PROOF_NOTE", stopId=stop_id, note=f"note {index}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    owner = world.credentials.organization_id
    with world.tools.database.reading() as tx:
        _, head = find_chain_end(tx, owner)
        links = list_evidence_links(tx, owner, 1, 1_000)
    assert head is not None
    assert head.sequence == 4 * 4 * 3 + 1
    assert [link.sequence for link in links] == list(range(1, head.sequence + 1))
    for device, stops in devices:
        for stop_id in stops:
            made = fetch(world, device, stop_id)
            assert problems(made) == ""
            assert kinds(made) == ["NOTE"] * 4


def test_the_verifier_of_the_page_agrees(bundle: bytes, tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "prove-a-delivery.md"
    text = page.read_text("utf-8")
    found = re.search(r"```python title=\"verify.py\"\n(.*?)```", text, re.DOTALL)
    assert found
    (tmp_path / "verify.py").write_text(found[1], encoding="utf-8")
    files = unpack(bundle)
    tampered = [change(files) for _, change, _ in CHANGES]
    tampered += [
        {**files, name: content.replace(b"e", b"a", 1)}
        for name, content in files.items()
        if b"e" in content
    ]
    assert run_verifier(tmp_path, files).startswith("whole: 2 records")
    # A few are enough to see that it is no rubber stamp: our own verifier is tried on all.
    for changed in tampered[::4]:
        assert run_verifier(tmp_path, changed) == ""


def run_verifier(folder: Path, files: Files) -> str:
    (folder / "bundle.zip").write_bytes(pack(files))
    done = subprocess.run(  # noqa: S603 -- our own page
        [sys.executable, folder / "verify.py", folder / "bundle.zip"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout if done.returncode == 0 else ""


@pytest.mark.both_databases
def test_an_organization_has_one_key_whoever_asks_first(world: World) -> None:
    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(world.client.get, "/settings/evidence-key") for _ in range(6)]
    assert {one.result().status_code for one in asked} == {200}
    assert len({one.result().json()["publicKey"] for one in asked}) == 1
