"""Messages to customers: when which of them goes out by which channel, and what becomes of it.

A message names a stop and says nothing of its customer: recipient, text and link are made when it
is sent, so that nothing personal is kept beside the stop (decisions §16, "Messages").
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Annotated, ClassVar
from urllib.parse import urlsplit

from msgspec import Meta, field
from msgspec.structs import force_setattr, replace

from roundsman.domain.model import UNSET, Model, Rule, UnsetType, obey_rules
from roundsman.domain.organization import Language
from roundsman.domain.time_window import TimeOfDay

MOST_MESSAGES_A_STOP = 4
KEPT_FOR_THE_LAST_WORD = 1
"""Of these: what became of a delivery is what its customer has to hear."""

LAST_WORD_WAITS = timedelta(seconds=10)
"""A driver who tapped the wrong button takes that back within seconds."""

OVERTAKEN = "it was true no more when it could be sent"
ON_NO_ROUTE = "the stop is on no route any more"

MESSAGES_KEPT_FOR = timedelta(days=90)
HIDDEN = "****"
"""Stands for the value of a header of the gateway in answers; sent back, it keeps the value."""

HOPELESS_ANSWERS = frozenset({400, 401, 403, 404, 405, 410, 413, 414, 415, 422})
"""Of a gateway: the same request will be answered so again."""

_NAMES = ("order", "name", "link", "window", "organization")
_PLACEHOLDER = re.compile(r"\{(" + "|".join(_NAMES) + r")\}")


class Trigger(StrEnum):
    """What a customer is told of."""

    PLANNED = "PLANNED"
    ON_THE_WAY = "ON_THE_WAY"
    NEXT = "NEXT"
    SLIPPED = "SLIPPED"
    DELIVERED = "DELIVERED"
    ATTEMPTED = "ATTEMPTED"

    @property
    def is_last_word(self) -> bool:
        """Say whether it tells what became of the delivery."""
        return self in {Trigger.DELIVERED, Trigger.ATTEMPTED}


class Channel(StrEnum):
    """How a customer is told."""

    EMAIL = "EMAIL"
    SMS = "SMS"


class MessageStatus(StrEnum):
    """What has become of a message."""

    WAITING = "WAITING"
    SENT = "SENT"
    FAILED = "FAILED"
    SUPPRESSED = "SUPPRESSED"


type WallClock = Annotated[
    str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", description="a time such as 21:00")
]
type TemplateText = Annotated[str, Meta(max_length=2_000)]


class MessageRule(Model):
    """Whether customers are told of a moment by a channel."""

    moment: Trigger
    channel: Channel
    enabled: bool = True

    def subject_of(self) -> tuple[str, ...]:
        """Return what the rule is about: no two may say different things of it."""
        return (self.moment, self.channel)


class MessageTemplate(Model):
    """An organization's own words for a moment, in a language; empty is the built-in text."""

    moment: Trigger
    channel: Channel
    language: Language
    subject: Annotated[str, Meta(max_length=200)] = ""
    text: TemplateText = ""

    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(lambda noun: _judge_template(noun.subject), ("subject",)),
        Rule(lambda noun: _judge_template(noun.text), ("text",)),
    )

    def __post_init__(self) -> None:
        """Refuse placeholders that there are not."""
        obey_rules(self)

    def subject_of(self) -> tuple[str, ...]:
        """Return what the words are for: no two may be for the same."""
        return (self.moment, self.channel, self.language)


class QuietHours(Model):
    """When nobody is disturbed, by the clocks at the stop; they may go past midnight.

    A time may be sent as those of time windows are, `{hours, minutes}`; it is kept as text.
    """

    start: TimeOfDay | WallClock
    end: TimeOfDay | WallClock

    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(lambda noun: _judge_time(noun.start), ("start",)),
        Rule(lambda noun: _judge_time(noun.end), ("end",)),
    )

    def __post_init__(self) -> None:
        """Keep times as text; refuse seconds."""
        obey_rules(self)
        for name in ("start", "end"):
            force_setattr(self, name, f"{_as_time(getattr(self, name)):%H:%M}")

    def starts_at(self) -> time:
        """Return from when on nobody is disturbed."""
        return _as_time(self.start)

    def ends_at(self) -> time:
        """Return when that is over."""
        return _as_time(self.end)


