"""The customers' door in process: a route, a driver's phone, and the browser of a customer."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from tests.api.conftest import World, inhabitants, world
from tests.api.test_routes import add, create_route, import_line
from tests.driver.device import Device, browser, sign_up

__all__ = ["inhabitants", "world"]

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
JSON = {"Accept": "application/json"}
SERVER = "http://127.0.0.1:8000"


@dataclass
class Customer:
    """Who waits for a delivery, and the driver who brings it."""

    world: World
    device: Device
    stops: list[str]

    @property
    def route_id(self) -> str:
        return self.device.route_id

    def link(self, stop: int = 0) -> Any:
        """Return the answer with the link to one of the stops."""
        path = f"/routes/{self.route_id}/stops/{self.stops[stop]}/tracking-link"
        return self.world.client.get(path).json()

    def path(self, stop: int = 0) -> str:
        return str(self.link(stop)["url"]).removeprefix(SERVER)

    def get(self, path: str, **headers: str) -> Any:
        return browser(self.world.client.interface).get(path, headers=headers or JSON)

    def see(self, stop: int = 0) -> Any:
        """Return what the JSON of a stop's link says."""
        answer = self.get(self.path(stop))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def page(self, stop: int = 0, language: str = "en") -> str:
        answer = self.get(self.path(stop), **BROWSER, **{"Accept-Language": language})
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    def post(self, path: str, **sent: Any) -> Any:
        return browser(self.world.client.interface).post(path, **sent)

    def stop(self, number: int = 0) -> Any:
        """Return a stop as planners see it."""
        path = f"/routes/{self.route_id}/stops/{self.stops[number]}"
        return self.world.client.get(path).json()

    def wait(self, **by: float) -> None:
        self.world.clock.advance(**by)

    def configure(self, **settings: Any) -> None:
        body = {"organization": settings, "updateMask": ",".join(settings)}
        answer = self.world.client.send("PATCH", "/organization", json=body)
        assert answer.status_code == 200, answer.text


def wait_for_delivery(world: World, **fields: Any) -> Customer:
    """Return the customers of three stops on a dispatched route of a driver called Dana."""
    device = sign_up(world, world.client.interface)
    about = {"scheduledFor": "2024-07-01T06:30:00Z", "driverId": device.driver_id}
    route = create_route(world, **about | fields)
    add(world, route, import_line(world, 1, 2, 3, orderName="#1041"))
    assert world.client.post(f"/routes/{route}/dispatch", {}).status_code == 200
    device.route_id = route
    stops = world.client.get(f"/routes/{route}").json()["stops"]
    return Customer(world, device, [stop["id"] for stop in stops])


@pytest.fixture
def customer(world: World) -> Customer:
    return wait_for_delivery(world)


A_WEEK = timedelta(days=7)
