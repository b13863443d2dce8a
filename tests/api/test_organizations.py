"""What an organization says of itself: read by all, changed by who may, no secret told."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import browser
from tests.images.test_decoder_process import with_exif

SERVER = "http://127.0.0.1:8000"
BARE: dict[str, Any] = {
    "name": "Acme Foods",
    "timezone": "UTC",
    "phone": "",
    "color": "",
    "language": "en",
    "shareDriverPosition": "NEVER",
    "failureReasons": [],
    "proofRules": dict.fromkeys(
        ("photo", "signature", "barcode", "note", "recipientName"), "OFFERED"
    ),
    "retention": {
        "positionsDays": 30,
        "eventsDays": 30,
        "proofDays": 730,
        "customersDays": 1095,
    },
    "logoUrl": "",
}


def test_an_organization_knows_its_name_and_clocks_and_no_secret_is_in_the_answer(
    world: World,
) -> None:
    own = world.client.get("/organization").json()
    assert own == {**BARE, "id": own["id"]}
    assert world.stranger.get("/organization").json()["name"] == "Other Goods"


@pytest.mark.both_databases
@pytest.mark.spec("decisions §22")
def test_what_the_mask_names_is_changed_for_this_organization_alone(world: World) -> None:
    settings = {
        "name": " Best Foods ",
        "phone": "+14105550100",
        "color": "#0F766e",
        "language": "pl",
        "start": {"address": {"address1": "100 Light St", "city": "Baltimore"}},
        "shareDriverPosition": "NEXT_STOP",
        "failureReasons": ["Dog in the yard"],
        "proofRules": {"photo": "REQUIRED"},
        "retention": {"positionsDays": 7, "eventsDays": 14, "proofDays": 90, "customersDays": 365},
    }
    before = world.client.get("/organization").json()
    mask = ",".join(settings)
    body = {"organization": {**before, **settings}, "updateMask": mask}
    changed = world.client.send("PATCH", "/organization", json=body)
    assert changed.status_code == 200, changed.text
    told = changed.json()
    assert (told["name"], told["color"], told["language"]) == ("Best Foods", "#0F766e", "pl")
    assert told["start"]["address"]["address1"] == "100 Light St"
    assert world.client.get("/organization").json() == told
    assert told["failureReasons"] == ["Dog in the yard"]
    assert told["proofRules"] == {**BARE["proofRules"], "photo": "REQUIRED"}
    cleared = {"organization": {}, "updateMask": "phone,start,language"}
    after = world.client.send("PATCH", "/organization", json=cleared).json()
    assert "start" not in after
    assert (after["phone"], after["language"], after["color"]) == ("", "en", "#0F766e")
    assert world.stranger.get("/organization").json()["phone"] == ""


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"name": " "}, "organization.name"),
        ({"phone": "12"}, "organization.phone"),
        ({"color": "red"}, "organization.color"),
        ({"language": "tr"}, "organization.language"),
        ({"retention": {"proofDays": 0}}, "organization.retention.proofDays"),
        ({"retention": {"photosDays": 9}}, "organization.retention.photosDays"),
        ({"shareDriverPosition": "ALWAYS"}, "organization.shareDriverPosition"),
        ({"failureReasons": [" "]}, "organization.failureReasons[0]"),
        ({"failureReasons": ["x"] * 21}, "organization.failureReasons"),
        ({"proofRules": {"photo": "MAYBE"}}, "organization.proofRules.photo"),
        ({"proofRules": {"video": "OFF"}}, "organization.proofRules.video"),
        ({"timezone": "UTC"}, "updateMask"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_field(
    world: World, settings: dict[str, Any], field: str
) -> None:
    body = {"organization": settings, "updateMask": ",".join(settings)}
    refused = world.client.send("PATCH", "/organization", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert refused.json()["details"][0]["fieldViolations"][0]["field"] == field


def test_a_key_makes_a_change_once_and_answers_it_again(world: World) -> None:
    key = {"Idempotency-Key": "5d0f6f34-0000-4000-8000-000000000001"}
    body = {"organization": {"phone": "+14105550100"}, "updateMask": "phone"}
    first, second = (
        world.client.send("PATCH", "/organization", json=body, headers=key) for _ in range(2)
    )
    assert first.json() == second.json()
    assert second.headers["Idempotency-Replayed"] == "true"


def test_a_logo_is_written_anew_shown_to_everybody_and_replaced(world: World) -> None:
    http = browser(world.client.interface)
    urls = []
    for turn in (1, 6):
        put = world.client.send("PUT", "/organization/logo", content=with_exif(turn))
        assert put.status_code == 200, put.text
        urls.append(put.json()["logoUrl"].removeprefix(SERVER))
    assert http.get(urls[0]).status_code == 404
    shown = http.get(urls[1])
    assert (shown.status_code, shown.headers["content-type"]) == (200, "image/jpeg")
    assert b"SecretMaker" not in shown.content
    assert "immutable" in shown.headers["Cache-Control"]
    assert "sandbox" in shown.headers["Content-Security-Policy"]
    refused = world.client.send("PUT", "/organization/logo", content=b"<svg onload=x>")
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    too_large = world.client.send("PUT", "/organization/logo", content=b"x" * (1024 * 1024 + 1))
    assert too_large.status_code == 413
    assert world.client.send("DELETE", "/organization/logo").json()["logoUrl"] == ""
    assert http.get(urls[1]).status_code == 404
