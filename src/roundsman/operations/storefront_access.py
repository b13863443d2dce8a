"""Getting into shops: their credentials, sealed where they are kept, and the way to them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec
from msgspec import field

from roundsman.domain.model import Model
from roundsman.domain.storefront import StorefrontConnection, base_url, hook_secret_of
from roundsman.kit.http import HttpClient, HttpLimits
from roundsman.kit.software import software_version
from roundsman.operations.tools import Tools
from roundsman.storage.sealed_columns import STOREFRONT_CREDENTIALS, sealing_purpose
from roundsman.storage.storefronts import StoredStorefront
from roundsman.storefronts.port import ShopConnection, Storefront

_LIMITS = HttpLimits(connect_seconds=5, read_seconds=20, deadline_seconds=30)


class StorefrontSecrets(Model):
    """What lets into a shop, and what it signed its hooks with until the last change."""

    credentials: dict[str, str] = field(default_factory=dict)
    former_hook_secret: str = ""

    def with_credentials(
        self, connection: StorefrontConnection, credentials: Mapping[str, str]
    ) -> "StorefrontSecrets":
        """Return the secrets after a change; hooks that are on their way are still let in."""
        before = hook_secret_of(connection.platform, self.credentials)
        after = hook_secret_of(connection.platform, credentials)
        former = self.former_hook_secret if before == after else before
        return StorefrontSecrets(credentials=dict(credentials), former_hook_secret=former)


_read_secrets = msgspec.json.Decoder(StorefrontSecrets).decode


def seal_secrets(tools: Tools, storefront_id: str, secrets: StorefrontSecrets) -> str:
    """Return the secrets of a connection as they are stored."""
    purpose = sealing_purpose(STOREFRONT_CREDENTIALS, storefront_id)
    return tools.secret_box.seal(purpose, msgspec.json.encode(secrets).decode())


def open_secrets(tools: Tools, stored: StoredStorefront) -> StorefrontSecrets:
    """Return the secrets of a connection."""
    purpose = sealing_purpose(STOREFRONT_CREDENTIALS, stored.connection.id)
    return _read_secrets(tools.secret_box.unseal(purpose, stored.sealed_credentials))


@contextmanager
def open_shop(
    tools: Tools,
    connection: StorefrontConnection,
    credentials: Mapping[str, str],
    timezone: str,
) -> Iterator[Storefront]:
    """Open the way to a shop; connections that it keeps are closed in the end."""
    http = HttpClient(
        f"Roundsman/{software_version()}",
        _LIMITS,
        ca=tools.webhook_ca,
        choose_address=tools.address_guard.choose_address,
    )
    settings = connection.settings
    shop = ShopConnection(
        address=base_url(connection.address),
        credentials=dict(credentials),
        date_names=settings.delivery_date,
        window_names=settings.time_window,
        rule_names=settings.attributes_of_rules(),
        timezone=timezone,
        statuses=settings.statuses,
        out_for_delivery_status=settings.out_for_delivery_status,
        attempted_status=settings.attempted_status,
        notifies_customer=settings.notify_customer,
        is_annotated=settings.annotates(),
    )
    try:
        yield tools.open_storefront(connection.platform, shop, http)
    finally:
        http.close()
