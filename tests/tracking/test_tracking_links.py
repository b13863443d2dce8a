"""Links to deliveries: unguessable, one a stop, following it, revoked and expired."""

from datetime import datetime

import pytest
from tests.api.conftest import World
from tests.api.test_routes import add, create_route, import_line
from tests.tracking.conftest import A_WEEK, BROWSER, JSON, SERVER, Customer

from roundsman.operations.housekeeping import remove_outdated


@pytest.mark.spec("decisions §16")
def test_a_stop_has_one_link_and_asking_for_it_changes_nothing(customer: Customer) -> None:
    before = customer.world.client.get(f"/routes/{customer.route_id}").headers["ETag"]
    links = {customer.link(stop)["url"] for stop in (0, 1, 2, 0, 1)}
    assert len(links) == 3
    assert max(map(len, links)) < 110, "links stand in text messages"
    after = customer.world.client.get(f"/routes/{customer.route_id}").headers["ETag"]
    assert before == after


@pytest.mark.spec("decisions §16")
def test_a_link_expires_a_week_after_the_routes_end(customer: Customer) -> None:
    route = customer.world.client.get(f"/routes/{customer.route_id}").json()
    ends = datetime.fromisoformat(route["stops"][-1]["updatedArrival"])
    assert datetime.fromisoformat(customer.link()["expiresAt"]) == ends + A_WEEK


def test_a_route_without_times_has_no_end_that_its_links_could_know(world: World) -> None:
    route = create_route(world)
    stop = add(world, route, import_line(world, 1)).json()["stops"][0]["id"]
    link = world.client.get(f"/routes/{route}/stops/{stop}/tracking-link").json()
    assert link.keys() == {"url"}


@pytest.mark.spec("decisions §22")
def test_a_revoked_link_and_one_that_never_was_answer_the_same_bytes(customer: Customer) -> None:
    first = customer.path()
    url = f"/routes/{customer.route_id}/stops/{customer.stops[0]}/tracking-link"
    others = customer.path(1)
    assert customer.world.client.send("DELETE", url).json() == {}
    second = customer.path()
    assert second != first
    assert customer.see()["status"] == "PLANNED"
    assert customer.get(others).status_code == 200
    forged = [
        first,
        first[:-1] + ("A" if first[-1] != "A" else "B"),
        second.replace(".1.", ".0."),
        second.replace(".1.", ".2."),
        "/t/x",
        "/t/x.0.y",
        "/t/" + "A" * 22 + ".0.y",
    ]
    for headers in (JSON, BROWSER):
        answers = [customer.get(path, **headers) for path in forged]
        assert {answer.status_code for answer in answers} == {404}
        assert len({answer.content for answer in answers}) == 1


def test_a_link_is_revoked_once_for_each_key_and_of_the_version_that_is_named(
    customer: Customer,
) -> None:
    client = customer.world.client
    url = f"/routes/{customer.route_id}/stops/{customer.stops[0]}/tracking-link"
    key = {"Idempotency-Key": "0b4b5b0e-0000-4000-8000-000000000001"}
    for _ in range(2):
        assert client.send("DELETE", url, headers=key).status_code == 200
    assert ".1." in customer.path()
    assert client.send("DELETE", url, headers={"If-Match": '"99.0"'}).status_code == 412
    assert ".1." in customer.path()


@pytest.mark.spec("decisions §16")
def test_a_link_follows_the_delivery_to_another_route(customer: Customer) -> None:
    path = customer.path(1)
    other = create_route(customer.world, scheduledFor="2024-07-02T08:00:00Z")
    moves = {"moves": [{"stopId": customer.stops[1], "toRouteId": other}]}
    assert customer.world.client.post("/routes/transfers", moves).status_code == 200
    seen = customer.get(path).json()
    assert (seen["status"], seen["window"]["start"][:10]) == ("PLANNED", "2024-07-02")
    moved = f"/routes/{other}/stops/{customer.stops[1]}/tracking-link"
    assert customer.world.client.get(moved).json()["url"].endswith(path)


