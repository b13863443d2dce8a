import json
import os
import pty
import subprocess
from pathlib import Path

import pytest
from tests.cli.running import organization, run, run_json
from tests.support.commands import COMMAND

pytestmark = pytest.mark.spec("decisions §17")


def listed(data: Path) -> list[str]:
    found = run_json(data, "organization", "list")["organizations"]
    return [one["organization"] for one in found]


def test_an_organization_is_erased_when_its_name_is_given_twice(tmp_path: Path) -> None:
    slug, other = organization(tmp_path), organization(tmp_path)
    for wrong in ((), ("--yes", other), ("--yes", slug[:-1])):
        refused = run(tmp_path, "organization", "erase", slug, *wrong)
        assert refused.exit_code == 2, refused.output
    assert listed(tmp_path) == [slug, other]
    receipt = run_json(tmp_path, "organization", "erase", slug, "--yes", slug)
    assert receipt["organization"] == slug
    assert receipt["erasedAt"] >= receipt["begunAt"]
    assert receipt["tables"]["organizations"] == 1
    assert receipt["rows"] == sum(receipt["tables"].values())
    assert listed(tmp_path) == [other]
    assert slug.encode() not in (tmp_path / "roundsman.db").read_bytes()
    again = run(tmp_path, "organization", "erase", slug, "--yes", slug)
    assert json.dumps(receipt["rows"]) in again.stdout
    unknown = run(tmp_path, "organization", "erase", "nobody", "--yes", "nobody")
    assert unknown.exit_code == 1


def at_a_terminal(data: Path, slug: str, typed: str) -> subprocess.CompletedProcess[str]:
    """Run the command as somebody does who types at a terminal."""
    ours, its = pty.openpty()
    try:
        os.write(ours, f"{typed}\n".encode())
        return subprocess.run(  # noqa: S603 -- our own command
            [*COMMAND, "organization", "erase", slug, "--data", str(data)],
            stdin=its,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(its)


def test_whoever_sits_at_a_terminal_is_asked(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    refused = at_a_terminal(tmp_path, slug, "no")
    assert refused.returncode == 2
    assert "nothing was erased" in refused.stderr
    assert listed(tmp_path) == [slug]
    done = at_a_terminal(tmp_path, slug, slug)
    assert done.returncode == 0, done.stderr
    assert "once more" in done.stderr
    assert listed(tmp_path) == []
