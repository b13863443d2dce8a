from datetime import timedelta

import pytest
from msgspec.structs import replace
from tests.storage.rows import (
    ACME,
    MICROSECOND,
    NOW,
    OTHER,
    add_subscriptions,
    at,
    event,
    record,
    subscription,
)

from roundsman.domain.receiver_health import ReceiverHealth
from roundsman.storage.database import Database, Transaction
from roundsman.storage.organizations import update_signing_secrets
from roundsman.storage.outbox import add_to_outbox, claim
from roundsman.storage.receivers import (
    Receiver,
    has_due_deliveries,
    hold_due_receivers,
    hold_receivers_of,
    update_health,
)
from roundsman.storage.subscriptions import update_subscription

pytestmark = pytest.mark.both_databases


def due_ids(tx: Transaction, seconds: float = 0) -> list[str]:
    return [one.subscription.id for one in hold_due_receivers(tx, at(seconds))]


def test_who_waits_for_something_due_is_held_with_health_and_secrets(shared: Database) -> None:
    theirs = event("e2", organization_id=OTHER)
    with shared.writing() as tx:
        add_subscriptions(tx, *(subscription(one) for one in ("s3", "s1", "s2")))
        add_subscriptions(tx, subscription("s9"), owner=OTHER)
        record(tx, event("e1"), theirs)
        assert not has_due_deliveries(tx, at(9))
        add_to_outbox(
            tx, [(event("e1"), subscription(one), event("e1").timestamp) for one in ("s1", "s3")]
        )
        add_to_outbox(tx, [(theirs, subscription("s9"), theirs.timestamp - timedelta(seconds=-5))])
        update_signing_secrets(tx, OTHER, "old", "new")
    with shared.writing() as tx:
        assert [has_due_deliveries(tx, one) for one in (NOW - MICROSECOND, NOW)] == [False, True]
        assert due_ids(tx, -1) == []
        assert due_ids(tx) == ["s1", "s3"]
        assert due_ids(tx, 5) == ["s1", "s3", "s9"]
        among = [hold_due_receivers(tx, NOW, some) for some in (["s3", "s2", "s9"], [])]
        assert [[one.subscription.id for one in held] for held in among] == [["s3"], []]
        (held,) = hold_due_receivers(tx, at(5), ["s9"])
        assert held == Receiver(
            organization_id=OTHER,
            subscription=subscription("s9"),
            health=ReceiverHealth(answered_at=NOW),  # since it was made
            secrets=("old", "new"),
        )
        assert [one.subscription.id for one in hold_receivers_of(tx, ["s9", "s2", "no"])] == [
            "s2", "s9",
        ]  # fmt: skip
        assert hold_receivers_of(tx, []) == []
    with shared.writing() as tx:
        update_subscription(tx, ACME, subscription("s1", active=False))
        claim(tx, [("e1", "s3")], "worker", at(1))
        assert not has_due_deliveries(tx, NOW)
        assert due_ids(tx) == []
        assert due_ids(tx, 1) == ["s3"]
        (off,) = hold_receivers_of(tx, ["s1"])
        assert (off.subscription.active, off.secrets) == (False, (f"{ACME} signs",))


def test_health_is_written_for_those_whose_it_is(shared: Database) -> None:
    ill = ReceiverHealth(answered_at=at(1), failing_since=at(2), dropped_in_row=2**31 - 1)
    with shared.writing() as tx:
        add_subscriptions(tx, *(subscription(one) for one in ("s0", "s1", "s2")))
        update_health(tx, [])
        update_health(tx, [("s1", ill), ("s2", replace(ill, dropped_in_row=1))])

        def health(tx: Transaction) -> list[ReceiverHealth]:
            return [one.health for one in hold_receivers_of(tx, ["s0", "s1", "s2"])]

        assert health(tx) == [ReceiverHealth(answered_at=NOW), ill, replace(ill, dropped_in_row=1)]
        update_health(tx, [("s1", ill.answered(at(3)))])
        assert health(tx)[1] == ReceiverHealth(answered_at=at(3))
