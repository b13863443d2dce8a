"""One unit of work: a transaction, who asked, when, and what happened in it.

Every mutating operation opens exactly one, changes and records through it, and ends with
`return work.done(result)`. State, events and the caller's receipt (the idempotency record) commit
together or not at all.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from roundsman.domain.caller import Caller
from roundsman.domain.events import Actor, Happening
from roundsman.domain.noun import UNSET
from roundsman.domain.route import AssignedRoute
from roundsman.geocoding.geocoder import Geocoder
from roundsman.kit.clock import Clock
from roundsman.kit.ids import IdSource
from roundsman.kit.recent import RecentBytes
from roundsman.operations.events import record_events
from roundsman.roads.network import RoadNetwork
from roundsman.storage.database import Database, Transaction
from roundsman.webhooks.address_guard import AddressGuard


@dataclass(slots=True)
class PublicAddress:
    """Where others reach this installation; without a setting, a server learns it by listening."""

    url: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownRoute:
    """What a rendered route was rendered from."""

    version: int
    assigned: AssignedRoute


_MOST_BYTES_OF_ROUTES = 16 * 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Tools:
    """What every operation is handed; made once by the composition root."""

    database: Database
    clock: Clock
    ids: IdSource
    geocoder: Geocoder
    roads: RoadNetwork
    cursor_key: bytes
    link_key: bytes
    address: PublicAddress
    address_guard: AddressGuard
    recent_routes: RecentBytes[ShownRoute] = field(
        default_factory=lambda: RecentBytes(_MOST_BYTES_OF_ROUTES)
    )


class Receipt(Protocol):
    """Keeps an operation's answer in the transaction that earned it."""

    def keep(self, tx: Transaction, result: object, now: datetime) -> None:
        """Store the answer to this result."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """Who asks for a change, what they may be told again, and when to stop working on it."""

    caller: Caller
    receipt: Receipt | None = None
    cancelled: Callable[[], bool] | None = None
    actor: Actor | None = None
    """Who is told to have done it, where that is not the API client's developer."""

    def told_actor(self) -> Actor:
        """Return whom events name (specification, Events, `user`)."""
        return self.actor or Actor(email=self.caller.email or UNSET)


@dataclass(kw_only=True, slots=True)
class Work:
    """An open unit of work."""

    tx: Transaction
    organization_id: str
    now: datetime
    ids: IdSource
    receipt: Receipt | None
    happenings: list[Happening] = field(default_factory=list)
    is_done: bool = False

    def record(self, happenings: Sequence[Happening]) -> None:
        """Note what happened; it is written when the work ends."""
        self.happenings.extend(happenings)

    def done[T](self, result: T) -> T:
        """End the work with its result."""
        if self.receipt is not None:
            self.receipt.keep(self.tx, result, self.now)
        self.is_done = True
        return result


@contextmanager
def begin_work(tools: Tools, request: Request) -> Iterator[Work]:
    """Open a unit of work; it commits when the block ends well."""
    with tools.database.writing() as tx:
        work = Work(
            tx=tx,
            organization_id=request.caller.organization_id,
            now=tools.clock.now(),
            ids=tools.ids,
            receipt=request.receipt,
        )
        yield work
        if not work.is_done:
            raise RuntimeError("an operation ended its work without saying that it was done")
        if work.happenings:
            record_events(
                work.tx,
                work.organization_id,
                work.happenings,
                actor=request.told_actor(),
                now=work.now,
                ids=tools.ids,
            )
