"""Customers who are sent no more e-mail, and how that is taken back."""

from typing import Any

import pytest
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
)
from tests.driver.device import browser
from tests.notifications.post_office import PostOffice

__all__ = ["gateway", "mailing", "post_office"]

UNKNOWN = "550 5.1.1 <ann@example.com> unknown"
NO_MAILBOX = "the mail server said that there is no such mailbox"
DECLINED = "the customer wants no e-mail"


def suppressed(world: World, email: str = "") -> Any:
    answer = world.client.get(f"/messages/suppressions?query.email={email}")
    return answer.json()["suppressions"]


def lift(world: World, email: str = "") -> Any:
    return world.client.send("DELETE", f"/messages/suppressions?query.email={email}").json()


@pytest.mark.parametrize("answer", ["550 5.7.54 SMTP; Unable to relay", "550 relay not permitted"])
def test_a_mail_server_that_would_not_serve_us_silences_nobody(
    mailing: World, post_office: PostOffice, answer: str
) -> None:
    configure(mailing, rules=enable("PLANNED"))
    post_office.refusals["ann@example.com"] = answer
    dispatch(mailing, stops=1)
    send(mailing)
    assert listed(mailing) == [("PLANNED", "EMAIL", "FAILED")]
    post_office.refusals.clear()
    dispatch(mailing, stops=1)
    send(mailing)
    assert len(post_office.letters) == 1
    assert suppressed(mailing) == []


def test_mailboxes_that_were_unknown_are_written_to_again(
    mailing: World, post_office: PostOffice
) -> None:
    configure(mailing, rules=enable("PLANNED"))
    post_office.refusals["ann@example.com"] = UNKNOWN
    dispatch(mailing, stops=1)
    send(mailing)
    assert suppressed(mailing) == [{"channel": "EMAIL", "reason": NO_MAILBOX, "count": 1}]
    assert mailing.stranger.get("/messages/suppressions").json() == {"suppressions": []}
    assert mailing.stranger.send("DELETE", "/messages/suppressions").json() == {"lifted": 0}
    assert lift(mailing) == {"lifted": 1}
    assert suppressed(mailing) == []
    post_office.refusals.clear()
    dispatch(mailing, stops=1)
    send(mailing)
    assert len(post_office.letters) == 1


def test_who_declined_is_written_to_again_by_name_alone(
    mailing: World, post_office: PostOffice
) -> None:
    configure(mailing, rules=enable("PLANNED"))
    dispatch(mailing, stops=1)
    send(mailing)
    link = post_office.letters[0]["List-Unsubscribe"].strip("<>")
    path = link.removeprefix("http://127.0.0.1:8000")
    browser(mailing.client.interface).post(path, data={"List-Unsubscribe": "One-Click"})
    assert lift(mailing) == lift(mailing, "eve@example.com") == {"lifted": 0}
    told = [{"channel": "EMAIL", "reason": DECLINED, "count": 1}]
    assert suppressed(mailing) == suppressed(mailing, "Ann@example.com") == told
    assert suppressed(mailing, "eve@example.com") == []
    assert lift(mailing, "Ann@example.com") == {"lifted": 1}
    seen = mailing.client.get("/security-events").json()["securityEvents"]
    lifting = [one["details"] for one in seen if one["kind"] == "SUPPRESSIONS_LIFTED"]
    assert lifting == [{"lifted": 1}], "who lifts nothing is not noted, and no address is kept"
    dispatch(mailing, stops=1)
    send(mailing)
    assert len(post_office.letters) == 2


@pytest.mark.both_databases
def test_who_declined_stays_so_whatever_the_mail_server_says_of_the_mailbox(
    mailing: World, post_office: PostOffice
) -> None:
    configure(mailing, rules=enable("PLANNED"))
    dispatch(mailing, stops=1)
    send(mailing)
    link = post_office.letters[0]["List-Unsubscribe"].strip("<>")
    post_office.refusals["ann@example.com"] = UNKNOWN
    dispatch(mailing, stops=1)
    send(mailing)
    assert suppressed(mailing) == [{"channel": "EMAIL", "reason": NO_MAILBOX, "count": 1}]
    path = link.removeprefix("http://127.0.0.1:8000")
    answer = browser(mailing.client.interface).post(path, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert lift(mailing) == {"lifted": 0}, "who asked for none is written to by name alone"
    assert suppressed(mailing) == [{"channel": "EMAIL", "reason": DECLINED, "count": 1}]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_what_is_no_address_is_refused_by_its_field(world: World, method: str) -> None:
    answer = world.client.send(method, "/messages/suppressions?query.email=ann")
    assert (answer.status_code, answer.json()["code"]) == (400, 3)
    (violation,) = answer.json()["details"][0]["fieldViolations"]
    assert violation["field"] == "query.email"
