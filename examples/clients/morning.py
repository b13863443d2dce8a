"""A shop's morning: orders become stops, stops become one route, the route goes to its driver.

It may be run again after a crash: the keys are made of the day, so nothing is made twice.
"""

import os
import sys

from roundsman_client import ApiError, Roundsman
from roundsman_client.models import StopDraftInput

DAY = "2024-07-09"
ORDERS: list[StopDraftInput] = [
    {
        "clientStopId": f"morning-{number}",
        "orderName": f"#{number}",
        "coordinates": {"latitude": 39.25 + number / 100, "longitude": -76.61},
        "duration": "120s",
    }
    for number in (4, 1, 3, 2)
]


def work(roundsman: Roundsman) -> None:
    """Import, make a route, order it, hand it over."""
    stops = list(roundsman.import_all_stops(ORDERS, key=f"{DAY}-import"))
    route = roundsman.create_route(
        {
            "name": f"Morning of {DAY}",
            "scheduledFor": f"{DAY}T08:00:00-04:00",
            "start": {"coordinates": {"latitude": 39.24, "longitude": -76.61}},
        },
        idempotency_key=f"{DAY}-route",
    )
    roundsman.add_route_stops(
        route["id"],
        [{"importedStopId": stop["id"]} for stop in stops],
        idempotency_key=f"{DAY}-stops",
    )
    best = roundsman.reoptimize_route(route["id"], idempotency_key=f"{DAY}-order")
    roundsman.dispatch_route(route["id"], idempotency_key=f"{DAY}-dispatch")
    print(route["id"], *(stop["orderName"] for stop in best["stops"]))


if __name__ == "__main__":
    url, client = os.environ["ROUNDSMAN_URL"], os.environ["ROUNDSMAN_CLIENT_ID"]
    with Roundsman(url, client, os.environ["ROUNDSMAN_CLIENT_SECRET"]) as session:
        try:
            work(session)
        except ApiError as error:
            sys.exit(f"{error.message} (request {error.request_id}): {error.violations}")
