"""Applying actions of one driver to one route in memory: what each makes of it, what is told.

Nothing is stored here. Actions are taken in the order of the device's journal; what cannot be
applied yet is tried again after whatever could be.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.actions import ActionResult, DriverAction, Outcome, Reason, TooLate
from roundsman.domain.attachment import Attachment
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotYet,
    RoundsmanError,
)
from roundsman.domain.events import Happening
from roundsman.domain.execution_events import driver_acted
from roundsman.domain.noun import UNSET
from roundsman.domain.route import AssignedRoute, Route
from roundsman.domain.route_access import require_may_drive
from roundsman.operations.route_timing import time_route
from roundsman.roads.network import RoadNetwork
from roundsman.storage.journal import Mark, Waiting


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """What is known before an action is taken: the route, its crew, uploads, who asks, when."""

    assigned: AssignedRoute | None
    driver_id: str
    now: datetime
    roads: RoadNetwork
    attachments: Mapping[str, Attachment]
    may_still_come: Callable[[DriverAction], bool]
    """Says whether the device has yet to send something that it told before."""


@dataclass(kw_only=True, slots=True)
class Replay:
    """A route while actions are applied to it."""

    scene: Scene
    marks: dict[str, Mark]
    route: Route | None = None
    happenings: list[Happening] = field(default_factory=list)
    is_touched: bool = False
    """Whether the route must be saved, be it only to lose against whoever changed it meanwhile."""
    _is_untimed: bool = False

    def __post_init__(self) -> None:
        """Begin with the route as it is stored."""
        if self.scene.assigned is not None:
            self.route = self.scene.assigned.route

    def take(self, action: DriverAction, mark: Mark) -> ActionResult:
        """Apply an action and say what became of it."""
        try:
            return self._try(action, mark)
        except NotYet as missing:
            if not self.scene.may_still_come(action):
                return _refused(action, missing)
            self.is_touched = True
            return _kept(action, Reason.WAITING, missing.message)

    def resume(self, waiting: Sequence[Waiting]) -> list[tuple[Waiting, ActionResult]]:
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
        """Return the route as the last action left it."""
        self._time()
        return self.route

    def _try_again(self, waiting: Waiting) -> ActionResult | None:
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
        route = require_may_drive(self.route, self.scene.driver_id, self.scene.now)
        slot = action.slot()
        last = self.marks.get(slot) if slot else None
        if last is not None and last.is_after(mark):
            raise TooLate(Reason.SUPERSEDED, "a later action says otherwise")
        attachment = self.scene.attachments.get(action.upload(), UNSET)
        occasion = replace(action.occasion(route, self.scene.now), attachment=attachment)
        after = action.apply(route, occasion)
        self.is_touched = True
        if slot:
            self.marks[slot] = mark
        if after == route:
            return
        self.route = replace(after, updated_at=self.scene.now)
        self._is_untimed |= _moves_arrivals(route, after)
        self._tell(route)

    def _tell(self, before: Route) -> None:
        if self.scene.assigned is None or self.route is None:
            return
        if not driver_acted(before, replace(self.scene.assigned, route=self.route)):
            return
        self._time()
        shown = replace(self.scene.assigned, route=self.route)
        self.happenings.extend(driver_acted(before, shown))

    def _time(self) -> None:
        """Work out when the stops ahead will be reached, once for all that moved since."""
        if self._is_untimed and self.route is not None:
            self.route = time_route(self.route, self.scene.roads).route
        self._is_untimed = False


def _moves_arrivals(before: Route, after: Route) -> bool:
    if (before.start, before.end, before.last_fix) != (after.start, after.end, after.last_fix):
        return True
    return [stop.status() for stop in before.stops] != [stop.status() for stop in after.stops]


def _kept(action: DriverAction, reason: Reason, message: str) -> ActionResult:
    return ActionResult(id=action.id, outcome=Outcome.KEPT, reason=reason, message=message)


def _refused(action: DriverAction, error: RoundsmanError) -> ActionResult:
    violations: tuple[FieldViolation, ...] = ()
    if isinstance(error, InvalidArgument):
        violations = error.violations
    elif isinstance(error, FailedPrecondition):
        violations = tuple(
            FieldViolation(field=told.type, description=told.description)
            for told in error.violations
        )
    return ActionResult(
        id=action.id,
        outcome=Outcome.REFUSED,
        message=error.message,
        field_violations=violations or (FieldViolation(field="kind", description=error.message),),
    )
