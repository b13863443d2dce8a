from datetime import timedelta

import pytest
from msgspec.structs import replace
from tests.storage.rows import (
    ACME,
    MICROSECOND,
    NOW,
    OTHER,
    STRANGE,
    add_subscriptions,
    at,
    event,
    record,
    subscription,
)

from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import SubscriptionHealth
from roundsman.storage.database import Database, Transaction
from roundsman.storage.event_deliveries import select_deliveries_of_event
from roundsman.storage.organizations import update_signing_secrets
from roundsman.storage.outbox import add_to_outbox, claim
from roundsman.storage.webhook_subscriptions import (
    LockedSubscription,
    SealedSecret,
    count_by_state,
    delete_subscription,
    find_health,
    find_organization_of,
    find_own_secrets,
    find_subscription,
    has_due_deliveries,
    hold_active_subscriptions,
    insert_subscription,
    lock_due_subscriptions,
    lock_subscriptions,
    select_subscriptions,
    update_health,
    update_own_secrets,
    update_subscription,
)

pytestmark = pytest.mark.both_databases


def test_subscriptions_are_listed_oldest_first_and_found_in_their_organization_alone(
    shared: Database,
) -> None:
    odd = subscription("s1", url=f"https://{STRANGE}.example.com", topics=tuple(Topic)[1:9])
    with shared.writing() as tx:
        insert_subscription(tx, ACME, subscription("s2"), at(1))
        insert_subscription(tx, ACME, odd, at(1))
        insert_subscription(tx, ACME, subscription("s3", active=False), at(0))
        insert_subscription(tx, OTHER, subscription("s9"), at(0))
    with shared.writing() as tx:
        assert [one.id for one in select_subscriptions(tx, ACME)] == ["s3", "s1", "s2"]
        assert select_subscriptions(tx, OTHER) == [subscription("s9")]
        assert sorted(one.id for one in hold_active_subscriptions(tx, ACME)) == ["s1", "s2"]
        assert [one.id for one in hold_active_subscriptions(tx, OTHER)] == ["s9"]
        assert find_subscription(tx, ACME, "s1") == odd
        assert find_subscription(tx, OTHER, "s1") is None
        assert [find_organization_of(tx, one) for one in ("s1", "s9", "S1")] == [ACME, OTHER, None]


def test_a_subscription_is_changed_or_removed_by_its_organization_alone(shared: Database) -> None:
    with shared.writing() as tx:
        add_subscriptions(tx, subscription("s1"), subscription("s2"))
        record(tx, event("e"))
        add_to_outbox(
            tx, [(event("e"), subscription(one), event("e").timestamp) for one in ("s1", "s2")]
        )
        off = replace(subscription("s1"), active=False, url="https://new.example.com")
        update_subscription(tx, OTHER, off)
        assert find_subscription(tx, ACME, "s1") == subscription("s1")
        update_subscription(tx, ACME, off)
        assert find_subscription(tx, ACME, "s1") == off
        assert [one.id for one in hold_active_subscriptions(tx, ACME)] == ["s2"]
        assert not delete_subscription(tx, OTHER, "s1")
        assert delete_subscription(tx, ACME, "s1")
        assert not delete_subscription(tx, ACME, "s1")
        assert select_subscriptions(tx, ACME) == [subscription("s2")]
        left = [len(select_deliveries_of_event(tx, ACME, one, "e")) for one in ("s1", "s2")]
        assert left == [0, 1]


def test_receivers_of_all_organizations_are_counted_by_how_they_are(shared: Database) -> None:
    failing = SubscriptionHealth(answered_at=NOW, failing_since=at(1))
    with shared.writing() as tx:
        assert count_by_state(tx) == {"answering": 0, "failing": 0, "inactive": 0}
        for number, (owner, is_active) in enumerate(
            ((ACME, True), (OTHER, True), (ACME, True), (ACME, False), (OTHER, False))
        ):
            insert_subscription(tx, owner, subscription(f"s{number}", active=is_active), NOW)
        update_health(tx, [("s0", failing), ("s3", failing)])
        assert count_by_state(tx) == {"answering": 2, "failing": 1, "inactive": 2}
        update_health(tx, [("s0", failing.answered(at(2)))])
        assert count_by_state(tx) == {"answering": 3, "failing": 0, "inactive": 2}


