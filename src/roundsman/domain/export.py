"""Files that a planner takes away: of which kind, and what they hold."""

from enum import StrEnum

from roundsman.domain.model import Model


class RouteFileFormat(StrEnum):
    """What a route can be taken away as."""

    CSV = "CSV"
    XLSX = "XLSX"
    GPX = "GPX"
    GEOJSON = "GEOJSON"
    ICS = "ICS"


class DayFileFormat(StrEnum):
    """What a day can be taken away as."""

    CSV = "CSV"
    XLSX = "XLSX"
    GEOJSON = "GEOJSON"


class RouteExport(Model):
    """As what a route is taken away."""

    format: RouteFileFormat = RouteFileFormat.CSV


class DayExport(Model):
    """As what a day is taken away."""

    format: DayFileFormat = DayFileFormat.CSV
