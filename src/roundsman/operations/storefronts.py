"""Storefront connections: connecting shops, changing, checking and disconnecting them."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotFound,
    PreconditionViolation,
    Unauthenticated,
)
from roundsman.domain.model import UNSET
from roundsman.domain.principal import Principal
from roundsman.domain.queries import ListReports, Query
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.domain.storefront import (
    HOOK_SECRET,
    MOST_STOREFRONTS,
    ConnectionFailure,
    ReportQueue,
    StorefrontConnection,
    StorefrontDraft,
    StorefrontPlatform,
    StorefrontReport,
    StorefrontSettings,
    StorefrontState,
    base_url,
    find_wrong_credentials,
    find_wrong_settings,
    has_only_a_path,
    hide_credentials,
    hook_secret_of,
    shop_key,
    with_hidden_kept,
    with_remedy,
)
from roundsman.kit.ids import new_id
from roundsman.kit.origins import origin_of
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.storefront_access import (
    StorefrontSecrets,
    open_secrets,
    seal_secrets,
)
from roundsman.operations.storefront_checks import NO_SHOP, try_credentials
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import storefronts as stored
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position
from roundsman.storage.organizations import find_organization
from roundsman.storage.store_orders import find_store_orders, save_store_order
from roundsman.storage.storefront_orders import list_linked_orders, remove_unrouted_orders
from roundsman.storage.storefront_reports import (
    count_reports,
    find_report,
    requeue_report,
    select_reports,
)
from roundsman.storage.storefronts import StoredStorefront
from roundsman.storefronts.hooks import find_changed_order, is_hook_signed
from roundsman.webhooks.address_guard import RefusedUrl

_ORDERS_AT_ONCE = 500
_NOT_SIGNED = "the hook is not signed with the secret of a connected storefront"
_NOBODYS = StorefrontSecrets(credentials={HOOK_SECRET: "of a shop that nobody has connected"})


def connect_shop(tools: Tools, request: Request, draft: StorefrontDraft) -> StorefrontConnection:
    """Connect a shop; one that does not accept the credentials is kept as REFUSED."""
    _require_valid(review_storefront(tools, request.principal, draft))
    with tools.database.reading() as tx:
        _require_room(tx, request.organization_id, draft)
        organization = find_organization(tx, request.organization_id)
    if organization is None:
        raise NotFound("organization not found")
    secrets = StorefrontSecrets(credentials=draft.credentials)
    connection = StorefrontConnection(
        id=new_id(tools.ids, "sfc"),
        platform=draft.platform,
        label=draft.label,
        address=draft.address.strip().rstrip("/"),
        prefix=draft.prefix,
        settings=draft.settings,
    )
    tried = try_credentials(tools, connection, draft.credentials, organization.timezone)
    with begin_work(tools, request) as work:
        _require_room(work.tx, work.organization_id, draft)
        stored.insert_storefront(
            work.tx,
            work.organization_id,
            tried,
            seal_secrets(tools, tried.id, secrets),
            now=work.event_time.clock,
            read_since=work.event_time.clock - draft.settings.look_back(),
        )
        _record(work, SecurityEventKind.STOREFRONT_CONNECTED, tried.id)
        return work.done(_shown(tried, secrets, ReportQueue()))


def _record(work: UnitOfWork, kind: SecurityEventKind, storefront_id: str) -> None:
    work.record_security(kind, SecurityEventDetails(storefront_id=storefront_id))


def review_storefront(tools: Tools, _caller: Principal, draft: Any) -> list[FieldViolation]:
    """Return what is wrong with a connection, of which some may not have been readable."""
    violations = _review_address(tools, draft.address) if draft.address else []
    # What could not be read is absent: only a platform that was read knows its credentials.
    if isinstance(draft.platform, StorefrontPlatform) and isinstance(draft.credentials, Mapping):
        violations += _review_credentials(draft.platform, draft.credentials)
    if isinstance(draft.platform, StorefrontPlatform) and isinstance(
        draft.settings, StorefrontSettings
    ):
        violations += _review_settings(draft.platform, draft.settings)
    return violations


def _review_settings(
    platform: StorefrontPlatform, settings: StorefrontSettings, field: str = "settings"
) -> list[FieldViolation]:
    return [
        FieldViolation(field=f"{field}.{name}", description=description)
        for name, description in find_wrong_settings(platform, settings)
    ]


def _review_address(tools: Tools, address: str, field: str = "address") -> list[FieldViolation]:
    if not has_only_a_path(address):
        return [FieldViolation(field=field, description="must not have a query")]
    try:
        tools.address_guard.check(base_url(address))
    except RefusedUrl as error:
        return [FieldViolation(field=field, description=str(error))]
    return []


def _require_valid(violations: Sequence[FieldViolation]) -> None:
    if violations:
        first = violations[0]
        raise InvalidArgument(f"{first.field} {first.description}", violations)


def _require_room(tx: Transaction, organization_id: str, draft: StorefrontDraft) -> None:
    connected = stored.select_storefronts(tx, organization_id)
    _require_another_shop(draft.platform, draft.address, connected)
    prefix = draft.prefix
    if len(connected) >= MOST_STOREFRONTS:
        raise _refuse("storefronts", f"at most {MOST_STOREFRONTS} shops can be connected")
    if any(one.connection.prefix == prefix for one in connected):
        named = f'the prefix "{prefix}"' if prefix else "no prefix"
        raise _refuse("prefix", f"another connection has {named}; give this one another")


def _require_another_shop(
    platform: StorefrontPlatform, address: str, others: Sequence[StoredStorefront]
) -> None:
    """Refuse a shop that another connection is of: each order would be driven and told twice."""
    key = shop_key(platform, address)
    for one in (other.connection for other in others):
        if shop_key(one.platform, one.address) == key:
            named = f'"{one.label}" ({one.id})' if one.label else one.id
            raise _refuse("address", f"address: this shop is connected already, as {named}", one.id)


def _refuse(kind: str, description: str, subject: str = "organization") -> FailedPrecondition:
    violation = PreconditionViolation(type=kind, subject=subject, description=description)
    return FailedPrecondition(description, [violation])


def list_shops(tools: Tools, organization_id: str) -> list[StorefrontConnection]:
    """Return every connection of an organization, oldest first."""
    with tools.database.reading() as tx:
        found = stored.select_storefronts(tx, organization_id)
        queues = count_reports(tx, organization_id)
    return [_show(tools, one, queues) for one in found]


def get_shop(tools: Tools, organization_id: str, storefront_id: str) -> StorefrontConnection:
    """Return a connection."""
    with tools.database.reading() as tx:
        found = require_shop(tx, organization_id, storefront_id)
        queues = count_reports(tx, organization_id)
    return _show(tools, found, queues)


def require_shop(tx: Transaction, organization_id: str, storefront_id: str) -> StoredStorefront:
    """Return a connection; raise NotFound where the organization has no such."""
    found = stored.find_storefront(tx, organization_id, storefront_id)
    if found is None:
        raise NotFound("storefront not found")
    return found


def find_shop_owner(tools: Tools, storefront_id: str) -> str:
    """Return the organization that a connection belongs to."""
    with tools.database.reading() as tx:
        found = stored.find_named_storefront(tx, storefront_id)
    if found is None:
        raise NotFound("storefront not found")
    return found.organization_id


def _show(
    tools: Tools, one: StoredStorefront, queues: Mapping[str, ReportQueue]
) -> StorefrontConnection:
    queue = queues.get(one.connection.id, ReportQueue())
    return _shown(one.connection, open_secrets(tools, one), queue)


def _shown(
    connection: StorefrontConnection, secrets: StorefrontSecrets, queue: ReportQueue
) -> StorefrontConnection:
    return replace(connection, credentials=hide_credentials(secrets.credentials), queue=queue)


def change_shop(
    tools: Tools, request: Request, storefront_id: str, values: Mapping[str, Any]
) -> StorefrontConnection:
    """Change what is said of a connection, as far as it is named.

    With other credentials or settings everything is read again: what they let through may differ.
    A visit that is under way with the credentials or at the address of before records nothing more.
    Credentials are for the shop they were given for: another host needs them anew.
    """
    violations: list[FieldViolation] = []
    if "address" in values:
        # Its host is looked up, for which nobody's change has to wait.
        violations += _review_address(tools, values["address"], "storefront.address")
    with begin_work(tools, request) as work:
        found = require_shop(work.tx, work.organization_id, storefront_id)
        secrets = open_secrets(tools, found)
        changed = replace(found.connection, **values)
        credentials = dict(secrets.credentials)
        if "credentials" in values:
            credentials = with_hidden_kept(changed.credentials, secrets.credentials)
        violations += _review_change(changed, credentials, values)
        _require_valid(violations or _review_move(found.connection, changed, credentials))
        if shop_key(changed.platform, changed.address) != shop_key(
            found.connection.platform, found.connection.address
        ):
            others = stored.select_storefronts(work.tx, work.organization_id)
            _require_another_shop(changed.platform, changed.address, others)
        changed = replace(changed, address=changed.address.strip().rstrip("/"), credentials={})
        kept = secrets.with_credentials(changed, credentials)
        if changed != found.connection or kept != secrets:
            sealed = seal_secrets(tools, storefront_id, kept)
            stored.update_storefront(work.tx, work.organization_id, changed, sealed)
            if kept != secrets or changed.address != found.connection.address:
                stored.release_visit(work.tx, work.organization_id, storefront_id)
            _read_again(work, changed)
            _record(work, SecurityEventKind.STOREFRONT_CHANGED, storefront_id)
        queue = count_reports(work.tx, work.organization_id).get(storefront_id, ReportQueue())
        return work.done(_shown(changed, kept, queue))


def replace_credentials(
    tools: Tools, request: Request, storefront_id: str, given: Mapping[str, str]
) -> StorefrontConnection:
    """Give a connection other credentials and resume it, where its shop accepts them.

    A hook secret that is not given stays. Raise FailedPrecondition where the shop does not accept
    the others, or cannot be asked, or where the connection was changed meanwhile; those before stay
    then, and so does the state. A visit that is under way with those before records nothing more.
    """
    with tools.database.reading() as tx:
        found = require_shop(tx, request.organization_id, storefront_id)
        organization = find_organization(tx, request.organization_id)
    if organization is None:
        raise NotFound("organization not found")
    connection = found.connection
    credentials = _complete(given, open_secrets(tools, found))
    _require_valid(_review_credentials(connection.platform, credentials))
    tried = try_credentials(tools, connection, credentials, organization.timezone)
    if failure := tried.last_failure:
        wrong = _say_wrong(tried, failure)
        raise _refuse(
            "credentials",
            f"the shop {wrong}; those before stay: {with_remedy(failure.message, failure.remedy)}",
            storefront_id,
        )
    with begin_work(tools, request) as work:
        found = require_shop(work.tx, work.organization_id, storefront_id)
        secrets = open_secrets(tools, found)
        completed = _complete(given, secrets)
        if (found.connection.address, completed) != (connection.address, credentials):
            # The shop was asked for others, or elsewhere: that it accepts these is not known.
            raise _refuse(
                "changed",
                "the connection was changed while its shop was asked; give the credentials again",
                storefront_id,
            )
        kept = secrets.with_credentials(found.connection, completed)
        resumed = replace(found.connection, state=StorefrontState.ACTIVE, last_failure=UNSET)
        if resumed != found.connection or kept != secrets:
            sealed = seal_secrets(tools, storefront_id, kept)
            stored.update_storefront(work.tx, work.organization_id, resumed, sealed)
            if kept != secrets:
                # The shop may refuse those before from now on, which is no reason to pause.
                stored.release_visit(work.tx, work.organization_id, storefront_id)
            _read_again(work, resumed)
            _record(work, SecurityEventKind.STOREFRONT_CHANGED, storefront_id)
        queue = count_reports(work.tx, work.organization_id).get(storefront_id, ReportQueue())
        return work.done(_shown(resumed, kept, queue))


def _say_wrong(tried: StorefrontConnection, failure: ConnectionFailure) -> str:
    if failure.code == NO_SHOP:
        return "is not found at its address"
    return "does not accept these credentials" if tried.is_refused() else "cannot be asked now"


def _complete(given: Mapping[str, str], secrets: StorefrontSecrets) -> dict[str, str]:
    """Return credentials with what of those before was not given anew."""
    known = secrets.credentials
    kept = {HOOK_SECRET: known[HOOK_SECRET]} if HOOK_SECRET in known else {}
    return {**kept, **with_hidden_kept(given, known)}


def _review_credentials(
    platform: StorefrontPlatform, credentials: Mapping[str, str], field: str = "credentials"
) -> list[FieldViolation]:
    return [
        FieldViolation(field=f"{field}.{name}", description=description)
        for name, description in find_wrong_credentials(platform, credentials)
    ]


def _review_change(
    changed: StorefrontConnection, credentials: Mapping[str, str], values: Mapping[str, Any]
) -> list[FieldViolation]:
    violations = []
    if "credentials" in values:
        violations += _review_credentials(changed.platform, credentials, "storefront.credentials")
    if "settings" in values:
        violations += _review_settings(changed.platform, changed.settings, "storefront.settings")
    return violations


def _review_move(
    before: StorefrontConnection, changed: StorefrontConnection, credentials: Mapping[str, str]
) -> list[FieldViolation]:
    """Refuse to send a shop's secrets to another: who may change an address could read them."""
    if origin_of(base_url(before.address)) == origin_of(base_url(changed.address)):
        return []
    given = changed.credentials
    kept = [name for name in credentials if given.get(name) != credentials[name]]
    description = f"must be given anew, for those of before are for {before.address} alone"
    if any(name != HOOK_SECRET for name in kept):
        return [FieldViolation(field="storefront.credentials", description=description)]
    return []


