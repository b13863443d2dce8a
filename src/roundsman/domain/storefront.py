"""Storefront connections: shops whose orders are read, and that hear what became of them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

from msgspec import Meta, field

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UNSET, Line, Model, Rule, UnsetType, obey_rules
from roundsman.domain.route_stop import DeliveryStatus
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.storefront_rules import RuleSubject, StorefrontRule

MOST_STOREFRONTS = 20
VISITED_EVERY = timedelta(minutes=1)
"""Hooks get lost, so a shop is asked this often what has changed (ADR 47)."""

REREAD_EVERY = timedelta(minutes=15)
"""Times of change stand still on some platforms: orders on routes are read again this often."""

HOOKS_RENEWED_EVERY = timedelta(days=1)
REPORTED_FOR = timedelta(days=3)
"""How long a shop that is away is told again; then it is for a planner to say."""

HIDDEN_PREFIX = "****"
"""Stands before the last characters of a secret in answers; sent back, it keeps the secret."""

HOOK_SECRET = "hookSecret"  # noqa: S105 -- what it is called
_SHOWN_CHARACTERS = 4
_SHORTEST_SHOWN = 8


class StorefrontPlatform(StrEnum):
    """What a connected shop runs on."""

    SHOPIFY = "SHOPIFY"
    WOOCOMMERCE = "WOOCOMMERCE"
    MEDUSA = "MEDUSA"
    VENDURE = "VENDURE"


_NEEDED: Mapping[StorefrontPlatform, Sequence[Sequence[str]]] = {
    StorefrontPlatform.SHOPIFY: (("clientId", "clientSecret"), ("accessToken",)),
    StorefrontPlatform.WOOCOMMERCE: (("consumerKey", "consumerSecret"),),
    StorefrontPlatform.MEDUSA: (("apiKey",),),
    StorefrontPlatform.VENDURE: (("apiKey",),),
}
"""What lets in, one way or another; beside it each takes the secret that its hooks are signed with,
without which hooks are refused and orders come by asking alone."""


class StorefrontState(StrEnum):
    """Whether a shop is asked; REFUSED never let us in, PAUSED did once, or a planner said so."""

    ACTIVE = "ACTIVE"
    PAUSED = "PAUSED"
    REFUSED = "REFUSED"


type ShopTag = Annotated[
    str,
    Meta(pattern=r"^[^,]{0,255}$", description="up to 255 characters without a comma"),
]


class OrderField(StrEnum):
    """What may be written into an order for the people of its shop, under a name of ours."""

    ROUTE = "ROUTE"
    """The name of the route."""

    STOP_NUMBER = "STOP_NUMBER"
    """The place of the stop among those of the route that are no breaks, from 1."""

    ARRIVAL = "ARRIVAL"
    """When it is expected; once it is done, when it came."""

    DRIVER = "DRIVER"
    """Who drives the route."""

    STATUS = "STATUS"
    """What has become of the stop, in the words of the interface."""

    TRACKING_URL = "TRACKING_URL"
    """The page that shows the delivery, and the proof of it."""


type Names = Annotated[tuple[Line, ...], Meta(max_length=20)]


class StorefrontSettings(Model):
    """How the orders of a shop are read, and what it is told."""

    delivery_date: Names = ()
    time_window: Names = ()
    """Names of attributes that hold day and window, in the order to look; empty: the usual ones."""

    statuses: Names = ()
    """Of WooCommerce: its statuses of open orders; empty for `processing`."""

    out_for_delivery_status: Line = ""
    """Of WooCommerce: a status of its own that an order gets when it leaves; empty for none."""

    attempted_status: Line = ""
    """Of WooCommerce: a status of its own that an order gets when nobody was at home."""

    look_back_days: Annotated[int, Meta(ge=1, le=365)] = 60
    """How old the orders may be that are read first."""

    notify_customer: bool = False
    """Whether the shop's own mail tells its customer that an order has left."""

    remove_cancelled: bool = False
    """Whether an order that its shop cancels leaves a route that has not started."""

    order_rules: Annotated[tuple[StorefrontRule, ...], Meta(max_length=50)] = ()
    """What its orders are given when they are read; of several rules the first that says it."""

    order_fields: Annotated[tuple[OrderField, ...], Meta(max_length=10)] = ()
    """What is written into an order of the shop each time that it is told of its stop."""

    out_for_delivery_tag: ShopTag = ""
    """Of Shopify: a tag that an order has while it is out for delivery; empty for none."""

    delivered_tag: ShopTag = ""
    """Of Shopify: a tag that an order gets when it has arrived."""

    attempted_tag: ShopTag = ""
    """Of Shopify: a tag that an order gets when nobody was at home."""

    def step_tags(self) -> tuple[str, ...]:
        """Return the tags that an order may get here, each once."""
        named = (self.out_for_delivery_tag, self.delivered_tag, self.attempted_tag)
        return tuple(dict.fromkeys(tag for tag in named if tag))

    def tag_of(self, status: DeliveryStatus) -> str:
        """Return the tag that an order has while its stop is so; empty for none."""
        match status:
            case DeliveryStatus.OUT_FOR_DELIVERY:
                return self.out_for_delivery_tag
            case DeliveryStatus.DELIVERED:
                return self.delivered_tag
            case DeliveryStatus.ATTEMPTED_DELIVERY:
                return self.attempted_tag
        return ""

    def attributes_of_rules(self) -> tuple[str, ...]:
        """Return the attributes that rules look at, by name."""
        rules = self.order_rules
        return tuple(one.name for one in rules if one.subject is RuleSubject.ATTRIBUTE)

    def annotates(self) -> bool:
        """Say whether anything is written into orders of the shop."""
        return bool(self.order_fields or self.step_tags())

    def look_back(self) -> timedelta:
        """Return how far back orders are read."""
        return timedelta(days=self.look_back_days)


