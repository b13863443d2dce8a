"""Applies actions of one driver to one route in memory: what each changes, which events follow.

Nothing is stored here. Actions are taken in the order of the device's journal; what cannot be
applied yet is tried again after whatever could be.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from roundsman.domain.actions import (
    SAYS_OTHERWISE,
    ActionContext,
    ActionResult,
    DriverAction,
    Outcome,
    Reason,
    TooLate,
)
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.attachment import Attachment
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotYet,
    RoundsmanError,
)
from roundsman.domain.event import Happening
from roundsman.domain.execution_events import driver_acted
from roundsman.domain.live_route import LiveRoute, is_under_way
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.quota import require_route_fits
from roundsman.domain.route import DriverFix, Route
from roundsman.domain.route_access import require_may_drive
from roundsman.domain.route_actions import POSITIONS_KEPT_EVERY, Position
from roundsman.roads.network import RoadNetwork
from roundsman.routing.timing import time_route
from roundsman.storage.journal import JournaledAction, Mark

_LONGEST_OFFLINE = timedelta(days=31)
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_FAR_AHEAD = datetime(9999, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplayContext:
    """What is known before an action is taken: the route, its crew, uploads, who asks, when."""

    assigned: AssignedRoute | None
    driver_id: str
    now: datetime
    roads: RoadNetwork
    attachments: Mapping[str, Attachment]
    live: LiveRoute | None
    may_still_come: Callable[[DriverAction], bool]
    """Says whether the device has yet to send an action that comes before this one."""

    def believed(self, at: datetime) -> datetime:
        """Return when something was, by a device whose clock may be wrong."""
        earliest = self.now - _LONGEST_OFFLINE
        if self.assigned is not None:
            earliest = max(earliest, min(self.assigned.route.created_at, self.now))
        return max(min(at, self.now), earliest)

    def span_around(self, at: datetime) -> tuple[datetime, datetime]:
        """Return between which submitted times positions may be too near to this one.

        A time in the future counts as now, so all such positions are near to one of now.
        """
        believed = self.believed(at)
        is_latest = believed + POSITIONS_KEPT_EVERY > self.now
        is_earliest = self.believed(believed - POSITIONS_KEPT_EVERY) == self.believed(_LONG_AGO)
        return (
            _LONG_AGO if is_earliest else believed - POSITIONS_KEPT_EVERY,
            _FAR_AHEAD if is_latest else believed + POSITIONS_KEPT_EVERY,
        )


@dataclass(kw_only=True, slots=True)
class JournalReplay:
    """A route while actions are applied to it."""

    context: ReplayContext
    latest: dict[str, JournaledAction]
    """Which action has set each slot last."""

    overtaken: list[JournaledAction] = field(default_factory=list)
    """What other devices had said before, and this one says otherwise."""

    route: Route | None = None
    happenings: list[Happening] = field(default_factory=list)
    positions: list[datetime] = field(default_factory=list)
    """When the driver's positions were that are kept, of those about which is asked."""

    fixes: list[DriverFix] = field(default_factory=list)
    """The positions to be kept."""

    unjournaled: set[str] = field(default_factory=set)
    """Ids of positions that are answered and not written into the journal.

    They are kept beside the route, or not at all because another is less than ten seconds away.
    """

    has_moved: bool = False
    """Whether a position is known that is later than any before."""

    timed_at: datetime | None = None
    """When arrivals were worked out, if they were."""

    is_touched: bool = False
    """Whether the route must be saved, if only to fail when its version has changed meanwhile."""
    _is_untimed: bool = False

    def __post_init__(self) -> None:
        """Begin with the route as it is stored."""
        if self.context.assigned is not None:
            self.route = self.context.assigned.route

    def take(self, action: DriverAction, mark: Mark) -> ActionResult:
        """Apply an action and say what became of it."""
        if isinstance(action, Position) and self._is_too_soon(action):
            self.unjournaled.add(action.id.lower())
            return self._judge(action)
        try:
            result = self._try(action, mark)
        except NotYet as missing:
            if not self.context.may_still_come(action):
                return _refused(action, missing)
            self.is_touched = True
            return _kept(action, Reason.WAITING, missing.message)
        if isinstance(action, Position) and result.outcome is Outcome.APPLIED:
            self.unjournaled.add(action.id.lower())
        return result

    def resume(
        self, waiting: Sequence[JournaledAction]
    ) -> list[tuple[JournaledAction, ActionResult]]:
        """Try what waits, again and again while something comes of it."""
        resumed = []
        left = list(waiting)
        while left:
            tried = [(one, self._try_again(one)) for one in left]
            moved = [(one, result) for one, result in tried if result is not None]
            if not moved:
                break
            resumed += moved
            left = [one for one, result in tried if result is None]
        return resumed

    def finished(self) -> Route | None:
        """Return the route as the last action left it, expected from where its driver is."""
        if self.has_moved and self.route is not None and is_under_way(self.route):
            self._is_untimed |= self._may_be_timed()
        self._time()
        return self.route

    def _may_be_timed(self) -> bool:
        """Say whether a position is worth new arrivals: engines are asked once a minute."""
        live = self.context.live
        has_engine = bool(self.context.roads.attribution())
        return live is None or not has_engine or live.may_be_timed(self.context.now)

    def _is_too_soon(self, position: DriverAction) -> bool:
        at = self.context.believed(position.at)
        known = (self.context.believed(one) for one in self.positions)
        # A route is made microseconds after its clock said so, and nothing is before that.
        near = POSITIONS_KEPT_EVERY - timedelta(milliseconds=1)
        if any(abs(at - one) < near for one in known):
            return True
        self.positions.append(at)
        return False

    def _judge(self, position: Position) -> ActionResult:
        """Say whether a position would be applied; nothing is made of it."""
        try:
            require_may_drive(self.route, self.context.driver_id, self.context.now)
        except TooLate as late:
            return _kept(position, late.reason, late.message)
        except FailedPrecondition as wrong:
            return _refused(position, wrong)
        return ActionResult(id=position.id, outcome=Outcome.APPLIED)

    def _try_again(self, waiting: JournaledAction) -> ActionResult | None:
        """Return what became of an action that waits; None while it goes on waiting."""
        try:
            result = self._try(waiting.action, waiting.mark)
        except NotYet:
            return None
        return None if result.outcome is Outcome.REFUSED else result

    def _try(self, action: DriverAction, mark: Mark) -> ActionResult:
        """Apply an action and say what became of it; raise NotYet when something is missing."""
        try:
            self._apply(action, mark)
        except NotYet:
            raise
        except TooLate as late:
            return _kept(action, late.reason, late.message)
        except (InvalidArgument, FailedPrecondition) as wrong:
            return _refused(action, wrong)
        return ActionResult(id=action.id, outcome=Outcome.APPLIED)

    def _apply(self, action: DriverAction, mark: Mark) -> None:
        route = require_may_drive(self.route, self.context.driver_id, self.context.now)
        slot = action.slot()
        last = self._find_last_word(action, route)
        overtaken = None
        if last is not None and last.mark.session_id != mark.session_id and action.is_statement:
            if action.contradicts(last.action):
                overtaken = last
            elif last.mark.is_after(mark):
                self.is_touched = True
                return
        if last is not None and last.mark.is_after(mark):
            raise TooLate(Reason.SUPERSEDED, SAYS_OTHERWISE)
        attachment = self.context.attachments.get(action.upload(), UNSET)
        context = replace(action.context(route, self.context.now), attachment=attachment)
        # So that it ends as it would where the overtaken action had come second and been kept.
        after = action.apply(overtaken.action.retract(route) if overtaken else route, context)
        require_route_fits(route, after)
        # A position alone leaves the route as it is, so it neither saves it nor fails with it.
        self.is_touched |= after != route or not isinstance(action, Position)
        if slot:
            driver_id = self.context.driver_id
            self.latest[slot] = JournaledAction(action=action, driver_id=driver_id, mark=mark)
        if overtaken:
            self.overtaken.append(overtaken)
        if after == route:
            self._note_fix(action, context)
            return
        self.route = replace(after, updated_at=self.context.now)
        self._note_fix(action, context)
        self._is_untimed |= _moves_arrivals(route, after)
        self._record_happenings(route)

    def _find_last_word(self, action: DriverAction, route: Route) -> JournaledAction | None:
        """Return which action has last set what this one sets."""
        slot = action.slot()
        last = self.latest.get(slot) if slot else None
        for released in action.released_slots(route):
            rival = self.latest.get(released)
            if rival is None or slot not in rival.action.released_slots(route):
                continue
            if last is None or rival.mark.is_after(last.mark):
                last = rival
        return last

    def _note_fix(self, action: DriverAction, context: ActionContext) -> None:
        """Note where the driver was; a position itself has been found not to be too soon."""
        fix = action.fix(context)
        if fix is None or self.route is None:
            return
        if isinstance(action, Position) or not self._is_too_soon(action):
            self.fixes.append(fix)
        known = self.route.last_fix
        if isinstance(known, UnsetType) or fix.at > known.at:
            self.route = replace(self.route, last_fix=fix)
            self.has_moved = True

    def _record_happenings(self, before: Route) -> None:
        if self.context.assigned is None or self.route is None:
            return
        if not driver_acted(before, replace(self.context.assigned, route=self.route)):
            return
        self._time()
        shown = replace(self.context.assigned, route=self.route)
        self.happenings.extend(driver_acted(before, shown))

    def _time(self) -> None:
        """Work out when the stops ahead will be reached, once for all that moved since."""
        if self._is_untimed and self.route is not None:
            self.route = time_route(self.route, self.context.roads).route
            self.timed_at = self.context.now
        self._is_untimed = False


def _moves_arrivals(before: Route, after: Route) -> bool:
    if (before.start, before.end) != (after.start, after.end):
        return True
    return _visits_of(before) != _visits_of(after)


def _visits_of(route: Route) -> list[tuple[object, ...]]:
    return [(stop.id, stop.arrived_at, *stop.status()) for stop in route.stops]


def _kept(action: DriverAction, reason: Reason, message: str) -> ActionResult:
    return ActionResult(id=action.id, outcome=Outcome.KEPT, reason=reason, message=message)


def _refused(action: DriverAction, error: RoundsmanError) -> ActionResult:
    violations: tuple[FieldViolation, ...] = ()
    if isinstance(error, InvalidArgument):
        violations = error.violations
    elif isinstance(error, FailedPrecondition):
        violations = tuple(
            FieldViolation(field=violation.type, description=violation.description)
            for violation in error.violations
        )
    return ActionResult(
        id=action.id,
        outcome=Outcome.REFUSED,
        message=error.message,
        field_violations=violations or (FieldViolation(field="kind", description=error.message),),
    )
