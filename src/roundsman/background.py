"""What goes on beside the requests: sending events, running jobs, tidying up.

Loaded by the thread that does it, once the server listens: the HTTP client and the certificates it
trusts take a tenth of the time that a server takes to start.
"""

from collections.abc import Sequence
from types import MappingProxyType

from roundsman.operations.jobs import JobKinds, register
from roundsman.operations.work import Tools
from roundsman.settings import Settings
from roundsman.webhooks.envelope import Envelope
from roundsman.webhooks.sender import Sender
from roundsman.wire.field_alias import FieldAlias
from roundsman.workers.housekeeping import Housekeeping
from roundsman.workers.job_runner import JobRunner
from roundsman.workers.runner import Worker
from roundsman.workers.webhook_delivery import WebhookDelivery

KINDS: JobKinds = register()
"""Every kind of job that this version runs; each noun with long work has its own here."""


def background_workers(
    settings: Settings, tools: Tools, kinds: JobKinds = MappingProxyType({})
) -> Sequence[Worker]:
    """Return one process's share of them; `kinds` of jobs are run beside those of this version."""
    sender = Sender(tools.address_guard, settings.webhook_ca, tools.clock)
    envelope = Envelope(
        header_alias=settings.event_header_alias,
        field_alias=FieldAlias(settings.store_field_alias),
    )
    return [
        WebhookDelivery(tools, sender, envelope),
        JobRunner(tools, {**KINDS, **kinds}),
        Housekeeping(tools),
    ]
