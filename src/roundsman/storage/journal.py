"""The journal of drivers' actions: each is kept once, with its answer and what became of it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Row, Select, bindparam, func, insert, not_, select, text, update
from sqlalchemy.exc import IntegrityError

from roundsman.domain.actions import (
    SAYS_OTHERWISE,
    ActionKind,
    ActionResult,
    DriverAction,
    JournalEntry,
    JournalState,
    Outcome,
    Reason,
    WaitingAction,
)
from roundsman.domain.model import UNSET
from roundsman.domain.route_actions import ACTIONS
from roundsman.storage.database import Transaction
from roundsman.storage.driver_positions import is_within, of_spans
from roundsman.storage.driver_tables import driver_actions as journal
from roundsman.storage.driver_tables import driver_sessions
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.routes import VersionConflict

_MOST_LOOKED_AT = 5_000
MOST_WAITING = 1_000
"""How many waiting actions are tried in one transaction."""


# Statements of every tap and position: putting one together takes longer than carrying it out.

_RECORDED = select(journal.c.id, journal.c.fingerprint, journal.c.answer).where(
    journal.c.driver_id == bindparam("driver"), journal.c.id.in_(bindparam("ids", expanding=True))
)
_WAITING = (
    select(journal)
    .where(
        journal.c.route_id == bindparam("route"),
        journal.c.reason == Reason.WAITING.value,
        journal.c.driver_id == bindparam("driver"),
    )
    .order_by(journal.c.session_id, journal.c.sequence)
    .limit(MOST_WAITING)
)
_IN_SLOTS = select(journal).where(
    journal.c.organization_id == bindparam("organization"),
    journal.c.route_id == bindparam("route"),
    journal.c.slot.in_(bindparam("slots", expanding=True)),
    journal.c.outcome == Outcome.APPLIED.value,
)
_HEARD_TO = select(driver_sessions.c.heard_to).where(driver_sessions.c.id == bindparam("session"))
_IS_KEPT = (
    select(journal.c.id)
    .where(
        journal.c.session_id == bindparam("session"), journal.c.sequence == bindparam("sequence")
    )
    .limit(1)
)
_KEPT_AFTER = (
    select(journal.c.sequence)
    .where(journal.c.session_id == bindparam("session"), journal.c.sequence > bindparam("heard"))
    .order_by(journal.c.sequence)
    .limit(_MOST_LOOKED_AT)
)
_NOTE_HEARD = (
    update(driver_sessions)
    .where(driver_sessions.c.id == bindparam("session"))
    .values(heard_to=bindparam("heard"))
)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedAction:
    """What an action that is kept was, and what it was answered."""

    fingerprint: bytes
    answer: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """When an action was submitted: by which device, with which sequence number, at what time."""

    session_id: str
    sequence: int
    at: datetime

    def is_after(self, other: "Mark") -> bool:
        """Say whether this is later: by sequence number on one device, by clock on two."""
        if self.session_id == other.session_id:
            return self.sequence > other.sequence
        return (self.at, self.sequence) > (other.at, other.sequence)


@dataclass(frozen=True, kw_only=True, slots=True)
class JournaledAction:
    """An action of a journal, whose it is, and when which device submitted it."""

    action: DriverAction
    driver_id: str
    mark: Mark


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """An action to be kept, with its answer."""

    action: DriverAction
    entry: JournalEntry
    fingerprint: bytes
    answer: str


def find_recorded(
    tx: Transaction, driver_id: str, ids: Sequence[str]
) -> Mapping[str, RecordedAction]:
    """Return those of a driver's actions that are kept already."""
    rows = tx.execute(_RECORDED, {"driver": driver_id, "ids": list(ids)}) if ids else ()
    return {row.id: RecordedAction(fingerprint=row.fingerprint, answer=row.answer) for row in rows}


def add_settled(tx: Transaction, organization_id: str, settled: Iterable[Settled]) -> int:
    """Keep actions, and return how many bytes they take.

    Raises VersionConflict when one of them has just been kept.
    """
    rows = [_row(organization_id, one) for one in settled]
    if not rows:
        return 0
    try:
        tx.execute(insert(journal), rows)
    except IntegrityError as error:
        raise VersionConflict("an action was told twice at the same time; try again") from error
    return sum(len(row["content"]) + len(row["answer"]) for row in rows)


def _row(organization_id: str, settled: Settled) -> dict[str, Any]:
    entry = settled.entry
    return {
        "driver_id": entry.driver_id,
        "id": entry.id,
        "organization_id": organization_id,
        "session_id": entry.session_id,
        "sequence": entry.sequence,
        "route_id": entry.route_id,
        "kind": entry.kind.value,
        "slot": settled.action.slot(),
        "upload_id": settled.action.upload(),
        "at": entry.at,
        "received_at": entry.received_at,
        "outcome": entry.outcome.value,
        "reason": entry.reason.value,
        "message": entry.message,
        "fingerprint": settled.fingerprint,
        "content": msgspec.json.encode(settled.action).decode(),
        "answer": settled.answer,
    }