def due_ids(tx: Transaction, seconds: float = 0) -> list[str]:
    return [one.subscription.id for one in lock_due_subscriptions(tx, at(seconds))]


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
        among = [lock_due_subscriptions(tx, NOW, some) for some in (["s3", "s2", "s9"], [])]
        assert [[one.subscription.id for one in held] for held in among] == [["s3"], []]
        (held,) = lock_due_subscriptions(tx, at(5), ["s9"])
        assert held == LockedSubscription(
            organization_id=OTHER,
            subscription=subscription("s9"),
            health=SubscriptionHealth(answered_at=NOW),  # since it was made
            secrets=(
                SealedSecret(row_id=OTHER, text="old"),
                SealedSecret(row_id=OTHER, text="new"),
            ),
        )
        assert [one.subscription.id for one in lock_subscriptions(tx, ["s9", "s2", "no"])] == [
            "s2", "s9",
        ]  # fmt: skip
        assert lock_subscriptions(tx, []) == []
    with shared.writing() as tx:
        update_subscription(tx, ACME, subscription("s1", active=False))
        claim(tx, [("e1", "s3")], "worker", at(1))
        assert not has_due_deliveries(tx, NOW)
        assert due_ids(tx) == []
        assert due_ids(tx, 1) == ["s3"]
        (off,) = lock_subscriptions(tx, ["s1"])
        assert not off.subscription.active
        assert off.secrets == (SealedSecret(row_id=ACME, text=f"{ACME} signs"),)


def test_health_is_written_for_those_whose_it_is(shared: Database) -> None:
    ill = SubscriptionHealth(answered_at=at(1), failing_since=at(2), dropped_in_row=2**31 - 1)
    with shared.writing() as tx:
        add_subscriptions(tx, *(subscription(one) for one in ("s0", "s1", "s2")))
        update_health(tx, [])
        update_health(tx, [("s1", ill), ("s2", replace(ill, dropped_in_row=1))])

        def health(tx: Transaction) -> list[SubscriptionHealth]:
            return [one.health for one in lock_subscriptions(tx, ["s0", "s1", "s2"])]

        assert health(tx) == [
            SubscriptionHealth(answered_at=NOW),
            ill,
            replace(ill, dropped_in_row=1),
        ]
        update_health(tx, [("s1", ill.answered(at(3)))])
        assert health(tx)[1] == SubscriptionHealth(answered_at=at(3))
        assert find_health(tx, ACME, "s0") == SubscriptionHealth(answered_at=NOW)
        assert find_health(tx, ACME, "s2") == replace(ill, dropped_in_row=1)
        assert find_health(tx, OTHER, "s2") is None


def test_a_webhook_s_own_secrets_come_before_the_organization_s_and_are_its_own(
    shared: Database,
) -> None:
    def signing(tx: Transaction) -> list[tuple[str, str]]:
        (held,) = lock_subscriptions(tx, ["s1"])
        return [(one.row_id, one.text) for one in held.secrets]

    with shared.writing() as tx:
        insert_subscription(tx, ACME, subscription("s1"), NOW)
        organizations = signing(tx)
        assert find_own_secrets(tx, ACME, "s1") == (None, None)
        update_own_secrets(tx, ACME, "s1", None, "next")
        assert signing(tx) == [*organizations, ("s1", "next")]
        update_own_secrets(tx, ACME, "s1", "own", None)
        assert signing(tx) == [("s1", "own")]
        update_own_secrets(tx, OTHER, "s1", "stolen", "stolen")
        update_own_secrets(tx, ACME, "s1", "own", "next")
        assert signing(tx) == [("s1", "own"), ("s1", "next")]
        assert find_own_secrets(tx, ACME, "s1") == ("own", "next")
        assert find_own_secrets(tx, OTHER, "s1") is None
