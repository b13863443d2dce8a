import json
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from tests.webhooks.receiver import Receiver
from tests.webhooks.verifying import is_signed
from tests.workers.world import PATIENT_SECONDS, QUICK_SECONDS, World

from roundsman.domain.errors import FailedPrecondition, NotFound
from roundsman.domain.event_delivery import Attempt, DeliveryState, Ended
from roundsman.domain.topics import Topic
from roundsman.operations import webhook_subscriptions
from roundsman.operations.event_deliveries import Round, advance
from roundsman.storage.events import EventFilter, select_events
from roundsman.storage.leases import LEASE

pytestmark = pytest.mark.both_databases

DELAYS = (15, 30, 60, 120, 300, 600, 1_200, 2_400, 4_500, 8_700)


@pytest.mark.spec("Events, Headers")
def test_headers_mirror_the_body(world: World, receiver: Receiver) -> None:
    world.subscribe(receiver.url("/in?key=%20a"))
    (stop,) = world.happen()
    world.send()
    (got,) = receiver.received
    body = json.loads(got.body)
    assert got.path == "/in?key=%20a"
    assert got.headers["content-type"] == "application/json"
    assert body["objectId"] == stop
    for header, name in {
        "event-id": "eventId",
        "topic": "topic",
        "event-timestamp": "eventTimestamp",
        "version": "apiVersion",
        "organization": "organization",
        "object-id": "objectId",
    }.items():
        assert got.headers[f"x-service-{header}"] == body[name]
    assert "x-service-store-shop" not in got.headers
    assert "storeShop" not in body
    assert got.headers["webhook-id"] == body["eventId"]
    assert got.headers["webhook-timestamp"] == str(int(world.clock.now().timestamp()))
    assert is_signed(got.body, got.headers["x-service-hmac-sha256"], world.secret)


@pytest.mark.spec("decisions §9")
def test_a_failing_delivery_is_retried_by_the_list_then_dropped_and_replayed(
    world: World, receiver: Receiver
) -> None:
    webhook = world.subscribe(receiver.url("/status/503"))
    world.happen()
    for number, seconds in enumerate((*DELAYS, 0), start=1):
        world.send()
        assert len(receiver.received) == number
        (report,) = world.deliveries(webhook)
        assert [attempt.status for attempt in report.attempts] == [503] * number
        if seconds:
            assert report.due_at
            wait = report.due_at - world.clock.now()
            assert timedelta(seconds=seconds * 0.9) <= wait <= timedelta(seconds=seconds * 1.1)
            world.clock.advance(seconds=(wait - timedelta(seconds=1)).total_seconds())
            world.send()
            assert len(receiver.received) == number, "sent before its time"
            world.clock.advance(seconds=1)
    assert report.state is DeliveryState.DROPPED
    assert report.attempts[0].answer == "said."
    assert len({(got.body, got.headers["x-service-event-id"]) for got in receiver.received}) == 1
    world.clock.advance(days=2)
    world.send()
    assert len(receiver.received) == 11
    again = webhook_subscriptions.replay_events(
        world.tools, world.request, webhook, [report.event_id]
    )
    assert again.replayed == 1
    world.send()
    (replayed,) = world.deliveries(webhook)
    assert (replayed.state, len(replayed.attempts)) == (DeliveryState.PENDING, 12)
    assert replayed.due_at
    assert replayed.due_at - world.clock.now() < timedelta(seconds=17)


@pytest.mark.spec("Delivery rules")
@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/silent", 0, "no answer within 0.5 s"),
        ("/slow-head", 0, "no answer within 0.5 s"),
        ("/dribble", 0, "no answer within 0.5 s"),
        ("/reset", 0, "ServerDisconnectedError"),
        ("/nonsense", 0, "the answer is not HTTP"),
        ("/endless-head", 0, "the answer is not HTTP"),
        ("/status/199", 0, "no answer within 0.5 s"),
        ("/status/301/Location=/in", 301, ""),
        ("/status/307/Location=/in", 307, ""),
        ("/status/400", 400, ""),
        ("/status/500", 500, ""),
    ],
)
def test_whoever_does_not_acknowledge_in_time_is_tried_again(
    world: World, receiver: Receiver, path: str, status: int, error: str
) -> None:
    webhook = world.subscribe(receiver.url(path))
    world.happen()
    world.send(seconds=PATIENT_SECONDS if status or "within" not in error else QUICK_SECONDS)
    (report,) = world.deliveries(webhook)
    (attempt,) = report.attempts
    assert (report.state, attempt.status) == (DeliveryState.PENDING, status), attempt
    assert error in attempt.error
    assert attempt.duration < timedelta(seconds=5)
    assert len(receiver.received) == 1


