"""What is to be done with an order of a storefront: its list, its stop and its shop speak of it."""

from enum import StrEnum


class StoreOrderState(StrEnum):
    """What is to be done with an order, as its storefront says."""

    OPEN = "OPEN"
    FULFILLED = "FULFILLED"
    CANCELLED = "CANCELLED"
    ON_HOLD = "ON_HOLD"
