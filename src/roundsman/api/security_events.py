"""The log of security events at the door."""

import msgspec

from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListSecurityEvents, Query
from roundsman.domain.security_event import SecurityEvent
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations
from roundsman.operations import security_log
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import SecurityEventsAnswer

OPERATIONS = Operations("Security events", ApiClient(), Scope.SETTINGS)


def _encode_page(page: Page[SecurityEvent]) -> bytes:
    answer = SecurityEventsAnswer(security_events=tuple(page.rows), next_cursor=page.next_cursor)
    return msgspec.json.encode(answer)


@OPERATIONS.add(
    "GET",
    "/security-events",
    summary="List sign-ins, failed ones, and changes of who may do what, newest first",
    scope=Scope.SETTINGS,
    answer=Answer(SecurityEventsAnswer, _encode_page),
)
def list_security_events(
    tools: Tools, request: Request, query: Query[ListSecurityEvents]
) -> Page[SecurityEvent]:
    """Walk who signed in or failed to, and who changed what others may do, the newest first."""
    return security_log.list_security_events(tools, request.organization_id, query)
