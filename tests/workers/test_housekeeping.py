from dataclasses import replace
from datetime import timedelta

import pytest
from tests.webhooks.receiver import Receiver
from tests.workers.world import World

from roundsman.domain.attachment import Attachment
from roundsman.domain.driver import DriverDraft
from roundsman.domain.queries import ListEvents, Query
from roundsman.domain.topics import Topic
from roundsman.domain.vehicle import VehicleDraft
from roundsman.endpoints.access import NOBODY
from roundsman.installation import make_registrar
from roundsman.operations.api_clients import create_credentials, sign_in_client
from roundsman.operations.drivers import add_driver
from roundsman.operations.event_log import list_events
from roundsman.operations.housekeeping import remove_outdated
from roundsman.operations.idempotency import (
    AnswerRecorder,
    Claim,
    StoredAnswer,
    claim_or_replay,
)
from roundsman.operations.request import Request
from roundsman.operations.vehicles import add_vehicle
from roundsman.operations.webhook_subscriptions import send_test
from roundsman.storage.attachments import (
    Picture,
    StoredUpload,
    add_attachment,
    add_part,
    add_upload,
    complete_upload,
)
from roundsman.storage.geocoder_answers import StoredAnswers

pytestmark = pytest.mark.both_databases


def count(world: World, table: str) -> int:
    with world.tools.database.reading() as tx:
        return int(tx.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())  # noqa: S608 -- a table's name


def listed(world: World) -> int:
    query = Query(arguments=ListEvents(), cursor="")
    return len(list_events(world.tools, world.organization_id, query).rows)


@pytest.mark.spec("decisions §9")
def test_events_are_kept_for_thirty_days(world: World, receiver: Receiver) -> None:
    webhook = world.subscribe(receiver.url("/in"), Topic.IMPORTED_STOP_CREATED, Topic.TEST)
    world.happen(3)
    send_test(world.tools, world.request, webhook)
    world.send()
    world.clock.advance(days=29)
    world.happen()
    world.send()
    remove_outdated(world.tools)
    assert (count(world, "events"), count(world, "delivery_attempts"), listed(world)) == (5, 5, 5)
    world.clock.advance(days=1, seconds=1)
    assert listed(world) == 1
    remove_outdated(world.tools)
    for table in ("events", "event_payloads", "outbox", "delivery_attempts"):
        assert count(world, table) == 1, table
    assert count(world, "imported_stops") == 4


def test_a_delivery_that_a_clock_far_ahead_put_off_is_due_again(
    world: World, receiver: Receiver
) -> None:
    world.subscribe(receiver.url("/in"))
    world.clock.advance(days=365)
    world.happen()
    world.clock.advance(days=-365)
    world.send()
    assert not receiver.received
    remove_outdated(world.tools)
    world.send()
    assert len(receiver.received) == 1


def test_expired_tokens_are_forgotten(world: World) -> None:
    registrar = make_registrar(world.tools)
    made = create_credentials(registrar, world.organization_id, "dev@example.com")
    sign_in_client(world.tools, Request(principal=NOBODY), made.client_id, made.client_secret)
    remove_outdated(world.tools)
    assert count(world, "access_tokens") == 1
    world.clock.advance(seconds=timedelta(hours=1).total_seconds() + 1)
    remove_outdated(world.tools)
    assert count(world, "access_tokens") == 0


def test_uploads_that_broke_off_are_forgotten_after_a_week_and_finished_ones_kept(
    world: World,
) -> None:
    driver = add_driver(world.tools, world.request, DriverDraft(first_name="Dana")).driver
    picture = Picture(media_type="image/png", data=b"png")
    attachment = Attachment(id="att-1", created_at=world.clock.now(), url="https://here/1")
    with world.tools.database.writing() as tx:
        for number in range(45):
            upload = StoredUpload(id=f"upload-{number}", sha256=b"hash", size=10)
            add_upload(tx, world.organization_id, driver.id, upload, world.clock.now())
            add_part(tx, driver.id, upload, b"half")
        add_attachment(tx, world.organization_id, attachment, b"token", picture)
        assert complete_upload(tx, driver.id, "upload-0", attachment.id)
    world.clock.advance(days=7)
    remove_outdated(world.tools)
    assert (count(world, "uploads"), count(world, "upload_parts")) == (45, 45)
    world.clock.advance(seconds=1)
    remove_outdated(world.tools)
    assert (count(world, "uploads"), count(world, "upload_parts")) == (1, 1)
    assert count(world, "attachments") == 1


def test_geocoders_answers_are_forgotten_when_their_time_is_over_all_of_them(world: World) -> None:
    answers = StoredAnswers(world.tools.database)
    now = world.clock.now()
    many = {number.to_bytes(4): ("{}", now + timedelta(days=1)) for number in range(1_001)}
    answers.remember("photon", many | {b"young": ("{}", now + timedelta(days=2))})
    remove_outdated(world.tools)
    assert count(world, "geocoder_answers") == 1_002
    world.clock.advance(days=1)
    remove_outdated(world.tools)
    assert count(world, "geocoder_answers") == 1


@pytest.mark.spec("decisions §4")
def test_answers_to_idempotency_keys_are_forgotten_after_a_day(world: World) -> None:
    client = create_credentials(make_registrar(world.tools), world.organization_id, "dev@a.example")
    for key in ("first", "second"):
        claim = Claim(client_id=client.client_id, key=key, fingerprint=b"same", token=key, holder=7)
        assert claim_or_replay(world.tools, claim) is None
        keeper = AnswerRecorder(claim=claim, render=lambda _: b"{}", head=lambda _: {})
        add_vehicle(world.tools, replace(world.request, receipt=keeper), VehicleDraft(name=key))
        world.clock.advance(hours=12)
    world.clock.advance(seconds=1)
    remove_outdated(world.tools)
    assert count(world, "idempotency_records") == 1
    again = Claim(
        client_id=client.client_id, key="second", fingerprint=b"same", token="other", holder=7
    )
    assert claim_or_replay(world.tools, again) == StoredAnswer(body=b"{}", headers={})
    world.clock.advance(hours=12)
    remove_outdated(world.tools)
    assert count(world, "idempotency_records") == 0


@pytest.mark.spec("decisions §4")
def test_idempotency_records_are_forgotten_after_a_day_a_few_hundred_at_a_time(
    world: World,
) -> None:
    def keep(number: int) -> None:
        claim = Claim(client_id="c", key=f"k{number}", fingerprint=b"f", token="t", holder=7)
        assert claim_or_replay(world.tools, claim) is None

    for number in range(505):
        keep(number)
    world.clock.advance(hours=24)
    keep(505)
    remove_outdated(world.tools)
    assert count(world, "idempotency_records") == 506, "a day is kept whole"
    world.clock.advance(seconds=1)
    asked = iter([False])
    remove_outdated(world.tools, lambda: next(asked, True))
    assert count(world, "idempotency_records") == 6, "who is asked to stop does so in between"
    remove_outdated(world.tools)
    assert count(world, "idempotency_records") == 1
