"""Code that is unmapped counts no more as the process's memory, and runs all the same."""

import platform
import subprocess
import sys

import pytest

_UNMAP = """
import hashlib, _hashlib
from pathlib import Path
from roundsman.kit.mapped_code import unmap_code

def resident():
    found, is_ours = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if "-" in line.split()[0]:
            is_ours = "r-xp" in line and "libcrypto" in line
        elif is_ours and line.startswith("Rss:"):
            found += int(line.split()[1]) * 1024
    return found

told = hashlib.sha256(b"here").hexdigest()
before = resident()
unmapped = unmap_code("libcrypto")
after = resident()
assert hashlib.sha256(b"here").hexdigest() == told
print(before > after, unmapped >= before > 0, unmap_code("libnobody"))
"""


@pytest.mark.skipif(platform.system() != "Linux", reason="only Linux does that")
def test_unmapped_code_is_there_again_when_it_runs() -> None:
    told = subprocess.run(  # noqa: S603 -- our own interpreter: others share this one's libraries
        [sys.executable, "-c", _UNMAP], check=True, capture_output=True, text=True
    )
    assert told.stdout == "True True 0\n"
