"""A backup that cannot be written says so in one line, and leaves no file."""

from pathlib import Path

import pytest
from tests.acceptance.small_disk import small_disk
from tests.cli.running import organization, run, run_json
from tests.support import commands
from tests.support.commands import COMMAND


def test_a_backup_is_for_its_owner_alone(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "backup.db"
    organization(data)
    assert run_json(data, "backup", str(file))["bytes"] == file.stat().st_size
    assert file.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in tmp_path.iterdir() if one != data] == ["backup.db"]


def test_a_disk_without_room_is_named_and_no_file_is_left(tmp_path: Path) -> None:
    data = tmp_path / "data"
    organization(data)
    with small_disk(tmp_path / "disk", 1) as disk:
        disk.fill()
        full = disk.folder / "backup.db"
        refused = run(data, "backup", str(full))
        assert [one.name for one in disk.folder.iterdir()] == ["filler"]
    assert refused.exit_code == 1
    assert refused.stderr == f"roundsman: {full} cannot be written: no space left on device\n"


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("/proc/backup.db", "no such file or directory"),
        (f"/tmp/{'x' * 300}.db", "file name too long"),  # noqa: S108 -- nothing is made there
    ],
)
def test_a_place_where_no_file_can_be_made_is_named(tmp_path: Path, file: str, why: str) -> None:
    organization(tmp_path)
    refused = run(tmp_path, "backup", file)
    assert refused.exit_code == 1
    if file.startswith("/proc") and "no folder" in refused.stderr:
        return  # who is not root may not even try
    assert refused.stderr == f"roundsman: {file} cannot be written: {why}\n"


def test_a_damaged_database_is_not_called_a_full_disk(tmp_path: Path) -> None:
    data = tmp_path / "data"
    organization(data)
    file = data / "roundsman.db"
    content = bytearray(file.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 8192] = b"\xff" * 8192
    file.write_bytes(content)
    refused = run(data, "backup", str(tmp_path / "backup.db"))
    assert refused.exit_code == 1
    assert "damaged" in refused.stderr
    assert not (tmp_path / "backup.db").exists()


def test_a_plan_of_vans_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "stops.csv").write_text("name,latitude,longitude\nA,39.3,-76.6\n")
    said = ["--vehicles", "1", "--start", "39.29,-76.61", "--effort", "QUICK"]
    refused = commands.run(
        [*COMMAND, "plan", "stops.csv", *said, "--csv", "/dev/full"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert refused.returncode == 1
    assert "/dev/full cannot be written: no space left on device" in refused.stderr
    assert "Traceback" not in refused.stderr
