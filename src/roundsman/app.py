"""The composition root: the one place that knows every room and puts them together."""

import gc
import ssl
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from types import MappingProxyType

from roundsman.api.app import BASE_PATH, open_public_interface
from roundsman.api.storefronts import HOOKS_PATH
from roundsman.console.app import PREFIX as CONSOLE_PREFIX
from roundsman.console.app import open_console_door
from roundsman.domain.address import Address
from roundsman.driver.app import open_driver_door
from roundsman.endpoints.application import Application
from roundsman.endpoints.transport import Transport
from roundsman.geocoding.chain import GeocoderChain
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.geocoding.geocoder import Geocoder
from roundsman.geography import make_gazetteer, make_geocoder, open_roads, open_street_map
from roundsman.kit.clock import Clock, SystemClock
from roundsman.kit.ids import IdSource, RandomIds
from roundsman.kit.leaky_bucket import Buckets, MemoryBuckets
from roundsman.kit.loading import load
from roundsman.kit.openid_connect import OpenIdConnect
from roundsman.kit.time_zones import zone_at
from roundsman.mcp.app import open_assistants_door
from roundsman.members.app import open_members_door
from roundsman.monitoring.app import PATHS as MONITORING_PATHS
from roundsman.monitoring.app import Monitoring
from roundsman.notifications.email import Mail, MailServer
from roundsman.operations.driver_erasures import DRIVER_ERASURES
from roundsman.operations.erasures import ERASURES
from roundsman.operations.installation import obtain_key
from roundsman.operations.jobs import JobKinds, register
from roundsman.operations.organizations import Registrar
from roundsman.operations.owner_letters import OWNER_LETTERS
from roundsman.operations.password_resets import PASSWORD_RESETS
from roundsman.operations.plan_runs import PLANS
from roundsman.operations.sign_in_failures import SignInFailures
from roundsman.operations.tools import USUAL_ADDRESS, PublicAddress, Tools
from roundsman.planning import compile_kernels, warm
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.storage.dialects import sqlite_file
from roundsman.storage.durability import require_durable
from roundsman.storage.geocoder_answers import StoredAnswers
from roundsman.storage.leases import LEASE
from roundsman.storage.migrate import migrate
from roundsman.storage.presence import presence_number
from roundsman.storage.private_files import (
    list_open,
    make_files_private,
    make_private_folder,
    require_usable,
)
from roundsman.storage.rate_buckets import StoredBuckets
from roundsman.storage.sealed_columns import has_sealed
from roundsman.storage.sealing import SecretBox
from roundsman.tracking.app import open_tracking_door
from roundsman.visitors.app import open_visitors_door
from roundsman.visitors.start_pages import WaysIn
from roundsman.webhooks.address_guard import AddressGuard
from roundsman.webhooks.envelope import Envelope
from roundsman.webhooks.resolution import SystemResolver, TimedResolver
from roundsman.webhooks.sender import Sender
from roundsman.wire.current_version import encode_payload
from roundsman.wire.field_alias import FieldAlias
from roundsman.workers.housekeeping import Housekeeping
from roundsman.workers.job_runner import JobRunner
from roundsman.workers.message_delivery import MessageDelivery
from roundsman.workers.runner import Worker, Workers
from roundsman.workers.storefront_visits import StorefrontVisits
from roundsman.workers.webhook_delivery import WebhookDelivery

KINDS: JobKinds = register(PLANS, ERASURES, DRIVER_ERASURES, PASSWORD_RESETS, OWNER_LETTERS)
"""Every kind of job that this version runs; each noun with long work has its own here."""


def open_database(settings: Settings) -> Database:
    """Open the installation's database at its newest schema, made if it is not there."""
    if not settings.database_url:
        make_private_folder(settings.data)
    if file := sqlite_file(settings.database()):
        make_files_private(file)
        require_usable(file)
    database = Database(settings.database())
    try:
        if not settings.allow_fsync_off:
            require_durable(database)
        migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def make_tools(
    settings: Settings,
    database: Database,
    clock: Clock | None = None,
    ids: IdSource | None = None,
) -> Tools:
    """Return what operations are handed; a test brings its own clock and ids."""
    ids = ids or RandomIds()
    clock = clock or SystemClock()
    return Tools(
        database=database,
        clock=clock,
        ids=ids,
        cursor_key=obtain_key(database, ids, "cursors"),
        link_key=obtain_key(database, ids, "links"),
        secret_box=_make_secret_box(settings, database, ids),
        presence=presence_number(ids.random_bytes(8)),
        geocoder=make_geocoder(settings, memory=StoredAnswers(database), clock=clock),
        roads=open_roads(settings),
        street_map=open_street_map(settings),
        buckets=_make_buckets(database),
        quota_bytes=settings.quota_bytes,
        positions_kept_for=timedelta(days=settings.positions_days),
        webhook_ca=settings.webhook_ca,
        mail=_open_mail(settings),
        openid=_open_provider(settings),
        openid_role=settings.oidc_role,
        address=PublicAddress(settings.base_url or USUAL_ADDRESS),
        address_guard=AddressGuard(
            allowed_subnets=settings.webhook_allow, resolver=TimedResolver(SystemResolver())
        ),
        failures=SignInFailures(database),
        render_payload=encode_payload,
    )


