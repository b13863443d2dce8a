import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.acceptance.test_main_job import read_address


@pytest.mark.spec("decisions §11")
def test_a_server_warns_of_variables_that_nobody_reads(tmp_path: Path) -> None:
    misspelt = {"ROUNDSMAN_WORKRES": "4", "ROUNDSMAN_TOKEN": "a secret"}
    known = {"ROUNDSMAN_CONFIG": "", "ROUNDSMAN_WORKERS": "1", "ROUNDSMAN_DATA": str(tmp_path)}
    inherited = {name: text for name, text in os.environ.items() if "ROUNDSMAN_" not in name}
    with subprocess.Popen(
        [sys.executable, "-m", "roundsman", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**inherited, **misspelt, **known},
    ) as server:
        try:
            read_address(server)
        finally:
            server.terminate()
        _, logged = server.communicate(timeout=60)
    (line,) = [one for one in map(json.loads, logged.splitlines()) if "names" in one]
    assert (line["event"], line["level"]) == ("settings_unknown", "warning")
    assert line["names"] == ["ROUNDSMAN_TOKEN", "ROUNDSMAN_WORKRES"]
    assert "a secret" not in logged
