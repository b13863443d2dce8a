"""The public interface: its operations, and their description."""

from roundsman.api import (
    api_clients,
    authentication,
    changes,
    days,
    drivers,
    erasures,
    events,
    evidence,
    exports,
    imported_stops,
    insertions,
    members,
    messages,
    oauth,
    organizations,
    plans,
    reports,
    route_previews,
    route_stops,
    routes,
    security_events,
    store_orders,
    storefronts,
    tracking_links,
    transfers,
    vehicles,
    webhook_subscriptions,
)
from roundsman.api.documentation import add_documentation
from roundsman.api.examples import EXAMPLES
from roundsman.api.links import links_of
from roundsman.endpoints.access import Anybody, ApiClient
from roundsman.endpoints.application import Door
from roundsman.endpoints.openapi import Description
from roundsman.endpoints.operation import Operation, Operations
from roundsman.operations.tools import USUAL_ADDRESS
from roundsman.wire.current_version import EVENTS_BY_TOPIC, INTERFACE_VERSION
from roundsman.wire.field_alias import NO_ALIAS, FieldAlias

BASE_PATH = f"/api/{INTERFACE_VERSION}"

OPERATIONS: tuple[Operation, ...] = tuple(
    operation
    for file in (
        authentication,
        oauth,
        organizations,
        imported_stops,
        routes,
        route_previews,
        route_stops,
        tracking_links,
        evidence,
        transfers,
        insertions,
        plans,
        days,
        exports,
        reports,
        vehicles,
        drivers,
        members,
        messages,
        api_clients,
        webhook_subscriptions,
        events,
        changes,
        security_events,
        erasures,
        store_orders,
        storefronts,
    )
    for operation in file.OPERATIONS.listed
)


def describe(server: str = USUAL_ADDRESS) -> bytes:
    """Return the description of the public interface at an address as JSON."""
    return Description(
        title="Roundsman",
        version=INTERFACE_VERSION,
        summary="Stops in, best route out, proof at the door.",
        base_path=BASE_PATH,
        operations=OPERATIONS,
        examples=EXAMPLES,
        token_path=oauth.TOKEN_PATH,
        links=lambda operation: links_of(operation, OPERATIONS),
        webhooks=EVENTS_BY_TOPIC,
    ).render(server)


def open_public_interface(alias: FieldAlias = NO_ALIAS) -> Door:
    """Return the door of programs, whose storefront fields may have one more name."""
    documentation = Operations("Documentation", Anybody())
    add_documentation(documentation, describe)
    return Door(
        prefix=BASE_PATH,
        operations=(*OPERATIONS, *documentation.listed),
        access=ApiClient(),
        alias=alias,
    )
