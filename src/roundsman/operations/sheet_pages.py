"""Routes as a page to print, one after the other, each on its streets where there is a map.

The page speaks the language of whoever prints it; times are on the clocks of the stops.
"""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from itertools import batched
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import segno

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.customer_note import CustomerNote
from roundsman.domain.driver import name_of_driver
from roundsman.domain.item import Item, total_grams
from roundsman.domain.model import UnsetType
from roundsman.domain.organization import Language
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop, StoreOrderNotes
from roundsman.domain.stop_name import name_of_stop
from roundsman.domain.stop_type import StopType
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.kit.durations import whole_seconds
from roundsman.kit.languages import Words, words_of
from roundsman.kit.loading import load
from roundsman.kit.template_files import TemplateFiles
from roundsman.roads.network import RoadNetwork
from roundsman.routing.route_problem import zone_of
from roundsman.tiles.street_map import StreetMap

if TYPE_CHECKING:
    from roundsman.operations.route_pictures import RoutePicture

_TEMPLATES = TemplateFiles("roundsman.operations")
_STOPS_A_LINK = 9
_APP_ROUTE = "/driver#/route"
_KILOGRAM = 1_000  # grams
_WEEK = timedelta(days=7)


def render_sheet(
    routes: Sequence[AssignedRoute],
    street_map: StreetMap,
    roads: RoadNetwork,
    language: Language = Language.ENGLISH,
    server: str = "",
) -> str:
    """Return the page; it needs no script, and nothing from anywhere else.

    `server` is the address whose driver's app claims and opens the routes by a code; without it
    there is none.
    """
    # It reads tiles with a library that a start without sheets need not load.
    words = words_of("roundsman.operations", language)
    draw = load("roundsman.operations.route_pictures:draw_route_picture")
    pictures: list[RoutePicture | None] = [
        draw(street_map, roads, assigned.route) for assigned in routes
    ]
    return _TEMPLATES.render(
        "sheet.html",
        words=words,
        style=_style_of(routes),
        streets={id_: path for one in pictures if one for id_, path in one.paths.items()},
        routes=[
            {
                **_shown(assigned, words),
                "picture": picture,
                "code": _draw_code(f"{server}{_APP_ROUTE}/{assigned.route.id}") if server else "",
            }
            for assigned, picture in zip(routes, pictures, strict=True)
        ],
    )


def style_digest(routes: Sequence[AssignedRoute]) -> str:
    """Return what a policy names the style of the page of some routes by."""
    return b64encode(hashlib.sha256(_style_of(routes).encode()).digest()).decode()


def _style_of(routes: Sequence[AssignedRoute]) -> str:
    """Return the style of a page, which has the name of its route at the head of each sheet.

    A margin box shows only what stands in the style (CSS Paged Media, 6.1): a page type a route.
    """
    heads = (
        f"#route-{number} {{ page: route-{number}; }}"
        f" @page route-{number} {{ @top-left {{ content: {_quote_for_style(one.route.name)}; }} }}"
        for number, one in enumerate(routes, 1)
    )
    return "\n".join((_style(), *heads))


def _quote_for_style(text: str) -> str:
    """Return a text as a string of CSS, in which nothing but letters and digits is itself."""
    letters = (one if one.isalnum() else f"\\{ord(one):x} " for one in text)
    return f'"{"".join(letters)}"'


@cache
def _style() -> str:
    return _TEMPLATES.render("sheet.css")


def _draw_code(link: str) -> str:
    """Return a link as a QR code, an SVG element that holds no text."""
    code = segno.make(link, error="m", micro=False)
    return str(code.svg_inline(omitsize=True, border=0, svgclass=None, lineclass=None))


def _shown(assigned: AssignedRoute, words: Words) -> dict[str, object]:
    route = assigned.route
    return {
        "name": route.name,
        "driver": name_of_driver(assigned.driver),
        "vehicle": assigned.vehicle.name if assigned.vehicle else "",
        "leaves": _say_departure(route, words),
        "kilometers": words.write_decimal(f"{route.total_distance_meters() / 1000:.1f}"),
        "note": route.note,
        "links": _links_of_route(route),
        "stops": [
            {
                **_shown_stop(number, stop, words),
                "arrival": _say_arrival(route, stop, words),
                "windows": _say_windows(route, stop, words),
            }
            for number, stop in enumerate(route.stops, 1)
        ],
    }


def _say_departure(route: Route, words: Words) -> str:
    departure = route.departure()
    if not route.stops or isinstance(departure, UnsetType):
        return ""
    local = departure.astimezone(zone_of(route.stops[0].planned_coordinates))
    return f"{words.write_date(local.date())}, {local:%H:%M}"


def _say_arrival(route: Route, stop: RouteStop, words: Words) -> str:
    """Return when a stop is reached, with its day where the route left on another."""
    at, departure = stop.updated_arrival or stop.planned_arrival, route.departure()
    if isinstance(at, UnsetType):
        return ""
    zone = zone_of(stop.planned_coordinates)
    local = at.astimezone(zone)
    is_same_day = (departure or at).astimezone(zone).date() == local.date()
    return f"{local:%H:%M}" if is_same_day else f"{words.name_weekday(local.date())} {local:%H:%M}"


