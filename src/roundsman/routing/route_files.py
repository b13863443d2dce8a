"""A route as files of other programs: GPX, GeoJSON for maps, iCalendar for calendars."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.sax.saxutils import escape

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UnsetType
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_name import name_of_stop
from roundsman.routing.route_problem import service_seconds
from roundsman.routing.route_rows import HEADER, JSON_COLUMNS, rows_of_route

_LONGEST_LINE = 75
"""Octets of a line of iCalendar (RFC 5545, section 3.1)."""


def write_gpx(assigned: AssignedRoute) -> bytes:
    """Return the stops as waypoints and as a route (GPX 1.1)."""
    route = assigned.route
    places = [(route.start.coordinates, "Start")]
    places += [
        (stop.planned_coordinates, f"{number} {name_of_stop(stop)}".strip())
        for number, stop in enumerate(route.stops, 1)
    ]
    if isinstance(route.end, RouteEnd):
        places.append((route.end.coordinates, "End"))
    points = "".join(_point("rtept", at, name) for at, name in places)
    marks = "".join(_point("wpt", at, name) for at, name in places)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<gpx version="1.1" creator="Roundsman" xmlns="http://www.topografix.com/GPX/1/1">'
        f"{marks}<rte><name>{_xml(route.name)}</name>{points}</rte></gpx>\n"
    ).encode()


def _point(tag: str, at: Coordinates, name: str) -> str:
    where = f'lat="{at.latitude}" lon="{at.longitude}"'
    return f"<{tag} {where}><name>{_xml(name)}</name></{tag}>"


def _xml(text: str) -> str:
    return escape("".join(one for one in text if one.isprintable()))


def write_geojson(routes: Sequence[AssignedRoute], imported: Mapping[str, ImportedStop]) -> bytes:
    """Return a point for each stop and a line for each route (RFC 7946)."""
    features = []
    for assigned in routes:
        for row in rows_of_route(assigned, imported):
            properties: dict[str, Any] = dict(zip(HEADER, row, strict=True))
            for name in JSON_COLUMNS:
                properties[name] = json.loads(properties[name] or "null")
            longitude, latitude = properties.pop("longitude"), properties.pop("latitude")
            point = {"type": "Point", "coordinates": [longitude, latitude]}
            features.append({"type": "Feature", "geometry": point, "properties": properties})
        line = [assigned.route.start.coordinates]
        line += [stop.planned_coordinates for stop in assigned.route.stops]
        if isinstance(assigned.route.end, RouteEnd):
            line.append(assigned.route.end.coordinates)
        if len(line) > 1:
            shape = {
                "type": "LineString",
                "coordinates": [[at.longitude, at.latitude] for at in line],
            }
            named = {"route": assigned.route.name, "routeId": assigned.route.id}
            features.append({"type": "Feature", "geometry": shape, "properties": named})
    return json.dumps(
        {"type": "FeatureCollection", "features": features}, ensure_ascii=False
    ).encode()


def write_calendar(assigned: AssignedRoute) -> bytes:
    """Return an event for each stop whose arrival is known (RFC 5545)."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Roundsman//Route//EN"]
    for number, stop in enumerate(assigned.route.stops, 1):
        found = _span_of(stop)
        if found is None:
            continue
        arrival, leaves = found
        at = stop.planned_coordinates
        lines += [
            "BEGIN:VEVENT",
            f"UID:{stop.id}@roundsman",
            f"DTSTAMP:{_timestamp(stop.updated_at)}",
            f"DTSTART:{_timestamp(arrival)}",
            f"DTEND:{_timestamp(leaves)}",
            f"SUMMARY:{_escaped(f'{number} {name_of_stop(stop)}'.strip())}",
            f"GEO:{at.latitude};{at.longitude}",
            *_location(stop),
            *([f"DESCRIPTION:{_escaped(stop.note)}"] if stop.note else []),
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


def _span_of(stop: RouteStop) -> tuple[datetime, datetime] | None:
    """Return when somebody is at a stop; one that is done was left when it was."""
    arrival = stop.updated_arrival or stop.planned_arrival
    if isinstance(arrival, UnsetType):
        return None
    service = timedelta(seconds=max(60, service_seconds(stop)))
    if not stop.is_done():
        return arrival, arrival + service
    came = stop.arrived_at or arrival - service
    return min(came, arrival - timedelta(minutes=1)), arrival


def _location(stop: RouteStop) -> list[str]:
    words = stop.address.one_line() if isinstance(stop.address, Address) else ""
    return [f"LOCATION:{_escaped(words)}"] if words else []


def _timestamp(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    for character in "\\;,":
        text = text.replace(character, f"\\{character}")
    return text.replace("\r", "").replace("\n", "\\n")


def _folded(line: str) -> str:
    """Return a line in pieces of at most 75 octets, each next one begun by a space."""
    pieces: list[str] = []
    piece = ""
    for character in line:
        if len((piece + character).encode()) > _LONGEST_LINE - 1:
            pieces.append(piece)
            piece = ""
        piece += character
    return "\r\n ".join([*pieces, piece])
