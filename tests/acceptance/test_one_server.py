"""Two servers on one SQLite folder, and folders that cannot be used: one line, and what is true."""

import os
import pwd
from pathlib import Path

import httpx2 as httpx
import pytest
from tests.acceptance.test_main_job import roundsman, serving
from tests.support import commands
from tests.support.commands import COMMAND

from roundsman.domain.errors import Unavailable
from roundsman.storage.private_files import require_usable


def refused(*arguments: str) -> str:
    done = commands.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.spec("decisions §11")
def test_a_second_server_on_the_same_folder_is_refused_and_commands_are_not(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data, "") as address:
        line = refused("serve", "--port", "0", "--data", str(data))
        assert "another server works on" in line
        made = roundsman(data, "", "organization", "create", "Acme")
        assert made["organization"].startswith("acme-")
        assert httpx.get(f"{address}/readyz").status_code == 200
    with serving(data, "") as address:
        assert httpx.get(f"{address}/readyz").status_code == 200


def test_a_folder_that_cannot_be_made_is_told_with_its_cause(tmp_path: Path) -> None:
    del tmp_path
    line = refused("organization", "create", "Acme", "--data", "/proc/roundsman/data")
    assert line.endswith("the folder cannot be made: no such file or directory")
    assert "/proc/roundsman/data" in line


def test_what_may_not_be_written_is_named(tmp_path: Path) -> None:
    folder, file = tmp_path / "data", tmp_path / "data" / "roundsman.db"
    folder.mkdir()
    file.touch()
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents:
        if parent.stat().st_uid == os.geteuid() and not parent.stat().st_mode & 0o001:
            parent.chmod(0o755)
    own = os.geteuid()
    stranger = pwd.getpwnam("nobody").pw_uid if own == 0 else own
    for path, mode in ((file, 0o444), (folder, 0o555)):
        file.chmod(0o666)
        folder.chmod(0o777)
        path.chmod(mode)
        os.seteuid(stranger)
        try:
            with pytest.raises(Unavailable, match=f"{path} may not be written to"):
                require_usable(file)
        finally:
            os.seteuid(own)
    folder.chmod(0o755)
