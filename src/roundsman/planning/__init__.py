"""The engine: visits, a travel matrix and a budget in, the best order and its schedule out."""

from roundsman.planning.budget import moves_within
from roundsman.planning.optimizer import Solution, measure_gap, optimize, warm
from roundsman.planning.problem import Problem
from roundsman.planning.schedule import Schedule, schedule
from roundsman.planning.violations import Limits, Load, Violation, ViolationKind, check_limits

__all__ = [
    "Limits",
    "Load",
    "Problem",
    "Schedule",
    "Solution",
    "Violation",
    "ViolationKind",
    "check_limits",
    "measure_gap",
    "moves_within",
    "optimize",
    "schedule",
    "warm",
]
