"""Routing problems and solutions in the JSON of VROOM, which other programs speak already.

Names, units and the meaning of each field are those of VROOM's own description (`docs/API.md` of
VROOM-Project/vroom): snake case, `[longitude, latitude]`, whole seconds on an axis that the caller
chose, metres. What the fleet engine cannot say is refused by name, never left out of account.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.model import UNSET, Line, Model, Rule, UnsetType, obey_rules

MOST_VROOM_JOBS = 1_000
"""What a request may wait for; more is a plan of its own (`POST /plans`)."""

MOST_VROOM_VEHICLES = 200
MOST_VROOM_PLACES = 2_000
"""Rows of a custom matrix."""

type VroomId = Annotated[int, Meta(ge=0, le=9_007_199_254_740_991)]
type VroomSeconds = Annotated[int, Meta(ge=0, le=4_294_967_295)]
type VroomLocation = Annotated[tuple[float, ...], Meta(min_length=2, max_length=2)]
type VroomWindow = Annotated[tuple[VroomSeconds, ...], Meta(min_length=2, max_length=2)]
type VroomAmounts = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=1_000_000_000)], ...], Meta(max_length=8)
]
type VroomSkills = Annotated[tuple[VroomSeconds, ...], Meta(max_length=50)]
type VroomTable = Annotated[
    tuple[
        Annotated[
            tuple[Annotated[int, Meta(ge=0, le=10_000_000)], ...],
            Meta(max_length=MOST_VROOM_PLACES),
        ],
        ...,
    ],
    Meta(max_length=MOST_VROOM_PLACES),
]
_Index = Annotated[int, Meta(ge=0, le=10_000)]
_Service = Annotated[int, Meta(ge=0, le=604_800)]


class _VroomModel(Model, rename=lambda name: name.rstrip("_")):
    """A model whose names are written as VROOM writes them."""


def _judge_location(noun: Any, name: str) -> Iterator[str]:
    """Find a pair that is no place on earth, which is mostly one the wrong way round."""
    location = getattr(noun, name)
    if location is not UNSET and not (-180 <= location[0] <= 180 and -90 <= location[1] <= 90):
        yield "must be [longitude, latitude] in degrees"


def _judge_order(windows: Iterable[tuple[int, ...]]) -> Iterator[str]:
    """Find windows that end before they start, or begin before the one before them ends."""
    last = -1
    for opens, closes in windows:
        if closes < opens:
            yield "must not end before they start"
            return
        if opens <= last:
            yield "must be in order and must not overlap"
            return
        last = closes


class VroomJob(_VroomModel):
    """A place to serve."""

    rules: ClassVar = (
        Rule(lambda job: _judge_location(job, "location"), ("location",)),
        Rule(lambda job: _judge_order(job.time_windows), ("time_windows",)),
        Rule(
            lambda job: ["other than 0 is not supported; add it to service"] if job.setup else [],
            ("setup",),
        ),
    )
    not_yet: ClassVar = frozenset({"setup_per_type", "service_per_type"})

    id: VroomId
    description: Line | UnsetType = UNSET
    location: VroomLocation | UnsetType = UNSET
    location_index: _Index | UnsetType = UNSET
    setup: _Service = 0
    service: _Service = 0
    delivery: VroomAmounts | UnsetType = UNSET
    pickup: VroomAmounts | UnsetType = UNSET
    skills: VroomSkills = ()
    priority: Annotated[int, Meta(ge=0, le=100)] = 0
    time_windows: Annotated[tuple[VroomWindow, ...], Meta(max_length=20)] = ()

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


def _judge_break_windows(rest: Any) -> Iterator[str]:
    """Find a break with a choice of windows."""
    if len(rest.time_windows) != 1:
        yield "must be one window; a choice of several is not supported"
    else:
        yield from _judge_order(rest.time_windows)


class VroomBreak(_VroomModel):
    """A break that begins in its window, where the vehicle stands then."""

    rules: ClassVar = (Rule(_judge_break_windows, ("time_windows",)),)
    not_yet: ClassVar = frozenset({"max_load"})

    id: VroomId
    time_windows: tuple[VroomWindow, ...]
    service: _Service = 0
    description: Line | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class VroomCosts(_VroomModel):
    """What using a vehicle costs: once, for an hour of driving, and for a kilometre."""

    not_yet: ClassVar = frozenset({"per_task_hour"})

    fixed: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    per_hour: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 3600
    per_km: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0


def _judge_ends(vehicle: Any) -> Iterator[str]:
    """Find a vehicle that neither starts nor ends anywhere."""
    names = ("start", "start_index", "end", "end_index")
    if all(getattr(vehicle, name) is UNSET for name in names):
        yield "or end is required"


class VroomVehicle(_VroomModel):
    """A vehicle that may be used."""

    rules: ClassVar = (
        Rule(_judge_ends, ("start", "start_index", "end", "end_index")),
        Rule(lambda vehicle: _judge_location(vehicle, "start"), ("start",)),
        Rule(lambda vehicle: _judge_location(vehicle, "end"), ("end",)),
        Rule(
            lambda vehicle: _judge_order([vehicle.time_window] if vehicle.time_window else []),
            ("time_window",),
        ),
    )
    not_yet: ClassVar = frozenset({"max_travel_time", "steps", "type"})

    id: VroomId
    profile: Annotated[str, Meta(min_length=1, max_length=50)] = "car"
    description: Line | UnsetType = UNSET
    start: VroomLocation | UnsetType = UNSET
    start_index: _Index | UnsetType = UNSET
    end: VroomLocation | UnsetType = UNSET
    end_index: _Index | UnsetType = UNSET
    capacity: VroomAmounts | UnsetType = UNSET
    costs: VroomCosts = VroomCosts()
    skills: VroomSkills = ()
    time_window: VroomWindow | UnsetType = UNSET
    breaks: Annotated[tuple[VroomBreak, ...], Meta(max_length=3)] = ()
    speed_factor: Annotated[float, Meta(ge=0.1, le=5)] = 1.0
    max_tasks: Annotated[int, Meta(ge=0, le=1_000_000)] | UnsetType = UNSET
    max_distance: Annotated[int, Meta(ge=0, le=1_000_000_000)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class VroomMatrices(_VroomModel):
    """Travel times, and distances where anything looks at them, between all places by index."""

    not_yet: ClassVar = frozenset({"costs"})

    durations: VroomTable
    distances: VroomTable | UnsetType = UNSET


def _judge_check(options: Any) -> Iterator[str]:
    """Find the wish for VROOM's plan mode."""
    if options.c:
        yield "is not supported: routes are chosen, not checked"


