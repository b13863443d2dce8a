"""What a person is told of a planned route, once, for the table, the map and the JSON alike."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from roundsman.cli.plan_input import PlanInput
from roundsman.domain.address import Address, Coordinates
from roundsman.domain.advice import Advice
from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.geocoding.geocoder import Match, MatchType
from roundsman.kit.time_zones import elapsed, zone_at
from roundsman.planning import measure_gap
from roundsman.roads.network import Path
from roundsman.routing.ordering import PlannedRoute
from roundsman.spreadsheets.table import RejectedRow

_PLACED = {
    MatchType.LOCALITY: "placed at the centre of {label}",
    MatchType.POSTCODE: "placed at the middle of {label}",
    MatchType.STREET: "placed on {label}: no door of this number is known",
    MatchType.NEAREST_NUMBER: "placed at the nearest door known, {label}",
    MatchType.INTERPOLATED: "placed between the neighbours of {label}",
    MatchType.EXACT: "read as {label}",
}
_AREAS = {MatchType.LOCALITY, MatchType.POSTCODE}
_AS_WRITTEN, _AREA_AS_WRITTEN = 0.95, 0.7
"""From this confidence a door was found as it is written, abbreviations aside."""

_COUNTED = {
    MatchType.INTERPOLATED: "between two doors",
    MatchType.NEAREST_NUMBER: "at the nearest door",
    MatchType.STREET: "on the street",
    MatchType.POSTCODE: "in the middle of a zip area",
    MatchType.LOCALITY: "at the centre of a town",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Visit:
    """A stop as it is driven; times are aware and in the stop's own zone."""

    row: int
    stop: RouteStop
    match: Match | None
    arrival: datetime
    service_start: datetime
    departure: datetime
    late: timedelta

    def waiting(self) -> timedelta:
        """Return how long the driver waits for the window to open."""
        return elapsed(self.arrival, self.service_start)

    def address_line(self) -> str:
        """Return the address on one line, empty when there is none."""
        return "" if isinstance(self.stop.address, UnsetType) else self.stop.address.one_line()

    def placed_at(self) -> str:
        """Say where the stop was placed when that is not just where it was asked for."""
        return describe_match(self.stop, self.match)

    def windows_line(self) -> str:
        """Return the time windows as one would write them."""
        return format_windows(self.stop.time_windows)


@dataclass(frozen=True, kw_only=True, slots=True)
class Terminal:
    """Where the route starts or ends, and when, in the zone of the place."""

    label: str
    coordinates: Coordinates
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanReport:
    """A planned route with all that was found out on the way."""

    name: str
    start: Terminal
    end: Terminal | None
    visits: tuple[Visit, ...]
    distance_meters: int
    end_distance_meters: int
    travel: timedelta
    duration: timedelta
    ends_at: datetime
    estimated: bool
    wholly_estimated: bool
    proven_optimal: bool
    travel_gap: float | None
    violations: tuple[PreconditionViolation, ...]
    advice: Advice
    rows: Mapping[str, int]
    rejected: tuple[RejectedRow, ...]
    attribution: str
    route: Route
    """As it is driven, for files of other programs."""

    paths: tuple[Path, ...] = ()
    """Lines to draw, when the report is for a map."""

    def address_quality(self) -> str:
        """Return how many stops were found how well; empty when all brought coordinates."""
        return count_matches([visit.match for visit in self.visits if visit.match])

    def late_visits(self) -> int:
        """Return how many stops are reached too late."""
        return sum(bool(visit.late) for visit in self.visits)

    def waiting(self) -> timedelta:
        """Return the time spent waiting for windows to open."""
        return sum((visit.waiting() for visit in self.visits), timedelta())

    def service(self) -> timedelta:
        """Return the time spent at stops."""
        spent = (elapsed(visit.service_start, visit.departure) for visit in self.visits)
        return sum(spent, timedelta())

    def crosses_zones(self) -> bool:
        """Say whether clocks along the route show different times."""
        seen = [self.start.at, *(visit.arrival for visit in self.visits), self.ends_at]
        return len({instant.utcoffset() for instant in seen}) > 1


def report_plan(
    planned: PlannedRoute,
    given: PlanInput,
    advice: Advice,
    attribution: str,
    paths: tuple[Path, ...] = (),
) -> PlanReport:
    """Return the report of a planned route."""
    route, departure = planned.route, planned.solved.trip.departure
    start = route.start.coordinates
    measured = measure_gap(planned.solved.problem, planned.solved.solution)
    return PlanReport(
        name=route.name,
        start=Terminal(
            label=location_label(route.start.address, start),
            coordinates=start,
            at=departure.astimezone(_zone(start)),
        ),
        end=_end(route, planned.timed.ends_at),
        visits=_visits(planned, given),
        distance_meters=route.total_distance_meters(),
        end_distance_meters=route.end.distance_meters if isinstance(route.end, RouteEnd) else 0,
        travel=timedelta(seconds=planned.timed.schedule.travel_seconds),
        duration=planned.timed.ends_at - departure,
        ends_at=planned.timed.ends_at.astimezone(_zone(_route_end(route))),
        estimated=planned.estimated,
        wholly_estimated=planned.timed.is_wholly_estimated,
        proven_optimal=measured.proven_optimal,
        travel_gap=measured.gap,
        violations=planned.violations,
        advice=advice,
        rows=given.rows,
        rejected=given.rejected,
        attribution=attribution,
        route=route,
        paths=paths,
    )


