"""A shop on a port of its own, and an adapter that speaks to it as those of platforms do."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.storefronts.paper_shop import draft

from roundsman.domain.storefront import StorefrontPlatform
from roundsman.kit.http import HttpClient, HttpFailure, OutgoingRequest
from roundsman.storefronts.port import (
    Annotation,
    Busy,
    CheckResult,
    ForeignOrder,
    OrderPage,
    Report,
    ReportAnswer,
    ShopConnection,
    Storefront,
)

OPENED = datetime(2024, 6, 30, 12, 0, tzinfo=UTC)


@dataclass
class ServedShop:
    """So many orders, and what had an effect on each."""

    orders: int
    port: int = 0
    effects: list[tuple[str, str, str]] = field(default_factory=list)
    """Order, stop and step."""

    asked: int = 0
    at_once: int = 0
    most_at_once: int = 0
    after_effect: Callable[[], None] = lambda: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def take(self, said: Any) -> bool:
        """Take a report unless it is known; say whether it was."""
        effect = (said["order"], said["stop"], said["step"])
        with self.lock:
            self.asked += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            was_known = effect in self.effects
            if not was_known:
                self.effects.append(effect)
        try:
            if not was_known:
                self.after_effect()
            return was_known
        finally:
            with self.lock:
                self.at_once -= 1


@contextmanager
def open_served_shop(orders: int) -> Iterator[ServedShop]:
    """Serve a shop on a free port."""
    shop = ServedShop(orders)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer({"orders": shop.orders})

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            self.answer({"wasKnown": shop.take(json.loads(self.rfile.read(length)))})

        def answer(self, value: object) -> None:
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:
                self.close_connection = True  # whoever asked was killed

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    shop.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield shop
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def open_served(
    platform: StorefrontPlatform, connection: ShopConnection, http: HttpClient
) -> Storefront:
    """Open a served shop, whatever platform it is said to run on."""
    del platform
    return _Adapter(connection, http)


@dataclass
class _Adapter:
    connection: ShopConnection
    http: HttpClient

    def fetch(self, method: str = "GET", body: object = None) -> Any:
        request = OutgoingRequest(url=f"{self.connection.address}/", method=method, body=body)
        try:
            return self.http.fetch_json(request, dict[str, Any])
        except HttpFailure as error:
            raise Busy("UNREACHABLE", str(error)) from error

    def check(self) -> Sequence[CheckResult]:
        self.fetch()
        return []

    def changed(self, cursor: str, since: datetime) -> OrderPage:
        del since
        count = self.fetch()["orders"]
        known = int(cursor or 0)
        orders = [_order(number) for number in range(known + 1, count + 1)]
        return OrderPage(orders=orders, cursor=str(count), is_last=True)

    def get(self, order_ids: Sequence[str]) -> Sequence[ForeignOrder]:
        count = self.fetch()["orders"]
        numbers = [int(id_.removeprefix("id-")) for id_ in order_ids]
        return [_order(number) for number in numbers if number <= count]

    def report(self, order_id: str, report: Report) -> ReportAnswer:
        said = {"order": order_id, "stop": report.stop_id, "step": report.step.value}
        return ReportAnswer(was_known=self.fetch("POST", said)["wasKnown"])

    def annotate(self, order_id: str, annotation: Annotation) -> None:
        """Take what is written, of which nothing is asked here."""

    def subscribe(self, hook_url: str, secret: str) -> bool:
        del hook_url, secret
        return False


def _order(number: int) -> ForeignOrder:
    return ForeignOrder(
        order_id=f"id-{number}", number=str(number), draft=draft(number), updated_at=OPENED
    )
