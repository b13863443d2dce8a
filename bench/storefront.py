"""What it takes to read a shop of 5,000 orders, and how soon a hinted order is there.

`python -m bench.storefront [--orders 5000] [--platform woocommerce] [--database postgresql]`. The
shop is a process of its own on loopback, so its time is in the figure and its memory is not. The
hints go to a real server over HTTP, signed, one after the other, each of another order.
"""

import argparse
import asyncio
import base64
import hashlib
import hmac
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from tests.acceptance.test_main_job import serving
from tests.storefronts.platform_shops import KINDS
from tests.support.waiting import wait_until

from bench.webhooks import bench_database
from roundsman.domain.principal import operator
from roundsman.domain.storefront import StorefrontDraft, StorefrontPlatform, StorefrontState
from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.operations.api_clients import create_credentials, sign_in_client
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.operations.storefronts import connect_shop
from roundsman.settings import Settings
from roundsman.workers.storefront_visits import StorefrontVisits

_SECRET = "bench-hook-secret"  # noqa: S105 -- of a shop on this machine
_HINTS = 20
_SIGNATURES = {
    StorefrontPlatform.SHOPIFY: "X-Shopify-Hmac-SHA256",
    StorefrontPlatform.WOOCOMMERCE: "X-WC-Webhook-Signature",
    StorefrontPlatform.MEDUSA: "X-Roundsman-Hmac-SHA256",
    StorefrontPlatform.VENDURE: "X-Roundsman-Hmac-SHA256",
}


@dataclass(frozen=True)
class Connected:
    """A shop that has been read, and what lets in."""

    storefront_id: str
    token: str
    platform: StorefrontPlatform


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.storefront")
    parser.add_argument("--orders", type=int, default=5_000)
    parser.add_argument("--platform", choices=KINDS, default="woocommerce")
    parser.add_argument("--database", default="sqlite")
    asked = parser.parse_args()
    with (
        bench_database(asked.database) as url,
        tempfile.TemporaryDirectory() as folder,
        open_shop(asked.platform, asked.orders) as shop,
    ):
        print(f"{asked.platform}, {asked.orders:,} orders, {asked.database}")
        settings = Settings(
            data=Path(folder), database_url=url, webhook_allow=(ip_network("127.0.0.0/8"),)
        )
        connected = measure_reading(settings, shop, asked.platform)
        measure_hints(settings, shop, connected, asked.orders)


@contextmanager
def open_shop(platform: str, orders: int) -> Iterator[str]:
    """Serve a shop; return its address."""
    process = subprocess.Popen(  # noqa: S603 -- this very program
        [sys.executable, "-m", "bench.shop", platform, str(orders)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield str(process.stdout.readline()).strip() if process.stdout else ""
    finally:
        process.communicate(timeout=60)  # which ends its standard input


def get_json(url: str, token: str = "") -> Any:
    """Return what an address on this machine answers."""
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})  # noqa: S310 -- on this machine
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 -- the same
        return json.load(answer)


def measure_reading(settings: Settings, shop: str, kind: str) -> Connected:
    """Read the whole shop in this process, and print what that took."""
    database = open_database(settings)
    tools = make_tools(settings, database)
    registrar = make_registrar(tools)
    organization = create_organization(registrar, "Bench Goods", "UTC").id
    request = Request(principal=operator(organization, "a@b.example"))
    made = create_credentials(registrar, organization, "dev@example.com")
    token = sign_in_client(tools, request, made.client_id, made.client_secret).text
    usual = KINDS[kind]()
    draft = StorefrontDraft(
        platform=usual.platform,
        address=shop,
        credentials={**usual.credentials, "hookSecret": _SECRET},
    )
    connection = connect_shop(tools, request, draft)
    if connection.state is not StorefrontState.ACTIVE:
        raise SystemExit(f"the shop is {connection.state}: {connection.last_failure}")
    before = resource.getrusage(resource.RUSAGE_SELF)
    calls = get_json(f"{shop}/bench/calls")["calls"]
    started = time.perf_counter()
    asyncio.run(StorefrontVisits(tools, lambda _id: "").visit_due([connection.id]))
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_SELF)
    calls = get_json(f"{shop}/bench/calls")["calls"] - calls
    with database.reading() as tx:
        kept = tx.exec_driver_sql("SELECT COUNT(*) FROM store_orders").scalar()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"read {kept:,} orders in {seconds:.1f} s, {cpu:.1f} s of processor, {calls} calls")
    print(
        f"peak memory {after.ru_maxrss / 1024:.0f} MB, "
        f"{(after.ru_maxrss - before.ru_maxrss) / 1024:.0f} MB more than before"
    )
    tools.close()
    database.close()
    return Connected(connection.id, token, usual.platform)


def measure_hints(settings: Settings, shop: str, connected: Connected, orders: int) -> None:
    """Hint that orders have changed, one after the other, and print how soon they are there."""
    os.environ["ROUNDSMAN_WEBHOOK_ALLOW"] = "127.0.0.0/8"
    waits = []
    with serving(settings.data, settings.database()) as address:
        api = f"{address}/api/2024-07"
        for turn in range(_HINTS):
            number = 1 + turn * (orders // _HINTS)
            changed = get_json(f"{shop}/bench/change?number={number}&quantity={10 + turn}")
            started = time.perf_counter()
            send_hint(api, connected, changed["id"])
            wait_until(
                lambda turn=turn, number=number: is_there(api, connected, number, 10 + turn),  # type: ignore[misc]  # mypy infers no lambda with a default
                every=0.1,  # clients may ask ten times a second
            )
            waits.append(time.perf_counter() - started)
    print(
        f"from hint to order visible: median {statistics.median(waits):.2f} s, "
        f"worst of {_HINTS} {max(waits):.2f} s"
    )


def send_hint(api: str, connected: Connected, order_id: str) -> None:
    """Send a hook as the platform does."""
    said = {"id": order_id, "orderId": order_id, "name": "order.updated", "data": {"id": order_id}}
    body = json.dumps(said).encode()
    signature = base64.b64encode(hmac.new(_SECRET.encode(), body, hashlib.sha256).digest())
    headers = {
        "Content-Type": "application/json",
        _SIGNATURES[connected.platform]: signature.decode(),
    }
    url = f"{api}/storefronts/{connected.storefront_id}/hooks"
    request = urllib.request.Request(url, body, headers)  # noqa: S310 -- on this machine
    with urllib.request.urlopen(request, timeout=30):  # noqa: S310 -- the same
        pass


def is_there(api: str, connected: Connected, number: int, quantity: int) -> bool:
    """Say whether an order is shown as it was changed."""
    order = get_json(f"{api}/store-orders/{number}", connected.token)
    return bool(sum(item["quantity"] for item in order["items"]) == quantity)


if __name__ == "__main__":
    main()
