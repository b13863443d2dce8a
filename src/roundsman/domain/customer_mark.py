"""What is remembered of where a shop's order goes and who gets it, without saying either."""

from dataclasses import dataclass, replace
from typing import Self

_ERASED = "erased:"


@dataclass(frozen=True, kw_only=True, slots=True)
class CustomerMark:
    """By which it is seen whether a shop has changed where an order goes, or who gets it."""

    address: str
    customer: str = ""
    """Empty where an earlier version has read the order last."""

    is_erased: bool = False
    """Whether the customer was erased here, and the shop says nothing else since."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what `write` has written."""
        address, _, customer = text.removeprefix(_ERASED).partition(":")
        return cls(address=address, customer=customer, is_erased=text.startswith(_ERASED))

    def write(self) -> str:
        """Return the mark as it is stored."""
        return f"{_ERASED if self.is_erased else ''}{self.address}:{self.customer}"

    def has_same_address(self, other: Self) -> bool:
        """Say whether a correction of the address stands."""
        return not self.is_erased and self.address == other.address

    def after(self, before: Self) -> Self:
        """Return this mark as one of an erased customer where that was one and is the same."""
        is_same = self.address == before.address and before.customer in {"", self.customer}
        return replace(self, is_erased=before.is_erased and is_same)
