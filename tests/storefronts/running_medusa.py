"""A Medusa that really runs, with a shop that can be ordered from; for tests alone, never shipped.

`npm ci --ignore-scripts` in `tests/storefronts/medusa` installs it; without it, or without the
binaries of PostgreSQL, the tests of it are skipped. Making its tables takes half a minute, so the
first run keeps a dump of them, and later runs begin with that.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.postgres import find_binaries, postgres_server
from tests.support.ports import free_port
from tests.support.waiting import wait_until

type Json = Any

FOLDER = Path(__file__).parent / "medusa"
IS_INSTALLED = (
    FOLDER / "node_modules" / "@medusajs" / "medusa"
).is_dir() and find_binaries() is not None
HOW_TO_INSTALL = "make test-full installs it; it needs Node and PostgreSQL's binaries"

SUBSCRIBER = Path(__file__).parents[2] / "examples" / "storefronts" / "medusa.ts"
HOOK_SECRET = "what-both-know"

_CACHE = Path(__file__).parents[2] / ".cache" / "medusa"
_ADMIN = {"email": "admin@example.com", "password": "only-for-tests"}
_LONGEST_COMMAND_SECONDS = 600
"""Tables are made in half a minute; on a machine that does much else, in many."""

_LONGEST_START_SECONDS = 300
_ADDRESS = {
    "first_name": "Ann", "last_name": "Lee", "address_1": "100 Oak St", "city": "Towson",
    "province": "us-md", "postal_code": "21204", "country_code": "us", "phone": "410 555 0123",
}  # fmt: skip


@dataclass
class Medusa:
    """A running shop; `variant` can be ordered, and comes by `van`; `recipes` need no shipping."""

    address: str
    key: str = ""
    """A secret one, as a connection has it."""

    shop_key: str = ""
    region: str = ""
    variant: str = ""
    recipes: str = ""
    channel: str = ""
    van: str = ""

    def admin(self, path: str, body: Json = None) -> Json:
        """Read a path of the admin interface, or send it a body."""
        pair = base64.b64encode(f"{self.key}:".encode()).decode()
        return self._call(f"/admin{path}", body, {"Authorization": f"Basic {pair}"})

    def store(self, path: str, body: Json) -> Json:
        """Send a body to the interface that customers' browsers use."""
        return self._call(f"/store{path}", body, {"x-publishable-api-key": self.shop_key})

    def sign_in(self) -> None:
        """Have the administrator make a secret key."""
        token = self._call("/auth/user/emailpass", _ADMIN, {})["token"]
        body = {"title": "Roundsman", "type": "secret"}
        bearer = {"Authorization": f"Bearer {token}"}
        self.key = self._call("/admin/api-keys", body, bearer)["api_key"]["token"]

    def order(self, quantity: int, day: str, recipes: int = 0) -> str:
        """Order so many boxes for a day, pay, and return the order's id."""
        items = [{"variant_id": self.variant, "quantity": quantity}]
        items += [{"variant_id": self.recipes, "quantity": recipes}] if recipes else []
        cart = self.store(
            "/carts",
            {
                "region_id": self.region,
                "email": "ann@example.com",
                "shipping_address": _ADDRESS,
                "items": items,
                "metadata": {"Delivery Date": day, "Delivery Window": "13:00 - 14:00"},
            },
        )["cart"]["id"]
        self.store(f"/carts/{cart}/shipping-methods", {"option_id": self.van})
        payment = self.store("/payment-collections", {"cart_id": cart})["payment_collection"]["id"]
        sessions = f"/payment-collections/{payment}/payment-sessions"
        self.store(sessions, {"provider_id": "pp_system_default"})
        done = self.store(f"/carts/{cart}/complete", {})
        assert done["type"] == "order", done
        return str(done["order"]["id"])

    def order_unpaid(self, quantity: int) -> str:
        """Order so many boxes by telephone: somebody writes the order down, and nobody has paid."""
        draft = self.admin(
            "/draft-orders",
            {
                "region_id": self.region,
                "sales_channel_id": self.channel,
                "email": "ann@example.com",
                "shipping_address": _ADDRESS,
                "items": [{"variant_id": self.variant, "quantity": quantity}],
                "shipping_methods": [{"shipping_option_id": self.van, "name": "Van", "amount": 5}],
            },
        )["draft_order"]["id"]
        self.admin(f"/draft-orders/{draft}/convert-to-order", {})
        return str(draft)

    def pay(self, order_id: str) -> None:
        """Note that an order was paid in cash."""
        collection = {"order_id": order_id, "amount": 35}
        made = self.admin("/payment-collections", collection)["payment_collection"]["id"]
        self.admin(f"/payment-collections/{made}/mark-as-paid", {"order_id": order_id})

    def take_back(self, order_id: str, quantity: int) -> None:
        """Have so many pieces of an order's first line come back."""
        (item, *_) = self.find_order(order_id)["items"]
        items = {"items": [{"id": item["id"], "quantity": quantity}]}
        (location, *_) = self.admin("/stock-locations")["stock_locations"]
        begun = {"order_id": order_id, "location_id": location["id"]}
        path = f"/returns/{self.admin('/returns', begun)['return']['id']}"
        self.admin(f"{path}/request-items", items)
        self.admin(f"{path}/request", {})
        self.admin(f"{path}/receive", {})
        self.admin(f"{path}/receive-items", items)
        self.admin(f"{path}/receive/confirm", {})

    def fulfil(self, order_id: str) -> None:
        """Fulfil an order's first line in the shop, as somebody does that packs it."""
        (item, *_) = self.find_order(order_id)["items"]
        items = [{"id": item["id"], "quantity": item["quantity"]}]
        self.admin(f"/orders/{order_id}/fulfillments", {"items": items})

    def find_order(self, order_id: str) -> Json:
        """Return an order with its lines, their quantities, and its fulfilments."""
        fields = (
            "display_id,updated_at,metadata,*items,*items.detail,*fulfillments,*fulfillments.items"
        )
        return self.admin(f"/orders/{order_id}?fields={fields}")["order"]

    def _call(self, path: str, body: Json, headers: Mapping[str, str]) -> Json:
        request = urllib.request.Request(  # noqa: S310 -- on this machine
            self.address + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **headers},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 -- the same
            return json.load(answer)


