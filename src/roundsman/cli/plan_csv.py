"""One planned route as CSV, with the columns that a plan of many vehicles has."""

import csv
import io

from roundsman.cli.fleet_json import CSV_COLUMNS
from roundsman.cli.plan_report import PlanReport
from roundsman.kit.timestamps import format_timestamp


def render_route_csv(report: PlanReport) -> str:
    """Return a row a stop in driving order; the last has when and how far away the route ends."""
    text = io.StringIO()
    writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for position, visit in enumerate(report.visits, 1):
        stop = visit.stop
        row: dict[str, object] = {
            "position": position,
            "row": visit.row,
            "name": stop.order_name,
            "address": visit.address_line(),
            "latitude": stop.planned_coordinates.latitude,
            "longitude": stop.planned_coordinates.longitude,
            "plannedArrival": format_timestamp(visit.arrival),
            "plannedDeparture": format_timestamp(visit.departure),
            "distanceMeters": stop.distance_meters,
        }
        if position == len(report.visits):
            row["plannedEnd"] = format_timestamp(report.ends_at)
            if report.end is not None:
                row["endDistanceMeters"] = report.end_distance_meters
        writer.writerow(row)
    return text.getvalue()
