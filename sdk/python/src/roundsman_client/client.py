"""The client of programs that wait for each answer; it may be shared by threads."""

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import batched
from typing import Any, Self

import httpx2

from roundsman_client.calls import (
    Access,
    Answered,
    Call,
    IncomingResponse,
    OutgoingRequest,
    Pause,
    SignIn,
    Steps,
    carry_out,
    root_of,
)
from roundsman_client.errors import ConnectionFailed, InvalidArgument, RoundsmanError
from roundsman_client.models import ImportedStop, StopDraftInput
from roundsman_client.operations import Operations

MOST_IMPORTED_AT_ONCE = 200


class Roundsman(Operations):
    """Asks a service as one API client.

    Tokens are got and renewed by themselves. A change has an idempotency key before its first try,
    and is tried again after a lost connection, 429 and 503, as long as the service asks for.
    """

    def __init__(  # noqa: PLR0913 -- each is a setting with a usual value
        self,
        url: str,
        client_id: str,
        client_secret: str,
        *,
        tries: int = 5,
        timeout: float = 60.0,
        http: httpx2.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        on_answer: Callable[[Answered], None] | None = None,
    ) -> None:
        self._access = Access(
            url=root_of(url),
            client_id=client_id,
            client_secret=client_secret,
            tries=tries,
            on_answer=on_answer,
        )
        self._http = http or httpx2.Client(timeout=timeout)
        self._sleep = sleep
        self._clock = clock
        self._signing_in = threading.Lock()

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def import_all_stops(
        self, stops: Iterable[StopDraftInput], *, key: str | None = None
    ) -> Iterator[ImportedStop]:
        """Import any number of stops, in pieces of 200; each piece is imported whole or not.

        With a `key` of your own the same stops may be sent again after a crash: pieces that were
        imported are answered again. A refusal names stops by their index in `stops`; the pieces
        before it are imported.
        """
        key = key or str(uuid.uuid4())
        for number, piece in enumerate(batched(stops, MOST_IMPORTED_AT_ONCE)):
            try:
                answer = self.import_stops(list(piece), idempotency_key=f"{key}-{number}")
            except InvalidArgument as error:
                error.count_from(number * MOST_IMPORTED_AT_ONCE)
                raise
            yield from answer["stops"]

    def _send(self, call: Call) -> Any:
        return self._drive(carry_out(self._access, call, self._clock))

    def _walk(self, call: Call, rows: str) -> Iterator[Any]:
        page = self._send(call)
        yield from page[rows]
        while page["nextCursor"]:
            # The arguments go along: a service that forgets them would begin anew.
            page = self._send(replace(call, query={**call.query, "cursor": page["nextCursor"]}))
            yield from page[rows]

    def _drive(self, steps: Steps) -> Any:
        came: IncomingResponse | Exception | None = None
        while True:
            try:
                step = steps.send(came)
            except StopIteration as done:
                return done.value
            came = None
            if isinstance(step, Pause):
                self._sleep(step.seconds)
            elif isinstance(step, SignIn):
                came = self._sign_in(step)
            else:
                came = self._exchange(step)

    def _sign_in(self, step: SignIn) -> RoundsmanError | None:
        with self._signing_in:
            try:
                self._drive(step.steps)
            except RoundsmanError as error:
                return error
        return None

    def _exchange(self, request: OutgoingRequest) -> IncomingResponse | Exception:
        try:
            answer = self._http.request(
                request.method, request.url, headers=dict(request.headers), content=request.content
            )
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            return ConnectionFailed(str(error), was_never_sent=True)
        except httpx2.TransportError as error:
            return ConnectionFailed(str(error) or type(error).__name__)
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return IncomingResponse(status=answer.status_code, headers=headers, content=answer.content)
