"""The engine: visits, a travel matrix and a budget in, the best order and its schedule out."""

from roundsman.planning.optimizer import Solution, optimize
from roundsman.planning.problem import Problem

__all__ = ["Problem", "Solution", "optimize"]
