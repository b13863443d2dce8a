"""The integration in examples/zapier, in Zapier's own runner against a running service.

`npm install` in `examples/zapier` installs the runner; without it the test is skipped.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from scripts.clients import ROOT
from tests.acceptance.test_main_job import roundsman, serving

FOLDER = ROOT / "examples" / "zapier"
IS_INSTALLED = (FOLDER / "node_modules" / "zapier-platform-core").is_dir()


@pytest.mark.spec("decisions §19")
@pytest.mark.skipif(not IS_INSTALLED, reason="npm install in examples/zapier has not been run")
def test_a_zap_is_subscribed_started_and_imports_a_stop_once(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    made = roundsman(tmp_path, url, "organization", "create", "Acme Foods")
    owner = ("--organization", made["organization"], "--email", "zapier@example.com")
    key = roundsman(tmp_path, url, "credentials", "create", *owner)
    with serving(tmp_path, url) as service:
        done = subprocess.run(  # noqa: S603 -- ours
            [node, "--test", "test.js"],
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
