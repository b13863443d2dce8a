"""Which customers have to be told something now: from a route as a change has left it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from roundsman.domain.arrival_window import ArrivalWindow
from roundsman.domain.live_route import is_under_way
from roundsman.domain.message import Channel, MessageSettings, QuietHours, Trigger
from roundsman.domain.model import Model, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.domain.tracking import TrackingStatus, derive_tracking_status

SLIPS_AFTER = timedelta(minutes=15)
SLIPS_AGAIN_AFTER = timedelta(minutes=30)
MOST_SLIPS = 2
"""A customer is told twice that it takes longer: past the promised end, and 30 minutes later."""

_TOO_OLD = timedelta(hours=24)
"""What a phone sends days later is no news to the customer any more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RouteTurn:
    """What a change has done to a route: whether it was sent out, and to which of its stops."""

    is_dispatched: bool = False
    is_started: bool = False
    changed: Collection[str] = ()
    """The stops whose status, proof or tasks are others."""


class Promise(Model):
    """Until when a customer was told to expect the driver, and how often told that it slips."""

    stop_id: str
    route_id: str
    slips_at: datetime
    """An arrival expected after this has to be told of."""

    slips: int = 0

    def has_slipped(self, expected: datetime) -> bool:
        """Say whether the customer has to be told that it takes longer."""
        return self.slips < MOST_SLIPS and expected > self.slips_at

    def slipped(self, expected: datetime) -> "Promise":
        """Return the promise after the customer was told."""
        again_at = max(self.slips_at, expected) + SLIPS_AGAIN_AFTER
        return Promise(
            stop_id=self.stop_id, route_id=self.route_id, slips_at=again_at, slips=self.slips + 1
        )


def promise_window(route: Route, stop: RouteStop) -> Promise | None:
    """Return what a stop's customer is promised now."""
    window = stop.arrival_window
    if not isinstance(window, ArrivalWindow):
        return None
    return Promise(stop_id=stop.id, route_id=route.id, slips_at=window.end + SLIPS_AFTER)


def list_triggers(
    route: Route, turn: RouteTurn, now: datetime
) -> Iterator[tuple[RouteStop, tuple[Trigger, ...]]]:
    """Yield stops with what has just become true of them, what says most first."""
    for stop in route.stops:
        if stop.type is StopType.BREAK or channels_of(stop) == ():
            continue
        triggers = tuple(_triggers_of(route, stop, turn, now))
        if triggers:
            yield stop, triggers


def _triggers_of(
    route: Route, stop: RouteStop, turn: RouteTurn, now: datetime
) -> Iterator[Trigger]:
    is_changed = stop.id in turn.changed
    match derive_tracking_status(route, stop):
        case TrackingStatus.DELIVERED if is_changed and _is_fresh(stop, now):
            yield Trigger.DELIVERED
        case TrackingStatus.ATTEMPTED if is_changed and _is_fresh(stop, now):
            yield Trigger.ATTEMPTED
        case TrackingStatus.NEXT if is_under_way(route):
            yield Trigger.NEXT
            if is_changed or turn.is_started:
                yield Trigger.ON_THE_WAY
        case TrackingStatus.ON_THE_WAY if is_changed or turn.is_started:
            yield Trigger.ON_THE_WAY
        case TrackingStatus.PLANNED:
            is_ready = stop.delivery_status is DeliveryStatus.READY_FOR_DELIVERY
            if turn.is_dispatched or (is_changed and is_ready):
                yield Trigger.PLANNED


def _is_fresh(stop: RouteStop, now: datetime) -> bool:
    return isinstance(stop.updated_arrival, UnsetType) or now - stop.updated_arrival < _TOO_OLD


def is_still_true(route: Route, stop: RouteStop, trigger: Trigger) -> bool:
    """Say whether a message still tells the customer what is so."""
    status = derive_tracking_status(route, stop)
    match trigger:
        case Trigger.PLANNED:
            if status is TrackingStatus.ON_THE_WAY:
                return True
            return status is TrackingStatus.PLANNED and _is_announced(route, stop)
        case Trigger.ON_THE_WAY:
            return status in {TrackingStatus.ON_THE_WAY, TrackingStatus.NEXT}
        case Trigger.NEXT:
            return status is TrackingStatus.NEXT
        case Trigger.SLIPPED:
            return status not in {
                TrackingStatus.DELIVERED,
                TrackingStatus.ATTEMPTED,
                TrackingStatus.CANCELLED,
            }
    return status.value == trigger.value


def _is_announced(route: Route, stop: RouteStop) -> bool:
    """Say whether it stands that the stop will be driven to: its route was not taken back."""
    is_ready = stop.delivery_status is DeliveryStatus.READY_FOR_DELIVERY
    return is_ready or isinstance(route.dispatched_until, datetime)


def channels_of(stop: RouteStop) -> tuple[Channel, ...]:
    """Return by which channels a stop's customer can be told anything."""
    return tuple(channel for channel in Channel if recipient_of(stop, channel))


def recipient_of(stop: RouteStop, channel: Channel) -> str:
    """Return the address or number of a stop's customer; empty where there is none."""
    if isinstance(stop.contact, UnsetType):
        return ""
    return stop.contact.email if channel is Channel.EMAIL else stop.contact.phone


def greeting_name(stop: RouteStop) -> str:
    """Return what a stop's customer is called; empty where nobody said."""
    if isinstance(stop.contact, UnsetType):
        return ""
    person = f"{stop.contact.first_name} {stop.contact.last_name}".strip()
    return person or stop.contact.company


def choose_trigger(
    settings: MessageSettings, triggers: Collection[Trigger], channel: Channel
) -> Trigger | None:
    """Return what a customer is told by a channel: one message, not two at once."""
    return next((one for one in triggers if settings.is_enabled(one, channel)), None)


def send_at(now: datetime, zone: tzinfo, quiet: QuietHours | UnsetType) -> datetime:
    """Return when a message may go out: now, or when the quiet hours at the stop are over."""
    if isinstance(quiet, UnsetType) or quiet.start == quiet.end:
        return now
    local = now.astimezone(zone)
    start, end = quiet.starts_at(), quiet.ends_at()
    clock = local.time()
    is_overnight = start > end
    is_quiet = clock >= start or clock < end if is_overnight else start <= clock < end
    if not is_quiet:
        return now
    day = local.date() + timedelta(days=1 if is_overnight and clock >= start else 0)
    # Where the clocks show the end twice, it is the one that follows: no answer lies in the past.
    return datetime.combine(day, end.replace(fold=local.fold), zone).astimezone(now.tzinfo)
