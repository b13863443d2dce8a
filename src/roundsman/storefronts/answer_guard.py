"""What a shop answers that no shop of its platform should: a failure of the shop, not of ours.

Adapters read answers as their platform documents them. A proxy, a plugin or another software at
the address answers JSON of another shape; reading that fails in whatever way it does, and whoever
asked is told that the shop cannot be understood.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

import structlog

from roundsman.storefronts.port import (
    Annotation,
    CheckResult,
    ForeignOrder,
    OrderPage,
    Report,
    ReportAnswer,
    Storefront,
)
from roundsman.storefronts.shop_client import NotUnderstood, find_refused

_log = structlog.get_logger(__name__)

_UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


@contextmanager
def _understood() -> Iterator[None]:
    try:
        yield
    except _UNREADABLE as error:
        # With its trace: it may be a bug of ours all the same.
        _log.warning("storefront_answer_not_understood", exc_info=True)
        message = "the shop answered something else than was asked for"
        raise NotUnderstood("UNEXPECTED_ANSWER", message) from error


class GuardedStorefront:
    """A shop whose answers may be anything."""

    def __init__(self, inner: Storefront) -> None:
        self._inner = inner

    def check(self) -> Sequence[CheckResult]:
        """Try what is needed; an answer that makes no sense is a finding, too."""
        try:
            with _understood():
                return self._inner.check()
        except NotUnderstood as failure:
            return [find_refused(failure)]

    def changed(self, cursor: str, since: datetime) -> OrderPage:
        """Return one page of what has changed."""
        with _understood():
            return self._inner.changed(cursor, since)

    def get(self, order_ids: Sequence[str]) -> Sequence[ForeignOrder]:
        """Return orders by the platform's ids."""
        with _understood():
            return self._inner.get(order_ids)

    def report(self, order_id: str, report: Report) -> ReportAnswer:
        """Tell of a step."""
        with _understood():
            return self._inner.report(order_id, report)

    def annotate(self, order_id: str, annotation: Annotation) -> None:
        """Write into an order."""
        with _understood():
            self._inner.annotate(order_id, annotation)

    def subscribe(self, hook_url: str, secret: str) -> bool:
        """Make or renew the shop's hooks."""
        with _understood():
            return self._inner.subscribe(hook_url, secret)
