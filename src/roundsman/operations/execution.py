"""What a driver's journal does to routes: each action once, whenever and however often it comes.

Actions are taken in the order of the device's journal, in transactions of a few actions of one
route: the journal's entries, the route they leave and its events commit together. Who loses a race
for the route works it out again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from roundsman.domain.actions import ActionResult, DriverAction, Fix, JournalEntry, Outcome, Reason
from roundsman.domain.change import ObjectKind
from roundsman.domain.errors import FieldViolation
from roundsman.domain.live_route import LiveRoute, expectations_of
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_actions import Position
from roundsman.operations.arrival_learning import note_progress
from roundsman.operations.execution_replay import JournalReplay, ReplayContext
from roundsman.operations.request import Request
from roundsman.operations.route_changes import assign, until_current
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import journal
from roundsman.storage.attachments import find_uploaded
from roundsman.storage.database import Transaction
from roundsman.storage.driver_positions import add_positions, list_position_times
from roundsman.storage.journal import JournaledAction, Mark, RecordedAction, Settled
from roundsman.storage.live_routes import Saving, save_live_route
from roundsman.storage.routes import StoredRoute, find_route, save_route

MOST_AT_ONCE = 50
"""Actions a transaction: few enough to keep it short, enough to share the route's write."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SubmittedAction:
    """An action as a device submitted it; the fingerprint is of its content."""

    action: DriverAction
    fingerprint: bytes

    @property
    def key(self) -> str:
        """Return the action's id as it is kept."""
        return self.action.id.lower()


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """What an action is answered, and whether it was answered so before."""

    answer: str
    is_repeated: bool


def record_actions(
    tools: Tools, request: Request, submitted: Sequence[SubmittedAction]
) -> dict[bytes, Answered]:
    """Take a batch of actions; return the answer to each by its fingerprint."""
    answers: dict[bytes, Answered] = {}
    for run in _runs(_distinct(submitted, answers)):
        answers |= _record_until_settled(tools, request, run[0].action.route_id, run)
    return answers


def record_positions(tools: Tools, request: Request, positions: Sequence[Position]) -> int:
    """Keep where a driver was, told beside the journal; return how many were taken.

    All are of one route. They leave no entry in the journal, so none has to have a number there.
    """
    run = [SubmittedAction(action=one, fingerprint=one.id.encode()) for one in positions]
    route_id = positions[0].route_id

    def keep() -> int:
        with tools.database.reading() as tx:
            found = _look(tools, request, tx, route_id, run)
        results = [
            found.replay.take(one.action, _mark_of(one, request.principal.id)) for one in run
        ]
        with tools.database.writing() as tx:
            _save_positions(tx, request, found, found.replay.finished(), saved_version=None)
        return sum(result.outcome is Outcome.APPLIED for result in results)

    return until_current(tools, [route_id], keep)


def resume_route(tools: Tools, request: Request, route_id: str) -> None:
    """Try a driver's waiting actions on a route again, because something has arrived."""
    _record_until_settled(tools, request, route_id, ())


def _record_until_settled(
    tools: Tools, request: Request, route_id: str, run: Sequence[SubmittedAction]
) -> dict[bytes, Answered]:
    """Record a run, and go on while more waits for it than one transaction tries."""
    recorded = until_current(tools, [route_id], lambda: _record_run(tools, request, route_id, run))
    answers = recorded.answers
    while recorded.has_more or _has_arrived(tools, request, recorded.awaited):
        recorded = until_current(
            tools, [route_id], lambda: _record_run(tools, request, route_id, ())
        )
    return answers


def _has_arrived(tools: Tools, request: Request, awaited: frozenset[str]) -> bool:
    """Say whether an upload came while an action that waits for it was being recorded."""
    if not awaited:
        return False
    with tools.database.reading() as tx:
        return bool(find_uploaded(tx, request.principal.driver_id, sorted(awaited)))


def _distinct(
    submitted: Sequence[SubmittedAction], answers: dict[bytes, Answered]
) -> list[SubmittedAction]:
    """Return the actions in the order of the device's journal, each id once."""
    first: dict[str, SubmittedAction] = {}
    for one in submitted:
        if first.setdefault(one.key, one).fingerprint != one.fingerprint:
            answers[one.fingerprint] = _refuse_other_content(one)
    return sorted(first.values(), key=lambda one: (one.action.sequence, one.action.at))


def _runs(submitted: Sequence[SubmittedAction]) -> Iterator[Sequence[SubmittedAction]]:
    """Yield neighbours on one route, a transaction's worth at a time."""
    run: list[SubmittedAction] = []
    for one in submitted:
        if run and (run[0].action.route_id != one.action.route_id or len(run) == MOST_AT_ONCE):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


