"""A stop's evidence verified on the command line: no database, no network."""

import json
import zipfile
from pathlib import Path

import pytest
from tests.api.conftest import World, inhabitants, world
from tests.driver.test_evidence import fetch, on_the_road, pack, unpack
from typer.testing import CliRunner

from roundsman.cli.main import app
from roundsman.endpoints.application import Application

__all__ = ["inhabitants", "world"]

pytestmark = pytest.mark.spec("decisions §17")


@pytest.fixture
def door(world: World) -> Application:
    return world.client.interface


def test_verify_says_whose_evidence_it_is_or_what_is_wrong(
    world: World, door: Application, tmp_path: Path
) -> None:
    device, (first, *_) = on_the_road(world, door)
    device.done("STOP_DELIVERED", stopId=first)
    file, key = tmp_path / "evidence.zip", tmp_path / "key.pem"
    file.write_bytes(fetch(world, device, first))
    key.write_text(world.client.get("/settings/evidence-key").json()["publicKey"])
    arguments = ["evidence", "verify", str(file)]
    whole = CliRunner().invoke(app, arguments)
    assert whole.exit_code == 0
    assert f"1 records of {world.credentials.organization_id}" in whole.stdout
    assert "BEGIN PUBLIC KEY" in whole.stdout
    compared = CliRunner().invoke(app, [*arguments, "--key", str(key)])
    assert (compared.exit_code, compared.stdout.count("\n")) == (0, 1)
    shown = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert (shown["whole"], shown["problems"], shown["records"]) == (True, [], 1)
    files = unpack(file.read_bytes())
    file.write_bytes(pack({**files, "page.html": b"<p>other"}))
    altered = CliRunner().invoke(app, arguments)
    assert altered.exit_code == 1
    assert "NOT whole" in altered.stdout
    assert "page.html was changed" in altered.stdout
    shown = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert (shown["whole"], shown["problems"]) == (False, ["page.html was changed"])


def test_a_file_that_is_no_bundle_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "evidence.zip"
    file.write_bytes(b"no archive")
    refused = CliRunner().invoke(app, ["evidence", "verify", str(file)])
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("x", "y")
    refused = CliRunner().invoke(app, ["evidence", "verify", str(file)])
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    assert "chain.json is missing" in refused.stderr
