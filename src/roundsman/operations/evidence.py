"""A stop's evidence as a file that anybody can verify, and the key to verify it with."""

import base64
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from roundsman.domain.errors import FailedPrecondition, NotFound, PreconditionViolation
from roundsman.domain.evidence import EvidenceKey, StopChange, find_evidence, hash_record
from roundsman.domain.route_stop import RouteStop
from roundsman.kit.canonical_json import Plain, canonical_json
from roundsman.kit.template_files import TemplateFiles
from roundsman.kit.timestamps import format_timestamp
from roundsman.operations.evidence_chain import obtain_evidence_key, sign_evidence
from roundsman.operations.evidence_verification import (
    CHAIN,
    FIELDS,
    KEY,
    PAGE,
    RECORDS,
    list_photo_names,
)
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage.attachments import read_picture
from roundsman.storage.database import Transaction
from roundsman.storage.evidence import (
    EvidenceLink,
    EvidenceRecord,
    StoredEvidenceKey,
    find_checkpoint,
    find_evidence_key,
    list_evidence,
    list_evidence_links,
)
from roundsman.storage.organizations import lock_organization
from roundsman.storage.routes import find_route

_PACKED_AT = (1980, 1, 1, 0, 0, 0)  # the archive itself says nothing


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceBundle:
    """The evidence of a stop as a ZIP."""

    name: str
    content: bytes


def get_evidence_key(tools: Tools, organization_id: str) -> EvidenceKey:
    """Return what checkpoints are verified with; it is made when it is first asked for."""
    with tools.database.reading() as tx:
        found = find_evidence_key(tx, organization_id)
    if found is None:
        with tools.database.writing() as tx:
            lock_organization(tx, organization_id)  # one key, whoever asks meanwhile
            found = obtain_evidence_key(tools, tx, organization_id, tools.clock.now())
    return EvidenceKey(public_key=found.public_key, created_at=found.created_at)


def bundle_evidence(tools: Tools, request: Request, route_id: str, stop_id: str) -> EvidenceBundle:
    """Return everything that proves what happened at a stop; a removed one's too."""
    owner = request.organization_id
    with tools.database.reading() as tx:
        records = _find(tx, owner, route_id, stop_id)
    if not records:
        _join(tools, request, route_id, stop_id)
    with tools.database.reading() as tx:
        records = _find(tx, owner, route_id, stop_id)
        if not records:
            raise _nothing(stop_id)
        end = find_checkpoint(tx, owner, records[-1].link.sequence)
        key = find_evidence_key(tx, owner)
        if end is None or key is None:
            raise RuntimeError("a chain has no checkpoint behind a record")
        links = list_evidence_links(tx, owner, records[0].link.sequence, end.sequence)
        pictures = _read_pictures(tx, records)
    return _bundle(tools, owner, key, records, links, pictures)


def _find(
    tx: Transaction, organization_id: str, route_id: str, stop_id: str
) -> list[EvidenceRecord]:
    """Return a stop's records, if it is or was on the route; raise NotFound if it never was."""
    records = [one for one in list_evidence(tx, organization_id, stop_id) if one.record is not None]
    if any(one.route_id == route_id for one in records):
        return records
    if records and _find_stop(tx, organization_id, route_id, stop_id) is not None:
        return records
    if _find_stop(tx, organization_id, route_id, stop_id) is None:
        raise NotFound("stop not found")
    return []


def _find_stop(
    tx: Transaction, organization_id: str, route_id: str, stop_id: str
) -> RouteStop | None:
    stored = find_route(tx, organization_id, route_id)
    if stored is None:
        raise NotFound("route not found")
    return next((stop for stop in stored.route.stops if stop.id == stop_id), None)


def _join(tools: Tools, request: Request, route_id: str, stop_id: str) -> None:
    """Let what was proved before there was a chain join it, marked as joined."""
    with begin_work(tools, request) as work:
        stop = _find_stop(work.tx, work.organization_id, route_id, stop_id)
        if stop is None or not find_evidence(None, stop):
            raise _nothing(stop_id)
        if not list_evidence(work.tx, work.organization_id, stop_id):
            change = StopChange(route_id=route_id, stop_id=stop_id, before=stop, after=stop)
            work.stop_changes.append(change)
        work.done(None)


