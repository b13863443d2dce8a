"""Storefront connections in the interface: lists, what is synced, and reports."""

from roundsman.domain.model import Model
from roundsman.domain.storefront import (
    CredentialTexts,
    StorefrontConnection,
    StorefrontDetails,
    StorefrontReport,
)
from roundsman.wire.field_mask import UpdateShape, wire_names


class StorefrontsAnswer(Model):
    """Every connection of an organization, oldest first."""

    storefronts: tuple[StorefrontConnection, ...] = ()


class ReportsAnswer(Model):
    """A page of what a shop is told."""

    reports: tuple[StorefrontReport, ...] = ()
    next_cursor: str = ""


class StorefrontCredentialsBody(Model):
    """Other credentials of a shop; a `hookSecret` that is absent stays."""

    credentials: CredentialTexts


class SyncBody(Model):
    """Whether all orders are read again, as far back as the settings say."""

    full: bool = False


STOREFRONT_UPDATE = UpdateShape(
    "storefront",
    StorefrontDetails,
    wire_names(StorefrontDetails),
    never_blank=("address",),
)
