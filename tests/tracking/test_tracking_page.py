"""What a customer sees: each status in JSON and on the page, and nothing of anybody else."""

import re
from typing import Any

import pytest
from tests.api.conftest import World
from tests.images.test_decoder_process import with_exif
from tests.tracking.conftest import BROWSER, JSON, SERVER, Customer, wait_for_delivery

from roundsman.domain.organization import Language
from roundsman.domain.proof import AttemptedReason, LeftWith
from roundsman.kit.languages import words_of

UPLOAD = "11111111-1111-4111-8111-111111111111"


def drive_to(customer: Customer, status: str) -> None:
    """Have the first customer's delivery come to a status."""
    if status == "PLANNED":
        return
    if status == "CANCELLED":
        customer.world.client.post(f"/routes/{customer.route_id}/archive")
        return
    if status == "ON_THE_WAY":
        client = customer.world.client
        url = f"/routes/{customer.route_id}/stops/{customer.stops[0]}/position"
        assert client.send("PUT", url, json={"index": 2}).status_code == 200
    customer.wait(minutes=30)
    customer.device.done("ROUTE_STARTED")
    if status == "DELIVERED":
        customer.device.done("PROOF_NOTE", stopId=customer.stops[0], note="left with Bo")
        customer.device.done("STOP_DELIVERED", stopId=customer.stops[0])
    if status == "ATTEMPTED":
        customer.device.done(
            "STOP_ATTEMPTED", stopId=customer.stops[0], reason="NO_ACCESS", note="dog named Rex"
        )


EXPECTED: dict[str, dict[str, Any]] = {
    "PLANNED": {"canNote": True},
    "ON_THE_WAY": {"canNote": True, "stopsBefore": 2, "driver": {"firstName": "Dana"}},
    "NEXT": {"canNote": False, "stopsBefore": 0, "driver": {"firstName": "Dana"}},
    "DELIVERED": {
        "canNote": False,
        "driver": {"firstName": "Dana"},
        "delivered": {"at": "2024-07-01T06:30:00Z", "note": "left with Bo"},
    },
    "ATTEMPTED": {
        "canNote": False,
        "driver": {"firstName": "Dana"},
        "attempted": {"at": "2024-07-01T06:30:00Z", "reason": "NO_ACCESS"},
    },
    "CANCELLED": {"canNote": False},
}
SAID = {
    "PLANNED": ["Planned", "Note for the driver"],
    "ON_THE_WAY": ["On the way", "2 stops before you", "Dana", "Note for the driver"],
    "NEXT": ["Next", "In about", "Dana"],
    "DELIVERED": ["Delivered", "left with Bo", "Send rating"],
    "ATTEMPTED": ["We could not deliver", "No access", "Send rating"],
    "CANCELLED": ["Cancelled"],
}


@pytest.mark.spec("decisions §16")
@pytest.mark.parametrize("status", EXPECTED)
def test_every_status_is_said_in_json_and_on_the_page(customer: Customer, status: str) -> None:
    drive_to(customer, status)
    seen = customer.see()
    window = seen.pop("window", None)
    assert (window is not None) == (status in {"PLANNED", "ON_THE_WAY", "NEXT"})
    assert seen == {
        "organization": {"name": "Acme Foods"},
        "orderName": "#1041",
        "status": status,
        "timezone": "America/New_York",
        **EXPECTED[status],
    }
    page = customer.page()
    assert [words for words in SAID[status] if words not in page] == []
    assert ("<form" in page) == (status in {"PLANNED", "ON_THE_WAY", "DELIVERED", "ATTEMPTED"})
    assert "dog named Rex" not in page


LEFT = (
    ({"leftWith": "NEIGHBOUR", "recipientName": "Bo <b>"}, "Left with a neighbour · Bo &lt;b&gt;"),
    ({"leftWith": "SAFE_PLACE"}, "Left in a safe place"),
    ({"recipientName": "Bo"}, "Received by Bo"),
)


