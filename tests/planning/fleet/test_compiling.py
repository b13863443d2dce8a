"""What is compiled once, when the service is installed, is all that a plan calls."""

import json
import subprocess
import sys

CALLED = """
import json
from roundsman.planning.fleet import search
search.compile_fleet()
kernels = {name: one for name, one in vars(search).items() if hasattr(one, "signatures")}
print(json.dumps({name: len(one.signatures) for name, one in kernels.items()}))
"""


def test_every_kernel_that_a_plan_calls_is_compiled_at_installation() -> None:
    """One that is not is compiled in the middle of somebody's first plan, for seconds."""
    # A process of its own: here, other tests have called them.
    done = subprocess.run([sys.executable, "-c", CALLED], check=True, capture_output=True)  # noqa: S603 -- our own code
    compiled = json.loads(done.stdout)
    assert "empty_route" in compiled
    assert [name for name, count in compiled.items() if not count] == []