@pytest.mark.spec("Delivery rules")
@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/in", "ok"),
        ("/status/299", "said."),
        ("/long", "x" * 2_048),
        ("/endless", "x" * 2_048),
        ("/binary", "\ufffd\ufffd\u00e9"),
    ],
)
def test_any_2xx_acknowledges_and_two_kilobytes_of_its_answer_are_kept(
    world: World, receiver: Receiver, path: str, answer: str
) -> None:
    webhook = world.subscribe(receiver.url(path))
    world.happen()
    world.send()
    (report,) = world.deliveries(webhook)
    assert report.state is DeliveryState.DELIVERED
    assert [attempt.answer for attempt in report.attempts] == [answer]


@pytest.mark.spec("decisions §9")
def test_a_receiver_that_is_away_is_tried_again(world: World) -> None:
    with Receiver().listening() as receiver:
        url = receiver.url("/in")
    webhook = world.subscribe(url)
    world.happen()
    world.send()
    (report,) = world.deliveries(webhook)
    assert report.state is DeliveryState.PENDING
    assert "ClientConnectorError" in report.attempts[0].error


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [
        ("Retry-After=1", 13, 17),
        ("Retry-After=25", 25, 25),
        ("Retry-After=9999", 27, 33),
        ("Retry-After=99999999999999999999", 27, 33),
        ("Retry-After=soon", 13, 17),
        ("Retry-After=-5", 13, 17),
        ("Retry-After=Mon,%2001%20Jul%202024%2006:00:25%20GMT", 25, 25),
        ("Retry-After=Monday,%2001-Jul-24%2006:00:25%20GMT", 25, 25),
        ("Retry-After=Mon%20Jul%20%201%2006:00:25%202024", 25, 25),
        ("Retry-After=Sun,%2030%20Jun%202024%2006:00:25%20GMT", 13, 17),
        ("Retry-After=Tue,%2002%20Jul%202024%2006:00:25%20GMT", 27, 33),
        ("Retry-After=Fri,%2031%20Dec%209999%2023:59:59%20-2300", 13, 17),
    ],
)
def test_retry_after_is_honoured_between_one_and_two_times_the_delay(
    world: World, receiver: Receiver, asked: str, least: int, most: int
) -> None:
    webhook = world.subscribe(receiver.url(f"/status/429/{asked}"))
    world.happen()
    world.send()
    (report,) = world.deliveries(webhook)
    assert report.due_at
    wait = report.due_at - world.clock.now()
    assert timedelta(seconds=least) <= wait <= timedelta(seconds=most)


@pytest.mark.spec("decisions §9")
def test_410_deactivates_until_a_person_activates(world: World, receiver: Receiver) -> None:
    webhook = world.subscribe(receiver.url("/status/410"))
    world.happen()
    world.send()
    assert not world.is_active(webhook)
    assert [report.state for report in world.deliveries(webhook)] == [DeliveryState.DROPPED]
    world.clock.advance(days=1)
    world.happen()
    world.send()
    assert len(receiver.received) == 1
    webhook_subscriptions.activate_subscription(world.tools, world.request, webhook)
    assert world.is_active(webhook)
    world.happen()
    world.send()
    assert len(receiver.received) == 2


@pytest.mark.spec("decisions §9")
def test_a_receiver_that_fails_for_days_is_deactivated(world: World, receiver: Receiver) -> None:
    webhook = world.subscribe(receiver.url("/status/500"))
    for _ in range(2):
        world.happen()
        exhaust(world)
    world.clock.advance(days=5)
    world.happen()
    world.send()
    assert world.is_active(webhook), "two dropped events are not three"
    exhaust(world)
    assert not world.is_active(webhook)


