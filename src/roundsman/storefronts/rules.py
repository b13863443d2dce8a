"""Applies the settings of a shop to an order as it was read, before anything of it is kept."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from roundsman.domain.model import UNSET
from roundsman.domain.stop_type import StopType
from roundsman.domain.storefront import StorefrontSettings
from roundsman.domain.storefront_rules import RuleSubject, StorefrontRule, fold_name
from roundsman.storefronts.port import ForeignOrder

_MOST_SKILLS = 50


def apply_settings(settings: StorefrontSettings, order: ForeignOrder) -> ForeignOrder:
    """Return an order without the tags that it has from here, and with what the rules say of it."""
    ours = {tag.casefold() for tag in settings.step_tags()}
    kept = tuple(tag for tag in order.draft.tags if tag.casefold() not in ours)
    bare = replace(order, draft=structs.replace(order.draft, tags=kept))
    return apply_rules(settings.order_rules, bare)


def apply_rules(rules: Sequence[StorefrontRule], order: ForeignOrder) -> ForeignOrder:
    """Return an order with what the rules say of it.

    Of several rules the first that names a priority, a duration or a type gives it; skills add up.
    One that is left in its shop says so in a remark.
    """
    fitting = [rule for rule in rules if _fits(rule, order)]
    if not fitting:
        return order
    given: dict[str, Any] = {}
    for rule in fitting:
        for name, value in _list_given(rule):
            given.setdefault(name, value)
    skills = dict.fromkeys(skill for rule in fitting for skill in rule.required_skills)
    draft = structs.replace(order.draft, **given, required_skills=tuple(skills)[:_MOST_SKILLS])
    leaving = next((rule for rule in fitting if rule.is_left), None)
    remarks = order.remarks
    if leaving is not None:
        remarks = (*remarks, f"left in the shop by the rule for {leaving.condition()}")
    is_wanted = order.is_wanted and leaving is None
    return replace(order, draft=draft, is_wanted=is_wanted, remarks=remarks)


def _list_given(rule: StorefrontRule) -> Iterator[tuple[str, Any]]:
    if rule.priority is not UNSET:
        yield "priority", rule.priority
    if rule.duration is not UNSET:
        yield "duration", rule.duration
    if rule.type is not StopType.UNKNOWN:
        yield "type", rule.type


def _fits(rule: StorefrontRule, order: ForeignOrder) -> bool:
    wanted, value = fold_name(rule.name), _plain(rule.value)
    has = any(
        fold_name(name) == wanted and (not value or _plain(said) == value)
        for name, said in _list_named(rule.subject, order)
    )
    return has is not rule.is_absent


def _plain(value: str) -> str:
    return value.strip().casefold()


def _list_named(subject: RuleSubject, order: ForeignOrder) -> list[tuple[str, str]]:
    """Return what an order has of a subject: names, and of attributes what they say."""
    match subject:
        case RuleSubject.ATTRIBUTE:
            return [(one.key, one.value) for one in order.draft.attributes]
        case RuleSubject.TAG:
            names: Sequence[str] = order.draft.tags
        case RuleSubject.CUSTOMER_TAG:
            names = order.customer_tags
        case RuleSubject.DELIVERY_METHOD:
            names = order.delivery_methods
        case RuleSubject.LOCATION:
            names = order.locations
    return [(name, "") for name in names]
