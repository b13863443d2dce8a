from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
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

from roundsman.domain.event_delivery import DeliveryClaim, DeliveryState
from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import SubscriptionHealth
from roundsman.storage.database import Database, Transaction
from roundsman.storage.event_deliveries import select_deliveries_of_event
from roundsman.storage.events import find_event_ids, list_events_since
from roundsman.storage.outbox import (
    Dropped,
    DueDelivery,
    Settlement,
    add_to_outbox,
    bring_forward,
    claim,
    count_claimed,
    count_waiting,
    extend_claims,
    give_back,
    hold_claims,
    list_due,
    requeue_deliveries,
    settle,
    sum_up_dropped,
)
from roundsman.storage.webhook_subscriptions import (
    lock_due_subscriptions,
    update_health,
    update_subscription,
)

pytestmark = pytest.mark.both_databases

LEASE = timedelta(seconds=6)


@pytest.fixture
def sending(shared: Database) -> Database:
    """Events `e0` to `e3`, a second apart, on their way to `s1`, and `e0` also to `s2`."""
    with shared.writing() as tx:
        add_subscriptions(tx, subscription("s1"), subscription("s2"))
        events = [event(f"e{number}", number) for number in (2, 0, 3, 1)]
        record(tx, *events)
        add_to_outbox(tx, [(one, subscription("s1"), one.timestamp) for one in events])
        add_to_outbox(tx, [(event("e0"), subscription("s2"), event("e0").timestamp)])
        add_to_outbox(tx, [])
    return shared


def due(tx: Transaction, seconds: float = 9, receiver: str = "s1", count: int = 9) -> list[str]:
    return [one.event_id for one in list_due(tx, receiver, at(seconds), count)]


def attempt(event_id: str, number: int = 1, receiver: str = "s1") -> DeliveryClaim:
    return DeliveryClaim(event_id=event_id, subscription_id=receiver, number=number, tries=number)


def end(tx: Transaction, *claims: DeliveryClaim, state: DeliveryState, at_: datetime = NOW) -> None:
    settle(tx, [Settlement(claim=one, state=state, due_at=at_) for one in claims])


def test_what_is_due_to_a_receiver_is_listed_longest_due_first(sending: Database) -> None:
    with sending.writing() as tx:
        assert due(tx, -0.000001) == []
        assert due(tx, 0) == ["e0"]
        assert due(tx, 2) == ["e0", "e1", "e2"]
        assert due(tx, 9, count=3) == ["e0", "e1", "e2"]
        assert due(tx, 9, "s2") == ["e0"]
        assert due(tx, 9, "unknown") == []
        assert list_due(tx, "s1", at(1), 9)[1] == DueDelivery(
            event_id="e1",
            subscription_id="s1",
            attempts=0,
            attempts_before=0,
            was_claimed=False,
            due_at=at(1),
        )
        ahead = event("early", 60)
        record(tx, ahead)
        add_to_outbox(tx, [(ahead, subscription("s2"), ahead.timestamp - timedelta(minutes=1))])
        assert sorted(due(tx, 0, "s2")) == ["e0", "early"]


def test_what_is_due_later_than_can_be_is_brought_forward(sending: Database) -> None:
    with sending.writing() as tx:
        end(tx, attempt("e3"), state=DeliveryState.DELIVERED, at_=at(3))
        assert bring_forward(tx, at(1), at(0)) == 1
        assert sorted(due(tx, 0)) == ["e0", "e2"]
        assert bring_forward(tx, at(1), at(0)) == 0


def test_a_claim_hides_a_delivery_until_its_lease_ends(sending: Database) -> None:
    with sending.writing() as tx:
        claim(tx, [("e0", "s1"), ("e1", "s1"), ("e9", "s2")], "w", at(10))
        claim(tx, [], "w", at(10))
        assert due(tx) == ["e2", "e3"]
        assert due(tx, 9, "s2") == ["e0"]
        assert due(tx, 10 - 0.000001) == ["e2", "e3"]
        lost = list_due(tx, "s1", at(10), 9)[2:]
        assert [one.event_id for one in lost] in (["e0", "e1"], ["e1", "e0"])
        assert {(one.attempts, one.was_claimed, one.due_at) for one in lost} == {(1, True, at(10))}
        assert lost[0].lost_claim() == attempt(lost[0].event_id, 1)
        assert lost[0].next_claim() == attempt(lost[0].event_id, 2)


