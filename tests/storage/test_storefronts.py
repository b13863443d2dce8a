import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace as dataclass_replace
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import event
from tests.storage.rows import ACME, NOW, OTHER, at, route, stop

from roundsman.domain.customer_mark import CustomerMark
from roundsman.domain.item import Item
from roundsman.domain.model import UNSET
from roundsman.domain.route import Route
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import (
    ConnectionFailure,
    ReportedStep,
    ReportQueue,
    ReportStatus,
    StorefrontConnection,
    StorefrontPlatform,
    StorefrontReport,
    StorefrontState,
)
from roundsman.storage.database import Database, Transaction
from roundsman.storage.fair_claims import Room
from roundsman.storage.routes import add_route
from roundsman.storage.store_orders import (
    OrderFilter,
    find_store_orders,
    save_store_order,
    select_store_orders,
)
from roundsman.storage.storefront_orders import (
    OrderLink,
    find_order_links,
    find_shop_orders,
    list_cancelled_on_routes,
    list_linked_orders,
    list_orders_to_reread,
    note_erased_customer,
    remove_unrouted_orders,
    save_order_links,
)
from roundsman.storage.storefront_reports import (
    DueReport,
    add_report,
    begin_report,
    count_all_reports,
    count_reports,
    find_carried_items,
    find_last_steps,
    find_next_report,
    find_next_report_time,
    find_report,
    list_reports_of_orders,
    remove_old_reports,
    requeue_report,
    select_reports,
    settle_report,
)
from roundsman.storage.storefronts import (
    ShopState,
    VisitResult,
    add_hint,
    bring_visits_forward,
    claim_due_visits,
    delete_storefront,
    extend_visits,
    find_named_storefront,
    find_storefront,
    hold_visit,
    insert_storefront,
    is_any_visit_due,
    keep_cursor,
    list_hints,
    list_shop_states,
    note_hooks,
    note_reread,
    release_visit,
    remove_hints,
    restart_reading,
    select_storefronts,
    settle_visit,
    update_storefront,
    wake_storefronts,
)

pytestmark = pytest.mark.both_databases

LEASE = timedelta(seconds=6)


def shop(id_: str, **changes: Any) -> StorefrontConnection:
    usual: dict[str, Any] = {"platform": StorefrontPlatform.MEDUSA, "address": "https://shop.test"}
    return StorefrontConnection(id=id_, **usual | changes)


def connect(tx: Transaction, id_: str = "sfc-1", owner: str = ACME, **changes: Any) -> None:
    insert_storefront(tx, owner, shop(id_, **changes), f"sealed {id_}", now=NOW, read_since=at(-60))


def result(seconds: float = 60, **changes: Any) -> VisitResult:
    usual: dict[str, Any] = {
        "due_at": at(seconds),
        "not_before": NOW,
        "state": StorefrontState.ACTIVE,
    }
    return VisitResult(**usual | changes)


def report(id_: str, order: str = "o1", seconds: float = 0, **changes: Any) -> DueReport:
    usual: dict[str, Any] = {
        "id": id_,
        "store_order_id": order,
        "stop_id": f"rst-{order}",
        "step": ReportedStep.OUT_FOR_DELIVERY,
        "happened_at": at(seconds),
    }
    return DueReport(
        report=StorefrontReport(**usual | changes),
        organization_id=ACME,
        storefront_id="sfc-1",
        external_id=f"x-{order}",
        items=(Item(name="Box", quantity=2),),
        created_at=at(seconds),
    )


def link(id_: str, external_id: str = "", **changes: Any) -> OrderLink:
    usual: dict[str, Any] = {
        "store_order_id": id_,
        "storefront_id": "sfc-1",
        "shop": "MEDUSA https://shop.test",
        "external_id": external_id or f"x-{id_}",
        "external_updated_at": NOW,
        "fingerprint": "f",
        "address_mark": "a",
    }
    return OrderLink(**usual | changes)


