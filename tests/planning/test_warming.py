"""What is warmed up covers every search: compiling in a request takes many seconds and memory."""

import subprocess
import sys

_TELL_WHAT_IS_LOADED_LATE = """
import gc
from numba.core.dispatcher import Dispatcher
from tests.planning.worlds import random_problem
from roundsman.planning import FixedRoute, insert_everywhere, measure_gap, optimize, reorder
from roundsman.planning import warm

def entered():
    found = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {(one.py_func.__qualname__, form) for one in found for form in one.signatures}

warm()
warmed = entered()
for windows, priority in ((False, False), (False, True), (True, False), (True, True)):
    for size in (6, 25):
        for seed in range(3):
            problem = random_problem(size, seed, windows=windows, priority=priority)
            measure_gap(problem, optimize(problem, seconds=60, moves=150_000))
            order, some = problem.visits, problem.visits[:1]
            for locked, appended in (((), ()), (some, ()), ((), some)):
                reorder(
                    problem, order, most_moved=[0, 2, 15, None], locked=locked,
                    appended=appended, seconds=60, moves=150_000,
                )
insert_everywhere([FixedRoute(
    legs=[0], to_new=[1], from_new=[0], service=[], windows=[], new_service=0, new_windows=(),
)])
print(sorted(name for name, _ in entered() - warmed))
"""


def test_no_search_enters_a_kernel_that_was_not_warmed_up() -> None:
    # A process of its own: in this one, other tests have entered many kernels.
    told = subprocess.run(  # noqa: S603 -- our own interpreter
        [sys.executable, "-c", _TELL_WHAT_IS_LOADED_LATE],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "[]\n"
