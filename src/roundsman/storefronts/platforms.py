"""Which adapter speaks to which platform."""

from collections.abc import Callable, Mapping

from roundsman.domain.storefront import StorefrontPlatform
from roundsman.kit.http import HttpClient
from roundsman.storefronts.answer_guard import GuardedStorefront
from roundsman.storefronts.medusa import Medusa
from roundsman.storefronts.port import ShopConnection, Storefront
from roundsman.storefronts.shopify import Shopify
from roundsman.storefronts.vendure import Vendure
from roundsman.storefronts.woocommerce import WooCommerce

_ADAPTERS: Mapping[StorefrontPlatform, Callable[[ShopConnection, HttpClient], Storefront]] = {
    StorefrontPlatform.SHOPIFY: Shopify,
    StorefrontPlatform.WOOCOMMERCE: WooCommerce,
    StorefrontPlatform.MEDUSA: Medusa,
    StorefrontPlatform.VENDURE: Vendure,
}


def open_storefront(
    platform: StorefrontPlatform, connection: ShopConnection, http: HttpClient
) -> Storefront:
    """Return what speaks to a shop; nothing is asked yet."""
    return GuardedStorefront(_ADAPTERS[platform](connection, http))
