"""Erasing customers on request, and answering what is stored of them (GDPR, articles 15 and 17).

What erasures there are, of customers and of drivers, is read here too.

An erasure is a durable job of many small steps. It first looks through every table for what leads
to the customer, then through every table again and blanks what it finds, removes pictures and the
personal fields of evidence, forgets what it was looking for, and has the database let go of what
it keeps of removed rows. Each step keeps its position in its own transaction, so a killed job goes
on where it was.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace as dataclass_replace
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from roundsman.domain.change import ObjectKind
from roundsman.domain.erasure import (
    CustomerIdentifier,
    CustomerSearch,
    CustomerTraces,
    Erasure,
    ErasureDraft,
    ErasureReceipt,
    ErasureStatus,
)
from roundsman.domain.errors import Aborted, FailedPrecondition, NotFound
from roundsman.domain.job import JobState, Progress
from roundsman.domain.model import UNSET, Model
from roundsman.domain.person_export import CustomerExport
from roundsman.domain.queries import ListErasures, Query
from roundsman.domain.security_event import SecurityEventKind
from roundsman.kit.ids import new_id
from roundsman.operations.evidence_chain import ChainContext, chain_erasure, customer_key
from roundsman.operations.jobs import JobKind, RunningJob, enqueue_job
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage.database import Transaction
from roundsman.storage.erasures import (
    DOCUMENT_TABLES,
    DocumentTable,
    StoredDocument,
    StoredErasure,
    add_erasure,
    find_erasure,
    list_unfinished_erasures,
    read_documents,
    remove_attachments,
    replace_document,
    select_erasures,
    update_erasure,
)
from roundsman.storage.evidence import erase_disclosed, list_evidence_of_customer
from roundsman.storage.geocoder_answers import remove_answers_with
from roundsman.storage.jobs import select_job
from roundsman.storage.keyset import Position
from roundsman.storage.live_routes import find_last_fix, remove_live_route
from roundsman.storage.proposed_changes import remove_proposed_imports
from roundsman.storage.removed_rows import purge_removed_rows
from roundsman.storage.sealed_columns import ERASURE_TRACES, sealing_purpose

_ROWS_AT_ONCE = 200
_ROUTES_AT_ONCE = 10
"""A route takes up to 8 MiB."""

_FIND, _ERASE, _REST, _REWRITE = "find", "erase", "rest", "rewrite"
_COUNTED = {
    "imported_stops": "imported_stops",
    "store_orders": "orders",
}
_read_traces = msgspec.json.Decoder(CustomerTraces).decode


class ErasureJob(Model):
    """The payload of the job that erases; whom it erases is in the erasure, sealed."""

    erasure_id: str


class _CustomerErasurePosition(Model):
    """Where the next attempt goes on: in which phase, which table, behind which row."""

    phase: str = _FIND
    table: int = 0
    after: tuple[Any, ...] = ()


def request_customer_erasure(tools: Tools, request: Request, draft: ErasureDraft) -> Erasure:
    """Have everything that is stored of a customer erased."""
    identifier = CustomerIdentifier(
        phone=draft.phone,
        email=draft.email,
        client_stop_id=draft.client_stop_id,
        imported_stop_id=draft.imported_stop_id,
    )
    with begin_work(tools, request) as work:
        erasure_id = new_id(work.ids, "era")
        job = enqueue_job(work, ERASURES, ErasureJob(erasure_id=erasure_id))
        stored = StoredErasure(
            id=erasure_id,
            created_at=work.now,
            job_id=job.id,
            traces=_seal(tools, erasure_id, CustomerTraces(identifier=identifier)),
            receipt=ErasureReceipt(erased_at=work.now, reason=draft.reason),
        )
        add_erasure(work.tx, work.organization_id, stored)
        work.record_security(SecurityEventKind.CUSTOMER_ERASED)
        return work.done(Erasure(id=erasure_id, status=ErasureStatus.QUEUED))


def get_erasure(tools: Tools, organization_id: str, erasure_id: str) -> Erasure:
    """Return how far an erasure is, and once it is done what it has erased."""
    with tools.database.reading() as tx:
        stored = _require(find_erasure(tx, organization_id, erasure_id))
        return _show(tx, organization_id, stored)


def list_erasures(tools: Tools, organization_id: str, query: Query[ListErasures]) -> Page[Erasure]:
    """Return a page of erasures, newest first."""

    def fetch(
        tx: Transaction, _: ListErasures, after: Position | None, count: int
    ) -> list[tuple[Position, Erasure]]:
        found = select_erasures(tx, organization_id, after, count)
        return [(position, _show(tx, organization_id, stored)) for position, stored in found]

    return list_page(tools, organization_id, "erasures", query, fetch)


def _show(tx: Transaction, organization_id: str, stored: StoredErasure) -> Erasure:
    shown = Erasure(
        id=stored.id,
        status=ErasureStatus.COMPLETED,
        created_at=stored.created_at,
        driver_id=stored.driver_id or UNSET,
    )
    if stored.completed_at is not None:
        return replace(shown, receipt=stored.receipt)
    job = select_job(tx, organization_id, stored.job_id)
    if job is not None and job.error:
        shown = replace(shown, attempts=job.attempts, error=job.error)
    if job is None or job.state in {JobState.FAILED, JobState.CANCELLED}:
        return replace(shown, status=ErasureStatus.FAILED)
    is_running = job.state is JobState.RUNNING
    status = ErasureStatus.RUNNING if is_running else ErasureStatus.QUEUED
    return replace(shown, status=status, percent_done=job.progress.percent())


def require_nobody_erased(work: UnitOfWork) -> None:
    """Refuse to make stops of other stops while somebody's data are being erased.

    They would be new rows behind those that the erasure has looked at. One that has failed for good
    refuses nothing: it has to be asked for anew, and then looks at everything again.
    """
    for stored in list_unfinished_erasures(work.tx, work.organization_id):
        if not stored.driver_id and stored.traces is None:
            continue  # all of it is gone; the database has yet to forget it
        shown = _show(work.tx, work.organization_id, stored)
        if shown.status is not ErasureStatus.FAILED:
            failed = f"; its attempt {shown.attempts} failed, and another follows"
            raise Aborted(
                f"{stored.id} is erasing somebody's data{failed if shown.error else ''};"
                " nothing was copied, send the request again once it is done"
            )


def find_erasure_job(tools: Tools, organization_id: str, erasure_id: str) -> str:
    """Return the job that carries an erasure out."""
    with tools.database.reading() as tx:
        return _require(find_erasure(tx, organization_id, erasure_id)).job_id


def export_customer(
    tools: Tools, organization_id: str, identifier: CustomerIdentifier
) -> CustomerExport:
    """Return everything that is stored of a customer, as it is stored."""
    search = CustomerSearch(CustomerTraces(identifier=identifier))
    for table in DOCUMENT_TABLES:
        if not table.is_text:
            for document in _all_documents(tools, organization_id, table):
                _look(search, table, document)
    found: dict[str, list[Any]] = {}
    for table in DOCUMENT_TABLES[:3]:
        theirs = found.setdefault(table.name, [])
        for document in _all_documents(tools, organization_id, table):
            _look(search, table, document)  # a later row may have said what it is a copy of
            for body in _bodies(document):
                order_id = _order_id(table, document)
                theirs += [
                    _placed(body, one) for one in search.list_theirs(body, order_id) if "id" in one
                ]
    return CustomerExport(
        imported_stops=tuple(found["imported_stops"]),
        stops=tuple(found["routes"]),
        orders=tuple(found["store_orders"]),
    )


def _placed(body: Any, one: Any) -> Any:
    """Return an object with the route that it stands on, where it stands on one."""
    if one is body:
        return one
    return {"routeId": body.get("id", ""), "scheduledFor": body.get("scheduledFor", ""), **one}


def erase_customer(tools: Tools, running: RunningJob[ErasureJob]) -> None:
    """Carry an erasure out, step by step, from where the last attempt was."""
    position = _read_position(running.position)
    while position.phase != _REWRITE:
        running.check()
        position = _step(tools, running, position)
    finish_erasure(tools, running.completing(), running.payload.erasure_id)


def finish_erasure(tools: Tools, request: Request, erasure_id: str) -> None:
    """Have the database forget once everything is removed, and let the receipt be shown."""
    purge_removed_rows(tools.database)
    with begin_work(tools, request) as work:
        stored = load_erasure(work, erasure_id)
        receipt = replace(stored.receipt, erased_at=work.now)
        done = dataclass_replace(stored, receipt=receipt, completed_at=work.now)
        update_erasure(work.tx, work.organization_id, done)
        work.done(None)


ERASURES = JobKind(name="erasure", payload=ErasureJob, run=erase_customer)


def _read_position(text: str) -> _CustomerErasurePosition:
    return (
        msgspec.json.decode(text, type=_CustomerErasurePosition)
        if text
        else _CustomerErasurePosition()
    )


def _step(
    tools: Tools, running: RunningJob[ErasureJob], position: _CustomerErasurePosition
) -> _CustomerErasurePosition:
    """Make one step in a transaction of its own; return where the next one begins."""
    owner, erasure_id = running.job.organization_id, running.payload.erasure_id
    with tools.database.reading() as tx:
        following = _following(tx, owner, position)
    done = position.table + len(DOCUMENT_TABLES) * (position.phase != _FIND)
    progress = Progress(done=done, total=2 * len(DOCUMENT_TABLES) + 1)
    text = msgspec.json.encode(following).decode()
    with begin_work(tools, running.stepping(text, progress)) as work:
        work.is_freeing = True
        stored = load_erasure(work, erasure_id)
        search = CustomerSearch(_open(tools, stored))
        receipt = stored.receipt
        if position.phase == _REST:
            receipt = _erase_rest(tools, work, search.traces(), stored)
            stored = dataclass_replace(stored, traces=None, receipt=receipt)
        else:
            table = DOCUMENT_TABLES[position.table]
            documents = _read(work.tx, owner, table, position.after)
            if position.table == 0 and not position.after:
                _look_at_evidence(tools, work, search)
            if position.phase == _FIND:
                for document in documents:
                    if not table.is_text:
                        _look(search, table, document)
            else:
                receipt = _erase_documents(work, search, table, documents, receipt)
            traces = _seal(tools, erasure_id, search.traces())
            stored = dataclass_replace(stored, traces=traces, receipt=receipt)
        update_erasure(work.tx, work.organization_id, stored)
        work.done(None)
    return following


def _look_at_evidence(tools: Tools, work: UnitOfWork, search: CustomerSearch) -> None:
    """Learn of the customer's stops that are on no route any more."""
    traces = search.traces()
    known = {(name, text) for name, text in asdict(traces.identifier).items() if text}
    known |= {("imported_stop_id", origin) for origin in traces.origin_ids}
    for name, value in sorted(known):
        key = customer_key(tools, work.organization_id, name, value)
        for one in list_evidence_of_customer(work.tx, work.organization_id, key):
            facts = json.loads(one.record or "{}").get("facts", {})
            search.add_evidence(one.stop_id, one.route_id, facts)


