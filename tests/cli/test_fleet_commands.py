"""The fleet on the command line, in process, on a SQLite data folder."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from roundsman.cli.installation import installation
from roundsman.cli.main import app
from roundsman.domain.principal import operator
from roundsman.operations.vehicles import archive_vehicle
from roundsman.operations.work import Request


def run(data: Path, *arguments: str) -> Any:
    return CliRunner().invoke(app, [*arguments, "--data", str(data)])


def run_json(data: Path, *arguments: str) -> Any:
    done = run(data, *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def organization(data: Path) -> str:
    return str(run_json(data, "organization", "create", "Acme Foods")["organization"])


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


def test_drivers_are_listed_with_where_they_stand(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    of_fleet = ("driver", "list", "--organization", slug)
    assert run(tmp_path, *of_fleet).stdout == "no drivers\n"
    invite = ("driver", "invite", "--organization", slug, *PERSON)
    dana, gone = (run_json(tmp_path, *invite)["driver"] for _ in range(2))
    run_json(tmp_path, "driver", "archive", gone["id"])
    assert run_json(tmp_path, *of_fleet)["drivers"] == [dana]
    archived = run_json(tmp_path, *of_fleet, "--status", "ARCHIVED")["drivers"]
    assert archived == [{**gone, "status": "ARCHIVED"}]
    assert run(tmp_path, *of_fleet).stdout == (
        f"{'ID':40}  STATUS   NAME         PHONE\n"
        f"{dana['id']}  PENDING  Dana Driver  +14105550123\n"
    )
    assert run(tmp_path, "driver", "sessions", dana["id"]).stdout == "no sessions\n"


PERSON = ("--first-name", "Dana", "--last-name", "Driver", "--phone", "+14105550123")


@pytest.mark.spec("decisions §11")
def test_driver_invite_prints_the_driver_and_the_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDSMAN_BASE_URL", "https://plan.example.com")
    slug = organization(tmp_path)
    made = run_json(tmp_path, "driver", "invite", "--organization", slug, *PERSON)
    assert made["driver"]["status"] == "PENDING"
    assert made["driver"]["phone"] == "+14105550123"
    assert made["inviteUrl"].startswith("https://plan.example.com/driver/invite/")
    told = run(tmp_path, "driver", "invite", "--organization", slug, *PERSON)
    assert "inviteUrl" in told.stdout
    assert told.stderr == ""
    monkeypatch.delenv("ROUNDSMAN_BASE_URL")
    warned = run(tmp_path, "driver", "invite", "--organization", slug, *PERSON)
    assert "http://127.0.0.1:8000/driver/invite/" in warned.stdout
    assert "set ROUNDSMAN_BASE_URL" in warned.stderr
    wrong = run(tmp_path, "driver", "invite", "--organization", slug, *PERSON, "--phone", "12")
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (1, 1)


@pytest.mark.spec("decisions §11")
def test_a_driver_is_moved_by_id_alone(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    id_ = run_json(tmp_path, "driver", "invite", "--organization", slug, *PERSON)["driver"]["id"]
    statuses = [
        run_json(tmp_path, "driver", verb, id_)["status"]
        for verb in ("activate", "deactivate", "archive")
    ]
    assert statuses == ["ACTIVE", "DEACTIVATED", "ARCHIVED"]
    assert "driver is ARCHIVED" in run(tmp_path, "driver", "activate", id_).stderr
    assert "driver not found" in run(tmp_path, "driver", "activate", "drv-1").stderr