def test_a_link_waits_for_a_stop_that_was_taken_off_and_follows_it_to_its_next_route(
    customer: Customer,
) -> None:
    path, imported = customer.path(1), customer.stop(1)["importedStopId"]
    client = customer.world.client
    client.send("DELETE", f"/routes/{customer.route_id}/stops/{customer.stops[1]}")
    waiting = customer.get(path).json()
    assert (waiting["status"], waiting["orderName"], waiting["canNote"]) == (
        "PLANNED",
        "#1041",
        False,
    )
    assert "window" not in waiting
    other = create_route(customer.world, scheduledFor="2024-07-03T08:00:00Z")
    add(customer.world, other, [imported])
    assert customer.get(path).json()["window"]["start"].startswith("2024-07-03")


@pytest.mark.spec("decisions §16")
def test_revoking_a_link_revokes_those_of_the_stops_that_the_delivery_was_before(
    customer: Customer,
) -> None:
    client = customer.world.client
    earlier, imported = customer.path(1), customer.stop(1)["importedStopId"]
    first = f"/routes/{customer.route_id}/stops/{customer.stops[1]}"
    client.send("DELETE", first)
    for day in ("03", "04"):
        route = create_route(customer.world, scheduledFor=f"2024-07-{day}T08:00:00Z")
        added = add(customer.world, route, [imported]).json()["stops"]
        stop = f"/routes/{route}/stops/{added[0]['id']}"
        if day == "03":
            assert customer.get(earlier).status_code == 200
            client.send("DELETE", f"{stop}/tracking-link")
        assert customer.get(earlier).status_code == 404
        assert customer.post(f"{earlier}/note", json={"note": "Still here"}).status_code == 404
        assert customer.get(_path_of(customer, stop)).status_code == 200
        now = _path_of(customer, stop)
        client.send("DELETE", stop)
        assert customer.get(now).status_code == 200
        assert customer.get(earlier).status_code == 404


@pytest.mark.both_databases
@pytest.mark.parametrize("off", ["/routes/{route}/stops/{stop}", "/routes/{route}"])
def test_the_link_to_a_stop_that_is_on_no_route_is_revoked_where_it_was(
    customer: Customer, off: str
) -> None:
    client = customer.world.client
    path, other, stop = customer.path(1), customer.path(2), customer.stops[1]
    client.send("DELETE", off.format(route=customer.route_id, stop=stop))
    url = f"/routes/{customer.route_id}/stops/{stop}/tracking-link"
    assert customer.world.stranger.send("DELETE", url).status_code == 404
    assert customer.get(path).status_code == 200
    assert client.send("DELETE", url).status_code == 200
    assert customer.get(path).status_code == 404
    assert customer.get(other).status_code == 200


def test_a_link_does_not_go_on_to_a_stop_whose_own_link_was_revoked(customer: Customer) -> None:
    imported = customer.stop(1)["importedStopId"]
    other = create_route(customer.world, scheduledFor="2024-07-03T08:00:00Z")
    added = add(customer.world, other, [imported]).json()["stops"]
    path = customer.path(1)
    client = customer.world.client
    client.send("DELETE", f"/routes/{other}/stops/{added[0]['id']}/tracking-link")
    assert customer.get(path).status_code == 200
    client.send("DELETE", f"/routes/{customer.route_id}/stops/{customer.stops[1]}")
    assert customer.get(path).status_code == 404


@pytest.mark.spec("decisions §16")
def test_a_link_follows_a_failed_delivery_to_its_next_attempt(customer: Customer) -> None:
    world = customer.world
    path = customer.path()
    customer.device.done("ROUTE_STARTED")
    failed = customer.stops[0]
    customer.device.done("STOP_ATTEMPTED", stopId=failed, reason="NOT_AVAILABLE")
    # As the console's Next day does it.
    ends = customer.link()["expiresAt"]
    (again,) = import_line(world, 1, clientStopId=f"next-day-{failed}")
    assert customer.see()["status"] == "ATTEMPTED"  # nobody has planned it yet
    tomorrow = create_route(world, scheduledFor="2024-07-02T06:30:00Z")
    stop = add(world, tomorrow, [again]).json()["stops"][0]
    assert customer.see()["status"] == "PLANNED"
    later = world.client.get(f"/routes/{tomorrow}/stops/{stop['id']}/tracking-link").json()
    assert customer.link()["expiresAt"] == later["expiresAt"] > ends, "it lives as long"
    seen = customer.get(later["url"].removeprefix(SERVER), **JSON).json()
    assert customer.get(path, **JSON).json() == seen
    world.client.send("DELETE", f"/routes/{tomorrow}/stops/{stop['id']}/tracking-link")
    assert customer.get(path).status_code == 404
    assert customer.link()["expiresAt"] == ends