def _following(
    tx: Transaction, organization_id: str, position: _CustomerErasurePosition
) -> _CustomerErasurePosition:
    """Return where to go on after a step."""
    if position.phase == _REST:
        return _CustomerErasurePosition(phase=_REWRITE)
    table = DOCUMENT_TABLES[position.table]
    documents = _read(tx, organization_id, table, position.after)
    if len(documents) == count_at_once(table):
        return replace(position, after=documents[-1].key)
    if position.table + 1 < len(DOCUMENT_TABLES):
        return _CustomerErasurePosition(phase=position.phase, table=position.table + 1)
    return _CustomerErasurePosition(phase=_ERASE if position.phase == _FIND else _REST)


def count_at_once(table: DocumentTable) -> int:
    """Return how many rows of a table a step reads."""
    return _ROUTES_AT_ONCE if table.name in {"routes", "plans"} else _ROWS_AT_ONCE


def _read(
    tx: Transaction, organization_id: str, table: DocumentTable, after: Sequence[Any]
) -> list[StoredDocument]:
    return read_documents(tx, organization_id, table, after, count_at_once(table))


def _all_documents(
    tools: Tools, organization_id: str, table: DocumentTable
) -> Iterator[StoredDocument]:
    after: tuple[Any, ...] = ()
    while True:
        with tools.database.reading() as tx:
            documents = _read(tx, organization_id, table, after)
        yield from documents
        if len(documents) < count_at_once(table):
            return
        after = documents[-1].key


