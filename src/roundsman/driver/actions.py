"""The journal at the door: a batch of actions in, what became of each out."""

import msgspec
from starlette.responses import Response

from roundsman.doors.bodies import require_json
from roundsman.doors.door import Arrival
from roundsman.driver.answering import answer_bytes
from roundsman.operations.driver_request import DriverRequest
from roundsman.operations.execution import Told, record_actions
from roundsman.operations.work import Tools
from roundsman.wire.driver.actions import encode_answer, read_actions


def take_actions(tools: Tools, arrival: Arrival, request: DriverRequest) -> Response:
    """Record a batch and answer it action by action."""
    require_json(arrival.headers)
    batch = read_actions(arrival.body)
    told = [
        Told(action=read.action, fingerprint=read.fingerprint)
        for read in batch
        if read.action is not None
    ]
    answers = record_actions(tools, request, told)
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
    return answer_bytes(encode_answer(results, repeated))
