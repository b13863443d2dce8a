"""Uploads: in parts, checked, made safe, before or after the action that names them."""

import hashlib
import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image
from tests.api.conftest import World
from tests.driver.device import Device, Listener, browser, dispatch, sign_up
from tests.images.test_decoder_process import jpeg, with_exif
from tests.images.test_decoders import many_scans

from roundsman.app import make_application
from roundsman.endpoints.application import Application
from roundsman.images.decoders import Decoders
from roundsman.settings import Settings

ONE = "0b7ac1b0-5a55-4a37-9d7a-6a2b8a5a9a01"
TWO = "0b7ac1b0-5a55-4a37-9d7a-6a2b8a5a9a02"


def put(device: Device, data: bytes, first: int, last: int, id_: str = ONE) -> Any:
    """Send the bytes from first up to last of a file."""
    return device.http.put(
        f"/driver/api/uploads/{id_}",
        content=data[first:last],
        headers={
            **device.headers,
            "X-Content-SHA256": hashlib.sha256(data).hexdigest(),
            "Content-Range": f"bytes {first}-{last - 1}/{len(data)}",
        },
    )


def driving(world: World, door: Application) -> tuple[Device, str]:
    device = sign_up(world, door)
    dispatch(world, device, end={"coordinates": {"latitude": 39.2, "longitude": -76.5}})
    device.done("ROUTE_STARTED")
    return device, device.route()["stops"][0]["id"]


def photos(device: Device) -> Any:
    return device.route()["stops"][0]["proofOfDeliveryPhotos"]


@pytest.mark.spec("decisions §10")
def test_a_photo_is_shown_at_a_stable_address_behind_a_short_link(
    world: World, door: Application, visitors: Application
) -> None:
    device, stop = driving(world, door)
    answer = device.upload(ONE, with_exif(6)).json()
    assert answer["complete"] is True
    listener = Listener(world)
    device.done("PHOTO", stopId=stop, uploadId=ONE)
    assert listener.topics() == [("STOP_UPDATED", stop)]
    (photo,) = photos(device)
    assert photo["id"] == answer["attachmentId"]
    assert photo["createdAt"] == "2024-07-01T06:00:00Z"
    path = photo["url"].removeprefix("http://127.0.0.1:8000")
    assert photo["id"] not in path
    http = browser(visitors)
    led = http.get(path)
    assert led.status_code == 307
    assert led.headers["Cache-Control"] == "no-store"
    shown = http.get(led.headers["Location"])
    assert shown.headers["Content-Type"] == "image/jpeg"
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in shown.headers["Content-Security-Policy"]
    assert b"SecretMaker" not in shown.content
    world.clock.advance(seconds=62)
    assert http.get(led.headers["Location"]).status_code == 404
    assert http.get(http.get(path).headers["Location"]).content == shown.content


@pytest.mark.both_databases
def test_a_picture_is_shown_as_narrow_as_it_is_asked_for(
    world: World, door: Application, visitors: Application
) -> None:
    device, stop = driving(world, door)
    whole = io.BytesIO()
    Image.new("RGB", (1200, 900), (40, 90, 140)).save(whole, "JPEG")
    device.upload(ONE, whole.getvalue())
    device.done("PHOTO", stopId=stop, uploadId=ONE)
    (photo,) = photos(device)
    path = photo["url"].removeprefix("http://127.0.0.1:8000")
    http = browser(visitors)

    def size(asked: str) -> tuple[int, int]:
        shown = http.get(http.get(path + asked).headers["Location"])
        assert shown.headers["Content-Type"] == "image/jpeg"
        return Image.open(io.BytesIO(shown.content)).size

    assert size("") == (1200, 900)
    assert size("?width=320") == (320, 240)
    assert size("?width=2048") == (1200, 900)
    link = http.get(f"{path}?width=320").headers["Location"]
    assert http.get(link.replace("width=320", "width=321")).status_code == 404


def test_a_picture_is_shown_as_it_is_where_no_smaller_copy_can_be_made_now(
    world: World, door: Application
) -> None:
    device, stop = driving(world, door)
    device.upload(ONE, jpeg((400, 300)))
    device.done("PHOTO", stopId=stop, uploadId=ONE)
    (photo,) = photos(device)
    stopped = Decoders()
    stopped.close()
    busy = make_application(Settings(), replace(world.tools, copy_makers=stopped))
    http = browser(busy)
    path = photo["url"].removeprefix("http://127.0.0.1:8000")
    shown = http.get(http.get(f"{path}?width=320").headers["Location"])
    assert shown.status_code == 200
    assert Image.open(io.BytesIO(shown.content)).size == (400, 300)
    busy.close()


