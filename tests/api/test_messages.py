"""Messages to customers: set up by owners, written with the change, sent once, listed."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Event, Lock, Thread
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.api.test_routes import add, create_route, import_line
from tests.driver.device import Device, browser, sign_up
from tests.members.conftest import join
from tests.notifications.post_office import Gateway, PostOffice, open_gateway, open_post_office
from tests.support.waiting import PATIENCE_SECONDS, wait_until
from tests.world import FixedClock

from roundsman.app import make_application
from roundsman.domain.principal import Role
from roundsman.endpoints.outbound_threads import MOST_EACH
from roundsman.notifications.email import Mail, MailServer, send_letter
from roundsman.operations.message_sending import claim_messages, mail_of
from roundsman.operations.message_writing import note_slips, note_slips_of
from roundsman.operations.organizations import keep_simulated
from roundsman.settings import Settings
from roundsman.storage.fair_claims import Room
from roundsman.webhooks.sender import Sender
from roundsman.workers.message_delivery import MessageDelivery

ANN = {"firstName": "Ann", "email": "ann@example.com", "phone": "+14105550123"}
SECRET = "Bearer 5EcreT"


@pytest.fixture
def post_office() -> Iterator[PostOffice]:
    with open_post_office() as office:
        yield office


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    with open_gateway() as opened:
        yield opened


@pytest.fixture
def mailing(world: World, post_office: PostOffice, tmp_path: Any) -> Iterator[World]:
    """The installation, with a mail server."""
    server = MailServer.parse(f"smtp://127.0.0.1:{post_office.port}")
    mail = Mail(server=server, sender="Acme <post@example.com>", certificates=None)  # type: ignore[arg-type]  # not asked on this machine
    tools = replace(world.tools, mail=mail)
    interface = make_application(Settings(data=tmp_path), tools)
    client = DescribedClient(interface)
    client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    yield replace(world, tools=tools, client=client)
    interface.close()


def configure(world: World, **settings: Any) -> Any:
    body = {"messages": settings, "updateMask": ",".join(settings)}
    answer = world.client.send("PATCH", "/settings/messages", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def enable(*moments: str, channel: str = "EMAIL") -> list[dict[str, Any]]:
    return [{"moment": moment, "channel": channel, "enabled": True} for moment in moments]


def sms(gateway: Gateway, body: str = '{"to": "{to}", "text": "{text}", "ref": "{id}"}') -> Any:
    url = f"http://127.0.0.1:{gateway.port}/send"
    return {"method": "POST", "url": url, "headers": {"Authorization": SECRET}, "body": body}


def dispatch(world: World, stops: int = 2, contact: Any = ANN) -> Device:
    """Dispatch a route whose customers can be reached to a driver."""
    device = sign_up(world, world.client.interface)
    route = create_route(world, scheduledFor="2024-07-01T06:30:00Z", driverId=device.driver_id)
    numbers = range(1, stops + 1)
    add(world, route, import_line(world, *numbers, orderName="#1041", contact=contact))
    assert world.client.post(f"/routes/{route}/dispatch", {}).status_code == 200
    device.route_id = route
    return device


def send(world: World) -> None:
    sender = Sender(world.tools.address_guard, None, world.clock)
    asyncio.run(MessageDelivery(world.tools, sender).send_due())


def listed(world: World, **query: str) -> list[tuple[str, str, str]]:
    arguments = "&".join(f"query.{name}={value}" for name, value in query.items())
    found = world.client.get(f"/messages?{arguments}").json()["messages"]
    return sorted((one["moment"], one["channel"], one["status"]) for one in found)


def stops_of(world: World, device: Device) -> list[str]:
    return [one["id"] for one in world.client.get(f"/routes/{device.route_id}").json()["stops"]]


@pytest.mark.spec("decisions §22")
def test_settings_are_changed_by_a_mask_and_show_no_secret(world: World, gateway: Gateway) -> None:
    assert world.client.get("/settings/messages").json() == {"rules": [], "templates": []}
    shown = configure(
        world,
        rules=enable("PLANNED"),
        quietHours={"start": "21:00", "end": "08:00"},
        smsGateway=sms(gateway),
        language="de",
    )
    assert shown["smsGateway"]["headers"] == {"Authorization": "****"}
    assert SECRET not in world.client.get("/settings/messages").text
    with world.tools.database.reading() as tx:
        kept = tx.exec_driver_sql("SELECT messages, message_secrets FROM organizations").fetchall()
    assert SECRET not in str(kept)
    # What was shown may be sent back: the secret stays.
    configure(world, smsGateway=shown["smsGateway"])
    draft = {"moment": "NEXT", "channel": "SMS", "to": "+14105550199"}
    assert world.client.post("/settings/messages/test", draft).status_code == 200
    assert gateway.requests[0][1]["Authorization"] == SECRET
    assert gateway.requests[0][2]["to"] == "+14105550199"
    cleared = world.client.send(
        "PATCH", "/settings/messages", json={"messages": {}, "updateMask": "quietHours,language"}
    ).json()
    assert "quietHours" not in cleared
    assert cleared["rules"] == enable("PLANNED")
    assert world.stranger.get("/settings/messages").json()["rules"] == []


def test_who_may_not_change_settings_sees_of_the_gateway_its_host_alone(world: World) -> None:
    given = {
        "url": "http://127.0.0.1:9105/KEY/send?apikey=KEY&to={to}",
        "headers": {"X-From": "Acme"},
        "body": "KEY {text}",
    }
    shown = configure(world, smsGateway=given)["smsGateway"]
    assert (shown["url"], shown["body"]) == (given["url"], given["body"])
    made = world.client.post("/credentials", {"scopes": ["READ"]}).json()
    reader = DescribedClient(world.client.interface)
    reader.sign_in(made["clientId"], made["clientSecret"])
    seen = reader.get("/settings/messages").json()["smsGateway"]
    assert seen == {
        "method": "POST",
        "url": "http://127.0.0.1:9105",
        "headers": {"X-From": "****"},
        "body": "",
    }
    viewer = join(world, "viewer@example.com", Role.VIEWER)
    assert viewer.get("/api/2024-07/settings/messages").json()["smsGateway"] == seen


def test_headers_are_shown_to_no_other_gateway_than_the_one_they_were_given_for(
    world: World, gateway: Gateway
) -> None:
    shown = configure(world, smsGateway=sms(gateway))["smsGateway"]
    elsewhere = {**shown, "url": "http://127.0.0.1:9/messages"}
    body = {"messages": {"smsGateway": elsewhere}, "updateMask": "smsGateway"}
    refused = world.client.send("PATCH", "/settings/messages", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert "messages.smsGateway.headers must be given anew" in refused.json()["message"]
    assert world.client.get("/settings/messages").json()["smsGateway"] == shown
    own = {"Authorization": "another"}
    assert configure(world, smsGateway={**elsewhere, "headers": own})["smsGateway"] == elsewhere
    # Another path of the same gateway keeps them.
    configure(world, smsGateway=sms(gateway))
    assert configure(world, smsGateway={**shown, "url": f"{shown['url']}?from=acme"})


def test_a_rule_that_is_given_twice_alike_is_one(world: World) -> None:
    assert configure(world, rules=enable("NEXT", "NEXT"))["rules"] == enable("NEXT")


def test_opposite_rules_of_a_version_before_are_shown_as_the_one_that_counts(world: World) -> None:
    configure(world, rules=enable("NEXT"))
    opposite = (
        '{"rules":[{"moment":"NEXT","channel":"EMAIL","enabled":true},'
        '{"moment":"NEXT","channel":"EMAIL","enabled":false}],"templates":[]}'
    )
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql(f"UPDATE organizations SET messages = '{opposite}'")  # noqa: S608 -- the test's own
    shown = world.client.get("/settings/messages").json()["rules"]
    assert shown == [{"moment": "NEXT", "channel": "EMAIL", "enabled": False}]
    assert configure(world, rules=shown)["rules"] == shown


def test_quiet_hours_are_sent_as_text_or_as_the_times_of_windows_are(world: World) -> None:
    shown = configure(world, quietHours={"start": {"hours": 21}, "end": "08:00"})
    assert shown["quietHours"] == {"start": "21:00", "end": "08:00"}
    shown = configure(world, quietHours={"start": {"hours": 22, "minutes": 30}, "end": {}})
    assert shown["quietHours"] == {"start": "22:30", "end": "00:00"}
    assert world.client.get("/settings/messages").json()["quietHours"] == shown["quietHours"]


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"rules": [{"moment": "LUNCH", "channel": "SMS"}]}, "messages.rules[0].moment"),
        ({"quietHours": {"start": "25:00", "end": "08:00"}}, "messages.quietHours.start"),
        ({"quietHours": {"start": 22, "end": "08:00"}}, "messages.quietHours.start"),
        ({"quietHours": {"start": "22:00"}}, "messages.quietHours.end"),
        ({"quietHours": {"start": "22:00", "end": {"hours": 24}}}, "messages.quietHours.end.hours"),
        ({"quietHours": {"start": "22:00", "end": {"seconds": 1}}}, "messages.quietHours.end"),
        (
            {"templates": [{"moment": "NEXT", "channel": "SMS", "language": "en", "text": "{x}"}]},
            "messages.templates[0].text",
        ),
        (
            {"smsGateway": {"url": "https://sms.example.com", "body": "{to}"}},
            "messages.smsGateway.body",
        ),
        (
            {"smsGateway": {"url": "https://a.example/{to}", "headers": {"X-Text": "{text}"}}},
            "messages.smsGateway.body",
        ),
        (
            {"smsGateway": {"url": "http://10.0.0.1/", "body": "{to} {text}"}},
            "messages.smsGateway.url",
        ),
        (
            {
                "rules": [
                    {"moment": "NEXT", "channel": "SMS", "enabled": True},
                    {"moment": "NEXT", "channel": "SMS", "enabled": False},
                ]
            },
            "messages.rules[1]",
        ),
        (
            {
                "templates": [
                    {"moment": "NEXT", "channel": "SMS", "language": "en", "text": text}
                    for text in ("one", "one", "another")
                ]
            },
            "messages.templates[2]",
        ),
    ],
)
def test_a_wrong_setting_is_refused_by_its_field(world: World, settings: Any, field: str) -> None:
    body = {"messages": settings, "updateMask": ",".join(settings)}
    answer = world.client.send("PATCH", "/settings/messages", json=body)
    assert answer.status_code == 400, answer.text
    (violation,) = answer.json()["details"][0]["fieldViolations"]
    assert violation["field"] == field


def test_an_organization_whose_gateway_is_silent_waits_alone(
    world: World, gateway: Gateway
) -> None:
    configure(world, smsGateway=sms(gateway))
    gateway.may_answer.clear()
    draft = {"moment": "NEXT", "channel": "SMS", "to": "+14105550199"}
    count = MOST_EACH + 1
    with ThreadPoolExecutor(count) as planners:
        waiting = [
            planners.submit(world.client.post, "/settings/messages/test", draft)
            for _ in range(count)
        ]
        wait_until(lambda: len(gateway.requests) == MOST_EACH)
        hook = {"url": "http://127.0.0.1:9/", "topics": ["ROUTE_UPDATED"]}
        assert world.stranger.post("/webhooks", hook).status_code == 200
        assert len(gateway.requests) == MOST_EACH, "the next one waits for its turn"
        gateway.may_answer.set()
        assert [one.result().status_code for one in waiting] == [200] * count
    assert len(gateway.requests) == count


def test_a_message_does_not_choose_the_host_that_gets_the_headers(world: World) -> None:
    gateway = {"url": "http://{text}.example.com/", "body": "{to} {text}"}
    body = {"messages": {"smsGateway": gateway}, "updateMask": "smsGateway"}
    answer = world.client.send("PATCH", "/settings/messages", json=body)
    assert answer.status_code == 400, answer.text
    assert "messages.smsGateway.url must name its host" in answer.json()["message"]


@pytest.mark.spec("decisions §16")
def test_with_nothing_set_up_nothing_is_written(world: World) -> None:
    configure(world, rules=enable("PLANNED", "ON_THE_WAY"))
    dispatch(world)
    assert listed(world) == []


@pytest.mark.both_databases
@pytest.mark.spec("decisions §16")
def test_customers_are_told_once_of_each_moment(mailing: World, post_office: PostOffice) -> None:
    configure(mailing, rules=enable("PLANNED", "ON_THE_WAY", "NEXT", "DELIVERED", "ATTEMPTED"))
    device = dispatch(mailing)
    first, second = stops_of(mailing, device)
    assert listed(mailing) == [("PLANNED", "EMAIL", "WAITING")] * 2
    send(mailing)
    letter = post_office.letters[0]
    assert letter["To"] == "ann@example.com"
    assert letter["Subject"] == "Your delivery #1041 is planned"
    text = letter.get_body(("plain",))
    assert text is not None
    assert "Hello Ann," in text.get_content()
    assert "http://127.0.0.1:8000/t/" in text.get_content()
    assert letter.get_body(("html",)) is not None
    assert letter["List-Unsubscribe"].startswith("<http://127.0.0.1:8000/t/")
    device.done("ROUTE_STARTED")
    assert listed(mailing, stopId=first) == [
        ("NEXT", "EMAIL", "WAITING"),
        ("PLANNED", "EMAIL", "SENT"),
    ]
    assert ("ON_THE_WAY", "EMAIL", "WAITING") in listed(mailing, stopId=second)
    device.done("STOP_DELIVERED", stopId=first)
    mailing.clock.advance(minutes=1)
    send(mailing)
    # Next was true no more when it could be sent.
    assert listed(mailing, stopId=first) == [
        ("DELIVERED", "EMAIL", "SENT"),
        ("NEXT", "EMAIL", "SUPPRESSED"),
        ("PLANNED", "EMAIL", "SENT"),
    ]
    device.done("STOP_ATTEMPTED", stopId=second, reason="REFUSED")
    device.done("STOP_DELIVERED", stopId=second)
    mailing.clock.advance(minutes=1)
    send(mailing)
    told = [(moment, status) for moment, _, status in listed(mailing, stopId=second)]
    # The first last word was taken back before it went out.
    assert told == [
        ("ATTEMPTED", "SUPPRESSED"),
        ("DELIVERED", "SENT"),
        ("NEXT", "SENT"),
        ("ON_THE_WAY", "SENT"),
        ("PLANNED", "SENT"),
    ]
    count = len(post_office.letters)
    send(mailing)
    assert len(post_office.letters) == count


def test_who_declines_e_mail_gets_no_more(mailing: World, post_office: PostOffice) -> None:
    configure(mailing, rules=enable("PLANNED", "DELIVERED"))
    device = dispatch(mailing, stops=1)
    send(mailing)
    link = post_office.letters[0]["List-Unsubscribe"].strip("<>")
    path = link.removeprefix("http://127.0.0.1:8000")
    customer = browser(mailing.client.interface)
    page = customer.get(path, headers={"Accept": "text/html"})
    assert "No more e-mails" in page.text
    assert customer.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stops_of(mailing, device)[0])
    mailing.clock.advance(minutes=1)
    send(mailing)
    assert ("DELIVERED", "EMAIL", "SUPPRESSED") in listed(mailing)
    assert len(post_office.letters) == 1


def test_a_mailbox_that_there_is_not_gets_no_more(mailing: World, post_office: PostOffice) -> None:
    post_office.refusals["ann@example.com"] = "550 5.1.1 <ann@example.com> unknown"
    configure(mailing, rules=enable("PLANNED"))
    dispatch(mailing)
    send(mailing)
    found = mailing.client.get("/messages").json()["messages"]
    assert {one["status"] for one in found} <= {"FAILED", "SUPPRESSED"}
    assert "ann@example.com" not in str(found)
    assert "550" in str(found)


def test_a_gateway_that_fails_is_asked_again_with_the_same_id(
    world: World, gateway: Gateway
) -> None:
    configure(world, rules=enable("PLANNED", channel="SMS"), smsGateway=sms(gateway))
    gateway.answers += [500, 0]
    dispatch(world, stops=1, contact={**ANN, "lastName": 'O"Neil'})
    for _ in range(3):
        send(world)
        world.clock.advance(minutes=1)
    ids = [body["ref"] for _, _, body in gateway.requests]
    assert len(ids) == 3
    assert len(set(ids)) == 1
    assert gateway.requests[0][1]["Idempotency-Key"] == ids[0]
    (message,) = world.client.get("/messages").json()["messages"]
    assert (message["status"], message["attempts"]) == ("SENT", 3)


def test_what_may_have_been_sent_is_not_sent_again_without_an_id(
    world: World, gateway: Gateway
) -> None:
    plain = sms(gateway, '{"to": "{to}", "text": "{text}"}')
    configure(world, rules=enable("PLANNED", channel="SMS"), smsGateway=plain)
    gateway.answers += [0]
    dispatch(world, stops=1)
    for _ in range(2):
        send(world)
        world.clock.advance(minutes=1)
    assert len(gateway.requests) == 1
    (message,) = world.client.get("/messages").json()["messages"]
    assert message["status"] == "FAILED"
    assert "may have been sent" in message["lastError"]


@pytest.mark.both_databases
def test_a_lost_worker_s_message_goes_on_where_its_gateway_knows_repeats(
    world: World, gateway: Gateway
) -> None:
    configure(world, rules=enable("PLANNED", channel="SMS"), smsGateway=sms(gateway))
    dispatch(world, stops=1)
    (lost,) = claim_messages(world.tools, "lost", Room(count=10))
    send(world)
    assert gateway.requests == []
    world.clock.advance(seconds=10)
    send(world)
    assert [body["ref"] for _, _, body in gateway.requests] == [lost.claim.message_id]
    assert listed(world) == [("PLANNED", "SMS", "SENT")]


def test_a_lost_worker_s_letter_is_sent_under_its_one_message_id(
    mailing: World, post_office: PostOffice
) -> None:
    configure(mailing, rules=enable("PLANNED"))
    dispatch(mailing, stops=1)
    (lost,) = claim_messages(mailing.tools, "lost", Room(count=10))
    assert lost.letter is not None
    send_letter(mail_of(mailing.tools), lost.letter, mailing.clock.now())
    mailing.clock.advance(seconds=10)
    send(mailing)
    assert listed(mailing) == [("PLANNED", "EMAIL", "SENT")]
    ids = [letter["Message-ID"] for letter in post_office.letters]
    assert ids == [f"<{lost.claim.message_id}@example.com>"] * 2


def test_a_letter_whose_answer_is_lost_is_sent_again_and_three_times_at_most(
    mailing: World, post_office: PostOffice
) -> None:
    configure(mailing, rules=enable("PLANNED"))
    dispatch(mailing, stops=2)
    post_office.unanswered = 5
    for _ in range(5):
        send(mailing)
        mailing.clock.advance(minutes=2)
    ids = Counter(letter["Message-ID"] for letter in post_office.letters)
    assert list(ids.values()) == [3, 3]
    messages = mailing.client.get("/messages").json()["messages"]
    assert sorted((one["status"], one["attempts"]) for one in messages) == [
        ("FAILED", 3),
        ("SENT", 3),
    ]
    assert "it may have been sent" in str(messages)


def test_what_was_sent_is_recorded_while_a_mail_server_takes_its_time_with_others(
    mailing: World, post_office: PostOffice
) -> None:
    configure(mailing, rules=enable("PLANNED"))
    dispatch(mailing, stops=20)
    is_first, may_go_on = Lock(), Event()

    def take() -> None:
        if not is_first.acquire(blocking=False):
            assert may_go_on.wait(PATIENCE_SECONDS)

    post_office.taken = take
    sending = Thread(target=send, args=(mailing,))
    sending.start()
    try:
        wait_until(lambda: ("PLANNED", "EMAIL", "SENT") in listed(mailing))
        assert len(listed(mailing, status="SENT")) == 1
    finally:
        may_go_on.set()
        sending.join()
    assert listed(mailing) == [("PLANNED", "EMAIL", "SENT")] * 20


def test_nobody_is_disturbed_in_quiet_hours(mailing: World, post_office: PostOffice) -> None:
    # It is 2 o'clock in Baltimore.
    quiet = {"start": "21:00", "end": "03:00"}
    configure(mailing, rules=enable("PLANNED"), quietHours=quiet)
    dispatch(mailing, stops=1)
    send(mailing)
    assert post_office.letters == []
    mailing.clock.advance(hours=1)
    send(mailing)
    assert len(post_office.letters) == 1


@pytest.mark.spec("decisions §16")
def test_a_customer_is_told_twice_that_it_takes_longer(mailing: World) -> None:
    configure(mailing, rules=enable("SLIPPED"))
    device = dispatch(mailing, stops=1)
    device.done("ROUTE_STARTED")
    counts = []
    for _ in range(10):
        mailing.clock.advance(minutes=15)
        mailing.client.sign_in(mailing.credentials.client_id, mailing.credentials.client_secret)
        send(mailing)
        counts.append(len(listed(mailing)))
    assert counts[0] == 0
    assert counts[-1] == 2
    told_at = [counts.index(1), counts.index(2)]
    assert told_at[1] - told_at[0] in {2, 3}
    entries = mailing.client.get(f"/routes/{device.route_id}/history").json()["entries"]
    said = [entry["message"] for entry in entries if "message" in entry]
    assert said == [{"moment": "SLIPPED", "channel": "EMAIL", "status": "SENT"}] * 2


@pytest.mark.spec("decisions §16")
def test_a_simulated_day_judges_itself_what_was_promised(mailing: World) -> None:
    configure(mailing, rules=enable("SLIPPED"))
    dispatch(mailing, stops=1).done("ROUTE_STARTED")
    tools = mailing.tools
    with tools.database.reading() as tx:
        query = "SELECT organization_id FROM message_promises"
        organization_id = str(tx.exec_driver_sql(query).scalar_one())
    now = mailing.clock.now()
    assert note_slips_of(tools, organization_id) == 0
    mailing.clock.advance(hours=3)
    keep_simulated(tools.database, organization_id, now + timedelta(hours=4))
    assert note_slips(tools) == 0
    assert note_slips_of(replace(tools, clock=FixedClock(now)), organization_id) == 0
    assert note_slips_of(tools, organization_id) == 1
    # The day was killed: its time runs out, and the service looks again.
    mailing.clock.advance(hours=2)
    assert note_slips(tools) == 1


@pytest.mark.spec("decisions §16")
@pytest.mark.both_databases
def test_a_promise_goes_with_its_stop_to_another_van(mailing: World) -> None:
    configure(mailing, rules=enable("SLIPPED"))
    broken, other = dispatch(mailing, stops=2), dispatch(mailing, stops=1)
    for device in (broken, other):
        device.done("ROUTE_STARTED")
    on_time, late = stops_of(mailing, broken)
    move = {"moves": [{"stopId": on_time, "toRouteId": other.route_id}]}
    assert mailing.client.post("/routes/transfers", move).status_code == 200
    assert listed(mailing) == []
    mailing.clock.advance(hours=3)
    mailing.client.sign_in(mailing.credentials.client_id, mailing.credentials.client_secret)
    move = {"moves": [{"stopId": late, "toRouteId": other.route_id}]}
    assert mailing.client.post("/routes/transfers", move).status_code == 200
    told = [("SLIPPED", "EMAIL", "WAITING")]
    # Of the one that was moved in time, it is the change of the route that shows it.
    assert listed(mailing, stopId=late) == listed(mailing, stopId=on_time) == told
    back = {"moves": [{"stopId": late, "toRouteId": broken.route_id}]}
    assert mailing.client.post("/routes/transfers", back).status_code == 200
    assert listed(mailing, stopId=late) == told


def test_a_preview_is_filled_in_and_counts_its_parts(world: World) -> None:
    draft = {"moment": "ON_THE_WAY", "channel": "SMS", "language": "de"}
    shown = world.client.post("/settings/messages/preview", draft).json()
    assert shown["text"].startswith("Acme Foods: Ihre Lieferung #1041 ist unterwegs.")
    assert shown["segments"] == 2
    own = {**draft, "text": "{order} \u0142{name}"}
    configure(world, templates=[own])
    assert world.client.post("/settings/messages/preview", draft).json() == {
        "text": "#1041 \u0142Robin",
        "segments": 1,
    }
    letter = world.client.post("/settings/messages/preview", {**draft, "channel": "EMAIL"}).json()
    assert letter["subject"] == "Ihre Lieferung #1041 ist unterwegs"


@pytest.mark.spec("decisions §4")
def test_a_test_that_is_sent_again_with_its_key_goes_out_once(
    world: World, gateway: Gateway
) -> None:
    configure(world, smsGateway=sms(gateway))
    draft = {"moment": "NEXT", "channel": "SMS", "to": "+14105550199"}
    key = {"Idempotency-Key": "k1"}
    first, again = (
        world.client.post("/settings/messages/test", draft, headers=key) for _ in range(2)
    )
    assert (first.status_code, again.content) == (200, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert len(gateway.requests) == 1


def test_a_test_says_what_is_missing(world: World) -> None:
    draft = {"moment": "NEXT", "channel": "EMAIL", "to": "ann@example.com"}
    answer = world.client.post("/settings/messages/test", draft)
    assert (answer.status_code, answer.json()["code"]) == (400, 9)
    assert "ROUNDSMAN_SMTP_URL" in answer.json()["message"]
    wrong = world.client.post("/settings/messages/test", {**draft, "to": "ann"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, 3)
