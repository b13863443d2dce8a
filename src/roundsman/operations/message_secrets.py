"""The headers of a gateway for text messages: sealed where they are kept, open to be sent."""

import msgspec
from msgspec.structs import replace

from roundsman.domain.message import MessageSettings
from roundsman.domain.model import UnsetType
from roundsman.operations.tools import Tools
from roundsman.storage.database import Transaction
from roundsman.storage.messages import find_message_secrets, find_message_settings
from roundsman.storage.sealed_columns import GATEWAY_HEADERS, sealing_purpose

_read_headers = msgspec.json.Decoder(dict[str, str]).decode


def read_message_settings(tools: Tools, tx: Transaction, organization_id: str) -> MessageSettings:
    """Return what an organization has decided about messages, with its gateway's headers."""
    settings = find_message_settings(tx, organization_id)
    sealed = find_message_secrets(tx, organization_id)
    if sealed is None or isinstance(settings.sms_gateway, UnsetType):
        return settings
    opened = tools.secret_box.unseal(sealing_purpose(GATEWAY_HEADERS, organization_id), sealed)
    return replace(
        settings, sms_gateway=replace(settings.sms_gateway, headers=_read_headers(opened))
    )


def seal_headers(tools: Tools, organization_id: str, settings: MessageSettings) -> str | None:
    """Return the headers of the gateway, sealed; None without a gateway."""
    if isinstance(settings.sms_gateway, UnsetType):
        return None
    told = msgspec.json.encode(settings.sms_gateway.headers).decode()
    return tools.secret_box.seal(sealing_purpose(GATEWAY_HEADERS, organization_id), told)
