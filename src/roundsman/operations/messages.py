"""Messages to customers as planners see them: the rules, how a text reads, and what was sent."""

import asyncio
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from roundsman.domain.arrival_window import ArrivalWindow
from roundsman.domain.errors import (
    ChangedMeanwhile,
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    PreconditionViolation,
)
from roundsman.domain.message import (
    HIDDEN,
    Channel,
    Message,
    MessageDraft,
    MessageSettings,
    SmsGateway,
    TestMessage,
    find_contradictions,
)
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.organization import Language, Organization
from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListMessages, Query
from roundsman.kit.ids import new_id
from roundsman.kit.origins import origin_of
from roundsman.notifications.email import Letter, send_letter
from roundsman.notifications.sms_gateway import make_request
from roundsman.notifications.texts import MessageFacts, MessageText, write_text
from roundsman.operations.message_secrets import read_message_settings, seal_headers
from roundsman.operations.organizations import get_organization
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage import messages as stored
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position
from roundsman.webhooks.address_guard import RefusedUrl
from roundsman.webhooks.sender import Sender

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_PHONE = re.compile(r"\+[1-9][0-9]{1,14}")
_EXAMPLE_LINK = "/t/4Jm3uWcXTzq0vN8bA1eYhg.0.an-example-whose-link-leads-to-no-customers"
"""As long as a real one, for parts of text messages are counted."""

_HEX_DIGITS = 14
"""Of a hash that is a version: as many as a number in `If-Match` may have."""

_FROM_NOW, _WIDE = timedelta(hours=1), timedelta(minutes=30)


def view_message_settings(tools: Tools, request: Request) -> MessageSettings:
    """Return what an organization has decided about messages, without secrets."""
    with tools.database.reading() as tx:
        settings = stored.find_message_settings(tx, request.organization_id)
    if Scope.SETTINGS in request.principal.scopes:
        return settings.without_secrets()
    return settings.for_readers()


def _version_of(settings: MessageSettings) -> int:
    shown = msgspec.json.encode(settings.without_secrets())
    return int(hashlib.sha256(shown).hexdigest()[:_HEX_DIGITS], 16)


def tag_of_settings(settings: MessageSettings) -> str:
    """Return what changes with everything that is shown of the settings."""
    return f"{_version_of(settings)}.0"


def change_message_settings(
    tools: Tools, request: Request, values: Mapping[str, Any]
) -> MessageSettings:
    """Set rules, texts, quiet hours and the gateway, as far as they are named."""
    _refuse_contradictions(values)
    gateway = values.get("sms_gateway")
    if isinstance(gateway, SmsGateway):
        _require_allowed(tools, gateway)
    with begin_work(tools, request) as work:
        known = read_message_settings(tools, work.tx, work.organization_id)
        expected = request.expected_versions
        if expected is not None and _version_of(known) not in expected:
            why = "settings of messages have changed since they were read; read them again"
            raise ChangedMeanwhile(why, tag_of_settings(known))
        if isinstance(gateway, SmsGateway):
            _require_own_headers(known.sms_gateway, gateway)
        changed = replace(known, **values).with_secrets_of(known)
        if changed != known:
            sealed = seal_headers(tools, work.organization_id, changed)
            stored.update_message_settings(work.tx, work.organization_id, changed, sealed)
        return work.done(changed.without_secrets())


def _refuse_contradictions(values: Mapping[str, Any]) -> None:
    """Refuse two rules, or two texts, that say different things of the same."""
    lists = (("rules", values.get("message_rules")), ("templates", values.get("templates")))
    violations = [
        FieldViolation(
            field=f"messages.{name}[{index}]",
            description=f"contradicts {name}[{before}], which is for the same",
        )
        for name, entries in lists
        for index, before in find_contradictions(entries or ())
    ]
    if violations:
        raise InvalidArgument(f"{violations[0].field} {violations[0].description}", violations)


def _require_allowed(tools: Tools, gateway: SmsGateway) -> None:
    """Refuse a gateway in our own network: what a client names must not reach into it.

    A host is one: with a placeholder in it each message would choose who gets the headers.
    """
    if "{" in urlsplit(gateway.url).netloc:
        raise _wrong_url("must name its host without a placeholder, as https://sms.example.com")
    try:
        tools.address_guard.check(_filled_url(gateway))
    except RefusedUrl as error:
        raise _wrong_url(str(error)) from error


def _wrong_url(description: str) -> InvalidArgument:
    violation = FieldViolation(field="messages.smsGateway.url", description=description)
    return InvalidArgument(f"{violation.field} {description}", [violation])


