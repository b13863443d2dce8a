"""Erasing an organization: all of it, whenever it is killed; others answer as they did."""

from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import add, create_route, import_line
from tests.storage.whole_organization import dump, fill

from roundsman.domain.erasure import OrganizationErasure
from roundsman.domain.errors import FailedPrecondition, NotFound
from roundsman.operations.organization_erasures import erase_organization
from roundsman.operations.organizations import list_organizations

pytestmark = pytest.mark.spec("decisions §17")

PATHS = ("/organization", "/routes", "/stops/imports", "/drivers", "/events", "/plans", "/vehicles")
MARKER, SLUG = "zarathustra", "whole-0001"


class Killed(BaseException):
    """What takes a process with it."""


def stranger_sees(world: World) -> list[bytes]:
    return [bytes(world.stranger.get(path).content) for path in PATHS]


def acme(world: World) -> str:
    return next(
        one.id for one in list_organizations(world.tools.database) if one.name == "Acme Foods"
    )


def erase_though_killed(world: World, slug: str) -> tuple[OrganizationErasure, int]:
    """Start an erasure again and again; each is killed when it has removed something."""
    kills = known = 0

    def die(rows: int) -> None:
        nonlocal known
        if rows > known:
            known = rows
            raise Killed

    while True:
        try:
            return erase_organization(world.tools, slug, die), kills
        except Killed:
            kills += 1


@pytest.mark.both_databases
def test_an_erasure_that_is_killed_at_every_step_ends_complete(
    world: World, tmp_path: Path
) -> None:
    database = world.tools.database
    for one, name in ((world.client, "ours"), (world.stranger, "theirs")):
        stop = {"clientStopId": name, "coordinates": {"latitude": 39.3, "longitude": -76.6}}
        assert one.post("/stops/imports", [stop]).status_code == 200
        assert one.post("/vehicles", {"name": name}).status_code == 200
    before = stranger_sees(world)
    with database.writing() as tx:
        fill(tx, SLUG, MARKER)
    receipt, kills = erase_though_killed(world, SLUG)
    assert kills > 20
    assert receipt.completed_at is not None
    assert receipt.removed["organizations"] == receipt.removed["routes"] == 1
    assert set(receipt.removed.values()) == {1}
    for name, rows in dump(database).items():
        assert MARKER not in rows, name
        assert SLUG not in rows, name
    if database.dialect_name == "sqlite":
        for file in tmp_path.glob("roundsman.db*"):
            held = file.read_bytes()
            assert MARKER.encode() not in held, file.name
            assert SLUG.encode() not in held, file.name
    assert stranger_sees(world) == before
    assert world.client.get("/vehicles").json()["vehicles"][0]["name"] == "ours"
    assert erase_organization(world.tools, SLUG) == receipt, "asked again it shows the receipt"


def test_what_was_killed_before_the_files_were_written_anew_is_gone_on_with(
    world: World, tmp_path: Path
) -> None:
    with world.tools.database.writing() as tx:
        fill(tx, SLUG, MARKER)

    def die_at_the_end(rows: int) -> None:
        if SLUG not in {one.id for one in list_organizations(world.tools.database)}:
            raise Killed(rows)

    with pytest.raises(Killed):
        erase_organization(world.tools, SLUG, die_at_the_end)
    receipt = erase_organization(world.tools, SLUG)
    assert receipt.completed_at is not None
    assert receipt.removed["organizations"] == 1
    for file in tmp_path.glob("roundsman.db*"):
        assert SLUG.encode() not in file.read_bytes(), file.name


@pytest.mark.both_databases
def test_an_organization_at_work_is_refused_unless_it_is_forced(world: World) -> None:
    slug = acme(world)
    device: Any = world.client.post("/drivers", {"firstName": "Dana"}).json()
    world.client.post(f"/drivers/{device['driver']['id']}/activate", {})
    route = create_route(
        world, scheduledFor="2024-07-01T06:30:00Z", driverId=device["driver"]["id"]
    )
    add(world, route, import_line(world, 1, 2))
    assert world.client.post(f"/routes/{route}/dispatch", {}).status_code == 200
    with pytest.raises(FailedPrecondition, match=f"{route}; complete.*--force"):
        erase_organization(world.tools, slug)
    assert world.client.get(f"/routes/{route}").status_code == 200
    receipt = erase_organization(world.tools, slug, is_forced=True)
    assert receipt.removed["routes"] == 1
    assert receipt.removed["imported_stops"] == 2
    assert world.client.get(f"/routes/{route}").status_code == 401
    assert world.stranger.get("/routes").status_code == 200


def test_an_organization_that_nobody_knows_is_not_found(world: World) -> None:
    with pytest.raises(NotFound, match="nobody-0000"):
        erase_organization(world.tools, "nobody-0000")
