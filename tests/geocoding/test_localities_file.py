from pathlib import Path

import numpy as np
import pytest

from roundsman.geocoding.localities import Arrays
from roundsman.geocoding.localities_file import load_or_build, user_cache_folder


def three_arrays() -> Arrays:
    return {
        "numbers": np.arange(1_000, dtype=np.float64),
        "codes": np.array([b"US", b"LI"], dtype=np.bytes_),
        "none": np.zeros(0, dtype=np.uint8),
    }


def unbuildable() -> Arrays:
    raise AssertionError("built although the file is there")


def assert_same(found: Arrays, expected: Arrays) -> None:
    assert list(found) == list(expected)
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array)


def test_what_was_built_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "places.bin"
    load_or_build(path, three_arrays)
    assert_same(load_or_build(path, unbuildable), three_arrays())
    assert [child.name for child in path.parent.iterdir()] == ["places.bin"]


@pytest.mark.parametrize("kept", [0, 10, 60, 500, 1_000])
def test_a_file_cut_short_is_built_anew(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "places.bin"
    load_or_build(path, three_arrays)
    path.write_bytes(path.read_bytes()[:kept])
    assert_same(load_or_build(path, three_arrays), three_arrays())
    assert_same(load_or_build(path, unbuildable), three_arrays())


def test_a_file_of_somebody_else_is_built_anew(tmp_path: Path) -> None:
    path = tmp_path / "places.bin"
    path.write_bytes(b"roundsman-localities-1\n{}[]\n")
    assert_same(load_or_build(path, three_arrays), three_arrays())


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert_same(load_or_build(blocked / "places.bin", three_arrays), three_arrays())
    assert_same(load_or_build(None, three_arrays), three_arrays())


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"XDG_CACHE_HOME": "/caches", "HOME": "/home/ann"}, Path("/caches/roundsman")),
        ({"HOME": "/home/ann"}, Path("/home/ann/.cache/roundsman")),
        ({}, None),
    ],
)
def test_the_cache_folder_is_the_users_own(
    environment: dict[str, str], folder: Path | None
) -> None:
    assert user_cache_folder(environment) == folder