@dataclass(frozen=True, kw_only=True, slots=True)
class _RecordedRun:
    """The answers to a run, whether more of what waited may go on, and uploads waited for."""

    answers: dict[bytes, Answered]
    has_more: bool = False
    awaited: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class _LoadedRun:
    """What the database says before a run."""

    stored: StoredRoute | None
    recorded: dict[str, RecordedAction]
    waiting: list[JournaledAction]
    replay: JournalReplay


def _record_run(
    tools: Tools, request: Request, route_id: str, run: Sequence[SubmittedAction]
) -> _RecordedRun:
    with tools.database.reading() as tx:
        found = _look(tools, request, tx, route_id, run)
    answers = {
        one.fingerprint: _answer_again(one, found.recorded[one.key])
        for one in run
        if one.key in found.recorded
    }
    fresh = [one for one in run if one.key not in found.recorded]
    if run and not fresh:
        return _RecordedRun(answers=answers)
    settled, resumed = _settle(found, request, fresh, answers)
    if fresh and not (settled or resumed or found.replay.is_touched):
        # Nothing but positions: nobody waits for them, and they wait for no change of a route.
        route = found.replay.finished()
        with tools.database.writing() as tx:
            _note_unjournaled(tx, found, request, fresh)
            _save_positions(tx, request, found, route, saved_version=None)
        return _RecordedRun(answers=answers)
    with begin_work(tools, request) as work:
        work.added_bytes += journal.add_settled(work.tx, work.organization_id, settled)
        _note_unjournaled(work.tx, found, request, fresh)
        for waiting, result in resumed:
            journal.note_result(work.tx, waiting, result)
        for overtaken in found.replay.overtaken:
            journal.note_superseded(work.tx, overtaken)
            work.note(ObjectKind.DRIVER, overtaken.driver_id)
        version = _save(work, found)
        _save_positions(work.tx, request, found, found.replay.finished(), saved_version=version)
        if resumed or any(_is_kept(one) for one in settled):
            work.note(ObjectKind.DRIVER, request.principal.driver_id)
        work.done(None)
    for one in settled:
        answers[one.fingerprint] = Answered(answer=one.answer, is_repeated=False)
    has_more = bool(resumed) and len(found.waiting) == journal.MOST_WAITING
    awaited = frozenset(
        one.action.upload() for one in settled if one.entry.reason is Reason.WAITING
    )
    return _RecordedRun(answers=answers, has_more=has_more, awaited=awaited - {""})


def _look(
    tools: Tools, request: Request, tx: Transaction, route_id: str, run: Sequence[SubmittedAction]
) -> _LoadedRun:
    stored = find_route(tx, request.organization_id, route_id)
    waiting = journal.list_waiting(tx, request.principal.driver_id, route_id)
    actions = [*(one.action for one in run), *(one.action for one in waiting)]
    slots = {action.slot() for action in actions} - {""}
    if stored is not None:
        slots |= {slot for action in actions for slot in action.released_slots(stored.route)}
    uploads = sorted({action.upload() for action in actions} - {""})
    context = ReplayContext(
        assigned=None if stored is None else assign(tx, request.organization_id, stored.route),
        driver_id=request.principal.driver_id,
        now=tools.clock.now(),
        roads=tools.roads,
        attachments=find_uploaded(tx, request.principal.driver_id, uploads),
        live=None if stored is None else stored.live,
        may_still_come=_Expectation(tools, request.principal.id, run).may_still_come,
    )
    located = [one for one in actions if isinstance(one.position, Fix)]
    spans = [context.span_around(one.at) for one in located]
    positions = [
        *list_position_times(tx, request.principal.driver_id, spans),
        # Those that came to nothing are in the journal.
        *journal.list_positions_within(tx, request.principal.driver_id, spans),
    ]
    latest = journal.latest_actions(tx, request.organization_id, route_id, sorted(slots))
    return _LoadedRun(
        stored=stored,
        recorded=dict(
            journal.find_recorded(tx, request.principal.driver_id, [one.key for one in run])
        ),
        waiting=waiting,
        replay=JournalReplay(context=context, latest=latest, positions=positions),
    )


@dataclass(frozen=True, slots=True)
class _Expectation:
    """What a device has yet to send: its journal counts from 1 without gaps."""

    tools: Tools
    session_id: str
    run: Sequence[SubmittedAction]

    def may_still_come(self, action: DriverAction) -> bool:
        """Say whether something that the action may rest on is still on its way."""
        if action.upload():
            return True
        batch = {one.action.sequence for one in self.run}
        with self.tools.database.reading() as tx:
            return journal.has_gap_before(tx, self.session_id, action.sequence, batch)


def _note_unjournaled(
    tx: Transaction, found: _LoadedRun, request: Request, fresh: Sequence[SubmittedAction]
) -> None:
    """Record that these positions were submitted, which the journal does not say."""
    if found.replay.unjournaled:
        submitted = {one.action.sequence for one in fresh}
        journal.note_heard(tx, request.principal.id, submitted)


