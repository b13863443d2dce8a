from datetime import timedelta

import pytest
from msgspec.structs import replace
from sqlalchemy import select
from tests.storage.rows import ACME, NOW, OTHER, at

from roundsman.domain.message import (
    Channel,
    Message,
    MessageRule,
    MessageSettings,
    MessageStatus,
    SmsGateway,
    Suppression,
    Trigger,
)
from roundsman.domain.message_triggers import Promise
from roundsman.storage.database import Database, Transaction
from roundsman.storage.fair_claims import Room
from roundsman.storage.message_tables import messages
from roundsman.storage.messages import (
    MessageClaim,
    add_message,
    bring_messages_forward,
    claim_due_messages,
    count_suppressions,
    extend_message_claims,
    find_message_secrets,
    find_message_settings,
    find_past_messages,
    find_promises,
    find_promises_of_stops,
    find_suppression,
    is_any_message_due,
    lift_suppression,
    lift_suppressions_for,
    list_promised_routes,
    list_promised_routes_of,
    remove_old_messages,
    remove_old_promises,
    remove_promises,
    save_promises,
    select_messages,
    select_route_messages,
    settle_message,
    suppress_recipient,
    suppress_waiting,
    update_message_settings,
)
from roundsman.storage.organizations import save_simulated_until

pytestmark = pytest.mark.both_databases


def message(id_: str, seconds: float = 0, moment: Trigger = Trigger.NEXT) -> Message:
    return Message(
        id=id_,
        stop_id=f"rst-{id_}",
        route_id="rte-1",
        moment=moment,
        channel=Channel.SMS,
        status=MessageStatus.WAITING,
        created_at=at(seconds),
    )


def add(tx: Transaction, one: Message, owner: str = ACME) -> bool:
    return add_message(tx, owner, one, epoch=1, due_at=one.created_at)


def test_settings_are_each_organization_s_own(shared: Database) -> None:
    rule = MessageRule(moment=Trigger.NEXT, channel=Channel.SMS)
    gateway = SmsGateway(
        url="https://sms.test", body="{to} {text}", headers={"Authorization": "open"}
    )
    settings = MessageSettings(message_rules=(rule,), sms_gateway=gateway)
    with shared.writing() as tx:
        update_message_settings(tx, ACME, settings, "sealed")
        assert find_message_settings(tx, ACME) == settings.without_secrets()
        assert find_message_secrets(tx, ACME) == "sealed"
        assert find_message_settings(tx, OTHER) == MessageSettings()
        assert find_message_secrets(tx, OTHER) is None


def test_a_customer_is_told_a_moment_once_and_messages_are_listed(shared: Database) -> None:
    with shared.writing() as tx:
        assert add(tx, message("a"))
        assert not add(tx, message("a"))
        assert add(tx, message("b", 1))
        assert add(tx, message("c"), OTHER)
        told = find_past_messages(tx, ACME, ["rst-a", "rst-b", "rst-c"])
        assert {one.stop_id for one in told} == {"rst-a", "rst-b"}
        found = select_messages(tx, ACME, "", None, None, 10)
        assert [one for _, one in found] == [message("b", 1), message("a")]
        behind = select_messages(tx, ACME, "", MessageStatus.WAITING, found[0][0], 10)
        assert [one.id for _, one in behind] == ["a"]
        assert select_messages(tx, ACME, "rst-c", None, None, 10) == []
        assert select_messages(tx, ACME, "rst-a", MessageStatus.SENT, None, 10) == []
        assert remove_old_messages(tx, ACME, at(1), 10) == 1