def note_result(tx: Transaction, waiting: JournaledAction, result: ActionResult) -> None:
    """Note what became of an action that waited; its answer stays what it was."""
    tx.execute(
        update(journal)
        .where(
            journal.c.driver_id == waiting.driver_id,
            journal.c.id == waiting.action.id.lower(),
            journal.c.reason == Reason.WAITING.value,
        )
        .values(
            outcome=result.outcome.value,
            reason=result.reason.value,
            message=result.message,
            resolved_at=None,  # somebody looked at an action that waited, not at this
            resolved_by=None,
        )
    )


def note_superseded(tx: Transaction, overtaken: JournaledAction) -> None:
    """Note that another device's later action says otherwise; its answer stays what it was."""
    tx.execute(
        update(journal)
        .where(
            journal.c.driver_id == overtaken.driver_id,
            journal.c.id == overtaken.action.id.lower(),
            journal.c.outcome == Outcome.APPLIED.value,
        )
        .values(outcome=Outcome.KEPT.value, reason=Reason.SUPERSEDED.value, message=SAYS_OTHERWISE)
    )


def find_superseded(tx: Transaction, driver_id: str, ids: Sequence[str]) -> set[str]:
    """Return which of a driver's actions a later one has overtaken."""
    statement = select(journal.c.id).where(
        journal.c.driver_id == driver_id,
        journal.c.id.in_(list(ids)),
        journal.c.reason == Reason.SUPERSEDED.value,
    )
    return set(tx.execute(statement).scalars())


def list_waiting(tx: Transaction, driver_id: str, route_id: str) -> list[JournaledAction]:
    """Return a driver's waiting actions on a route, by device and sequence number."""
    rows = tx.execute(_WAITING, {"route": route_id, "driver": driver_id})
    return [_journaled_of(row) for row in rows]


def list_routes_waiting_for(tx: Transaction, driver_id: str, upload_id: str) -> list[str]:
    """Return the routes of a driver's actions that wait for an upload."""
    return list(
        tx.execute(
            select(journal.c.route_id)
            .where(
                journal.c.driver_id == driver_id,
                journal.c.upload_id == upload_id,
                journal.c.reason == Reason.WAITING.value,
            )
            .distinct()
        ).scalars()
    )


def latest_actions(
    tx: Transaction, organization_id: str, route_id: str, slots: Sequence[str]
) -> dict[str, JournaledAction]:
    """Return which action has set each slot last; slots that nobody has set are missing."""
    latest: dict[str, Row[Any]] = {}
    if not slots:
        return {}
    rows = tx.execute(
        _IN_SLOTS, {"organization": organization_id, "route": route_id, "slots": list(slots)}
    )
    for row in rows:
        known = latest.get(row.slot)
        if known is None or _mark_of(row).is_after(_mark_of(known)):
            latest[row.slot] = row
    return {slot: _journaled_of(row) for slot, row in latest.items()}


def has_gap_before(tx: Transaction, session_id: str, sequence: int, batch: Collection[int]) -> bool:
    """Say whether a device has yet to submit an action with a lower sequence number.

    `batch` holds the sequence numbers of the actions that are being recorded.
    """
    heard = _heard_to(tx, session_id)
    of_device = (
        select(journal.c.sequence)
        .where(
            journal.c.session_id == session_id,
            journal.c.sequence > heard,
            journal.c.sequence < sequence,
        )
        .distinct()
    )
    kept = tx.execute(select(func.count()).select_from(of_device.subquery())).scalar_one()
    submitted = {number for number in batch if heard < number < sequence}
    both = set(tx.execute(of_device.where(journal.c.sequence.in_(sorted(submitted)))).scalars())
    return kept + len(submitted - both) < sequence - 1 - heard


def note_heard(tx: Transaction, session_id: str, submitted: Collection[int]) -> None:
    """Store up to which sequence number a device has submitted every action, kept or not.

    Only what follows without a gap is noted. An action that is not kept and comes after a gap looks
    as if it were still to come: what rests on it waits longer than it need.
    """
    heard = before = _heard_to(tx, session_id)
    if heard + 1 not in submitted:
        following = {"session": session_id, "sequence": heard + 1}
        if tx.execute(_IS_KEPT, following).first() is None:
            return
    kept = tx.execute(_KEPT_AFTER, {"session": session_id, "heard": heard}).scalars()
    numbers = {*kept, *submitted}
    while heard + 1 in numbers:
        heard += 1
    if heard != before:
        tx.execute(_NOTE_HEARD, {"session": session_id, "heard": heard})


def _heard_to(tx: Transaction, session_id: str) -> int:
    return tx.execute(_HEARD_TO, {"session": session_id}).scalar_one_or_none() or 0