def _look(search: CustomerSearch, table: DocumentTable, document: StoredDocument) -> None:
    route_id = str(document.key[0]) if table.name == "routes" else ""
    for body in _bodies(document):
        search.look(body, order_id=_order_id(table, document), route_id=route_id)


def _bodies(document: StoredDocument) -> list[Any]:
    return [json.loads(text) for text in document.texts.values() if text]


def _order_id(table: DocumentTable, document: StoredDocument) -> str:
    return str(document.key[0]) if table.name == "store_orders" else ""


def _erase_documents(
    work: UnitOfWork,
    search: CustomerSearch,
    table: DocumentTable,
    documents: Sequence[StoredDocument],
    receipt: ErasureReceipt,
) -> ErasureReceipt:
    """Blank what is the customer's in some rows; count what was found."""
    for document in documents:
        if not table.is_text:
            _look(search, table, document)  # a later row may have said what it is a copy of
        if table.name == "routes":
            _forget_last_position(work, search, document)
        texts = {
            name: _scrubbed(search, table, document, text) for name, text in document.texts.items()
        }
        if not replace_texts(work, table, document, texts):
            continue
        counter = _COUNTED.get(table.name, "documents")
        if table.name != "routes":
            receipt = replace(receipt, **{counter: getattr(receipt, counter) + 1})
    return receipt


