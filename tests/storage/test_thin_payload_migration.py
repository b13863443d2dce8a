"""Webhooks and events from before thin payloads are what they were."""

from sqlalchemy import text
from tests.storage.upgrading import upgrade_to

from roundsman.domain.model import UNSET
from roundsman.domain.webhook_subscription import PayloadForm
from roundsman.storage.database import Database
from roundsman.storage.events import load_events
from roundsman.storage.migrate import migrate
from roundsman.storage.webhook_subscriptions import select_subscriptions

BODY = '{"id":"sub-1","url":"https://example.com/in","topics":["ROUTE_CREATED"],"active":true}'


def test_a_webhook_from_before_takes_full_payloads_unfiltered(empty_url: str) -> None:
    database = Database(empty_url)
    upgrade_to(database, "0006")
    with database.writing() as tx:
        tx.execute(
            text(
                "INSERT INTO organizations (id, name, timezone, webhook_secret, routes_counted,"
                " created_at) VALUES ('acme-0001', 'A', 'UTC', 'x', 0, 0)"
            )
        )
        tx.execute(
            text(
                "INSERT INTO subscriptions (id, organization_id, active, created_at, body)"
                " VALUES ('sub-1', 'acme-0001', true, 0, :body)"
            ),
            {"body": BODY},
        )
        tx.execute(
            text(
                "INSERT INTO events (id, organization_id, topic, object_id, timestamp, actor)"
                " VALUES ('evt-1', 'acme-0001', 'TEST', 'sub-1', 0, '{}')"
            )
        )
    migrate(database)
    with database.reading() as tx:
        (webhook,) = select_subscriptions(tx, "acme-0001")
        told = load_events(tx, ["evt-1"])["evt-1"]
    database.close()
    assert (webhook.payload, webhook.filter) == (PayloadForm.FULL, UNSET)
    assert told.event.summary is UNSET
