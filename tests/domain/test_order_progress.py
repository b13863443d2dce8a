from datetime import UTC, datetime

from roundsman.domain.address import Coordinates
from roundsman.domain.order_progress import group_order_stops
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteStart
from roundsman.domain.route_stop import RouteStop

NOW = datetime(2024, 7, 1, 6, tzinfo=UTC)
HERE = Coordinates(latitude=39.29, longitude=-76.61)


def route(id_: str, *order_ids: str) -> Route:
    stops = tuple(
        RouteStop(
            id=f"rst-{id_}-{index}",
            updated_at=NOW,
            planned_coordinates=HERE,
            store_order_id=order_id,
        )
        for index, order_id in enumerate(order_ids)
    )
    return Route(
        id=id_, number=1, name="#1", start=RouteStart(coordinates=HERE), stops=stops,
        created_at=NOW, updated_at=NOW,
    )  # fmt: skip


def test_stops_are_grouped_by_order_in_the_sequence_of_the_routes() -> None:
    routes = [route("rte-1", "a", "", "b"), route("rte-2", "b", "a", "b")]
    grouped = group_order_stops(routes)
    assert {
        id_: [(one.route_id, one.index) for one in stops] for id_, stops in grouped.items()
    } == {
        "a": [("rte-1", 0), ("rte-2", 1)],
        "b": [("rte-1", 2), ("rte-2", 0), ("rte-2", 2)],
    }