def _forget_last_position(
    work: UnitOfWork, search: CustomerSearch, document: StoredDocument
) -> None:
    """Forget where a route's driver was last, as it is kept beside the route, if that is theirs."""
    route_id = str(document.key[0])
    fix = find_last_fix(work.tx, route_id)
    if fix is None:
        return
    (route,) = _bodies(document)
    if search.is_at_their_door(msgspec.to_builtins(fix), route):
        remove_live_route(work.tx, route_id)


def replace_texts(
    work: UnitOfWork, table: DocumentTable, document: StoredDocument, texts: dict[str, str | None]
) -> bool:
    """Store the texts that are left of a row, and note the change; say whether they differ."""
    if texts == document.texts:
        return False
    scrubbed = dataclass_replace(document, texts=texts)
    replace_document(work.tx, work.organization_id, table, scrubbed)
    if table.name == "routes":
        work.note(ObjectKind.ROUTE, str(document.key[0]))
    elif table.name == "imported_stops":
        work.note(ObjectKind.IMPORTED_STOP, str(document.key[0]))
    return True


def _scrubbed(
    search: CustomerSearch, table: DocumentTable, document: StoredDocument, text: str | None
) -> str | None:
    if not text:
        return text
    if table.is_text:
        return "" if search.repeats_words(text) else text
    body = json.loads(text)
    scrubbed = search.scrub(body, _order_id(table, document))
    return text if scrubbed is body else write_document(scrubbed)


def write_document(document: Any) -> str:
    """Return a document as it is stored."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _erase_rest(
    tools: Tools, work: UnitOfWork, traces: CustomerTraces, stored: StoredErasure
) -> ErasureReceipt:
    """Remove pictures and the personal fields of evidence, and chain that they are gone."""
    owner, stops = work.organization_id, traces.route_stops
    remove_answers_with(work.tx, CustomerSearch(traces).repeats_words)
    records = erase_disclosed(work.tx, owner, list(stops))
    context = ChainContext(organization_id=owner, principal=work.origin.principal, now=work.now)
    chain_erasure(tools, work.tx, context, stops, stored.id)
    remove_proposed_imports(work.tx, owner)  # whose they are is not looked for: they last a day
    pictures = remove_attachments(work.tx, owner, traces.attachment_ids)
    return replace(
        stored.receipt, route_stops=len(stops), evidence_records=records, pictures=pictures
    )


def load_erasure(work: UnitOfWork, erasure_id: str) -> StoredErasure:
    """Return an erasure that goes on."""
    return _require(find_erasure(work.tx, work.organization_id, erasure_id))


def _require(stored: StoredErasure | None) -> StoredErasure:
    if stored is None:
        raise NotFound("erasure not found")
    return stored


def _seal(tools: Tools, erasure_id: str, traces: CustomerTraces) -> str:
    text = msgspec.json.encode(traces).decode()
    return tools.secret_box.seal(sealing_purpose(ERASURE_TRACES, erasure_id), text)


def _open(tools: Tools, stored: StoredErasure) -> CustomerTraces:
    if stored.traces is None:
        raise NotFound("the erasure has forgotten whom it erased")
    purpose = sealing_purpose(ERASURE_TRACES, stored.id)
    try:
        return _read_traces(tools.secret_box.unseal(purpose, stored.traces))
    except msgspec.ValidationError as error:
        # Another attempt would read the same, so the job has failed.
        raise FailedPrecondition(f"whom the erasure is of cannot be read: {error}") from error
