"""Everything that a plan is computed from, resolved: nothing is inherited any more.

It is kept with the plan, so that an attempt after a crash plans the same, and applying can tell
what has changed since.
"""

from datetime import datetime

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.geocoding import Geocoding
from roundsman.domain.loads import LoadTotals
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.plan_draft import PinPosition, PlanBalance, PlanBreak, PlanShift, RouteLock
from roundsman.domain.time_window import Date, TimeWindow
from roundsman.domain.vehicle import VehicleCosts
from roundsman.kit.durations import Duration


class WidenedWindow(Model):
    """One window of a stop, as fixes have changed it."""

    index: int
    """Of the window among those of the stop."""

    opens_earlier_seconds: int = 0
    closes_later_seconds: int = 0


class StopToPlan(Model):
    """A stop as it was when the plan was asked for, and what the plan says of it."""

    imported_stop_id: str = ""
    client_stop_id: str = ""
    store_order_id: str = ""
    route_stop_id: str = ""
    """Of a stop that is on a route already."""

    updated_at: datetime
    coordinates: Coordinates
    geocoding: Geocoding | UnsetType = UNSET
    """How the address of a store order was found; imported stops know it themselves."""

    duration: Duration | UnsetType = UNSET
    time_windows: tuple[TimeWindow, ...] = ()
    delivery_date: Date | UnsetType = UNSET
    priority: int = 0
    loads: LoadTotals
    required_skills: tuple[str, ...] = ()
    vehicles: tuple[int, ...] | UnsetType = UNSET
    """Indexes of the vehicles that may serve it, where not all may."""

    preferred_vehicles: tuple[int, ...] = ()
    """Indexes of the vehicles that should rather serve it."""

    pinned_vehicle: int | UnsetType = UNSET
    pinned_position: PinPosition | UnsetType = UNSET
    unassigned_cost: float
    must_be_served: bool = False
    present_vehicle: int | UnsetType = UNSET
    """The index of the vehicle on whose route it is."""

    is_held: bool = False
    """It stays on its route, and in its order there."""

    lateness_cost_per_hour: float = 0.0
    max_lateness_seconds: int = 0
    opens_earlier_seconds: int = 0
    """By so much each window opens earlier than the stop says, by a fix."""

    closes_later_seconds: int = 0
    """By so much each window closes later than the stop says, by a fix."""

    widened_windows: tuple[WidenedWindow, ...] = ()
    """What a fix has changed of one window alone."""

    def origin_id(self) -> str:
        """Return the id of the imported stop or store order that it is made of; may be empty."""
        return self.imported_stop_id or self.store_order_id

    def name(self) -> str:
        """Return by what fixes and violations call it."""
        return self.origin_id() or self.route_stop_id


class VehicleLocation(Model):
    """Where a vehicle starts or ends."""

    address: Address | UnsetType = UNSET
    coordinates: Coordinates
    geocoding: Geocoding | UnsetType = UNSET
    """How sure it is, for the routes that are made of the plan."""


class ReloadLocation(VehicleLocation):
    """Where a vehicle may load again."""

    duration: Duration


class RouteUnderWay(Model):
    """How far a driver is who has left."""

    leaves_at: datetime
    """When the driver was last where the route goes on from."""

    departed_at: datetime
    stops: int = 0
    """How many are done."""

    metres: int = 0
    loads: LoadTotals
    """What was delivered, which was on board at the start."""


class PresentRoute(Model):
    """A route that takes part in a plan, as it was when the plan was asked for."""

    id: str
    basis: str
    """A digest of all that a plan depends on; what a driver does is not in it."""

    stops: tuple[int, ...]
    """Indexes of its open stops among the stops of the plan, in order."""

    breaks: tuple[str, ...] = ()
    """The ids of its breaks ahead, as the vehicle has them."""

    lock: RouteLock = RouteLock.NONE
    keep_first: int = 0
    under_way: RouteUnderWay | UnsetType = UNSET


class VehicleToPlan(Model):
    """A vehicle that may be used."""

    id: str
    present_route: PresentRoute | UnsetType = UNSET
    vehicle_id: str = ""
    driver_id: str = ""
    start: VehicleLocation | UnsetType = UNSET
    end: VehicleLocation | UnsetType = UNSET
    shift: PlanShift
    capacities: LoadTotals
    skills: tuple[str, ...] = ()
    breaks: tuple[PlanBreak, ...] = ()
    max_stops: int = 0
    max_duration: Duration | UnsetType = UNSET
    max_distance_meters: int = 0
    max_reloads: int = 0
    reloads: tuple[ReloadLocation, ...] = ()
    costs: VehicleCosts
    avoid_tolls: bool = False
    avoid_u_turns: bool = False
    speed_factor: float = 1.0


class TerritoryToPlan(Model):
    """A part of the map, and the indexes of its vehicles."""

    polygon: tuple[Coordinates, ...]
    vehicles: tuple[int, ...]
    cost: float


class DayToPlan(Model):
    """A whole day to plan."""

    stops: tuple[StopToPlan, ...]
    vehicles: tuple[VehicleToPlan, ...]
    first_routes: tuple[tuple[int, ...], ...] = ()
    """For each vehicle the stops from which the search begins; absent: from the routes there are.
    """

    moves: int
    max_seconds: int
    seed: int
    priority_inversion_cost: float
    planned_at: datetime | UnsetType = UNSET
    """Nothing begins before it; set where routes take part."""

    max_moved_stops: int | UnsetType = UNSET
    moved_stop_cost: float = 0.0
    churn_curve: bool = False
    compactness: float = 0.0
    balance: PlanBalance | UnsetType = UNSET
    territories: tuple[TerritoryToPlan, ...] = ()
    other_vehicle_cost: float = 0.0
    explain: bool = True