def _read_again(work: UnitOfWork, connection: StorefrontConnection) -> None:
    now = work.event_time.clock
    since = now - connection.settings.look_back()
    stored.restart_reading(work.tx, work.organization_id, connection.id, since, now)
    stored.wake_storefronts(work.tx, [connection.id], now)


def disconnect_shop(tools: Tools, request: Request, storefront_id: str) -> None:
    """Forget a shop, its credentials, and its orders that are on no route."""
    with begin_work(tools, request) as work:
        work.is_freeing = True
        require_shop(work.tx, work.organization_id, storefront_id)
        remove_unrouted_orders(work.tx, work.organization_id, storefront_id)
        _release_orders(work, storefront_id)
        stored.delete_storefront(work.tx, work.organization_id, storefront_id)
        _record(work, SecurityEventKind.STOREFRONT_DISCONNECTED, storefront_id)
        return work.done(None)


def _release_orders(work: UnitOfWork, storefront_id: str) -> None:
    """Have the orders that stay name no connection that is gone."""
    after = ""
    organization_id = work.organization_id
    while ids := list_linked_orders(
        work.tx, organization_id, storefront_id, after, _ORDERS_AT_ONCE
    ):
        for order in find_store_orders(work.tx, organization_id, ids).values():
            released = replace(order, connection_id="")
            save_store_order(work.tx, organization_id, released, work.now)
        after = ids[-1]


