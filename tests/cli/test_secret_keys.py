"""The key that secrets are sealed with, as an operator meets it."""

import os
import sqlite3
from pathlib import Path

import pytest
from tests.cli.running import organization, run, run_json

from roundsman.installation import make_tools, open_database
from roundsman.kit.encryption import is_signature
from roundsman.operations.evidence import get_evidence_key
from roundsman.operations.evidence_chain import sign_evidence
from roundsman.operations.secret_keys import seal_stored_secrets
from roundsman.settings import Settings
from roundsman.storage.evidence import find_evidence_key


def shown_secret(data: Path, slug: str) -> str:
    shown = run_json(data, "webhook", "secret", "show", "--organization", slug)
    return str(shown["webhookSecret"])


def stored_secret(data: Path) -> str:
    with sqlite3.connect(data / "roundsman.db") as database:
        (text,) = database.execute("SELECT webhook_secret FROM organizations").fetchone()
    database.close()
    return str(text)


def start(data: Path) -> None:
    settings = Settings(data=data)
    database = open_database(settings)
    try:
        seal_stored_secrets(make_tools(settings, database))
    finally:
        database.close()


@pytest.mark.spec("decisions §17")
def test_webhook_secrets_are_sealed_and_a_rotation_of_the_key_keeps_them(tmp_path: Path) -> None:
    made = run_json(tmp_path, "organization", "create", "Acme")
    slug, secret = made["organization"], made["webhookSecret"]
    run_json(tmp_path, "webhook", "secret", "rotate", "--organization", slug)
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
    before = stored_secret(tmp_path)
    assert before.startswith("sealed:")
    assert secret not in (tmp_path / "roundsman.db").read_bytes().decode("latin-1")
    old_key = (tmp_path / "secret.key").read_text(encoding="ascii").split()[0]
    rotated = run_json(tmp_path, "secrets", "rotate")
    assert rotated == {"secretsSealed": 2, "keyFile": str(tmp_path / "secret.key")}
    assert (tmp_path / "secret.key").read_text(encoding="ascii").split()[0] != old_key
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
    assert stored_secret(tmp_path) != before
    assert shown_secret(tmp_path, slug) == secret


def test_a_rotation_keeps_the_key_of_evidence_too(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    settings = Settings(data=tmp_path)
    database = open_database(settings)
    tools = make_tools(settings, database)
    public = get_evidence_key(tools, slug).public_key
    assert run_json(tmp_path, "secrets", "rotate")["secretsSealed"] == 2
    assert get_evidence_key(tools, slug).public_key == public
    with database.reading() as tx:
        key = find_evidence_key(tx, slug)
    assert key is not None
    signature = sign_evidence(tools, slug, key, b"data")  # with the new key: it was read again
    assert is_signature(public.encode(), signature, b"data")
    database.close()


def test_a_start_seals_what_the_version_before_left_in_the_clear(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    with sqlite3.connect(tmp_path / "roundsman.db") as database:
        database.execute("UPDATE organizations SET webhook_secret = 'in the clear'")
    database.close()
    assert shown_secret(tmp_path, slug) == "in the clear"
    start(tmp_path)
    assert stored_secret(tmp_path).startswith("sealed:")
    assert b"in the clear" not in (tmp_path / "roundsman.db").read_bytes()
    assert shown_secret(tmp_path, slug) == "in the clear"


def test_a_rotation_that_was_cut_short_is_ended_by_the_next_start(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    secret = shown_secret(tmp_path, slug)
    settings = Settings(data=tmp_path)
    database = open_database(settings)
    make_tools(settings, database).secret_box.add_key()  # and no more: killed
    database.close()
    before = stored_secret(tmp_path)
    assert shown_secret(tmp_path, slug) == secret
    start(tmp_path)
    assert stored_secret(tmp_path).split(":")[1] != before.split(":")[1]
    assert shown_secret(tmp_path, slug) == secret


@pytest.mark.spec("decisions §22")
@pytest.mark.parametrize(
    ("content", "mode", "says"),
    [(None, 0, "is missing"), ("", 0o600, "is empty"), ("as it is", 0o604, "by others")],
)
def test_a_key_file_that_cannot_be_used_stops_the_start_with_one_line(
    tmp_path: Path, content: str | None, mode: int, says: str
) -> None:
    organization(tmp_path)
    key = tmp_path / "secret.key"
    key.unlink()
    if content is not None:
        key.write_text(content, encoding="ascii")
        key.chmod(mode)
    for command in (("serve", "--port", "0"), ("worker",), ("secrets", "rotate")):
        refused = run(tmp_path, *command)
        assert refused.exit_code == 2
        assert says in refused.stderr
        assert refused.stderr.count("\n") == 1
    assert run(tmp_path, "organization", "list").exit_code == 0  # asks for no secret


def test_a_named_key_file_is_never_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "ROUNDSMAN_SECRET_KEY_FILE", str(tmp_path / "named.key"))
    refused = run(tmp_path, "organization", "create", "Acme")
    assert refused.exit_code == 2
    assert "named.key" in refused.stderr
    assert "ROUNDSMAN_SECRET_KEY_FILE" in refused.stderr
    assert not (tmp_path / "named.key").exists()


def test_another_key_than_the_one_that_sealed_is_refused(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    organization(elsewhere)
    (elsewhere / "secret.key").replace(tmp_path / "secret.key")
    refused = run(tmp_path, "serve", "--port", "0")
    assert refused.exit_code == 2
    assert "lacks the key" in refused.stderr
    assert run(tmp_path, "webhook", "secret", "show", "--organization", slug).exit_code == 2