@pytest.mark.spec("decisions §9")
def test_what_waited_for_a_deactivated_receiver_is_sent_after_activation_and_the_rest_is_replayed(
    world: World, receiver: Receiver
) -> None:
    webhook = world.subscribe(receiver.url("/status/410"))
    world.happen()
    world.send()
    failing = world.subscribe(receiver.url("/status/500"))
    (waiting,) = world.happen()
    world.send()
    deactivate(world, failing)
    starting = world.clock.now()
    world.clock.advance(hours=1)
    (missed,) = world.happen()
    world.send()
    with pytest.raises(FailedPrecondition, match="not active"):
        webhook_subscriptions.replay_since(world.tools, world.request, failing, starting)
    before = len(receiver.received)
    webhook_subscriptions.activate_subscription(world.tools, world.request, failing)
    world.send()
    sent = [got.headers["x-service-object-id"] for got in receiver.received[before:]]
    assert sent == [waiting]
    webhook_subscriptions.replay_since(world.tools, world.request, failing, starting)
    world.send()
    assert receiver.received[-1].headers["x-service-object-id"] == missed
    assert not world.is_active(webhook), "activation is of one webhook"


def deactivate(world: World, webhook: str) -> None:
    """Leave a webhook as long failing does."""
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql(
            "UPDATE subscriptions SET active = false,"  # noqa: S608 -- an id of our own
            f" body = replace(body, '\"active\":true', '\"active\":false') WHERE id = '{webhook}'"
        )


@pytest.mark.spec("decisions §9")
def test_a_2xx_starts_the_count_anew(world: World, receiver: Receiver) -> None:
    webhook = world.subscribe(receiver.url("/status/500"))
    for _ in range(2):
        world.happen()
        exhaust(world)
    world.clock.advance(days=5)
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql("UPDATE subscriptions SET body = replace(body, '/500', '/200')")
    world.happen()
    world.send()
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql("UPDATE subscriptions SET body = replace(body, '/200', '/500')")
    world.happen()
    exhaust(world)
    assert world.is_active(webhook)


def exhaust(world: World) -> None:
    for _ in range(11):
        world.send()
        world.clock.advance(hours=3)


@pytest.mark.spec("decisions §9")
def test_one_receiver_has_ten_attempts_in_flight_however_many_send(
    world: World, receiver: Receiver
) -> None:
    receiver.hold = True
    webhook = world.subscribe(receiver.url("/held"))
    world.happen(35)
    with world.send_at_once(4):
        receiver.wait_until(lambda them: them.in_flight == 10)
        assert advance(world.tools, Round(worker_id="fifth", room=50, room_for_failing=50)) == []
        receiver.release()
    world.send()
    assert receiver.most_in_flight == 10
    assert {report.state for report in world.deliveries(webhook)} == {DeliveryState.DELIVERED}
    assert len({got.body for got in receiver.received}) == len(receiver.received) == 35


@pytest.mark.spec("decisions §9")
def test_a_failing_receiver_has_two_attempts_in_flight(world: World, receiver: Receiver) -> None:
    world.subscribe(receiver.url("/status/500"))
    world.happen()
    world.send()
    world.happen(5)
    begun = advance(world.tools, Round(worker_id="one", room=50, room_for_failing=50))
    assert len(begun) == 2
    assert advance(world.tools, Round(worker_id="two", room=50, room_for_failing=50)) == []


@pytest.mark.spec("decisions §9")
def test_what_a_lost_worker_claimed_is_sent_by_another(world: World, receiver: Receiver) -> None:
    webhook = world.subscribe(receiver.url("/in"))
    world.happen(3)
    lost = Round(worker_id="lost", room=2, room_for_failing=2)
    assert len(advance(world.tools, lost)) == 2
    world.send()
    assert len(receiver.received) == 1
    world.clock.advance(seconds=LEASE.total_seconds())
    world.send()
    assert len(receiver.received) == 3
    tried = sorted(
        [attempt.error[:15] for attempt in report.attempts] for report in world.deliveries(webhook)
    )
    assert tried == [[""], ["the worker was ", ""], ["the worker was ", ""]]


@pytest.mark.spec("decisions §9")
def test_an_event_that_brings_workers_down_is_not_tried_for_ever(world: World) -> None:
    webhook = world.subscribe("http://127.0.0.1:9/in")
    world.happen()
    claimed = 0
    for number in range(15):
        claimed += len(
            advance(world.tools, Round(worker_id=str(number), room=9, room_for_failing=9))
        )
        world.clock.advance(minutes=1)
    assert claimed == 11
    (report,) = world.deliveries(webhook)
    assert (report.state, len(report.attempts)) == (DeliveryState.DROPPED, 11)


