"""Which tools there are, who sees them, and what each takes; at most 15 (decisions §19)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from roundsman.domain.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    RoundsmanError,
)
from roundsman.domain.model import Model
from roundsman.domain.principal import Principal, Scope
from roundsman.mcp import looking, proposals, proposing
from roundsman.mcp.answers import MOST_BYTES
from roundsman.mcp.assistant import Assistant
from roundsman.wire.reading import read_value

_MOST_VIOLATIONS = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class AssistantTool:
    """A function that an assistant may call."""

    name: str
    title: str
    description: str
    needs: frozenset[Scope]
    """One of these scopes is enough to see it; the operation behind it asks again."""

    takes: type[Model]
    describes: Mapping[str, str]
    """What its arguments mean."""

    run: Callable[[Assistant, Any], str]
    changes: bool = False
    """Whether it changes routes or stops: `apply` alone does."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its arguments."""
        _, components = msgspec.json.schema_components([self.takes], ref_template="#/$defs/{name}")
        schema = components.pop(self.takes.__name__)
        schema.pop("description", None)
        schema["additionalProperties"] = False
        for name, words in self.describes.items():
            schema["properties"][name]["description"] = words
        return {**schema, "$defs": components} if components else schema


_DATE = "A day as YYYY-MM-DD, or today or tomorrow, by the organization's clocks; none is today."
_START = "How many rows to leave out: `next` of the answer before."
_STOP = "The id of a stop on a route, or a part of its customer's name, order, phone or e-mail."
_READ = frozenset({Scope.READ})
_WRITE = frozenset({Scope.WRITE})
_DISPATCH = frozenset({Scope.DISPATCH})

