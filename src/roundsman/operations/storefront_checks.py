"""Tries what a shop lets us do, and shows how its orders would arrive; nothing is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from msgspec.structs import replace

from roundsman.domain.errors import NotFound
from roundsman.domain.model import UNSET
from roundsman.domain.storefront import (
    ArrivingOrder,
    StorefrontCheck,
    StorefrontConnection,
    StorefrontFinding,
    StorefrontState,
)
from roundsman.kit.http import HttpFailure
from roundsman.operations.storefront_access import open_secrets, open_shop
from roundsman.operations.storefront_orders import as_store_order
from roundsman.operations.storefront_visits import describe_failure
from roundsman.operations.tools import Tools
from roundsman.storage.organizations import find_organization
from roundsman.storage.storefront_orders import find_order_links
from roundsman.storage.storefronts import find_storefront, select_storefronts
from roundsman.storefronts.port import (
    ADDRESS,
    Busy,
    CheckResult,
    ForeignOrder,
    Refused,
    Storefront,
    StorefrontFailure,
    Unauthorized,
)
from roundsman.storefronts.rules import apply_settings

SHOWN_ORDERS = 10
NO_SHOP = "NOT_FOUND"
"""The code of a failure where no shop of the platform answers."""

_RECENT = timedelta(days=2)
_NEEDED = {ADDRESS, "credentials"}
"""Subjects of what is found before an order can be read."""


def try_credentials(
    tools: Tools,
    connection: StorefrontConnection,
    credentials: Mapping[str, str],
    timezone: str,
) -> StorefrontConnection:
    """Return a connection as its shop has taken it: ACTIVE, or REFUSED with what helps.

    A shop that is away for a moment is asked again by its visits.
    """
    now = tools.clock.now()
    try:
        with open_shop(tools, connection, credentials, timezone) as shop:
            findings = shop.check()
    except (Busy, HttpFailure) as error:
        return replace(connection, last_failure=describe_failure(error, now))
    except StorefrontFailure as error:
        failure = describe_failure(error, now)
        return replace(connection, state=StorefrontState.REFUSED, last_failure=failure)
    refused = [one for one in findings if not one.is_good and one.subject in _NEEDED]
    if not refused:
        return replace(connection, state=StorefrontState.ACTIVE, last_failure=UNSET)
    first = refused[0]
    why: StorefrontFailure = (
        Refused(NO_SHOP, first.message, first.remedy)
        if first.subject == ADDRESS
        else Unauthorized("UNAUTHORIZED", first.message, first.remedy)
    )
    failure = describe_failure(why, now)
    return replace(connection, state=StorefrontState.REFUSED, last_failure=failure)


def check_shop(tools: Tools, organization_id: str, storefront_id: str) -> StorefrontCheck:
    """Return what works of a connection, and its newest orders as they would arrive."""
    with tools.database.reading() as tx:
        stored = find_storefront(tx, organization_id, storefront_id)
        organization = find_organization(tx, organization_id)
    if stored is None or organization is None:
        raise NotFound("storefront not found")
    connection = stored.connection
    credentials = open_secrets(tools, stored).credentials
    orders: Sequence[ForeignOrder] = ()
    findings: list[StorefrontFinding] = []
    try:
        with open_shop(tools, connection, credentials, organization.timezone) as shop:
            findings += [_shown(one) for one in shop.check()]
            if all(one.is_good for one in findings if one.subject in _NEEDED):
                orders = _find_newest(tools, shop, connection)
    except (StorefrontFailure, HttpFailure) as error:
        failure = describe_failure(error, tools.clock.now())
        findings.append(
            StorefrontFinding(
                subject="orders",
                is_good=False,
                message=failure.message,
                remedy=failure.remedy,
            )
        )
    return StorefrontCheck(
        is_good=all(one.is_good for one in findings),
        findings=tuple(findings),
        store_orders=tuple(_arriving(connection, one) for one in orders),
    )


def _shown(one: CheckResult) -> StorefrontFinding:
    return StorefrontFinding(
        subject=one.subject, is_good=one.is_good, message=one.message, remedy=one.remedy
    )


def _find_newest(
    tools: Tools, shop: Storefront, connection: StorefrontConnection
) -> Sequence[ForeignOrder]:
    """Return some of the newest orders, as far back as is needed to find some."""
    found: Sequence[ForeignOrder] = ()
    for back in (_RECENT, connection.settings.look_back()):
        found = shop.changed("", tools.clock.now() - back).orders
        if len(found) >= SHOWN_ORDERS:
            break
    newest = sorted(found, key=lambda order: order.updated_at, reverse=True)
    return newest[:SHOWN_ORDERS]


def _arriving(connection: StorefrontConnection, foreign: ForeignOrder) -> ArrivingOrder:
    ruled = apply_settings(connection.settings, foreign)
    store_order_id = connection.store_order_id(foreign.number)
    return ArrivingOrder(
        store_order=as_store_order(connection, ruled, store_order_id),
        is_wanted=ruled.is_wanted,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class ExplainedOrder:
    """An order as its shop has it now, and whether it is kept here."""

    connection: StorefrontConnection
    arriving: ArrivingOrder
    is_kept: bool


def explain_order(tools: Tools, organization_id: str, order_id: str) -> ExplainedOrder:
    """Return an order as its shop has it now, also one that is not kept because nobody wants it.

    `order_id` is the id of a store order, or what a shop calls an order that is none.
    """
    with tools.database.reading() as tx:
        link = find_order_links(tx, organization_id, [order_id]).get(order_id)
        shops = select_storefronts(tx, organization_id)
        organization = find_organization(tx, organization_id)
    if organization is None:
        raise NotFound("organization not found")
    for stored in shops:
        connection = stored.connection
        if link is not None and link.storefront_id != connection.id:
            continue
        usual = order_id.removeprefix(connection.store_order_id(""))
        external_id = usual if link is None else link.external_id
        credentials = open_secrets(tools, stored).credentials
        with open_shop(tools, connection, credentials, organization.timezone) as shop:
            found = shop.get([external_id])
        for one in found:
            arriving = _arriving(connection, one)
            return ExplainedOrder(
                connection=connection, arriving=arriving, is_kept=link is not None
            )
    raise NotFound("no connected storefront has such an order now")
