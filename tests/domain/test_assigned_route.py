"""Which vehicle and driver a route may have."""

import pytest
from tests.storage.rows import NOW, driver, route, vehicle

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import DriverStatus
from roundsman.domain.errors import FailedPrecondition, NotFound

CREW = route("rte-1", vehicle_id="veh-1", driver_id="drv-1")

WHOLE = AssignedRoute(route=CREW, vehicle=vehicle("veh-1"), driver=driver("drv-1"))
GONE = AssignedRoute(route=CREW)
ARCHIVED = AssignedRoute(
    route=CREW,
    vehicle=vehicle("veh-1", is_archived=True),
    driver=driver("drv-1", DriverStatus.ARCHIVED),
)


@pytest.mark.parametrize(
    "whole", [WHOLE, AssignedRoute(route=route("rte-1"))], ids=["there", "none"]
)
def test_a_crew_that_is_there_stays_as_does_none(whole: AssignedRoute) -> None:
    whole.require_vehicle()
    whole.require_driver(NOW)
    assert whole.with_crew_it_may_have() == whole


@pytest.mark.parametrize(
    ("unfit", "error"), [(GONE, NotFound), (ARCHIVED, FailedPrecondition)], ids=["gone", "archived"]
)
def test_what_is_refused_is_what_is_left_out(unfit: AssignedRoute, error: type[Exception]) -> None:
    with pytest.raises(error):
        unfit.require_vehicle()
    with pytest.raises(error):
        unfit.require_driver(NOW)
    assert unfit.with_crew_it_may_have() == AssignedRoute(route=route("rte-1"))