def _make_secret_box(settings: Settings, database: Database, ids: IdSource) -> SecretBox:
    def may_be_made() -> bool:
        """Say whether a key that is missing was never there: a named one always was."""
        if settings.secret_key_file is not None:
            return False
        with database.reading() as tx:
            if has_sealed(tx):
                return False
        make_private_folder(settings.data)  # a database elsewhere may have made none
        return True

    return SecretBox(settings.secret_key(), ids, may_be_made)


def _open_provider(settings: Settings) -> OpenIdConnect | None:
    if not settings.oidc_issuer:
        return None
    open_provider: Callable[[str, str, str], OpenIdConnect] = load(
        "roundsman.kit.openid_provider:OpenIdProvider"
    )
    return open_provider(settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret)


def _make_buckets(database: Database) -> Buckets:
    # SQLite is one process's database, so its buckets need not survive or leave that process.
    return MemoryBuckets() if database.dialect_name == "sqlite" else StoredBuckets(database)


def warm_up(geocoder: Geocoder) -> None:
    """Load what the first search and the first look-up would otherwise have to wait for.

    All of it stays as long as the process, so the garbage collector is told not to look through it
    again: looking through hundreds of thousands of places stopped every thread for 0.1 s and more.
    """
    warm()
    zone_at(latitude=0, longitude=0)
    baltimore = Address(city="Baltimore", province_code="MD", country_code="US")
    if isinstance(geocoder, GeocoderChain):
        geocoder.geocode_with_each(baltimore)
    elif isinstance(geocoder, Gazetteer):
        geocoder.geocode([baltimore])
    # Who asks over a network has nothing to load, and is not asked without need.
    gc.freeze()


def prepare() -> None:
    """Make at set-up what the first start would make: compiled kernels, the gazetteer's index."""
    compile_kernels()
    warm_up(make_gazetteer())


def make_registrar(tools: Tools, command: str = "") -> Registrar:
    """Return what makes organizations and API clients; `command` is what the operator called."""
    return Registrar(
        database=tools.database,
        clock=tools.clock,
        ids=tools.ids,
        secret_box=tools.secret_box,
        command=command,
    )


def make_application(settings: Settings, tools: Tools) -> Application:
    """Return every door behind one address."""
    monitoring = make_monitoring(settings, tools, of_all_processes=settings.workers > 1)
    ways_in = WaysIn(console=CONSOLE_PREFIX, interface=f"{BASE_PATH}/docs")
    return Application(
        doors=[
            open_public_interface(FieldAlias(settings.store_field_alias)),
            *open_driver_door(),
            *open_members_door(),
            open_console_door(),
            open_assistants_door(),
            open_tracking_door(),
            open_visitors_door(ways_in),
        ],
        others=dict.fromkeys(MONITORING_PATHS, monitoring),
        tools=tools,
        transport=Transport(settings.trusted_proxies),
    )


def make_monitoring(
    settings: Settings, tools: Tools, *, of_all_processes: bool = False
) -> Monitoring:
    """Return the door of the operator's machines, which a worker opens alone."""
    return Monitoring(
        tools, settings.metrics_allow, of_all_processes, warn=partial(warnings_of, settings)
    )


def warnings_of(settings: Settings) -> Sequence[str]:
    """Return what an operator should mend though requests are served; it names no place."""
    if not list_open_files(settings):
        return []
    return ["the data can be read by every account of this machine; the log says where"]


def list_open_files(settings: Settings) -> Sequence[str]:
    """Return the folder and files of the database that every account can read."""
    file = sqlite_file(settings.database())
    if file is None:
        return []
    folder = file if settings.database_url else settings.data
    return [str(path) for path in dict.fromkeys(list_open(folder, file))]


def make_workers(
    settings: Settings,
    tools: Tools,
    after: Callable[[], None] = lambda: None,
    kinds: JobKinds = MappingProxyType({}),
) -> Workers:
    """Return what goes on beside the requests; it begins when `after` returns.

    `kinds` of jobs are run beside those that this version has.
    """

    def make() -> Sequence[Worker]:
        after()
        return [
            make_webhook_delivery(settings, tools),
            make_message_delivery(settings, tools),
            StorefrontVisits(tools, partial(hook_url, tools)),
            JobRunner(tools, {**KINDS, **kinds}),
            Housekeeping(tools),
        ]

    return Workers(make)


def hook_url(tools: Tools, storefront_id: str) -> str:
    """Return where a connected shop sends its hooks."""
    return f"{tools.address.url}{BASE_PATH}{HOOKS_PATH.format(id=storefront_id)}"


def make_webhook_delivery(settings: Settings, tools: Tools) -> WebhookDelivery:
    """Return what sends events to their receivers."""
    envelope = Envelope(
        header_alias=settings.event_header_alias,
        field_alias=FieldAlias(settings.store_field_alias),
    )
    return WebhookDelivery(tools, _make_sender(settings, tools), envelope)


def make_message_delivery(
    settings: Settings, tools: Tools, lease: timedelta = LEASE
) -> MessageDelivery:
    """Return what sends messages to customers.

    No connection to a gateway is kept: where one answers twice, a message that it never took would
    count as sent.
    """
    sender = Sender(tools.address_guard, settings.webhook_ca, tools.clock, keeps_connections=False)
    return MessageDelivery(tools, sender, lease)


def _make_sender(settings: Settings, tools: Tools) -> Sender:
    return Sender(tools.address_guard, settings.webhook_ca, tools.clock)


def _open_mail(settings: Settings) -> Mail | None:
    if not settings.smtp_url:
        return None
    return Mail(
        server=MailServer.parse(settings.smtp_url),
        sender=settings.mail_from,
        certificates=ssl.create_default_context(),
    )
