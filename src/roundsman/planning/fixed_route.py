"""A route in its order, one more visit, and what each place where that could go means."""

from collections.abc import Sequence
from dataclasses import dataclass

from roundsman.planning.problem import Seconds

type Windows = Sequence[tuple[int, int]]
"""Sorted and apart; none is always open."""


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class FixedRoute:
    """A route in its order, and one more visit, which could go before each visit or behind all.

    Time counts from the departure; every sequence has one entry more than there are visits, but
    those of the visits themselves.
    """

    legs: Sequence[int]
    """To each visit, then to the end; 0 without an end."""

    to_new: Sequence[int]
    """From the start, then from each visit, to the new one."""

    from_new: Sequence[int]
    """From the new visit to each visit, then to the end; 0 without an end."""

    service: Sequence[int]
    windows: Sequence[Windows]
    new_service: int
    new_windows: Windows


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class Insertions:
    """What each place of one route means; arrays run along the places."""

    extra_travel: Seconds
    extra_lateness: Seconds
    late_visits: Seconds
    """How many visits are late, the new one included."""

    durations: Seconds
    """From the departure to the end, or to the last departure where there is no end."""
