"""The nodes for n8n: their topics are the interface's, and where they are built they do their job.

`make sdk/n8n/dist` builds them; without that the main job is skipped. A small host calls them here;
`test_n8n_that_runs.py` has them in n8n itself.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from scripts.clients import ROOT, SOURCE
from tests.acceptance.test_main_job import roundsman, serving

pytestmark = pytest.mark.spec("decisions §19")

FOLDER = ROOT / "sdk" / "n8n"
IS_BUILT = (FOLDER / "dist").is_dir() and (FOLDER / "node_modules" / "n8n-workflow").is_dir()


def test_the_trigger_offers_every_topic() -> None:
    described = json.loads(SOURCE.read_text(encoding="utf-8"))
    trigger = (FOLDER / "nodes" / "RoundsmanTrigger.node.ts").read_text(encoding="utf-8")
    _, _, after = trigger.partition("const TOPICS = [")
    offered = re.findall(r'"([A-Z_]+)"', after.partition("]")[0])
    assert sorted(offered) == sorted(described["components"]["schemas"]["TopicInput"]["enum"])


@pytest.mark.skipif(not IS_BUILT, reason="make sdk/n8n/dist has not been run")
def test_the_main_job_through_the_nodes(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    made = roundsman(tmp_path, url, "organization", "create", "Acme Foods")
    owner = ("--organization", made["organization"], "--email", "n8n@example.com")
    key = roundsman(tmp_path, url, "credentials", "create", *owner)
    with serving(tmp_path, url, ROUNDSMAN_WEBHOOK_ALLOW="127.0.0.0/8") as service:
        done = subprocess.run(  # noqa: S603 -- ours
            [node, "--test", "test.cjs"],
            cwd=FOLDER,
            env={
                **os.environ,
                "ROUNDSMAN_URL": service,
                "ROUNDSMAN_CLIENT_ID": key["clientId"],
                "ROUNDSMAN_CLIENT_SECRET": key["clientSecret"],
                "ROUNDSMAN_WEBHOOK_SECRET": made["webhookSecret"],
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout
