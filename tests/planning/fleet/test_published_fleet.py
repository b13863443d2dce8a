"""Published instances of vehicle routing are read as their collections mean them."""

from pathlib import Path

import pytest
from bench.fleet_instances import read_instance
from bench.fleet_published import read_published

from roundsman.planning.fleet import FleetBudget, plan_fleet

WINDOWS = """T101

VEHICLE
NUMBER     CAPACITY
  2         10

CUSTOMER
CUST NO.  XCOORD.  YCOORD.  DEMAND  READY TIME  DUE DATE  SERVICE TIME

    0      0         0          0         0        100          0
    1      1         1          6         0         50         10
    2      3         4          6        20         90         10
"""
NO_WINDOWS = """NAME : T-n3-k2
TYPE : CVRP
DIMENSION : 3
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 10
NODE_COORD_SECTION
1 0 0
2 1 1
3 3 4
DEMAND_SECTION
1 0
2 6
3 6
DEPOT_SECTION
1
-1
EOF
"""


def test_distances_have_one_decimal_that_is_cut_off(tmp_path: Path) -> None:
    (tmp_path / "T101.txt").write_text(WINDOWS)
    group, given = read_published(tmp_path / "T101.txt")
    assert group == "windows 2"
    assert given["durations"][0] == [0, 14, 50]
    assert given["stops"][1]["timeWindows"] == [[200, 900]]
    assert [stop["duration"] for stop in given["stops"]] == [100, 100]
    assert len(given["vehicles"]) == 2
    plan = plan_fleet(read_instance(given).problem, FleetBudget(seconds=5, moves=200))
    assert plan.cost == 2 * 14 + 2 * 50, "both on one vehicle would be too heavy"


def test_distances_are_rounded_where_the_number_of_vehicles_is_free(tmp_path: Path) -> None:
    (tmp_path / "T-n3-k2.vrp").write_text(NO_WINDOWS)
    group, given = read_published(tmp_path / "T-n3-k2.vrp")
    assert group == "X"
    assert given["durations"][1] == [1, 0, 4]
    assert len(given["vehicles"]) == 4


def test_another_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("no instance")
    with pytest.raises(ValueError, match=r"note\.txt is no instance"):
        read_published(tmp_path / "note.txt")
