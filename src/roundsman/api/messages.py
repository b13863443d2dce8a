"""Messages to customers, at the door: their rules and texts, an example, and what was sent."""

import msgspec

from roundsman.domain.message import (
    LiftedSuppressions,
    Message,
    MessageDraft,
    MessageSettings,
    Suppressions,
    TestMessage,
)
from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListMessages, Query, SuppressedRecipients
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations, Pool
from roundsman.notifications.texts import MessageText
from roundsman.operations import message_refusals, messages
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import MESSAGE_SETTINGS_UPDATE, MessagesAnswer
from roundsman.wire.field_mask import Changes

OPERATIONS = Operations("Messages", ApiClient(), Scope.SETTINGS)


_SETTINGS: Answer[MessageSettings] = Answer(
    MessageSettings,
    headers=lambda settings: {"ETag": f'"{messages.tag_of_settings(settings)}"'},
    described_headers={
        "ETag": "Changes with what is shown; send it as If-Match with a change of it."
    },
)


def _encode_page(page: Page[Message]) -> bytes:
    answer = MessagesAnswer(messages=tuple(page.rows), next_cursor=page.next_cursor)
    return msgspec.json.encode(answer)


@OPERATIONS.add(
    "GET",
    "/settings/messages",
    summary="Get which messages customers are sent, in which words, when and by which gateway",
    answer=_SETTINGS,
)
def get_message_settings(tools: Tools, request: Request) -> MessageSettings:
    """See which messages customers get, when, and in which words. Secrets of the gateway are shown
    as ****; without SETTINGS its address is the host alone, and its body empty.
    """
    return messages.view_message_settings(tools, request)


@OPERATIONS.add(
    "PATCH",
    "/settings/messages",
    summary="Change the settings of messages that the mask names",
    pool=Pool.OUTBOUND,
    update=MESSAGE_SETTINGS_UPDATE,
    answer=_SETTINGS,
    is_versioned=True,
)
def update_message_settings(tools: Tools, request: Request, body: Changes) -> MessageSettings:
    """Change what customers are told; the mask says which settings. A list takes the
    place of the one before; with If-Match nothing of somebody else's is lost. A template that
    cannot be filled is refused.
    """
    return messages.change_message_settings(tools, request, body.values)


# Shows the organization's own words and changes nothing.
@OPERATIONS.add(
    "POST",
    "/settings/messages/preview",
    summary="Show how a message reads, filled in with an example",
    scope=Scope.READ,
    keeps_answers=False,
)
def preview_message(tools: Tools, request: Request, body: MessageDraft) -> MessageText:
    """See a message as a customer would get it, filled with an example. Sends nothing."""
    return messages.preview_message(tools, request.organization_id, body)


@OPERATIONS.add(
    "POST",
    "/settings/messages/test",
    summary="Send an example to whom the body names, at once; refused where it was not taken",
    pool=Pool.OUTBOUND,
)
def test_message(tools: Tools, request: Request, body: TestMessage) -> MessageText:
    """Send a message, filled with an example, to yourself. Refused where no channel is set up for
    it.
    """
    return messages.send_test_message(tools, request.organization_id, body)


@OPERATIONS.add(
    "GET",
    "/messages",
    summary="List messages to customers, newest first, with their attempts",
    answer=Answer(MessagesAnswer, _encode_page),
)
def list_messages(tools: Tools, request: Request, query: Query[ListMessages]) -> Page[Message]:
    """Walk the messages to customers, the newest first, with what became of each."""
    return messages.list_messages(tools, request.organization_id, query)


@OPERATIONS.add(
    "GET",
    "/messages/suppressions",
    summary="Count the recipients who are sent no more messages, by the reason",
)
def get_suppressions(
    tools: Tools, request: Request, query: Query[SuppressedRecipients]
) -> Suppressions:
    """See how many customers are sent nothing because their mailbox is unknown or they declined;
    with an e-mail address whether its owner is one of them.
    """
    return message_refusals.view_suppressions(tools, request.organization_id, query.arguments.email)


@OPERATIONS.add(
    "DELETE",
    "/messages/suppressions",
    summary="Send messages again to an address, or to all whose mailbox was unknown",
    scope=Scope.DISPATCH,
)
def lift_suppressions(
    tools: Tools, request: Request, query: Query[SuppressedRecipients]
) -> LiftedSuppressions:
    """Write again to an e-mail address, also one whose owner declined; without an address to all
    that the mail server called unknown. What was suppressed is not sent later.
    """
    return message_refusals.lift_suppressions(tools, request, query.arguments.email)
