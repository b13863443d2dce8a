"""Erasing a driver: signed out at once, and forgotten by a job of many small steps.

The job removes the driver's positions and journals, walks every stored document for what is about
the driver, then the evidence, blanks the driver's own row, and has the files written anew. The row
keeps who is looked for until then, so a killed job goes on where it was and nothing is sealed.
"""

import json
from dataclasses import replace as dataclass_replace
from typing import Any

import msgspec
from msgspec.structs import replace

from roundsman.domain.change import ObjectKind
from roundsman.domain.driver import Driver
from roundsman.domain.driver_erasure import DriverSearch, erased_driver, list_doors
from roundsman.domain.erasure import (
    Erasure,
    ErasureDraft,
    ErasureReceipt,
    ErasureStatus,
    routes_under_way,
)
from roundsman.domain.errors import NotFound
from roundsman.domain.event import driver_changed
from roundsman.domain.job import Progress
from roundsman.domain.model import Model
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.kit.ids import new_id
from roundsman.operations.erasures import (
    count_at_once,
    finish_erasure,
    load_erasure,
    replace_texts,
    request_customer_erasure,
    write_document,
)
from roundsman.operations.evidence_chain import ChainContext, chain_erasure
from roundsman.operations.jobs import JobKind, RunningJob, enqueue_job
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage.database import Transaction
from roundsman.storage.driver_erasures import (
    count_sessions,
    erase_driver_disclosed,
    find_end_of_disclosed,
    find_stops_at_door,
    has_more_driver_rows,
    list_routes_under_way,
    remove_driver_actions,
    remove_driver_positions,
    remove_driver_rest,
    remove_kept_answers,
)
from roundsman.storage.driver_sessions import remove_invites, remove_sessions
from roundsman.storage.drivers import find_driver, save_driver
from roundsman.storage.erasures import (
    DRIVER_TABLES,
    DocumentTable,
    StoredDocument,
    StoredErasure,
    add_erasure,
    read_documents,
    update_erasure,
)

_ROWS_AT_ONCE = 500
_OWN, _DOCUMENTS, _EVIDENCE, _REST, _REWRITE = "own", "documents", "evidence", "rest", "rewrite"


class DriverErasureJob(Model):
    """The payload of the job that erases a driver."""

    erasure_id: str
    driver_id: str


class _DriverErasurePosition(Model):
    """Where the next attempt goes on: in which phase, which table, behind which row."""

    phase: str = _OWN
    table: int = 0
    after: tuple[Any, ...] = ()


def request_erasure(tools: Tools, request: Request, draft: ErasureDraft) -> Erasure:
    """Have everything that is stored of one customer or of one driver erased."""
    if draft.driver_id:
        return request_driver_erasure(tools, request, draft.driver_id, draft.reason)
    return request_customer_erasure(tools, request, draft)


def request_driver_erasure(
    tools: Tools, request: Request, driver_id: str, reason: str = ""
) -> Erasure:
    """Archive a driver, sign their devices out, and have everything else about them erased."""
    with begin_work(tools, request) as work:
        driver = find_driver(work.tx, work.organization_id, driver_id, locked=True)
        if driver is None:
            raise NotFound("driver not found")
        under_way = list_routes_under_way(
            work.tx, work.organization_id, work.event_time.clock, driver_id
        )
        if under_way:
            raise routes_under_way(
                "the driver has routes under way; complete, undispatch or archive them first",
                under_way,
            )
        if not driver.is_archived():
            save_driver(work.tx, work.organization_id, driver.archived())
            # Receivers hear that the driver is gone, and nothing else of whom they should forget.
            work.record(driver_changed(driver, erased_driver(driver)))
        work.note(ObjectKind.DRIVER, driver_id)
        devices = count_sessions(work.tx, driver_id)
        remove_kept_answers(work.tx, driver_id)
        remove_invites(work.tx, driver_id)
        remove_sessions(work.tx, driver_id)
        erasure_id = new_id(work.ids, "era")
        payload = DriverErasureJob(erasure_id=erasure_id, driver_id=driver_id)
        stored = StoredErasure(
            id=erasure_id,
            created_at=work.now,
            job_id=enqueue_job(work, DRIVER_ERASURES, payload).id,
            traces=None,
            receipt=ErasureReceipt(erased_at=work.now, reason=reason, devices=devices),
            driver_id=driver_id,
        )
        add_erasure(work.tx, work.organization_id, stored)
        details = SecurityEventDetails(driver_id=driver_id)
        work.record_security(SecurityEventKind.DRIVER_ERASED, details)
        return work.done(Erasure(id=erasure_id, status=ErasureStatus.QUEUED))


def erase_driver(tools: Tools, running: RunningJob[DriverErasureJob]) -> None:
    """Carry an erasure out, step by step, from where the last attempt was."""
    text = running.position
    position = (
        msgspec.json.decode(text, type=_DriverErasurePosition) if text else _DriverErasurePosition()
    )
    while position.phase != _REWRITE:
        running.check()
        position = _step(tools, running, position)
    finish_erasure(tools, running.completing(), running.payload.erasure_id)


DRIVER_ERASURES = JobKind(name="driver-erasure", payload=DriverErasureJob, run=erase_driver)


