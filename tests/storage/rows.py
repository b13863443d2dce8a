"""Small rows for the tests of `storage`: two organizations, and whatever else belongs to them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from roundsman.domain.address import Coordinates
from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.event import Actor, Event
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.organization import Organization
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteStart
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.topics import Topic
from roundsman.domain.vehicle import Vehicle
from roundsman.domain.webhook_subscription import WebhookSubscription
from roundsman.storage.database import Transaction
from roundsman.storage.drivers import insert_driver
from roundsman.storage.events import add_events
from roundsman.storage.webhook_subscriptions import insert_subscription

ACME, OTHER = "acme-0001", "other-0002"

NOW = datetime(2026, 7, 1, 8, 30, 0, 123_457, tzinfo=UTC)
"""No whole second: a moment that loses its microseconds is another one."""

MICROSECOND = timedelta(microseconds=1)
HERE = Coordinates(latitude=47.376_886_1, longitude=8.541_694_2)

STRANGE = "Zürich 東京 😀 Ŀ \u202e 'quoted' \"twice\" back\\slash %s :name {} \n"
"""What no database may change: other scripts, quotes, and what looks like a parameter."""


def at(seconds: float) -> datetime:
    """Return a moment so long after `NOW`."""
    return NOW + timedelta(seconds=seconds)


def organization(slug: str, **changes: Any) -> Organization:
    return Organization(
        **{
            "id": slug,
            "name": slug,
            "timezone": "UTC",
            "webhook_secret": f"{slug} signs",
            **changes,
        }
    )


def vehicle(id_: str, seconds: float = 0, **changes: Any) -> Vehicle:
    return Vehicle(**{"id": id_, "name": id_, "created_timestamp": at(seconds), **changes})


def driver(id_: str, status: DriverStatus = DriverStatus.ACTIVE, **changes: Any) -> Driver:
    return Driver(**{"id": id_, "first_name": id_, "status": status, **changes})


def add_drivers(tx: Transaction, **owners: str) -> None:
    """Store active drivers, named with their organizations."""
    for id_, owner in owners.items():
        insert_driver(tx, owner, driver(id_), NOW)


def imported_stop(id_: str, seconds: float = 0, **changes: Any) -> ImportedStop:
    return ImportedStop(**{"id": id_, "imported_at": at(seconds), "coordinates": HERE, **changes})


def stop(id_: str, **changes: Any) -> RouteStop:
    return RouteStop(**{"id": id_, "updated_at": NOW, "planned_coordinates": HERE, **changes})


def route(id_: str, **changes: Any) -> Route:
    plain = {
        "id": id_,
        "number": 1,
        "name": id_,
        "start": RouteStart(coordinates=HERE),
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Route(**{**plain, **changes})


def subscription(id_: str, **changes: Any) -> WebhookSubscription:
    plain = {"id": id_, "url": f"https://{id_}.example.com", "topics": (Topic.ROUTE_CREATED,)}
    return WebhookSubscription(**{**plain, **changes})


def add_subscriptions(tx: Transaction, *added: WebhookSubscription, owner: str = ACME) -> None:
    for number, one in enumerate(added):
        insert_subscription(tx, owner, one, at(number))


def event(id_: str, seconds: float = 0, **changes: Any) -> Event:
    plain = {
        "id": id_,
        "organization_id": ACME,
        "topic": Topic.ROUTE_CREATED,
        "object_id": f"object of {id_}",
        "timestamp": at(seconds),
        "actor": Actor(),
    }
    return Event(**{**plain, **changes})


def record(tx: Transaction, *recorded: Event) -> None:
    """Store events that show nothing."""
    add_events(tx, recorded, {})
