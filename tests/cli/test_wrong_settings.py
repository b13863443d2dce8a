"""What a command says of a setting that cannot be used: one line, its cause, and no password."""

import os
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.support.ports import free_port

SECRET = "s3cr3t"


def with_a_port(address: str) -> str:
    """Return an address at which nobody listens where it names none."""
    return address.replace("NOBODY", str(free_port()))


@pytest.mark.parametrize(
    ("address", "exit_code", "right"),
    [
        (f"postgresql://a:{SECRET}@127.0.0.1:82x9/roundsman", 2, "from 1 to 65535 as its port"),
        (f"postgresql://a:{SECRET}@127.0.0.1/roundsman?foo=bar", 2, 'option "foo"'),
        (f"postgresql://a:{SECRET}@127.0.0.1/x?sslmode=verify-ful", 2, "verify-full"),
        (f"postgresql://a:{SECRET[:3]}@{SECRET[3:]}@127.0.0.1/x", 2, "write @ as %40"),
        (f"mysql://a:{SECRET}@127.0.0.1/x", 2, "postgresql://USER:PASSWORD@HOST:5432/NAME"),
        (f"postgresql://a:{SECRET}@127.0.0.1:NOBODY/x", 1, "Connection refused; check"),
        ("sqlite:////nonexistent/dir/a.db", 1, "there is no folder /nonexistent/dir; make it"),
    ],
)
def test_a_wrong_database_is_told_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    exit_code: int,
    right: str,
) -> None:
    monkeypatch.setitem(os.environ, "ROUNDSMAN_DATABASE_URL", with_a_port(address))
    refused = run(tmp_path, "organization", "create", "Acme")
    assert (refused.exit_code, refused.stderr.count("\n")) == (exit_code, 1)
    assert right in refused.stderr
    assert "ROUNDSMAN_DATABASE_URL" in refused.stderr
    for part in (SECRET[:3], SECRET[3:]):
        assert part not in refused.stderr


@pytest.mark.parametrize(
    ("address", "exit_code", "right"),
    [
        (f"postgresql://a:{SECRET}@127.0.0.1:82x9/roundsman", 2, "65535 as its port"),
        (f"postgresql://a:{SECRET}@127.0.0.1/roundsman?foo=bar", 2, 'option "foo"'),
        (f"postgresql://a:{SECRET}@127.0.0.1:NOBODY/x", 1, "the target cannot be used: "),
    ],
)
def test_a_copy_into_a_wrong_database_is_told_why(
    tmp_path: Path, address: str, exit_code: int, right: str
) -> None:
    assert run(tmp_path, "organization", "create", "Acme").exit_code == 0
    refused = run(tmp_path, "database", "copy", "--to", with_a_port(address))
    assert refused.exit_code == exit_code
    assert right in " ".join(refused.stderr.replace("│", "").split())
    assert SECRET not in refused.stderr


@pytest.mark.parametrize(
    ("content", "right"),
    [
        ('base_url = "https://münchen.example"'.encode("latin-1"), "must be saved as UTF-8"),
        ("workers = 1".encode("utf-16"), "must be saved as UTF-8"),
        (b"workers = ", "cannot be read"),
        (b"workers = 2.5", 'ROUNDSMAN_WORKERS is "2.5" but must be a whole number from 1 to'),
        (b"allow_fsync_off = [true]", "ROUNDSMAN_ALLOW_FSYNC_OFF must be a text"),
    ],
)
def test_a_wrong_file_of_settings_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, right: str
) -> None:
    file = tmp_path / "roundsman.toml"
    file.write_bytes(content)
    monkeypatch.setitem(os.environ, "ROUNDSMAN_CONFIG", str(file))
    refused = run(tmp_path, "organization", "create", "Acme")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert right in refused.stderr
