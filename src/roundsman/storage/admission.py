"""Who asks and whether they may ask now, for all requests that arrived together: one statement.

PostgreSQL only: there, whose token it is and a bucket that processes share were two round trips for
each request. Here it is one for all of them, and each client's bucket is written once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import ARRAY, LargeBinary, String, bindparam, column, func, select
from sqlalchemy.dialects.postgresql import insert

from roundsman.domain.caller import Caller
from roundsman.kit.leaky_bucket import Rate, Verdict, divide
from roundsman.storage.access import HOLDERS
from roundsman.storage.database import Database
from roundsman.storage.lookups import Lookup
from roundsman.storage.rate_buckets import INTERVAL, NOW, SPAN, StoredBuckets, unless_too_much
from roundsman.storage.tables import access_tokens, rate_buckets

type Admitted = tuple[Caller, Verdict]
"""Who holds a token, and what their bucket says."""

_PREFIX = bindparam("prefix", type_=String)


def _admitting() -> Lookup:
    asked = (
        func.unnest(bindparam("token_hashes", type_=ARRAY(LargeBinary)))
        .table_valued(column("token_hash", LargeBinary), with_ordinality="place")
        .render_derived(name="asked")
    )
    is_asked_about = asked.c.token_hash == access_tokens.c.token_hash
    holders = HOLDERS.add_columns(asked.c.place).join(asked, is_asked_about).cte("holders")
    key = _PREFIX + holders.c.id
    cost = func.count() * INTERVAL
    # Whoever locks rows in one order never waits for one who waits for them.
    costs = select(key, NOW + cost).group_by(holders.c.id).having(cost <= SPAN).order_by(key)
    taking = unless_too_much(insert(rate_buckets).from_select(["key", "full_at"], costs))
    taken = taking.returning(rate_buckets.c.key, rate_buckets.c.full_at).cte("taken")
    return Lookup(
        select(holders, taken.c.full_at)
        .select_from(holders.outerjoin(taken, taken.c.key == key))
        .order_by(holders.c.place)
    )


_ADMIT = _admitting()


@dataclass(frozen=True, slots=True)
class _Client:
    caller: Caller
    full_at: int | None
    """When their bucket is full again, if it had room for all their requests."""

    places: list[int] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class JointAdmission:
    """Admits the clients of one installation, whose buckets are named with a prefix."""

    database: Database
    rate: Rate
    prefix: str

    def admit_all(self, token_hashes: Sequence[bytes], now: int) -> list[Admitted | None]:
        """Return who holds each token and whether they are let in; None where nobody holds it."""
        admitted: list[Admitted | None] = [None] * len(token_hashes)
        for client in self._take(token_hashes, now):
            for place, verdict in zip(client.places, self._verdicts(client, now), strict=True):
                admitted[place] = (client.caller, verdict)
        return admitted

    def _take(self, token_hashes: Sequence[bytes], now: int) -> Iterable[_Client]:
        rows = self.database.list_rows(
            _ADMIT,
            token_hashes=token_hashes,
            now=now,
            prefix=self.prefix,
            interval=self.rate.interval_micros,
            span=self.rate.span_micros,
        )
        clients: dict[str, _Client] = {}
        for organization_id, client_id, email, place, full_at in rows:
            client = clients.get(client_id)
            if client is None:
                caller = Caller(organization_id=organization_id, client_id=client_id, email=email)
                client = clients[client_id] = _Client(caller, full_at)
            client.places.append(place - 1)
        return clients.values()

    def _verdicts(self, client: _Client, now: int) -> list[Verdict]:
        wanted = len(client.places)
        if client.full_at is not None:
            return divide(client.full_at, wanted, wanted, now, self.rate)
        key = self.prefix + client.caller.client_id
        return StoredBuckets(self.database).take_some(key, now, self.rate, wanted)
