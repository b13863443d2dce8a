"""What rules of a shop do to its orders."""

from datetime import UTC, datetime

import pytest

from roundsman.domain.imported_stop import Attribute
from roundsman.domain.model import UNSET, BadField
from roundsman.domain.stop_type import StopType
from roundsman.domain.store_order import StoreOrderDraft
from roundsman.domain.storefront import StorefrontSettings
from roundsman.domain.storefront_rules import RuleSubject, StorefrontRule
from roundsman.kit.durations import DurationText
from roundsman.storefronts.port import ForeignOrder
from roundsman.storefronts.rules import apply_rules, apply_settings

pytestmark = pytest.mark.spec("decisions §20")

ORDER = ForeignOrder(
    order_id="1",
    number="1",
    draft=StoreOrderDraft(
        tags=("Fragile", "veg-box"),
        attributes=(Attribute(key="Gift Wrap", value="Yes"),),
    ),
    updated_at=datetime(2026, 11, 24, tzinfo=UTC),
    delivery_methods=("LOCAL", "By van"),
    customer_tags=("VIP",),
    locations=("Depot West", "Depot North"),
    remarks=("Delivery Date: unreadable",),
)


def rule(subject: str, name: str, **effects: object) -> StorefrontRule:
    return StorefrontRule(subject=RuleSubject(subject), name=name, **(effects or {"priority": 1}))  # type: ignore[arg-type]  # each case names its own


@pytest.mark.parametrize(
    ("one", "fits"),
    [
        (rule("TAG", "fragile"), True),
        (rule("TAG", "VEG_BOX"), True),
        (rule("TAG", "veg"), False),
        (rule("TAG", "vip"), False),
        (rule("CUSTOMER_TAG", "vip"), True),
        (rule("DELIVERY_METHOD", "by-van"), True),
        (rule("DELIVERY_METHOD", "local"), True),
        (rule("LOCATION", "depot north"), True),
        (rule("LOCATION", "depot south"), False),
        (rule("ATTRIBUTE", "gift-wrap"), True),
        (rule("ATTRIBUTE", "giftwrap", value="yes", priority=1), True),
        (rule("ATTRIBUTE", "giftwrap", value="no", priority=1), False),
        (rule("ATTRIBUTE", "giftwrap", value="-", priority=1), False),
        (rule("ATTRIBUTE", "giftwrap", value="y-es", priority=1), False),
        (rule("TAG", "fragile", is_absent=True, priority=1), False),
        (rule("TAG", "heavy", is_absent=True, priority=1), True),
        (rule("ATTRIBUTE", "giftwrap", value="no", is_absent=True, priority=1), True),
    ],
)
def test_a_rule_is_for_orders_that_have_something_or_lack_it(
    one: StorefrontRule, *, fits: bool
) -> None:
    assert (apply_rules([one], ORDER).draft.priority == 1) is fits


def test_the_first_rule_that_says_something_gives_it_and_skills_add_up() -> None:
    five, nine = DurationText("300s"), DurationText("540s")
    done = apply_rules(
        [
            rule("TAG", "fragile", priority=7, required_skills=("two people", "care")),
            rule("TAG", "nothing of it", priority=100),
            rule("CUSTOMER_TAG", "vip", priority=9, duration=five),
            rule("LOCATION", "depot north", duration=nine, type=StopType.PICKUP),
            rule("TAG", "veg-box", required_skills=("care", "cold")),
        ],
        ORDER,
    )
    draft = done.draft
    assert (draft.priority, draft.duration, draft.type) == (7, five, StopType.PICKUP)
    assert draft.required_skills == ("two people", "care", "cold")
    assert (done.is_wanted, done.remarks) == (True, ORDER.remarks)


def test_an_order_that_is_left_says_by_which_rule() -> None:
    leaving = rule("ATTRIBUTE", "Gift Wrap", value="yes", is_left=True)
    done = apply_rules([rule("TAG", "veg-box"), leaving], ORDER)
    assert not done.is_wanted
    assert done.remarks[-1] == 'left in the shop by the rule for attribute "Gift Wrap" "yes"'
    absent = rule("DELIVERY_METHOD", "express", is_absent=True, is_left=True)
    assert 'no delivery method "express"' in apply_rules([absent], ORDER).remarks[-1]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"subject": RuleSubject.TAG, "name": "a"}, "needs an effect"),
        ({"subject": RuleSubject.TAG, "name": "- _", "priority": 1}, "a letter or a digit"),
        ({"subject": RuleSubject.TAG, "name": "a", "value": "b", "priority": 1}, "only an ATTR"),
        ({"subject": RuleSubject.TAG, "name": "a", "type": StopType.BREAK}, "BREAK"),
    ],
)
def test_a_rule_that_says_nothing_is_none(fields: dict[str, object], message: str) -> None:
    with pytest.raises(BadField, match=message):
        StorefrontRule(**fields)  # type: ignore[arg-type]  # wrong on purpose


def test_without_a_rule_an_order_stays_what_it_is() -> None:
    assert apply_rules([], ORDER) is ORDER
    assert ORDER.draft.duration is UNSET


def test_tags_from_here_are_none_of_the_orders() -> None:
    settings = StorefrontSettings(delivered_tag="FRAGILE", order_rules=(rule("TAG", "fragile"),))
    draft = apply_settings(settings, ORDER).draft
    assert (draft.tags, draft.priority) == (("veg-box",), 0)
