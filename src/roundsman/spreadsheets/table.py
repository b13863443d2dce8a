"""What a spreadsheet is once its file format no longer matters: rows of text."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A row under the number a spreadsheet program shows beside it; cells without outer blanks."""

    number: int
    cells: tuple[str, ...]

    def is_blank(self) -> bool:
        """Say whether no cell says anything."""
        return not any(self.cells)


@dataclass(frozen=True, kw_only=True, slots=True)
class RejectedRow:
    """A row that is no stop, and every reason why: lower case, no full stop."""

    row: int
    reason: str
