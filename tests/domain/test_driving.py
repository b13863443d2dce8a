"""How stops and tasks move while a route is driven."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from roundsman.domain.actions import Fix, Reason, TooLate
from roundsman.domain.address import Coordinates
from roundsman.domain.errors import InvalidArgument, NotYet
from roundsman.domain.model import UNSET
from roundsman.domain.proof import AttemptedReason
from roundsman.domain.route import DriverFix, Route
from roundsman.domain.route_access import require_may_drive
from roundsman.domain.route_actions import ACTIONS
from roundsman.domain.route_ends import RouteStart, StartStatus
from roundsman.domain.route_progress import locate_driver
from roundsman.domain.route_stop import BreakStatus, DeliveryStatus, RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.domain.task import InputMethod, Task, TaskItem, TaskType

NOW = datetime(2024, 7, 1, 8, tzinfo=UTC)
POINT = Coordinates(latitude=39.3, longitude=-76.6)
ELSEWHERE = Coordinates(latitude=39.4, longitude=-76.7)


def stop(status: DeliveryStatus = DeliveryStatus.OUT_FOR_DELIVERY, **fields: Any) -> RouteStop:
    given = {"id": "rst-1", "updated_at": NOW, "planned_coordinates": POINT, **fields}
    return RouteStop(delivery_status=status, **given)


def route(*stops: RouteStop, **fields: Any) -> Route:
    start = RouteStart(coordinates=POINT, status=StartStatus.STARTED, updated_start=NOW)
    given = {
        "id": "rte-1",
        "number": 1,
        "name": "#1",
        "start": start,
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    return Route(stops=stops, **given)


def move(of: RouteStop, verb: str) -> RouteStop:
    if verb == "attempted":
        return of.attempted(AttemptedReason.REFUSED, "no", NOW, POINT)
    return of.delivered(NOW, POINT) if verb == "delivered" else of.sent_out(NOW)


U, R, O, A, D = DeliveryStatus  # noqa: E741 -- unknown, ready, out, attempted, delivered
MOVES = [
    *((before, "sent_out", O) for before in (U, R, O)),
    (A, "sent_out", A),
    (D, "sent_out", D),
    *((before, verb, None) for before in (U, R) for verb in ("attempted", "delivered")),
    *((before, "attempted", A) for before in (O, A, D)),
    *((before, "delivered", D) for before in (O, A, D)),
]


@pytest.mark.spec("decisions §8")
@pytest.mark.parametrize(("before", "verb", "after"), MOVES)
def test_which_moves_a_stop_makes(
    before: DeliveryStatus, verb: str, after: DeliveryStatus | None
) -> None:
    if after is None:
        with pytest.raises(NotYet, match="start the route first"):
            move(stop(before), verb)
    else:
        assert move(stop(before), verb).delivery_status is after


@pytest.mark.spec("decisions §8")
def test_a_break_is_only_taken() -> None:
    pause = stop(DeliveryStatus.UNKNOWN, type=StopType.BREAK)
    assert pause.sent_out(NOW) == pause
    for verb in ("attempted", "delivered"):
        with pytest.raises(InvalidArgument, match="is a break"):
            move(pause, verb)
    taken = pause.break_completed(NOW)
    assert taken.break_status is BreakStatus.COMPLETED
    assert taken.break_completed(NOW + timedelta(hours=1)) == taken
    with pytest.raises(InvalidArgument, match="is no break"):
        stop().break_completed(NOW)


BOXES = (TaskItem(id="1"), TaskItem(id="2"))


def answered(task: Task, value: str) -> Task:
    return task.answered(value, InputMethod.TYPED, NOW)


@pytest.mark.spec("decisions §8")
def test_when_a_task_is_done() -> None:
    boxes = Task(id="t", type=TaskType.CHECKBOXES, items=BOXES)
    one = boxes.marked("1", NOW, completed=True)
    assert not one.is_done()
    assert one.marked("2", NOW, completed=True).is_done()
    assert not answered(boxes, "x").is_done()
    buttons = Task(id="t", type=TaskType.RADIO_BUTTONS, items=BOXES)
    chosen = buttons.marked("1", NOW, completed=True).marked("2", NOW, completed=True)
    assert [item.completed for item in chosen.items] == [False, True]
    assert chosen.is_done()
    assert not chosen.marked("2", NOW, completed=False).is_done()
    text = Task(id="t", type=TaskType.TEXT_INPUT)
    assert not answered(text, " ").is_done()
    assert answered(text, "x").is_done()
    assert answered(Task(id="t"), "").is_done()
    assert not Task(id="t").is_done()


@pytest.mark.spec("decisions §7")
def test_a_driver_is_where_they_were_told_of_last() -> None:
    later, latest = NOW + timedelta(minutes=5), NOW + timedelta(minutes=9)
    assert locate_driver(route(stop())).at == NOW
    done = stop().delivered(later, UNSET)
    assert locate_driver(route(done)) == DriverFix(coordinates=POINT, at=later)
    fix = DriverFix(coordinates=ELSEWHERE, at=latest)
    assert locate_driver(route(done, last_fix=fix)) == fix
    old = DriverFix(coordinates=ELSEWHERE, at=NOW)
    assert locate_driver(route(done, last_fix=old)).coordinates == POINT


def test_an_older_position_changes_nothing() -> None:
    position = next(shape for kind, shape in ACTIONS.items() if kind == "POSITION")
    fix = DriverFix(coordinates=ELSEWHERE, at=NOW + timedelta(minutes=5))
    under_way = route(stop(), last_fix=fix)
    told = position(
        id="",
        kind=next(kind for kind in ACTIONS if kind == "POSITION"),
        sequence=1,
        at=NOW + timedelta(minutes=4),
        route_id="rte-1",
        position=Fix(latitude=1, longitude=1),
    )
    context = told.context(under_way, NOW + timedelta(hours=1))
    assert told.apply(under_way, context) == under_way


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (None, Reason.ROUTE_GONE),
        (route(archived_at=NOW), Reason.ROUTE_ARCHIVED),
        (route(driver_id="drv-2", dispatched_until=NOW), Reason.ROUTE_NOT_YOURS),
        (route(driver_id="", dispatched_until=NOW), Reason.ROUTE_NOT_YOURS),
        (route(driver_id="drv-1"), Reason.ROUTE_NOT_DISPATCHED),
        (route(driver_id="drv-1", dispatched_until=NOW), Reason.ROUTE_NOT_DISPATCHED),
    ],
)
def test_why_a_driver_may_no_longer_drive(given: Route | None, reason: Reason) -> None:
    with pytest.raises(TooLate) as late:
        require_may_drive(given, "drv-1", NOW)
    assert late.value.reason is reason
