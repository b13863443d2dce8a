"""Customers who want no more e-mail about deliveries, by the link that stands in each."""

from roundsman.domain.message import Channel
from roundsman.domain.message_triggers import recipient_of
from roundsman.operations.message_sending import hash_recipient
from roundsman.operations.tools import Tools
from roundsman.operations.tracking_links import follow_tracking_link
from roundsman.storage.messages import suppress_recipient


def refuse_email(tools: Tools, token: str) -> None:
    """Send the customer of a link no more e-mail; raise NotFound for an unknown link."""
    followed = follow_tracking_link(tools, token)
    to = "" if followed.stop is None else recipient_of(followed.stop, Channel.EMAIL)
    if not to:
        return
    with tools.database.writing() as tx:
        suppress_recipient(
            tx,
            followed.known.organization_id,
            Channel.EMAIL,
            hash_recipient(tools, Channel.EMAIL, to),
            "the customer wants no e-mail",
            tools.clock.now(),
        )
