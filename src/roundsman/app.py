"""The composition root: the one place that knows every room and puts them together."""

import gc
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import cache, partial
from types import MappingProxyType

from roundsman.api.app import BASE_PATH, open_public_interface
from roundsman.api.storefronts import HOOKS_PATH
from roundsman.console.app import PREFIX as CONSOLE_PREFIX
from roundsman.console.app import open_console_door
from roundsman.domain.address import Address
from roundsman.driver.app import open_driver_door
from roundsman.endpoints.application import Application, Doors
from roundsman.endpoints.transport import Transport
from roundsman.geocoding.chain import GeocoderChain
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.geocoding.geocoder import Geocoder
from roundsman.geography import make_gazetteer
from roundsman.installation import list_open_files
from roundsman.kit.time_zones import zone_at
from roundsman.mcp.app import open_assistants_door
from roundsman.members.app import open_members_door
from roundsman.monitoring.app import PATHS as MONITORING_PATHS
from roundsman.monitoring.app import Monitoring
from roundsman.operations.driver_erasures import DRIVER_ERASURES
from roundsman.operations.erasures import ERASURES
from roundsman.operations.jobs import JobKinds, register
from roundsman.operations.owner_letters import OWNER_LETTERS
from roundsman.operations.password_resets import PASSWORD_RESETS
from roundsman.operations.plan_runs import PLANS
from roundsman.operations.tools import Tools
from roundsman.planning import compile_kernels, warm
from roundsman.settings import Settings
from roundsman.storage.leases import LEASE
from roundsman.tracking.app import open_tracking_door
from roundsman.visitors.app import open_visitors_door
from roundsman.visitors.start_pages import WaysIn
from roundsman.webhooks.envelope import Envelope
from roundsman.webhooks.sender import Sender
from roundsman.wire.field_alias import FieldAlias
from roundsman.workers.housekeeping import Housekeeping
from roundsman.workers.job_runner import JobRunner
from roundsman.workers.message_delivery import MessageDelivery
from roundsman.workers.push_delivery import PushDelivery
from roundsman.workers.runner import Worker, Workers
from roundsman.workers.storefront_visits import StorefrontVisits
from roundsman.workers.webhook_delivery import WebhookDelivery

KINDS: JobKinds = register(PLANS, ERASURES, DRIVER_ERASURES, PASSWORD_RESETS, OWNER_LETTERS)
"""Every kind of job that this version runs; each noun with long work has its own here."""


def warm_up(geocoder: Geocoder) -> None:
    """Load what the first search and the first look-up would otherwise have to wait for.

    All of it stays as long as the process, so the garbage collector is told not to look through it
    again: looking through hundreds of thousands of places stopped every thread for 0.1 s and more.
    """
    warm()
    load_places(geocoder)


def load_places(geocoder: Geocoder) -> None:
    """Load what the first look-up of an address would otherwise have to wait for."""
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


def make_application(settings: Settings, tools: Tools) -> Application:
    """Return every door behind one address."""
    monitoring = make_monitoring(settings, tools, of_all_processes=settings.workers > 1)
    return Application(
        doors=_open_doors(settings.store_field_alias),
        others=dict.fromkeys(MONITORING_PATHS, monitoring),
        tools=tools,
        transport=Transport(settings.trusted_proxies),
    )


@cache
def _open_doors(store_field_alias: str) -> Doors:
    """Return every door: files and code, which all installations of a process have in common."""
    ways_in = WaysIn(console=CONSOLE_PREFIX, interface=f"{BASE_PATH}/docs")
    return Doors(
        [
            open_public_interface(FieldAlias(store_field_alias)),
            *open_driver_door(),
            *open_members_door(),
            open_console_door(),
            open_assistants_door(),
            open_tracking_door(),
            open_visitors_door(ways_in),
        ]
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
            PushDelivery(tools, _make_sender(settings, tools)),
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