def _step(
    tools: Tools, running: RunningJob[DriverErasureJob], position: _DriverErasurePosition
) -> _DriverErasurePosition:
    """Make one step in a transaction of its own; return where the next one begins."""
    owner, driver_id = running.job.organization_id, running.payload.driver_id
    with tools.database.reading() as tx:
        following = _following(tx, owner, driver_id, position)
    text = msgspec.json.encode(following).decode()
    with begin_work(tools, running.stepping(text, _progress(position))) as work:
        work.is_freeing = True
        stored = load_erasure(work, running.payload.erasure_id)
        driver = find_driver(work.tx, owner, driver_id)
        if driver is None:
            raise NotFound("driver not found")
        match position.phase:
            case "own":
                receipt = _erase_own(work, driver_id, stored.receipt)
            case "documents":
                receipt = _erase_documents(work, driver, position, stored.receipt)
            case "evidence":
                receipt = _erase_evidence(tools, work, driver, position, stored)
            case _:
                receipt = _erase_rest(work, driver, stored.receipt)
        update_erasure(work.tx, owner, dataclass_replace(stored, receipt=receipt))
        work.done(None)
    return following


def _progress(position: _DriverErasurePosition) -> Progress:
    tables = len(DRIVER_TABLES)
    done = {_OWN: 0, _DOCUMENTS: 1 + position.table, _EVIDENCE: 1 + tables, _REST: 2 + tables}
    return Progress(done=done[position.phase], total=tables + 3)


def _following(
    tx: Transaction, organization_id: str, driver_id: str, position: _DriverErasurePosition
) -> _DriverErasurePosition:
    """Return where to go on after a step, as things are before it."""
    match position.phase:
        case "own":
            if has_more_driver_rows(tx, organization_id, driver_id, _ROWS_AT_ONCE):
                return position
            return _DriverErasurePosition(phase=_DOCUMENTS)
        case "documents":
            table = DRIVER_TABLES[position.table]
            documents = _read(tx, organization_id, table, position)
            if len(documents) == count_at_once(table):
                return replace(position, after=documents[-1].key)
            if position.table + 1 < len(DRIVER_TABLES):
                return _DriverErasurePosition(phase=_DOCUMENTS, table=position.table + 1)
            return _DriverErasurePosition(phase=_EVIDENCE)
        case "evidence":
            after = _last_record(position)
            end = find_end_of_disclosed(tx, organization_id, after, _ROWS_AT_ONCE)
            return (
                _DriverErasurePosition(phase=_REST)
                if end is None
                else replace(position, after=(end,))
            )
        case _:
            return _DriverErasurePosition(phase=_REWRITE)


def _read(
    tx: Transaction, organization_id: str, table: DocumentTable, position: _DriverErasurePosition
) -> list[StoredDocument]:
    return read_documents(tx, organization_id, table, position.after, count_at_once(table))


def _last_record(position: _DriverErasurePosition) -> int:
    return int(position.after[0]) if position.after else 0


def _erase_own(work: UnitOfWork, driver_id: str, receipt: ErasureReceipt) -> ErasureReceipt:
    """Remove where the driver was, and what their devices submitted."""
    scope = (work.tx, work.organization_id, driver_id, _ROWS_AT_ONCE)
    return replace(
        receipt,
        positions=receipt.positions + remove_driver_positions(*scope),
        journal_entries=receipt.journal_entries + remove_driver_actions(*scope),
    )


def _erase_documents(
    work: UnitOfWork, driver: Driver, position: _DriverErasurePosition, receipt: ErasureReceipt
) -> ErasureReceipt:
    """Blank what is the driver's in some rows; count what was found."""
    search = DriverSearch(driver)
    table = DRIVER_TABLES[position.table]
    documents = _read(work.tx, work.organization_id, table, position)
    bodies = {
        (document.key, name): json.loads(text)
        for document in documents
        for name, text in document.texts.items()
        if text and not table.is_text
    }
    doors = {stop_id for body in bodies.values() for stop_id in list_doors(body)}
    theirs = find_stops_at_door(work.tx, work.organization_id, driver.id, doors)
    found = 0
    for document in documents:
        texts = dict(document.texts)
        for name, text in document.texts.items():
            if (document.key, name) in bodies:
                body = bodies[document.key, name]
                scrubbed = search.scrub(body, theirs)
                texts[name] = text if scrubbed is body else write_document(scrubbed)
            elif text and search.repeats_words(text):
                texts[name] = ""
        found += replace_texts(work, table, document, texts)
    return replace(receipt, documents=receipt.documents + found)


def _erase_evidence(
    tools: Tools,
    work: UnitOfWork,
    driver: Driver,
    position: _DriverErasurePosition,
    stored: StoredErasure,
) -> ErasureReceipt:
    """Forget personal fields of some records, and chain that they are gone."""
    owner = work.organization_id
    words = DriverSearch(driver).repeats_words
    count, stops = erase_driver_disclosed(
        work.tx, owner, driver.id, words, _last_record(position), _ROWS_AT_ONCE
    )
    context = ChainContext(organization_id=owner, principal=work.origin.principal, now=work.now)
    chain_erasure(tools, work.tx, context, stops, stored.id)
    return replace(stored.receipt, evidence_records=stored.receipt.evidence_records + count)


def _erase_rest(work: UnitOfWork, driver: Driver, receipt: ErasureReceipt) -> ErasureReceipt:
    """Remove what a device sent while the erasure began, and forget who the driver was."""
    # A request that was under way when the devices were signed out may have come after.
    receipt = _erase_own(work, driver.id, receipt)
    remove_driver_rest(work.tx, work.organization_id, driver.id)
    save_driver(work.tx, work.organization_id, erased_driver(driver))
    work.note(ObjectKind.DRIVER, driver.id)
    return receipt