@pytest.mark.parametrize("width", ["0", "15", "2049", "-1", "3.5", "wide", "٣٢٠", "9" * 40])
def test_a_wrong_width_is_refused_by_name(visitors: Application, width: str) -> None:
    refused = browser(visitors).get(f"/attachments/guess?width={width}")
    assert refused.status_code == 400
    assert "width must be a whole number from 16 to 2048" in refused.text


@pytest.mark.spec("decisions §10")
@pytest.mark.parametrize(
    "path",
    [
        "/attachments/guess",
        "/files/att-1",
        "/files/att-1?expires=9999999999&signature=x",
        "/files/att-1?expires=x&signature=x",
    ],
)
def test_a_link_that_is_not_ours_shows_nothing(visitors: Application, path: str) -> None:
    assert browser(visitors).get(path).status_code == 404


def test_an_action_may_name_an_upload_that_comes_later(world: World, door: Application) -> None:
    device, stop = driving(world, door)
    told = device.action("PHOTO", stopId=stop, uploadId=ONE)
    (waits,) = device.results(told)
    assert (waits["outcome"], waits["reason"]) == ("KEPT", "WAITING")
    assert photos(device) == []
    listener = Listener(world)
    device.upload(ONE, jpeg())
    assert listener.topics() == [("STOP_UPDATED", stop)]
    assert len(photos(device)) == 1
    assert device.results(told) == [waits]
    device.upload(ONE, jpeg())
    assert listener.topics() == []
    assert len(photos(device)) == 1


def test_an_action_goes_on_though_whoever_completed_its_upload_died_before_seeing_to_it(
    world: World, door: Application
) -> None:
    device, stop = driving(world, door)
    assert device.act("PHOTO", stopId=stop, uploadId=ONE)["reason"] == "WAITING"
    # Hidden while its upload arrives, the action is left as that death would leave it.
    for before, after in ((ONE, "hidden"), ("hidden", ONE)):
        with world.tools.database.writing() as tx:
            tx.exec_driver_sql(
                f"UPDATE driver_actions SET upload_id = '{after}' WHERE upload_id = '{before}'"  # noqa: S608 -- ids of our own
            )
        if after == "hidden":
            assert device.upload(ONE, jpeg()).json()["complete"] is True
    assert photos(device) == []
    assert device.get(f"/uploads/{ONE}").json()["complete"] is True
    assert len(photos(device)) == 1


def test_photos_of_start_and_end_and_signatures_are_told_as_such(
    world: World, door: Application
) -> None:
    device, stop = driving(world, door)
    device.upload(ONE, jpeg())
    device.upload(TWO, jpeg((9, 9)))
    listener = Listener(world)
    device.done("SIGNATURE", stopId=stop, uploadId=ONE)
    device.done("PHOTO", place="START", uploadId=TWO)
    device.done("PHOTO", place="END", uploadId=ONE)
    assert listener.topics() == [
        ("ROUTE_END_STOP_UPDATED", device.route_id),
        ("ROUTE_START_STOP_UPDATED", device.route_id),
        ("STOP_UPDATED", stop),
    ]
    route = device.route()
    assert len(route["stops"][0]["proofOfDeliverySignatures"]) == 1
    assert len(route["start"]["photos"]) == len(route["end"]["photos"]) == 1


def test_an_upload_goes_on_where_it_broke_off(world: World, door: Application) -> None:
    device, _ = driving(world, door)
    data = jpeg((300, 200))
    assert put(device, data, 0, 100).json() == {
        "id": ONE,
        "size": len(data),
        "received": 100,
        "complete": False,
        "attachmentId": "",
    }
    assert put(device, data, 0, 100).json()["received"] == 100
    assert device.get(f"/uploads/{ONE}").json()["received"] == 100
    gap = put(device, data, 200, len(data))
    assert (gap.status_code, gap.json()["code"]) == (400, 9)
    assert "100 of" in gap.json()["message"]
    done = put(device, data, 50, len(data)).json()
    assert (done["complete"], done["received"]) == (True, len(data))
    assert put(device, data, 0, len(data)).json() == done
    assert world.count("attachments") == 1
    assert world.count("upload_parts") == 0