def test_connections_are_each_organization_s_own(shared: Database) -> None:
    failure = ConnectionFailure(at=NOW, code="401", message="no", remedy="another key")
    with shared.writing() as tx:
        connect(tx, "sfc-1", label="North", last_failure=failure, state=StorefrontState.REFUSED)
        connect(tx, "sfc-2", OTHER)
        found = find_storefront(tx, ACME, "sfc-1")
        assert found is not None
        assert found.connection == shop(
            "sfc-1", label="North", last_failure=failure, state=StorefrontState.REFUSED
        )
        assert (found.sealed_credentials, found.read_since) == ("sealed sfc-1", at(-60))
        assert find_storefront(tx, ACME, "sfc-2") is None
        assert [one.connection.id for one in select_storefronts(tx, ACME)] == ["sfc-1"]
        named = find_named_storefront(tx, "sfc-2")
        assert named is not None
        assert named.organization_id == OTHER
        update_storefront(tx, OTHER, shop("sfc-1", label="theirs"), "x")
        update_storefront(tx, ACME, shop("sfc-1", label="South"), "sealed anew")
        found = find_storefront(tx, ACME, "sfc-1")
        assert found is not None
        assert (found.connection.label, found.connection.state) == ("South", "ACTIVE")
        assert found.connection.last_failure is UNSET
        assert found.sealed_credentials == "sealed anew"
        assert not delete_storefront(tx, ACME, "sfc-2")
        add_hint(tx, "sfc-1", "x-1", NOW)
        add_report(tx, report("rpt-1"))
        assert delete_storefront(tx, ACME, "sfc-1")
        assert select_storefronts(tx, ACME) == []
        assert len(select_storefronts(tx, OTHER)) == 1


def test_an_organization_has_so_many_visits_under_way_and_no_more(shared: Database) -> None:
    with shared.writing() as tx:
        for number in range(3):
            connect(tx, f"sfc-{number}", prefix=f"P{number}")
        connect(tx, "sfc-other", OTHER)
        room = Room(count=8, most_each=2)
        claimed = claim_due_visits(tx, "a", NOW, NOW + LEASE, room)
        assert Counter(one.organization_id for one in claimed) == {ACME: 2, OTHER: 1}
        full = Room(count=8, most_each=2, under_way={ACME: 2})
        assert claim_due_visits(tx, "a", NOW, NOW + LEASE, full) == []
        (last,) = claim_due_visits(tx, "a", NOW, NOW + LEASE, room)
        assert last.storefront_id == "sfc-2"


def test_one_worker_visits_a_shop_until_its_claim_ends(shared: Database) -> None:
    with shared.writing() as tx:
        connect(tx, "sfc-1")
        connect(tx, "sfc-2", prefix="B")
        assert is_any_visit_due(tx, NOW)
        (claim,) = claim_due_visits(tx, "a", NOW, NOW + LEASE, Room(count=1))
        (other,) = claim_due_visits(tx, "b", NOW, NOW + LEASE, Room(count=5))
        assert {claim.storefront_id, other.storefront_id} == {"sfc-1", "sfc-2"}
        assert not is_any_visit_due(tx, NOW)
        assert claim_due_visits(tx, "c", NOW, NOW + LEASE, Room(count=5)) == []
        held = hold_visit(tx, claim)
        assert held is not None
        assert held.connection.id == claim.storefront_id
        extend_visits(tx, [claim], NOW + 3 * LEASE)
        (taken,) = claim_due_visits(tx, "c", NOW + LEASE, NOW + 2 * LEASE, Room(count=5))
        assert taken.storefront_id == other.storefront_id
        assert hold_visit(tx, other) is None
        assert not settle_visit(tx, other, result(), NOW)
        assert settle_visit(tx, claim, result(), NOW)
        found = find_named_storefront(tx, claim.storefront_id)
        assert found is not None
        assert found.connection.last_success_at == NOW
        again = claim_due_visits(
            tx, "c", at(60), at(66), Room(count=5), among=[claim.storefront_id]
        )
        assert [(one.storefront_id, one.attempt) for one in again] == [(claim.storefront_id, 2)]


