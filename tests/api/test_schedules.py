"""One place says when things happen: whatever changed a route, timing it again changes nothing."""

import pytest
from tests.api.busy_route import CHANGING, busy_route
from tests.api.conftest import World

from roundsman.endpoints.operation import Operation
from roundsman.operations.route_changes import load_route
from roundsman.operations.route_timing import time_route


@pytest.mark.parametrize(
    "operation",
    [one for one in CHANGING if one.id != "deleteRoute"],
    ids=lambda operation: operation.id,
)
def test_every_change_leaves_the_route_timed_as_it_stands(
    world: World, operation: Operation
) -> None:
    busy = busy_route(world)
    answer = busy.send(operation)
    assert answer.status_code == 200, answer.text
    stored = load_route(world.tools, world.credentials.organization_id, busy.id).route
    assert time_route(stored, world.tools.roads).route == stored