def test_an_upload_that_nobody_goes_on_with_is_forgotten(world: World, door: Application) -> None:
    device, _ = driving(world, door)
    data = jpeg((300, 200))
    put(device, data, 0, 100)
    world.clock.advance(days=7)
    put(device, data, 0, 100, id_=TWO)
    assert device.get(f"/uploads/{ONE}").json()["received"] == 100
    world.clock.advance(seconds=1)
    put(device, data, 0, 100, id_="0b7ac1b0-5a55-4a37-9d7a-6a2b8a5a9a03")
    assert device.get(f"/uploads/{ONE}").status_code == 404
    assert device.get(f"/uploads/{TWO}").json()["received"] == 100
    assert put(device, data, 0, len(data)).json()["complete"] is True


def test_an_upload_keeps_to_what_it_began_with(world: World, door: Application) -> None:
    device, _ = driving(world, door)
    put(device, jpeg((300, 200)), 0, 100)
    other = put(device, jpeg((300, 201)), 0, 100)
    assert (other.status_code, other.json()["code"]) == (400, 3)
    assert "new upload id" in other.json()["message"]


@pytest.mark.spec("decisions §10")
def test_a_damaged_file_and_what_is_no_picture_are_forgotten(
    world: World, door: Application
) -> None:
    device, _ = driving(world, door)
    wrong = {"X-Content-SHA256": "0" * 64}
    assert "hash" in device.upload(ONE, jpeg(), **wrong).json()["message"]
    for data in (b"<script>", many_scans(101, side=64)):
        refused = device.upload(ONE, data)
        assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert world.count("uploads") == world.count("upload_parts") == 0
    assert device.get(f"/uploads/{ONE}").status_code == 404
    assert device.upload(ONE, jpeg()).json()["complete"] is True


@pytest.mark.spec("decisions §22")
def test_a_picture_that_could_not_be_decoded_now_is_kept_and_taken_when_it_is_sent_again(
    world: World, door: Application
) -> None:
    device, _ = driving(world, door)
    stopped = Decoders()
    stopped.close()
    stopping = make_application(Settings(), replace(world.tools, decoders=stopped))
    refused = replace(device, http=browser(stopping)).upload(ONE, jpeg())
    assert (refused.status_code, refused.json()["code"]) == (503, 14)
    assert device.get(f"/uploads/{ONE}").json()["complete"] is False
    assert device.upload(ONE, jpeg()).json()["complete"] is True
    stopping.close()


@pytest.mark.spec("decisions §10")
def test_a_file_over_the_limit_is_refused(world: World, door: Application) -> None:
    device, _ = driving(world, door)
    assert device.upload(ONE, b"x" * (10 * 1024 * 1024 + 1)).status_code == 413
    large = {"Content-Range": f"bytes 0-0/{10 * 1024 * 1024 + 1}"}
    refused = device.upload(ONE, b"x", **large)
    assert refused.json()["details"][0]["fieldViolations"][0]["field"] == "Content-Range"


@pytest.mark.parametrize(
    ("headers", "named"),
    [
        ({"X-Content-SHA256": "x"}, "X-Content-SHA256"),
        ({"Content-Range": "bytes 0-/9"}, "Content-Range"),
        ({"Content-Range": "bytes 0-5/9"}, "Content-Range"),
        ({"Content-Range": "bytes 8-9/9"}, "Content-Range"),
    ],
)
def test_a_wrong_header_is_named(
    world: World, door: Application, headers: dict[str, str], named: str
) -> None:
    device, _ = driving(world, door)
    refused = device.upload(ONE, b"xy", **headers)
    assert refused.status_code == 400
    assert refused.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert device.upload("1", b"xy").status_code == 400


def test_another_drivers_upload_is_unknown(world: World, door: Application) -> None:
    device, stop = driving(world, door)
    other = sign_up(world, door)
    other.upload(ONE, jpeg())
    assert device.get(f"/uploads/{ONE}").status_code == 404
    assert device.act("PHOTO", stopId=stop, uploadId=ONE)["reason"] == "WAITING"


def test_a_picture_of_fifty_megapixels_is_taken(world: World, door: Application) -> None:
    device, _ = driving(world, door)
    data = jpeg((10_000, 5_000))
    assert device.upload(ONE, data).json()["complete"] is True
    assert Image.MAX_IMAGE_PIXELS is None
