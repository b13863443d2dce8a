"""The client for TypeScript as it is built: the main job over answers that are lost."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from scripts.clients import ROOT
from tests.acceptance.test_main_job import roundsman, serving

pytestmark = pytest.mark.spec("decisions §19")

SDK = ROOT / "sdk" / "typescript"
COMPILER = ROOT / "web" / "node_modules" / ".bin" / "tsc"


def test_the_main_job_over_answers_that_are_lost(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    made = roundsman(tmp_path, url, "organization", "create", "Acme Foods")
    owner = ("--organization", made["organization"], "--email", "dev@example.com")
    key = roundsman(tmp_path, url, "credentials", "create", *owner)
    program = Path(__file__).with_name("main_job.mjs")
    with serving(tmp_path, url) as service:
        done = subprocess.run(  # noqa: S603 -- ours
            [node, str(program), service, key["clientId"], key["clientSecret"]],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["imported"], said["optimized"], said["made"]) == (250, True, 20)
    assert said["unrouted"] == 200
    assert said["lost"] >= 4
    topics = said["topics"]
    assert (topics["IMPORTED_STOP_CREATED"], topics["ROUTE_CREATED"]) == (250, 21)
    assert topics["ROUTE_DISPATCHED"] == 1
    assert "colour" in said["fields"]
    assert (said["topic"], said["refused"]) == ("TEST", [True, True, True])


def test_what_is_built_is_current(tmp_path: Path) -> None:
    if not COMPILER.is_file():
        pytest.skip("the compiler is not installed; run make web")
    subprocess.run(  # noqa: S603 -- ours
        [str(COMPILER), "-p", str(SDK), "--outDir", str(tmp_path)], check=True
    )
    built = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert built == {path.name: path.read_text() for path in (SDK / "dist").iterdir()}