def test_who_is_woken_during_a_visit_is_visited_after_it_but_not_too_soon(
    shared: Database,
) -> None:
    failure = ConnectionFailure(at=NOW, code="429", message="later")
    with shared.writing() as tx:
        connect(tx)
        (claim,) = claim_due_visits(tx, "a", NOW, NOW + LEASE, Room(count=1))
        wake_storefronts(tx, ["sfc-1"], NOW)
        assert claim_due_visits(tx, "b", NOW, NOW + LEASE, Room(count=1)) == []
        settle_visit(tx, claim, result(), NOW)
        (claim,) = claim_due_visits(tx, "a", NOW, NOW + LEASE, Room(count=1))
        wake_storefronts(tx, ["sfc-1"], NOW)
        busy = result(30, not_before=at(30), failures=1, failure=failure)
        settle_visit(tx, claim, busy, NOW)
        wake_storefronts(tx, ["sfc-1"], NOW)
        assert not is_any_visit_due(tx, at(29))
        assert is_any_visit_due(tx, at(30))
        found = find_storefront(tx, ACME, "sfc-1")
        assert found is not None
        assert (found.failures, found.connection.last_failure) == (1, failure)
        assert bring_visits_forward(tx, at(29), at(5)) == 1
        assert is_any_visit_due(tx, at(5))
        (claim,) = claim_due_visits(tx, "a", at(5), at(11), Room(count=1))
        update_storefront(tx, ACME, shop("sfc-1", state=StorefrontState.PAUSED), "x")
        assert hold_visit(tx, claim) is None


def test_a_visit_whose_claim_is_taken_away_records_nothing(shared: Database) -> None:
    with shared.writing() as tx:
        connect(tx)
        (claim,) = claim_due_visits(tx, "a", NOW, NOW + LEASE, Room(count=1))
        release_visit(tx, OTHER, "sfc-1")
        assert hold_visit(tx, claim) is not None
        release_visit(tx, ACME, "sfc-1")
        assert hold_visit(tx, claim) is None
        assert not settle_visit(tx, claim, result(state=StorefrontState.PAUSED), NOW)
        wake_storefronts(tx, ["sfc-1"], NOW)
        (again,) = claim_due_visits(tx, "a", NOW, NOW + LEASE, Room(count=1))
        assert again.attempt == 2


def test_a_shop_remembers_how_far_it_was_read_and_what_was_hinted(shared: Database) -> None:
    with shared.writing() as tx:
        connect(tx)
        keep_cursor(tx, "sfc-1", "page 2")
        note_reread(tx, "sfc-1", at(900))
        note_hooks(tx, "sfc-1", at(86_400))
        found = find_storefront(tx, ACME, "sfc-1")
        assert found is not None
        assert (found.cursor, found.reread_at) == ("page 2", at(900))
        assert found.hooks_at == at(86_400)
        restart_reading(tx, OTHER, "sfc-1", at(-9), NOW)
        restart_reading(tx, ACME, "sfc-1", at(-99), at(1))
        found = find_storefront(tx, ACME, "sfc-1")
        assert found is not None
        assert (found.cursor, found.read_since, found.reread_at) == ("", at(-99), at(1))
        for number in (2, 1, 3, 2):
            add_hint(tx, "sfc-1", f"x-{number}", at(number))
        assert list_hints(tx, "sfc-1", 2) == ["x-1", "x-2"]
        remove_hints(tx, "sfc-1", ["x-1", "x-2"])
        assert list_hints(tx, "sfc-1", 2) == ["x-3"]


def test_reports_of_an_order_come_one_after_the_other(shared: Database) -> None:
    with shared.writing() as tx:
        connect(tx)
        add_report(tx, report("rpt-1"))
        add_report(tx, report("rpt-2", step=ReportedStep.DELIVERED, seconds=5))
        add_report(tx, report("rpt-3", "o2", seconds=1))
        assert find_last_steps(tx, ACME, ["rst-o1", "rst-o2", "rst-o9"]) == {
            "rst-o1": ReportedStep.DELIVERED,
            "rst-o2": ReportedStep.OUT_FOR_DELIVERY,
        }
        assert find_last_steps(tx, OTHER, ["rst-o1"]) == {}
        assert find_next_report(tx, "sfc-1", at(9)) == report("rpt-1", next_attempt_at=NOW)