def _require_own_headers(known: SmsGateway | UnsetType, given: SmsGateway) -> None:
    """Refuse to send one gateway's secrets to another: who may change the URL could read them."""
    if isinstance(known, UnsetType) or HIDDEN not in given.headers.values():
        return
    if origin_of(_filled_url(known)) != origin_of(_filled_url(given)):
        field = "messages.smsGateway.headers"
        description = "must be given anew, for the hidden ones are for the gateway of before alone"
        violation = FieldViolation(field=field, description=description)
        raise InvalidArgument(f"{field} {description}", [violation])


def _filled_url(gateway: SmsGateway) -> str:
    return make_request(gateway, to="+14105550100", text="text", message_id="id").url


def list_messages(tools: Tools, organization_id: str, query: Query[ListMessages]) -> Page[Message]:
    """Return a page of messages, newest first."""

    def fetch(
        tx: Transaction, asked: ListMessages, after: Position | None, count: int
    ) -> list[tuple[Position, Message]]:
        return stored.select_messages(
            tx, organization_id, asked.stop_id, asked.status or None, after, count
        )

    return list_page(tools, organization_id, "messages", query, fetch)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Example:
    """A message about a delivery that there is not."""

    text: MessageText
    settings: MessageSettings
    link: str


def preview_message(tools: Tools, organization_id: str, draft: MessageDraft) -> MessageText:
    """Return how a message reads, filled in with an example."""
    return _write_example(tools, organization_id, draft).text


def language_of(
    settings: MessageSettings, organization: Organization, named: Language | UnsetType = UNSET
) -> Language:
    """Return the language of messages: the one named, the one set, or the organization's."""
    return named or settings.language or organization.language


def _write_example(tools: Tools, organization_id: str, draft: MessageDraft) -> _Example:
    organization = get_organization(tools.database, organization_id)
    with tools.database.reading() as tx:
        settings = read_message_settings(tools, tx, organization_id)
    clock = tools.clock.now().astimezone(ZoneInfo(organization.timezone))
    full_hour = clock.replace(minute=0, second=0, microsecond=0) + _FROM_NOW
    facts = MessageFacts(
        order="#1041",
        name="Robin",
        link=f"{tools.address.url}{_EXAMPLE_LINK}",
        window=ArrivalWindow(start=full_hour, end=full_hour + _WIDE),
        organization=organization.name,
    )
    language = language_of(settings, organization, draft.language)
    text = write_text(settings, draft.moment, draft.channel, language, facts, clock)
    return _Example(text=text, settings=settings, link=facts.link)


def send_test_message(tools: Tools, organization_id: str, draft: TestMessage) -> MessageText:
    """Send an example at once to whom the planner names; raise where it was not taken."""
    _require_recipient(draft)
    example = _write_example(tools, organization_id, draft)
    if draft.channel is Channel.EMAIL:
        error = _send_example_letter(tools, example, draft.to)
    else:
        error = _send_example_sms(tools, example, draft.to)
    if error:
        violation = PreconditionViolation(type="channel", subject=draft.channel, description=error)
        raise FailedPrecondition(f"the message was not sent: {error}", [violation])
    return example.text


def _require_recipient(draft: TestMessage) -> None:
    form = _EMAIL if draft.channel is Channel.EMAIL else _PHONE
    if form.fullmatch(draft.to) is None:
        kind = "an e-mail address" if form is _EMAIL else "a phone number such as +14105550100"
        violation = FieldViolation(field="to", description=f"must be {kind}")
        raise InvalidArgument(f"to must be {kind}", [violation])


def _send_example_letter(tools: Tools, example: _Example, to: str) -> str:
    if tools.mail is None:
        return "e-mail is not set up; set ROUNDSMAN_SMTP_URL and ROUNDSMAN_MAIL_FROM"
    letter = Letter(
        id=new_id(tools.ids, "msg"),
        to=to,
        subject=example.text.subject or "",
        text=example.text.text,
        headers={},
    )
    return send_letter(tools.mail, letter, tools.clock.now()).error


def _send_example_sms(tools: Tools, example: _Example, to: str) -> str:
    gateway = example.settings.sms_gateway
    if isinstance(gateway, UnsetType):
        return "no smsGateway is set up"
    asked = make_request(
        gateway, to=to, text=example.text.text, message_id=new_id(tools.ids, "msg")
    )

    async def send() -> str:
        async with Sender(tools.address_guard, tools.webhook_ca, tools.clock) as sender:
            attempt = await sender.send(asked.url, asked.body, asked.headers, asked.method)
        if attempt.is_success():
            return ""
        return attempt.error or f"the gateway answered {attempt.status}"

    return asyncio.run(send())
