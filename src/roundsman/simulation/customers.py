"""The stops of a made-up day: customers around a start, drawn from a seed.

Phones and e-mail addresses are of ranges that belong to nobody (555-01xx, example.com).
"""

import math
import random
from collections.abc import Iterator
from datetime import datetime

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.item import Item
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.kit.durations import DurationText

SIMULATED = "simulated"
"""The tag of made-up stops and routes."""

_RADIUS_METERS = 7_000
_METERS_A_DEGREE = 111_320
_WINDOWS = ((0, 4), (1, 3), (2, 5), (4, 9), (6, 8), (7, 10))
"""Hours after the vans leave."""

_WITH_WINDOW = 0.4
_SERVICE_MINUTES = (2, 3, 3, 4, 4, 5, 6, 8)
_GOODS = ("Crate of vegetables", "Parcel", "Box of bread", "Crate of bottles", "Bag of coffee")
_FIRST_NAMES = ("Ama", "Ben", "Carla", "Dev", "Elif", "Femi", "Greta", "Hugo", "Ines", "Jun")
_LAST_NAMES = ("Adeyemi", "Brandt", "Costa", "Dvorak", "Evans", "Fischer", "Garcia", "Haddad")
_STREETS = ("Baker Row", "Chapel Lane", "Dock Street", "Elm Walk", "Foundry Street", "Garden Way")


def draw_customers(
    draw: random.Random, count: int, around: Coordinates, town: Address, leaves: datetime
) -> Iterator[StopDraft]:
    """Yield stops to deliver within seven kilometres, on the day on which the vans leave."""
    for number in range(1, count + 1):
        yield _draw_customer(draw, number, around, town, leaves)


def _draw_customer(
    draw: random.Random, number: int, around: Coordinates, town: Address, leaves: datetime
) -> StopDraft:
    windows: tuple[TimeWindow, ...] = ()
    if draw.random() < _WITH_WINDOW:
        opens, closes = (leaves.hour + hours for hours in draw.choice(_WINDOWS))
        if closes < 24:
            windows = (TimeWindow(start=TimeOfDay(hours=opens), end=TimeOfDay(hours=closes)),)
    return StopDraft(
        order_name=f"#S{number:04}",
        address=Address(
            address1=f"{draw.randint(1, 180)} {draw.choice(_STREETS)}",
            city=town.city,
            province_code=town.province_code,
            country_code=town.country_code,
        ),
        contact=Contact(
            first_name=draw.choice(_FIRST_NAMES),
            last_name=draw.choice(_LAST_NAMES),
            phone=f"+1410555{100 + number % 100:04}",
            email=f"customer-{number}@example.com",
        ),
        coordinates=_draw_place(draw, around),
        items=(Item(name=draw.choice(_GOODS), quantity=draw.randint(1, 3), grams=900),),
        duration=DurationText(f"{60 * draw.choice(_SERVICE_MINUTES)}s"),
        time_windows=windows,
        delivery_date=Date(year=leaves.year, month=leaves.month, day=leaves.day),
        tags=(SIMULATED,),
    )


def _draw_place(draw: random.Random, around: Coordinates) -> Coordinates:
    """Return a place, denser towards the middle, as towns are."""
    meters, angle = _RADIUS_METERS * draw.random(), draw.uniform(0, 2 * math.pi)
    north = meters * math.cos(angle) / _METERS_A_DEGREE
    a_degree = _METERS_A_DEGREE * math.cos(math.radians(around.latitude))
    east = meters * math.sin(angle) / a_degree
    return Coordinates(
        latitude=round(around.latitude + north, 6), longitude=round(around.longitude + east, 6)
    )
