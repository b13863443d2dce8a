"""Drivers on the command line."""

from pathlib import Path

import pytest
from tests.cli.running import organization, run, run_json


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
