from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from tests.storage.pages import read_all
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

from roundsman.domain.event import Actor, Event, RenderedEvent
from roundsman.domain.event_delivery import Attempt, DeliveryClaim, Ended
from roundsman.domain.topics import Topic
from roundsman.storage.database import Database, Transaction
from roundsman.storage.event_deliveries import add_attempts, select_deliveries_of_event
from roundsman.storage.events import (
    EventFilter,
    add_events,
    find_event_ids,
    latest_timestamp,
    latest_timestamps,
    list_events_since,
    load_events,
    remove_old_events,
    select_events,
)
from roundsman.storage.outbox import add_to_outbox
from roundsman.storage.tables import delivery_attempts, event_payloads, outbox

pytestmark = pytest.mark.both_databases

ALL = EventFilter(topic=None, starting=None, ending=None)
BODY = f'{{"name": "{STRANGE}"}}'.encode()


def count(tx: Transaction, table: Any) -> int:
    return int(tx.execute(select(func.count()).select_from(table)).scalar_one())


def read_pages(
    tx: Transaction, wanted: EventFilter = ALL, size: int = 2, owner: str = ACME
) -> list[str]:
    """Return the ids of all pages."""
    found = read_all(lambda after, some: select_events(tx, owner, wanted, after, some), size)
    return [told.event.id for told in found]


def test_events_are_told_as_they_happened_with_the_payload_that_they_share(
    shared: Database,
) -> None:
    everybody = Actor(
        store_user_id="1", email="a@b.example", driver_id="d", ip_address="::1", user_agent=STRANGE
    )
    shown = event("e1", payload_id="p1", actor=everybody, object_id=STRANGE)
    likewise = event("e2", payload_id="p1", topic=Topic.STOP_UPDATED)
    alone, theirs = event("e3"), event("e4", organization_id=OTHER)
    with shared.writing() as tx:
        add_events(tx, [shown, likewise, alone], {"p1": BODY, "p2": b"{}"})
        record(tx, theirs)
        with pytest.raises(IntegrityError), tx.begin_nested():
            record(tx, event("e1"))
    with shared.reading() as tx:
        told = load_events(tx, ["e1", "e2", "e3", "e4", "e5"])
        assert told == {
            "e1": RenderedEvent(event=shown, payload=BODY),
            "e2": RenderedEvent(event=likewise, payload=BODY),
            "e3": RenderedEvent(event=alone, payload=None),
            "e4": RenderedEvent(event=theirs, payload=None),
        }
        assert load_events(tx, []) == {}
        listed = [one for _, one in select_events(tx, ACME, ALL, None, 9)]
        assert listed == [told["e1"], told["e2"], told["e3"]]


@pytest.mark.spec("decisions §5")
def test_pages_of_events_neither_miss_nor_repeat_one_oldest_first(shared: Database) -> None:
    with shared.writing() as tx:
        record(tx, *(event(id_, 1) for id_ in ("e4", "e2", "e3")))
        record(tx, event("e5", 1.000001, topic=Topic.STOP_UPDATED), event("e1", 0.999999))
        record(tx, event("e9", 1, organization_id=OTHER))
    with shared.reading() as tx:
        for size in (1, 2, 3, 5, 6):
            assert read_pages(tx, size=size) == ["e1", "e2", "e3", "e4", "e5"]
        assert read_pages(tx, owner=OTHER) == ["e9"]
        of_topic = EventFilter(topic=Topic.STOP_UPDATED, starting=None, ending=None)
        assert read_pages(tx, of_topic) == ["e5"]
        between = EventFilter(topic=None, starting=at(1), ending=at(1) + MICROSECOND)
        assert read_pages(tx, between) == ["e2", "e3", "e4"]
        before = EventFilter(topic=Topic.ROUTE_CREATED, starting=None, ending=at(1))
        assert read_pages(tx, before) == ["e1"]


