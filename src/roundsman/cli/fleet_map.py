"""A plan of many vehicles as the page that `plan --vehicles --map` writes: a color a vehicle."""

from collections.abc import Iterator
from datetime import timedelta, tzinfo
from typing import Any

from roundsman.cli.fleet_clocks import RouteClocks
from roundsman.cli.fleet_plan import FleetReport
from roundsman.cli.fleet_table import describe_fix
from roundsman.cli.plan_report import (
    format_distance,
    format_span,
    format_windows,
    location_label,
)
from roundsman.cli.route_map import (
    estimate_notes,
    list_totals,
    long_day,
    path_line,
    rejected_rows,
    render_page,
    source_notes,
)
from roundsman.domain.address import Address, Coordinates
from roundsman.domain.day_to_plan import VehicleLocation, VehicleToPlan
from roundsman.domain.model import UnsetType
from roundsman.domain.plan import PlanRoute, PlanStep
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.unassigned_stop import UnassignedStop
from roundsman.kit.durations import Duration, whole_seconds
from roundsman.routing.route_problem import zone_of
from roundsman.tiles.street_drawing import draw_streets
from roundsman.tiles.street_map import StreetMap

_COLORS = (
    "#0f766e", "#b45309", "#1d4ed8", "#be185d", "#4d7c0f", "#6d28d9",
    "#b91c1c", "#0e7490", "#86198f", "#92400e", "#3f6212", "#475569",
)  # fmt: skip
"""Of vehicles, in their order; white numbers can be read on all (WCAG 2.2, 4.5 to 1)."""


def render_fleet_map(name: str, report: FleetReport, street_map: StreetMap) -> str:
    """Return the page, with the streets around the routes where an imported map has them."""
    streets = draw_streets(street_map, _coordinates_of(report))
    vehicles = {one.id: one for one in report.day.given.vehicles}
    routes = [
        _Shown(report, route, vehicles[route.vehicle]).as_data(_COLORS[number % len(_COLORS)])
        for number, route in enumerate(report.routes)
    ]
    first = min((route.departure for route in report.routes), default=None)
    zone = _zone(report)
    estimated = report.estimated_legs
    return render_page(
        {
            "name": name,
            "day": "" if first is None else long_day(first.astimezone(zone)),
            "totals": _totals(report),
            "routes": routes,
            "out": [_out(report, out) for out in report.unassigned],
            "violations": [],
            "rejected": rejected_rows(report.given.rejected),
            "notes": [
                *estimate_notes(wholly=bool(estimated) and all(estimated), partly=any(estimated)),
                *source_notes(report.attribution, streets),
            ],
        },
        streets,
    )


def _coordinates_of(report: FleetReport) -> Iterator[Coordinates]:
    yield from (stop.planned_coordinates for stop in report.stops.values())
    for vehicle in report.day.given.vehicles:
        for side in (vehicle.start, vehicle.end):
            if isinstance(side, VehicleLocation):
                yield side.coordinates


def _zone(report: FleetReport) -> tzinfo:
    return zone_of(report.given.stops[0].planned_coordinates)


def _totals(report: FleetReport) -> list[dict[str, str]]:
    metres = sum(route.total_distance_meters for route in report.routes)
    served = sum(len(route.stops) for route in report.plan.routes)
    return list_totals(
        {
            "Stops": str(served),
            "Vehicles": f"{len(report.routes)} of {len(report.day.given.vehicles)}",
            "Distance": format_distance(metres),
            "Cost": f"{report.spent:,.2f}",
        }
    )


class _Shown:
    """One vehicle's route."""

    def __init__(self, report: FleetReport, route: PlanRoute, vehicle: VehicleToPlan) -> None:
        self._report = report
        self._route = route
        self._vehicle = vehicle
        self._steps = [step for step in route.steps if step.imported_stop_id]
        self._clocks = RouteClocks(report, route, vehicle)

    def as_data(self, color: str) -> dict[str, Any]:
        """Return it as the page takes it."""
        route, vehicle = self._route, self._vehicle
        count = len(self._steps)
        summary = (
            f"{count} {'stop' if count == 1 else 'stops'} · "
            f"{format_distance(route.total_distance_meters)} · "
            f"{self._clocks.departure} \N{EN DASH} {self._clocks.end}"
        )
        return {
            "name": vehicle.id,
            "summary": summary,
            "color": color,
            "start": self._end(vehicle.start, self._clocks.departure),
            "end": self._end(vehicle.end, self._clocks.end),
            "stops": [self._stop(step) for step in self._steps],
            "paths": [path_line(path) for path in self._report.paths.get(vehicle.id, ())],
        }

    def _end(self, place: VehicleLocation | UnsetType, at: str) -> dict[str, Any] | None:
        if isinstance(place, UnsetType):
            return None
        return {
            "label": location_label(place.address, place.coordinates),
            "latitude": place.coordinates.latitude,
            "longitude": place.coordinates.longitude,
            "time": at,
        }

    def _stop(self, step: PlanStep) -> dict[str, Any]:
        return {
            **_show_stop(self._report, self._stop_of(step)),
            "time": self._clocks.at(step, step.planned_arrival),
            "leaves": self._clocks.at(step, step.planned_departure),
            "wait": _span(step.waiting),
            "late": _span(step.lateness),
            "distance": format_distance(step.distance_meters),
        }

    def _stop_of(self, step: PlanStep) -> RouteStop:
        return self._report.stops[step.imported_stop_id]


def _show_stop(report: FleetReport, stop: RouteStop) -> dict[str, Any]:
    return {
        "row": report.row(stop.id),
        "name": stop.order_name,
        "address": stop.address.one_line() if isinstance(stop.address, Address) else "",
        "latitude": stop.planned_coordinates.latitude,
        "longitude": stop.planned_coordinates.longitude,
        "window": format_windows(stop.time_windows),
        "note": stop.note,
    }


def _out(report: FleetReport, out: UnassignedStop) -> dict[str, Any]:
    """Return a stop that is on no route: why, and what would help."""
    why = [f"{reason.vehicle}: {reason.description}" for reason in out.reasons]
    why += [f"would help: {describe_fix(report, fix)}" for fix in out.fixes]
    return {
        **_show_stop(report, report.stops[out.imported_stop_id]),
        "time": "",
        "wait": "",
        "late": "",
        "distance": "",
        "why": why,
    }


def _span(duration: Duration | UnsetType) -> str:
    seconds = 0 if isinstance(duration, UnsetType) else whole_seconds(duration)
    return format_span(timedelta(seconds=seconds)) if seconds else ""