def _nothing(stop_id: str) -> FailedPrecondition:
    violation = PreconditionViolation(
        type="evidence", subject=stop_id, description="nothing was recorded at the stop"
    )
    return FailedPrecondition("there is no evidence of the stop", [violation])


def _read_pictures(tx: Transaction, records: Sequence[EvidenceRecord]) -> dict[str, bytes]:
    decoded = [json.loads(one.record or "{}") for one in records]
    pictures = {}
    for attachment_id, name in list_photo_names(decoded):
        picture = read_picture(tx, attachment_id)
        if picture is not None:  # otherwise it was erased
            pictures[name] = picture.data
    return pictures


def _bundle(
    tools: Tools,
    organization_id: str,
    key: StoredEvidenceKey,
    records: Sequence[EvidenceRecord],
    links: Sequence[EvidenceLink],
    pictures: Mapping[str, bytes],
) -> EvidenceBundle:
    lines = b"".join(f"{one.record}\n".encode() for one in records)
    files = {
        RECORDS: lines,
        FIELDS: b"".join(canonical_json(one) + b"\n" for one in _list_fields(records)),
        KEY: key.public_key.encode(),
        PAGE: _render_page(records, links[-1].recorded_at).encode(),
        **pictures,
    }
    end = links[-1]
    checkpoint: dict[str, Plain] = {
        "sequence": end.sequence,
        "hash": end.hash.hex(),
        "at": format_timestamp(end.recorded_at),
        "signature": base64.b64encode(end.signature or b"").decode(),
        "page": hash_record(files[PAGE]).hex(),
        "records": [one.link.sequence for one in records],
        "files": {name: hash_record(content).hex() for name, content in files.items()},
    }
    signed = sign_evidence(tools, organization_id, key, canonical_json(checkpoint))
    checkpoint["bundleSignature"] = base64.b64encode(signed).decode()
    entries: list[Plain] = [
        {
            "sequence": link.sequence,
            "recordHash": link.record_hash.hex(),
            "previousHash": previous.hex(),
            "hash": link.hash.hex(),
        }
        for link, previous in zip(
            links, _previous_hashes(tools, organization_id, links), strict=True
        )
    ]
    chain = canonical_json({"entries": entries, "checkpoint": checkpoint}) + b"\n"
    stop_id = records[-1].stop_id
    return EvidenceBundle(name=f"evidence-{stop_id}.zip", content=_pack({CHAIN: chain, **files}))


def _previous_hashes(
    tools: Tools, organization_id: str, links: Sequence[EvidenceLink]
) -> list[bytes]:
    before = links[0].sequence - 1
    with tools.database.reading() as tx:
        first = list_evidence_links(tx, organization_id, before, before)
    start = first[0].hash if first else bytes(len(links[0].hash))
    return [start, *(link.hash for link in links[:-1])]


def _list_fields(records: Sequence[EvidenceRecord]) -> list[Plain]:
    return [
        {"sequence": one.link.sequence, "field": name, "salt": salt, "value": value}
        for one in records
        for name, (salt, value) in sorted(one.disclosed.items())
    ]


def _pack(files: Mapping[str, bytes]) -> bytes:
    """Return the files as a ZIP; pictures are compressed already."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _PACKED_AT)
            info.external_attr = 0o600 << 16
            if not name.startswith("photos/"):
                info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return packed.getvalue()


@cache
def _templates() -> TemplateFiles:
    return TemplateFiles("roundsman.operations")


def _render_page(records: Sequence[EvidenceRecord], at: datetime) -> str:
    return _templates().render(
        "evidence.html",
        at=format_timestamp(at),
        organization=json.loads(records[0].record or "{}")["organization"],
        stop=records[-1].stop_id,
        records=[_shown(one) for one in records],
    )


def _shown(one: EvidenceRecord) -> dict[str, Any]:
    record = json.loads(one.record or "{}")
    facts = {name: str(value) for name, value in record["facts"].items()}
    known = {name: value for name, (_, value) in one.disclosed.items()}
    erased = {name: "(erased)" for name in record["hashes"] if name not in known}
    return {
        "sequence": one.link.sequence,
        "kind": record["kind"].replace("_", " ").lower(),
        "at": record.get("at", ""),
        "recorded_at": record["recordedAt"],
        "by": f"{record['by']['kind'].replace('_', ' ').lower()} {record['by']['id']}".strip(),
        "is_joined": record.get("joined", False),
        "facts": facts | known | erased,
    }