def read_journal_state(tx: Transaction, session_id: str, most: int) -> JournalState:
    """Return what a device has submitted: up to where, what is missing before, and what waits.

    At most so many gaps and waiting actions, the first ones.
    """
    heard = _heard_to(tx, session_id)
    later = (
        tx.execute(
            select(journal.c.sequence)
            .where(journal.c.session_id == session_id, journal.c.sequence > heard)
            .distinct()
            .order_by(journal.c.sequence)
            .limit(_MOST_LOOKED_AT)
        )
        .scalars()
        .all()
    )
    gaps: list[int] = []
    expected = heard + 1
    for number in later:
        gaps += range(expected, min(number, expected + most - len(gaps)))
        expected = number + 1
    waiting = tx.execute(
        select(journal.c.id, journal.c.kind, journal.c.sequence)
        .where(journal.c.session_id == session_id, journal.c.reason == Reason.WAITING.value)
        .order_by(journal.c.sequence)
        .limit(most)
    )
    return JournalState(
        last_sequence=max([heard, *later[-1:]]),
        gaps=tuple(gaps),
        waiting=tuple(
            WaitingAction(id=row.id, kind=ActionKind(row.kind), sequence=row.sequence)
            for row in waiting
        ),
    )


def list_positions_within(
    tx: Transaction, driver_id: str, spans: Sequence[tuple[datetime, datetime]]
) -> list[datetime]:
    """Return when a driver's positions were that are kept, of those within any of these spans."""
    if not spans:
        return []
    return list(tx.execute(_positions_within(len(spans)), of_spans(driver_id, spans)).scalars())


@cache
def _positions_within(spans: int) -> Select[datetime]:
    return (
        select(journal.c.at)
        .where(
            journal.c.driver_id == bindparam("driver"),
            text("kind = 'POSITION'"),  # as the index has it, and not bound: it must be seen
            is_within(journal.c.at, spans),
        )
        .limit(_MOST_LOOKED_AT)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalFilter:
    """Which entries to list; empty and None ask for all."""

    route_id: str = ""
    driver_id: str = ""
    outcome: Outcome | None = None
    is_resolved: bool | None = None
    is_position: bool | None = None


def find_entry(
    tx: Transaction, organization_id: str, driver_id: str, action_id: str
) -> tuple[JournalEntry, bytes] | None:
    """Return an entry of a driver's journal and the action as submitted."""
    row = tx.execute(
        select(journal).where(
            journal.c.organization_id == organization_id,
            journal.c.driver_id == driver_id,
            journal.c.id == action_id.lower(),
        )
    ).one_or_none()
    return None if row is None else (_entry_of(row), row.content.encode())


def note_resolved(tx: Transaction, organization_id: str, entry: JournalEntry) -> None:
    """Note by whom and when an entry was ticked off."""
    tx.execute(
        update(journal)
        .where(
            journal.c.organization_id == organization_id,
            journal.c.driver_id == entry.driver_id,
            journal.c.id == entry.id,
        )
        .values(resolved_at=entry.resolved_at, resolved_by=entry.resolved_by)
    )


def list_entries(
    tx: Transaction,
    organization_id: str,
    wanted: JournalFilter,
    after: Position | None,
    count: int,
) -> list[tuple[Position, tuple[JournalEntry, bytes]]]:
    """Return a page of entries and the actions as submitted, oldest first."""
    statement = select(journal).where(journal.c.organization_id == organization_id)
    if wanted.route_id:
        statement = statement.where(journal.c.route_id == wanted.route_id)
    if wanted.driver_id:
        statement = statement.where(journal.c.driver_id == wanted.driver_id)
    if wanted.outcome is not None:
        statement = statement.where(journal.c.outcome == wanted.outcome.value)
    if wanted.is_resolved is not None:
        is_open = journal.c.resolved_at.is_(None)
        statement = statement.where(not_(is_open) if wanted.is_resolved else is_open)
    if wanted.is_position is not None:
        is_position = journal.c.kind == ActionKind.POSITION.value
        statement = statement.where(is_position if wanted.is_position else not_(is_position))
    sort = (journal.c.received_at, journal.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=False, count=count)
    return [(position, (_entry_of(row), row.content.encode())) for position, row in rows]


def _entry_of(row: Row[Any]) -> JournalEntry:
    return JournalEntry(
        id=row.id,
        driver_id=row.driver_id,
        session_id=row.session_id,
        sequence=row.sequence,
        kind=ActionKind(row.kind),
        route_id=row.route_id,
        at=row.at,
        received_at=row.received_at,
        outcome=Outcome(row.outcome),
        reason=Reason(row.reason),
        message=row.message,
        resolved_at=row.resolved_at or UNSET,
        resolved_by=row.resolved_by or UNSET,
    )


def _action_of(row: Row[Any]) -> DriverAction:
    return msgspec.json.decode(row.content, type=ACTIONS[ActionKind(row.kind)])


def _journaled_of(row: Row[Any]) -> JournaledAction:
    return JournaledAction(action=_action_of(row), driver_id=row.driver_id, mark=_mark_of(row))


def _mark_of(row: Any) -> Mark:
    return Mark(session_id=row.session_id, sequence=row.sequence, at=row.at)
