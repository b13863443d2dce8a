"""What a page is, shown on vehicles; each list of its own is tried beside its table."""

import random

import pytest
from sqlalchemy import select
from tests.storage.rows import ACME, NOW, at, vehicle

from roundsman.storage.database import Database
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.tables import as_micros, vehicles
from roundsman.storage.vehicles import save_vehicle

pytestmark = [pytest.mark.both_databases, pytest.mark.spec("decisions §5")]

SORT = (vehicles.c.created_at, vehicles.c.id)


@pytest.mark.parametrize("newest_first", [False, True])
def test_pages_go_through_ties_and_moments_before_1970_in_both_directions(
    shared: Database,
    newest_first: bool,  # noqa: FBT001 -- a table's column
) -> None:
    draw = random.Random(1)  # noqa: S311 -- repeats itself on purpose
    seconds = [0, 0.000001, -4e9, 1e9]
    stored = [vehicle(f"{number:03}", draw.choice(seconds)) for number in range(40)]
    in_order = sorted(
        ((as_micros(one.created_timestamp), one.id) for one in stored), reverse=newest_first
    )
    assert in_order[0][0] < 0 or newest_first
    with shared.writing() as tx:
        for one in stored:
            save_vehicle(tx, ACME, one)
        for count in (1, 7, 40, 41):
            seen: list[Position] = []
            after: Position | None = None
            while page := fetch_page(
                tx, select(vehicles.c.id), SORT, after, newest_first=newest_first, count=count
            ):
                assert len(page) == min(count, 40 - len(seen))
                assert [position[1] for position, _ in page] == [row.id for _, row in page]
                seen += [position for position, _ in page]
                after = seen[-1]
            assert seen == in_order


def test_a_page_starts_behind_a_position_though_its_row_is_gone_and_rows_were_added(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        save_vehicle(tx, ACME, vehicle("b"))
        save_vehicle(tx, ACME, vehicle("c"))
        save_vehicle(tx, ACME, vehicle("late", 1))

        def behind(position: Position, *, newest_first: bool) -> list[str]:
            page = fetch_page(
                tx, select(vehicles.c.id), SORT, position, newest_first=newest_first, count=9
            )
            return [row.id for _, row in page]

        gone = (as_micros(NOW), "bb")
        assert behind(gone, newest_first=False) == ["c", "late"]
        assert behind(gone, newest_first=True) == ["b"]
        save_vehicle(tx, ACME, vehicle("a"))
        save_vehicle(tx, ACME, vehicle("bc"))
        assert behind(gone, newest_first=False) == ["bc", "c", "late"]
        assert behind((as_micros(at(2)), ""), newest_first=False) == []