def format_time(instant: datetime, *, since: datetime, with_zone: bool = False) -> str:
    """Return the time of day, with the day when it is not that of `since`."""
    days = (instant.date() - since.astimezone(instant.tzinfo).date()).days
    later = f" +{days}d" if days else ""
    zone = f" {instant.tzname()}" if with_zone else ""
    return f"{instant:%H:%M}{later}{zone}"


def format_span(span: timedelta) -> str:
    """Return a length of time in hours and minutes, rounded to the minute."""
    minutes = round(span.total_seconds() / 60)
    if span and not minutes:
        return "<1 min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min"


def format_distance(meters: int) -> str:
    """Return kilometres with one decimal, short ones in metres."""
    return f"{meters / 1_000:,.1f} km" if meters >= 1_000 else f"{meters} m"


def describe_match(stop: RouteStop, match: Match | None) -> str:
    """Say where a stop was placed when that is not just where it was asked for."""
    address = stop.address
    if match is None or isinstance(address, UnsetType):
        return ""
    if match.match_type in _AREAS and not address.address1:
        # Who asks for a town or a zip code has it; who asks for a landmark there has not.
        is_all = match.confidence >= _AREA_AS_WRITTEN
        return "" if is_all else _PLACED[match.match_type].format(label=match.label)
    if match.match_type is MatchType.EXACT and match.confidence >= _AS_WRITTEN:
        return ""
    return _PLACED[match.match_type].format(label=match.label)


def count_matches(matches: Collection[Match]) -> str:
    """Return how many stops were found how well; empty when all brought coordinates."""
    at_door = [match for match in matches if match.match_type is MatchType.EXACT]
    read_as = sum(match.confidence < _AS_WRITTEN for match in at_door)
    counts = [
        (len(at_door) - read_as, "at the door"),
        (read_as, "at the door with a corrected spelling"),
    ]
    counts += [
        (sum(match.match_type is kind for match in matches), words)
        for kind, words in _COUNTED.items()
    ]
    found = ", ".join(f"{count} {words}" for count, words in counts if count)
    return f"addresses: {found}" if found else ""


def _visits(planned: PlannedRoute, given: PlanInput) -> tuple[Visit, ...]:
    visits: list[Visit] = []
    for place, stop in enumerate(planned.route.stops):
        zone = _zone(stop.planned_coordinates)
        starts = planned.timed.service_starts[place].astimezone(zone)
        arrives = stop.planned_arrival
        visits.append(
            Visit(
                row=given.rows[stop.id],
                stop=stop,
                match=given.matches.get(stop.id),
                arrival=starts if isinstance(arrives, UnsetType) else arrives.astimezone(zone),
                service_start=starts,
                departure=planned.timed.departures[place].astimezone(zone),
                late=timedelta(seconds=planned.timed.lateness_seconds[place]),
            )
        )
    return tuple(visits)


def _end(route: Route, ends_at: datetime) -> Terminal | None:
    if isinstance(route.end, UnsetType):
        return None
    place = route.end.coordinates
    return Terminal(
        label=location_label(route.end.address, place),
        coordinates=place,
        at=ends_at.astimezone(_zone(place)),
    )


def _route_end(route: Route) -> Coordinates:
    if isinstance(route.end, RouteEnd):
        return route.end.coordinates
    return route.stops[-1].planned_coordinates if route.stops else route.start.coordinates


def location_label(address: Address | UnsetType, place: Coordinates) -> str:
    """Return an address on one line, or where it is."""
    if isinstance(address, Address) and not address.is_blank():
        return address.one_line()
    return f"{place.latitude:.5f}, {place.longitude:.5f}"


def _zone(place: Coordinates) -> tzinfo:
    return zone_at(latitude=place.latitude, longitude=place.longitude)


def format_windows(windows: Sequence[TimeWindow]) -> str:
    """Return time windows as one would write them."""
    return ", ".join(_window(window) for window in windows)


def _window(window: TimeWindow) -> str:
    return f"{_bound(window.start)}\N{EN DASH}{_bound(window.end)}"


def _bound(bound: TimeOfDay | UnsetType) -> str:
    return "" if isinstance(bound, UnsetType) else f"{bound.hours}:{bound.minutes:02d}"
