"""The types of stops."""

from enum import StrEnum


class StopType(StrEnum):
    """What is done at a stop (decisions §8)."""

    UNKNOWN = "UNKNOWN"
    DELIVERY = "DELIVERY"
    PICKUP = "PICKUP"
    TASK = "TASK"
    BREAK = "BREAK"
