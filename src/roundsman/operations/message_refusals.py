"""Customers who are sent no more e-mail, and how that is taken back.

Some asked for none by the link that stands in each; others have a mailbox that their mail server
does not know. Their addresses are not kept, but a hash.
"""

from roundsman.domain.message import (
    DECLINED,
    UNKNOWN_MAILBOX,
    Channel,
    LiftedSuppressions,
    Suppressions,
)
from roundsman.domain.message_triggers import recipient_of
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.operations.message_sending import hash_recipient
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.tracking_links import follow_tracking_link
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage.messages import (
    count_suppressions,
    lift_suppression,
    lift_suppressions_for,
    suppress_recipient,
)


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
            DECLINED,
            tools.clock.now(),
        )


def view_suppressions(tools: Tools, organization_id: str, email: str) -> Suppressions:
    """Return how many are sent nothing, and why; with an address whether its owner is."""
    to = hash_recipient(tools, Channel.EMAIL, email) if email else None
    with tools.database.reading() as tx:
        found = count_suppressions(tx, organization_id, to)
    return Suppressions(suppressions=tuple(found))


def lift_suppressions(tools: Tools, request: Request, email: str) -> LiftedSuppressions:
    """Write to an address again; without one to all that the mail server did not know.

    Who asked for no more e-mail is written to again by name alone.
    """
    with begin_work(tools, request) as work:
        if email:
            to = hash_recipient(tools, Channel.EMAIL, email)
            lifted = lift_suppression(work.tx, work.organization_id, to)
        else:
            lifted = lift_suppressions_for(work.tx, work.organization_id, UNKNOWN_MAILBOX)
        if lifted:
            details = SecurityEventDetails(lifted=lifted)
            work.record_security(SecurityEventKind.SUPPRESSIONS_LIFTED, details)
        return work.done(LiftedSuppressions(lifted=lifted))
