"""What the interface's JSON may not hold costs only the cell of a file, in the same words."""

import csv
import io
import json
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.spreadsheets.stop_sheet import StopSheet, read_stop_sheet
from roundsman.wire.reading import read_value

pytestmark = pytest.mark.spec("decisions §18")

MANY_WINDOWS = [f"{hour}:{minute}-{hour + 1}:{minute}" for hour in range(12) for minute in (10, 30)]


def sheet_of(
    header: str,
    cell: str,
    others: Mapping[str, str] = MappingProxyType({}),
    *,
    strict: bool = False,
) -> StopSheet:
    file = io.StringIO()
    rows = [["latitude", "longitude", header, *others], ["39.2", "-76.6", cell, *others.values()]]
    csv.writer(file).writerows(rows)
    return read_stop_sheet(file.getvalue().encode(), strict=strict)


@pytest.mark.parametrize(
    ("header", "value", "cell"),
    [
        ("orderReferenceUrl", "http://shop.example/50", ""),
        ("orderReferenceUrl", f"https://shop.example/{'x' * 2_048}", ""),
        ("tags", [f"t{number}" for number in range(150)], ";".join("t" * 150)),
        ("tags", ["t" * 1_600], "t" * 1_600),
        ("requiredSkills", ["s"] * 60, ",".join("s" * 60)),
        ("attributes", [{"key": str(number)} for number in range(150)], ""),
        ("attributes", [{"value": 1}], ""),
        ("loads", {str(number): 1 for number in range(9)}, ""),
        ("loads", {"pallets": -1}, ""),
        ("loads", {"pallets": 0.12345}, ""),
        ("loads", {"pallets": "two"}, ""),
    ],
)
def test_a_cell_beyond_a_bound_is_left_out_in_the_words_of_the_json_reader(
    header: str, value: Any, cell: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_value({header: value}, StopDraft)
    (violation,) = refused.value.violations
    written = cell or (value if isinstance(value, str) else json.dumps(value))
    sheet = sheet_of(header, written)
    ((_, draft),) = sheet.stops
    assert draft == only_place()
    (remark,) = sheet.remarks
    assert remark.column == header
    assert violation.description in remark.message
    assert remark.message.endswith("; left out")
    strict = sheet_of(header, written, strict=True)
    assert [one.column for row in strict.rejected for one in row.problems] == [header]


@pytest.mark.parametrize(
    ("header", "cell", "message"),
    [
        ("item list", [{"quantity": -1}], "[0].quantity must be between 0 and 100000"),
        ("item list", [{}] * 500, "must have at most 499 elements, not 500"),
        ("item list", [{"nmae": "Crate"}], 'unknown field "nmae", did you mean "name"?'),
        ("task list", [{"title": "t"}] * 101, "must have at most 100 elements, not 101"),
        ("task list", [{"type": "FOO"}], "[0].type must be one of UNKNOWN, CHECKBOXES"),
    ],
)
def test_listed_goods_and_tasks_are_read_as_the_interface_reads_them(
    header: str, cell: Any, message: str
) -> None:
    sheet = sheet_of(header, json.dumps(cell))
    assert [draft for _, draft in sheet.stops] == [only_place()]
    assert [message in remark.message for remark in sheet.remarks] == [True]


def test_more_windows_than_a_stop_may_have_cost_their_cell() -> None:
    sheet = sheet_of("timeWindows", "; ".join(MANY_WINDOWS))
    assert [draft for _, draft in sheet.stops] == [only_place()]
    (remark,) = sheet.remarks
    assert "must have at most 20 elements, not 24" in remark.message
    beside = {"window start": "23:00", "window end": "23:30"}
    sheet = sheet_of("timeWindows", "; ".join(MANY_WINDOWS[:20]), beside)
    ((_, draft),) = sheet.stops
    assert len(draft.time_windows) == 1, "the window that has columns of its own is kept"
    assert "not 21" in sheet.remarks[-1].message


def test_as_long_a_link_is_read_as_of_json() -> None:
    url = f"https://shop.example/{'x' * 2_000}"
    ((_, draft),) = sheet_of("orderReferenceUrl", url).stops
    assert draft.order_reference_url == url


def test_cells_that_are_too_much_together_refuse_the_row_in_plain_words() -> None:
    half = "s" * 900
    sheet = sheet_of("street", half, {"house number": half})
    (row,) = sheet.rejected
    assert row.reason == "address.address1 must have at most 1500 characters, not 1801"


def test_the_longest_address_is_looked_at_once() -> None:
    before = time.process_time()
    for street in ("s" * 1_500, f"s{' ' * 1_498}s"):
        assert len(sheet_of("street", street).stops) == 1
    assert time.process_time() - before < 1


def only_place() -> StopDraft:
    ((_, draft),) = sheet_of("name", "").stops
    return draft
