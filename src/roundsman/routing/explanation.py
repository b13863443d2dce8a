"""Why a stop is reached when it is: where the time goes by plan, and where a delay comes from.

Arrivals and done stops are kept with a route, so nothing is asked of a road engine. At each place
that the driver has passed or will pass it is known how far behind the plan that is; what a place
adds is the difference to the place before, so that all parts add up to the whole.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_explanation import StopExplanation, TimeKind, TimePart
from roundsman.domain.stop_name import name_of_stop
from roundsman.planning.schedule import begin_service
from roundsman.routing.route_problem import LAST_SECOND, service_seconds, windows_on_axis
from roundsman.routing.wording import (
    ceil_to_second,
    describe_duration,
    describe_slack,
    describe_time,
    describe_windows,
    floor_to_minute,
    share_minutes,
)

_SECOND = timedelta(seconds=1)
_MOST_NAMED = 3


def explain_stop(route: Route, stop_id: str) -> StopExplanation:
    """Return why a stop is reached when it is; raise NotFound."""
    stop = route.find_stop(stop_id)
    planned, updated = stop.planned_arrival, stop.updated_arrival
    if isinstance(planned, UnsetType):
        name = _name(route, stop)
        sentence = f"Nothing is planned for {name} yet: the route has no departure."
        return StopExplanation(stop_id=stop.id, updated_arrival=updated, sentence=sentence)
    came = updated or planned
    served = came - _SECOND * service_seconds(stop) if stop.is_done() else came
    to_spare = _until_closing(route, stop, served)
    delay = _seconds(came - planned)
    spare_by_plan = _until_closing(route, stop, planned)
    early = _waiting(route, stop, served)
    opens = ceil_to_second(served + _SECOND * early)  # whose window opens at a full second
    if to_spare is not None and not stop.is_done():
        spare_by_plan = to_spare + delay  # to the second, where the clock of either has fractions
    explanation = StopExplanation(
        stop_id=stop.id,
        planned_arrival=planned,
        updated_arrival=updated,
        delay_seconds=delay,
        lateness_seconds=0 if to_spare is None else max(0, -to_spare),
        slack_seconds=UNSET if to_spare is None or to_spare < 0 else to_spare,
        planned_slack_seconds=_or_unset(spare_by_plan),
        waiting_seconds=0 if stop.is_done() else early,
        opens_at=opens if early else UNSET,
        delays=tuple(_delays(route, stop)),
        plan=tuple(_plan(route, stop)),
        sentence="",
    )
    return _with_sentence(route, stop, came, explanation)


def _until_closing(route: Route, stop: RouteStop, moment: datetime) -> int | None:
    """Return how long after a moment the last window closes; None where none ever does."""
    windows = windows_on_axis(stop, moment, route.departure() or moment)
    closes = max((closes for _, closes in windows), default=LAST_SECOND)
    return None if closes >= LAST_SECOND else closes


def _or_unset(seconds: int | None) -> int | UnsetType:
    return UNSET if seconds is None else seconds


def _seconds(span: timedelta) -> int:
    return span // _SECOND


def _plan(route: Route, stop: RouteStop) -> Iterator[TimePart]:
    """Yield what the time from the departure to the planned arrival is spent on.

    Stops count in the order in which they were planned, whatever was done first. Where the stop was
    planned anew on the road, what had been driven by then comes first, as it was driven.
    """
    departs, planned = route.departure(), stop.planned_arrival
    if isinstance(departs, UnsetType) or isinstance(planned, UnsetType):
        return
    left, driven = _driven(route, departs) if not _was_before_replan(route, stop) else (0, [])
    yield from driven
    due = _seconds(planned - departs)
    places = [*_planned_before(route, stop, departs), (due, stop)]
    for (at, visited), (until, _) in pairwise(places):
        yield from _part(TimeKind.TRAVEL, visited, at - left)
        waiting = min(_waiting(route, visited, departs + _SECOND * at), until - at)
        service = min(service_seconds(visited), until - at - waiting)
        yield from _part(TimeKind.WAITING, visited, waiting)
        yield from _part(TimeKind.SERVICE, visited, service)
        left = at + waiting + service
    yield from _part(TimeKind.TRAVEL, stop, due - left)


def _driven(route: Route, departs: datetime) -> tuple[int, list[TimePart]]:
    """Return until when a route was driven that was then planned anew, and what that consists of.

    The moment of a done stop is its end; before that it took as long as it was to.
    """
    parts: list[TimePart] = []
    left = 0
    if isinstance(route.replanned_at, datetime) and isinstance(route.start.updated_start, datetime):
        left = _seconds(route.start.updated_start - departs)
        parts += _part(TimeKind.DEPARTURE, None, left)
    for visited in route.done_stops():
        if not _was_before_replan(route, visited) or isinstance(visited.updated_arrival, UnsetType):
            continue
        ends = max(left, _seconds(visited.updated_arrival - departs))
        service = min(service_seconds(visited), ends - left)
        parts += _part(TimeKind.TRAVEL, visited, ends - left - service)
        parts += _part(TimeKind.SERVICE, visited, service)
        left = ends
    return left, parts


def _planned_before(
    route: Route, stop: RouteStop, departs: datetime
) -> Sequence[tuple[int, RouteStop]]:
    """Return the stops that the same plan has before one, and when it reaches them, in order."""
    due, position = stop.planned_arrival, route.stops.index(stop)
    is_before_replan = _was_before_replan(route, stop)
    before = [
        (other.planned_arrival, index)
        for index, other in enumerate(route.stops)
        if isinstance(other.planned_arrival, datetime)
        and _was_before_replan(route, other) is is_before_replan
    ]
    return [
        (_seconds(at - departs), route.stops[index])
        for at, index in sorted(before)
        if isinstance(due, datetime) and (at, index) < (due, position)
    ]


def _was_before_replan(route: Route, stop: RouteStop) -> bool:
    """Say whether a stop was done before the route was planned anew: it was planned otherwise."""
    anew, at = route.replanned_at, stop.updated_arrival
    return stop.is_done() and isinstance(anew, datetime) and isinstance(at, datetime) and at <= anew


def _part(kind: TimeKind, stop: RouteStop | None, seconds: int) -> Iterator[TimePart]:
    if seconds:
        yield TimePart(kind=kind, stop_id=stop.id if stop else UNSET, seconds=seconds)


def _waiting(route: Route, stop: RouteStop, arrival: datetime) -> int:
    """Return how long the driver waits for a window who arrives at a moment."""
    windows = sorted(windows_on_axis(stop, arrival, route.departure() or arrival))
    return begin_service(windows, 0)[0]


@dataclass(frozen=True, slots=True)
class _Behind:
    """How far behind the plan the driver is at a place; the plan had been there at `planned`."""

    seconds: int
    planned: datetime | None = None


def _delays(route: Route, stop: RouteStop) -> Iterator[TimePart]:
    """Yield what the delay of a stop consists of."""
    if not route.is_started():
        return
    # What was planned anew since, from where the driver was, is not late by what was before.
    is_before_replan = _was_before_replan(route, stop)
    is_anew = isinstance(route.replanned_at, datetime) and not is_before_replan
    done = [one for one in route.done_stops() if _was_before_replan(route, one) is is_before_replan]
    behind = _Behind(0) if is_anew else _behind_at_start(route)
    yield from _part(TimeKind.DEPARTURE, None, behind.seconds)
    for visited in (*done, *route.open_stops()):
        here = _known(visited)
        if here is not None:
            behind, parts = _pass_by(route, visited, *here, behind, is_last=visited.id == stop.id)
            yield from parts
        if visited.id == stop.id:
            return


def _behind_at_start(route: Route) -> _Behind:
    left, due = route.start.updated_start, route.departure()
    if isinstance(left, datetime) and isinstance(due, datetime):
        return _Behind(_seconds(left - due), due)
    return _Behind(0)


def _pass_by(
    route: Route,
    stop: RouteStop,
    planned: datetime,
    updated: datetime,
    before: _Behind,
    *,
    is_last: bool,
) -> tuple[_Behind, list[TimePart]]:
    """Return how far behind the driver is after a stop, or at the last, and what that consists of.

    The moment of a done stop is its end, so the time planned at the last one is a part, too.
    """
    waiting = _waiting(route, stop, planned)
    if stop.is_done():
        stay = waiting + service_seconds(stop)
        here = _Behind(_seconds(updated - planned) - stay, planned)
        is_in_order = before.planned is None or before.planned <= planned
        is_in_order = is_in_order and not _overtakes(route, stop, planned, updated)
        kind = TimeKind.VISIT if is_in_order else TimeKind.ORDER
        parts = [*_part(kind, stop, here.seconds - before.seconds)]
        return here, [*parts, *_part(TimeKind.SERVICE, stop, stay)] if is_last else parts
    at_door = _seconds(updated - planned)
    parts = [*_part(TimeKind.TRAVEL, stop, at_door - before.seconds)]
    waits = 0 if is_last else _waiting(route, stop, updated) - waiting
    parts += _part(TimeKind.WAITING, stop, waits)
    return _Behind(at_door + waits, planned), parts


def _overtakes(route: Route, stop: RouteStop, planned: datetime, done_at: datetime) -> bool:
    """Say whether a stop was done before one that was to be reached earlier."""
    return any(
        here[0] < planned and not (other.is_done() and here[1] <= done_at)
        for other in route.stops
        if other.id != stop.id and (here := _known(other)) is not None
    )


def _known(stop: RouteStop) -> tuple[datetime, datetime] | None:
    planned, updated = stop.planned_arrival, stop.updated_arrival
    if isinstance(planned, datetime) and isinstance(updated, datetime):
        return planned, updated
    return None


def _with_sentence(
    route: Route, stop: RouteStop, came: datetime, found: StopExplanation
) -> StopExplanation:
    departs = route.departure() or came
    at = describe_time(floor_to_minute(came), stop.planned_coordinates, departs)
    name = _name(route, stop)
    if isinstance(found.opens_at, datetime) and stop.is_done():
        sentences = [
            f"{name} was done at {at}, before its window opened ({describe_windows(stop)})."
        ]
    elif isinstance(found.opens_at, datetime):
        opens = describe_time(floor_to_minute(found.opens_at), stop.planned_coordinates, departs)
        windows = describe_windows(stop)
        first = f"The driver is expected at {name} at {at} and waits until {opens} for its window "
        sentences = [f"{first}to open ({windows})."]
    else:
        said = f"{name} was done at {at}" if stop.is_done() else f"{name} is expected at {at}"
        sentences = [f"{said}{_words_of_windows(stop, found)}."]
    behind = _minutes_behind(found, came)
    if found.delays and behind and not stop.is_done():
        sentences.append(_words_of_delay(route, stop, departs, found, behind))
    elif stop.is_done() and found.delays:
        causes = [part for part in found.delays if part.kind is not TimeKind.SERVICE]
        words = _listed(route, causes, round(sum(part.seconds for part in causes) / 60))
        sentences += [f"On the way: {words}."] if words else []
    if found.lateness_seconds and _is_late_by_plan(found):
        sentences.append(_words_of_plan(route, departs, found))
    return StopExplanation(
        **{name: getattr(found, name) for name in found.__struct_fields__ if name != "sentence"},
        sentence=" ".join(sentences),
    )


def _is_late_by_plan(found: StopExplanation) -> bool:
    slack = found.planned_slack_seconds
    return isinstance(slack, int) and slack < 0


def _words_of_windows(stop: RouteStop, found: StopExplanation) -> str:
    if found.lateness_seconds:
        late = describe_duration(found.lateness_seconds)
        return f", {late} after its last window closes ({describe_windows(stop)})"
    if isinstance(found.slack_seconds, int):
        left = describe_slack(found.slack_seconds)
        return f", in time with {left} to spare ({describe_windows(stop)})"
    return " and has no window to miss"


def _minutes_behind(found: StopExplanation, came: datetime) -> int:
    """Return the minutes between the times that the sentence says, which are full minutes."""
    due = found.planned_arrival or came
    return round((floor_to_minute(came) - floor_to_minute(due)).total_seconds() / 60)


def _words_of_delay(
    route: Route, stop: RouteStop, departs: datetime, found: StopExplanation, behind: int
) -> str:
    due = found.planned_arrival or departs
    planned = describe_time(floor_to_minute(due), stop.planned_coordinates, departs)
    off = describe_duration(abs(behind) * 60)
    side = "behind" if behind > 0 else "ahead of"
    causes = _listed(route, found.delays, behind)
    return f"It was planned for {planned} and is {off} {side} the plan: {causes}."


def _words_of_plan(route: Route, departs: datetime, found: StopExplanation) -> str:
    late = describe_duration(-(found.planned_slack_seconds or 0))
    left = describe_time(floor_to_minute(departs), route.start.coordinates, departs)
    spent = dict.fromkeys((TimeKind.TRAVEL, TimeKind.SERVICE), 0)
    others = []
    for part in found.plan:
        if part.kind in spent:
            spent[part.kind] += part.seconds
        else:
            others.append(part)
    words = {TimeKind.TRAVEL: "on the road", TimeKind.SERVICE: "of service at stops before"}
    greatest = sorted(others, key=_size)[:_MOST_NAMED]
    minutes = share_minutes(
        [*spent.values(), *(part.seconds for part in greatest)],
        round(sum((*spent.values(), *(part.seconds for part in greatest))) / 60),
    )
    whole = [
        f"{describe_duration(60 * size)} {words[kind]}"
        for kind, size in zip(spent, minutes, strict=False)
        if size
    ]
    whole += [
        _cause(route, part, size)
        for part, size in zip(greatest, minutes[len(spent) :], strict=True)
        if size
    ]
    then = f", then {_joined(whole)}" if whole else ""
    return f"The plan itself has it {late} late: it leaves at {left}{then}."


def _listed(route: Route, parts: Sequence[TimePart], total: int) -> str:
    """Return the greatest parts in words, and what is left of them, in minutes that add up."""
    greatest = sorted(parts, key=_size)[:_MOST_NAMED]
    named = [part for part in parts if part in greatest]
    rest = sum(part.seconds for part in parts if part not in greatest)
    *minutes, elsewhere = share_minutes([*(part.seconds for part in named), rest], total)
    causes = [_cause(route, part, size) for part, size in zip(named, minutes, strict=True) if size]
    if elsewhere:
        side = "lost" if elsewhere > 0 else "made up"
        causes.append(f"{describe_duration(60 * abs(elsewhere))} {side} elsewhere")
    return _joined(causes) if causes else ""


def _size(part: TimePart) -> int:
    return -abs(part.seconds)


def _joined(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _cause(route: Route, part: TimePart, minutes: int) -> str:
    time = describe_duration(60 * abs(minutes))
    if not isinstance(part.stop_id, str):
        return f"{time} by leaving {'late' if minutes > 0 else 'early'}"
    name = _name(route, route.find_stop(part.stop_id))
    lost = "lost" if minutes > 0 else "made up"
    match part.kind:
        case TimeKind.WAITING if minutes > 0:
            return f"{time} of waiting at {name} until its window opens"
        case TimeKind.WAITING:
            return f"{time} made up by less waiting at {name}"
        case TimeKind.TRAVEL:
            return f"{time} {lost} on the way to {name}"
        case TimeKind.ORDER:
            return f"{time} {lost} by doing {name} out of order"
        case _:
            return f"{time} {lost} on the way to {name} and there"


def _name(route: Route, stop: RouteStop) -> str:
    """Return what to call a stop: by name, or by its place in the route."""
    named = name_of_stop(stop)
    return f'"{named}"' if named else f"stop {route.stops.index(stop) + 1}"