@pytest.mark.spec("doors 4.5")
def test_a_page_says_with_whom_a_parcel_was_left_until_the_link_is_over(customer: Customer) -> None:
    customer.device.done("ROUTE_STARTED")
    for number, (said, _) in enumerate(LEFT):
        customer.device.done("STOP_DELIVERED", stopId=customer.stops[number], **said)
    for number, (said, line) in enumerate(LEFT):
        assert said.items() <= customer.see(number)["delivered"].items()
        assert f'<p class="line">{line}</p>' in customer.page(number)
    path = customer.path()
    customer.wait(days=8)
    page = customer.get(path, **BROWSER)
    assert page.status_code == 200
    assert [words for words in ("Bo", "neighbour") if words in page.text] == []


@pytest.mark.spec("doors 4.5")
def test_a_page_says_the_organization_s_own_reason_and_no_note_of_the_driver(
    customer: Customer,
) -> None:
    own = {"organization": {"failureReasons": ["Dog <in> yard"]}, "updateMask": "failureReasons"}
    assert customer.world.client.send("PATCH", "/organization", json=own).status_code == 200
    customer.device.done("ROUTE_STARTED")
    failed = (("OTHER", "Dog <in> yard"), ("OTHER", "rude man"), ("REFUSED", "Dog <in> yard"))
    for number, (reason, note) in enumerate(failed):
        stop_id = customer.stops[number]
        customer.device.done("STOP_ATTEMPTED", stopId=stop_id, reason=reason, note=note)
    seen = [customer.see(number)["attempted"] for number in range(3)]
    assert [one["reason"] for one in seen] == ["OTHER", "OTHER", "REFUSED"]
    assert [one.get("reasonText") for one in seen] == ["Dog <in> yard", None, None]
    assert '<p class="line">Dog &lt;in&gt; yard</p>' in customer.page(0)
    assert [number for number in range(3) if "rude man" in customer.page(number)] == []
    assert '<p class="line">Refused at the door</p>' in customer.page(2)
    assert "yard" not in customer.page(2)


@pytest.mark.spec("doors 4.5")
def test_a_delivery_that_became_an_attempt_was_left_with_nobody(customer: Customer) -> None:
    customer.device.done("ROUTE_STARTED")
    stop = customer.stops[0]
    customer.device.done(
        "STOP_DELIVERED", stopId=stop, leftWith="NEIGHBOUR", recipientName="Bob Neighbour"
    )
    customer.device.done("STOP_ATTEMPTED", stopId=stop, reason="OTHER", note="dog named Rex")
    page = customer.page()
    assert "We could not deliver" in page
    assert [one for one in ("eighbour", "Rex", "ther reason") if one in page] == []
    assert "Bob" not in str(customer.see())


@pytest.mark.spec("doors 4.5")
@pytest.mark.parametrize("language", Language)
def test_every_way_in_which_a_visit_ends_is_said_in_every_language(language: Language) -> None:
    said = words_of("roundsman.tracking", language)
    assert all(said.say(f"left_with.{one}") for one in LeftWith)
    wordless = {AttemptedReason.UNKNOWN, AttemptedReason.OTHER}
    assert {one for one in AttemptedReason if not said.say(f"reason.{one}")} == wordless
    assert said.say("received_by", name="Bo") != said.say("received_by", name="")


@pytest.mark.spec("decisions §16")
def test_a_page_is_for_browsers_and_json_for_scripts(customer: Customer) -> None:
    path = customer.path()
    for headers, kind in (
        (BROWSER, "text/html; charset=utf-8"),
        ({"Accept": "*/*"}, "text/html; charset=utf-8"),
        (JSON, "application/json"),
        ({"Accept": "application/json, text/html;q=0.9"}, "application/json"),
    ):
        answer = customer.get(path, **headers)
        assert answer.headers["content-type"] == kind
        assert "noindex" in answer.headers["X-Robots-Tag"]
        assert {"Accept", "Accept-Language"} <= set(answer.headers["Vary"].split(", "))
    assert customer.get(f"{path}.json", **BROWSER).json() == customer.get(path).json()


