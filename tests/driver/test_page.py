"""The page about the driver's door: its examples run, and it names every kind and reason."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import browser, dispatch, sign_up

from roundsman.domain.actions import ActionKind, Outcome, Reason
from roundsman.driver.app import API_PREFIX, OPERATIONS
from roundsman.endpoints.application import Application

PAGE = (Path(__file__).parents[2] / "docs" / "driver-api.md").read_text(encoding="utf-8")


def examples() -> list[Any]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def test_the_journal_of_the_page_is_answered_as_the_page_says(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    sent, answered, _ = examples()
    for action in sent["actions"]:
        action["routeId"] = device.route_id
    sent["actions"][1]["stopId"] = device.route()["stops"][0]["id"]
    assert device.send(*sent["actions"]).json() == answered


def test_the_upload_of_the_page_is_answered_as_the_page_says(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    *_, shown = examples()
    device.upload(shown["id"], b"ab", **{"Content-Range": "bytes 0-1/3"})
    assert device.get(f"/uploads/{shown['id']}").json() == shown


@pytest.mark.parametrize("name", [*ActionKind, *Outcome, *(reason for reason in Reason if reason)])
def test_the_page_names_every_kind_outcome_and_reason(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_the_page_names_every_path_of_the_door(door: Application) -> None:
    for operation in OPERATIONS:
        path = f"{API_PREFIX}{operation.path}".replace("{uploadId}", "{uuid}")
        assert f"`{operation.method} {path}`" in PAGE or f"`{operation.method} {path}`," in PAGE
    assert browser(door).get("/driver/api/nowhere").status_code == 404
