"""Searches in a process of their own whose kernels are interpreted, where none is compiled yet.

Numba decides once a process whether it compiles, hence the process: it begins anew for each search.
The process that asks goes on meanwhile, which it could not beside Python code of its own.
"""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

from roundsman.kit.loading import load

_ROOT = Path(__file__).parents[2]
_RUN = f"from {__name__} import main; main()"


def interpret(place: str, *args: Any, **kwargs: Any) -> Any:
    """Call the function that stands at a place, written `module:name`, and return its result."""
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(  # noqa: S603 -- our own code
        [sys.executable, "-P", "-c", _RUN],
        input=pickle.dumps((place, args, kwargs)),
        stdout=subprocess.PIPE,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        start_new_session=True,  # whoever presses Ctrl-C means the process that asks
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"an interpreted search ended with exit code {done.returncode}")
    return pickle.loads(done.stdout)  # noqa: S301 -- what our own process wrote


def main() -> None:
    """Do what stands in standard input; an error is written to standard error."""
    place, args, kwargs = pickle.load(sys.stdin.buffer)  # noqa: S301 -- from our own process
    sys.stdout.buffer.write(pickle.dumps(load(place)(*args, **kwargs)))
