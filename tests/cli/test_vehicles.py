"""Vehicles on the command line."""

from pathlib import Path

import pytest
from tests.cli.running import organization, run, run_json

from roundsman.cli.installation import installation
from roundsman.domain.principal import operator
from roundsman.operations.request import Request
from roundsman.operations.vehicles import archive_vehicle


@pytest.mark.spec("decisions §11")
def test_vehicle_add_prints_the_vehicle(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    arguments = ("--name", "Van 1", "--make", "Ford", "--year", "2021", "--type", "CARGO_VAN")
    vehicle = run_json(tmp_path, "vehicle", "add", "--organization", slug, *arguments)
    assert vehicle["id"].startswith("veh-")
    assert (vehicle["name"], vehicle["make"], vehicle["year"]) == ("Van 1", "Ford", 2021)
    assert (vehicle["type"], vehicle["isArchived"], vehicle["vin"]) == ("CARGO_VAN", False, "")
    told = run(tmp_path, "vehicle", "add", "--organization", slug, "--name", "Van 2")
    assert "Van 2" in told.stdout


@pytest.mark.spec("decisions §11")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--organization", "nobody-0000", "--name", "Van"), 'organization "nobody-0000"'),
        (("--organization", "SLUG", "--name", " "), "name must be"),
        (("--organization", "SLUG", "--name", "Van", "--year", "-1"), "year must be"),
    ],
)
def test_vehicle_add_tells_what_is_wrong_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    slug = organization(tmp_path)
    done = run(tmp_path, "vehicle", "add", *(slug if a == "SLUG" else a for a in arguments))
    assert done.exit_code == 1
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_vehicles_are_listed_the_archived_ones_on_request(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    names = [f"Van {number:02}" for number in range(23)]  # more than a page
    add = ("vehicle", "add", "--organization", slug, "--license", "B-1")
    added = [run_json(tmp_path, *add, "--name", name) for name in names]
    archive(tmp_path, slug, added[0]["id"])
    of_fleet = ("vehicle", "list", "--organization", slug)
    assert run_json(tmp_path, *of_fleet)["vehicles"] == added[1:]
    with_archived = run_json(tmp_path, *of_fleet, "--include-archived")["vehicles"]
    assert with_archived == [{**added[0], "isArchived": True}, *added[1:]]
    lines = run(tmp_path, *of_fleet, "--include-archived").stdout.splitlines()
    assert lines[:3] == [
        f"{'ID':40}  NAME    LICENSE  ARCHIVED",
        f"{added[0]['id']}  Van 00  B-1      archived",
        f"{added[1]['id']}  Van 01  B-1",
    ]
    assert run(tmp_path, "vehicle", "list", "--organization", "nobody-0000").exit_code == 1


def archive(data: Path, slug: str, vehicle_id: str) -> None:
    with installation(data) as (_, tools):
        caller = operator(slug)
        archive_vehicle(tools, Request(principal=caller), vehicle_id, is_archived=True)


PERSON = ("--first-name", "Dana", "--last-name", "Driver", "--phone", "+14105550123")