def _path_of(customer: Customer, stop: str) -> str:
    link = customer.world.client.get(f"{stop}/tracking-link").json()["url"]
    return str(link).removeprefix(SERVER)


def test_a_delivery_that_was_deleted_or_put_away_is_cancelled(customer: Customer) -> None:
    paths = [customer.path(stop) for stop in range(3)]
    client = customer.world.client
    imported = customer.stop(0)["importedStopId"]
    client.send("DELETE", f"/routes/{customer.route_id}/stops/{customer.stops[0]}")
    client.send("DELETE", f"/stops/imports/{imported}")
    assert customer.get(paths[0]).json()["status"] == "CANCELLED"
    client.post(f"/routes/{customer.route_id}/archive")
    assert customer.get(paths[1]).json()["status"] == "CANCELLED"
    kept = [stop["importedStopId"] for stop in map(customer.stop, (1, 2))]
    client.send("DELETE", f"/routes/{customer.route_id}")
    assert customer.get(paths[1]).json()["status"] == "PLANNED"
    client.send("DELETE", f"/stops/imports/{kept[1]}")
    gone = customer.get(paths[2]).json()
    assert gone == {
        "organization": {"name": "Acme Foods"},
        "orderName": "",
        "status": "CANCELLED",
        "canNote": False,
        "timezone": "UTC",
    }
    customer.wait(days=8)
    assert customer.get(paths[2]).json().keys() == {"organization", "status"}
    customer.wait(days=90)
    remove_outdated(customer.world.tools)
    assert customer.get(paths[2]).status_code == 404


@pytest.mark.spec("decisions §22")
def test_an_expired_link_says_the_day_of_delivery_alone(customer: Customer) -> None:
    customer.configure(phone="+14105550100", color="#00ff00")
    customer.device.done("ROUTE_STARTED")
    customer.device.done("STOP_DELIVERED", stopId=customer.stops[0])
    paths = [customer.path(stop) for stop in range(3)]
    customer.wait(days=7, hours=2)
    assert customer.get(paths[0]).json() == {
        "organization": {"name": "Acme Foods"},
        "status": "DELIVERED",
        "deliveredOn": "2024-07-01",
    }
    assert customer.get(paths[1]).json() == {
        "organization": {"name": "Acme Foods"},
        "status": "CANCELLED",
    }
    over = customer.get(paths[1], **BROWSER).text
    assert "This delivery is over." in over
    assert "Cancelled" in over
    page = customer.get(paths[0], **BROWSER)
    assert page.status_code == 200
    assert "Mon 1 Jul" in page.text
    assert "#1041" not in page.text
    assert "<form" not in page.text
    for path, body in (("note", {"note": "x"}), ("rating", {"rating": 5})):
        refused = customer.post(f"{paths[0]}/{path}", json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, 9)


def test_a_stop_of_strangers_has_no_link_and_is_not_revoked(customer: Customer) -> None:
    unknown = f"/routes/{customer.route_id}/stops/rst-x/tracking-link"
    assert customer.world.client.get(unknown).status_code == 404
    strangers = f"/routes/{customer.route_id}/stops/{customer.stops[0]}/tracking-link"
    for method in ("GET", "DELETE"):
        assert customer.world.stranger.send(method, strangers).status_code == 404
    assert ".0." in customer.path()


@pytest.mark.spec("decisions §16")
def test_a_link_to_rate_leads_a_browser_to_the_page(customer: Customer) -> None:
    url = f"/routes/{customer.route_id}/stops/{customer.stops[0]}/rating-link"
    link = customer.world.client.get(url).json()["url"]
    assert link == f"{customer.link()['url']}/rating"
    page = customer.get(link.removeprefix(SERVER), **BROWSER)
    assert (page.status_code, page.headers["Location"]) == (303, customer.path())
