"""Claims in turns: an organization whose hosts are slow holds some of a worker's places only."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Table, and_, case, func, literal, select


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """How much a worker may claim, of all and of each organization."""

    count: int
    most_each: int | None = None
    """What of one organization may be under way at once; None is as much as there is room."""

    under_way: Mapping[str, int] = field(default_factory=dict)
    """How much of each organization is under way already."""

    def choose(self, table: Table, is_due: ColumnElement[bool]) -> ColumnElement[bool]:
        """Return what is due of which each organization may have so much.

        The table has `id`, `organization_id` and `due_at`; what has been due longest goes first.
        """
        if self.most_each is None:
            return is_due
        place = func.row_number().over(
            partition_by=table.c.organization_id, order_by=(table.c.due_at, table.c.id)
        )
        due = (
            select(table.c.id, table.c.organization_id, place.label("place"))
            .where(is_due)
            .subquery("due")
        )
        left: ColumnElement[int] = literal(self.most_each)
        if self.under_way:
            others = {one: self.most_each - count for one, count in self.under_way.items()}
            left = case(others, value=due.c.organization_id, else_=self.most_each)
        return and_(is_due, table.c.id.in_(select(due.c.id).where(due.c.place <= left)))
