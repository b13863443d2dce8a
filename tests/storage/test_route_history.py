"""Events that share a payload are one change of a route."""

import msgspec
import pytest
from tests.storage.rows import ACME, NOW, OTHER, at

from roundsman.domain.event import Actor, Event, EventSummary
from roundsman.domain.topics import Topic
from roundsman.storage.database import Database, Transaction
from roundsman.storage.events import add_events
from roundsman.storage.route_history import find_others_changed, select_changes

pytestmark = pytest.mark.both_databases


def add_change(
    tx: Transaction,
    id_: str,
    seconds: float,
    route: str,
    *objects: tuple[Topic, str],
    owner: str = ACME,
) -> None:
    recorded = [
        Event(
            id=f"evt-{id_}-{number}",
            organization_id=owner,
            topic=topic,
            object_id=object_id,
            timestamp=at(seconds + number / 1_000),
            actor=Actor(email="ann@example.com"),
            payload_id=id_,
            summary=EventSummary() if object_id == route else EventSummary(route_id=route),
        )
        for number, (topic, object_id) in enumerate(objects)
    ]
    body = {"id": route, "name": id_, "stops": [{"id": "rst-1"}], "more": 1}
    add_events(tx, recorded, {id_: msgspec.json.encode(body)})


def test_changes_of_a_route_are_listed_newest_first_with_the_topics_of_each(
    shared: Database,
) -> None:
    updated, status = Topic.ROUTE_UPDATED, Topic.STOP_STATUS_UPDATED
    with shared.writing() as tx:
        add_change(tx, "first", 0, "rte-1", (Topic.ROUTE_CREATED, "rte-1"))
        add_change(tx, "second", 1, "rte-1", (updated, "rte-1"), (status, "rst-1"))
        add_change(tx, "elsewhere", 2, "rte-2", (status, "rst-1"))
        add_change(tx, "theirs", 2, "rte-1", (updated, "rte-1"), owner=OTHER)
        ids = ["rte-1", "rst-1"]
        (newest,) = select_changes(tx, ACME, "rte-1", ids, NOW, None, 1)
        older = select_changes(tx, ACME, "rte-1", ids, NOW, newest[0], 5)
        since = select_changes(tx, ACME, "rte-1", ids, at(1), None, 5)
    assert newest[1].route.name == "second"
    assert newest[1].topics == {updated: ["rte-1"], status: ["rst-1"]}
    assert [change.route.name for _, change in older] == ["first"]
    assert [change.id for _, change in since] == ["second"]


def test_other_routes_of_a_change_are_those_of_its_moment(shared: Database) -> None:
    updated = Topic.ROUTE_UPDATED
    with shared.writing() as tx:
        add_change(tx, "before", 0, "rte-2", (updated, "rte-2"))
        add_change(tx, "here", 1, "rte-1", (updated, "rte-1"))
        add_change(tx, "there", 1.000_1, "rte-2", (updated, "rte-2"))
        add_change(tx, "later", 2, "rte-3", (updated, "rte-3"))
        add_change(tx, "theirs before", 0.5, "rte-2", (updated, "rte-2"), owner=OTHER)
        add_change(tx, "theirs", 1, "rte-4", (updated, "rte-4"), owner=OTHER)
        ((before, after),) = find_others_changed(tx, ACME, "rte-1", at(1))
    assert before is not None
    assert (before.name, after.name) == ("before", "there")
