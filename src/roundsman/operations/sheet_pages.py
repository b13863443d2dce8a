"""Routes as a page to print, one after the other, each on its streets where there is a map.

The page speaks the language of whoever prints it; times are on the clocks of the stops.
"""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import name_of_driver
from roundsman.domain.model import UnsetType
from roundsman.domain.organization import Language
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_name import name_of_stop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.kit.durations import whole_seconds
from roundsman.kit.languages import Words, words_of
from roundsman.kit.loading import load
from roundsman.kit.template_files import TemplateFiles
from roundsman.roads.network import RoadNetwork
from roundsman.routing.route_problem import zone_of
from roundsman.routing.route_rows import say_local_time
from roundsman.tiles.street_map import StreetMap

if TYPE_CHECKING:
    from roundsman.operations.route_pictures import RoutePicture

_TEMPLATES = TemplateFiles("roundsman.operations")


def render_sheet(
    routes: Sequence[AssignedRoute],
    street_map: StreetMap,
    roads: RoadNetwork,
    language: Language = Language.ENGLISH,
) -> str:
    """Return the page; it needs no script, and nothing from anywhere else."""
    # It reads tiles with a library that a start without sheets need not load.
    words = words_of("roundsman.operations", language)
    draw = load("roundsman.operations.route_pictures:draw_route_picture")
    pictures: list[RoutePicture | None] = [
        draw(street_map, roads, assigned.route) for assigned in routes
    ]
    return _TEMPLATES.render(
        "sheet.html",
        words=words,
        style=_style(),
        streets={id_: path for one in pictures if one for id_, path in one.paths.items()},
        routes=[
            {**_shown(assigned, words), "picture": picture}
            for assigned, picture in zip(routes, pictures, strict=True)
        ],
    )


def style_digest() -> str:
    """Return what a policy names the style of the page by."""
    return b64encode(hashlib.sha256(_style().encode()).digest()).decode()


@cache
def _style() -> str:
    return _TEMPLATES.render("sheet.css")


def _shown(assigned: AssignedRoute, words: Words) -> dict[str, object]:
    route = assigned.route
    return {
        "name": route.name,
        "driver": name_of_driver(assigned.driver),
        "vehicle": assigned.vehicle.name if assigned.vehicle else "",
        "leaves": _say_departure(route, words),
        "kilometers": words.write_decimal(f"{route.total_distance_meters() / 1000:.1f}"),
        "note": route.note,
        "stops": [_shown_stop(number, stop, words) for number, stop in enumerate(route.stops, 1)],
    }


def _say_departure(route: Route, words: Words) -> str:
    departure = route.departure()
    if not route.stops or isinstance(departure, UnsetType):
        return ""
    local = departure.astimezone(zone_of(route.stops[0].planned_coordinates))
    return f"{words.write_date(local.date())}, {local:%H:%M}"


def _say_window(window: TimeWindow, words: Words) -> str:
    start, end = window.start, window.end
    if isinstance(start, UnsetType):
        return "" if isinstance(end, UnsetType) else words.say("until", time=_clock(end))
    if isinstance(end, UnsetType):
        return words.say("from", time=_clock(start))
    return f"{_clock(start)}\N{EN DASH}{_clock(end)}"


def _clock(time: TimeOfDay) -> str:
    return f"{time.hours:02}:{time.minutes:02}"


def _shown_stop(number: int, stop: RouteStop, words: Words) -> dict[str, object]:
    at = f"{stop.planned_coordinates.latitude},{stop.planned_coordinates.longitude}"
    contact, address = stop.contact, stop.address
    lines = (
        [address.address1, address.address2, f"{address.zip} {address.city}".strip()]
        if address
        else []
    )
    return {
        "number": number,
        "name": name_of_stop(stop),
        "order": stop.order_name,
        "address": [line for line in lines if line],
        "phone": contact.phone if contact else "",
        "windows": ", ".join(filter(None, (_say_window(one, words) for one in stop.time_windows))),
        "arrival": say_local_time(stop, stop.updated_arrival or stop.planned_arrival)[-5:],
        "minutes": whole_seconds(stop.duration) // 60 if stop.duration else 0,
        "note": stop.note,
        "goods": [f"{item.quantity} {item.name or item.sku}".strip() for item in stop.items],
        "tasks": [task.title for task in stop.tasks],
        "links": {
            "geo": f"geo:{at}?q={at}({quote(name_of_stop(stop))})",
            "Google": f"https://www.google.com/maps/dir/?api=1&destination={at}",
            "Apple": f"https://maps.apple.com/?daddr={at}",
            "Waze": f"https://waze.com/ul?ll={at}&navigate=yes",
        },
    }
