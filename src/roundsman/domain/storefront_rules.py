"""Rules of a shop: what of its orders is left there, and what the stops of the others are given."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, ClassVar

from roundsman.domain.imported_stop import Priority, judge_type
from roundsman.domain.loads import Skills
from roundsman.domain.model import UNSET, Line, Model, Name, Rule, UnsetType, obey_rules
from roundsman.domain.stop_type import StopType
from roundsman.kit.durations import Duration


class RuleSubject(StrEnum):
    """What of an order a rule looks at."""

    TAG = "TAG"
    """Of Shopify: a tag of the order."""

    CUSTOMER_TAG = "CUSTOMER_TAG"
    """Of Shopify: a tag of who has ordered."""

    ATTRIBUTE = "ATTRIBUTE"
    DELIVERY_METHOD = "DELIVERY_METHOD"
    """As the shop calls it: `LOCAL` or the method's name on Shopify, `flat_rate` or its title on
    WooCommerce, the shipping option's name on Medusa, the method's code on Vendure.
    """

    LOCATION = "LOCATION"
    """Of Shopify: one of the locations that it leaves from."""


def fold_name(name: str) -> str:
    """Return a name without what does not count: case, hyphens, underscores and spaces."""
    return re.sub(r"[-_\s]+", "", name).casefold()


def _judge_name(rule: Any) -> Iterator[str]:
    if not fold_name(rule.name):
        yield "needs a letter or a digit: hyphens, underscores and spaces do not count"


def _judge_value(rule: Any) -> Iterator[str]:
    if rule.value and rule.subject is not RuleSubject.ATTRIBUTE:
        yield "only an ATTRIBUTE has a value; of all else the name is enough"


def _judge_effect(rule: Any) -> Iterator[str]:
    effects = (rule.is_left, rule.type is not StopType.UNKNOWN, rule.required_skills)
    if not any(effects) and rule.priority is UNSET and rule.duration is UNSET:
        yield "a rule needs an effect: isLeft, priority, duration, type or requiredSkills"


_EFFECTS = ("is_left", "priority", "duration", "type", "required_skills")


class StorefrontRule(Model):
    """What becomes of orders that have something, or lack it.

    Names are compared without case, hyphens, underscores and spaces, values without case.
    """

    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(_judge_name, ("name",)),
        Rule(_judge_value, ("value", "subject")),
        Rule(_judge_effect, _EFFECTS),
        Rule(judge_type, ("type",)),
    )

    subject: RuleSubject
    name: Name
    """The tag, the method or the location; of an attribute its name."""

    value: Line = ""
    """What an attribute has to say; empty for anything."""

    is_absent: bool = False
    """Whether the rule is for the orders that have no such thing."""

    is_left: bool = False
    """Whether the order is left in its shop: one that is here already is put on hold."""

    priority: Priority | UnsetType = UNSET
    """Of its stop; a higher one comes before others as far as windows allow."""

    duration: Duration | UnsetType = UNSET
    """How long service takes at its stop."""

    type: StopType = StopType.UNKNOWN
    """What its stop is for; UNKNOWN says nothing of it."""

    required_skills: Skills = ()
    """What a vehicle of a plan must have to serve it; those of several rules add up."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)

    def condition(self) -> str:
        """Return in words for which orders it is."""
        subject = self.subject.value.replace("_", " ").lower()
        said = f' "{self.value}"' if self.value else ""
        return f'{"no " if self.is_absent else ""}{subject} "{self.name}"{said}'