def test_it_is_known_when_objects_and_organizations_last_had_an_event(shared: Database) -> None:
    with shared.writing() as tx:
        assert latest_timestamp(tx, ACME) is None
        record(tx, *(event(f"a{number}", number, object_id="a") for number in (1, 3, 2)))
        record(tx, *(event(f"many {number}", -1, object_id=str(number)) for number in range(600)))
        record(tx, event("z", 9, organization_id=OTHER, object_id="z"))
    with shared.reading() as tx:
        assert (latest_timestamp(tx, ACME), latest_timestamp(tx, OTHER)) == (at(3), at(9))
        asked = [*(str(number) for number in range(600)), "a", "A", "z"]
        latest = latest_timestamps(tx, asked)
        assert len(latest) == 602
        assert (latest["0"], latest["599"], latest["a"], latest["z"]) == (
            at(-1), at(-1), at(3), at(9),
        )  # fmt: skip
        assert latest_timestamps(tx, []) == {}


def test_events_are_chosen_to_be_sent_again_within_their_organization(shared: Database) -> None:
    with shared.writing() as tx:
        record(tx, *(event(f"e{number}", number) for number in range(3)))
        record(tx, event("e3", 3, topic=Topic.STOP_UPDATED), event("e4", 4, topic=Topic.TEST))
        record(tx, event("e9", 3, organization_id=OTHER))
        topics = [Topic.ROUTE_CREATED, Topic.STOP_UPDATED]
        for owner, ids in ((ACME, ["e1", "e2", "e3"]), (OTHER, ["e9"])):
            past = list_events_since(tx, owner, topics, at(1), 9)
            assert [one.id for one in past] == ids
        assert [one.timestamp for one in past] == [at(3)]
        assert [one.id for one in list_events_since(tx, ACME, topics, at(1), 2)] == ["e1", "e2"]
        assert list_events_since(tx, ACME, topics, at(3) + MICROSECOND, 9) == []
        named = [find_event_ids(tx, owner, ["e9", "e1", "none"]) for owner in (ACME, OTHER)]
        assert named == [{"e1"}, {"e9"}]


def test_old_events_go_oldest_first_with_what_became_of_them_and_payloads_nobody_shows(
    shared: Database,
) -> None:
    first, second, third = (
        event(f"e{n}", n, payload_id=p) for n, p in ((0, "p"), (1, "p"), (2, "q"))
    )
    theirs = event("e9", 0, organization_id=OTHER, payload_id="r")
    with shared.writing() as tx:
        add_subscriptions(tx, subscription("s"))
        add_events(tx, [third, first, second, theirs], {"p": b"1", "q": b"2", "r": b"3"})
        keep_history(tx, [first, second, third])
    with shared.writing() as tx:
        assert remove_old_events(tx, ACME, NOW, 9) == 0
        assert remove_old_events(tx, ACME, at(2), 1) == 1
        assert read_pages(tx) == ["e1", "e2"]
        assert load_events(tx, ["e1"])["e1"].payload == b"1"
        assert [len(select_deliveries_of_event(tx, ACME, "s", one)) for one in ("e0", "e1")] == [
            0,
            1,
        ]
        assert (count(tx, outbox), count(tx, delivery_attempts)) == (2, 2)
    with shared.writing() as tx:
        assert remove_old_events(tx, ACME, at(2), 9) == 1
        assert remove_old_events(tx, ACME, at(2), 9) == 0
        assert read_pages(tx) == ["e2"]
        assert read_pages(tx, owner=OTHER) == ["e9"]
        assert (count(tx, event_payloads), count(tx, outbox)) == (2, 1)
        assert load_events(tx, ["e2"])["e2"].payload == b"2"


def keep_history(tx: Transaction, sent: Sequence[Event]) -> None:
    add_to_outbox(tx, [(one, subscription("s"), one.timestamp) for one in sent])
    add_attempts(
        tx,
        [
            Ended(
                claim=DeliveryClaim(event_id=one.id, subscription_id="s", number=1, tries=1),
                attempt=Attempt(started_at=NOW, duration=timedelta(seconds=1), status=200),
            )
            for one in sent
        ],
    )