def test_what_stops_of_an_order_brought_back_is_known(shared: Database) -> None:
    attempted, out = ReportedStep.ATTEMPTED, ReportedStep.OUT_FOR_DELIVERY
    with shared.writing() as tx:
        connect(tx)
        add_report(tx, report("rpt-1", stop_id="rst-1", step=attempted))
        add_report(tx, report("rpt-2", stop_id="rst-2", step=attempted))
        add_report(tx, report("rpt-3", stop_id="rst-3", step=attempted))
        add_report(tx, report("rpt-4", stop_id="rst-2", step=out))
        add_report(tx, report("rpt-5", "o2", stop_id="rst-5", step=attempted))
        for number in range(1, 5):
            due = find_next_report(tx, "sfc-1", at(9))
            assert due
            assert due.report.id == f"rpt-{number}"
            told = replace(due.report, status=ReportStatus.REPORTED, next_attempt_at=UNSET)
            settle_report(tx, told)
        assert due
        assert due.attempted_stop_ids == ("rst-3", "rst-1"), "not what another order's stop did"
        add_report(tx, report("rpt-6", stop_id="rst-6"))
        settle_report(tx, replace(report("rpt-5").report, status=ReportStatus.REPORTED))
        due = find_next_report(tx, "sfc-1", at(9))
        assert due is not None
        assert due.attempted_stop_ids == ("rst-3", "rst-1"), "not the one that is out again"
        items = (Item(name="Box", quantity=2),)
        carried = find_carried_items(tx, "sfc-1", ["x-o1", "x-o9"])
        assert carried.keys() == {"x-o1"}
        assert sorted(carried["x-o1"]) == [(attempted, items)] * 2 + [(out, items)] * 2


def test_a_report_is_sent_again_and_listed_until_it_is_old(shared: Database) -> None:
    with shared.writing() as tx:
        connect(tx)
        add_report(tx, report("rpt-1"))
        add_report(tx, report("rpt-2", step=ReportedStep.DELIVERED, seconds=5))
        add_report(tx, report("rpt-3", "o2", seconds=1))
        begin_report(tx, "rpt-1", at(20))
        third = find_next_report(tx, "sfc-1", at(9))
        assert third is not None
        settle_report(
            tx,
            replace(third.report, status=ReportStatus.REPORTED, reported_at=at(9)),
        )
        assert find_next_report(tx, "sfc-1", at(9)) is None
        assert find_next_report_time(tx, "sfc-1") == at(20)
        assert count_reports(tx, ACME) == {"sfc-1": ReportQueue(waiting=2)}
        again = find_next_report(tx, "sfc-1", at(20))
        assert again is not None
        assert again.report.attempts == 1
        failure = ConnectionFailure(at=at(20), code="closed", message="it is closed")
        failed = replace(
            again.report, status=ReportStatus.FAILED, last_failure=failure, next_attempt_at=UNSET
        )
        settle_report(tx, failed)
        assert find_report(tx, ACME, "sfc-1", "rpt-1") == failed
        assert find_report(tx, OTHER, "sfc-1", "rpt-1") is None
        assert count_reports(tx, ACME) == {"sfc-1": ReportQueue(waiting=1, failed=1)}
        requeue_report(tx, ACME, "rpt-1", at(30))
        assert count_reports(tx, ACME) == {"sfc-1": ReportQueue(waiting=2)}
        found = [one.id for _, one in select_reports(tx, ACME, "sfc-1", None, None, 9)]
        assert found == ["rpt-2", "rpt-3", "rpt-1"]
        sent = select_reports(tx, ACME, "sfc-1", ReportStatus.REPORTED, None, 9)
        assert [one.id for _, one in sent] == ["rpt-3"]
        assert remove_old_reports(tx, ACME, at(90), 9) == 1
        assert find_report(tx, ACME, "sfc-1", "rpt-3") is None


def on_route(id_: str, *order_ids: str) -> Route:
    stops = tuple(stop(f"rst-{order_id}", store_order_id=order_id) for order_id in order_ids)
    return route(id_, stops=stops)


def keep_order(tx: Transaction, id_: str, state: StoreOrderState = StoreOrderState.OPEN) -> None:
    save_store_order(tx, ACME, StoreOrder(id=id_, state=state), NOW)
    save_order_links(tx, ACME, [link(id_)])


def test_orders_are_known_by_their_shop_s_own_ids(shared: Database) -> None:
    with shared.writing() as tx:
        connect(tx)
        keep_order(tx, "1")
        assert find_shop_orders(tx, "sfc-1", ["x-1", "x-2"]) == {"x-1": link("1")}
        assert find_order_links(tx, ACME, ["1", "2"]) == {"1": link("1")}
        assert find_order_links(tx, OTHER, ["1"]) == {}
        save_order_links(tx, ACME, [link("1", fingerprint="g"), link("2")])
        assert find_shop_orders(tx, "sfc-1", ["x-1"])["x-1"].fingerprint == "g"


