"""The files an operator copies: they parse, and every setting in them exists, with a good value."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.acceptance.test_main_job import serving
from tests.support import commands
from tests.support.commands import COMMAND

from roundsman.settings import PREFIX, Settings, load_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
WORKER_UNIT = DEPLOY / "roundsman-worker@.service"
UNITS = [DEPLOY / "roundsman.service", WORKER_UNIT]
INSTALLED = "/opt/roundsman/.venv/bin/roundsman"
GIVEN = {"SITE_ADDRESS": "plan.example.com", "POSTGRES_PASSWORD": "drawn"}


def text_of(unit: Path) -> str:
    """Return the unit as systemd reads it for the first of several processes."""
    return unit.read_text(encoding="utf-8").replace("%i", "1")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_unit_is_one_that_systemd_understands(tmp_path: Path, unit: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd is not installed")
    copy = tmp_path / unit.name.replace("@", "@1")
    text = text_of(unit)
    assert INSTALLED in text
    copy.write_text(text.replace(INSTALLED, sys.executable), encoding="utf-8")
    checked = subprocess.run(  # noqa: S603 -- a tool of the machine on a file of ours
        [verify, "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    about_ours = [line for line in checked.stderr.splitlines() if copy.name in line]
    assert about_ours == []
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_settings_of_the_unit_are_settings(unit: Path) -> None:
    given = re.findall(r"^Environment=(ROUNDSMAN_\w+)=(.*)$", text_of(unit), re.MULTILINE)
    settings = load_settings(dict(given))
    assert str(settings.data) == "/var/lib/roundsman"
    assert settings.worker_monitoring == (("127.0.0.1", 9101) if unit == WORKER_UNIT else None)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_command_of_the_unit_exists_and_is_not_tried_again_with_a_wrong_setting(
    tmp_path: Path, unit: Path
) -> None:
    (command,) = re.findall(rf"^ExecStart={INSTALLED} (.*)$", text_of(unit), re.MULTILINE)
    (left,) = re.findall(r"^RestartPreventExitStatus=(.*)$", text_of(unit), re.MULTILINE)
    ended = commands.run(
        [*COMMAND, *command.split(), "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "ROUNDSMAN_QUOTA_BYTES": "plenty"},
    )
    assert ended.returncode == int(left), ended.stderr
    assert "ROUNDSMAN_QUOTA_BYTES" in ended.stderr


def test_both_units_are_confined_alike() -> None:
    confined = [text_of(unit).partition("\n\nNoNewPrivileges=")[2] for unit in UNITS]
    assert confined[0] == confined[1] != ""


@pytest.fixture
def services() -> dict[str, Any]:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    for name, value in GIVEN.items():
        text = re.sub(rf"\$\{{{name}(:\?[^}}]*)?\}}", value, text)
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)  # what may be left out, with its default
    assert "${" not in text
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def test_the_settings_of_the_compose_file_are_settings(services: dict[str, Any]) -> None:
    known = {f"{PREFIX}{setting.name.upper()}" for setting in fields(Settings)}
    for name in ("roundsman", "worker"):
        environment = services["services"][name]["environment"]
        settings = load_settings(environment)
        assert settings.base_url == "https://plan.example.com"
        assert settings.database_url == "postgresql://roundsman@database/roundsman"
        assert settings.workers == 1
        assert set(environment) <= known | {"PGPASSWORD"}


def test_a_worker_has_the_service_s_data_and_answers_where_the_image_asks(
    services: dict[str, Any],
) -> None:
    service, worker = services["services"]["roundsman"], services["services"]["worker"]
    for shared in ("image", "volumes", "env_file", "cap_drop", "security_opt", "init"):
        assert worker[shared] == service[shared]
    monitored = load_settings(worker["environment"]).worker_monitoring
    asked = re.search(r"http://([\d.]+):(\d+)/healthz", dockerfile())
    assert asked is not None
    assert monitored == (asked[1], int(asked[2]))
    assert "build" not in worker
    assert worker["command"].split() == ["roundsman", "worker"]


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


def dockerfile() -> str:
    """Return the image's recipe, a line for each instruction."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    return re.sub(r"\\\n\s*", "", text)


def copied_files() -> list[str]:
    return " ".join(re.findall(r"^COPY (.*) \S+$", dockerfile(), re.MULTILINE)).split()


def test_the_image_is_built_of_files_that_exist() -> None:
    for name in copied_files():
        assert (DEPLOY.parent / name).exists(), name


def test_an_image_is_built_of_what_it_copies_and_of_no_secrets_or_caches() -> None:
    lines = (DEPLOY.parent / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert {rule[1:] for rule in rules if rule.startswith("!")} == set(copied_files())
    assert rules.index("**/__pycache__") > rules.index("!src")  # the last rule that fits counts


def test_what_is_copied_makes_the_package_with_the_built_applications(tmp_path: Path) -> None:
    context = tmp_path / "context"
    for name in copied_files():
        here, there = DEPLOY.parent / name, context / name
        there.parent.mkdir(parents=True, exist_ok=True)
        if here.is_dir():
            shutil.copytree(here, there, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(here, there)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=context, check=True, capture_output=True)  # noqa: S603 -- ours
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        packed = set(opened.namelist())
    built = [
        path.relative_to(DEPLOY.parent / "src").as_posix()
        for path in (DEPLOY.parent / "src" / "roundsman").glob("*/built/*")
    ]
    assert len(built) > 30
    assert packed >= set(built)


def test_every_extra_can_be_installed_in_the_image() -> None:
    extras = re.findall(r"requirements/(\w+)\.txt", "\n".join(copied_files()))
    described = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(extras) == {"run", *described["project"]["optional-dependencies"]}
    assert "ARG REQUIREMENTS=run\n" in dockerfile()


def test_the_health_check_of_the_image_finds_a_running_service_healthy(tmp_path: Path) -> None:
    found = re.search(r"^HEALTHCHECK .*?CMD (\[.*\])$", dockerfile(), re.MULTILINE)
    assert found is not None
    check = json.loads(found[1])
    assert check[:2] == ["python", "-c"]
    with serving(tmp_path, f"sqlite:///{tmp_path / 'roundsman.db'}") as address:
        program = check[2].replace("http://127.0.0.1:8000", address)
        assert program != check[2]
        assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0  # noqa: S603 -- ours
    away = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)  # noqa: S603 -- ours
    assert away.returncode == 1
