from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError
from tests.storage.rows import (
    ACME,
    MICROSECOND,
    OTHER,
    STRANGE,
    add_subscriptions,
    at,
    event,
    record,
    subscription,
)

from roundsman.domain.event_delivery import (
    Attempt,
    DeliveryClaim,
    DeliveryReport,
    DeliveryState,
    Ended,
)
from roundsman.domain.issue import IssueType
from roundsman.domain.topics import Topic
from roundsman.storage.database import Database
from roundsman.storage.event_deliveries import (
    add_attempts,
    select_deliveries,
    select_deliveries_of_event,
)
from roundsman.storage.outbox import Settlement, add_to_outbox, settle

pytestmark = pytest.mark.both_databases

STATES = [DeliveryState.PENDING, DeliveryState.DELIVERED, DeliveryState.DROPPED]


def claim(event_id: str, number: int = 1) -> DeliveryClaim:
    return DeliveryClaim(event_id=event_id, subscription_id="s", number=number, tries=number)


@pytest.fixture
def sent(shared: Database) -> Database:
    """Events `e0` to `e5`, sent to `s`: a pending, a delivered and a dropped one, twice over."""
    with shared.writing() as tx:
        add_subscriptions(tx, subscription("s"), subscription("s2"))
        for number, state in enumerate(STATES * 2):
            one = event(f"e{number}", number, topic=Topic.STOP_UPDATED)
            record(tx, one)
            add_to_outbox(tx, [(one, subscription("s"), one.timestamp)])
            done = Settlement(claim=claim(one.id), state=state, due_at=at(100 + number))
            settle(tx, [done])
    return shared


def test_attempts_are_told_as_they_went_in_their_order(sent: Database) -> None:
    first = Attempt(started_at=at(1), duration=MICROSECOND, status=500, answer=STRANGE)
    long = Attempt(
        started_at=at(2),
        duration=timedelta(hours=1, microseconds=7),
        error=STRANGE,
        error_type=IssueType.NO_ANSWER_IN_TIME,
    )
    tenth = Attempt(started_at=at(3), duration=timedelta(), status=200)
    with sent.writing() as tx:
        add_attempts(tx, [])
        add_attempts(
            tx,
            [
                Ended(claim=claim("e0", 10), attempt=tenth),
                Ended(claim=claim("e0", 2), attempt=long),
                Ended(claim=claim("e0", 1), attempt=first),
                Ended(claim=claim("e1", 1), attempt=tenth),
            ],
        )
        for unknown in (claim("e0", 1), claim("e9", 1)):
            with pytest.raises(IntegrityError), tx.begin_nested():
                add_attempts(tx, [Ended(claim=unknown, attempt=first)])
    with sent.reading() as tx:
        if sent.dialect_name == "postgresql":
            # The key's index would put them in order by itself, as long as it is chosen.
            for way in ("indexscan", "bitmapscan"):
                tx.exec_driver_sql(f"SET LOCAL enable_{way} TO OFF")
        assert select_deliveries_of_event(tx, ACME, "s", "e0") == [
            DeliveryReport(
                event_id="e0",
                topic=Topic.STOP_UPDATED,
                event_timestamp=at(0),
                state=DeliveryState.PENDING,
                attempts=(first, long, tenth),
                due_at=at(100),
            )
        ]
        assert select_deliveries_of_event(tx, ACME, "s", "e1") == [
            DeliveryReport(
                event_id="e1",
                topic=Topic.STOP_UPDATED,
                event_timestamp=at(1),
                state=DeliveryState.DELIVERED,
                attempts=(tenth,),
            )
        ]
        assert select_deliveries_of_event(tx, OTHER, "s", "e0") == []
        assert select_deliveries_of_event(tx, ACME, "s2", "e0") == []


def test_a_receivers_latest_deliveries_are_listed_newest_event_first_whatever_their_state(
    sent: Database,
) -> None:
    newest_first = ["e5", "e4", "e3", "e2", "e1", "e0"]
    with sent.reading() as tx:
        for count in (1, 3, 6, 9):
            listed = select_deliveries(tx, ACME, "s", None, None, count)
            assert [one.event_id for _, one in listed] == newest_first[:count]
            further = select_deliveries(tx, ACME, "s", None, listed[-1][0], 9)
            assert [one.event_id for _, one in further] == newest_first[count:]
        for number, state in enumerate(STATES):
            listed = select_deliveries(tx, ACME, "s", state, None, 9)
            assert [one.event_id for _, one in listed] == [f"e{number + 3}", f"e{number}"]
            assert {one.state for _, one in listed} == {state}
            assert select_deliveries(tx, OTHER, "s", state, None, 9) == []
        assert select_deliveries(tx, OTHER, "s", None, None, 9) == []
        assert select_deliveries(tx, ACME, "s2", None, None, 9) == []
