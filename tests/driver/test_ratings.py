"""A customer's word: through a link that only we can make, after the delivery."""

import pytest
from tests.api.conftest import World
from tests.driver.device import Device, Listener, browser, dispatch, sign_up

from roundsman.doors.door import Door


def delivered(world: World, door: Door) -> tuple[Device, str, str]:
    device = sign_up(world, door)
    dispatch(world, device)
    stop = device.route()["stops"][0]["id"]
    link = world.client.get(f"/routes/{device.route_id}/stops/{stop}/rating-link").json()["url"]
    return device, stop, link.removeprefix("http://127.0.0.1:8000")


@pytest.mark.spec("RouteStop")
def test_a_customer_rates_once_the_stop_is_done(world: World, door: Door, visitors: Door) -> None:
    device, stop, path = delivered(world, door)
    http = browser(visitors)
    early = http.post(path, json={"rating": 5})
    assert (early.status_code, early.json()["code"]) == (400, 9)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop)
    listener = Listener(world)
    assert http.get(path).json() == {"done": True}
    kept = http.post(path, json={"rating": 4, "comment": "kind"}).json()["customerRating"]
    assert kept == {"rating": 4, "comment": "kind", "createdAt": "2024-07-01T06:00:00Z"}
    (event,) = listener.fresh()
    assert (event["topic"], event["objectId"], event["user"]) == ("STOP_UPDATED", stop, {})
    assert device.route()["stops"][0]["customerRating"] == kept
    http.post(path, json={"rating": 4, "comment": "kind"})
    assert listener.topics() == []
    http.post(path, json={"rating": 1})
    assert device.route()["stops"][0]["customerRating"]["rating"] == 1


@pytest.mark.parametrize(
    "body", [{}, {"rating": 0}, {"rating": 6}, {"rating": "5"}, {"rating": 5, "stars": 5}]
)
def test_a_wrong_rating_is_refused(
    world: World, door: Door, visitors: Door, body: dict[str, object]
) -> None:
    _, _, path = delivered(world, door)
    refused = browser(visitors).post(path, json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)


def test_a_link_that_is_not_ours_rates_nothing(world: World, door: Door, visitors: Door) -> None:
    _, _, path = delivered(world, door)
    text, _, signature = path.partition(".")
    http = browser(visitors)
    for forged in (f"{text[:-1]}x.{signature}", f"{text}.{signature[:-2]}", text, "/ratings/x"):
        assert http.post(forged, json={"rating": 5}).status_code == 404
    assert world.stranger.get(path.replace("/ratings", "/routes")).status_code == 404
