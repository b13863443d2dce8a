import pytest
from msgspec.structs import replace
from tests.storage.rows import (
    ACME,
    NOW,
    OTHER,
    STRANGE,
    add_subscriptions,
    at,
    event,
    record,
    subscription,
)

from roundsman.domain.receiver_health import ReceiverHealth
from roundsman.domain.topics import Topic
from roundsman.storage.database import Database
from roundsman.storage.delivery_history import select_deliveries_of_event
from roundsman.storage.outbox import add_to_outbox
from roundsman.storage.receivers import update_health
from roundsman.storage.subscriptions import (
    count_by_state,
    delete_subscription,
    find_organization_of,
    find_subscription,
    hold_receivers,
    insert_subscription,
    select_subscriptions,
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
        assert sorted(one.id for one in hold_receivers(tx, ACME)) == ["s1", "s2"]
        assert [one.id for one in hold_receivers(tx, OTHER)] == ["s9"]
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
        assert [one.id for one in hold_receivers(tx, ACME)] == ["s2"]
        assert not delete_subscription(tx, OTHER, "s1")
        assert delete_subscription(tx, ACME, "s1")
        assert not delete_subscription(tx, ACME, "s1")
        assert select_subscriptions(tx, ACME) == [subscription("s2")]
        left = [len(select_deliveries_of_event(tx, ACME, one, "e")) for one in ("s1", "s2")]
        assert left == [0, 1]


def test_receivers_of_all_organizations_are_counted_by_how_they_are(shared: Database) -> None:
    failing = ReceiverHealth(answered_at=NOW, failing_since=at(1))
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