def test_only_the_worker_whose_attempt_it_is_extends_it_or_gives_it_back(
    sending: Database,
) -> None:
    """Neither an earlier attempt, nor another worker's, nor one that has ended."""
    with sending.writing() as tx:
        keys = [(f"e{number}", "s1") for number in range(4)]
        claim(tx, [*keys, ("e0", "s2")], "lost", at(5))
        claim(tx, keys[:2], "w", at(10))  # taken over: attempt 2
        end(tx, attempt("e3"), state=DeliveryState.DELIVERED, at_=at(7))
        everything = [attempt(f"e{number}") for number in range(4)]
        for change in (extend_claims, give_back):
            for ours, worker in (
                (everything[:2], "lost"),
                (everything[:2], "w"),
                ([attempt("e0", 2)], "lost"),
            ):
                change(tx, ours, worker, at(1))
            change(tx, [attempt("e3")], "lost", at(1))
            assert due(tx, 9) == ["e2"]
            assert due(tx, 4) == []
        extend_claims(tx, [attempt("e2"), attempt("e0", receiver="s2")], "lost", at(20))
        assert due(tx, 19) in (["e0", "e1"], ["e1", "e0"])
        assert due(tx, 19, "s2") == []
        give_back(tx, [attempt("e0", 2)], "w", at(8))
        (back,) = list_due(tx, "s1", at(8), 9)
        assert (back.event_id, back.attempts, back.was_claimed) == ("e0", 1, False)
        assert back.due_at == at(8)
        give_back(tx, [attempt("e0", 2)], "w", at(8))  # a second time it is nobody's
        assert [one.attempts for one in list_due(tx, "s1", at(8), 9)] == [1]


def test_claims_that_somebody_took_over_are_not_held(sending: Database) -> None:
    with sending.writing() as tx:
        claim(tx, [("e0", "s1"), ("e1", "s1"), ("e2", "s1"), ("e0", "s2")], "w", at(5))
        claim(tx, [("e1", "s1")], "other", at(9))
        end(tx, attempt("e2"), state=DeliveryState.DROPPED)
        asked = [attempt(f"e{number}") for number in range(4)]
        assert hold_claims(tx, asked) == {("e0", "s1")}
        assert hold_claims(tx, [*asked[:1], attempt("e0", receiver="s2")]) == {
            ("e0", "s1"), ("e0", "s2"),
        }  # fmt: skip
        assert hold_claims(tx, [attempt("e1", 2), attempt("e0", 2)]) == {("e1", "s1")}
        assert hold_claims(tx, []) == set()


def test_what_is_settled_is_done_with_or_due_again_and_nobody_elses_is_touched(
    sending: Database,
) -> None:
    with sending.writing() as tx:
        keys = [("e0", "s1"), ("e1", "s1"), ("e2", "s1"), ("e0", "s2")]
        claim(tx, keys, "w", at(20))
        settle(tx, [])
        settle(
            tx,
            [
                Settlement(claim=attempt("e0"), state=DeliveryState.DELIVERED, due_at=at(4)),
                Settlement(claim=attempt("e1"), state=DeliveryState.PENDING, due_at=at(5)),
                Settlement(claim=attempt("e2"), state=DeliveryState.DROPPED, due_at=at(6)),
            ],
        )
        assert due(tx, 5 - 0.000001) == ["e3"]
        again = list_due(tx, "s1", at(9), 9)[1]
        assert (again.event_id, again.attempts, again.was_claimed) == ("e1", 1, False)
        states = [
            select_deliveries_of_event(tx, ACME, "s1", f"e{number}")[0].state for number in range(4)
        ]
        assert [one.value for one in states] == ["DELIVERED", "PENDING", "DROPPED", "PENDING"]
        assert select_deliveries_of_event(tx, ACME, "s2", "e0")[0].state is DeliveryState.PENDING
        assert hold_claims(tx, [attempt("e0", receiver="s2")]) == {("e0", "s2")}


def test_what_was_given_up_since_a_moment_is_summed_up_for_one_receiver(sending: Database) -> None:
    with sending.writing() as tx:
        end(tx, attempt("e1"), state=DeliveryState.DROPPED, at_=at(5))
        end(tx, attempt("e2"), state=DeliveryState.DROPPED, at_=at(6))
        end(tx, attempt("e3"), state=DeliveryState.DELIVERED, at_=at(6))
        end(tx, attempt("e0", receiver="s2"), state=DeliveryState.DROPPED, at_=at(7))
        assert sum_up_dropped(tx, "s1", at(5)) == Dropped(count=2, earliest=at(1))
        assert sum_up_dropped(tx, "s1", at(5) + MICROSECOND) == Dropped(count=1, earliest=at(2))
        assert sum_up_dropped(tx, "s1", at(7)) == Dropped(count=0)
        assert sum_up_dropped(tx, "s2", at(5)) == Dropped(count=1, earliest=at(0))


