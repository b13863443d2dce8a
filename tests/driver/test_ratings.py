"""A customer's word: through a link that only we can make, after the delivery."""

import re
from html.parser import HTMLParser

import pytest
from tests.api.conftest import World
from tests.driver.device import Device, Listener, browser, dispatch, sign_up

from roundsman.endpoints.application import Application

HTML = "text/html; charset=utf-8"
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def delivered(world: World, door: Application) -> tuple[Device, str, str]:
    device = sign_up(world, door)
    dispatch(world, device)
    stop = device.route()["stops"][0]["id"]
    link = world.client.get(f"/routes/{device.route_id}/stops/{stop}/rating-link").json()["url"]
    return device, stop, link.removeprefix("http://127.0.0.1:8000")


@pytest.mark.spec("RouteStop")
def test_a_customer_rates_once_the_stop_is_done(
    world: World, door: Application, visitors: Application
) -> None:
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


@pytest.mark.spec("decisions §22")
def test_a_customer_who_rates_again_within_a_minute_is_believed_and_told_of_once(
    world: World, door: Application, visitors: Application
) -> None:
    device, stop, path = delivered(world, door)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop)
    listener = Listener(world)
    http = browser(visitors)
    for rating in (1, 2, 3, 4):
        world.clock.advance(seconds=14)
        assert http.post(path, json={"rating": rating}).status_code == 200
        assert device.route()["stops"][0]["customerRating"]["rating"] == rating
    assert listener.topics() == [("STOP_UPDATED", stop)]
    world.clock.advance(seconds=20)
    http.post(path, json={"rating": 5})
    assert listener.topics() == [("STOP_UPDATED", stop)]


@pytest.mark.parametrize(
    "body", [{}, {"rating": 0}, {"rating": 6}, {"rating": "5"}, {"rating": 5, "stars": 5}]
)
def test_a_wrong_rating_is_refused(
    world: World, door: Application, visitors: Application, body: dict[str, object]
) -> None:
    _, _, path = delivered(world, door)
    refused = browser(visitors).post(path, json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)


def test_a_link_that_is_not_ours_rates_nothing(
    world: World, door: Application, visitors: Application
) -> None:
    _, _, path = delivered(world, door)
    text, _, signature = path.partition(".")
    http = browser(visitors)
    for forged in (f"{text[:-1]}x.{signature}", f"{text}.{signature[:-2]}", text, "/ratings/x"):
        assert http.post(forged, json={"rating": 5}).status_code == 404
    page = http.get(f"{text}.{signature[:-2]}", headers=BROWSER)
    assert (page.status_code, page.headers["content-type"]) == (404, HTML)
    assert "Rating link is unknown." in page.text
    assert world.stranger.get(path.replace("/ratings", "/routes")).status_code == 404


class Page(HTMLParser):
    """What a browser would find on a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [found for name, found in self.tags if name == tag]

    def chosen(self) -> list[str | None]:
        return [one["value"] for one in self.all("input") if "checked" in one]


def test_a_browser_is_shown_a_form_that_keeps_a_rating(
    world: World, door: Application, visitors: Application
) -> None:
    device, stop, path = delivered(world, door)
    http = browser(visitors)
    early = http.get(path, headers=BROWSER)
    assert "Not delivered yet" in early.text
    assert Page(early.text).all("form") == []
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop)
    asked = http.get(path, headers=BROWSER)
    assert (asked.status_code, asked.headers["content-type"]) == (200, HTML)
    assert "<strong>Acme Foods</strong>" in asked.text
    assert [choice["value"] for choice in Page(asked.text).all("input")] == list("12345")
    kept = http.post(path, headers=BROWSER, data={"rating": "4", "comment": "kind\r\n<b>so</b>"})
    assert kept.status_code == 303
    after = http.get(f"{path.rpartition('/')[0]}/{kept.headers['Location']}", headers=BROWSER)
    assert "Thank you" in after.text
    assert Page(after.text).chosen() == ["4"]
    assert "&lt;b&gt;so&lt;/b&gt;" in after.text
    rating = device.route()["stops"][0]["customerRating"]
    assert (rating["rating"], rating["comment"]) == (4, "kind\n<b>so</b>")


@pytest.mark.parametrize(
    ("filled", "told"),
    [
        ({"comment": "kind"}, "Please choose a rating from 1 to 5."),
        ({"rating": "6", "comment": "kind"}, "Please choose a rating from 1 to 5."),
        ({"rating": "5", "comment": "kind" * 400}, "Please write at most 1,500 characters."),
    ],
)
def test_a_form_that_is_filled_in_wrongly_is_asked_again_as_it_was_filled_in(
    world: World, door: Application, visitors: Application, filled: dict[str, str], told: str
) -> None:
    device, stop, path = delivered(world, door)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop)
    again = browser(visitors).post(path, headers=BROWSER, data=filled)
    assert again.status_code == 400
    assert told in again.text
    assert f"\n{filled['comment']}</textarea>" in again.text
    assert Page(again.text).chosen() == ["5" for _ in range(filled.get("rating") == "5")]
    script = browser(visitors).post(path, data=filled)
    assert (script.status_code, script.json()["code"]) == (400, 3)
    assert "customerRating" not in device.route()["stops"][0]


def test_every_control_of_the_page_has_a_name_and_nothing_is_loaded(
    world: World, door: Application, visitors: Application
) -> None:
    device, stop, path = delivered(world, door)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop)
    answer = browser(visitors).get(path, headers=BROWSER)
    page = Page(answer.text)
    (document,) = page.all("html")
    assert document["lang"] == "en"
    assert all(choice["aria-label"] for choice in page.all("input"))
    labelled = {label.get("for") for label in page.all("label")}
    assert {field["id"] for field in page.all("textarea")} <= labelled
    assert len(page.all("h1")) == len(page.all("main")) == len(page.all("legend")) == 1
    assert not re.search(r"<script|<img|<link|https?:|style=", answer.text)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert (answer.headers["Vary"], answer.headers["Cache-Control"]) == (
        "Accept, Accept-Encoding",
        "no-store",
    )


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (BROWSER["Accept"], "text/html"),
        ("text/html", "text/html"),
        ("text/*", "text/html"),
        ("application/json;q=0.5, text/html;q=0.9", "text/html"),
        ("*/*", "application/json"),
        ("", "application/json"),
        ("application/json, text/html;q=0.9", "application/json"),
        ("text/html;q=much", "application/json"),
    ],
)
def test_who_asks_for_a_page_gets_one_and_others_get_json(
    world: World, door: Application, visitors: Application, accept: str, kind: str
) -> None:
    _, _, path = delivered(world, door)
    answer = browser(visitors).get(path, headers={"Accept": accept})
    assert answer.headers["content-type"].partition(";")[0] == kind


def test_a_browser_that_asks_too_often_is_told_so_on_a_page(
    world: World, door: Application, visitors: Application
) -> None:
    _, _, path = delivered(world, door)
    http = browser(visitors)
    answers = [http.get(path, headers=BROWSER) for _ in range(241)]
    assert {answer.status_code for answer in answers[:240]} == {200}
    assert (answers[240].status_code, answers[240].headers["content-type"]) == (429, HTML)
    assert int(answers[240].headers["Retry-After"]) >= 1