def sync_shop(
    tools: Tools, request: Request, storefront_id: str, *, is_full: bool
) -> StorefrontConnection:
    """Have a shop visited at once, and all its orders read where that is wanted."""
    with begin_work(tools, request) as work:
        found = require_shop(work.tx, work.organization_id, storefront_id)
        if found.connection.state is not StorefrontState.ACTIVE:
            raise FailedPrecondition(
                f"the storefront is {found.connection.state}; resume it first",
                [
                    PreconditionViolation(
                        type="state", subject=storefront_id, description="resume it first"
                    )
                ],
            )
        if is_full:
            _read_again(work, found.connection)
        else:
            stored.wake_storefronts(work.tx, [storefront_id], work.event_time.clock)
        queues = count_reports(work.tx, work.organization_id)
        return work.done(_show(tools, found, queues))


def pause_shop(tools: Tools, request: Request, storefront_id: str) -> StorefrontConnection:
    """Ask a shop nothing and tell it nothing until it is resumed; what is to be told waits."""
    return _turn(tools, request, storefront_id, StorefrontState.PAUSED)


def resume_shop(tools: Tools, request: Request, storefront_id: str) -> StorefrontConnection:
    """Visit a shop again, at once."""
    return _turn(tools, request, storefront_id, StorefrontState.ACTIVE)


