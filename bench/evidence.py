"""Print what the chain of evidence adds to a driver's tap at a door.

`python -m bench.evidence --deliveries 1000` sends deliveries one by one through the whole
application in process, with and without the chain in turn, and prints the medians and what the
chain adds. SQLite in a folder, and PostgreSQL where its binaries are.
"""

import argparse
import gc
import statistics
import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

from tests.support.in_process import InProcessClient

from bench.databases import KINDS
from bench.in_process import opened_application
from roundsman.operations import unit_of_work

_STOPS = 100
_POINT = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
_TURN = 10
"""Deliveries of one kind before those of the other, so that both see the same machine."""


class Van:
    """A driver's device, and the planner who gives it routes."""

    def __init__(self, http: InProcessClient, planner: dict[str, str]) -> None:
        self._http = http
        self._planner = planner
        invited = self._post("/api/2024-07/drivers", {"firstName": "Dana"}, planner)
        token = invited["inviteUrl"].rpartition("/")[2]
        signed = self._post(f"/driver/api/invites/{token}", {"device": "phone"}, {})
        self._driver_id = signed["driver"]["id"]
        self._device = {"Authorization": f"Bearer {signed['token']}"}
        self._sequence = 0

    def _post(self, path: str, body: Any, headers: dict[str, str]) -> Any:
        answer = self._http.post(path, json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def start_route(self) -> tuple[str, list[str]]:
        """Return a route under way and its stops."""
        base = "/api/2024-07"
        imported = self._post(f"{base}/stops/imports", [_POINT] * _STOPS, self._planner)["stops"]
        draft = {"start": _POINT, "driverId": self._driver_id}
        route_id: str = self._post(f"{base}/routes", draft, self._planner)["id"]
        added = [{"importedStopId": one["id"]} for one in imported]
        self._post(f"{base}/routes/{route_id}/stops", added, self._planner)
        route = self._post(f"{base}/routes/{route_id}/dispatch", {}, self._planner)
        self.tap("ROUTE_STARTED", route_id)
        return route_id, [one["id"] for one in route["stops"]]

    def tap(self, kind: str, route_id: str, **more: Any) -> float:
        """Submit one action; return the seconds that it took."""
        self._sequence += 1
        action = {
            "id": str(uuid.uuid4()),  # noqa: TID251 -- a device draws its own
            "kind": kind,
            "sequence": self._sequence,
            "at": datetime.now(UTC).isoformat(),  # noqa: TID251 -- a device's own clock
            "routeId": route_id,
            **more,
        }
        begun = time.perf_counter()
        results = self._post("/driver/api/actions", {"actions": [action]}, self._device)["results"]
        seconds = time.perf_counter() - begun
        assert results[0]["outcome"] == "APPLIED", results
        return seconds


def _without_chain(*_: object) -> int:
    """Leave out what is measured; nothing else of the service knows a way to."""
    return 0


def deliver(van: Van, route_id: str, stop_ids: Sequence[str]) -> list[float]:
    """Deliver stops one by one; return the seconds of each."""
    here = {"latitude": 39.29, "longitude": -76.61, "accuracyMeters": 6}
    return [
        van.tap("STOP_DELIVERED", route_id, stopId=one, recipientName="Ann", position=here)
        for one in stop_ids
    ]


def measure(kind: str, deliveries: int) -> None:
    """Deliver with and without the chain in turn, and print what it adds."""
    chained: list[float] = []
    bare: list[float] = []
    with opened_application(kind) as opened:
        while len(chained) < deliveries:
            # Another device a route: one may ask ten times a second.
            van = Van(opened.http, opened.headers)
            route_id, stop_ids = van.start_route()
            for first in range(0, _STOPS, 2 * _TURN):
                gc.collect()
                chained += deliver(van, route_id, stop_ids[first : first + _TURN])
                with patch.object(unit_of_work, "chain_stop_changes", _without_chain):
                    rest = stop_ids[first + _TURN : first + 2 * _TURN]
                    bare += deliver(van, route_id, rest)
    median, without = statistics.median(chained), statistics.median(bare)
    print(
        f"{kind}: {len(chained)} deliveries each, median {without * 1000:.2f} ms without the chain"
        f" and {median * 1000:.2f} ms with it: {median / without - 1:+.1%}"
    )


def main() -> None:
    """Measure each database."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deliveries", type=int, default=1_000)
    parser.add_argument("--databases", nargs="+", default=list(KINDS), choices=KINDS)
    asked = parser.parse_args()
    for kind in asked.databases:
        measure(kind, asked.deliveries)


if __name__ == "__main__":
    main()
