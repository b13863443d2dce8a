"""The same request twice has one effect (specification, Idempotency; decisions §4)."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from roundsman.domain.errors import Aborted, FieldViolation, InvalidArgument, Unavailable
from roundsman.operations.tools import Tools
from roundsman.storage import idempotency as records
from roundsman.storage.database import Transaction
from roundsman.storage.idempotency import Claim, Record, StoredAnswer

__all__ = [
    "AnswerRecorder",
    "Claim",
    "StoredAnswer",
    "claim_or_replay",
    "keep_result",
    "release_claim",
]

KEPT_FOR = timedelta(hours=24)
_CLAIMED_FOR = timedelta(seconds=120)
"""How long a claim without an answer is believed to be worked on, longer than any request runs.

A claim whose process is gone is not believed at all. Neither belief is needed for correctness: a
claim that was taken over cannot be answered, so its effect does not happen.
"""
_LONGEST_WAIT_SECONDS = 5.0
_POLL_SECONDS = 0.02


@dataclass(kw_only=True, slots=True)
class AnswerRecorder:
    """Keeps a request's answer in the transaction that earned it; a `Receipt`."""

    claim: Claim
    render: Callable[[Any], bytes]
    head: Callable[[object], Mapping[str, str]]
    """Returns what is said of a result in headers."""

    answer: StoredAnswer | None = None

    def keep(self, tx: Transaction, result: object, now: datetime) -> None:
        """Store the answer to this result."""
        self.answer = self.show(result)
        records.keep_answer(tx, self.claim, self.answer, now)

    def show(self, result: object) -> StoredAnswer:
        """Return the answer to a result as it is stored."""
        return StoredAnswer(body=self.render(result), headers=self.head(result))


def keep_result(tools: Tools, recorder: AnswerRecorder, result: object) -> StoredAnswer:
    """Store and return the answer of an operation that changed nothing in the database."""
    answer = recorder.show(result)
    with tools.database.writing() as tx:
        records.keep_answer(tx, recorder.claim, answer, tools.clock.now())
    return answer


def claim_or_replay(tools: Tools, claim: Claim) -> StoredAnswer | None:
    """Claim a key, or return the answer that it already earned.

    While the first request runs, wait for it; raise Aborted when it takes too long, and
    InvalidArgument when the key belongs to another request.
    """
    deadline = time.monotonic() + _LONGEST_WAIT_SECONDS
    while True:
        try:
            is_ours, held = _claim(tools, claim)
        except Unavailable:
            # It may have been written all the same: the answer to a commit can be lost.
            tools.abandoned_claims.append(claim.mark)
            raise
        if is_ours:
            return None
        if held is None:
            continue  # the request that held it has just failed
        if held.fingerprint != claim.fingerprint:
            problem = "was used for another request"
            violation = FieldViolation(field="Idempotency-Key", description=problem)
            raise InvalidArgument(f"Idempotency-Key {problem}", [violation])
        if held.answer is not None:
            return held.answer
        if time.monotonic() > deadline:
            raise Aborted("the same idempotency key is being worked on; try again")
        time.sleep(_POLL_SECONDS)


def _claim(tools: Tools, claim: Claim) -> tuple[bool, Record | None]:
    """Return whether the key is ours now, and who holds it when it is not."""
    now = tools.clock.now()
    tools.database.presence.show(claim.holder)
    with tools.database.reading() as tx:
        held = records.find_record(tx, claim.client_id, claim.key)
        if held is not None and not (_is_past(tools, tx, held, now) or _is_abandoned(tools, held)):
            return False, held
    with tools.database.writing() as tx:
        if held is None:
            is_ours = records.add_claim(tx, claim, now)
        else:
            is_ours = records.take_over(tx, claim, held, now)
        return is_ours, records.find_record(tx, claim.client_id, claim.key)


def _is_past(tools: Tools, tx: Transaction, held: Record, now: datetime) -> bool:
    age = now - held.claimed_at
    if held.answer is not None:
        return age >= KEPT_FOR
    if age >= _CLAIMED_FOR:
        return True
    return held.holder is not None and not tools.database.presence.is_shown(tx, held.holder)


def _is_abandoned(tools: Tools, held: Record) -> bool:
    return held.answer is None and held.claim in tools.abandoned_claims


def release_claim(tools: Tools, claim: Claim) -> None:
    """Forget a claim whose request failed, so that it leaves no record.

    While the database is away it can only be noted that nobody works on it; whoever sends the
    request again takes it over, and need not wait until the claim is past.
    """
    try:
        with tools.database.writing() as tx:
            records.release(tx, claim)
    except Unavailable:
        tools.abandoned_claims.append(claim.mark)
