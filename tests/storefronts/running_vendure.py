"""A Vendure that really runs, with a shop that can be ordered from; for tests alone, never shipped.

`npm ci` in `tests/storefronts/vendure` installs it; without it the tests of it are skipped.
"""

import json
import os
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.ports import free_port
from tests.support.waiting import wait_until

type Json = Any

FOLDER = Path(__file__).parent / "vendure"
IS_INSTALLED = (FOLDER / "node_modules" / "@vendure" / "core").is_dir()


@dataclass
class Vendure:
    """A running shop; `variant` can be ordered."""

    address: str
    token: str = ""
    variant: str = ""
    key: str = ""
    customer: dict[str, str] = field(default_factory=dict)

    def query(self, path: str, query: str, variables: Json = None, token: str = "") -> Json:
        """Ask a GraphQL interface, and return its data."""
        request = urllib.request.Request(  # noqa: S310 -- on this machine
            f"{self.address}/{path}",
            data=json.dumps({"query": query, "variables": variables or {}}).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 -- the same
            said = json.load(answer)
            self.customer["token"] = answer.headers.get("vendure-auth-token") or token
        assert "errors" not in said, said
        return said["data"]

    def admin(self, query: str, **variables: Json) -> Json:
        return self.query("admin-api", query, variables, self.token)

    def order(self, quantity: int, day: str) -> str:
        """Order so many boxes for a day, pay, and return the order's id."""
        token = ""
        for query, variables in (
            (("mutation($v: ID!, $q: Int!) { addItemToOrder(productVariantId: $v, quantity: $q)"
             " { __typename } }"), {"v": self.variant, "q": quantity}),
            (("mutation($c: CreateCustomerInput!) { setCustomerForOrder(input: $c)"
             " { __typename } }"), {"c": {"firstName": "Ann", "lastName": "Lee",
              "emailAddress": "ann@example.com"}}),
            (("mutation($a: CreateAddressInput!) { setOrderShippingAddress(input: $a)"
             " { __typename } }"), {"a": {"fullName": "Ann Lee", "streetLine1": "100 Oak St",
              "city": "Towson", "province": "MD", "postalCode": "21204", "countryCode": "US",
              "phoneNumber": "410 555 0123"}}),
            (("mutation($f: UpdateOrderInput!) { setOrderCustomFields(input: $f)"
             " { __typename } }"), {"f": {"customFields": {"deliveryDate": day,
              "deliveryWindow": "13:00 - 14:00"}}}),
        ):  # fmt: skip
            self.query("shop-api", query, variables, token)
            token = self.customer["token"]
        methods = self.query("shop-api", "{ eligibleShippingMethods { id } }", None, token)
        method = methods["eligibleShippingMethods"][0]["id"]
        self.query(
            "shop-api",
            "mutation($m: [ID!]!) { setOrderShippingMethod(shippingMethodId: $m) { __typename } }",
            {"m": [method]},
            token,
        )
        self.query(
            "shop-api",
            'mutation { transitionOrderToState(state: "ArrangingPayment") { __typename } }',
            None,
            token,
        )
        paid = self.query(
            "shop-api",
            'mutation { addPaymentToOrder(input: {method: "cash", metadata: {}})'
            " { __typename ... on Order { id state } } }",
            None,
            token,
        )["addPaymentToOrder"]
        assert paid["__typename"] == "Order", paid
        return str(paid["id"])


@contextmanager
def run_vendure(folder: Path) -> Iterator[Vendure]:
    """Start a shop on a database of its own, and fill it with one product."""
    port = free_port()
    environment = {
        **os.environ,
        "VENDURE_DISABLE_TELEMETRY": "true",
        "PORT": str(port),
        "DATABASE": str(folder / "vendure.sqlite"),
    }
    log = (folder / "vendure.log").open("w+")
    server = subprocess.Popen(
        ["node", "server.js"],  # noqa: S607 -- whichever is installed
        cwd=FOLDER,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_until(
            lambda: "READY" in Path(log.name).read_text() or server.poll() is not None, seconds=120
        )
        assert server.poll() is None, Path(log.name).read_text()[-2000:]
        shop = Vendure(f"http://127.0.0.1:{port}")
        _fill(shop)
        yield shop
    finally:
        server.terminate()
        server.wait(30)
        log.close()


def _fill(shop: Vendure) -> None:
    """Make what an order takes: a zone with tax, a way to ship and to pay, and a product."""
    login = 'mutation { login(username: "superadmin", password: "superadmin") { __typename } }'
    shop.query("admin-api", login)
    shop.token = shop.customer["token"]
    english = [{"languageCode": "en", "name": "x", "description": ""}]
    country = shop.admin(
        "mutation($i: CreateCountryInput!) { createCountry(input: $i) { id } }",
        i={"code": "US", "enabled": True,
           "translations": [{"languageCode": "en", "name": "United States"}]},
    )["createCountry"]["id"]  # fmt: skip
    zone = shop.admin(
        "mutation($i: CreateZoneInput!) { createZone(input: $i) { id } }",
        i={"name": "World", "memberIds": [country]},
    )["createZone"]["id"]
    tax = shop.admin(
        "mutation($i: CreateTaxCategoryInput!) { createTaxCategory(input: $i) { id } }",
        i={"name": "Standard", "isDefault": True},
    )["createTaxCategory"]["id"]
    shop.admin(
        "mutation($i: CreateTaxRateInput!) { createTaxRate(input: $i) { id } }",
        i={"name": "None", "value": 0, "enabled": True, "categoryId": tax, "zoneId": zone},
    )
    channel = shop.admin("{ activeChannel { id } }")["activeChannel"]["id"]
    shop.admin(
        "mutation($i: UpdateChannelInput!) { updateChannel(input: $i) { __typename } }",
        i={"id": channel, "defaultTaxZoneId": zone, "defaultShippingZoneId": zone},
    )
    shop.admin(
        "mutation($i: CreateShippingMethodInput!) { createShippingMethod(input: $i) { id } }",
        i={
            "code": "van",
            "fulfillmentHandler": "manual-fulfillment",
            "checker": {"code": "default-shipping-eligibility-checker",
                        "arguments": [{"name": "orderMinimum", "value": "0"}]},
            "calculator": {"code": "default-shipping-calculator",
                           "arguments": [{"name": "rate", "value": "0"},
                                         {"name": "includesTax", "value": "auto"},
                                         {"name": "taxRate", "value": "0"}]},
            "translations": english,
        },
    )  # fmt: skip
    shop.admin(
        "mutation($i: CreatePaymentMethodInput!) { createPaymentMethod(input: $i) { id } }",
        i={
            "code": "cash",
            "enabled": True,
            "handler": {"code": "dummy-payment-handler",
                        "arguments": [{"name": "automaticSettle", "value": "true"}]},
            "translations": english,
        },
    )  # fmt: skip
    product = shop.admin(
        "mutation($i: CreateProductInput!) { createProduct(input: $i) { id } }",
        i={"enabled": True, "translations": [{"languageCode": "en", "name": "Veg box",
           "slug": "box", "description": ""}]},
    )["createProduct"]["id"]  # fmt: skip
    made = shop.admin(
        "mutation($i: [CreateProductVariantInput!]!) { createProductVariants(input: $i) { id } }",
        i=[{"productId": product, "sku": "BOX", "price": 1000, "stockOnHand": 1000,
            "taxCategoryId": tax, "translations": [{"languageCode": "en", "name": "Veg box"}]}],
    )["createProductVariants"]  # fmt: skip
    shop.variant = made[0]["id"]
    role = shop.admin(
        "mutation($i: CreateRoleInput!) { createRole(input: $i) { id } }",
        i={"code": "roundsman", "description": "", "permissions": ["ReadOrder", "UpdateOrder"]},
    )["createRole"]["id"]
    key = shop.admin(
        "mutation($i: CreateApiKeyInput!) { createApiKey(input: $i) { apiKey } }",
        i={"roleIds": [role], "translations": [{"languageCode": "en", "name": "Roundsman"}]},
    )["createApiKey"]
    shop.key = str(key["apiKey"])
