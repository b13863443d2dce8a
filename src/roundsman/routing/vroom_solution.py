"""From the fleet engine's plan to a solution in VROOM's JSON."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.vroom import (
    VroomComputingTimes,
    VroomJob,
    VroomRoute,
    VroomSolution,
    VroomStep,
    VroomStepType,
    VroomSummary,
    VroomUnassigned,
)
from roundsman.planning.fleet import FleetPlan, FleetRoute, FleetStep, StepKind
from roundsman.roads.encoded_polyline import encode_polyline
from roundsman.roads.network import RoadNetwork, TravelProfile
from roundsman.routing.vroom_problem import PosedProblem, coordinates_of


def show_solution(
    posed: PosedProblem, plan: FleetPlan | None, times: VroomComputingTimes
) -> VroomSolution:
    """Return a plan as VROOM answers it; no plan is one without jobs."""
    routes = [_ShownRoute(posed, route).show() for route in plan.routes] if plan else []
    unassigned = tuple(
        VroomUnassigned(
            id=job.id,
            description=job.description,
            location=job.location,
            location_index=job.location_index,
        )
        for job in (posed.given.jobs[number] for number in (plan.unassigned if plan else ()))
    )
    return VroomSolution(
        summary=VroomSummary(
            cost=sum(route.cost for route in routes),
            routes=len(routes),
            unassigned=len(unassigned),
            delivery=_sum(posed, (route.delivery for route in routes)),
            pickup=_sum(posed, (route.pickup for route in routes)),
            service=sum(route.service for route in routes),
            duration=sum(route.duration for route in routes),
            waiting_time=sum(route.waiting_time for route in routes),
            priority=sum(route.priority for route in routes),
            distance=(
                UNSET
                if posed.places.distances is None
                else sum(route.distance or 0 for route in routes)
            ),
            estimated=posed.places.estimated,
            computing_times=times,
        ),
        unassigned=unassigned,
        routes=tuple(routes),
    )


def draw_lines(solution: VroomSolution, roads: RoadNetwork) -> list[str]:
    """Return the line of each route, over the places of its steps."""
    return [
        encode_polyline(
            point
            for path in roads.paths(
                [coordinates_of(step.location) for step in route.steps if step.location],
                TravelProfile(),
            )
            for point in path.points
        )
        for route in solution.routes
    ]


def _sum(posed: PosedProblem, amounts: Iterable[Sequence[int]]) -> tuple[int, ...]:
    nothing = (0,) * posed.fleet.loads
    return tuple(
        sum(column) for column in zip(nothing, *(one or nothing for one in amounts), strict=True)
    )


class _ShownRoute:
    """A route of the engine, step by step."""

    def __init__(self, posed: PosedProblem, route: FleetRoute) -> None:
        self._posed = posed
        self._route = route
        self._vehicle = posed.given.vehicles[route.vehicle]
        self._jobs = [posed.given.jobs[number] for number in route.stops]
        self._load = list(_sum(posed, (job.delivery or () for job in self._jobs)))
        self._travel = self._metres = 0
        self._left_at = route.departure

    def show(self) -> VroomRoute:
        """Return the route as VROOM answers it."""
        delivery = tuple(self._load)
        start, end = self._vehicle.start, self._vehicle.end
        steps = []
        if not self._has_no(self._posed.places.starts):
            steps.append(
                self._step(
                    VroomStepType.START, self._route.departure, start, self._vehicle.start_index
                )
            )
        steps += [self._show_step(step) for step in self._route.steps]
        if not self._has_no(self._posed.places.ends):
            self._travel = self._route.driving_seconds
            self._metres = self._route.metres
            steps.append(
                self._step(VroomStepType.END, self._route.end, end, self._vehicle.end_index)
            )
        return VroomRoute(
            vehicle=self._vehicle.id,
            description=self._vehicle.description,
            cost=round(self._route.cost.total),
            service=self._route.service_seconds + self._route.break_seconds,
            duration=self._route.driving_seconds,
            waiting_time=sum(step.waiting for step in self._route.steps),
            priority=sum(job.priority for job in self._jobs),
            distance=UNSET if self._posed.places.distances is None else self._route.metres,
            delivery=delivery,
            pickup=_sum(self._posed, (job.pickup or () for job in self._jobs)),
            steps=tuple(steps),
        )

    def _has_no(self, ends: Sequence[int | None]) -> bool:
        return ends[self._route.vehicle] is None

    def _step(
        self,
        kind: VroomStepType,
        arrival: int,
        location: tuple[float, ...] | UnsetType,
        index: int | UnsetType,
        done: FleetStep | None = None,
    ) -> VroomStep:
        return VroomStep(
            type=kind,
            location=location,
            location_index=index,
            arrival=arrival + self._posed.begins,
            duration=self._travel,
            distance=UNSET if self._posed.places.distances is None else self._metres,
            service=done.departure - done.begin if done else 0,
            waiting_time=done.waiting if done else 0,
            load=tuple(self._load),
        )

    def _show_step(self, step: FleetStep) -> VroomStep:
        if step.kind is StepKind.BREAK:
            rest = self._vehicle.breaks[step.index]
            shown = self._step(VroomStepType.BREAK, step.arrival, UNSET, UNSET, step)
            id_, description = rest.id, rest.description
        else:
            job = self._posed.given.jobs[step.index]
            self._travel += step.arrival - self._left_at
            self._metres += step.metres
            self._deliver(job)
            shown = self._step(
                VroomStepType.JOB, step.arrival, job.location, job.location_index, step
            )
            id_, description = job.id, job.description
        self._left_at = step.departure
        return replace(shown, id=id_, description=description)

    def _deliver(self, job: VroomJob) -> None:
        nothing = (0,) * len(self._load)
        self._load = [
            load - given + taken
            for load, given, taken in zip(
                self._load, job.delivery or nothing, job.pickup or nothing, strict=True
            )
        ]
