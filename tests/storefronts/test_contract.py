"""What every adapter keeps to, on shops of all four platforms.

What a platform cannot have is skipped, with the reason. What only one has is in a file of its own.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import msgspec
import pytest
from structlog.testing import capture_logs
from tests.storefronts.platform_shops import KINDS, OPENED, Facts, OpenShop, open_platform_shop
from tests.storefronts.web_shop import Answer, Json, serve

from roundsman.domain.model import UNSET
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import OrderField, StorefrontPlatform
from roundsman.domain.storefront_rules import RuleSubject, StorefrontRule
from roundsman.domain.time_window import Date
from roundsman.storefronts.hooks import find_changed_order, is_hook_signed
from roundsman.storefronts.port import (
    Annotation,
    Busy,
    ForeignOrder,
    Refused,
    Report,
    ReportedItem,
    Step,
    StorefrontFailure,
    Unauthorized,
)
from roundsman.storefronts.rules import apply_rules

pytestmark = pytest.mark.spec("decisions §20")

LONG_AGO = OPENED - timedelta(days=30)
NOON = OPENED + timedelta(hours=4)
SIGNATURES = {
    StorefrontPlatform.SHOPIFY: "x-shopify-hmac-sha256",
    StorefrontPlatform.WOOCOMMERCE: "x-wc-webhook-signature",
    StorefrontPlatform.MEDUSA: "x-roundsman-hmac-sha256",
    StorefrontPlatform.VENDURE: "x-roundsman-hmac-sha256",
}


@pytest.fixture(params=KINDS)
def shop(request: pytest.FixtureRequest) -> Iterator[OpenShop]:
    with open_platform_shop(KINDS[request.param]()) as opened:
        yield opened


def require(shop: OpenShop, *facts: str) -> None:
    """Skip a case that the platform cannot have."""
    for fact in facts:
        if fact in shop.kind.lacks:
            pytest.skip(shop.kind.lacks[fact])


def put(shop: OpenShop, number: int, **facts: object) -> str:
    shop.kind.put(number, Facts(**facts))  # type: ignore[arg-type]  # each case names its own
    return shop.kind.id_of(number)


def read(shop: OpenShop, number: int, **facts: object) -> ForeignOrder:
    (found,) = shop.storefront.get([put(shop, number, **facts)])
    return found


def read_all(shop: OpenShop, cursor: str = "") -> tuple[set[str], str, int]:
    """Return the ids of the orders of all pages, the cursor, and how many pages there were."""
    seen: set[str] = set()
    pages, is_last = 0, False
    while not is_last:
        page = shop.storefront.changed(cursor, LONG_AGO)
        seen |= {one.order_id for one in page.orders}
        cursor, is_last, pages = page.cursor, page.is_last, pages + 1
        assert pages < 50
    return seen, cursor, pages


def box(quantity: int) -> list[ReportedItem]:
    return [ReportedItem(sku="BOX", name="Veg box", quantity=quantity)]


def told(stop: str, step: Step, quantity: int = 0, minute: int = 0) -> Report:
    at = NOON + timedelta(minutes=minute)
    return Report(stop_id=stop, step=step, happened_at=at, items=_items(quantity))


def _items(quantity: int) -> list[ReportedItem]:
    return box(quantity) if quantity else []


def of_shop(shop: OpenShop, report: Report) -> Report:
    """Return a report with the items as the shop calls them."""
    if shop.kind.platform is not StorefrontPlatform.SHOPIFY:
        return report
    return replace(report, items=[replace(one, sku="BOX-1", name="Box 1") for one in report.items])


def test_an_order_is_read_with_its_day_its_customer_and_its_address(shop: OpenShop) -> None:
    found = read(shop, 7)
    draft = found.draft
    assert (found.order_id, found.is_wanted) == (shop.kind.id_of(7), True)
    assert (draft.state, found.remarks) == (StoreOrderState.OPEN, ())
    assert draft.delivery_date == Date(year=2026, month=11, day=25)
    assert [one.quantity for one in draft.items] == [3]
    assert draft.address
    assert draft.address.one_line() == "100 Oak St, Towson, MD 21204, US"
    assert draft.contact
    assert (draft.contact.first_name, draft.contact.last_name) == ("Ann", "Lee")
    assert (draft.contact.phone, draft.contact.email) == ("+14105550123", "ann@example.com")


def test_a_day_that_may_be_two_is_a_remark(shop: OpenShop) -> None:
    found = read(shop, 7, day="03/04/2026")
    assert found.draft.delivery_date is UNSET
    (remark,) = found.remarks
    assert "may be two days" in remark


def test_orders_of_one_moment_on_two_pages_are_all_seen(shop: OpenShop) -> None:
    count = 2 * shop.kind.page + 7
    ids = {put(shop, number, second=5) for number in range(1, count + 1)}
    seen, cursor, pages = read_all(shop)
    assert seen == ids
    assert pages >= 3
    late = put(shop, count + 1, second=5)
    assert late in read_all(shop, cursor)[0], "of the moment that was seen last"


def test_an_order_that_changes_while_pages_are_read_hides_no_other(shop: OpenShop) -> None:
    count = 2 * shop.kind.page + 7
    ids = {put(shop, number, second=number) for number in range(1, count + 1)}
    first = shop.storefront.changed("", LONG_AGO)
    seen = {one.order_id for one in first.orders}
    for number in (1, 2, 3):  # they move to the end, and all others up
        put(shop, number, second=count + number)
    rest, _, _ = read_all(shop, first.cursor)
    assert seen | rest == ids


def test_a_visit_after_which_nothing_changed_goes_on_where_it_was(shop: OpenShop) -> None:
    put(shop, 1, second=1)
    _, cursor, _ = read_all(shop)
    again, following, _ = read_all(shop, cursor)
    assert following == cursor
    assert again <= {shop.kind.id_of(1)}
    newer = put(shop, 2, second=600)
    assert newer in read_all(shop, cursor)[0]


def test_an_order_that_is_paid_later_arrives_then(shop: OpenShop) -> None:
    late = put(shop, 1, state="unpaid")
    put(shop, 2, second=600)
    _, cursor, _ = read_all(shop)
    shop.kind.pay(1, Facts(second=700))
    page = shop.storefront.changed(cursor, LONG_AGO)
    assert late in {one.order_id for one in page.orders if one.is_wanted}


def test_orders_from_before_are_not_read(shop: OpenShop) -> None:
    put(shop, 1, second=0)
    later = put(shop, 2, second=7_200)
    page = shop.storefront.changed("", OPENED + timedelta(hours=1))
    assert [one.order_id for one in page.orders] == [later]


def test_orders_that_are_gone_are_missing_among_those_asked_for(shop: OpenShop) -> None:
    ids = [put(shop, 1), shop.kind.id_of(999), put(shop, 2)]
    assert {one.order_id for one in shop.storefront.get(ids)} == {ids[0], ids[2]}
    assert shop.storefront.get([]) == []


def test_a_part_is_told_once_and_the_rest_after_it(shop: OpenShop) -> None:
    order_id = put(shop, 7)
    first = of_shop(shop, told("rst-1", Step.DELIVERED, 2))
    assert [shop.storefront.report(order_id, first).was_known for _ in range(2)] == [False, True]
    assert shop.kind.pieces(7) == 2
    (found,) = shop.storefront.get([order_id])
    assert found.draft.state is StoreOrderState.OPEN
    rest = of_shop(shop, told("rst-2", Step.DELIVERED, 1))
    assert not shop.storefront.report(order_id, rest).was_known
    assert shop.kind.pieces(7) == 3
    (found,) = shop.storefront.get([order_id])
    assert found.draft.state is StoreOrderState.FULFILLED


def test_what_was_refunded_is_not_delivered(shop: OpenShop) -> None:
    require(shop, "refunded")
    assert [one.quantity for one in read(shop, 7, refunded=2).draft.items] == [1]


@pytest.mark.parametrize(
    ("facts", "state", "is_wanted"),
    [
        ({"state": "cancelled"}, StoreOrderState.CANCELLED, True),
        ({"state": "held"}, StoreOrderState.ON_HOLD, None),
        ({"state": "unpaid"}, None, False),
        ({"is_fetched": True}, StoreOrderState.OPEN, False),
    ],
    ids=["cancelled", "held", "unpaid", "fetched by the customer"],
)
def test_what_is_not_to_be_delivered_is_seen(
    shop: OpenShop, facts: dict[str, object], state: StoreOrderState | None, *, is_wanted: object
) -> None:
    require(shop, str(facts.get("state", "")))
    found = read(shop, 7, **facts)
    assert state in {None, found.draft.state}
    assert is_wanted in {None, found.is_wanted}


def test_what_leaves_from_two_locations_is_told_once(shop: OpenShop) -> None:
    require(shop, "is_split")
    order_id = put(shop, 7, is_split=True)
    report = told("rst-1", Step.DELIVERED)
    answers = [shop.storefront.report(order_id, report) for _ in range(2)]
    assert [one.was_known for one in answers] == [False, True]
    assert shop.kind.pieces(7) == 3


def test_an_order_without_its_address_is_read_and_can_be_told_of(shop: OpenShop) -> None:
    found = read(shop, 7, has_address=False)
    assert not found.draft.address or not found.draft.address.address1
    assert not shop.storefront.report(found.order_id, told("rst-1", Step.DELIVERED)).was_known


def test_a_check_says_when_addresses_are_withheld(shop: OpenShop) -> None:
    require(shop, "withheld")
    put(shop, 7)
    assert "customer data" not in {one.subject for one in shop.storefront.check()}
    put(shop, 7, has_address=False)
    finding = next(one for one in shop.storefront.check() if one.subject == "customer data")
    assert (finding.is_good, bool(finding.remedy)) == (False, True)


STEPS = (
    told("rst-1", Step.OUT_FOR_DELIVERY, 2),
    told("rst-1", Step.ATTEMPTED, 2, 10),
    told("rst-1", Step.CORRECTED, 2, 20),
    told("rst-1", Step.DELIVERED, 2, 30),
)


def test_each_step_is_told_once_however_often_it_is_sent(shop: OpenShop) -> None:
    order_id = put(shop, 7)
    for report in STEPS:
        answers = [shop.storefront.report(order_id, of_shop(shop, report)) for _ in range(3)]
        assert [one.was_known for one in answers] == [False, True, True], report.step
    assert shop.kind.pieces(7) == 2


def test_a_delivery_that_was_an_attempt_goes_back_in_the_shop_or_is_said_not_to(
    shop: OpenShop,
) -> None:
    order_id = put(shop, 7)
    delivered = of_shop(shop, told("rst-1", Step.DELIVERED, 3))
    shop.storefront.report(order_id, delivered)
    assert shop.kind.has_arrived(7)
    attempted = replace(delivered, step=Step.ATTEMPTED, happened_at=NOON + timedelta(minutes=5))
    answer = shop.storefront.report(order_id, attempted)
    assert shop.kind.has_arrived(7) == bool(answer.remark), answer.remark
    arrived = replace(delivered, happened_at=NOON + timedelta(minutes=9))
    shop.storefront.report(order_id, arrived)
    assert shop.kind.has_arrived(7)


def test_a_lost_answer_of_any_change_leaves_no_second_effect(shop: OpenShop) -> None:
    """Loses the answer of each change in turn: the shop has acted, and nobody knows."""
    order_id = put(shop, 1)
    for report in STEPS:
        shop.storefront.report(order_id, of_shop(shop, report))
    changes = shop.changes
    assert changes >= 4
    for lost in range(1, changes + 1):
        order_id = put(shop, lost + 1)
        shop.changes, shop.lost = 0, {lost}
        for report in STEPS:
            mine = replace(of_shop(shop, report), stop_id=f"rst-{lost}")
            try:
                shop.storefront.report(order_id, mine)
            except Busy:
                shop.storefront.report(order_id, mine)
        assert shop.kind.pieces(lost + 1) == 2, f"the answer of change {lost}"


def test_more_than_is_left_is_refused_and_said_so(shop: OpenShop) -> None:
    require(shop, "nothing left")
    order_id = put(shop, 7)
    shop.storefront.report(order_id, told("rst-1", Step.DELIVERED))
    with pytest.raises(Refused, match="nothing of"):
        shop.storefront.report(order_id, told("rst-2", Step.DELIVERED))
    assert shop.kind.pieces(7) == 3


def test_a_stop_carries_what_the_shop_has_fulfilled_itself(shop: OpenShop) -> None:
    require(shop, "packed")
    order_id = put(shop, 7)
    shop.kind.pack(7)
    report = of_shop(shop, told("rst-1", Step.OUT_FOR_DELIVERY, quantity=3))
    left = shop.storefront.report(order_id, report)
    arrived = replace(report, step=Step.DELIVERED)
    handed_over = shop.storefront.report(order_id, arrived)
    assert handed_over.fulfillment_id == left.fulfillment_id
    assert not handed_over.was_known
    assert shop.storefront.report(order_id, arrived).was_known
    assert shop.kind.pieces(7) == 3


def test_a_parcel_that_holds_more_than_a_stop_carries_is_not_delivered_with_it(
    shop: OpenShop,
) -> None:
    require(shop, "packed")
    order_id = put(shop, 7)
    shop.kind.pack(7)
    for step in (Step.OUT_FOR_DELIVERY, Step.DELIVERED):
        with pytest.raises(Refused, match="nothing of"):
            shop.storefront.report(order_id, of_shop(shop, told("rst-1", step, quantity=1)))


def attempt(shop: OpenShop, order_id: str, stop: str, quantity: int) -> None:
    """Take boxes to a door that nobody opens."""
    for step, minute in ((Step.OUT_FOR_DELIVERY, 0), (Step.ATTEMPTED, 10)):
        shop.storefront.report(order_id, of_shop(shop, told(stop, step, quantity, minute)))


def tried_again(shop: OpenShop, stop: str, quantity: int, *before: str) -> list[Report]:
    """Return what is told of a stop with which goods of earlier stops go out again."""
    reports = (
        told(stop, Step.OUT_FOR_DELIVERY, quantity, 60),
        told(stop, Step.DELIVERED, quantity, 90),
    )
    return [replace(of_shop(shop, one), attempted_stop_ids=before) for one in reports]


def test_what_nobody_took_goes_out_again_and_arrives(shop: OpenShop) -> None:
    order_id = put(shop, 7)
    attempt(shop, order_id, "rst-1", 3)
    assert not shop.kind.has_arrived(7)
    for report in tried_again(shop, "rst-2", 3, "rst-1"):
        answers = [shop.storefront.report(order_id, report).was_known for _ in range(2)]
        assert answers == [False, True], report.step
    assert shop.kind.has_arrived(7)
    assert shop.kind.pieces(7) == 3


def test_a_third_try_follows_a_second_in_vain(shop: OpenShop) -> None:
    order_id = put(shop, 7)
    attempt(shop, order_id, "rst-1", 3)
    out, _ = tried_again(shop, "rst-2", 3, "rst-1")
    shop.storefront.report(order_id, out)
    failed = replace(out, step=Step.ATTEMPTED, happened_at=NOON + timedelta(minutes=70))
    assert not shop.storefront.report(order_id, failed).was_known
    for report in tried_again(shop, "rst-3", 3, "rst-2", "rst-1"):
        shop.storefront.report(order_id, report)
    assert shop.kind.has_arrived(7)


def test_what_two_stops_brought_back_goes_out_with_what_is_left(shop: OpenShop) -> None:
    order_id = put(shop, 7, quantity=4)
    attempt(shop, order_id, "rst-1", 2)
    attempt(shop, order_id, "rst-2", 1)
    for report in tried_again(shop, "rst-3", 4, "rst-2", "rst-1"):
        answers = [shop.storefront.report(order_id, report).was_known for _ in range(2)]
        assert answers == [False, True], report.step
    assert shop.kind.has_arrived(7)
    assert shop.kind.pieces(7) == 4


def test_a_lost_answer_of_a_second_try_leaves_no_second_effect(shop: OpenShop) -> None:
    order_id = put(shop, 1, quantity=4)
    attempt(shop, order_id, "rst-1", 2)
    reports = tried_again(shop, "rst-2", 4, "rst-1")
    shop.changes = 0
    for report in reports:
        shop.storefront.report(order_id, report)
    changes = shop.changes
    assert changes >= 2
    for lost in range(1, changes + 1):
        order_id = put(shop, lost + 1, quantity=4)
        shop.lost = set()
        attempt(shop, order_id, "rst-1", 2)
        shop.changes, shop.lost = 0, {lost}
        for report in reports:
            try:
                shop.storefront.report(order_id, report)
            except Busy:
                shop.storefront.report(order_id, report)
        assert shop.kind.has_arrived(lost + 1), f"the answer of change {lost}"
        assert shop.kind.pieces(lost + 1) == 4, f"the answer of change {lost}"


def test_a_parcel_of_which_a_stop_carries_a_part_is_not_delivered_with_it(shop: OpenShop) -> None:
    require(shop, "nothing left")
    order_id = put(shop, 7)
    attempt(shop, order_id, "rst-1", 3)
    for report in tried_again(shop, "rst-2", 1, "rst-1"):
        with pytest.raises(Refused, match="nothing of") as refused:
            shop.storefront.report(order_id, report)
        assert refused.value.remedy
    assert not shop.kind.has_arrived(7)


def test_a_report_of_an_order_that_is_gone_is_refused(shop: OpenShop) -> None:
    with pytest.raises(Refused):
        shop.storefront.report(shop.kind.id_of(404), told("rst-1", Step.DELIVERED))


def test_hints_out_of_order_name_the_order_as_it_is_now(shop: OpenShop) -> None:
    order_id = put(shop, 7, second=1)
    said = json.dumps(
        {"id": order_id, "orderId": order_id, "name": "order.updated", "data": {"id": order_id}}
    ).encode()
    headers = {"x-shopify-topic": "orders/updated", "x-wc-webhook-resource": "order"}
    put(shop, 7, second=2, quantity=5)
    hints = {find_changed_order(shop.kind.platform, headers, one) for one in (said, said)}
    assert hints == {order_id}
    (found,) = shop.storefront.get(sorted(str(one) for one in hints))
    assert [one.quantity for one in found.draft.items] == [5]


def test_only_the_shops_own_signature_of_the_very_bytes_will_do(shop: OpenShop) -> None:
    platform, body = shop.kind.platform, b'{"id": 450789469, "note": "caf\xc3\xa9"}'

    def signature(secret: str) -> str:
        return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()

    def signed(sent: str, given: bytes = body, secrets: tuple[str, ...] = ("old", "new")) -> bool:
        return is_hook_signed(platform, secrets, {SIGNATURES[platform]: sent}, given)

    assert signed(signature("new"))
    assert signed(signature("old"))
    assert not signed(signature("other"))
    assert not signed(signature("new"), body + b" ")
    assert not signed("")
    assert not signed("é")
    assert not signed(signature("new").rstrip("="))
    assert not signed(signature(""), secrets=("",))
    assert not signed(signature("new"), secrets=())
    others = {
        name: signature("new") for name in SIGNATURES.values() if name != SIGNATURES[platform]
    }
    assert not is_hook_signed(platform, ("new",), others, body)


def test_whoever_is_not_let_in_is_told_what_helps(shop: OpenShop) -> None:
    order_id = put(shop, 7)
    wrong = shop.connect_wrongly()
    (finding,) = wrong.check()
    assert (finding.subject, finding.is_good) == ("credentials", False)
    assert finding.remedy
    for ask in (
        lambda: wrong.get([order_id]),
        lambda: wrong.changed("", LONG_AGO),
        lambda: wrong.report(order_id, told("rst-1", Step.DELIVERED)),
    ):
        with pytest.raises(Unauthorized) as refused:
            ask()
        assert refused.value.remedy
    assert shop.kind.pieces(7) == 0


@pytest.mark.parametrize("platform", KINDS)
def test_an_address_without_a_shop_is_no_trouble_with_credentials(platform: str) -> None:
    opened = OpenShop(KINDS[platform]())
    said = {"code": "rest_no_route", "message": "No route was found"}
    with serve(lambda _: Answer(said, status=404)) as opened.address:
        (finding,) = opened.storefront.check()
    assert (finding.subject, finding.is_good) == ("address", False)
    assert finding.message == "No route was found"
    assert finding.remedy.startswith("Check the address")


@pytest.mark.parametrize("platform", KINDS)
def test_a_shop_that_is_away_says_nothing_of_its_credentials(platform: str) -> None:
    opened = OpenShop(KINDS[platform]())
    with serve(lambda _: Answer({}, status=503)) as opened.address, pytest.raises(Busy):
        opened.storefront.check()
    with pytest.raises(Busy) as gone:
        opened.storefront.check()
    assert gone.value.code == "UNREACHABLE"


def test_a_good_key_is_found_good(shop: OpenShop) -> None:
    put(shop, 7)
    assert next(one for one in shop.storefront.check() if one.subject == "credentials").is_good


def test_the_platform_says_itself_when_to_come_again(shop: OpenShop) -> None:
    order_id = put(shop, 7)
    shop.kind.troubles.append(shop.kind.busy(30))
    with pytest.raises(Busy) as busy:
        shop.storefront.get([order_id])
    assert busy.value.retry_after_seconds == 30
    shop.kind.troubles.append(Answer({}, 503, {"Retry-After": "7"}))
    with pytest.raises(Busy) as busy:
        shop.storefront.report(order_id, told("rst-1", Step.DELIVERED))
    assert busy.value.retry_after_seconds == 7
    assert shop.kind.pieces(7) == 0


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_shop_that_fails_is_asked_again_later(shop: OpenShop, status: int) -> None:
    order_id = put(shop, 7)
    shop.kind.troubles.append(Answer("<html>oh</html>", status))
    with pytest.raises(Busy) as busy:
        shop.storefront.get([order_id])
    assert busy.value.retry_after_seconds is None
    assert shop.storefront.get([order_id])


def test_a_shop_that_nobody_answers_for_is_away(shop: OpenShop) -> None:
    shop.address = "http://127.0.0.1:1"
    with pytest.raises(Busy) as away:
        shop.storefront.changed("", LONG_AGO)
    assert away.value.code == "UNREACHABLE"


def test_an_answer_that_says_nothing_of_an_order_is_a_failure_and_no_bug(shop: OpenShop) -> None:
    order_id = put(shop, 7)
    for nonsense in (Answer("maintenance"), Answer([]), Answer(None)):
        shop.kind.troubles.append(nonsense)
        with pytest.raises(StorefrontFailure):
            shop.storefront.report(order_id, told("rst-1", Step.DELIVERED))
    assert shop.kind.pieces(7) == 0


def test_an_order_of_a_hundred_kilobytes_is_read_as_far_as_it_is_kept(shop: OpenShop) -> None:
    found = read(shop, 7, further_lines=600, note="x" * 100_000)
    assert 1 <= len(found.draft.items) <= 499
    assert len(found.draft.customer_note) <= 10_000
    assert len(found.draft.order_note) <= 10_000
    assert all(len(one.value) <= 1_500 for one in found.draft.attributes)
    page = shop.storefront.changed("", LONG_AGO)
    assert [one.order_id for one in page.orders] == [found.order_id]


def test_an_order_with_characters_that_cannot_be_stored_is_read_without_them(
    shop: OpenShop,
) -> None:
    found = read(shop, 7, note="mind\0the dog \ud83d")
    written = msgspec.json.encode(found.draft).decode()
    assert "mind the dog" in written
    assert "u0000" not in written


def test_what_is_written_into_an_order_is_for_its_people_and_comes_back_as_nothing(
    shop: OpenShop,
) -> None:
    before = read(shop, 7)
    fields = {name: f"a {name.value}" for name in OrderField}
    fields[OrderField.TRACKING_URL] = "https://roundsman.test/t/1"
    for _ in range(2):
        shop.storefront.annotate(before.order_id, Annotation(fields=fields))
    expected = {name.value.lower(): value for name, value in fields.items()}
    assert shop.kind.fields(7) == expected
    shop.storefront.annotate(before.order_id, Annotation(fields={OrderField.ROUTE: "North"}))
    assert shop.kind.fields(7) == {**expected, "route": "North"}, "the others stay"
    shop.storefront.annotate(before.order_id, Annotation(fields={}))
    (after,) = shop.storefront.get([before.order_id])
    written = [one for one in after.draft.attributes if one not in before.draft.attributes]
    assert [one for one in written if "roundsman" in one.key.lower()] == []
    assert after.draft.tags == before.draft.tags


def test_a_rule_looks_at_the_method_by_its_name_in_the_shop(shop: OpenShop) -> None:
    method = {"SHOPIFY": "local", "WOOCOMMERCE": "Flat Rate"}.get(shop.kind.platform, "VAN")
    rule = StorefrontRule(subject=RuleSubject.DELIVERY_METHOD, name=method, priority=5)
    found = read(shop, 7)
    assert apply_rules([rule], found).draft.priority == 5
    other = StorefrontRule(subject=RuleSubject.DELIVERY_METHOD, name="drone", priority=5)
    assert apply_rules([other], found) == found


def test_a_rule_looks_at_an_attribute_that_is_no_day(shop: OpenShop) -> None:
    require(shop, "note")
    rule = StorefrontRule(subject=RuleSubject.ATTRIBUTE, name="note", value="VIP", priority=5)
    assert apply_rules([rule], read(shop, 7, note="vip")).draft.priority == 5
    assert apply_rules([rule], read(shop, 8, note="other")).draft.priority == 0


ODD_ANSWERS: tuple[Json, ...] = (
    {},
    {"orders": [], "count": 0, "limit": 50},
    {"orders": [{}], "payments": [7], "stock_locations": None, "data": {"orders": {"items": [1]}}},
    {"orders": 3, "errors": ["no"]},
    {"errors": {"message": 1}},
    {"errors": [{"extensions": [1]}]},
    {"data": {}},
    {"data": {"orders": None, "shop": [], "order": 5, "currentAppInstallation": {}}},
    [],
    [1],
    [{}],
    [{"id": "x", "line_items": [{"quantity": "many"}]}],
    "maintenance",
    None,
    json.loads("[" * 900 + "]" * 900),
)


@pytest.mark.parametrize("platform", KINDS)
def test_an_answer_of_another_shape_is_a_failure_of_the_shop(platform: str) -> None:
    opened = OpenShop(KINDS[platform]())
    report = Report(stop_id="rst-1", step=Step.DELIVERED, happened_at=NOON)
    annotation = Annotation(fields={OrderField.DRIVER: "Dana"})
    answers: list[Json] = [None]
    # What is logged is not shown: drawing the trace of each failure takes longer than all the rest.
    with capture_logs(), serve(lambda _: Answer(answers[0])) as opened.address:
        shop = opened.storefront
        for answers[0] in ODD_ANSWERS:
            shop.check()
            for ask in (
                lambda: shop.changed("", LONG_AGO),
                lambda: shop.get(["1"]),
                lambda: shop.report("1", report),
                lambda: shop.annotate("1", annotation),
                lambda: shop.subscribe("https://example.com/hooks", "secret"),
            ):
                with suppress(StorefrontFailure):
                    ask()
        answers[0] = {"unexpected": [1]}
        refused = [one.subject for one in shop.check() if not one.is_good]
        assert refused == ["address"]


def test_what_another_stop_delivered_again_is_no_delivery_of_the_one_attempted(
    shop: OpenShop,
) -> None:
    order_id = put(shop, 7)

    def report(stop: str, step: Step, quantity: int, minute: int, *before: str) -> str:
        told_of = of_shop(shop, told(stop, step, quantity, minute))
        return shop.storefront.report(order_id, replace(told_of, attempted_stop_ids=before)).remark

    report("rst-1", Step.OUT_FOR_DELIVERY, 1, 0)
    report("rst-3", Step.OUT_FOR_DELIVERY, 2, 0)
    report("rst-1", Step.ATTEMPTED, 1, 1)
    report("rst-2", Step.OUT_FOR_DELIVERY, 1, 2, "rst-1")
    report("rst-2", Step.DELIVERED, 1, 3, "rst-1")
    assert report("rst-3", Step.ATTEMPTED, 2, 5, "rst-1") == ""
