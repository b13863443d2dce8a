"""How far a route has come, by its stops alone."""

import pytest
from tests.storage.rows import HERE, route, stop

from roundsman.domain.route_ends import EndStatus, RouteEnd
from roundsman.domain.route_status import derive_status
from roundsman.domain.route_stop import BreakStatus, DeliveryStatus
from roundsman.domain.stop_type import StopType

pytestmark = pytest.mark.spec("decisions §14")

END = RouteEnd(coordinates=HERE)
REACHED = RouteEnd(coordinates=HERE, status=EndStatus.COMPLETED)


@pytest.mark.parametrize(
    ("stops", "end", "status"),
    [
        ("", None, "UNSTARTED"),
        ("", REACHED, "UNSTARTED"),
        ("UU", None, "UNSTARTED"),
        ("UB", None, "UNSTARTED"),
        ("RR", None, "READY"),
        ("RU", None, "READY"),
        ("RBU", None, "READY"),
        ("OR", None, "STARTED"),
        ("UA", None, "STARTED"),
        ("DU", None, "STARTED"),
        ("OC", None, "STARTED"),
        ("AD", None, "COMPLETED"),
        ("ADC", None, "COMPLETED"),
        ("ADB", None, "STARTED"),
        ("AD", END, "STARTED"),
        ("AD", REACHED, "COMPLETED"),
        ("AO", REACHED, "STARTED"),
    ],
)
def test_a_status_follows_from_the_stops_and_the_end(
    stops: str, end: RouteEnd | None, status: str
) -> None:
    """By the first letter of each stop's status; B is a break, and C one that was taken."""
    letters = {one.value[0]: one for one in DeliveryStatus}
    made = tuple(
        stop(f"s{number}", delivery_status=letters[letter])
        if letter in letters
        else stop(
            f"s{number}",
            type=StopType.BREAK,
            break_status=BreakStatus.COMPLETED if letter == "C" else BreakStatus.UNKNOWN,
        )
        for number, letter in enumerate(stops)
    )
    ending = {} if end is None else {"end": end}
    assert derive_status(route("r", stops=made, **ending)) == status