def _settle(
    found: _LoadedRun,
    request: Request,
    fresh: Sequence[SubmittedAction],
    answers: dict[bytes, Answered],
) -> tuple[list[Settled], list[tuple[JournaledAction, ActionResult]]]:
    """Apply what is new, then what has waited for it; say what is to be kept of both.

    What is not kept is answered here.
    """
    replay, session_id = found.replay, request.principal.id
    results: dict[str, ActionResult] = {}
    still_waiting = list(found.waiting)
    for one in fresh:
        mark = _mark_of(one, session_id)
        results[one.key] = replay.take(one.action, mark)
        still_waiting.append(
            JournaledAction(action=one.action, driver_id=request.principal.driver_id, mark=mark)
        )
    unsettled = [
        one
        for one in still_waiting
        if one.action.id.lower() not in results or _waits(results[one.action.id.lower()])
    ]
    # Nothing that waits can go on before something has been applied or has arrived.
    has_moved = not fresh or any(result.outcome is Outcome.APPLIED for result in results.values())
    resumed = replay.resume(unsettled) if has_moved else []
    results |= {one.action.id.lower(): result for one, result in resumed}
    settled = []
    for one in fresh:
        if one.key in replay.unjournaled:
            answer = msgspec.json.encode(results[one.key]).decode()
            answers[one.fingerprint] = Answered(answer=answer, is_repeated=False)
        else:
            settled.append(_settled(one, results[one.key], found, request))
    fresh_keys = {one.key for one in fresh}
    return settled, [pair for pair in resumed if pair[0].action.id.lower() not in fresh_keys]


def _is_kept(settled: Settled) -> bool:
    """Say whether a planner has something to look after; where somebody was is not."""
    is_position = isinstance(settled.action, Position)
    return settled.entry.outcome is Outcome.KEPT and not is_position


def _waits(result: ActionResult) -> bool:
    return result.reason is Reason.WAITING


def _settled(
    submitted: SubmittedAction, result: ActionResult, found: _LoadedRun, request: Request
) -> Settled:
    action = submitted.action
    entry = JournalEntry(
        id=submitted.key,
        driver_id=request.principal.driver_id,
        session_id=request.principal.id,
        sequence=action.sequence,
        kind=action.kind,
        route_id=action.route_id,
        at=action.at,
        received_at=found.replay.context.now,
        outcome=result.outcome,
        reason=result.reason,
        message=result.message,
    )
    answer = msgspec.json.encode(result).decode()
    return Settled(action=action, entry=entry, fingerprint=submitted.fingerprint, answer=answer)


def _save(work: UnitOfWork, found: _LoadedRun) -> int | None:
    """Save the route on the version that was read, if an action rests on it."""
    route = found.replay.finished()
    if found.stored is None or route is None or not found.replay.is_touched:
        return None
    version = save_route(work.tx, work.organization_id, route, read=found.stored)
    work.prove(found.stored.route, route)
    note_progress(work, found.stored.route, route)
    work.record(found.replay.happenings, version=version)
    work.note(ObjectKind.ROUTE, route.id, version=version)
    return version


def _save_positions(
    tx: Transaction,
    request: Request,
    found: _LoadedRun,
    route: Route | None,
    *,
    saved_version: int | None,
) -> None:
    """Keep where the driver was, and what is expected from there, beside the route."""
    replay, stored = found.replay, found.stored
    if stored is None or route is None:
        return
    owner = request.organization_id
    add_positions(tx, owner, request.principal.driver_id, route.id, replay.fixes)
    fix = route.last_fix
    if not replay.has_moved or isinstance(fix, UnsetType):
        return
    known = stored.live or LiveRoute(fix=fix)
    if saved_version is not None:
        live = LiveRoute(fix=fix, timed_at=replay.timed_at or known.timed_at)
    elif replay.timed_at is None:
        live = known.moved(fix)
    else:
        live = expectations_of(route, stored.version, fix, replay.timed_at)
    saving = Saving(owner, route.id, request.principal.driver_id, replay.context.now)
    save_live_route(tx, saving, live)


def _mark_of(submitted: SubmittedAction, session_id: str) -> Mark:
    return Mark(session_id=session_id, sequence=submitted.action.sequence, at=submitted.action.at)


def _answer_again(submitted: SubmittedAction, recorded: RecordedAction) -> Answered:
    if recorded.fingerprint != submitted.fingerprint:
        return _refuse_other_content(submitted)
    return Answered(answer=recorded.answer, is_repeated=True)


def _refuse_other_content(submitted: SubmittedAction) -> Answered:
    description = "was used for another action; a new action needs a new id"
    refused = ActionResult(
        id=submitted.action.id,
        outcome=Outcome.REFUSED,
        message=f"id {description}",
        field_violations=(FieldViolation(field="id", description=description),),
    )
    return Answered(answer=msgspec.json.encode(refused).decode(), is_repeated=False)
