from pathlib import Path

import pytest

from roundsman.roads.capacity import (
    Capacity,
    TooLittleRoom,
    _free_memory,
    measure_capacity,
    require_capacity,
)

PLENTY = 10**12
MEMINFO = "MemTotal:  9000 kB\nMemAvailable:    3000 kB\nSwapFree:  500 kB\n"


@pytest.fixture
def extract(tmp_path: Path) -> Path:
    """An extract of ten megabytes."""
    file = tmp_path / "maryland.osm.pbf"
    with file.open("wb") as opened:
        opened.truncate(10_000_000)
    return file


def test_enough_of_both_and_what_nobody_knows_are_no_obstacle(extract: Path) -> None:
    require_capacity(extract, Path("maps"), Capacity(disk=120_000_000, memory=400_000_000))
    require_capacity(extract, Path("maps"), Capacity(disk=None, memory=None))


def test_too_little_disk_is_told_with_what_is_needed_and_what_there_is(extract: Path) -> None:
    with pytest.raises(TooLittleRoom) as told:
        require_capacity(extract, Path("maps"), Capacity(disk=119_000_000, memory=PLENTY))
    assert str(told.value) == (
        "making a map of maryland.osm.pbf (10 MB) needs about 120 MB of disk, and 119 MB are free "
        "in maps; make room, or try it nevertheless with --anyway"
    )


def test_too_little_memory_is_told_beside_too_little_disk(extract: Path) -> None:
    with pytest.raises(TooLittleRoom) as told:
        require_capacity(extract, Path("maps"), Capacity(disk=0, memory=399_000_000))
    assert "120 MB of disk, and 0 MB are free" in str(told.value)
    assert "400 MB of memory, and 399 MB are free" in str(told.value)


def test_this_machine_has_some_of_both(tmp_path: Path) -> None:
    capacity = measure_capacity(tmp_path)
    assert capacity.disk
    assert capacity.memory is None or capacity.memory > 0


@pytest.mark.parametrize(
    ("limit", "free"), [("max", 3_584_000), ("2000000", 1_000_000), ("900000000", 3_584_000)]
)
def test_a_containers_limit_counts_where_it_is_less_than_the_machines(
    tmp_path: Path, limit: str, free: int
) -> None:
    (tmp_path / "meminfo").write_text(MEMINFO)
    assert _free_memory(tmp_path / "meminfo", tmp_path) == 3_584_000
    (tmp_path / "memory.max").write_text(f"{limit}\n")
    (tmp_path / "memory.current").write_text("1000000\n")
    assert _free_memory(tmp_path / "meminfo", tmp_path) == free


def test_a_system_that_does_not_tell_its_memory_is_believed(tmp_path: Path) -> None:
    assert _free_memory(tmp_path / "nowhere", tmp_path) is None