def test_a_message_is_claimed_kept_and_settled_by_who_has_it(shared: Database) -> None:
    with shared.writing() as tx:
        add(tx, message("a"))
        assert not is_any_message_due(tx, at(-1))
        assert is_any_message_due(tx, NOW)
        (due,) = claim_due_messages(tx, "one", NOW, at(6), Room(count=10))
        assert (due.organization_id, due.was_claimed, due.message) == (ACME, False, message("a"))
        claim = due.next_claim("one")
        assert claim == MessageClaim(message_id="a", worker_id="one", attempt=1)
        extend_message_claims(tx, [claim], at(12))
        extend_message_claims(tx, [], at(99))
        assert claim_due_messages(tx, "two", at(11), at(20), Room(count=10)) == []
        (lost,) = claim_due_messages(tx, "two", at(12), at(20), Room(count=10))
        assert lost.was_claimed
        for held, is_held in ((claim, False), (lost.next_claim("two"), True)):
            settled = settle_message(
                tx, held, status=MessageStatus.SENT, due_at=at(13), sent_at=at(13)
            )
            assert settled is is_held
        ((_, told),) = select_messages(tx, ACME, "", None, None, 10)
        assert (told.status, told.attempts, told.sent_at) == (MessageStatus.SENT, 2, at(13))


def test_an_organization_has_so_many_messages_under_way_and_no_more(shared: Database) -> None:
    def claim(tx: Transaction, **under_way: int) -> list[tuple[str, str]]:
        room = Room(count=10, most_each=2, under_way=under_way)
        found = claim_due_messages(tx, "one", at(9), at(15), room)
        return [(due.organization_id, due.message.id) for due in found]

    with shared.writing() as tx:
        for number in range(5):
            add(tx, message(f"a{number}", number))
        add(tx, message("b", 8), OTHER)
        first = Room(count=10, most_each=1).choose(messages, messages.c.attempts == 0)
        assert sorted(tx.execute(select(messages.c.id).where(first)).scalars()) == ["a0", "b"]
        assert claim(tx) == [(ACME, "a0"), (ACME, "a1"), (OTHER, "b")]
        assert claim(tx, **{ACME: 2, OTHER: 1}) == []
        assert claim(tx, **{ACME: 1}) == [(ACME, "a2")]


def test_a_message_that_failed_is_due_later_and_not_for_ever(shared: Database) -> None:
    with shared.writing() as tx:
        add(tx, message("a"))
        (due,) = claim_due_messages(tx, "one", NOW, at(6), Room(count=10))
        waiting = MessageStatus.WAITING
        far = at(90_000)
        assert settle_message(tx, due.next_claim("one"), status=waiting, due_at=far, error="no")
        ((_, told),) = select_messages(tx, ACME, "", None, None, 10)
        assert told.last_error == "no"
        assert bring_messages_forward(tx, far, NOW) == 0
        assert bring_messages_forward(tx, far - timedelta(seconds=1), NOW) == 1
        (again,) = claim_due_messages(tx, "one", NOW, at(6), Room(count=10))
        assert not again.was_claimed


def test_what_waits_is_taken_back_unless_somebody_is_sending_it(shared: Database) -> None:
    with shared.writing() as tx:
        add(tx, message("a"))
        add(tx, message("b", 1))
        add(tx, message("c"), OTHER)
        claim_due_messages(tx, "one", NOW, at(6), Room(count=1))
        stops = ["rst-a", "rst-b", "rst-c"]
        assert suppress_waiting(tx, ACME, stops, Trigger.PLANNED, "no more") == 0
        assert suppress_waiting(tx, ACME, stops, Trigger.NEXT, "no more") == 1
        told = {one.stop_id: one for one in find_past_messages(tx, ACME, stops)}
        assert (told["rst-b"].status, told["rst-b"].reason) == (MessageStatus.SUPPRESSED, "no more")
        assert (told["rst-a"].status, told["rst-a"].epoch) == (MessageStatus.WAITING, 1)
        assert find_past_messages(tx, OTHER, stops)[0].status is MessageStatus.WAITING


