"""What every operation is handed: database, clock, engines, and what a process keeps in memory."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from roundsman.domain.event import Subject
from roundsman.domain.principal import Role
from roundsman.domain.quota import USUAL_QUOTA_BYTES
from roundsman.domain.storefront import StorefrontPlatform
from roundsman.geocoding.geocoder import Geocoder
from roundsman.images.decoders import Decoders, DecodingLimits
from roundsman.kit import metrics
from roundsman.kit.clock import Clock
from roundsman.kit.http import HttpClient
from roundsman.kit.ids import IdSource
from roundsman.kit.leaky_bucket import Buckets, MemoryBuckets
from roundsman.kit.lru_cache import LruCache
from roundsman.kit.openid_connect import OpenIdConnect
from roundsman.kit.retry_lock import RetryLock
from roundsman.kit.signal import Signal
from roundsman.notifications.email import Mail
from roundsman.operations.sign_in_failures import SignInFailures
from roundsman.roads.network import RoadNetwork
from roundsman.storage.database import Database
from roundsman.storage.sealing import SecretBox
from roundsman.storefronts.platforms import open_storefront
from roundsman.storefronts.port import ShopConnection, Storefront
from roundsman.tiles.street_map import StreetMap
from roundsman.webhooks.address_guard import AddressGuard

_WARNING_EVERY = timedelta(minutes=1)

_log = structlog.get_logger("roundsman.operations")


class ClockWatch:
    """Counts the changes that the clock dates before earlier ones; logs one of them a minute.

    The clock was set back then, or was ahead before. Nothing is lost, and events are sent at once.
    But lists by time show changes out of order until the clock has caught up, so whoever operates
    the machine should know.
    """

    def __init__(self) -> None:
        self._logged_at: datetime | None = None

    def note_behind(self, behind: timedelta, now: datetime) -> None:
        """Note that a change was made while the clock was so far behind."""
        metrics.CHANGES_BEHIND_RECORDS.inc()
        if self._logged_at is None or abs(now - self._logged_at) >= _WARNING_EVERY:
            self._logged_at = now
            _log.warning("clock_behind_records", seconds=round(behind.total_seconds()))


USUAL_ADDRESS = "http://127.0.0.1:8000"
"""Where `serve` listens when it is told nothing else."""


@dataclass(slots=True)
class PublicAddress:
    """Where others reach this installation; without a setting, a server learns it by listening."""

    url: str


@dataclass(frozen=True, slots=True)
class RenderedAnswer:
    """A route or a day as an answer shows it, and the tag under which that is so."""

    tag: str
    body: bytes
    headers: Mapping[str, str]


type OpenStorefront = Callable[[StorefrontPlatform, ShopConnection, HttpClient], Storefront]


_MOST_BYTES_OF_ROUTES = 8 * 1024 * 1024
_MOST_BYTES_OF_DAYS = 16 * 1024 * 1024
_MOST_ABANDONED = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Tools:
    """What every operation is handed; made once by the composition root."""

    database: Database
    clock: Clock
    ids: IdSource
    geocoder: Geocoder
    roads: RoadNetwork
    cursor_key: bytes
    link_key: bytes
    secret_box: SecretBox
    presence: int
    """The number under which this process shows others that it is alive."""
    address: PublicAddress
    address_guard: AddressGuard
    failures: SignInFailures
    render_payload: Callable[[Subject], bytes]
    """Returns what an event shows of its object, as a read of it would answer."""

    recent_routes: LruCache[RenderedAnswer] = field(
        default_factory=lambda: LruCache(_MOST_BYTES_OF_ROUTES)
    )
    recent_days: LruCache[RenderedAnswer] = field(
        default_factory=lambda: LruCache(_MOST_BYTES_OF_DAYS)
    )
    street_map: StreetMap = field(default_factory=lambda: StreetMap(lambda: ()))
    webhook_ca: Path | None = None
    """Certificates that gateways may have beside those that the system trusts."""

    mail: Mail | None = None
    """How e-mail is sent, where a server is set up."""

    openid: OpenIdConnect | None = None
    """Where members may sign in, where a provider is set up."""

    openid_role: Role | None = None
    """Of those who come by it the first time; without one only the invited are let in."""

    route_retry_lock: RetryLock = field(default_factory=RetryLock)
    abandoned_claims: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_ABANDONED))
    """Idempotency claims of failed requests that the database was not there to release."""

    buckets: Buckets = field(default_factory=MemoryBuckets)
    """Of rate limits; those of several processes are in the database."""

    open_storefront: OpenStorefront = open_storefront
    """Opens a shop on its platform; nothing is asked of it yet."""

    quota_bytes: int = USUAL_QUOTA_BYTES
    positions_kept_for: timedelta = timedelta(days=30)
    decoders: Decoders = field(default_factory=Decoders)
    copy_makers: Decoders = field(
        default_factory=lambda: Decoders(DecodingLimits(processes=1, waiting=1))
    )
    """Make smaller copies, apart from `decoders`: no driver waits for a page of photos."""

    clock_watch: ClockWatch = field(default_factory=ClockWatch)

    outbox_signal: Signal = field(default_factory=Signal)
    """Sent after a commit that left something to send."""

    change_signal: Signal = field(default_factory=Signal)
    """Sent after a commit that changed something."""

    def close(self) -> None:
        """Let go of engines, connections and files; the database belongs to another."""
        self.failures.wait()
        self.decoders.close()
        self.copy_makers.close()
        self.geocoder.close()
        self.roads.close()
        self.street_map.close()
        if self.openid is not None:
            self.openid.close()
