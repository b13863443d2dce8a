"""Evidence: what a change of a route proves about its stops, and the chain that it is kept in.

A record names what happened, when, and by whom. Of personal fields it holds salted hashes alone, so
that what a person said can be erased and the chain still holds. Each record is chained to the one
before it in its organization; so none can be changed, dropped or moved without all later hashes.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from roundsman.domain.attachment import Attachment
from roundsman.domain.model import Model, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.domain.task import Task

GENESIS = bytes(32)
"""What stands before the first record of a chain."""


class EvidenceKind(StrEnum):
    """What a record is about."""

    BEGINNING = "BEGINNING"
    ARRIVED = "ARRIVED"
    PHOTO = "PHOTO"
    SIGNATURE = "SIGNATURE"
    BARCODE = "BARCODE"
    BARCODE_ISSUE = "BARCODE_ISSUE"
    TASK = "TASK"
    NOTE = "NOTE"
    DELIVERED = "DELIVERED"
    ATTEMPTED = "ATTEMPTED"
    REOPENED = "REOPENED"
    REMOVED = "REMOVED"
    ERASED = "ERASED"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that a change proves; `personal` is kept apart and hashed with salt."""

    kind: EvidenceKind
    at: datetime | None = None
    """When it happened, where the device said; otherwise it is known when it was recorded."""

    facts: Mapping[str, str | bool] = field(default_factory=dict)
    personal: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class StopChange:
    """A stop before and after a change of its route; None where it is not on the route."""

    route_id: str
    stop_id: str
    before: RouteStop | None
    after: RouteStop | None


class EvidenceKey(Model):
    """With what an organization's checkpoints are verified (decisions §17)."""

    algorithm: str = "Ed25519"
    public_key: str
    """In PEM."""

    created_at: datetime


def list_stop_changes(before: Route | None, after: Route | None) -> list[StopChange]:
    """Return the stops whose proof a change of a route may have changed."""
    route = after or before
    if route is None:
        return []
    were = {} if before is None else {stop.id: stop for stop in before.stops}
    are = {} if after is None else {stop.id: stop for stop in after.stops}
    return [
        StopChange(
            route_id=route.id, stop_id=stop_id, before=were.get(stop_id), after=are.get(stop_id)
        )
        for stop_id in {**were, **are}
        if were.get(stop_id) is not are.get(stop_id)
        and _proof_of(were.get(stop_id)) != _proof_of(are.get(stop_id))
    ]


def merge_moves(changes: Sequence[StopChange]) -> list[StopChange]:
    """Return one change a stop: one that went from a route to another was not removed."""
    merged: dict[str, StopChange] = {}
    for change in changes:
        known = merged.get(change.stop_id)
        if known is None:
            merged[change.stop_id] = change
            continue
        leaves, comes = (known, change) if known.after is None else (change, known)
        merged[change.stop_id] = StopChange(
            route_id=comes.route_id,
            stop_id=change.stop_id,
            before=leaves.before or comes.before,
            after=comes.after,
        )
    return list(merged.values())


def find_evidence(before: RouteStop | None, after: RouteStop | None) -> list[Finding]:
    """Return what the change of a stop proves, in the order in which it usually happens."""
    if after is None:
        return [Finding(kind=EvidenceKind.REMOVED)] if _has_proof(before) else []
    findings = (_visits, _pictures, _inputs, _outcomes)
    return [finding for find in findings for finding in find(before, after)]


def hash_record(record: bytes) -> bytes:
    """Return the hash of a record in its canonical form."""
    return hashlib.sha256(record).digest()


def link_records(previous: bytes, record_hash: bytes) -> bytes:
    """Return a record's place in the chain (decisions §17)."""
    return hashlib.sha256(previous + record_hash).digest()


def hash_personal(salt: str, value: str) -> str:
    """Return what a record holds of a personal field; the salt is written in hex."""
    return hashlib.sha256(bytes.fromhex(salt) + value.encode()).hexdigest()


def _has_proof(stop: RouteStop | None) -> bool:
    return _proof_of(stop) != _proof_of(None)