def _turn(
    tools: Tools, request: Request, storefront_id: str, state: StorefrontState
) -> StorefrontConnection:
    with begin_work(tools, request) as work:
        found = require_shop(work.tx, work.organization_id, storefront_id)
        connection = found.connection
        if connection.state is not state:
            failure = UNSET if state is StorefrontState.ACTIVE else connection.last_failure
            connection = replace(connection, state=state, last_failure=failure)
            stored.update_storefront(
                work.tx, work.organization_id, connection, found.sealed_credentials
            )
            if state is StorefrontState.ACTIVE:
                stored.wake_storefronts(work.tx, [storefront_id], work.event_time.clock)
            _record(work, SecurityEventKind.STOREFRONT_CHANGED, storefront_id)
        queue = count_reports(work.tx, work.organization_id).get(storefront_id, ReportQueue())
        return work.done(_shown(connection, open_secrets(tools, found), queue))


def list_reports(
    tools: Tools, organization_id: str, storefront_id: str, query: Query[ListReports]
) -> Page[StorefrontReport]:
    """Return a page of what a shop is told, newest first."""

    def fetch(
        tx: Transaction, asked: ListReports, after: Position | None, count: int
    ) -> list[tuple[Position, StorefrontReport]]:
        require_shop(tx, organization_id, storefront_id)
        return select_reports(
            tx, organization_id, storefront_id, asked.status or None, after, count
        )

    return list_page(tools, organization_id, f"reports to {storefront_id}", query, fetch)


