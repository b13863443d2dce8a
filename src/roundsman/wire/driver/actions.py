"""A batch of actions: each read by itself, so that a wrong one does not keep back the others."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

import msgspec

from roundsman.domain.actions import ActionKind, ActionResult, DriverAction, Outcome
from roundsman.domain.errors import (
    LONGEST_NAME,
    FieldViolation,
    InvalidArgument,
    count_of_rest,
)
from roundsman.domain.model import Model
from roundsman.domain.route_actions import ACTIONS
from roundsman.wire.json_text import MAX_DEPTH, is_too_deep, parse_json_of_any_depth
from roundsman.wire.problems import Problems, unknown_name
from roundsman.wire.reading import encodable, read_value
from roundsman.wire.scalars import kind_of

type _Instant = Annotated[datetime, msgspec.Meta(tz=True)]

MOST_ACTIONS = 500
_MOST_VIOLATIONS = 10
"""Of one action; it has fewer fields than an ordinary body, and there may be 500 of them."""

_MOST_NAMED = 100
"""Of all actions of a batch; those that are refused after them say the first thing alone."""

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadAction:
    """One element of a batch: an action, or why it is none."""

    fingerprint: bytes
    action: DriverAction | None = None
    refusal: ActionResult | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadBatch:
    """A batch, and when it was sent by the device's clock, if the device says so."""

    actions: Sequence[ReadAction]
    sent_at: datetime | None


class ActionsAnswer(Model):
    """What became of each action, in the order they were sent; `repeated` were answered before."""

    results: tuple[msgspec.Raw, ...] = ()
    repeated: tuple[str, ...] = ()


def read_batch(raw: bytes) -> ReadBatch:
    """Return a batch of actions; raise InvalidArgument when it is none."""
    body = parse_json_of_any_depth(raw)
    if not isinstance(body, dict):
        raise InvalidArgument(f"body must be an object, not {kind_of(body)}")
    for name in body:
        if name not in {"actions", "sentAt"}:
            raise _wrong(name[:LONGEST_NAME], unknown_name("field", name))
    actions = body.get("actions")
    if not isinstance(actions, list):
        raise _wrong("actions", "must be an array of actions")
    if not 1 <= len(actions) <= MOST_ACTIONS:
        raise _wrong("actions", f"must have 1 to {MOST_ACTIONS} elements, not {len(actions)}")
    read: list[ReadAction] = []
    named = 0
    for value in actions:
        most = _MOST_VIOLATIONS if named < _MOST_NAMED else 1
        read.append(_read(value, most))
        refusal = read[-1].refusal
        named += len(refusal.field_violations) if refusal is not None else 0
    return ReadBatch(actions=read, sent_at=_read_sent_at(body))


def _read_sent_at(body: dict[str, object]) -> datetime | None:
    text = body.get("sentAt")
    if text is None:
        return None
    try:
        sent_at: datetime = msgspec.convert(text, _Instant)
    except msgspec.ValidationError as error:
        raise _wrong("sentAt", "must be a timestamp such as 2024-07-01T08:00:00Z") from error
    return sent_at


def _wrong(field: str, description: str) -> InvalidArgument:
    field, description = encodable(field), encodable(description)
    return InvalidArgument(
        f"{field} {description}", [FieldViolation(field=field, description=description)]
    )


def _read(value: object, most: int) -> ReadAction:
    if is_too_deep(value):
        problem = f"is nested deeper than {MAX_DEPTH} levels"
        return ReadAction(fingerprint=b"", refusal=_refuse("", _wrong("action", problem)))
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    fingerprint = hashlib.sha256(text.encode()).digest()
    try:
        return ReadAction(fingerprint=fingerprint, action=_action(value, most))
    except InvalidArgument as error:
        id_ = value.get("id") if isinstance(value, dict) else None
        shown = id_ if isinstance(id_, str) and _UUID.fullmatch(id_) else ""
        return ReadAction(fingerprint=fingerprint, refusal=_refuse(shown, error))


def _action(value: object, most: int) -> DriverAction:
    if not isinstance(value, dict):
        raise _wrong("action", f"must be an object, not {kind_of(value)}")
    kind = value.get("kind")
    if kind not in tuple(ActionKind):
        raise _wrong("kind", f"must be one of {', '.join(ActionKind)}")
    problems = Problems(most, hints=1 if most > 1 else 0)
    return read_value(value, ACTIONS[ActionKind(kind)], problems)


def _refuse(id_: str, error: InvalidArgument) -> ActionResult:
    return ActionResult(
        id=id_,
        outcome=Outcome.REFUSED,
        message=error.message,
        field_violations=(*error.violations, *count_of_rest(error.more)),
    )


def answer_batch(results: Sequence[bytes], repeated: Sequence[str]) -> ActionsAnswer:
    """Return the answer to a batch; each result byte for byte as it is kept."""
    return ActionsAnswer(
        results=tuple(msgspec.Raw(result) for result in results), repeated=tuple(repeated)
    )