class VroomOptions(_VroomModel):
    """What VROOM's command line takes, by the names that its HTTP door gives it."""

    rules: ClassVar = (Rule(_judge_check, ("c",)),)

    g: bool = False
    """Whether to answer the line to draw of each route."""

    x: Annotated[int, Meta(ge=0, le=5)] = 3
    """How deep to search: 4 and 5 search five times as long."""

    l: Annotated[float, Meta(ge=0.1, le=60)] = 30.0  # noqa: E741 -- VROOM's name
    """For how many seconds at most; equal input gives equal output where they suffice."""

    t: Annotated[int, Meta(ge=1, le=1_000)] = 1
    """Threads, which change nothing."""

    c: bool = False

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


def _judge_ids(nouns: Iterable[Any]) -> Iterator[str]:
    """Find ids that two have."""
    for id_, times in Counter(noun.id for noun in nouns).items():
        if times > 1:
            yield f"has the id {id_} more than once"


class VroomProblem(_VroomModel):
    """Jobs to serve and vehicles to serve them with."""

    rules: ClassVar = (
        Rule(lambda problem: _judge_ids(problem.jobs), ("jobs",)),
        Rule(lambda problem: _judge_ids(problem.vehicles), ("vehicles",)),
        Rule(
            lambda problem: (
                ["and matrix are not given together"]
                if problem.matrices is not UNSET and problem.matrix is not UNSET
                else []
            ),
            ("matrices", "matrix"),
        ),
    )

    not_yet: ClassVar = frozenset({"shipments"})

    jobs: Annotated[tuple[VroomJob, ...], Meta(max_length=MOST_VROOM_JOBS)] = ()
    vehicles: Annotated[
        tuple[VroomVehicle, ...], Meta(min_length=1, max_length=MOST_VROOM_VEHICLES)
    ]
    matrices: (
        Annotated[
            dict[Annotated[str, Meta(min_length=1, max_length=50)], VroomMatrices],
            Meta(max_length=8),
        ]
        | UnsetType
    ) = UNSET
    """By profile; without them travel times are those of the roads."""

    matrix: VroomTable | UnsetType = UNSET
    """Travel times of the profile `car`, as older versions of VROOM took them."""

    options: VroomOptions = VroomOptions()

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)

    def tables(self) -> Mapping[str, VroomMatrices]:
        """Return the given tables by profile; none where the roads are asked."""
        if not isinstance(self.matrix, UnsetType):
            return {"car": VroomMatrices(durations=self.matrix)}
        return {} if isinstance(self.matrices, UnsetType) else self.matrices


