"""Run a program against a service of its own: new data in a temporary folder, on SQLite.

    python with_service.py COMMAND…

The program finds `ROUNDSMAN_URL`, `ROUNDSMAN_CLIENT_ID`, `ROUNDSMAN_CLIENT_SECRET` and
`ROUNDSMAN_WEBHOOK_SECRET` in its environment; the exit code is the program's.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROUNDSMAN = [sys.executable, "-m", "roundsman"]


def make(data: str, *command: str) -> Any:
    """Run a command that makes something, and return what it says of it."""
    done = subprocess.run(  # noqa: S603 -- ours
        [*ROUNDSMAN, *command, "--data", data, "--json"], check=True, stdout=subprocess.PIPE
    )
    return json.loads(done.stdout)


def read_address(service: subprocess.Popen[str]) -> str:
    """Return where a service says that it listens."""
    for line in service.stdout or ():
        if line.startswith("listening on "):
            return line.removeprefix("listening on ").strip()
    sys.exit("the service did not start")


def run(program: list[str]) -> int:
    """Start a service, run a program, stop the service."""
    with tempfile.TemporaryDirectory() as data:
        made = make(data, "organization", "create", "Acme Foods")
        owner = ("--organization", made["organization"], "--email", "programs@example.com")
        key = make(data, "credentials", "create", *owner)
        with (Path(data) / "server.log").open("w") as log:
            service = subprocess.Popen(  # noqa: S603 -- ours
                [*ROUNDSMAN, "serve", "--port", "0", "--data", data],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                # Receivers of webhooks on this machine are refused without it.
                env={**os.environ, "ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8"},
            )
        try:
            where = {
                "ROUNDSMAN_URL": read_address(service),
                "ROUNDSMAN_CLIENT_ID": key["clientId"],
                "ROUNDSMAN_CLIENT_SECRET": key["clientSecret"],
                "ROUNDSMAN_WEBHOOK_SECRET": made["webhookSecret"],
            }
            return subprocess.run(program, check=False, env={**os.environ, **where}).returncode  # noqa: S603 -- what the user typed
        finally:
            service.terminate()
            service.communicate(timeout=60)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