def test_attempts_are_counted_by_receiver_and_worker_while_their_leases_run(
    sending: Database,
) -> None:
    with sending.writing() as tx:
        claim(tx, [("e0", "s1"), ("e1", "s1")], "w", NOW + LEASE)
        claim(tx, [("e2", "s1")], "v", NOW + MICROSECOND)
        claim(tx, [("e0", "s2")], "w", NOW + LEASE)
        both = ["s1", "s2"]
        assert count_claimed(tx, both, NOW, LEASE) == {
            ("s1", "w"): 2, ("s1", "v"): 1, ("s2", "w"): 1,
        }  # fmt: skip
        assert count_claimed(tx, ["s2"], NOW, LEASE) == {("s2", "w"): 1}
        assert count_claimed(tx, [], NOW, LEASE) == {}
        # What is due later than any lease was tried before; what is due by now has been lost.
        assert count_claimed(tx, both, NOW - MICROSECOND, LEASE) == {("s1", "v"): 1}
        assert count_claimed(tx, both, NOW + MICROSECOND, LEASE) == {("s1", "w"): 2, ("s2", "w"): 1}
        end(tx, attempt("e0"), state=DeliveryState.PENDING, at_=at(1))
        end(tx, attempt("e1"), state=DeliveryState.DELIVERED, at_=at(1))
        assert count_claimed(tx, both, NOW, LEASE) == {("s1", "v"): 1, ("s2", "w"): 1}


def test_events_are_asked_for_again_or_for_the_first_time_by_one_receiver(
    sending: Database,
) -> None:
    with sending.writing() as tx:
        record(tx, event("missed", 4), event("old", -1), event("e9", 4, organization_id=OTHER))
        claim(tx, [("e0", "s1"), ("e1", "s1"), ("e0", "s2")], "w", at(20))
        end(tx, attempt("e0"), state=DeliveryState.DELIVERED, at_=at(1))
        end(tx, attempt("e0", receiver="s2"), state=DeliveryState.DROPPED, at_=at(1))
        past = list_events_since(tx, ACME, [Topic.ROUTE_CREATED], NOW, 99)
        chosen = [one.id for one in past]
        assert requeue_deliveries(tx, "s1", chosen, at(7)) == 2
        assert due(tx, 7 - 0.000001) == ["e2", "e3"]
        again, missed = sorted(list_due(tx, "s1", at(7), 9)[2:], key=lambda one: one.event_id)
        assert (again.event_id, again.attempts, again.attempts_before) == ("e0", 1, 1)
        assert again.next_claim() == DeliveryClaim(
            event_id="e0", subscription_id="s1", number=2, tries=1
        )
        assert (missed.event_id, missed.attempts, missed.was_claimed) == ("missed", 0, False)
        assert hold_claims(tx, [attempt("e1")]) == {("e1", "s1")}  # still on its way
        assert due(tx, 99, "s2") == []
        assert requeue_deliveries(tx, "s1", chosen, at(8)) == 0
        known = sorted(find_event_ids(tx, ACME, ["e0", "e9"]))
        assert requeue_deliveries(tx, "s2", known, at(8)) == 1
        assert requeue_deliveries(tx, "s2", [], at(8)) == 0
        assert due(tx, 8, "s2") == ["e0"]


def test_what_waits_for_active_receivers_is_counted_the_oldest_for_one_that_answers(
    sending: Database,
) -> None:
    with sending.writing() as tx:
        assert count_waiting(tx) == (5, NOW)
        end(tx, attempt("e0"), attempt("e0", receiver="s2"), state=DeliveryState.DELIVERED)
        assert count_waiting(tx) == (3, at(1))
        update_health(tx, [("s1", SubscriptionHealth(answered_at=NOW, failing_since=NOW))])
        assert count_waiting(tx) == (3, None)
        update_subscription(tx, ACME, subscription("s1", active=False))
        assert count_waiting(tx) == (0, None)


def test_of_many_workers_each_delivery_is_claimed_by_one(shared: Database) -> None:
    names = [f"s{number}" for number in range(4)]
    events = [event(f"e{number}") for number in range(10)]
    with shared.writing() as tx:
        add_subscriptions(tx, *(subscription(one) for one in names))
        record(tx, *events)
        add_to_outbox(
            tx, [(one, subscription(name), one.timestamp) for one in events for name in names]
        )

    def work(worker: int) -> Iterable[tuple[str, str]]:
        taken: list[tuple[str, str]] = []
        for _ in range(12):
            with shared.writing() as tx:
                for held in lock_due_subscriptions(tx, NOW):
                    found = list_due(tx, held.subscription.id, NOW, 3)
                    keys = [(one.event_id, one.subscription_id) for one in found]
                    claim(tx, keys, str(worker), at(60))
                    taken += keys
        return taken

    with ThreadPoolExecutor(4) as workers:
        taken = [key for found in workers.map(work, range(4)) for key in found]
    assert len(taken) == len(set(taken))
    with shared.writing() as tx:
        left = [key for name in names for key in due(tx, 0, name)]
        assert len(taken) + len(left) == 40
        assert sum(count_claimed(tx, names, NOW, timedelta(minutes=1)).values()) == len(taken)