class VroomStepType(StrEnum):
    """What a vehicle does at a step."""

    START = "start"
    JOB = "job"
    BREAK = "break"
    END = "end"


class VroomViolation(_VroomModel):
    """A rule that a route breaks; routes that are found break none."""

    cause: str
    duration: int | UnsetType = UNSET


class VroomStep(_VroomModel):
    """A step of a route; sums are those upon arrival, the load is that after it."""

    type: VroomStepType
    id: int | UnsetType = UNSET
    description: str | UnsetType = UNSET
    location: tuple[float, ...] | UnsetType = UNSET
    location_index: int | UnsetType = UNSET
    arrival: int
    duration: int
    distance: int | UnsetType = UNSET
    setup: int = 0
    service: int = 0
    waiting_time: int = 0
    load: tuple[int, ...] = ()
    violations: tuple[VroomViolation, ...] = ()


class VroomRoute(_VroomModel):
    """The route of one vehicle."""

    vehicle: int
    description: str | UnsetType = UNSET
    cost: int
    setup: int = 0
    service: int
    duration: int
    """Of travel alone."""

    waiting_time: int
    priority: int
    distance: int | UnsetType = UNSET
    delivery: tuple[int, ...] = ()
    pickup: tuple[int, ...] = ()
    geometry: str | UnsetType = UNSET
    """An encoded polyline of five decimals."""

    steps: tuple[VroomStep, ...]
    violations: tuple[VroomViolation, ...] = ()


class VroomUnassigned(_VroomModel):
    """A job that is on no route."""

    id: int
    type: VroomStepType = VroomStepType.JOB
    description: str | UnsetType = UNSET
    location: tuple[float, ...] | UnsetType = UNSET
    location_index: int | UnsetType = UNSET


class VroomComputingTimes(_VroomModel):
    """Milliseconds."""

    loading: int = 0
    solving: int = 0
    routing: int = 0


class VroomSummary(_VroomModel):
    """Sums over all routes."""

    cost: int
    routes: int
    unassigned: int
    delivery: tuple[int, ...] = ()
    pickup: tuple[int, ...] = ()
    setup: int = 0
    service: int
    duration: int
    waiting_time: int
    priority: int
    distance: int | UnsetType = UNSET
    violations: tuple[VroomViolation, ...] = ()
    estimated: bool = False
    """Whether some travel times are guesses, because no roads were there."""

    computing_times: VroomComputingTimes


class VroomSolution(_VroomModel):
    """Routes that keep every rule, and the jobs that are on none."""

    code: int = 0
    """0: no error; errors are those of every other operation."""

    summary: VroomSummary
    unassigned: tuple[VroomUnassigned, ...] = ()
    routes: tuple[VroomRoute, ...] = ()
