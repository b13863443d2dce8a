import json
from pathlib import Path

import pytest

from roundsman.api.app import OPERATIONS, describe
from roundsman.api.examples import EXAMPLES
from roundsman.wire.field_mask import UpdateShape, read_update
from roundsman.wire.reading import read_value

CHECKED_IN = Path(__file__).parents[2] / "docs" / "openapi.json"


def test_the_checked_in_description_is_current() -> None:
    assert json.loads(CHECKED_IN.read_text(encoding="utf-8")) == json.loads(describe()), (
        "run make describe"
    )


def test_every_operation_has_a_name_and_a_place_of_its_own() -> None:
    assert len({operation.id for operation in OPERATIONS}) == len(OPERATIONS)
    assert len({(operation.method, operation.path) for operation in OPERATIONS}) == len(OPERATIONS)


def test_no_partial_update_requires_a_field() -> None:
    for operation in OPERATIONS:
        if isinstance(operation.body, UpdateShape):
            assert operation.body.shape() is not None


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_a_body_of_its_operation(name: str) -> None:
    (operation,) = (operation for operation in OPERATIONS if operation.id == name)
    if isinstance(operation.body, UpdateShape):
        assert read_update(EXAMPLES[name], operation.body).values
    else:
        assert read_value(EXAMPLES[name], operation.body) is not None


def test_every_operation_that_takes_an_id_is_linked_from_one_that_answers_it() -> None:
    described = json.loads(describe())
    linked = {
        name
        for methods in described["paths"].values()
        for operation in methods.values()
        for name in operation["responses"]["200"].get("links", {})
    }
    # The client chooses a day; nothing answers it first.
    taking = {operation.id for operation in OPERATIONS if operation.parameters}
    assert linked == taking - {"getDay", "exportDay", "showDaySheet"}
