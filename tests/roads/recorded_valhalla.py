"""Valhalla's HTTP interface as far as it is asked, on a loopback port.

Shapes of requests and answers are those in `recorded`: /locate, /sources_to_targets and
/route, with error codes 171 and 442. The roads behind it are rulers: everything within the town's
box is a road, nothing else is, and the island is reached from nowhere.
"""

import json
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any

from tests.roads.town import ISLAND, SOUTH, WEST

type Json = Any

_METERS = 111_195
_SPEED = 10.0


def _is_road(place: Json) -> bool:
    return bool(abs(place["lat"] - SOUTH) < 0.1 and abs(place["lon"] - WEST) < 0.1)


def _is_island(place: Json) -> bool:
    return bool(abs(place["lon"] - ISLAND.longitude) < 1e-4)


def _way(one: Json, other: Json) -> tuple[float, float] | None:
    if _is_island(one) is not _is_island(other):
        return None
    east = (one["lon"] - other["lon"]) * math.cos(math.radians(SOUTH))
    kilometers = math.hypot(one["lat"] - other["lat"], east) * _METERS / 1000
    return kilometers * 1000 / _SPEED, kilometers


def _encode(points: list[Json]) -> str:
    """Write a line with six decimals, as Valhalla's shapes are."""
    text, latitude, longitude = "", 0, 0
    for point in points:
        now = round(point["lat"] * 1e6), round(point["lon"] * 1e6)
        for step in (now[0] - latitude, now[1] - longitude):
            number = ~(step << 1) if step < 0 else step << 1
            while number >= 0x20:
                text += chr((0x20 | (number & 0x1F)) + 63)
                number >>= 5
            text += chr(number + 63)
        latitude, longitude = now
    return text


def _locate(asked: Json) -> Json:
    return [
        {
            "input_lat": place["lat"],
            "input_lon": place["lon"],
            "edges": [{"way_id": 1, "side_of_street": "neither"}] if _is_road(place) else [],
            "nodes": [],
        }
        for place in asked["locations"]
    ]


def _matrix(asked: Json) -> Json:
    if not all(map(_is_road, [*asked["sources"], *asked["targets"]])):
        return _error(171, "No suitable edges near location")
    rows = []
    for row, source in enumerate(asked["sources"]):
        cells = []
        for column, target in enumerate(asked["targets"]):
            way = _way(source, target) or (None, None)
            cells.append(
                {"from_index": row, "to_index": column, "time": way[0], "distance": way[1]}
            )
        rows.append(cells)
    return {"sources_to_targets": rows, "units": "kilometers", "algorithm": "costmatrix"}


def _route(asked: Json) -> Json:
    places = asked["locations"]
    if len(places) > 20:
        return _error(150, "Exceeded max locations:20")
    if not all(map(_is_road, places)):
        return _error(171, "No suitable edges near location")
    legs = []
    for one, other in pairwise(places):
        way = _way(one, other)
        if way is None:
            return _error(442, "No path could be found for input")
        summary = {"time": way[0], "length": way[1], "has_toll": False}
        legs.append({"summary": summary, "shape": _encode([one, other])})
    return {"trip": {"legs": legs, "status": 0, "units": "kilometers"}}


def _error(code: int, words: str) -> Json:
    return {"error_code": code, "error": words, "status_code": 400, "status": "Bad Request"}


_ACTIONS = {"/locate": _locate, "/sources_to_targets": _matrix, "/route": _route}


@contextmanager
def recorded_valhalla() -> Iterator[tuple[str, list[tuple[str, Json]]]]:
    """Answer on loopback; what was asked is kept."""
    asked: list[tuple[str, Json]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, body))
            answer = _ACTIONS[self.path](body)
            content = json.dumps(answer).encode()
            failed = isinstance(answer, dict) and "error_code" in answer
            self.send_response(400 if failed else 200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
