"""What is released is the same whoever builds it, and is complete."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripts.release import ROOT, SUMS

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists() or not shutil.which("git") or not shutil.which("npm"),
    reason="a release is built from a commit, with git and npm",
)
SERVICE = "roundsman-0.1.0-py3-none-any.whl"
NAMES = {
    SERVICE,
    "roundsman-0.1.0.tar.gz",
    "roundsman-0.1.0.cdx.json",
    "roundsman-0.1.0.requirements.txt",
    "roundsman_client-0.1.0-py3-none-any.whl",
    "roundsman_client-0.1.0.tar.gz",
    "roundsman-client-0.1.0.tgz",
    SUMS,
}


def build(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 -- ours
        [sys.executable, "-m", "scripts.release", str(folder)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("release") / "dist"
    done = build(folder, TZ="Pacific/Auckland", LC_ALL="C.UTF-8", SOURCE_DATE_EPOCH="1")
    assert done.returncode == 0, done.stderr
    yield folder
    shutil.rmtree(folder)


def test_two_builds_of_a_commit_are_the_same_bytes(released: Path, tmp_path: Path) -> None:
    mask = os.umask(0o077)  # what is built must not depend on who builds it, where and when
    try:
        done = build(tmp_path / "again", TZ="UTC", PYTHONHASHSEED="7")
    finally:
        os.umask(mask)
    assert done.returncode == 0, done.stderr
    assert {one.name for one in released.iterdir()} == NAMES
    for path in released.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_sums_are_those_of_the_files(released: Path) -> None:
    lines = (released / SUMS).read_text(encoding="utf-8").splitlines()
    summed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert set(summed) == NAMES - {SUMS}
    for name, digest in summed.items():
        assert hashlib.sha256((released / name).read_bytes()).hexdigest() == digest


def test_the_wheel_holds_what_the_service_reads_while_it_runs(released: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD", "src/roundsman"],  # noqa: S607 -- as found
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    with zipfile.ZipFile(released / SERVICE) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith("roundsman/")}
    assert packed == {name.removeprefix("src/") for name in listed}
    assert {
        "roundsman/console/built/index.html",
        "roundsman/driver/built/worker.js",
        "roundsman/visitors/built/street_map.js",
    } <= packed


def test_the_source_archive_holds_what_builds_and_tests_it_and_nothing_of_this_machine(
    released: Path,
) -> None:
    with tarfile.open(released / "roundsman-0.1.0.tar.gz") as archive:
        members = archive.getmembers()
    names = {one.name.partition("/")[2] for one in members}
    assert {"pyproject.toml", "requirements/run.txt", "web/package-lock.json", "LICENSE"} <= names
    assert not {name for name in names if "node_modules" in name or ".venv" in name}
    assert {(one.uname, one.gname, one.uid, one.gid) for one in members} == {("", "", 0, 0)}


def test_a_folder_with_files_in_it_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "older.whl").touch()
    done = build(tmp_path)
    assert done.returncode == 1
    assert "is not empty" in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["older.whl"]
