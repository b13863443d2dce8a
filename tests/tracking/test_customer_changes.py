"""What customers say through a link: a note before the delivery, a rating after it."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import add, create_route, import_line
from tests.driver.device import Listener
from tests.tracking.conftest import BROWSER, JSON, Customer, wait_for_delivery

from roundsman.kit.secrets import seal

FORM = {**BROWSER, "Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.both_databases
@pytest.mark.spec("decisions §16")
def test_a_note_reaches_driver_and_planner_marked_as_the_customers(world: World) -> None:
    customer = wait_for_delivery(world)
    listener = Listener(world)
    given = customer.post(f"{customer.path()}/note", json={"note": " Ring twice \n"})
    note = {"note": "Ring twice", "at": "2024-07-01T06:00:00Z"}
    assert (given.status_code, given.json()) == (200, {"customerNote": note})
    (event,) = listener.fresh()
    assert (event["topic"], event["objectId"], event["user"]) == (
        "STOP_UPDATED",
        customer.stops[0],
        {},
    )
    assert customer.stop()["customerNote"] == note
    assert customer.stop()["note"] == ""
    assert customer.device.route()["stops"][0]["customerNote"] == note
    assert "customerNote" not in customer.stop(1)
    sheet = world.client.get(f"/routes/{customer.device.route()['id']}/sheet").text
    assert "From the customer: Ring twice" in sheet
    assert "Ring twice" in customer.page()
    assert "Ring twice" not in customer.page(1)


def test_a_note_is_the_last_one_and_repeated_ones_fill_no_log(customer: Customer) -> None:
    listener = Listener(customer.world)
    url = f"{customer.path()}/note"
    for note in ("one", "one", "two", "three"):
        customer.wait(seconds=10)
        assert customer.post(url, json={"note": note}).status_code == 200
    assert customer.stop()["customerNote"]["note"] == "three"
    assert listener.topics() == [("STOP_UPDATED", customer.stops[0])]
    customer.wait(seconds=60)
    customer.post(url, json={"note": "four"})
    assert listener.topics() == [("STOP_UPDATED", customer.stops[0])]


@pytest.mark.parametrize(
    "body", [{}, {"note": ""}, {"note": " \n"}, {"note": "x" * 501}, {"note": 5}, {"text": "x"}]
)
def test_a_wrong_note_is_refused(customer: Customer, body: dict[str, object]) -> None:
    refused = customer.post(f"{customer.path()}/note", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert customer.post(f"{customer.path()}/note", json={"note": "é" * 500}).status_code == 200


@pytest.mark.spec("decisions §16")
def test_a_note_is_too_late_once_the_stop_is_next(customer: Customer) -> None:
    customer.wait(minutes=30)
    customer.device.done("ROUTE_STARTED")
    late = customer.post(f"{customer.path()}/note", json={"note": "x"})
    assert (late.status_code, late.json()["code"]) == (400, 9)
    assert customer.post(f"{customer.path(1)}/note", json={"note": "x"}).status_code == 200
    page = customer.post(f"{customer.path()}/note", data={"note": "x"}, headers=FORM)
    assert page.status_code == 400
    assert "It is too late for a note" in page.text
    assert "customerNote" not in customer.stop()


def test_a_form_leads_back_to_the_page_or_is_shown_again_as_it_was_filled_in(
    customer: Customer,
) -> None:
    path = customer.path()
    kept = customer.post(f"{path}/note", data={"note": "a\r\n<b>"}, headers=FORM)
    assert (kept.status_code, kept.headers["Location"]) == (303, path)
    assert customer.stop()["customerNote"]["note"] == "a\n<b>"
    page = customer.page()
    assert "Your note will be shown to the driver." in page
    assert "\na\n&lt;b&gt;</textarea>" in page
    for note, said in (("  ", "Please write a note."), ("y" * 501, "at most 500 characters")):
        again = customer.post(f"{path}/note", data={"note": note}, headers=FORM)
        assert again.status_code == 400
        assert said in again.text
    script = customer.post(f"{path}/note", data={"note": ""}, headers=JSON)
    assert (script.status_code, script.json()["code"]) == (400, 3)


def deliver(customer: Customer) -> None:
    customer.wait(minutes=30)
    customer.device.done("ROUTE_STARTED")
    customer.device.done("STOP_DELIVERED", stopId=customer.stops[0])


@pytest.mark.both_databases
@pytest.mark.spec("RouteStop")
@pytest.mark.spec("decisions §16")
def test_a_customer_rates_once_the_stop_is_done(world: World) -> None:
    customer = wait_for_delivery(world)
    url = f"{customer.path()}/rating"
    early = customer.post(url, json={"rating": 5})
    assert (early.status_code, early.json()["code"]) == (400, 9)
    deliver(customer)
    listener = Listener(world)
    kept = customer.post(url, json={"rating": 4, "comment": "kind"}).json()["customerRating"]
    assert kept == {"rating": 4, "comment": "kind", "createdAt": "2024-07-01T06:30:00Z"}
    (event,) = listener.fresh()
    assert (event["topic"], event["objectId"], event["user"]) == (
        "STOP_UPDATED",
        customer.stops[0],
        {},
    )
    assert customer.see()["rating"] == kept
    assert customer.stop()["customerRating"] == kept
    customer.post(url, json={"rating": 4, "comment": "kind"})
    assert listener.topics() == []
    customer.post(url, json={"rating": 1})
    assert customer.stop()["customerRating"]["rating"] == 1


@pytest.mark.both_databases
def test_a_note_goes_with_its_stop_to_the_next_route(world: World) -> None:
    customer = wait_for_delivery(world)
    add(world, customer.route_id, import_line(world, 4, clientStopId="door"))
    customer.stops.append(
        world.client.get(f"/routes/{customer.route_id}").json()["stops"][-1]["id"]
    )
    customer.post(f"{customer.path(-1)}/note", json={"note": "Ring twice"})
    note = {"note": "Ring twice", "at": "2024-07-01T06:00:00Z"}
    stop = customer.stop(-1)
    pooled = f"/stops/imports/{stop['importedStopId']}"
    assert "customerNote" not in world.client.get(pooled).json()
    listener = Listener(world)
    answer = world.client.post("/routes/transfers", {"moves": [{"stopId": stop["id"]}]})
    assert answer.status_code == 200, answer.text
    assert ("IMPORTED_STOP_UPDATED", stop["importedStopId"]) in listener.topics()
    assert world.client.get(pooled).json()["customerNote"] == note
    assert import_line(world, 4, clientStopId="door") == [stop["importedStopId"]]
    kept = world.client.get(pooled).json()["customerNote"]
    assert kept == note, "what the customer wrote is not the client's"
    route = create_route(world)
    add(world, route, [stop["importedStopId"]])
    (copy,) = world.client.get(f"/routes/{route}").json()["stops"]
    assert copy["customerNote"] == note


def test_a_note_of_a_delivery_that_was_goes_nowhere(customer: Customer) -> None:
    customer.post(f"{customer.path()}/note", json={"note": "Ring twice"})
    deliver(customer)
    stop, client = customer.stop(), customer.world.client
    gone = client.send("DELETE", f"/routes/{customer.route_id}/stops/{stop['id']}")
    assert gone.status_code == 200, gone.text
    pooled = client.get(f"/stops/imports/{stop['importedStopId']}").json()
    assert "customerNote" not in pooled


@pytest.mark.parametrize("amended", ["", "Leave it next door"])
def test_a_note_of_a_delivery_that_was_is_not_that_of_the_next_import(
    world: World, amended: str
) -> None:
    customer = wait_for_delivery(world)
    client, route = world.client, f"/routes/{customer.route_id}"
    door = import_line(world, 4, clientStopId="door")

    def put_on_route() -> Any:
        add(world, customer.route_id, door)
        return client.get(route).json()["stops"][-1]

    customer.stops.append(put_on_route()["id"])
    customer.post(f"{customer.path(-1)}/note", json={"note": "Ring twice"})
    move = {"moves": [{"stopId": customer.stops[-1]}]}
    assert client.post("/routes/transfers", move).status_code == 200
    stop = put_on_route()
    assert stop["customerNote"]["note"] == "Ring twice"
    if amended:
        customer.stops.append(stop["id"])
        customer.post(f"{customer.path(-1)}/note", json={"note": amended})
    customer.device.done("ROUTE_STARTED")
    customer.wait(minutes=30)
    customer.device.done("STOP_DELIVERED", stopId=stop["id"])
    assert import_line(world, 4, clientStopId="door") == door
    assert "customerNote" not in client.get(f"/stops/imports/{door[0]}").json()


@pytest.mark.spec("decisions §22")
def test_who_rates_again_within_a_minute_is_believed_and_reported_once(customer: Customer) -> None:
    deliver(customer)
    listener = Listener(customer.world)
    for rating in (1, 2, 3, 4):
        customer.wait(seconds=14)
        sent = customer.post(f"{customer.path()}/rating", json={"rating": rating})
        assert sent.status_code == 200
        assert customer.stop()["customerRating"]["rating"] == rating
    assert listener.topics() == [("STOP_UPDATED", customer.stops[0])]
    customer.wait(seconds=20)
    customer.post(f"{customer.path()}/rating", json={"rating": 5})
    assert listener.topics() == [("STOP_UPDATED", customer.stops[0])]


@pytest.mark.parametrize(
    "body", [{}, {"rating": 0}, {"rating": 6}, {"rating": "5"}, {"rating": 5, "stars": 5}]
)
def test_a_wrong_rating_is_refused(customer: Customer, body: dict[str, object]) -> None:
    refused = customer.post(f"{customer.path()}/rating", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)


@pytest.mark.parametrize(
    ("filled", "said"),
    [
        ({"comment": "kind"}, "Please choose 1 to 5 stars."),
        ({"rating": "6", "comment": "kind"}, "Please choose 1 to 5 stars."),
        ({"rating": "5", "comment": "kind" * 400}, "Please write at most 1,500 characters."),
    ],
)
def test_a_rating_form_is_kept_or_shown_again(
    customer: Customer, filled: dict[str, str], said: str
) -> None:
    path = customer.path()
    early = customer.post(f"{path}/rating", data={"rating": "5"}, headers=FORM)
    assert early.status_code == 400
    assert "You can rate your delivery once it has taken place." in early.text
    deliver(customer)
    again = customer.post(f"{path}/rating", data=filled, headers=FORM)
    assert again.status_code == 400
    assert said in again.text
    assert f"\n{filled['comment']}</textarea>" in again.text
    assert ("checked" in again.text.partition("</style>")[2]) == (filled.get("rating") == "5")
    assert "customerRating" not in customer.stop()
    kept = customer.post(f"{path}/rating", data={"rating": "4", "comment": "ok"}, headers=FORM)
    assert (kept.status_code, kept.headers["Location"]) == (303, path)
    page = customer.page()
    assert "Thank you for your rating." in page
    assert 'value="4" aria-label="4 stars" required checked' in page


def old_link(customer: Customer) -> str:
    """Return a link to rate as it was sent before there was a page to follow a delivery."""
    organization = customer.world.credentials.organization_id
    names = f'["{organization}","{customer.route_id}","{customer.stops[0]}"]'
    return f"/ratings/{seal(customer.world.tools.link_key, 'rating', names)}"


@pytest.mark.spec("decisions §16")
def test_an_earlier_rating_link_leads_to_the_page(customer: Customer) -> None:
    path = old_link(customer)
    page = customer.get(path, **BROWSER)
    assert (page.status_code, page.headers["Location"]) == (303, customer.link()["url"])
    sent = customer.post(path, json={"rating": 5})
    assert (sent.status_code, sent.headers["Location"]) == (308, f"{customer.link()['url']}/rating")
    stop = f"/routes/{customer.route_id}/stops/{customer.stops[0]}/tracking-link"
    customer.world.client.send("DELETE", stop)
    assert customer.get(path).status_code == 404
    assert customer.get("/ratings/x").status_code == 404
    assert "Rating link is unknown." in customer.get("/ratings/x", **BROWSER).text
