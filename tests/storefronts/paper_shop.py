"""A small shop that keeps to the port: orders by time of change, and what it was told of them."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from datetime import UTC, datetime, timedelta
from typing import Any

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.store_order import OrderItem, StoreOrderDraft
from roundsman.domain.storefront import StorefrontPlatform
from roundsman.kit.http import HttpClient
from roundsman.storefronts.port import (
    Annotation,
    Busy,
    CheckResult,
    ForeignOrder,
    OrderPage,
    Refused,
    Report,
    ReportAnswer,
    ShopConnection,
    Storefront,
    Unauthorized,
)

OPENED = datetime(2024, 6, 30, 12, 0, tzinfo=UTC)
_OVERLAP = timedelta(minutes=2)


def draft(number: int, **changes: Any) -> StoreOrderDraft:
    """Return an order that can be put on a route."""
    return StoreOrderDraft(
        **{
            "name": f"#{number}",
            "address": Address(address1=f"{number} Main St", city="Towson", province_code="MD"),
            "contact": Contact(first_name="Ann"),
            "items": (OrderItem(name="Veg box", quantity=2, sku="BOX", grams=500),),
            "coordinates": Coordinates(latitude=39.4 + number / 10_000, longitude=-76.6),
            **changes,
        }
    )


@dataclass
class PaperShop:
    """Orders and fulfilments; `key` is what lets in."""

    key: str = "paper-key-0123"
    orders: dict[str, ForeignOrder] = field(default_factory=dict)
    told: list[tuple[str, Report]] = field(default_factory=list)
    """What had an effect, in the order in which it had."""

    annotations: list[tuple[str, Annotation]] = field(default_factory=list)
    annotating_troubles: list[Exception] = field(default_factory=list)
    reports: int = 0
    visits: int = 0
    hooks: list[tuple[str, str]] = field(default_factory=list)
    page_size: int = 2
    now: datetime = OPENED
    troubles: list[Exception] = field(default_factory=list)
    """Raised by the next reports, one after the other."""

    reading_troubles: list[Exception] = field(default_factory=list)
    checking_troubles: list[Exception] = field(default_factory=list)
    after_report: Callable[[], None] = lambda: None
    after_subscribing: Callable[[], None] = lambda: None
    before_check: Callable[[], None] = lambda: None
    before_reading: Callable[[], None] = lambda: None
    lock: threading.Lock = field(default_factory=threading.Lock)
    at_once: int = 0
    most_at_once: int = 0

    def put(self, number: int, **changes: Any) -> ForeignOrder:
        """Have an order, new or changed, a second after whatever changed last."""
        self.now += timedelta(seconds=1)
        is_wanted = changes.pop("is_wanted", True)
        remarks = changes.pop("remarks", ())
        methods = changes.pop("delivery_methods", ())
        order = ForeignOrder(
            order_id=f"id-{number}",
            number=str(number),
            draft=draft(number, **changes),
            updated_at=self.now,
            is_wanted=is_wanted,
            remarks=remarks,
            delivery_methods=methods,
        )
        self.orders[order.order_id] = order
        return order

    def put_silently(self, number: int, **changes: Any) -> None:
        """Change an order whose time of change stands still, as Vendure's does."""
        was = self.orders[f"id-{number}"].updated_at
        order = self.put(number, **changes)
        self.orders[order.order_id] = dataclass_replace(order, updated_at=was)

    def steps(self) -> list[tuple[str, str]]:
        """Return of which orders what was told, with effect."""
        return [(order_id, report.step.value) for order_id, report in self.told]

    def open(
        self, platform: StorefrontPlatform, connection: ShopConnection, http: HttpClient
    ) -> Storefront:
        """Open this shop, whatever platform it is said to run on."""
        del platform, http
        return _OpenedShop(self, connection)


@dataclass
class _OpenedShop:
    shop: PaperShop
    connection: ShopConnection

    def check(self) -> Sequence[CheckResult]:
        self.shop.before_check()
        if self.shop.checking_troubles:
            raise self.shop.checking_troubles.pop(0)
        is_good = self.is_let_in()
        message = "the key is accepted" if is_good else "the key is not accepted"
        remedy = "" if is_good else "Make another key."
        return [CheckResult(subject="credentials", is_good=is_good, message=message, remedy=remedy)]

    def is_let_in(self) -> bool:
        return self.shop.key in self.connection.credentials.values()

    def enter(self) -> None:
        if not self.is_let_in():
            raise Unauthorized("401", "the key is not accepted", "Make another key.")

    def changed(self, cursor: str, since: datetime) -> OrderPage:
        self.shop.before_reading()
        self.enter()
        self.shop.visits += 1
        if self.shop.reading_troubles:
            raise self.shop.reading_troubles.pop(0)
        time, _, order_id = cursor.partition(" ")
        after = (datetime.fromisoformat(time) if time else since, order_id)
        found = sorted(
            (one for one in self.shop.orders.values() if (one.updated_at, one.order_id) > after),
            key=lambda one: (one.updated_at, one.order_id),
        )
        page = found[: self.shop.page_size]
        is_last = len(found) == len(page)
        following = cursor
        if page:
            last = page[-1]
            at = last.updated_at - _OVERLAP if is_last else last.updated_at
            following = f"{at.isoformat()} {'' if is_last else last.order_id}"
        return OrderPage(orders=page, cursor=following, is_last=is_last)

    def get(self, order_ids: Sequence[str]) -> Sequence[ForeignOrder]:
        self.enter()
        return [self.shop.orders[one] for one in order_ids if one in self.shop.orders]

    def report(self, order_id: str, report: Report) -> ReportAnswer:
        self.enter()
        shop = self.shop
        with shop.lock:
            shop.at_once += 1
            shop.most_at_once = max(shop.most_at_once, shop.at_once)
        try:
            shop.reports += 1
            if shop.troubles:
                raise shop.troubles.pop(0)
            same = [
                told
                for told_id, told in shop.told
                if told_id == order_id and told.stop_id == report.stop_id
            ]
            was_known = bool(same) and same[-1].step is report.step
            if not was_known:
                shop.told.append((order_id, report))
            shop.after_report()
            return ReportAnswer(was_known=was_known, fulfillment_id=f"ful-{report.stop_id}")
        finally:
            with shop.lock:
                shop.at_once -= 1

    def annotate(self, order_id: str, annotation: Annotation) -> None:
        self.enter()
        if self.shop.annotating_troubles:
            raise self.shop.annotating_troubles.pop(0)
        self.shop.annotations.append((order_id, annotation))

    def subscribe(self, hook_url: str, secret: str) -> bool:
        self.shop.hooks.append((hook_url, secret))
        self.shop.after_subscribing()
        return True


__all__ = ["OPENED", "Busy", "PaperShop", "Refused", "Unauthorized", "draft"]
