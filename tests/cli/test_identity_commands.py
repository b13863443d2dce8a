import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from tests.support.ports import free_port
from typer.testing import CliRunner

from roundsman.cli.main import app


def run(data: Path, *arguments: str) -> Any:
    return CliRunner().invoke(app, [*arguments, "--data", str(data)])


def told(data: Path, *arguments: str) -> Any:
    result = run(data, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.spec("decisions §11")
def test_an_organization_gets_credentials_that_rotate(tmp_path: Path) -> None:
    made = told(tmp_path, "organization", "create", "Acme Foods", "--timezone", "Europe/Berlin")
    assert set(made) == {"organization", "name", "timezone", "webhookSecret"}
    assert made["organization"].startswith("acme-foods-")
    create = ("credentials", "create", "--organization", made["organization"])
    key = told(tmp_path, *create, "--email", "dev@example.com")
    assert set(key) == {"clientId", "clientSecret", "organization"}
    rotated = told(tmp_path, "credentials", "rotate", "--client-id", key["clientId"])
    assert rotated["clientId"] == key["clientId"]
    assert rotated["clientSecret"] != key["clientSecret"]
    told(tmp_path, "credentials", "finish", "--client-id", key["clientId"])
    assert run(tmp_path, "credentials", "cancel", "--client-id", key["clientId"]).exit_code == 1


def test_a_wrong_time_zone_is_refused_by_the_name_of_its_option(tmp_path: Path) -> None:
    refused = run(tmp_path, "organization", "create", "Acme Foods", "--timezone", "Mars/Base")
    assert refused.exit_code == 2
    assert 'value for --timezone: "Mars/Base" is no time zone' in refused.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--effort", "FAST", "'FAST' is not one of 'QUICK', 'NORMAL', 'THOROUGH'."),
        ("--seconds", "-1", "must be at least 0.01"),
        ("--seconds", "601", "must be at most 600"),
        ("--seconds", "nan", "must be at most 600"),
        ("--seed", "x", "must be a valid integer"),
    ],
)
def test_a_value_that_cannot_be_taken_is_refused_in_plain_words(
    tmp_path: Path, option: str, value: str, said: str
) -> None:
    refused = CliRunner().invoke(app, ["plan", str(tmp_path / "day.csv"), option, value])
    assert refused.exit_code == 2
    assert f"Invalid value for '{option}': {said}" in refused.output
    assert "Input should" not in refused.output


def test_organizations_and_clients_are_listed_without_their_secrets(tmp_path: Path) -> None:
    acme = told(tmp_path, "organization", "create", "Acme Foods", "--timezone", "Europe/Berlin")
    other = told(tmp_path, "organization", "create", "Other")
    listed = run(tmp_path, "organization", "list", "--json")
    assert json.loads(listed.stdout)["organizations"] == [
        {"organization": made["organization"], "name": made["name"], "timezone": made["timezone"]}
        for made in (acme, other)
    ]
    of_acme = ("--organization", acme["organization"])
    keys = [told(tmp_path, "credentials", "create", *of_acme, "--email", e) for e in ("a@x", "b@x")]
    told(tmp_path, "credentials", "rotate", "--client-id", keys[1]["clientId"])
    clients = told(tmp_path, "credentials", "list", *of_acme)["clients"]
    shown = [(one["clientId"], one["email"], one["rotation"]) for one in clients]
    assert shown == [
        (keys[0]["clientId"], "a@x", "none"),
        (keys[1]["clientId"], "b@x", "under way"),
    ]
    in_words = run(tmp_path, "credentials", "list", *of_acme).stdout
    assert in_words.splitlines()[0].split("  ")[0] == "CLIENT ID"
    assert in_words.splitlines()[2].startswith(f"{keys[1]['clientId']}  b@x    20")
    for text in (listed.stdout, in_words, json.dumps(clients)):
        assert not [key for key in keys if key["clientSecret"] in text]
        assert acme["webhookSecret"] not in text
    none = run(tmp_path, "credentials", "list", "--organization", other["organization"])
    assert none.stdout == "no clients\n"


def test_credentials_are_deleted_for_good_and_can_be_found_by_scanners(tmp_path: Path) -> None:
    slug = told(tmp_path, "organization", "create", "Acme Foods")["organization"]
    of_acme = ("--organization", slug)
    key = told(tmp_path, "credentials", "create", *of_acme, "--email", "a@x")
    assert re.fullmatch(r"rmsec_[A-Za-z0-9_-]{43}", key["clientSecret"])
    client = ("--client-id", key["clientId"])
    gone = told(tmp_path, "credentials", "delete", *client)
    assert gone == {"clientId": key["clientId"], "deleted": True}
    assert run(tmp_path, "credentials", "delete", *client).exit_code == 1
    for verb in ("rotate", "finish", "cancel"):
        unknown = run(tmp_path, "credentials", verb, *client)
        assert unknown.exit_code == 1
        assert f'client "{key["clientId"]}" not found' in unknown.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("credentials", "create", "--organization", "acme-1a2b", "--email", "a@b.c"),
        ("credentials", "list", "--organization", "acme-1a2b"),
        ("credentials", "rotate", "--client-id", "x"),
        ("organization", "list"),
        ("vehicle", "add", "--organization", "acme-1a2b", "--name", "Van"),
        ("driver", "activate", "drv-1"),
        ("webhook", "list", "--organization", "acme-1a2b"),
    ],
)
def test_a_mistyped_folder_is_told_and_not_made(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    result = run(tmp_path / "typo", *arguments)
    assert result.exit_code == 1
    assert f"no installation in {tmp_path / 'typo'}; name its folder" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "typo").exists()