def _as_time(written: str | TimeOfDay) -> time:
    return written.as_time() if isinstance(written, TimeOfDay) else time.fromisoformat(written)


def _judge_time(written: str | TimeOfDay) -> Iterator[str]:
    if isinstance(written, TimeOfDay) and written.seconds:
        yield "must be a whole minute"


class SmsGateway(Model):
    """An HTTP service that sends text messages: how it is asked."""

    method: Annotated[str, Meta(pattern="^(POST|PUT|GET)$", description="POST, PUT or GET")] = (
        "POST"
    )
    url: Annotated[str, Meta(max_length=2_000)]
    headers: dict[str, Annotated[str, Meta(max_length=2_000)]] = field(default_factory=dict)
    body: TemplateText = ""

    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(lambda noun: _judge_headers(noun.headers), ("headers",)),
        Rule(
            lambda noun: _judge_request(noun.url, noun.body),
            ("body", "url"),
        ),
    )

    def __post_init__(self) -> None:
        """Refuse headers that HTTP cannot carry, and a request without recipient or text."""
        obey_rules(self)

    def takes_key(self) -> bool:
        """Say whether requests carry the message's id, by which the gateway knows repeats."""
        return any("{id}" in part for part in (self.url, self.body, *self.headers.values()))


class ShownSmsGateway(SmsGateway):
    """A gateway as readers see it: without what holds the recipient and the text."""

    rules: ClassVar[tuple[Rule, ...]] = ()


class MessageSettings(Model):
    """What an organization has decided about messages to its customers."""

    message_rules: Annotated[tuple[MessageRule, ...], Meta(max_length=50)] = field(
        default=(), name="rules"
    )
    """Not `rules`, which every model has for itself."""

    templates: Annotated[tuple[MessageTemplate, ...], Meta(max_length=200)] = ()
    quiet_hours: QuietHours | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    """Of messages; unset is the organization's."""

    sms_gateway: SmsGateway | UnsetType = UNSET

    def is_enabled(self, trigger: Trigger, channel: Channel) -> bool:
        """Say whether customers are told of a moment by a channel; the last rule counts."""
        rules = {(one.moment, one.channel): one.enabled for one in self.message_rules}
        return rules.get((trigger, channel), False)

    def find_template(
        self, trigger: Trigger, channel: Channel, language: Language
    ) -> MessageTemplate | None:
        """Return the organization's own words, the last that were given."""
        key = (trigger, channel, language)
        found = [one for one in self.templates if (one.moment, one.channel, one.language) == key]
        return found[-1] if found else None

    def without_secrets(self) -> "MessageSettings":
        """Return the settings as they may be shown, and sent back: without what counts no more."""
        shown = replace(
            self,
            message_rules=tuple({one.subject_of(): one for one in self.message_rules}.values()),
            templates=tuple({one.subject_of(): one for one in self.templates}.values()),
        )
        gateway = shown.sms_gateway
        if isinstance(gateway, UnsetType):
            return shown
        hidden = dict.fromkeys(gateway.headers, HIDDEN)
        return replace(shown, sms_gateway=replace(gateway, headers=hidden))

    def for_readers(self) -> "MessageSettings":
        """Return the settings as they are shown to who may not change them.

        Many gateways want their key in the address or the body. Of them the host is left.
        """
        shown = self.without_secrets()
        gateway = shown.sms_gateway
        if isinstance(gateway, UnsetType):
            return shown
        parts = urlsplit(gateway.url)
        host = f"{parts.scheme}://{parts.netloc}"
        known = ShownSmsGateway(method=gateway.method, url=host, headers=gateway.headers)
        return replace(shown, sms_gateway=known)

    def with_secrets_of(self, before: "MessageSettings") -> "MessageSettings":
        """Return the settings with the values of headers that were sent back hidden."""
        gateway, known = self.sms_gateway, before.sms_gateway
        if isinstance(gateway, UnsetType):
            return self
        old = {} if isinstance(known, UnsetType) else known.headers
        headers = {
            name: old.get(name, value) if value == HIDDEN else value
            for name, value in gateway.headers.items()
        }
        return replace(self, sms_gateway=replace(gateway, headers=headers))


