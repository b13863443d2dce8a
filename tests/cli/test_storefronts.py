"""Storefronts on the command line: secrets by standard input or file, a visit, what is reported."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.running import organization, run, run_json
from tests.storefronts.test_medusa import Shop
from tests.storefronts.web_shop import serve
from typer.testing import CliRunner

from roundsman.cli.main import app
from roundsman.installation import make_tools, open_database
from roundsman.operations.storefront_access import open_secrets
from roundsman.settings import load_settings
from roundsman.storage.storefronts import select_storefronts

UNKNOWN = "sfc-00000000-0000-4000-8000-000000000000"


@pytest.fixture(autouse=True)
def _allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDSMAN_WEBHOOK_ALLOW", "127.0.0.0/8")


def connect(
    data: Path,
    slug: str,
    platform: str,
    given: str,
    *more: str,
    address: str = "http://127.0.0.1:9",
) -> Any:
    arguments = ["storefront", "connect", platform, "--organization", slug]
    arguments += ["--address", address, *more, "--json", "--data", str(data)]
    return CliRunner().invoke(app, arguments, input=given)


def secrets(data: Path, slug: str) -> list[dict[str, str]]:
    database = open_database(load_settings({}, data=str(data)))
    tools = make_tools(load_settings({}, data=str(data)), database)
    with database.reading() as tx:
        found = [open_secrets(tools, one).credentials for one in select_storefronts(tx, slug)]
    tools.close()
    database.close()
    return found


@pytest.mark.spec("decisions §20")
@pytest.mark.parametrize(
    ("platform", "given", "kept"),
    [
        (
            "woocommerce",
            "ck_12345678\ncs_12345678\nhook-12345678\n",
            {
                "consumerKey": "ck_12345678",
                "consumerSecret": "cs_12345678",
                "hookSecret": "hook-12345678",
            },
        ),
        ("medusa", "sk_12345678\n", {"apiKey": "sk_12345678"}),
        (
            "SHOPIFY",
            "id-12345678\nsecret-12345678\n",
            {"clientId": "id-12345678", "clientSecret": "secret-12345678"},
        ),
        ("shopify", "accessToken=shpat_12345678\n", {"accessToken": "shpat_12345678"}),
    ],
)
def test_secrets_come_one_a_line_and_never_out(
    tmp_path: Path, platform: str, given: str, kept: dict[str, str]
) -> None:
    slug = organization(tmp_path)
    done = connect(tmp_path, slug, platform, given)
    shown = json.loads(done.stdout)
    assert shown["id"].startswith("sfc-")
    assert secrets(tmp_path, slug) == [kept]
    for secret in kept.values():
        assert secret not in done.output
    assert set(shown["credentials"]) == set(kept)


def test_secrets_come_from_a_file(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    file = tmp_path / "secrets.txt"
    file.write_text("sk_12345678\nhook-12345678\n", encoding="utf-8")
    connect(tmp_path, slug, "vendure", "", "--secrets-file", str(file))
    assert secrets(tmp_path, slug) == [{"apiKey": "sk_12345678", "hookSecret": "hook-12345678"}]
    missing = connect(tmp_path, slug, "vendure", "", "--secrets-file", str(tmp_path / "none"))
    assert missing.exit_code == 2


def test_what_is_wrong_is_said_in_one_line(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    refused = connect(tmp_path, slug, "medusa", "")
    assert refused.exit_code == 1
    assert refused.output == "roundsman: credentials.apiKey is required\n"
    assert connect(tmp_path, slug, "ebay", "x").exit_code == 2
    for command in ("check", "sync", "pause", "resume", "disconnect", "reports", "credentials"):
        answer = run(tmp_path, "storefront", command, UNKNOWN)
        assert (answer.exit_code, answer.output) == (1, "roundsman: storefront not found\n")
    unknown = run(tmp_path, "storefront", "explain", "1001", "--organization", slug)
    assert unknown.output == "roundsman: no connected storefront has such an order now\n"


@pytest.mark.spec("decisions §20")
def test_other_credentials_are_taken_where_the_shop_accepts_them(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    with serve(Shop().answer) as address:
        made = connect(tmp_path, slug, "medusa", "sk_wrong1234\nhook-12345678\n", address=address)
        id_ = json.loads(made.stdout)["id"]
        assert json.loads(made.stdout)["state"] == "REFUSED"
        before = secrets(tmp_path, slug)
        command = ["storefront", "credentials", id_, "--data", str(tmp_path)]
        refused = CliRunner().invoke(app, command, input="sk_other1234\n")
        assert refused.exit_code == 1
        assert "does not accept these credentials; those before stay" in refused.output
        assert "sk_other1234" not in refused.output
        assert secrets(tmp_path, slug) == before
        file = tmp_path / "secrets.txt"
        file.write_text("sk_good\n", encoding="utf-8")
        taken = run(tmp_path, "storefront", "credentials", id_, "--secrets-file", str(file))
        assert taken.exit_code == 0, taken.output
        assert "ACTIVE" in taken.output
        assert "sk_good" not in taken.output
    assert secrets(tmp_path, slug) == [{"apiKey": "sk_good", "hookSecret": "hook-12345678"}]


@pytest.mark.spec("decisions §20")
def test_a_shop_is_listed_paused_resumed_and_disconnected(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    made = json.loads(connect(tmp_path, slug, "medusa", "sk_12345678\n").stdout)
    listed = run_json(tmp_path, "storefront", "list", "--organization", slug)
    assert [one["id"] for one in listed["storefronts"]] == [made["id"]]
    assert made["id"] in run(tmp_path, "storefront", "list", "--organization", slug).stdout
    (one,) = run_json(tmp_path, "storefront", "list")["storefronts"]
    assert (one["organization"], one["id"]) == (slug, made["id"])
    heading, line = run(tmp_path, "storefront", "list").stdout.splitlines()
    assert (heading.split()[0], line.split()[0]) == ("ORGANIZATION", slug)
    assert run_json(tmp_path, "storefront", "resume", made["id"])["state"] == "ACTIVE"
    assert run_json(tmp_path, "storefront", "pause", made["id"])["state"] == "PAUSED"
    paused = run(tmp_path, "storefront", "sync", made["id"])
    assert (paused.exit_code, "resume it first" in paused.output) == (1, True)
    assert run_json(tmp_path, "storefront", "reports", made["id"]) == {"reports": []}
    assert run_json(tmp_path, "storefront", "reports", made["id"], "--retry") == {"reports": []}
    assert run(tmp_path, "storefront", "disconnect", made["id"]).exit_code == 0
    assert run_json(tmp_path, "storefront", "list", "--organization", slug) == {"storefronts": []}