def test_a_mistyped_file_of_a_url_is_told_and_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDSMAN_DATABASE_URL", f"sqlite:///{tmp_path / 'typo.db'}")
    result = run(tmp_path, "organization", "list")
    assert (result.exit_code, list(tmp_path.iterdir())) == (1, [])
    file = tmp_path / "typo.db"
    assert result.stderr == (
        f"roundsman: there is no database {file}; ROUNDSMAN_DATABASE_URL names it\n"
    )


@pytest.mark.spec("decisions §13")
def test_credentials_are_made_with_the_scopes_that_are_named(tmp_path: Path) -> None:
    made = told(tmp_path, "organization", "create", "Acme Foods")
    of_acme = ("--organization", made["organization"], "--email", "a@x")
    told(tmp_path, "credentials", "create", *of_acme)
    told(tmp_path, "credentials", "create", *of_acme, "--scope", "dispatch", "--scope", "READ")
    clients = told(tmp_path, "credentials", "list", *of_acme[:2])["clients"]
    assert {one["scopes"] for one in clients} == {"READ WRITE DISPATCH SETTINGS", "READ DISPATCH"}
    refused = run(tmp_path, "credentials", "create", *of_acme, "--scope", "ALL")
    assert refused.exit_code == 2
    assert 'must be one of READ, WRITE, DISPATCH, SETTINGS, not "ALL"' in " ".join(
        refused.output.split()
    )


def test_names_cannot_move_the_cursor(tmp_path: Path) -> None:
    told(tmp_path, "organization", "create", "Evil\x1b]0;title\x07\nTwo")
    _, line = run(tmp_path, "organization", "list").stdout.splitlines()
    assert line.endswith("Evil ]0;title  Two  UTC")


WITH_EMAIL = ("credentials", "create", "--organization", "acme", "--email", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("organization", "create", "A", "--timezone", "Mars"), "no time zone"),
        (("organization", "create", " "), "name must not be empty"),
        (("organization", "create", "x" * 1_501), "name must have at most 1500 characters"),
        (
            ("credentials", "create", "--organization", "nobody", "--email", "a@b.c"),
            'organization "nobody" not found',
        ),
        (("credentials", "rotate", "--client-id", "x"), 'client "x" not found'),
        (("member", "reset-password", "nope"), "email must be an e-mail address"),
        (("member", "reset-second-factor", ""), "email must be an e-mail address"),
        (WITH_EMAIL, "email must be an e-mail address"),
        ((*WITH_EMAIL[:-1], "not an email"), "email must be an e-mail address"),
        ((*WITH_EMAIL[:-1], f"{'x' * 250}@b.co"), "email must have at most 254 characters"),
    ],
)
def test_a_wrong_value_is_told_in_words(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    told(tmp_path, "organization", "create", "Acme")
    result = run(tmp_path, *arguments)
    assert result.exit_code != 0
    assert message in " ".join(result.output.replace("│", " ").split())


@pytest.mark.spec("decisions §11")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROUNDSMAN_DATABASE_URL", "mysql://x"),
        ("ROUNDSMAN_ROADS", "teleport"),
        ("ROUNDSMAN_TRUSTED_PROXIES", "here"),
        ("ROUNDSMAN_BASE_URL", "example"),
        ("ROUNDSMAN_CONFIG", "/nowhere/roundsman.toml"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_line_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    result = run(tmp_path, "organization", "create", "A")
    assert result.exit_code == 2
    (line,) = result.stderr.strip().splitlines()
    assert name in line


@pytest.mark.spec("decisions §12")
def test_the_demo_is_made_once(tmp_path: Path) -> None:
    first = run(tmp_path, "demo")
    assert first.exit_code == 0
    assert "curl" in first.stdout
    second = run(tmp_path, "demo")
    assert second.exit_code == 0
    assert "is here already" in second.stdout


def test_the_demo_comes_up_where_neither_geocoder_nor_roads_know_its_region(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = f"http://127.0.0.1:{free_port()}"
    monkeypatch.setenv("ROUNDSMAN_GEOCODER", f"nominatim:{nobody}")
    monkeypatch.setenv("ROUNDSMAN_ROADS", f"osrm:{nobody}")
    made = run(tmp_path, "demo")
    assert made.exit_code == 0, made.output
    assert "See the demo route" in made.stdout


@pytest.mark.spec("decisions §12")
def test_a_demo_that_was_interrupted_is_made_again(tmp_path: Path) -> None:
    # What an interruption leaves: the organization, and no credentials yet.
    half = told(tmp_path, "organization", "create", "Roundsman Demo")["organization"]
    made = run(tmp_path, "demo")
    assert made.exit_code == 0
    assert "Client secret" in made.stdout
    assert half not in made.stdout
    assert "is here already" in run(tmp_path, "demo").stdout


def test_a_database_host_that_is_silent_ends_a_command_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        url = f"postgresql://x@127.0.0.1:{port}/x?connect_timeout=2"
        monkeypatch.setenv("ROUNDSMAN_DATABASE_URL", url)
        result = run(tmp_path, "organization", "list")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert "ROUNDSMAN_DATABASE_URL" in line
    assert "connection timeout expired; check host and port" in line
