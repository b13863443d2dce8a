"""The demo's route under way: a driver left a while ago, some stops are done, one is late.

It is made by the operations that a planner's program and a driver's device use, with a clock that
is put back: what a device says happened before its route was made counts as that moment.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import msgspec

from roundsman.domain.actions import ActionKind, Fix
from roundsman.domain.driver import DriverDraft
from roundsman.domain.events import Actor
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.noun import UNSET
from roundsman.domain.proof import AttemptedReason
from roundsman.domain.route import Route
from roundsman.domain.route_actions import ACTIONS
from roundsman.domain.route_draft import RouteDraft, RouteEndDraft
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.images.sample import draw_parcel
from roundsman.operations.dispatch import dispatch_route
from roundsman.operations.drivers import add_driver
from roundsman.operations.execution import SubmittedAction, record_actions
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.route_stops import add_stops
from roundsman.operations.routes import create_route, reoptimize_route
from roundsman.operations.sign_up import accept_invite, identify_device
from roundsman.operations.uploads import UploadPart, take_part
from roundsman.operations.work import Request, Tools

NAME = "Downtown tour"
_DRIVER = DriverDraft(first_name="Dana", last_name="Driver", phone="+14105550142")
_LASTED = timedelta(minutes=75)
_BETWEEN_ROUTE_AND_DEPARTURE = timedelta(minutes=30)
_SHORTEST_WINDOW = timedelta(minutes=1)
_WINDOW_SHARE = 0.8
"""How much of the time since the departure had gone by when the late stop's window closed."""

_NOTES = ("Left at the side door", "", "Nobody answered the bell", "Handed to the neighbour")
"""What is noted at each stop that is done."""

_ATTEMPTED = 2
"""The one of them that was attempted in vain."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UnderWay:
    """What the route is made of."""

    drafts: Sequence[StopDraft]
    """The last of them becomes late."""

    start: RouteEndDraft
    vehicle_id: str


@dataclass(slots=True)
class _DemoClock:
    """Says what time it is in the demo's day, which has passed."""

    at: datetime

    def now(self) -> datetime:
        return self.at


def create_route_under_way(
    tools: Tools, request: Request, parts: UnderWay, midnight: datetime
) -> None:
    """Make the route and let its driver go about it until now.

    It left on the day that began at `midnight`, in the time zone of its stops, so that it is on
    today's board also when today has just begun.
    """
    now = tools.clock.now()
    lasted = min(_LASTED, now - midnight)
    left = (now - lasted).replace(second=0, microsecond=0)
    clock = _DemoClock(left - _BETWEEN_ROUTE_AND_DEPARTURE)
    tools_then = replace(tools, clock=clock)
    invitation = add_driver(tools_then, request, _DRIVER)
    signed_in = accept_invite(tools_then, invitation.url.rpartition("/")[2], "Demo phone", Actor())
    closes = (left + max(lasted * _WINDOW_SHARE, _SHORTEST_WINDOW)).astimezone(midnight.tzinfo)
    draft = RouteDraft(
        name=NAME,
        start=parts.start,
        end=parts.start,
        scheduled_for=left,
        vehicle_id=parts.vehicle_id,
        driver_id=invitation.driver.id,
    )
    route = _plan(tools_then, request, draft, _closing(parts.drafts, closes))
    device = _Device(
        tools=tools_then,
        clock=clock,
        request=Request(principal=identify_device(tools_then, signed_in.token)),
        route=route,
    )
    late = parts.drafts[-1].order_name
    device.drive([stop for stop in route.stops if stop.order_name != late], left, lasted)


def _closing(drafts: Sequence[StopDraft], at: datetime) -> Sequence[StopDraft]:
    """Have the last stop close at a time of day."""
    *others, last = drafts
    window = TimeWindow(end=TimeOfDay(hours=at.hour, minutes=at.minute))
    return [*others, msgspec.structs.replace(last, time_windows=(window,))]


def _plan(
    tools_then: Tools, request: Request, draft: RouteDraft, drafts: Sequence[StopDraft]
) -> Route:
    """Make, order and dispatch the route."""
    stops = import_stops(tools_then, request, drafts)
    route_id = create_route(tools_then, request, draft).route.id
    add_stops(tools_then, request, route_id, [("importedStopId", stop.id) for stop in stops])
    # Shortly after midnight no order meets the window: then the best one is taken all the same.
    reoptimize_route(tools_then, request, route_id, ignore_routing_constraints=True)
    return dispatch_route(tools_then, request, route_id, UNSET).route


@dataclass(kw_only=True, slots=True)
class _Device:
    """The driver's device: it sends each action when it happens."""

    tools: Tools
    clock: _DemoClock
    request: Request
    route: Route
    _sent: int = field(default=0)

    def drive(self, stops: Sequence[RouteStop], left: datetime, lasted: timedelta) -> None:
        """Leave, and visit as many stops as there are notes, evenly spread over the time."""
        self.clock.at = left
        self._send(ActionKind.ROUTE_STARTED)
        for number, (stop, note) in enumerate(zip(stops, _NOTES, strict=False)):
            self.clock.at = left + lasted * (number + 1) / (len(_NOTES) + 1)
            if number == _ATTEMPTED:
                self._attempt(stop, note)
            else:
                self._deliver(stop, note, number + 1)

    def _deliver(self, stop: RouteStop, note: str, number: int) -> None:
        upload_id = self._upload(draw_parcel(number))
        self._send(ActionKind.PHOTO, stop_id=stop.id, upload_id=upload_id)
        self._send(ActionKind.STOP_DELIVERED, stop_id=stop.id, note=note, position=_fix_at(stop))

    def _attempt(self, stop: RouteStop, note: str) -> None:
        self._send(
            ActionKind.STOP_ATTEMPTED,
            stop_id=stop.id,
            reason=AttemptedReason.NOT_AVAILABLE,
            note=note,
            position=_fix_at(stop),
        )

    def _upload(self, picture: bytes) -> str:
        upload_id = self.tools.ids.new_uuid()
        digest = hashlib.sha256(picture).digest()
        part = UploadPart(
            upload_id=upload_id, sha256=digest, size=len(picture), offset=0, data=picture
        )
        take_part(self.tools, self.request, part)
        return upload_id

    def _send(self, kind: ActionKind, **fields: Any) -> None:
        self._sent += 1
        action = ACTIONS[kind](
            id=self.tools.ids.new_uuid(),
            kind=kind,
            sequence=self._sent,
            at=self.clock.at,
            route_id=self.route.id,
            **fields,
        )
        fingerprint = hashlib.sha256(msgspec.json.encode(action)).digest()
        record_actions(
            self.tools, self.request, [SubmittedAction(action=action, fingerprint=fingerprint)]
        )


def _fix_at(stop: RouteStop) -> Fix:
    where = stop.planned_coordinates
    return Fix(latitude=where.latitude, longitude=where.longitude)
