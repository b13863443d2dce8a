"""Servers on loopback that answer as Nominatim and Photon do, in the shapes that these publish."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

type Query = Mapping[str, str]
type Answer = tuple[int, Any]


@dataclass
class Recording:
    """A running server: what it was asked, and how many asked at once at most."""

    url: str = ""
    asked: list[tuple[str, Query]] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    at_once: int = 0
    most_at_once: int = 0


@contextmanager
def answering(answer: Callable[[str, Query], Answer]) -> Iterator[Recording]:
    """Serve what `answer` returns for a path and its query: a status and a value sent as JSON."""
    recording = Recording()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            with lock:
                recording.asked.append((parts.path, query))
                recording.agents.add(self.headers["User-Agent"])
                recording.at_once += 1
                recording.most_at_once = max(recording.most_at_once, recording.at_once)
            status, value = answer(parts.path, query)
            body = json.dumps(value).encode()
            with lock:
                recording.at_once -= 1
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    recording.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield recording
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def nominatim_place(**said: Any) -> dict[str, Any]:
    """Return a result of `/search?format=jsonv2&addressdetails=1`; numbers are strings there."""
    address = said.pop("address", {})
    return {
        "place_id": 240109189,
        "licence": "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright",
        "osm_type": "way",
        "osm_id": 1,
        "lat": "47.1392862",
        "lon": "9.5227962",
        "category": "place",
        "type": "house",
        "place_rank": 30,
        "importance": 0.0000862,
        "addresstype": "place",
        "name": "",
        "display_name": "Vaduz, Oberland, 9490, Liechtenstein",
        "boundingbox": ["47.1", "47.2", "9.4", "9.6"],
        **said,
        "address": {"country": "Liechtenstein", "country_code": "li", **address},
    }


NOMINATIM_VADUZ = nominatim_place(
    category="boundary",
    type="administrative",
    place_rank=16,
    addresstype="town",
    name="Vaduz",
    address={"town": "Vaduz", "county": "Oberland", "postcode": "9490"},
)


def photon_feature(**said: Any) -> dict[str, Any]:
    """Return a feature of `/api`; longitude comes first, as in all GeoJSON."""
    point = said.pop("point", [9.5227962, 47.1392862])
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": point},
        "properties": {
            "osm_type": "N",
            "osm_id": 1,
            "osm_key": "place",
            "osm_value": "house",
            "country": "Liechtenstein",
            "countrycode": "LI",
            "extent": [9.4, 47.2, 9.6, 47.1],
            **said,
        },
    }


PHOTON_VADUZ = photon_feature(
    type="city", osm_value="town", name="Vaduz", county="Oberland", postcode="9490"
)


def nominatim_knows_vaduz(path: str, query: Query) -> Answer:
    assert path == "/search"
    return 200, [NOMINATIM_VADUZ] if query.get("city") == "Vaduz" else []


def photon_knows_vaduz(path: str, query: Query) -> Answer:
    assert path == "/api"
    found = [PHOTON_VADUZ] if "Vaduz" in query["q"] else []
    return 200, {"type": "FeatureCollection", "features": found}
