"""What customers are told after somebody has taken something back, and how much of it."""

from typing import Any

from tests.api.conftest import World
from tests.api.test_messages import (
    configure,
    dispatch,
    enable,
    gateway,
    listed,
    mailing,
    post_office,
    send,
    sms,
    stops_of,
)
from tests.notifications.post_office import Gateway, PostOffice

__all__ = ["gateway", "mailing", "post_office"]

ALL = ("PLANNED", "ON_THE_WAY", "NEXT", "SLIPPED", "DELIVERED", "ATTEMPTED")


def go_on(world: World, **time: Any) -> None:
    world.clock.advance(**time)
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    send(world)


def test_a_slip_of_the_hand_is_told_to_nobody(mailing: World, post_office: PostOffice) -> None:
    configure(mailing, rules=enable("DELIVERED", "ATTEMPTED"))
    device = dispatch(mailing, stops=2)
    stop, _ = stops_of(mailing, device)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop)
    go_on(mailing, seconds=9)
    assert post_office.letters == []
    device.done("STOP_REOPENED", stopId=stop)
    device.done("STOP_ATTEMPTED", stopId=stop, reason="REFUSED")
    go_on(mailing, seconds=11)
    assert listed(mailing) == [("ATTEMPTED", "EMAIL", "SENT"), ("DELIVERED", "EMAIL", "SUPPRESSED")]
    assert len(post_office.letters) == 1


def test_a_customer_hears_each_of_the_last_words_once(
    mailing: World, post_office: PostOffice
) -> None:
    configure(mailing, rules=enable("DELIVERED", "ATTEMPTED"))
    device = dispatch(mailing, stops=2)
    stop, _ = stops_of(mailing, device)
    device.done("ROUTE_STARTED")
    for word in ("STOP_DELIVERED", "STOP_ATTEMPTED", "STOP_DELIVERED", "STOP_ATTEMPTED"):
        reason = {"reason": "REFUSED"} if word == "STOP_ATTEMPTED" else {}
        device.done(word, stopId=stop, **reason)
        go_on(mailing, minutes=2)
        device.done("STOP_REOPENED", stopId=stop)
    assert listed(mailing) == [("ATTEMPTED", "EMAIL", "SENT"), ("DELIVERED", "EMAIL", "SENT")]
    assert len(post_office.letters) == 2


def test_a_last_word_that_was_taken_back_before_it_went_out_is_told_when_it_is_true(
    mailing: World,
) -> None:
    configure(mailing, rules=enable("DELIVERED"))
    device = dispatch(mailing, stops=2)
    stop, _ = stops_of(mailing, device)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop)
    device.done("STOP_REOPENED", stopId=stop)
    go_on(mailing, minutes=2)
    assert listed(mailing) == [("DELIVERED", "EMAIL", "SUPPRESSED")]
    device.done("STOP_DELIVERED", stopId=stop)
    go_on(mailing, minutes=2)
    assert listed(mailing) == [("DELIVERED", "EMAIL", "SENT"), ("DELIVERED", "EMAIL", "SUPPRESSED")]


def test_a_plan_that_was_taken_back_in_quiet_hours_is_told_with_the_next_dispatch(
    mailing: World, post_office: PostOffice
) -> None:
    # It is 2 o'clock in Baltimore.
    configure(mailing, rules=enable("PLANNED"), quietHours={"start": "21:00", "end": "03:00"})
    device = dispatch(mailing, stops=1)
    assert mailing.client.send("DELETE", f"/routes/{device.route_id}/dispatch").status_code == 200
    go_on(mailing, hours=1)
    assert post_office.letters == []
    assert listed(mailing) == [("PLANNED", "EMAIL", "SUPPRESSED")]
    assert mailing.client.post(f"/routes/{device.route_id}/dispatch", {}).status_code == 200
    go_on(mailing, minutes=1)
    assert listed(mailing) == [("PLANNED", "EMAIL", "SENT"), ("PLANNED", "EMAIL", "SUPPRESSED")]
    assert len(post_office.letters) == 1


def test_the_last_word_finds_room(
    mailing: World, post_office: PostOffice, gateway: Gateway
) -> None:
    rules = [*enable(*ALL), *enable(*ALL, channel="SMS")]
    configure(mailing, rules=rules, smsGateway=sms(gateway))
    device = dispatch(mailing, stops=1)
    send(mailing)
    device.done("ROUTE_STARTED")
    send(mailing)
    device.done("STOP_ATTEMPTED", stopId=stops_of(mailing, device)[0], reason="REFUSED")
    go_on(mailing, minutes=2)
    assert listed(mailing) == [
        ("ATTEMPTED", "EMAIL", "SENT"),
        ("NEXT", "EMAIL", "SENT"),
        ("PLANNED", "EMAIL", "SENT"),
        ("PLANNED", "SMS", "SENT"),
    ]
    assert len(post_office.letters) + len(gateway.requests) == 4
