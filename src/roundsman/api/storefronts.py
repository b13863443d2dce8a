"""Storefront connections at the door; shops themselves come by `receive_storefront_hook` alone."""

import msgspec

from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListReports, Query
from roundsman.domain.storefront import (
    StorefrontCheck,
    StorefrontConnection,
    StorefrontDraft,
    StorefrontReport,
)
from roundsman.endpoints.access import Anybody, ApiClient, HttpRequest
from roundsman.endpoints.operation import Answer, Operations, Pool
from roundsman.kit.leaky_bucket import Rate
from roundsman.operations import storefronts
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.storefront_checks import check_shop
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import (
    STOREFRONT_UPDATE,
    EmptyBody,
    ReportsAnswer,
    StorefrontCredentialsBody,
    StorefrontsAnswer,
    SyncBody,
)
from roundsman.wire.field_mask import Changes

OPERATIONS = Operations("Storefronts", ApiClient(), Scope.SETTINGS)

HOOKS_PATH = "/storefronts/{id}/hooks"
_MOST_HOOK_BYTES = 2 * 1024 * 1024
"""Shops send whole orders, of which only the id is read."""

_HOOKS_RATE = Rate(capacity=1_200, interval_micros=20_000)
"""A platform's machines hint for all of its shops."""


def _encode_reports(page: Page[StorefrontReport]) -> bytes:
    answer = ReportsAnswer(reports=tuple(page.rows), next_cursor=page.next_cursor)
    return msgspec.json.encode(answer)


@OPERATIONS.add("GET", "/storefronts", summary="List all connected shops")
def list_storefronts(tools: Tools, request: Request) -> StorefrontsAnswer:
    """See which shops are connected, and how each is."""
    found = storefronts.list_shops(tools, request.organization_id)
    return StorefrontsAnswer(storefronts=tuple(found))


@OPERATIONS.add(
    "POST",
    "/storefronts",
    summary="Connect a shop; one that does not accept the credentials is REFUSED and says why",
    review=storefronts.review_storefront,
    pool=Pool.OUTBOUND,
)
def add_storefront(tools: Tools, request: Request, body: StorefrontDraft) -> StorefrontConnection:
    """Connect a shop: its orders come by themselves, and it hears of each delivery. Credentials are
    tried and sealed; refused ones leave the connection REFUSED with a remedy.
    """
    return storefronts.connect_shop(tools, request, body)


@OPERATIONS.add("GET", "/storefronts/{id}", summary="Get a connected shop")
def get_storefront(tools: Tools, request: Request, id_: str) -> StorefrontConnection:
    """Read one connection: its state, what waits, its last success and failure."""
    return storefronts.get_shop(tools, request.organization_id, id_)


@OPERATIONS.add(
    "PATCH",
    "/storefronts/{id}",
    summary="Change what the mask names of a connected shop; its orders are read again then",
    update=STOREFRONT_UPDATE,
    pool=Pool.OUTBOUND,
)
def update_storefront(
    tools: Tools, request: Request, id_: str, body: Changes
) -> StorefrontConnection:
    """Change a connection; the mask says which fields. New credentials are tried before the next
    visit.
    """
    return storefronts.change_shop(tools, request, id_, body.values)


@OPERATIONS.add(
    "DELETE",
    "/storefronts/{id}",
    summary="Disconnect a shop; its orders that are on no route are removed",
)
def remove_storefront(tools: Tools, request: Request, id_: str) -> None:
    """Forget a shop and its credentials. Its orders stay."""
    storefronts.disconnect_shop(tools, request, id_)


@OPERATIONS.add(
    "POST",
    "/storefronts/{id}/credentials",
    summary="Give a shop other credentials and resume it, where it accepts them",
    pool=Pool.OUTBOUND,
)
def replace_storefront_credentials(
    tools: Tools, request: Request, id_: str, body: StorefrontCredentialsBody
) -> StorefrontConnection:
    """Replace the credentials of a connection. The shop is asked first: where it does not accept
    them, or cannot be asked, those before stay, and the answer says why. A `hookSecret` that is
    absent stays.
    """
    return storefronts.replace_credentials(tools, request, id_, body.credentials)


# Asks the shop and keeps nothing.
@OPERATIONS.add(
    "POST",
    "/storefronts/{id}/check",
    summary="Try what works with a shop, and show ten of its newest orders as they would arrive",
    body_may_be_absent=True,
    pool=Pool.OUTBOUND,
    keeps_answers=False,
)
def check_storefront(tools: Tools, request: Request, id_: str, body: EmptyBody) -> StorefrontCheck:
    """Visit a shop now and see what works, and ten real orders as they would arrive. Stores
    nothing.
    """
    del body
    return check_shop(tools, request.organization_id, id_)


@OPERATIONS.add(
    "POST",
    "/storefronts/{id}/sync",
    summary="Visit a shop at once; `full` reads all its orders again",
    body_may_be_absent=True,
)
def sync_storefront(
    tools: Tools, request: Request, id_: str, body: SyncBody
) -> StorefrontConnection:
    """Have a shop visited at once; `full` reads everything again."""
    return storefronts.sync_shop(tools, request, id_, is_full=body.full)


@OPERATIONS.add(
    "POST",
    "/storefronts/{id}/pause",
    summary="Ask and tell a shop nothing for now; what it is to be told waits",
    body_may_be_absent=True,
)
def pause_storefront(
    tools: Tools, request: Request, id_: str, body: EmptyBody
) -> StorefrontConnection:
    """Leave a shop alone; what it is to hear of waits."""
    del body
    return storefronts.pause_shop(tools, request, id_)


@OPERATIONS.add(
    "POST",
    "/storefronts/{id}/resume",
    summary="Ask and tell a shop again, at once",
    body_may_be_absent=True,
)
def resume_storefront(
    tools: Tools, request: Request, id_: str, body: EmptyBody
) -> StorefrontConnection:
    """Visit a shop again that was paused."""
    del body
    return storefronts.resume_shop(tools, request, id_)


@OPERATIONS.add(
    "GET",
    "/storefronts/{id}/reports",
    summary="List what a shop is told of its orders, newest first",
    answer=Answer(ReportsAnswer, _encode_reports),
)
def list_storefront_reports(
    tools: Tools, request: Request, id_: str, query: Query[ListReports]
) -> Page[StorefrontReport]:
    """Walk what a shop was told, and what it answered."""
    return storefronts.list_reports(tools, request.organization_id, id_, query)


@OPERATIONS.add(
    "POST",
    "/storefronts/{id}/reports/{reportId}/retry",
    summary="Tell a shop again at once what it would not hear of",
    body_may_be_absent=True,
)
def retry_storefront_report(
    tools: Tools, request: Request, id_: str, report_id: str, body: EmptyBody
) -> StorefrontReport:
    """Tell a shop once more what it has refused."""
    del body
    return storefronts.retry_report(tools, request, id_, report_id)


@OPERATIONS.add(
    "POST",
    HOOKS_PATH,
    summary="Hint that an order has changed, signed by its shop; the shop is then asked",
    access=Anybody("storefront hooks", _HOOKS_RATE),
    scope=None,
    most_body_bytes=_MOST_HOOK_BYTES,
    ignores_query=True,
    pool=Pool.CHANGE,
)
def receive_storefront_hook(tools: Tools, http: HttpRequest, id_: str) -> None:
    """Where a shop sends its hooks. The signature over the raw body is checked, and the hook taken
    as a hint to visit the shop; anything else is answered 401.
    """
    storefronts.take_hook(tools, id_, http.headers, http.body)
