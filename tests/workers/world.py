"""An organization whose events are sent by workers that share a standing clock."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from ipaddress import ip_network
from pathlib import Path

from tests.webhooks.names import KnownNames
from tests.world import CountingIds, FixedClock

from roundsman.domain.address import Coordinates
from roundsman.domain.event_delivery import DeliveryReport
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.principal import operator
from roundsman.domain.queries import ListDeliveries, Query
from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import WebhookSubscriptionDraft
from roundsman.installation import make_registrar, make_tools
from roundsman.operations import webhook_subscriptions
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.webhooks.address_guard import AddressGuard
from roundsman.webhooks.sender import Sender
from roundsman.workers.webhook_delivery import WebhookDelivery

QUICK_SECONDS = 0.5
"""The time limit of exchanges that nobody answers; ten seconds would be long to wait for."""

PATIENT_SECONDS = 30.0
"""The time limit of those that are answered, on however busy a machine."""


@dataclass
class World:
    tools: Tools
    clock: FixedClock
    request: Request
    secret: str

    @property
    def organization_id(self) -> str:
        return self.request.organization_id

    def subscribe(self, url: str, *topics: Topic) -> str:
        draft = WebhookSubscriptionDraft(url=url, topics=topics or (Topic.IMPORTED_STOP_CREATED,))
        return webhook_subscriptions.add_subscription(self.tools, self.request, draft).id

    def happen(self, count: int = 1) -> list[str]:
        """Import stops, each with an event of its own; return the stops' ids."""
        point = Coordinates(latitude=39.29, longitude=-76.61)
        drafts = [StopDraft(coordinates=point) for _ in range(count)]
        return [stop.id for stop in import_stops(self.tools, self.request, drafts)]

    def worker(self, *, seconds: float = PATIENT_SECONDS) -> WebhookDelivery:
        guard = self.tools.address_guard
        return WebhookDelivery(self.tools, Sender(guard, None, self.clock, seconds))

    def send(self, *, seconds: float = PATIENT_SECONDS) -> None:
        """Send and record whatever is due now."""
        asyncio.run(self.worker(seconds=seconds).send_due())

    def send_at_once(self, workers: int, *, seconds: float = PATIENT_SECONDS) -> ThreadPoolExecutor:
        """Have several workers send what is due, each in a thread of its own."""
        pool = ThreadPoolExecutor(workers)
        for _ in range(workers):
            pool.submit(self.send, seconds=seconds)
        return pool

    def deliveries(self, webhook: str) -> Sequence[DeliveryReport]:
        asked = Query(ListDeliveries(limit=1000))
        return webhook_subscriptions.list_deliveries(
            self.tools, self.organization_id, webhook, asked
        ).rows

    def is_active(self, webhook: str) -> bool:
        found = webhook_subscriptions.list_subscriptions(self.tools, self.organization_id)
        return next(one.active for one in found if one.id == webhook)


def make_world(database: Database, clock: FixedClock, ids: CountingIds, data: Path) -> World:
    tools = replace(
        make_tools(Settings(data=data), database, clock, ids),
        address_guard=AddressGuard(
            allowed_subnets=(ip_network("127.0.0.0/8"),), resolver=KnownNames()
        ),
    )
    organization = create_organization(make_registrar(tools), "Acme Foods", "UTC")
    caller = operator(organization.id, "dev@example.com")
    return World(tools, clock, Request(principal=caller), organization.webhook_secret)