def find_contradictions[E: (MessageRule, MessageTemplate)](
    entries: Sequence[E],
) -> Iterator[tuple[int, int]]:
    """Return the index of each entry that says something else than one before, and of that."""
    first: dict[tuple[str, ...], int] = {}
    for index, one in enumerate(entries):
        before = first.setdefault(one.subject_of(), index)
        if one != entries[before]:
            yield index, before


class Message(Model):
    """One message to the customer of one stop."""

    id: str
    stop_id: str
    route_id: str
    moment: Trigger
    channel: Channel
    status: MessageStatus
    attempts: int = 0
    last_error: str | UnsetType = UNSET
    created_at: datetime
    sent_at: datetime | UnsetType = UNSET


UNKNOWN_MAILBOX = "the mail server said that there is no such mailbox"
DECLINED = "the customer wants no e-mail"


class Suppression(Model):
    """How many recipients are sent nothing more by a channel, for one reason."""

    channel: Channel
    reason: str
    count: int


class Suppressions(Model):
    """Who is sent nothing more; addresses are not kept, so that they are counted alone."""

    suppressions: tuple[Suppression, ...] = ()


class LiftedSuppressions(Model):
    """How many recipients are sent messages again."""

    lifted: int


class MessageDraft(Model):
    """Which message to show, filled in with an example; without a language in the usual one."""

    moment: Trigger
    channel: Channel
    language: Language | UnsetType = UNSET


class TestMessage(MessageDraft):
    """Which message to send as an example, and to whom."""

    to: Annotated[str, Meta(max_length=320, pattern=r"^\S+$")]


def fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """Return a template filled in; nothing but the placeholders means anything in it."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], ""), text)


def _judge_template(text: str) -> Iterator[str]:
    rest = _PLACEHOLDER.sub("", text)
    if "{" in rest or "}" in rest:
        yield f"may hold {' '.join(f'{{{name}}}' for name in _NAMES)} and no other braces"


_MOST_HEADERS = 20
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz")
_OURS = frozenset({"host", "content-length", "transfer-encoding", "connection"})


def _judge_headers(headers: dict[str, str]) -> Iterator[str]:
    headers = headers or {}  # unset while a request is being read
    if len(headers) > _MOST_HEADERS:
        yield f"must be at most {_MOST_HEADERS}"
    for name, value in headers.items():
        if not name or not set(name.lower()) <= _TOKEN or name.lower() in _OURS:
            yield "must have names that HTTP headers may have"
        if not value.isprintable():
            yield "must have values of one line"


def _judge_request(url: str, body: str) -> Iterator[str]:
    # Headers do not count: they are hidden where the gateway is kept and shown.
    for name in ("{to}", "{text}"):
        if name not in url and name not in body:
            yield f"must hold {name}"


_GSM_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_GSM_EXTENDED = frozenset("^{}\\[~]|€\f")


def count_segments(text: str) -> int:
    """Return in how many parts a text message is sent and paid (3GPP TS 23.038)."""
    if set(text) <= _GSM_BASIC | _GSM_EXTENDED:
        size = len(text) + sum(one in _GSM_EXTENDED for one in text)
        alone, part = 160, 153
    else:
        size = len(text.encode("utf-16-be")) // 2
        alone, part = 70, 67
    return 1 if size <= alone else -(-size // part)
