import json
from pathlib import Path

from roundsman.api.app import OPERATIONS
from roundsman.api.openapi import describe
from roundsman.wire.field_mask import UpdateShape

CHECKED_IN = Path(__file__).parents[2] / "docs" / "openapi.json"


def test_the_checked_in_description_is_current() -> None:
    assert json.loads(CHECKED_IN.read_text(encoding="utf-8")) == json.loads(describe(OPERATIONS)), (
        "run make describe"
    )


def test_every_operation_has_a_name_and_a_place_of_its_own() -> None:
    assert len({operation.id for operation in OPERATIONS}) == len(OPERATIONS)
    assert len({(operation.method, operation.path) for operation in OPERATIONS}) == len(OPERATIONS)


def test_no_partial_update_requires_a_field() -> None:
    for operation in OPERATIONS:
        if isinstance(operation.body, UpdateShape):
            assert operation.body.shape() is not None
