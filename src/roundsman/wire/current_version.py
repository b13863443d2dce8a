"""The interface version that is served: what stands outside `wire` names it here alone.

A later version is a folder beside it, and other lines here.
"""

from roundsman.wire.v2024_07.answers import (
    ORGANIZATION_UPDATE,
    AuthenticateAnswer,
    EmptyAnswer,
    OAuthError,
    OAuthToken,
    OrganizationAnswer,
    RatingLink,
    SecurityEventsAnswer,
    encode_organization,
)
from roundsman.wire.v2024_07.api_clients import CredentialsAnswer
from roundsman.wire.v2024_07.drivers import (
    DriversAnswer,
    DriverSessionsAnswer,
    InvitedDriver,
    NewDriver,
    encode_drivers,
    encode_invited_driver,
    encode_new_driver,
)
from roundsman.wire.v2024_07.events import (
    API_VERSION,
    EventsAnswer,
    encode_event,
    encode_payload,
    show_event,
)
from roundsman.wire.v2024_07.imported_stops import (
    IMPORTED_STOP_LOCATION,
    IMPORTED_STOP_UPDATE,
    ImportedItems,
    ImportedStopsAnswer,
    ImportedStopsPage,
    StopImport,
)
from roundsman.wire.v2024_07.insertions import InsertionsAnswer, InsertionsBody
from roundsman.wire.v2024_07.journal import JournalAnswer, encode_journal
from roundsman.wire.v2024_07.members import (
    InvitedMember,
    MembersAnswer,
    encode_invited_member,
    encode_members,
)
from roundsman.wire.v2024_07.plans import (
    AppliedPlanAnswer,
    ApplyPlanBody,
    ComparePlanBody,
    PlansAnswer,
    encode_applied_plan,
)
from roundsman.wire.v2024_07.requests import AuthenticateBody, EmptyBody
from roundsman.wire.v2024_07.route_headers import (
    ESTIMATED,
    ESTIMATED_MEANS,
    ESTIMATED_OF_LIST_MEANS,
    GAP,
    GAP_MEANS,
    list_headers,
    part_headers,
    route_headers,
)
from roundsman.wire.v2024_07.route_previews import PreviewAddition, PreviewBody
from roundsman.wire.v2024_07.route_stops import (
    ROUTE_STOP_LOCATION,
    ROUTE_STOP_UPDATE,
    AddOrderBody,
    AddOrdersBody,
    AddStopBody,
    AddStopsBody,
    PositionBody,
    RouteStopItems,
    RouteStopLocation,
)
from roundsman.wire.v2024_07.routes import (
    ROUTE_END_LOCATION,
    ROUTE_UPDATE,
    DispatchBody,
    DriverBody,
    ReoptimizeBody,
    ReoptimizedRouteAnswer,
    RouteAnswer,
    RouteListAnswer,
    RoutesAnswer,
    VehicleBody,
    encode_reoptimized_route,
    encode_route,
    encode_route_list,
    encode_routes,
)
from roundsman.wire.v2024_07.store_orders import StoreOrdersAnswer, encode_store_orders
from roundsman.wire.v2024_07.transfers import TransferBody
from roundsman.wire.v2024_07.vehicles import VehiclesAnswer, encode_vehicles
from roundsman.wire.v2024_07.webhook_subscriptions import (
    DeliveriesAnswer,
    ReplayBody,
    WebhooksAnswer,
    WebhookTestAnswer,
    encode_deliveries,
)

INTERFACE_VERSION = "2024-07"
"""As paths and descriptions name it."""

__all__ = [
    "API_VERSION",
    "ESTIMATED",
    "ESTIMATED_MEANS",
    "ESTIMATED_OF_LIST_MEANS",
    "GAP",
    "GAP_MEANS",
    "IMPORTED_STOP_LOCATION",
    "IMPORTED_STOP_UPDATE",
    "INTERFACE_VERSION",
    "ORGANIZATION_UPDATE",
    "ROUTE_END_LOCATION",
    "ROUTE_STOP_LOCATION",
    "ROUTE_STOP_UPDATE",
    "ROUTE_UPDATE",
    "AddOrderBody",
    "AddOrdersBody",
    "AddStopBody",
    "AddStopsBody",
    "AppliedPlanAnswer",
    "ApplyPlanBody",
    "AuthenticateAnswer",
    "AuthenticateBody",
    "ComparePlanBody",
    "CredentialsAnswer",
    "DeliveriesAnswer",
    "DispatchBody",
    "DriverBody",
    "DriverSessionsAnswer",
    "DriversAnswer",
    "EmptyAnswer",
    "EmptyBody",
    "EventsAnswer",
    "ImportedItems",
    "ImportedStopsAnswer",
    "ImportedStopsPage",
    "InsertionsAnswer",
    "InsertionsBody",
    "InvitedDriver",
    "InvitedMember",
    "JournalAnswer",
    "MembersAnswer",
    "NewDriver",
    "OAuthError",
    "OAuthToken",
    "OrganizationAnswer",
    "PlansAnswer",
    "PositionBody",
    "PreviewAddition",
    "PreviewBody",
    "RatingLink",
    "ReoptimizeBody",
    "ReoptimizedRouteAnswer",
    "ReplayBody",
    "RouteAnswer",
    "RouteListAnswer",
    "RouteStopItems",
    "RouteStopLocation",
    "RoutesAnswer",
    "SecurityEventsAnswer",
    "StopImport",
    "StoreOrdersAnswer",
    "TransferBody",
    "VehicleBody",
    "VehiclesAnswer",
    "WebhookTestAnswer",
    "WebhooksAnswer",
    "encode_applied_plan",
    "encode_deliveries",
    "encode_drivers",
    "encode_event",
    "encode_invited_driver",
    "encode_invited_member",
    "encode_journal",
    "encode_members",
    "encode_new_driver",
    "encode_organization",
    "encode_payload",
    "encode_reoptimized_route",
    "encode_route",
    "encode_route_list",
    "encode_routes",
    "encode_store_orders",
    "encode_vehicles",
    "list_headers",
    "part_headers",
    "route_headers",
    "show_event",
]
