"""Storefront connections: the platforms whose orders are read and told what became of them."""

from enum import StrEnum


class StorefrontPlatform(StrEnum):
    """What a connected shop runs on."""

    SHOPIFY = "SHOPIFY"
    WOOCOMMERCE = "WOOCOMMERCE"
    MEDUSA = "MEDUSA"
    VENDURE = "VENDURE"
