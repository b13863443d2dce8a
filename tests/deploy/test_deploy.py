"""The files an operator copies: they parse, and every setting in them exists, with a good value."""

import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from roundsman.settings import PREFIX, Settings, load_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "roundsman.service"
INSTALLED = "/opt/roundsman/.venv/bin/roundsman"
GIVEN = {"SITE_ADDRESS": "plan.example.com", "POSTGRES_PASSWORD": "drawn"}


def test_the_unit_is_one_that_systemd_understands(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd is not installed")
    unit = tmp_path / UNIT.name
    text = UNIT.read_text(encoding="utf-8")
    assert INSTALLED in text
    unit.write_text(text.replace(INSTALLED, sys.executable), encoding="utf-8")
    checked = subprocess.run(  # noqa: S603 -- a tool of the machine on a file of ours
        [verify, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    about_ours = [line for line in checked.stderr.splitlines() if UNIT.name in line]
    assert about_ours == []
    assert checked.returncode == 0, checked.stderr


def test_the_settings_of_the_unit_are_settings() -> None:
    given = re.findall(r"^Environment=(ROUNDSMAN_\w+)=(.*)$", UNIT.read_text(), re.MULTILINE)
    assert str(load_settings(dict(given)).data) == "/var/lib/roundsman"


@pytest.fixture
def services() -> dict[str, Any]:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    for name, value in GIVEN.items():
        text = re.sub(rf"\$\{{{name}(:\?[^}}]*)?\}}", value, text)
    assert "${" not in text
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def test_the_settings_of_the_compose_file_are_settings(services: dict[str, Any]) -> None:
    environment = services["services"]["roundsman"]["environment"]
    settings = load_settings(environment)
    assert settings.base_url == "https://plan.example.com"
    assert settings.database_url == "postgresql://roundsman@database/roundsman"
    known = {f"{PREFIX}{setting.name.upper()}" for setting in fields(Settings)}
    assert set(environment) <= known | {"PGPASSWORD"}


def test_the_proxy_of_the_compose_file_is_on_the_network_that_is_trusted(
    services: dict[str, Any],
) -> None:
    (network,) = services["networks"]["default"]["ipam"]["config"]
    settings = load_settings(services["services"]["roundsman"]["environment"])
    assert [str(subnet) for subnet in settings.trusted_proxies] == [network["subnet"]]
    published = {name for name, one in services["services"].items() if "ports" in one}
    assert published == {"proxy"}


def test_every_volume_and_dependency_of_the_compose_file_exists(services: dict[str, Any]) -> None:
    named = {
        mount.partition(":")[0]
        for one in services["services"].values()
        for mount in one.get("volumes", ())
    }
    assert named == set(services["volumes"])
    for one in services["services"].values():
        assert set(one.get("depends_on", ())) <= set(services["services"])


def test_the_image_is_built_of_files_that_exist() -> None:
    copied = re.findall(r"^COPY (.*) \S+$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    for name in " ".join(copied).split():
        assert (DEPLOY.parent / name).exists(), name


def test_an_image_is_built_of_what_it_copies_and_of_no_secrets_or_caches() -> None:
    lines = (DEPLOY.parent / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    copied = re.findall(r"^COPY (.*) \S+$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert rules[0] == "*"
    assert {rule[1:] for rule in rules if rule.startswith("!")} == set(" ".join(copied).split())
    assert rules.index("**/__pycache__") > rules.index("!src")  # the last rule that fits counts