type CredentialTexts = dict[str, Annotated[str, Meta(max_length=4_000)]]


class StorefrontDetails(Model):
    """What may be changed of a connection."""

    server_set: ClassVar[frozenset[str]] = frozenset(
        {"id", "platform", "prefix", "state", "lastSuccessAt", "lastFailure", "queue"}
    )

    label: Line = ""
    address: Line = ""
    """The shop's: a host, or a URL with the path that the shop has."""

    credentials: CredentialTexts = field(default_factory=dict)
    settings: StorefrontSettings = StorefrontSettings()


def _judge_address(draft: Any) -> Iterator[str]:
    if not draft.address.strip():
        yield "is required"


class StorefrontDraft(StorefrontDetails):
    """A shop to connect."""

    server_set: ClassVar[frozenset[str]] = frozenset(
        {"id", "state", "lastSuccessAt", "lastFailure", "queue"}
    )
    rules: ClassVar[tuple[Rule, ...]] = (Rule(_judge_address, ("address",)),)

    platform: StorefrontPlatform
    prefix: Annotated[
        str,
        Meta(pattern=r"^[A-Za-z0-9_]{0,32}$", description="up to 32 letters, digits, underscores"),
    ] = ""
    """Stands before the numbers of this shop's orders, so that those of two shops differ."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class ConnectionFailure(Model):
    """What went wrong with a shop the last time, and what helps."""

    at: datetime
    code: str
    message: str
    remedy: str = ""


class ReportQueue(Model):
    """How many reports a shop has still to be told, and how many it would not take."""

    waiting: int = 0
    failed: int = 0


class StorefrontConnection(Model):
    """A connected shop; of its credentials the last characters."""

    id: str
    platform: StorefrontPlatform
    label: str = ""
    address: str = ""
    state: StorefrontState = StorefrontState.ACTIVE
    prefix: str = ""
    credentials: CredentialTexts = field(default_factory=dict)
    settings: StorefrontSettings = StorefrontSettings()
    last_success_at: datetime | UnsetType = UNSET
    last_failure: ConnectionFailure | UnsetType = UNSET
    queue: ReportQueue = ReportQueue()

    def store_order_id(self, number: str) -> str:
        """Return under which id an order of this shop is found."""
        return f"{self.prefix}-{number}" if self.prefix else number

    def is_refused(self) -> bool:
        """Say whether the shop does not accept the credentials."""
        return self.state is StorefrontState.REFUSED


class StorefrontFinding(Model):
    """One thing that was tried when a connection was checked."""

    subject: str
    is_good: bool
    message: str
    remedy: str = ""


class ArrivingOrder(Model):
    """An order as it would arrive; one that is not wanted is left in its shop."""

    store_order: StoreOrder
    is_wanted: bool


class StorefrontCheck(Model):
    """What works of a connection, and ten of its orders as they would arrive, newest first."""

    is_good: bool
    findings: tuple[StorefrontFinding, ...] = ()
    store_orders: tuple[ArrivingOrder, ...] = ()


def find_wrong_settings(
    platform: StorefrontPlatform, settings: StorefrontSettings
) -> Iterator[tuple[str, str]]:
    """Return the field and what is wrong with it of each setting that a platform cannot have."""
    if platform is StorefrontPlatform.SHOPIFY:
        return
    tags = {
        "outForDeliveryTag": settings.out_for_delivery_tag,
        "deliveredTag": settings.delivered_tag,
        "attemptedTag": settings.attempted_tag,
    }
    for name, tag in tags.items():
        if tag:
            yield name, f"must be empty: orders of {platform} have no tags"
    for number, rule in enumerate(settings.order_rules):
        if rule.subject in _SUBJECTS_OF_SHOPIFY:
            known = ", ".join(one for one in RuleSubject if one not in _SUBJECTS_OF_SHOPIFY)
            yield f"orderRules[{number}].subject", f"must be {known}: {platform} has nothing else"


_SUBJECTS_OF_SHOPIFY = (RuleSubject.TAG, RuleSubject.CUSTOMER_TAG, RuleSubject.LOCATION)


def with_remedy(message: str, remedy: str) -> str:
    """Return a shop's own words and what helps, as sentences: shops end theirs as they like."""
    said = message.rstrip()
    if said and remedy and said[-1] not in ".!?":
        said += "."
    return f"{said} {remedy}".strip()


