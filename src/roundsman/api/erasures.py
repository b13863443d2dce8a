"""Privacy at the door: customers erased, and what is stored of them."""

from roundsman.domain.erasure import CustomerExport, CustomerIdentifier, Erasure, ErasureDraft
from roundsman.domain.principal import Scope
from roundsman.domain.queries import Query
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations
from roundsman.operations import erasures
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Privacy", ApiClient(), Scope.SETTINGS)


@OPERATIONS.add(
    "POST",
    "/privacy/erasures",
    summary="Have everything erased that is stored of a customer; its receipt follows",
)
def request_erasure(tools: Tools, request: Request, body: ErasureDraft) -> Erasure:
    """Have everything that is stored of one customer erased, by phone, e-mail, clientStopId or
    importedStopId: exactly one. Answers at once; a job does it and writes a receipt.
    """
    return erasures.request_erasure(tools, request, body)


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
    summary="Get everything that is stored of a customer, as JSON",
    scope=Scope.SETTINGS,
)
def export_customer(
    tools: Tools, request: Request, query: Query[CustomerIdentifier]
) -> CustomerExport:
    """Get everything that is stored of one customer, for whoever asks what you know of them.
    Exactly one argument says who.
    """
    return erasures.export_customer(tools, request.organization_id, query.arguments)