def test_an_order_whose_customer_was_erased_is_known(shared: Database) -> None:
    with shared.writing() as tx:
        connect(tx)
        save_order_links(tx, ACME, [link("1", address_mark="a:c"), link("2", address_mark="a:c")])
        note_erased_customer(tx, OTHER, "1")
        note_erased_customer(tx, ACME, "2")
        note_erased_customer(tx, ACME, "2")
        note_erased_customer(tx, ACME, "pushed")
        known = find_order_links(tx, ACME, ["1", "2", "pushed"])
        marks = {id_: CustomerMark.read(one.address_mark) for id_, one in known.items()}
        usual = CustomerMark(address="a", customer="c")
        assert marks == {"1": usual, "2": dataclass_replace(usual, is_erased=True)}


def test_orders_on_routes_are_read_again_and_stay_when_their_shop_goes(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        connect(tx)
        for id_ in ("1", "2", "3", "4", "5"):
            keep_order(tx, id_)
        keep_order(tx, "3", StoreOrderState.CANCELLED)
        add_route(tx, ACME, on_route("rte-1", "1", "2", "3"))
        add_route(tx, ACME, replace(on_route("rte-2", "4"), archived_at=NOW))
        assert list_orders_to_reread(tx, ACME, "sfc-1", "", 1) == ["x-1"]
        assert list_orders_to_reread(tx, ACME, "sfc-1", "x-1", 9) == ["x-2"]
        assert list_orders_to_reread(tx, OTHER, "sfc-1", "", 9) == []
        assert list_cancelled_on_routes(tx, ACME, "sfc-1") == [("3", "rte-1")]
        assert remove_unrouted_orders(tx, OTHER, "sfc-1") == 0
        assert remove_unrouted_orders(tx, ACME, "sfc-1") == 1
        assert list_linked_orders(tx, ACME, "sfc-1", "", 2) == ["1", "2"]
        assert list_linked_orders(tx, ACME, "sfc-1", "2", 9) == ["3", "4"]
        assert list_linked_orders(tx, OTHER, "sfc-1", "", 9) == []
        assert delete_storefront(tx, ACME, "sfc-1")
        kept = find_order_links(tx, ACME, ["1", "4", "5"])
        assert {id_: one.storefront_id for id_, one in kept.items()} == {"1": None, "4": None}
        assert set(find_store_orders(tx, ACME, ["1", "4", "5"])) == {"1", "4"}


def test_what_shops_are_told_of_some_orders_is_listed_oldest_first(shared: Database) -> None:
    with shared.writing() as tx:
        connect(tx)
        for id_ in ("o1", "o2", "o3"):
            keep_order(tx, id_)
        add_report(tx, report("rpt-1", "o1"))
        add_report(tx, report("rpt-2", "o2", 1))
        add_report(tx, report("rpt-3", "o1", 2, step=ReportedStep.DELIVERED))
        add_report(tx, report("rpt-4", "o3", 3))
        links = [link("o1"), link("o2")]
        assert [one.id for one in list_reports_of_orders(tx, ACME, links)] == [
            "rpt-1",
            "rpt-2",
            "rpt-3",
        ]
        assert list_reports_of_orders(tx, OTHER, links) == []
        assert list_reports_of_orders(tx, ACME, [link("o1", storefront_id=None)]) == []
        assert list_reports_of_orders(tx, ACME, []) == []


def test_of_what_shops_are_told_of_some_orders_nothing_is_left_out(shared: Database) -> None:
    with shared.writing() as tx:
        connect(tx)
        keep_order(tx, "o1")
        for number in range(1_001):
            add_report(tx, report(f"rpt-{number}", "o1", number))
        found = [one.id for one in list_reports_of_orders(tx, ACME, [link("o1")])]
    assert found == [f"rpt-{number}" for number in range(1_001)]


def test_orders_are_listed_by_their_shop_and_by_what_it_would_not_hear(shared: Database) -> None:
    def listed(owner: str = ACME, **wanted: Any) -> list[str]:
        found = select_store_orders(tx, owner, OrderFilter(**wanted), None, 9)
        return [order.id for _, order in found]

    with shared.writing() as tx:
        connect(tx)
        for id_ in ("o1", "o2"):
            keep_order(tx, id_)
        save_store_order(tx, ACME, StoreOrder(id="pushed"), at(1))
        add_report(tx, report("rpt-1", "o1"))
        settle_report(tx, replace(report("rpt-1", "o1").report, status=ReportStatus.FAILED))
        add_report(tx, report("rpt-2", "o2"))
        assert listed(connection_id="sfc-1") == ["o1", "o2"]
        assert listed(connection_id="sfc-2") == listed(OTHER, connection_id="sfc-1") == []
        assert listed(failed_reports=True) == ["o1"]
        assert listed(OTHER, failed_reports=True) == []
        assert listed(newest_first=True) == ["pushed", "o2", "o1"]
        add_route(tx, ACME, on_route("rte-1", "o2"))
        assert listed(routed=True) == ["o2"]


def test_an_operator_counts_shops_and_their_reports_of_all_organizations(shared: Database) -> None:
    with shared.writing() as tx:
        before = len(list_shop_states(tx))
        assert count_all_reports(tx) == {}
        connect(tx, "sfc-1")
        connect(tx, "sfc-2", OTHER, platform=StorefrontPlatform.SHOPIFY)
        (claim, *_) = claim_due_visits(tx, "w", NOW, NOW + LEASE, Room(count=9), ["sfc-1"])
        settle_visit(tx, claim, result(state=StorefrontState.ACTIVE), at(5))
        add_report(tx, report("rpt-1", "o1"))
        add_report(tx, report("rpt-2", "o2"))
        settle_report(tx, replace(report("rpt-2", "o2").report, status=ReportStatus.FAILED))
        found = sorted(list_shop_states(tx), key=lambda one: one.id)
        active = StorefrontState.ACTIVE
        medusa, shopify = StorefrontPlatform.MEDUSA, StorefrontPlatform.SHOPIFY
        assert found == [
            ShopState(id="sfc-1", platform=medusa, state=active, seen_at=at(5)),
            ShopState(id="sfc-2", platform=shopify, state=active, seen_at=NOW),
        ]
        assert before == 0
        assert count_all_reports(tx) == {"sfc-1": ReportQueue(waiting=1, failed=1)}


def _list_untold(tx: Transaction) -> None:
    select_store_orders(tx, ACME, OrderFilter(failed_reports=True), None, 9)


@pytest.mark.parametrize(
    "look_up",
    [count_all_reports, lambda tx: count_reports(tx, ACME), _list_untold],
    ids=["count of all", "count of an organization", "orders with failed reports"],
)
def test_reports_that_wait_or_failed_are_read_from_their_index(
    shared: Database, look_up: Callable[[Transaction], object]
) -> None:
    asked: list[tuple[str, Any]] = []
    with shared.writing() as tx:
        for number in range(4):
            connect(tx, f"sfc-{number}", prefix=f"P{number}")
        for number in range(400):
            due = report(f"rpt-{number}", f"o{number}")
            add_report(tx, dataclass_replace(due, storefront_id=f"sfc-{number % 4}"))
            if number % 50:
                settle_report(tx, replace(due.report, status=ReportStatus.REPORTED))
        # The planner chooses by statistics, which are otherwise those of whatever ran before.
        tx.exec_driver_sql("ANALYZE")
        event.listen(tx, "before_cursor_execute", lambda *said: asked.append((said[2], said[3])))
        look_up(tx)
        sql, bound = asked[-1]
        if shared.dialect_name == "sqlite":
            plan = str(tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", bound).all())
            known = r"ix_storefront_reports_waiting \(storefront_id=\? AND status=\?\)"
        else:
            # Of some hundred rows any plan is good: what counts is that there is one for many.
            for way in ("seqscan", "bitmapscan", "mergejoin", "hashjoin"):
                tx.exec_driver_sql(f"SET LOCAL enable_{way} TO OFF")
            plan = str(tx.exec_driver_sql(f"EXPLAIN {sql}", bound).all())
            known = r"ix_storefront_reports_waiting.*Index Cond: [^']*storefront_id[^']*status"
    assert re.search(known, plan), plan
    assert "SCAN storefront_reports" not in plan