@pytest.mark.spec("decisions §9")
def test_a_claim_is_kept_while_it_is_extended(world: World) -> None:
    world.subscribe("http://127.0.0.1:9/in")
    world.happen()
    (delivery,) = advance(world.tools, Round(worker_id="slow", room=9, room_for_failing=9))
    for _ in range(5):
        world.clock.advance(seconds=LEASE.total_seconds() - 1)
        advance(world.tools, Round(worker_id="slow", under_way=[delivery.claim]))
        assert advance(world.tools, Round(worker_id="other", room=9, room_for_failing=9)) == []


@pytest.mark.spec("decisions §9")
def test_what_has_just_ended_keeps_the_time_of_its_retry_though_it_was_to_be_extended(
    world: World,
) -> None:
    webhook = world.subscribe("http://127.0.0.1:9/in")
    world.happen()
    (delivery,) = advance(world.tools, Round(worker_id="one", room=9, room_for_failing=9))
    now = world.clock.now()
    failed = Attempt(started_at=now, duration=timedelta(), status=500)
    ended = Ended(claim=delivery.claim, attempt=failed)
    advance(world.tools, Round(worker_id="one", ended=[ended], under_way=[delivery.claim]))
    (report,) = world.deliveries(webhook)
    assert isinstance(report.due_at, datetime)
    assert timedelta(seconds=13.5) <= report.due_at - now <= timedelta(seconds=16.5)


@pytest.mark.spec("Webhooks")
def test_a_webhook_may_be_removed_while_it_is_sent_to(world: World, receiver: Receiver) -> None:
    receiver.hold = True
    webhook = world.subscribe(receiver.url("/held"))
    other = world.subscribe(receiver.url("/in"))
    world.happen(3)
    with world.send_at_once(1):
        receiver.wait_until(lambda them: len(them.received) == 6)
        webhook_subscriptions.remove_subscription(world.tools, world.request, webhook)
        receiver.release()
    assert {report.state for report in world.deliveries(other)} == {DeliveryState.DELIVERED}
    with pytest.raises(NotFound, match="webhook not found"):
        world.deliveries(webhook)


@pytest.mark.spec("decisions §9")
def test_replaying_since_sends_what_was_delivered_dropped_and_missed(
    world: World, receiver: Receiver
) -> None:
    world.happen()
    world.clock.advance(hours=1)
    starting = world.clock.now()
    (missed,) = world.happen()
    world.clock.advance(seconds=1)
    webhook = world.subscribe(receiver.url("/in"), Topic.IMPORTED_STOP_CREATED, Topic.TEST)
    (told,) = world.happen()
    webhook_subscriptions.send_test(world.tools, world.request, webhook)
    world.send()
    assert len(receiver.received) == 2

    def replay() -> int:
        return webhook_subscriptions.replay_since(
            world.tools, world.request, webhook, starting
        ).replayed

    assert (replay(), replay()) == (2, 0)
    world.send()
    again = [got.headers["x-service-object-id"] for got in receiver.received[2:]]
    assert sorted(again) == sorted([missed, told])


@pytest.mark.spec("decisions §9")
def test_a_dead_receiver_does_not_hold_up_a_healthy_one(world: World, receiver: Receiver) -> None:
    receiver.hold = True
    world.subscribe(receiver.url("/held"))
    world.subscribe(receiver.url("/in"))
    world.happen(40)
    with world.send_at_once(1):
        receiver.wait_until(lambda them: sum(got.path == "/in" for got in them.received) == 40)
        assert receiver.in_flight >= 10
        receiver.release()


@pytest.mark.spec("Events")
def test_timestamps_of_an_object_strictly_increase_however_fast_it_changes(world: World) -> None:
    webhook = world.subscribe("http://127.0.0.1:9/in")
    for _ in range(5):
        webhook_subscriptions.send_test(world.tools, world.request, webhook)
    with world.tools.database.reading() as tx:
        wanted = EventFilter(topic=Topic.TEST, starting=None, ending=None)
        told = [one.event for _, one in select_events(tx, world.organization_id, wanted, None, 50)]
    times = [event.timestamp for event in told if event.object_id == webhook]
    assert len(times) == 5
    assert all(earlier < later for earlier, later in pairwise(times))
