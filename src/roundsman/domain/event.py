"""What happened: values that operations hand to the outbox with the data they describe."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.plan import Plan
from roundsman.domain.route import Route
from roundsman.domain.route_status import derive_status
from roundsman.domain.route_stop import BreakStatus, RouteStop
from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import WebhookSubscription

type Subject = AssignedRoute | Driver | ImportedStop | Plan
"""The object an event shows, as it was at that change."""


class Happening(Model):
    """One thing that happened to one object."""

    topic: Topic
    object_id: str
    subject: Subject | UnsetType = UNSET
    event_id: str | UnsetType = UNSET
    """Set when the id is returned before the event is written."""

    version: int = 0
    """The version of the route that is shown; 0 for objects that count none."""


class Actor(Model):
    """Who did it, as far as is known (specification, Events, `user`)."""

    store_user_id: str | UnsetType = UNSET
    """The user of the shop."""

    email: str | UnsetType = UNSET
    """The member, or the developer of the API client."""

    driver_id: str | UnsetType = UNSET
    """The driver."""

    ip_address: str | UnsetType = UNSET
    """From where the request came."""

    user_agent: str | UnsetType = UNSET
    """With what program, as it says itself."""


class EventSummary(Model):
    """What a thin payload says of the object, and what filters ask for, as of that change."""

    route_id: str | UnsetType = UNSET
    """The route of a stop."""

    version: int = 0
    """The route's version; 0 where objects count none."""

    status: str = "UNKNOWN"
    tags: tuple[str, ...] = ()


class Event(Model):
    """A happening with its identity and its place in time; `payload_id` names its frozen body."""

    id: str
    organization_id: str
    topic: Topic
    object_id: str
    timestamp: datetime
    actor: Actor
    payload_id: str | UnsetType = UNSET
    summary: EventSummary | UnsetType = UNSET
    """Absent for a test, and for what a version before this one recorded."""


class RenderedEvent(Model):
    """An event and its frozen payload, if it shows an object."""

    event: Event
    payload: bytes | None


def imported(stop: ImportedStop, *, is_new: bool) -> Happening:
    """Tell that a stop was imported, or replaced by another import."""
    topic = Topic.IMPORTED_STOP_CREATED if is_new else Topic.IMPORTED_STOP_UPDATED
    return Happening(topic=topic, object_id=stop.id, subject=stop)


def route_happened(topic: Topic, subject: AssignedRoute) -> tuple[Happening, ...]:
    """Tell of a route as a whole."""
    return (Happening(topic=topic, object_id=subject.route.id, subject=subject),)


def driver_signed_up(driver: Driver) -> tuple[Happening, ...]:
    """Tell that an invited driver has signed up."""
    return (Happening(topic=Topic.DRIVER_ADDED, object_id=driver.id, subject=driver),)


def plan_happened(topic: Topic, plan: Plan) -> tuple[Happening, ...]:
    """Tell of a plan, without its routes."""
    return (Happening(topic=topic, object_id=plan.id, subject=plan),)


_TOPIC_OF_STATUS = {
    DriverStatus.ACTIVE: Topic.DRIVER_ACTIVATED,
    DriverStatus.DEACTIVATED: Topic.DRIVER_DEACTIVATED,
    DriverStatus.ARCHIVED: Topic.DRIVER_ARCHIVED,
}


def driver_changed(before: Driver, after: Driver) -> tuple[Happening, ...]:
    """Return what became of a driver; pending drivers have no events (specification, Topics)."""
    if after == before or (before.is_pending() and not after.may_drive()):
        return ()
    moved = after.status is not before.status
    topic = _TOPIC_OF_STATUS[after.status] if moved else Topic.DRIVER_UPDATED
    return (Happening(topic=topic, object_id=after.id, subject=after),)


def tested(subscription: WebhookSubscription, event_id: str) -> tuple[Happening, ...]:
    """Return a test event, which shows no object."""
    return (Happening(topic=Topic.TEST, object_id=subscription.id, event_id=event_id),)


def stop_statuses_changed(before: Route, after: AssignedRoute) -> tuple[Happening, ...]:
    """Tell of every stop whose status is another one now."""
    were = {stop.id: stop.status() for stop in before.stops}
    return tuple(
        Happening(topic=Topic.STOP_STATUS_UPDATED, object_id=stop.id, subject=after)
        for stop in after.route.stops
        if were.get(stop.id) != stop.status()
    )


def summarize(happening: Happening, stops: Mapping[str, RouteStop]) -> EventSummary | UnsetType:
    """Return what is said of the object in short; `stops` are those of the route, by id."""
    match happening.subject:
        case ImportedStop():
            return EventSummary(tags=happening.subject.tags)
        case Driver():
            return EventSummary(status=happening.subject.status.value)
        case Plan():
            return EventSummary(status=happening.subject.status.value)
        case AssignedRoute():
            return _summarize_route(happening, happening.subject.route, stops)
    return UNSET


def _summarize_route(
    happening: Happening, route: Route, stops: Mapping[str, RouteStop]
) -> EventSummary:
    stop = stops.get(happening.object_id)
    if stop is None:
        return EventSummary(
            version=happening.version, status=derive_status(route).value, tags=route.tags
        )
    has_break = stop.break_status is not BreakStatus.UNKNOWN
    return EventSummary(
        route_id=route.id,
        version=happening.version,
        status=(stop.break_status if has_break else stop.delivery_status).value,
        tags=stop.tags,
    )


def subjects_of(happenings: Sequence[Happening]) -> list[Subject]:
    """Return the distinct objects shown, each once however many happenings share it."""
    seen: dict[int, Subject] = {}
    for happening in happenings:
        if not isinstance(happening.subject, UnsetType):
            seen.setdefault(id(happening.subject), happening.subject)
    return list(seen.values())
