"""A route as a calendar: when somebody is at each stop."""

from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest

from roundsman.domain.address import Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteStart
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.kit.durations import from_seconds
from roundsman.routing.route_files import write_calendar

pytestmark = pytest.mark.spec("decisions §18")

NINE = datetime(2030, 7, 1, 9, tzinfo=UTC)
HERE = Coordinates(latitude=39.29, longitude=-76.61)


def span_of(status: DeliveryStatus, arrived_at: datetime | UnsetType) -> tuple[datetime, datetime]:
    """Return begin and end of the event of a stop of five minutes, due or done at nine."""
    stop = RouteStop(
        id="rst-1",
        updated_at=NINE,
        planned_coordinates=HERE,
        duration=from_seconds(300),
        delivery_status=status,
        updated_arrival=NINE,
        arrived_at=arrived_at,
    )
    route = Route(
        id="rte-1",
        number=1,
        name="North",
        start=RouteStart(coordinates=HERE),
        stops=(stop,),
        created_at=NINE,
        updated_at=NINE,
    )
    calendar: Any = icalendar.Calendar.from_ical(write_calendar(AssignedRoute(route=route)))
    (event,) = calendar.walk("VEVENT")
    return event["DTSTART"].dt, event["DTEND"].dt


def test_a_stop_that_is_done_ends_when_it_was() -> None:
    five, twelve = NINE - timedelta(minutes=5), NINE - timedelta(minutes=12)
    assert span_of(DeliveryStatus.DELIVERED, UNSET) == (five, NINE)
    assert span_of(DeliveryStatus.DELIVERED, twelve) == (twelve, NINE)
    assert span_of(DeliveryStatus.ATTEMPTED_DELIVERY, NINE) == (NINE - timedelta(minutes=1), NINE)


def test_a_stop_that_is_ahead_begins_when_it_is_expected() -> None:
    assert span_of(DeliveryStatus.OUT_FOR_DELIVERY, UNSET) == (NINE, NINE + timedelta(minutes=5))