_PORTS = {"https": ":443", "http": ":80"}


def base_url(address: str) -> str:
    """Return the URL of a shop, which may be given as its host alone."""
    trimmed = address.strip().rstrip("/")
    return trimmed if "://" in trimmed else f"https://{trimmed}"


def shop_key(platform: StorefrontPlatform, address: str) -> str:
    """Return what all addresses of one shop have in common: its platform, host, port and path."""
    parts = urlsplit(base_url(address))
    host = parts.netloc.rpartition("@")[2].lower().removesuffix(_PORTS.get(parts.scheme, ""))
    path = parts.path.rstrip("/")
    if platform is StorefrontPlatform.SHOPIFY:
        path = ""
    elif platform is StorefrontPlatform.VENDURE:
        path = path.removesuffix("/admin-api")
    return f"{platform} {host}{path}"


def has_only_a_path(address: str) -> bool:
    """Say whether nothing follows the path of an address."""
    return not urlsplit(base_url(address)).query and "?" not in address


def find_wrong_credentials(
    platform: StorefrontPlatform, credentials: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Return the name and what is wrong with it of each credential that is missing or unknown."""
    ways = _NEEDED[platform]
    known = {HOOK_SECRET, *(name for way in ways for name in way)}
    for name in credentials:
        if name not in known:
            yield name, f"is no credential of {platform}; it takes {', '.join(sorted(known))}"
    way = next((way for way in ways if any(credentials.get(name) for name in way)), ways[0])
    for name in way:
        if not credentials.get(name, "").strip():
            yield name, "is required"


def usual_credentials(platform: StorefrontPlatform) -> tuple[str, ...]:
    """Return the names of what is asked of who connects a shop, in order."""
    needed = tuple(_NEEDED[platform][0])
    return needed if platform is StorefrontPlatform.SHOPIFY else (*needed, HOOK_SECRET)


def hook_secret_of(platform: StorefrontPlatform, credentials: Mapping[str, str]) -> str:
    """Return what a shop signs its hooks with; empty where nothing is known."""
    if platform is StorefrontPlatform.SHOPIFY and not credentials.get(HOOK_SECRET):
        return credentials.get("clientSecret", "")
    return credentials.get(HOOK_SECRET, "")


def hide_credentials(credentials: Mapping[str, str]) -> dict[str, str]:
    """Return credentials as they may be shown: their last characters, of short ones nothing."""
    return {name: _hidden(secret) for name, secret in credentials.items()}


def _hidden(secret: str) -> str:
    shown = secret[-_SHOWN_CHARACTERS:] if len(secret) >= _SHORTEST_SHOWN else ""
    return HIDDEN_PREFIX + shown


def with_hidden_kept(given: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Return credentials where those that were sent back as they are shown stay what they are."""
    return {
        name: known[name] if name in known and secret == _hidden(known[name]) else secret
        for name, secret in given.items()
    }


class ReportStatus(StrEnum):
    """Whether a shop knows: it still has to be told, was told, or would not hear of it."""

    WAITING = "WAITING"
    REPORTED = "REPORTED"
    FAILED = "FAILED"


class ReportedStep(StrEnum):
    """What became of a stop, as its shop is told."""

    OUT_FOR_DELIVERY = "OUT_FOR_DELIVERY"
    DELIVERED = "DELIVERED"
    ATTEMPTED = "ATTEMPTED"
    CORRECTED = "CORRECTED"


class StorefrontReport(Model):
    """One thing that a shop is told about an order, and what it said."""

    id: str
    store_order_id: str
    stop_id: str
    step: ReportedStep
    happened_at: datetime
    status: ReportStatus = ReportStatus.WAITING
    attempts: int = 0
    next_attempt_at: datetime | UnsetType = UNSET
    reported_at: datetime | UnsetType = UNSET
    fulfillment_id: str = ""
    """The shop's own, where it has one."""

    remark: str = ""
    """What the platform could not be told in full."""

    last_failure: ConnectionFailure | UnsetType = UNSET

    def require_retryable(self) -> None:
        """Refuse to tell a shop what it knows."""
        if self.status is ReportStatus.REPORTED:
            raise FailedPrecondition(
                "the shop was told already",
                [
                    PreconditionViolation(
                        type="status", subject=self.id, description="the report is REPORTED"
                    )
                ],
            )


_FIRST_DELAY = timedelta(seconds=15)
_LONGEST_DELAY = timedelta(hours=2)


def report_delay(attempt: int) -> timedelta:
    """Return how long after an attempt the next one is due: 15 s, doubled up to 2 h."""
    doubled: timedelta = _FIRST_DELAY * 2 ** min(attempt - 1, 20)
    return min(doubled, _LONGEST_DELAY)


_VISIT_DELAYS = (15, 30, 60, 120, 300, 600)


def visit_delay(failures: int) -> timedelta:
    """Return how long a shop that is away is left alone after so many failures in a row."""
    return timedelta(seconds=_VISIT_DELAYS[min(failures, len(_VISIT_DELAYS)) - 1])
