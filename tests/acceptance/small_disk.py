"""A real file system of a few megabytes, which a test can fill to the last byte and empty again."""

import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_BLOCK = 64 * 1024


@dataclass(frozen=True)
class SmallDisk:
    """Where it is mounted."""

    folder: Path

    @property
    def _filler(self) -> Path:
        return self.folder / "filler"

    def fill(self) -> None:
        """Leave no room for a single byte."""
        with self._filler.open("ab", buffering=0) as filler:
            for size in (_BLOCK, 4_096, 1):
                try:
                    while filler.write(bytes(size)):
                        pass
                except OSError:
                    continue
        usage = os.statvfs(self.folder)
        assert usage.f_bavail == 0

    def empty(self) -> None:
        """Give the room back."""
        self._filler.unlink()


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """Mount one; who is not root does so in a namespace of their own, where machines let them."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if os.geteuid() != 0:
        with _in_a_namespace(mount) as holder:
            # Everybody of the same user finds it there, though it is mounted for one process alone.
            yield SmallDisk(Path(f"/proc/{holder}/root{folder}"))
        return
    done = subprocess.run(mount, check=False, capture_output=True, text=True)  # noqa: S603 -- our own folder
    if done.returncode:
        pytest.skip(f"this machine mounts no small disk: {done.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S603, S607 -- as above


@contextmanager
def _in_a_namespace(mount: list[str]) -> Iterator[int]:
    """Mount for one process that then does nothing; yield its number."""
    script = f"{shlex.join(mount)} && echo mounted && read -r _"
    with subprocess.Popen(  # noqa: S603 -- our own folder
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script],  # noqa: S607 -- wherever it lies
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        if holder.stdout.readline() != "mounted\n":
            _, trouble = holder.communicate()
            pytest.skip(f"this machine lets nobody but root mount a small disk: {trouble.strip()}")
        try:
            yield holder.pid
        finally:
            holder.communicate("\n")