@contextmanager
def run_medusa(folder: Path, hook_url: str = "") -> Iterator[Medusa]:
    """Start a shop on a database of its own, and fill it with one product.

    With a URL it sends hooks there, by the file that the page on connecting a shop gives.
    """
    binaries = find_binaries()
    assert binaries is not None
    for name in ("package.json", "medusa-config.js"):
        shutil.copy(FOLDER / name, folder)
    if hook_url:
        # Without a type of TypeScript in it, it is JavaScript, which needs no compiler.
        subscribers = folder / "src" / "subscribers"
        subscribers.mkdir(parents=True)
        shutil.copy(SUBSCRIBER, subscribers / "roundsman.js")
    (folder / "node_modules").symlink_to(FOLDER / "node_modules")
    with postgres_server(binaries) as server:
        installation = _Installation(folder, binaries, f"{server.address}/medusa", hook_url)
        installation.make_tables()
        with installation.serving() as address:
            shop = Medusa(address)
            shop.sign_in()
            _fill(shop)
            yield shop


@dataclass(frozen=True)
class _Installation:
    """A Medusa in a folder: its settings, the packages that it is made of, and its database."""

    folder: Path
    binaries: Path
    database_url: str
    hook_url: str

    def make_tables(self) -> None:
        """Make the tables and the administrator, or take both from an earlier run's dump."""
        self._postgres("createdb", f"--maintenance-db={self._maintenance_url()}", "medusa")
        dump = self._dump_file()
        if dump.exists():
            self._postgres("pg_restore", "--no-owner", "-d", self.database_url, str(dump))
            return
        self._medusa("db:migrate")
        self._medusa("user", "-e", _ADMIN["email"], "-p", _ADMIN["password"])
        # Another process may read or make the dump at the same time, so it appears at once.
        made = self.folder / dump.name
        self._postgres("pg_dump", "-Fc", "-f", str(made), self.database_url)
        dump.parent.mkdir(parents=True, exist_ok=True)
        copy = dump.with_suffix(f".{os.getpid()}")
        shutil.copyfile(made, copy)
        copy.rename(dump)

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Serve the shop on a free port; return its address."""
        port = free_port()
        log = self.folder / "medusa.log"
        with log.open("w") as said:
            server = subprocess.Popen(  # noqa: S603 -- what `npm ci` installed
                self._command("start", "--host", "127.0.0.1", "--port", str(port)),
                cwd=self.folder,
                env=self._environment(),
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        try:
            wait_until(
                lambda: "Server is ready" in log.read_text() or server.poll() is not None,
                _LONGEST_START_SECONDS,
                every=0.1,
            )
            assert server.poll() is None, log.read_text()[-2000:]
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(60)

    def _dump_file(self) -> Path:
        """Return where the dump of these packages' tables is for this version of the server."""
        told = subprocess.run(  # noqa: S603 -- the machine's own PostgreSQL
            [str(self.binaries / "postgres"), "--version"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        major = told.stdout.split()[2].partition(".")[0]
        made_of = (FOLDER / "package-lock.json").read_bytes() + json.dumps(_ADMIN).encode()
        return _CACHE / f"{hashlib.sha256(made_of).hexdigest()[:16]}-postgresql-{major}.dump"

    def _maintenance_url(self) -> str:
        return f"{self.database_url.rpartition('/')[0]}/postgres"

    def _postgres(self, program: str, *arguments: str) -> None:
        _run([str(self.binaries / program), *arguments], self.folder, dict(os.environ))

    def _medusa(self, *arguments: str) -> None:
        _run(self._command(*arguments), self.folder, self._environment())

    def _command(self, *arguments: str) -> list[str]:
        return ["node", "node_modules/.bin/medusa", *arguments]

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DATABASE_URL": self.database_url,
            "NODE_ENV": "production",
            "MEDUSA_DISABLE_TELEMETRY": "true",
            "ROUNDSMAN_HOOK_URL": self.hook_url,
            "ROUNDSMAN_HOOK_SECRET": HOOK_SECRET,
            # It keeps a note of whether it may count its users, also where it may not.
            "XDG_CONFIG_HOME": str(self.folder),
        }


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(  # noqa: S603 -- PostgreSQL's programs, and what `npm ci` installed
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=_LONGEST_COMMAND_SECONDS,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def _fill(shop: Medusa) -> None:
    """Make what an order takes: a region, a location that delivers there by van, and a product."""
    channel = shop.admin("/sales-channels", {"name": "Shop"})["sales_channel"]["id"]
    shop.channel = channel
    shop.region = shop.admin(
        "/regions",
        {"name": "United States", "currency_code": "usd", "countries": ["us"],
         "payment_providers": ["pp_system_default"]},
    )["region"]["id"]  # fmt: skip
    farm = shop.admin("/stock-locations", {"name": "Farm"})["stock_location"]["id"]
    shop.admin(f"/stock-locations/{farm}/sales-channels", {"add": [channel]})
    shop.admin(f"/stock-locations/{farm}/fulfillment-providers", {"add": ["manual_manual"]})
    ways = shop.admin(
        f"/stock-locations/{farm}/fulfillment-sets?fields=*fulfillment_sets",
        {"name": "Delivery", "type": "shipping"},
    )["stock_location"]["fulfillment_sets"]
    zone = shop.admin(
        f"/fulfillment-sets/{ways[0]['id']}/service-zones",
        {"name": "Everywhere", "geo_zones": [{"type": "country", "country_code": "us"}]},
    )["fulfillment_set"]["service_zones"][0]["id"]
    profile = shop.admin("/shipping-profiles", {"name": "Boxes", "type": "boxes"})
    boxes = profile["shipping_profile"]["id"]
    shop.van = shop.admin(
        "/shipping-options",
        {"name": "Van", "service_zone_id": zone, "shipping_profile_id": boxes,
         "provider_id": "manual_manual", "price_type": "flat",
         "type": {"label": "Van", "description": "By van", "code": "van"},
         "prices": [{"currency_code": "usd", "amount": 5}]},
    )["shipping_option"]["id"]  # fmt: skip
    product = shop.admin(
        "/products?fields=*variants,*variants.inventory_items",
        {"title": "Veg box", "status": "published", "shipping_profile_id": boxes,
         "sales_channels": [{"id": channel}], "options": [{"title": "Size", "values": ["S"]}],
         "variants": [{"title": "S", "sku": "BOX", "options": {"Size": "S"},
                       "prices": [{"currency_code": "usd", "amount": 10}]}]},
    )["product"]  # fmt: skip
    (variant,) = product["variants"]
    shop.variant = variant["id"]
    (stocked,) = variant["inventory_items"]
    shop.admin(
        f"/inventory-items/{stocked['inventory_item_id']}/location-levels",
        {"location_id": farm, "stocked_quantity": 1000},
    )
    # A product of no shipping profile needs no shipping.
    recipes = shop.admin(
        "/products?fields=*variants",
        {"title": "Recipes", "status": "published", "sales_channels": [{"id": channel}],
         "options": [{"title": "Format", "values": ["PDF"]}],
         "variants": [{"title": "PDF", "manage_inventory": False, "options": {"Format": "PDF"},
                       "prices": [{"currency_code": "usd", "amount": 1}]}]},
    )["product"]  # fmt: skip
    shop.recipes = recipes["variants"][0]["id"]
    key = shop.admin("/api-keys", {"title": "Shop", "type": "publishable"})["api_key"]
    shop.admin(f"/api-keys/{key['id']}/sales-channels", {"add": [channel]})
    shop.shop_key = key["token"]