def _proof_of(stop: RouteStop | None) -> tuple[object, ...]:
    if stop is None:
        return (None, False, "", (), (), (), (), ())
    is_visited = stop.delivery_status in {
        DeliveryStatus.DELIVERED,
        DeliveryStatus.ATTEMPTED_DELIVERY,
    }
    done = (
        stop.delivery_status,
        stop.recipient_name,
        stop.left_with,
        stop.attempted_reason,
        stop.attempted_note,
        stop.delivered_coordinates,
    )
    answered = tuple(
        (task.id, task.input, tuple(item.id for item in task.items if item.completed))
        for task in stop.tasks
        if task.input or any(item.completed for item in task.items)
    )
    return (
        stop.arrived_at or None,
        done if is_visited else False,
        stop.proof_of_delivery_note,
        stop.proof_of_delivery_photos,
        stop.proof_of_delivery_signatures,
        stop.proof_of_delivery_barcodes,
        stop.proof_of_delivery_barcode_issues,
        answered,
    )


def _visits(before: RouteStop | None, after: RouteStop) -> Iterator[Finding]:
    if after.arrived_at and (before is None or before.arrived_at != after.arrived_at):
        yield Finding(kind=EvidenceKind.ARRIVED, at=after.arrived_at)


def _pictures(before: RouteStop | None, after: RouteStop) -> Iterator[Finding]:
    for kind, were, are in (
        (
            EvidenceKind.PHOTO,
            before.proof_of_delivery_photos if before else (),
            after.proof_of_delivery_photos,
        ),
        (
            EvidenceKind.SIGNATURE,
            before.proof_of_delivery_signatures if before else (),
            after.proof_of_delivery_signatures,
        ),
    ):
        known = {one.id for one in were}
        yield from (_picture(kind, one) for one in are if one.id not in known)


def _picture(kind: EvidenceKind, one: Attachment) -> Finding:
    return Finding(kind=kind, at=one.created_at, facts={"attachmentId": one.id})


def _inputs(before: RouteStop | None, after: RouteStop) -> Iterator[Finding]:
    codes = Counter(before.proof_of_delivery_barcodes if before else ())
    for code in (Counter(after.proof_of_delivery_barcodes) - codes).elements():
        personal = {"value": code.value}
        yield Finding(kind=EvidenceKind.BARCODE, at=code.created_at, personal=personal)
    issues = Counter(before.proof_of_delivery_barcode_issues if before else ())
    for issue in (Counter(after.proof_of_delivery_barcode_issues) - issues).elements():
        yield Finding(
            kind=EvidenceKind.BARCODE_ISSUE,
            at=issue.created_at,
            facts={"reason": issue.reason.value},
            personal={"note": issue.note} if issue.note else {},
        )
    tasks = {task.id: task for task in before.tasks} if before else {}
    for task in after.tasks:
        yield from _task(tasks.get(task.id), task)
    note = after.proof_of_delivery_note
    if note != (before.proof_of_delivery_note if before else ""):
        yield Finding(kind=EvidenceKind.NOTE, personal={"note": note})


def _task(before: Task | None, after: Task) -> Iterator[Finding]:
    done = {item.id for item in before.items if item.completed} if before else set()
    for item in after.items:
        if item.completed != (item.id in done):
            facts: dict[str, str | bool] = {
                "taskId": after.id,
                "itemId": item.id,
                "completed": item.completed,
            }
            at = None if isinstance(item.updated_at, UnsetType) else item.updated_at
            yield Finding(kind=EvidenceKind.TASK, at=at, facts=facts)
    if after.input and (before is None or before.input != after.input):
        yield Finding(
            kind=EvidenceKind.TASK,
            at=after.input.updated_at,
            facts={"taskId": after.id, "inputMethod": after.input.input_method.value},
            personal={"value": after.input.value},
        )


def _outcomes(before: RouteStop | None, after: RouteStop) -> Iterator[Finding]:
    was, now = _proof_of(before)[1], _proof_of(after)[1]
    if was == now:
        return
    at = None if isinstance(after.updated_arrival, UnsetType) else after.updated_arrival
    position = (
        {
            "position": f"{after.delivered_coordinates.latitude},"
            f"{after.delivered_coordinates.longitude}"
        }
        if after.delivered_coordinates
        else {}
    )
    if after.delivery_status is DeliveryStatus.DELIVERED:
        yield Finding(
            kind=EvidenceKind.DELIVERED,
            at=at,
            facts={"leftWith": after.left_with.value} if after.left_with else {},
            personal={
                **({"recipientName": after.recipient_name} if after.recipient_name else {}),
                **position,
            },
        )
    elif after.delivery_status is DeliveryStatus.ATTEMPTED_DELIVERY:
        yield Finding(
            kind=EvidenceKind.ATTEMPTED,
            at=at,
            facts={"reason": after.attempted_reason.value},
            personal={
                **({"note": after.attempted_note} if after.attempted_note else {}),
                **position,
            },
        )
    else:
        yield Finding(kind=EvidenceKind.REOPENED)
