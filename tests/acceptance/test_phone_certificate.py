"""`roundsman tls make` and `serve --tls`: HTTPS on every address, without a setting."""

import json
import signal
import ssl
import stat
import subprocess
from pathlib import Path
from typing import Any

import httpx2 as httpx
from tests.acceptance.test_main_job import read_address
from tests.support import commands
from tests.support.commands import COMMAND, CommandProcess


def command(*arguments: str) -> list[str]:
    return [*COMMAND, *arguments]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return commands.run(command(*arguments), capture_output=True, text=True, check=False)


def make(data: Path, *arguments: str) -> Any:
    done = run("tls", "make", "--data", str(data), "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_certificate_is_made_once_and_renewed_on_request(tmp_path: Path) -> None:
    first = make(tmp_path, "--host", "plan.home")
    assert first["made"]
    assert {"localhost", "127.0.0.1", "::1", "plan.home"} <= set(first["names"])
    for name in ("certificate", "key", "authority"):
        assert stat.S_IMODE(Path(first[name]).stat().st_mode) == 0o600
    assert make(tmp_path) == {**first, "made": False}
    lacking = run("tls", "make", "--data", str(tmp_path), "--host", "other.home").stdout
    assert "does not name other.home: --renew" in lacking
    renewed = make(tmp_path, "--renew", "--host", "other.home")
    assert renewed["fingerprint"] != first["fingerprint"]
    assert "other.home" in renewed["names"]


def test_a_name_that_is_none_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    refused = run("tls", "make", "--data", str(tmp_path), "--host", "https://plan.home")
    assert refused.returncode == 2
    assert "must be a host name such as plan.local, or an IP address" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_server_without_a_certificate_says_how_to_make_one(tmp_path: Path) -> None:
    refused = run("serve", "--port", "0", "--tls", "--data", str(tmp_path))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.count("\n") == 1
    assert "make one with `roundsman tls make`" in refused.stderr


def test_a_client_with_the_authority_installed_is_served_under_the_name_that_is_said(
    tmp_path: Path,
) -> None:
    made = make(tmp_path)
    trusting = ssl.create_default_context(cafile=made["authority"])
    server = CommandProcess(
        command("serve", "--host", "::", "--port", "0", "--tls", "--data", str(tmp_path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        address = read_address(server)
        assert address.startswith("https://localhost:")
        with httpx.Client(verify=trusting) as phone:
            assert phone.get(f"{address}/healthz", timeout=30).json()["status"] == "alive"
            for host in ("127.0.0.1", "[::1]"):
                same = address.replace("localhost", host)
                assert phone.get(f"{same}/healthz", timeout=30).status_code == 200
    finally:
        server.send_signal(signal.SIGTERM)
        said, _ = server.communicate(timeout=60)
    assert "refused without HTTPS" not in said
    assert server.returncode == 0