TOOLS = (
    AssistantTool(
        name="day_overview",
        title="How a day stands",
        description="The routes of a day with driver, status, progress and expected end, those "
        "with late stops first, and how much is on no route yet.",
        needs=_READ,
        takes=looking.OfDay,
        describes={"date": _DATE, "start": _START},
        run=looking.day_overview,
    ),
    AssistantTool(
        name="find_stop",
        title="Find a stop",
        description="Stops by a part of the customer's name, company, order, phone or e-mail, or "
        "by id: where they stand on which route, and when they are expected.",
        needs=_READ,
        takes=looking.OfText,
        describes={"text": "What to look for.", "start": _START},
        run=looking.find_stop,
    ),
    AssistantTool(
        name="explain_stop",
        title="Why a stop is when it is",
        description="Why a stop is reached early or late and how much room it has; for a stop on "
        "no route, where it would fit on today's routes and what that would break.",
        needs=_READ,
        takes=looking.OfStop,
        describes={"stop": _STOP},
        run=looking.explain_stop,
    ),
    AssistantTool(
        name="who_has",
        title="Who has a delivery",
        description="Which driver and vehicle have a delivery, the driver's phone, when they were "
        "last seen, and when they are expected at the customer.",
        needs=_READ,
        takes=looking.OfText,
        describes={
            "text": "A part of name, company, order name, phone or e-mail.",
            "start": _START,
        },
        run=looking.who_has,
    ),
    AssistantTool(
        name="unrouted",
        title="What is on no route",
        description="Stops and orders of a day that are on no route yet.",
        needs=_READ,
        takes=looking.OfDay,
        describes={"date": _DATE, "start": _START},
        run=looking.list_unrouted,
    ),
    AssistantTool(
        name="propose_plan",
        title="Propose a plan of a day",
        description="Have routes searched for everything unrouted of a day. Changes nothing; "
        "show_proposal shows what was found, apply makes the routes.",
        needs=_WRITE,
        takes=proposing.PlanWanted,
        describes={
            "date": _DATE,
            "vehicles": "Names or ids of vehicles; none is all that are free on the day.",
            "effort": "How long to search; QUICK is a first look.",
        },
        run=proposing.propose_plan,
    ),
    AssistantTool(
        name="propose_without",
        title="Propose a day without a driver",
        description="Propose that the other drivers of a day take over the open stops of one who "
        "cannot drive, where that breaks no time window or limit. Changes nothing before apply.",
        needs=_WRITE,
        takes=proposing.DriverOfDay,
        describes={"driver": "The driver's name or id.", "date": _DATE},
        run=proposing.propose_without,
    ),
    AssistantTool(
        name="propose_move",
        title="Propose to move a stop",
        description="Propose to move a stop to another route, where it costs least, or to a place "
        "on its own; says what that costs and breaks. Changes nothing before apply.",
        needs=_WRITE,
        takes=proposing.MoveWanted,
        describes={
            "stop": _STOP,
            "route": "The route's id, name or driver; none is the best of the other routes.",
            "index": "The place on the route, 0 is the first; none is the best.",
            "date": "The day of the routes; none is that of the stop's route.",
        },
        run=proposing.propose_move,
    ),
    AssistantTool(
        name="import_stops",
        title="Propose to import stops",
        description="Propose to import up to 200 stops; addresses are looked up at once, and what "
        "is wrong is said. A stop with the clientStopId of a known one replaces it whole: give all "
        "that is to be kept, for what is not given is removed. Changes nothing before apply.",
        needs=_WRITE,
        takes=proposing.StopsToImport,
        describes={
            "stops": "Objects as POST /stops/imports takes them: address {address1, city, "
            "provinceCode, zip, countryCode} or coordinates {latitude, longitude}; and, as wanted, "
            "clientStopId, orderName, contact {firstName, lastName, company, phone, email}, note, "
            'duration such as "300s", timeWindows [{start: {hours, minutes}, end: {…}}], '
            "deliveryDate {year, month, day}, priority, loads."
        },
        run=proposing.import_stops,
    ),
    AssistantTool(
        name="dispatch",
        title="Propose to dispatch a route",
        description="Propose to hand a route to its driver's app; one without a driver goes to "
        "whoever claims it. Changes nothing before apply.",
        needs=_DISPATCH,
        takes=proposing.RouteOfDay,
        describes={"route": "The route's id, name or driver.", "date": _DATE},
        run=proposing.dispatch,
    ),
    AssistantTool(
        name="show_proposal",
        title="Show a proposal",
        description="What a proposal would change; of a plan its routes and what stays out, once "
        "it is found.",
        needs=_WRITE | _DISPATCH,
        takes=proposals.ProposalToShow,
        describes={"proposal": "The id of the proposal.", "start": _START},
        run=proposals.show_proposal,
    ),
    AssistantTool(
        name="apply",
        title="Apply a proposal",
        description="Make the change of a proposal exactly as it was shown, once, within 15 "
        "minutes. Call it only after the user has seen the proposal and agreed.",
        needs=_WRITE | _DISPATCH,
        takes=proposals.ProposalToApply,
        describes={"proposal": "The id of the proposal."},
        run=proposals.apply,
        changes=True,
    ),
)


def tools_of(principal: Principal) -> Sequence[AssistantTool]:
    """Return the tools that who asks may use; without a scope a tool is not there."""
    return [tool for tool in TOOLS if tool.needs & principal.scopes]


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolAnswer:
    """What a tool answers: JSON, or in words why not."""

    text: str
    is_error: bool = False


def call_tool(
    assistant: Assistant, tool: AssistantTool, arguments: Mapping[str, Any]
) -> ToolAnswer:
    """Return the answer of a tool; what is refused is said in words."""
    try:
        return ToolAnswer(text=tool.run(assistant, read_value(dict(arguments), tool.takes)))
    except RoundsmanError as error:
        return ToolAnswer(text=_in_words(error), is_error=True)


def _in_words(error: RoundsmanError) -> str:
    lines = [error.message]
    match error:
        case InvalidArgument(violations=fields) | NotFound(violations=fields):
            lines += [f"{one.field} {one.description}" for one in fields[:_MOST_VIOLATIONS]]
        case FailedPrecondition(violations=reasons):
            said = [one.description for one in reasons[:_MOST_VIOLATIONS]]
            lines += [reason for reason in said if reason not in error.message]
        case _:
            pass
    text = "\n".join(dict.fromkeys(lines)).encode()[:MOST_BYTES]
    return text.decode(errors="ignore")