def retry_report(
    tools: Tools, request: Request, storefront_id: str, report_id: str
) -> StorefrontReport:
    """Tell a shop again at once what it would not hear of, or what still waits."""
    with begin_work(tools, request) as work:
        report = find_report(work.tx, work.organization_id, storefront_id, report_id)
        if report is None:
            raise NotFound("report not found")
        report.require_retryable()
        now = work.event_time.clock
        requeue_report(work.tx, work.organization_id, report_id, now)
        stored.wake_storefronts(work.tx, [storefront_id], now)
        again = find_report(work.tx, work.organization_id, storefront_id, report_id)
        return work.done(again or report)


def _is_signed(
    secrets: StorefrontSecrets,
    platform: StorefrontPlatform,
    headers: Mapping[str, str],
    body: bytes,
) -> bool:
    present = hook_secret_of(platform, secrets.credentials)
    return is_hook_signed(platform, (present, secrets.former_hook_secret), headers, body)


def take_hook(tools: Tools, storefront_id: str, headers: Mapping[str, str], body: bytes) -> None:
    """Have a shop visited that says something has changed; nothing else of a hook is believed."""
    with tools.database.reading() as tx:
        shop = stored.find_named_storefront(tx, storefront_id)
    if shop is None:
        # Nobody learns from how long it takes which shops there are.
        _is_signed(_NOBODYS, StorefrontPlatform.MEDUSA, headers, body)
        raise Unauthenticated(_NOT_SIGNED)
    platform = shop.connection.platform
    if not _is_signed(open_secrets(tools, shop), platform, headers, body):
        raise Unauthenticated(_NOT_SIGNED)
    with tools.database.writing() as tx:
        now = tools.clock.now()
        external_id = find_changed_order(platform, headers, body)
        if external_id is not None:
            stored.add_hint(tx, storefront_id, external_id, now)
        stored.wake_storefronts(tx, [storefront_id], now)
