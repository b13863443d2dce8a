"""A fix that a plan offers serves its stop when it is chosen, on the generator's `short` days.

The generator and the judge are in the folder of published instances; without it these are skipped.
"""

from pathlib import Path

import pytest
from bench.fixes import Tally, count_fixes
from bench.published import shared_folder

pytestmark = [
    pytest.mark.spec("decisions §21"),
    pytest.mark.skipif(
        not (shared_folder() or Path("nowhere")).joinpath("fleet").is_dir(),
        reason="the generator and its judge are not here",
    ),
]

MOVES = 5_000
SERVED = 0.99


def test_a_day_that_is_short_of_room_is_helped_by_what_is_offered() -> None:
    tally = Tally()
    count_fixes(120, 9001, MOVES, tally)
    count_fixes(120, 9003, MOVES, tally)
    assert tally.out
    assert tally.served >= 0.8 * tally.out  # by how many there is time for on a busy machine
    assert tally.fixes - tally.failed >= 0.9 * tally.fixes
    assert tally.illegal == 0


@pytest.mark.full
def test_nearly_every_stop_left_out_has_a_fix_that_serves_it() -> None:
    tally = Tally()
    for size, seeds in ((80, 20), (120, 20), (250, 10)):
        for seed in range(9000, 9000 + seeds):
            count_fixes(size, seed, MOVES, tally)
    assert tally.served >= SERVED * tally.out
    assert tally.fixes - tally.failed >= SERVED * tally.fixes
    assert tally.illegal == 0
    assert tally.minimal - tally.less_serves >= SERVED * tally.minimal
