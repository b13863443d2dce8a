"""An operator backs the installation up while it runs, restores it, and moves it to PostgreSQL."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests.acceptance.test_main_job import roundsman, serving
from tests.acceptance.under_fire.battle import open_client
from tests.support import commands
from tests.support.commands import COMMAND

START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


@contextmanager
def signed_in(address: str, key: dict[str, str]) -> Iterator[httpx.Client]:
    with open_client(base_url=f"{address}/api/2024-07") as http:
        body = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
        token = http.post("/authenticate", json=body).json()["accessToken"]
        http.headers["Authorization"] = f"Bearer {token}"
        yield http


def read_everything(http: httpx.Client) -> dict[str, Any]:
    paths = ("/routes", "/stops/imports", "/drivers", "/vehicles", "/webhooks", "/events")
    return {path: http.get(path).raise_for_status().json() for path in paths}


def make_a_day(http: httpx.Client) -> None:
    stops = [
        {
            "clientStopId": f"order-{n}",
            "coordinates": {"latitude": 39.2 + n / 100, "longitude": -76},
        }
        for n in range(5)
    ]
    route = http.post("/routes", json={"start": START}).raise_for_status().json()["id"]
    http.post("/stops/imports", json=stops).raise_for_status()
    added = [{"clientStopId": stop["clientStopId"]} for stop in stops]
    http.post(f"/routes/{route}/stops", json=added).raise_for_status()
    http.post(f"/routes/{route}/dispatch", json={}).raise_for_status()
    http.post("/vehicles", json={"name": "Van"}).raise_for_status()
    http.post("/drivers", json={"firstName": "Dana"}).raise_for_status()


def command(data: Path, *arguments: str, url: str = "") -> subprocess.CompletedProcess[str]:
    return commands.run(
        [*COMMAND, *arguments, "--data", str(data)],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "ROUNDSMAN_DATABASE_URL": url},
    )


@pytest.mark.full
def test_a_backup_made_while_it_serves_and_a_move_to_postgresql_lose_nothing(
    tmp_path: Path, new_postgres_url: str
) -> None:
    data, restored = tmp_path / "data", tmp_path / "restored"
    made = roundsman(data, "", "organization", "create", "Acme Foods")
    create = ("credentials", "create", "--organization", made["organization"])
    key = roundsman(data, "", *create, "--email", "dev@example.com")
    with serving(data, "") as address, signed_in(address, key) as http:
        make_a_day(http)
        before = read_everything(http)
        restored.mkdir()
        backup = command(data, "backup", str(restored / "roundsman.db"), "--json")
        assert backup.returncode == 0, backup.stderr
        assert json.loads(backup.stdout)["bytes"] > 0
        again = command(data, "backup", str(restored / "roundsman.db"))
        assert again.returncode == 1
        assert "exists already" in again.stderr
    refused = command(restored, "serve", "--port", "0")
    assert refused.returncode == 2
    assert "secret key" in refused.stderr.splitlines()[-1]  # it is in no backup
    for folder in (restored, tmp_path / "other"):
        folder.mkdir(exist_ok=True)
        shutil.copy(data / "secret.key", folder)
    with serving(restored, "") as address, signed_in(address, key) as http:
        assert read_everything(http) == before
    copied = roundsman(data, "", "database", "copy", "--to", new_postgres_url)
    assert copied["imported_stops"] == 5
    assert copied["routes"] == 1
    with serving(tmp_path / "other", new_postgres_url) as address, signed_in(address, key) as http:
        assert read_everything(http) == before
    twice = command(data, "database", "copy", "--to", new_postgres_url)
    assert twice.returncode == 1
    assert "the target is not empty" in twice.stderr


def test_a_backup_of_postgresql_points_to_its_own_tool(
    tmp_path: Path, new_postgres_url: str
) -> None:
    refused = command(tmp_path, "backup", str(tmp_path / "x.db"), url=new_postgres_url)
    assert refused.returncode == 1
    assert "use pg_dump" in refused.stderr


@pytest.mark.full
def test_a_backup_of_nothing_and_one_into_nowhere_are_refused(tmp_path: Path) -> None:
    nothing = command(tmp_path / "typo", "backup", str(tmp_path / "x.db"), url="")
    assert nothing.returncode == 1
    told = f"roundsman: there is no installation in {tmp_path / 'typo'}; name its folder"
    assert nothing.stderr.startswith(told)
    assert not (tmp_path / "typo").exists()
    roundsman(tmp_path / "there", "", "organization", "create", "Acme")
    nowhere = command(tmp_path / "there", "backup", str(tmp_path / "none" / "x.db"), url="")
    assert nowhere.returncode == 1
    assert f"{tmp_path / 'none'} is no folder" in nowhere.stderr


def test_a_database_that_cannot_be_reached_is_told_by_its_setting(tmp_path: Path) -> None:
    away = command(
        tmp_path, "organization", "create", "Acme", url="postgresql://nobody@127.0.0.1:1/none"
    )
    assert (away.returncode, away.stderr.count("\n")) == (1, 1)
    assert "ROUNDSMAN_DATABASE_URL" in away.stderr


def test_a_file_that_is_no_database_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "roundsman.db").write_bytes(b"somebody saved a letter under this name\n" * 100)
    refused = command(tmp_path, "organization", "create", "Acme")
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    assert line.startswith(f"roundsman: the database in {tmp_path} cannot be used: ")
    assert line.endswith(" file is damaged, or is no database; restore a backup of it")
