"""The journal at the door: a batch of actions in, what became of each out."""

import msgspec

from roundsman.domain.actions import with_clock_corrected
from roundsman.domain.route_actions import ACTIONS
from roundsman.endpoints.access import DriverDevice, HttpRequest
from roundsman.endpoints.bodies import require_json
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.schemas import Schema, Schemas
from roundsman.operations.execution import SubmittedAction, record_actions
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.driver.actions import (
    MOST_ACTIONS,
    ActionsAnswer,
    answer_batch,
    read_batch,
)

OPERATIONS = Operations("Actions", DriverDevice())


def _describe_batch(schemas: Schemas) -> Schema:
    kinds = [schemas.of(shape) for shape in dict.fromkeys(ACTIONS.values())]
    actions = {"type": "array", "minItems": 1, "maxItems": MOST_ACTIONS, "items": {"anyOf": kinds}}
    sent_at = {
        "type": "string",
        "format": "date-time",
        "description": "When the device sends this, by its own clock: what that is wrong by is "
        "taken off each action's time.",
    }
    properties = {"actions": actions, "sentAt": sent_at}
    batch = {"type": "object", "properties": properties, "required": ["actions"]}
    return {"application/json": {"schema": batch}}


# Each action has an id of its own, under which its answer is kept.
@OPERATIONS.add(
    "POST",
    "/actions",
    summary="Submit what the driver did",
    keeps_answers=False,
    describe_body=_describe_batch,
)
def take_actions(tools: Tools, http: HttpRequest, request: Request) -> ActionsAnswer:
    """Submit up to 500 actions in their order, again as often as needed: each counts once. Every
    action gets its own outcome; one that cannot be applied is kept for the planner.
    """
    require_json(http.headers)
    sent = read_batch(http.body)
    batch = sent.actions
    submitted = [
        SubmittedAction(
            action=with_clock_corrected(read.action, sent.sent_at, tools.clock.now()),
            fingerprint=read.fingerprint,
        )
        for read in batch
        if read.action is not None
    ]
    answers = record_actions(tools, request, submitted)
    results: list[bytes] = []
    repeated: list[str] = []
    seen: set[bytes] = set()
    for read in batch:
        if read.action is None:
            results.append(msgspec.json.encode(read.refusal))
            continue
        answered = answers[read.fingerprint]
        results.append(answered.answer.encode())
        if answered.is_repeated or read.fingerprint in seen:
            repeated.append(read.action.id)
        seen.add(read.fingerprint)
    return answer_batch(results, repeated)