def test_promises_are_kept_by_stop_and_route(shared: Database) -> None:
    one = Promise(stop_id="rst-1", route_id="rte-1", slips_at=at(60))
    two = Promise(stop_id="rst-2", route_id="rte-1", slips_at=at(90), slips=2)
    with shared.writing() as tx:
        save_promises(tx, ACME, [one, two])
        save_promises(tx, ACME, [])
        assert find_promises(tx, ACME, "rte-1") == {"rst-1": one, "rst-2": two}
        assert find_promises(tx, OTHER, "rte-1") == {}
        assert find_promises_of_stops(tx, ACME, ["rst-2", "rst-9"]) == [two]
        assert find_promises_of_stops(tx, ACME, []) == []
        assert find_promises_of_stops(tx, OTHER, ["rst-2"]) == []
        assert list_promised_routes(tx, at(60), NOW) == []
        assert list_promised_routes(tx, at(100), NOW) == [(ACME, "rte-1")]
        assert list_promised_routes_of(tx, ACME, at(60)) == []
        assert list_promised_routes_of(tx, ACME, at(100)) == ["rte-1"]
        assert list_promised_routes_of(tx, OTHER, at(100)) == []
        save_simulated_until(tx, ACME, at(10))
        assert list_promised_routes(tx, at(100), NOW) == []
        assert list_promised_routes(tx, at(100), at(10)) == [(ACME, "rte-1")]
        save_promises(tx, ACME, [one.slipped(at(70))])
        assert find_promises(tx, ACME, "rte-1")["rst-1"].slips == 1
        remove_promises(tx, ACME, ["rst-1"])
        remove_promises(tx, ACME, [])
        assert list_promised_routes(tx, at(9_000), at(10)) == []
        assert remove_old_promises(tx, OTHER, at(99), 10) == 0
        assert remove_old_promises(tx, ACME, at(99), 10) == 1


def test_a_recipient_who_declined_is_known_by_the_first_reason(shared: Database) -> None:
    with shared.writing() as tx:
        for reason in ("no mailbox", "declined"):
            suppress_recipient(tx, ACME, Channel.EMAIL, "hash", reason, NOW)
        assert find_suppression(tx, ACME, Channel.EMAIL, "hash") == "no mailbox"
        assert find_suppression(tx, ACME, Channel.SMS, "hash") == ""
        assert find_suppression(tx, OTHER, Channel.EMAIL, "hash") == ""


def test_suppressions_are_counted_and_lifted_by_recipient_or_reason(shared: Database) -> None:
    email = Channel.EMAIL
    with shared.writing() as tx:
        for owner, hash_, reason in (
            (ACME, "one", "no mailbox"),
            (ACME, "two", "no mailbox"),
            (ACME, "three", "declined"),
            (OTHER, "one", "no mailbox"),
        ):
            suppress_recipient(tx, owner, email, hash_, reason, NOW)
        declined = Suppression(channel=email, reason="declined", count=1)
        unknown = Suppression(channel=email, reason="no mailbox", count=2)
        assert count_suppressions(tx, ACME, None) == [declined, unknown]
        assert count_suppressions(tx, ACME, "three") == [declined]
        assert lift_suppression(tx, ACME, "three") == 1
        assert lift_suppression(tx, ACME, "three") == 0
        assert lift_suppressions_for(tx, ACME, "no mailbox") == 2
        assert count_suppressions(tx, ACME, None) == []
        assert find_suppression(tx, OTHER, email, "one") == "no mailbox"


def test_what_was_said_of_stops_on_a_route_is_listed_newest_first(shared: Database) -> None:
    with shared.writing() as tx:
        for number, id_ in enumerate(("msg-1", "msg-2", "msg-3")):
            add(tx, message(id_, number))
        add(tx, replace(message("msg-4"), route_id="rte-2"))
        add(tx, message("msg-5"), OTHER)
        stops = [f"rst-msg-{number}" for number in (1, 2, 4, 5)]
        (newest,) = select_route_messages(tx, ACME, "rte-1", stops, None, 1)
        older = select_route_messages(tx, ACME, "rte-1", stops, newest[0], 5)
    assert newest[1].id == "msg-2"
    assert [one.id for _, one in older] == ["msg-1"]
