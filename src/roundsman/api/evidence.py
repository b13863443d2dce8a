"""Evidence at the door: a stop's bundle, and the key that it is verified with."""

from starlette.responses import Response

from roundsman.domain.evidence import EvidenceKey
from roundsman.domain.principal import Scope
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations
from roundsman.operations import evidence
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Evidence", ApiClient(), Scope.READ)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/stops/{stopId}/evidence",
    summary="Take away what proves a stop's delivery, as a ZIP that anybody can verify",
    answers_files=["application/zip"],
)
def get_stop_evidence(tools: Tools, request: Request, route_id: str, stop_id: str) -> Response:
    """Get what proves a delivery as one ZIP that a third party can verify without this service."""
    made = evidence.bundle_evidence(tools, request, route_id, stop_id)
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
    return Response(made.content, media_type="application/zip", headers=headers)


@OPERATIONS.add(
    "GET",
    "/settings/evidence-key",
    summary="Get the public key that the organization's evidence is verified with",
)
def get_evidence_key(tools: Tools, request: Request) -> EvidenceKey:
    """Get the public key that checkpoints of evidence are signed with. Keep it apart from
    bundles.
    """
    return evidence.get_evidence_key(tools, request.organization_id)