@pytest.mark.spec("decisions §16")
def test_a_page_is_small_loads_nothing_of_others_and_sets_no_cookie(customer: Customer) -> None:
    customer.configure(phone="+14105550100", color="#ffcc00")
    for status in ("PLANNED", "NEXT"):
        drive_to(customer, status)
        answer = customer.get(customer.path(), **BROWSER)
        assert len(answer.content) <= 30 * 1024
        assert "set-cookie" not in answer.headers
        assert re.findall(r'(?:src|href|action)="(?!/t/|tel:)([^"]*)"', answer.text) == []
        assert not re.search(r'https?://|style="|<script>| on\w+="', answer.text)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"
    script = customer.get("/t/track.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert len(script.content) + len(answer.content) <= 30 * 1024


LANGUAGES = {
    "de-AT,en;q=0.5": ("de", "Unterwegs", "2 Halte vor Ihnen", "Heute, 02:"),
    "fr": (
        "fr",
        "En route",
        "2 arrêts avant vous",
        "hui, 02:",
    ),
    "xx, es;q=0.8, en;q=0.3": ("es", "En camino", "2 paradas antes de usted", "Hoy, 02:"),
    "it-IT": ("it", "In viaggio", "2 fermate prima di lei", "Oggi, 02:"),
    "nl": ("nl", "Onderweg", "2 stops voor u", "Vandaag, 02:"),
    "pl": ("pl", "W drodze", "2 przystanki przed Tobą", "Dzisiaj, 02:"),
    "en;q=0.1, pt-BR": ("pt", "A caminho", "2 paragens antes da sua", "Hoje, 02:"),
    "en-GB": ("en", "On the way", "2 stops before you", "Today, 02:"),
    "xx;q=much, tr": ("de", "Unterwegs", "2 Halte vor Ihnen", "Heute, 02:"),
    "": ("de", "Unterwegs", "2 Halte vor Ihnen", "Heute, 02:"),
}


@pytest.mark.spec("decisions §16")
@pytest.mark.parametrize("accepted", LANGUAGES)
def test_a_page_speaks_the_customers_language_or_else_the_organizations(
    customer: Customer, accepted: str
) -> None:
    customer.configure(language="de")
    drive_to(customer, "ON_THE_WAY")
    page = customer.page(language=accepted)
    code, *words = LANGUAGES[accepted]
    assert f'<html lang="{code}">' in page
    assert [said for said in words if said not in page] == []


@pytest.mark.parametrize("language", Language)
def test_no_page_of_any_language_says_nothing(customer: Customer, language: Language) -> None:
    customer.configure(phone="+14105550100")
    for status in ("PLANNED", "DELIVERED"):
        drive_to(customer, status)
        page = customer.page(language=language)
        assert f'lang="{language}"' in page
        assert "{" not in page.partition("</style>")[2]
    wrong = customer.get("/t/x", **BROWSER, **{"Accept-Language": language})
    assert f'lang="{language}"' in wrong.text


@pytest.mark.spec("decisions §22")
def test_settings_change_how_the_page_looks(customer: Customer) -> None:
    customer.configure(name="Best <Foods>", phone="+14105550100", color="#FFFF00", language="fr")
    logo = customer.world.client.send(
        "PUT", "/organization/logo", content=with_exif(1), headers={"Content-Type": "image/jpeg"}
    ).json()["logoUrl"]
    shown = customer.see()["organization"]
    assert (shown["name"], shown["phone"], shown["logoUrl"]) == (
        "Best <Foods>",
        "+14105550100",
        logo,
    )
    assert shown["color"] != "#FFFF00", "white text on yellow cannot be read"
    page = customer.get(customer.path(), **BROWSER).text
    assert "Best &lt;Foods&gt;" in page
    assert 'href="tel:+14105550100"' in page
    assert f'src="{logo.removeprefix(SERVER)}"' in page
    picture = customer.get(logo.removeprefix(SERVER))
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    assert b"SecretMaker" not in picture.content
    customer.world.client.send("DELETE", "/organization/logo")
    assert "logoUrl" not in customer.see()["organization"]
    assert customer.get(logo.removeprefix(SERVER)).status_code == 404


@pytest.mark.spec("decisions §16")
def test_the_drivers_position_is_shown_late_rounded_near_and_only_where_it_is_allowed(
    customer: Customer,
) -> None:
    drive_to(customer, "NEXT")
    door = customer.stop()["plannedCoordinates"]
    near = {"latitude": door["latitude"] + 0.0101, "longitude": door["longitude"]}
    customer.device.done("POSITION", position=near)
    customer.wait(seconds=61)
    assert "position" not in customer.see()
    customer.configure(shareDriverPosition="NEXT_STOP")
    seen = customer.see()["position"]
    assert seen["coordinates"]["latitude"] == pytest.approx(near["latitude"], abs=0.002)
    assert seen["coordinates"]["latitude"] == round(seen["coordinates"]["latitude"], 3)
    assert "About 1 km away (as of 02:30)" in customer.page()
    assert "position" not in customer.see(1), "who is not next sees nothing"
    customer.device.done("POSITION", position=door)
    customer.wait(seconds=59)
    assert customer.see()["position"] == seen, "a position is shown a minute late"
    customer.device.done("POSITION", position={"latitude": 39.5, "longitude": -76.6})
    customer.wait(seconds=61)
    assert "position" not in customer.see(), "too far"
    customer.device.done("POSITION", position=door)
    customer.wait(minutes=16)
    assert "position" not in customer.see(), "too old"
    customer.device.done("STOP_DELIVERED", stopId=customer.stops[0])
    customer.wait(seconds=61)
    assert "position" not in customer.see()


@pytest.mark.spec("decisions §16")
def test_photos_of_the_proof_are_shown_to_this_stops_customer_alone(customer: Customer) -> None:
    customer.wait(minutes=30)
    customer.device.done("ROUTE_STARTED")
    upload = customer.device.upload(UPLOAD, with_exif(6)).json()
    assert upload["complete"]
    for kind in ("PHOTO", "SIGNATURE"):
        customer.device.done(kind, stopId=customer.stops[0], uploadId=UPLOAD)
    for stop in customer.stops[:2]:
        customer.device.done("STOP_DELIVERED", stopId=stop)
    (photo,) = customer.see()["delivered"]["photos"]
    assert photo == f"{customer.link()['url']}/photos/1"
    assert f'href="{photo.removeprefix(SERVER)}"' in customer.page()
    picture = customer.get(photo.removeprefix(SERVER))
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    for path in (
        f"{customer.path(0)}/photos/2",
        f"{customer.path(0)}/photos/0",
        f"{customer.path(0)}/photos/x",
        f"{customer.path(1)}/photos/1",
        "/t/x/photos/1",
    ):
        assert customer.get(path).status_code == 404
    assert "photos" not in customer.see(1)["delivered"]


def test_a_window_that_is_over_is_not_promised_any_more(customer: Customer) -> None:
    drive_to(customer, "NEXT")
    customer.wait(minutes=25)
    assert "window" not in customer.see()
    assert "It takes longer than planned" in customer.page()
    assert "arrivalWindow" in customer.stop()


def test_a_window_within_the_hour_that_clocks_show_twice_names_the_clocks(world: World) -> None:
    customer = wait_for_delivery(world, scheduledFor="2024-11-03T05:40:00Z")
    window = customer.see()["window"]
    assert window == {"start": "2024-11-03T05:35:00Z", "end": "2024-11-03T06:25:00Z"}
    assert "01:35 EDT \N{EN DASH} 01:25 EST" in customer.page()


def test_a_customer_who_asks_too_often_is_told_so_in_their_language(customer: Customer) -> None:
    path = customer.path()
    german = {**BROWSER, "Accept-Language": "de"}
    answers = [customer.get(path, **german) for _ in range(241)]
    assert {answer.status_code for answer in answers[:240]} == {200}
    assert answers[240].status_code == 429
    assert int(answers[240].headers["Retry-After"]) >= 1
    assert "Einen Moment, bitte" in answers[240].text
    assert customer.get(path).json()["code"] == 8
