"""Privacy at the door: customers and drivers erased, and what is stored of them."""

import msgspec

from roundsman.domain.erasure import Erasure, ErasureDraft, PersonIdentifier
from roundsman.domain.person_export import PersonExport
from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListErasures, Query
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations
from roundsman.operations import driver_erasures, driver_exports, erasures
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import ErasuresAnswer

OPERATIONS = Operations("Privacy", ApiClient(), Scope.SETTINGS)


@OPERATIONS.add(
    "POST",
    "/privacy/erasures",
    summary="Have everything erased that is stored of a customer or a driver; its receipt follows",
)
def request_erasure(tools: Tools, request: Request, body: ErasureDraft) -> Erasure:
    """Have everything that is stored of one customer erased, by phone, e-mail, clientStopId or
    importedStopId, or of one driver, by driverId: exactly one. Answers at once; a job does it and
    writes a receipt. A driver is archived and signed out at once, which records DRIVER_ARCHIVED;
    one who has a route under way is refused.
    """
    return driver_erasures.request_erasure(tools, request, body)


def _encode_page(page: Page[Erasure]) -> bytes:
    answer = ErasuresAnswer(erasures=tuple(page.rows), next_cursor=page.next_cursor)
    return msgspec.json.encode(answer)


@OPERATIONS.add(
    "GET",
    "/privacy/erasures",
    summary="List erasures, each with how far it is or its receipt, newest first",
    scope=Scope.SETTINGS,
    answer=Answer(ErasuresAnswer, _encode_page),
)
def list_erasures(tools: Tools, request: Request, query: Query[ListErasures]) -> Page[Erasure]:
    """Walk the erasures that were asked for, the newest first."""
    return erasures.list_erasures(tools, request.organization_id, query)


@OPERATIONS.add(
    "GET",
    "/privacy/erasures/{id}",
    summary="Get how far an erasure is, and its receipt once it is done",
    scope=Scope.SETTINGS,
)
def get_erasure(tools: Tools, request: Request, id_: str) -> Erasure:
    """See how far an erasure is, and once it is done what it has erased."""
    return erasures.get_erasure(tools, request.organization_id, id_)


@OPERATIONS.add(
    "GET",
    "/privacy/exports",
    summary="Get everything that is stored of a customer or a driver, as JSON",
    scope=Scope.SETTINGS,
)
def export_person(tools: Tools, request: Request, query: Query[PersonIdentifier]) -> PersonExport:
    """Get everything that is stored of one customer or one driver, for whoever asks what you know
    of them. Exactly one argument says who. Of a driver it is who they are, their devices, routes
    and positions, and what their devices submitted.
    """
    return driver_exports.export_person(tools, request.organization_id, query.arguments)
