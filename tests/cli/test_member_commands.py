"""Members on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from roundsman.cli.main import app

pytestmark = pytest.mark.spec("decisions §13")


def run(data: Path, *arguments: str) -> Any:
    return CliRunner().invoke(app, [*arguments, "--data", str(data)])


def shown(data: Path, *arguments: str) -> Any:
    result = run(data, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def acme(tmp_path: Path) -> str:
    return str(shown(tmp_path, "organization", "create", "Acme")["organization"])


def test_members_are_invited_listed_and_let_in_or_not(tmp_path: Path, acme: str) -> None:
    of = ("--organization", acme)
    made = shown(tmp_path, "member", "invite", *of, "--email", "ann@example.com")
    assert set(made) == {"member", "inviteUrl"}
    assert (made["member"]["role"], made["member"]["status"]) == ("PLANNER", "INVITED")
    assert made["inviteUrl"].startswith("http://127.0.0.1:8000/members/invite/")
    owner = shown(
        tmp_path, "member", "invite", *of, "--email", "b@x.com", "--name", "B", "--role", "owner"
    )
    assert owner["member"]["role"] == "OWNER"
    listed = shown(tmp_path, "member", "list", *of)["members"]
    assert [one["email"] for one in listed] == ["ann@example.com", "b@x.com"]
    id_ = made["member"]["id"]
    assert shown(tmp_path, "member", "deactivate", id_)["status"] == "DEACTIVATED"
    assert shown(tmp_path, "member", "activate", id_)["status"] == "INVITED"
    in_words = run(tmp_path, "member", "list", *of).stdout
    assert in_words.splitlines()[0].split() == ["ID", "STATUS", "ROLE", "EMAIL", "NAME"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["invite", "--email", "ann@example.com", "--role", "ADMIN"], 2, "OWNER, PLANNER, VIEWER"),
        (["invite", "--email", "no address"], 1, "email"),
        (["reset-password", "nobody@example.com"], 1, "nobody@example.com"),
        (["deactivate", "mem-nothing"], 1, "member not found"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    tmp_path: Path, acme: str, arguments: list[str], code: int, said: str
) -> None:
    of = ["--organization", acme] if arguments[0] == "invite" else []
    refused = run(tmp_path, "member", *arguments, *of)
    assert refused.exit_code == code
    assert said in refused.output
    assert "Traceback" not in refused.output