def _say_windows(route: Route, stop: RouteStop, words: Words) -> str:
    """Return the windows of a stop, with its own day where the route leaves on another."""
    windows = ", ".join(filter(None, (_say_window(one, words) for one in stop.time_windows)))
    departure, day = route.departure(), stop.delivery_date
    if not windows or isinstance(departure, UnsetType) or isinstance(day, UnsetType):
        return windows
    local, own = departure.astimezone(zone_of(stop.planned_coordinates)).date(), day.as_date()
    if own == local:
        return windows
    is_near = abs(own - local) < _WEEK  # a day of the week could be another week's
    return f"{words.name_weekday(own) if is_near else words.write_date(own)} {windows}"


def _say_window(window: TimeWindow, words: Words) -> str:
    start, end = window.start, window.end
    if isinstance(start, UnsetType):
        return "" if isinstance(end, UnsetType) else words.say("until", time=_clock(end))
    if isinstance(end, UnsetType):
        return words.say("from", time=_clock(start))
    return f"{_clock(start)}\N{EN DASH}{_clock(end)}"


def _clock(time: TimeOfDay) -> str:
    return f"{time.hours:02}:{time.minutes:02}"


def _say_address(stop: RouteStop) -> list[str]:
    """Return the lines of an address; without one what was found there, or the coordinates.

    On paper there is no link to a map.
    """
    address, at = stop.address, stop.planned_coordinates
    lines = (
        [address.address1, address.address2, f"{address.zip} {address.city}".strip()]
        if address
        else [stop.geocoding.matched_address if stop.geocoding else ""]
    )
    given = [line for line in lines if line]
    return given or [f"{at.latitude:.5f}, {at.longitude:.5f}"]


def _notes_of_others(stop: RouteStop, words: Words) -> list[tuple[str, str]]:
    """Return what others than the planner wrote, each with who did."""
    order, note = stop.store_order or StoreOrderNotes(), stop.customer_note
    given = (
        ("order_note", order.order_note),
        ("from_customer", order.customer_note),
        ("from_customer", note.note if isinstance(note, CustomerNote) else ""),
    )
    return [(words.say(name), text) for name, text in given if text and text != stop.note]


def _say_item(item: Item, words: Words) -> str:
    """Return how much there is of what, and its weight in all; a number alone says nothing."""
    name = item.name or item.sku
    said = f"{item.quantity} {name}" if name else words.say("items", number=item.quantity)
    grams = total_grams([item])
    return f"{said} ({_say_weight(grams, words)})" if grams else said


def _say_weight(grams: int, words: Words) -> str:
    if grams < _KILOGRAM:
        return f"{grams} g"
    return f"{words.write_decimal(f'{grams / _KILOGRAM:.1f}'.removesuffix('.0'))} kg"


def _links_of_route(route: Route) -> dict[str, str]:
    """Return links that lead to several stops one after the other, from where the driver is.

    Google Maps alone has such links, for nine stops at most (decisions §18).
    """
    visits = [
        (number, place)
        for number, stop in enumerate(route.stops, 1)
        if stop.type is not StopType.BREAK and (place := _destination_of(stop))
    ]
    if len(visits) < 2:
        return {}
    links = {}
    for piece in batched(visits, _STOPS_A_LINK):
        places = [place.replace("|", " ") for _, place in piece]
        asked = {"api": "1", "travelmode": "driving", "destination": places[-1]}
        if places[:-1]:
            asked["waypoints"] = "|".join(places[:-1])
        first, last = piece[0][0], piece[-1][0]
        named = f"{first}\N{EN DASH}{last}" if first != last else f"{first}"
        links[named] = f"https://www.google.com/maps/dir/?{urlencode(asked, safe=',')}"
    return links


def _destination_of(stop: RouteStop) -> str:
    """Return where a map is to lead: to the address of a stop at 0,0, not into the sea."""
    at = stop.planned_coordinates
    if at.is_nowhere():
        return stop.address.one_line() if stop.address else ""
    return f"{at.latitude},{at.longitude}"


def _links_of_stop(stop: RouteStop) -> dict[str, str]:
    place = _destination_of(stop)
    if not place:
        return {}
    if stop.planned_coordinates.is_nowhere():
        asked = quote(place)
        return {
            "geo": f"geo:0,0?q={asked}",
            "Google": f"https://www.google.com/maps/dir/?api=1&destination={asked}",
            "Apple": f"https://maps.apple.com/?daddr={asked}",
            "Waze": f"https://waze.com/ul?q={asked}&navigate=yes",
        }
    return {
        "geo": f"geo:{place}?q={place}({quote(name_of_stop(stop))})",
        "Google": f"https://www.google.com/maps/dir/?api=1&destination={place}",
        "Apple": f"https://maps.apple.com/?daddr={place}",
        "Waze": f"https://waze.com/ul?ll={place}&navigate=yes",
    }


def _shown_stop(number: int, stop: RouteStop, words: Words) -> dict[str, object]:
    contact = stop.contact
    return {
        "number": number,
        "name": name_of_stop(stop),
        "order": stop.order_name,
        "address": _say_address(stop),
        "phone": contact.phone if contact else "",
        "minutes": whole_seconds(stop.duration) // 60 if stop.duration else 0,
        "note": stop.note,
        "notes": _notes_of_others(stop, words),
        "goods": [_say_item(item, words) for item in stop.items],
        "tasks": [task.title for task in stop.tasks],
        "links": _links_of_stop(stop),
    }
