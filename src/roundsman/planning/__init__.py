"""The engine: visits, a travel matrix and a budget in, the best order and its schedule out."""

from roundsman.planning.advice import ChangeAdvice, advise, combine
from roundsman.planning.availability import (
    do_without_kernels,
    has_kernels,
    stop_waiting,
    use_kernels,
)
from roundsman.planning.budget import moves_within
from roundsman.planning.changes import Case, Change, CloseLater, Depart, Drop, OpenEarlier, Raise
from roundsman.planning.compilation import compile_kernels
from roundsman.planning.conflicts import Conflict
from roundsman.planning.constrained_solver import ConstrainedSolver
from roundsman.planning.engine import (
    insert_everywhere,
    load_searches,
    measure_gap,
    optimize,
    reorder,
    warm,
)
from roundsman.planning.fixed_route import FixedRoute, Insertions
from roundsman.planning.moved_visits import count_moved
from roundsman.planning.problem import Problem, join_windows
from roundsman.planning.schedule import Schedule, schedule
from roundsman.planning.solution import Solution
from roundsman.planning.violations import Limits, Load, Violation, ViolationKind, check_limits

__all__ = [
    "Case",
    "Change",
    "ChangeAdvice",
    "CloseLater",
    "Conflict",
    "ConstrainedSolver",
    "Depart",
    "Drop",
    "FixedRoute",
    "Insertions",
    "Limits",
    "Load",
    "OpenEarlier",
    "Problem",
    "Raise",
    "Schedule",
    "Solution",
    "Violation",
    "ViolationKind",
    "advise",
    "check_limits",
    "combine",
    "compile_kernels",
    "count_moved",
    "do_without_kernels",
    "has_kernels",
    "insert_everywhere",
    "join_windows",
    "load_searches",
    "measure_gap",
    "moves_within",
    "optimize",
    "reorder",
    "schedule",
    "stop_waiting",
    "use_kernels",
    "warm",
]
