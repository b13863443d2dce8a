"""Owners hear by e-mail that a webhook is, or soon will be, switched off."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from tests.notifications.post_office import PostOffice, open_post_office
from tests.webhooks.receiver import Receiver
from tests.workers.world import World

from roundsman.app import KINDS
from roundsman.domain.job import JOBS_KEPT_FOR, Job
from roundsman.domain.member import Member, MemberStatus
from roundsman.domain.organization import Language
from roundsman.domain.principal import Role
from roundsman.domain.queries import ListMessages, Query
from roundsman.notifications.email import Mail, MailServer
from roundsman.notifications.texts import OwnerFacts, write_owner_text
from roundsman.operations import webhook_subscriptions
from roundsman.operations.housekeeping import remove_outdated
from roundsman.operations.job_runs import AttemptResult, claim_jobs, fail_job, run_job
from roundsman.operations.messages import list_messages
from roundsman.operations.organizations import change_organization
from roundsman.operations.owner_letters import OwnerLetterKind
from roundsman.storage.jobs import count_jobs
from roundsman.storage.leases import LEASE
from roundsman.storage.members import insert_member, save_member

pytestmark = pytest.mark.both_databases

ANN, BEA = "ann@example.com", "bea@example.com"


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with open_post_office() as opened:
        yield opened


@pytest.fixture
def mailing(world: World, office: PostOffice) -> World:
    """The installation with a mail server, and an organization of two owners and others."""
    server = MailServer.parse(f"smtp://127.0.0.1:{office.port}")
    mail = Mail(server=server, sender="post@example.com", certificates=None)  # type: ignore[arg-type]  # not asked on this machine
    world.tools = replace(world.tools, mail=mail)
    add(world, ANN)
    add(world, BEA)
    add(world, "planner@example.com", role=Role.PLANNER)
    add(world, "invited@example.com", status=MemberStatus.INVITED)
    add(world, "left@example.com", status=MemberStatus.DEACTIVATED)
    return world


def add(
    world: World, email: str, role: Role = Role.OWNER, status: MemberStatus = MemberStatus.ACTIVE
) -> Member:
    member = Member(
        id=f"mem-{email}",
        email=email,
        name="",
        role=role,
        status=status,
        created_at=world.clock.now(),
    )
    with world.tools.database.writing() as tx:
        assert insert_member(tx, world.organization_id, member)
    return member


def claim(world: World) -> list[Job]:
    return claim_jobs(world.tools, world.tools.ids.new_uuid(), LEASE, room=9)


def run(world: World, job: Job) -> AttemptResult:
    try:
        return run_job(world.tools, KINDS, job)
    except Exception as error:  # noqa: BLE001 -- as a worker does
        return fail_job(world.tools, job, error)


def run_all(world: World) -> list[AttemptResult]:
    results = []
    while jobs := claim(world):
        results += [run(world, job) for job in jobs]
    return results


def exhaust(world: World) -> None:
    """Have an event dropped after all its attempts, in 33 hours."""
    world.happen()
    for _ in range(11):
        world.send()
        world.clock.advance(hours=3)


def recipients(office: PostOffice) -> list[str]:
    return sorted(letter["To"] for letter in office.letters)


def text_of(office: PostOffice, number: int = -1) -> str:
    body = office.letters[number].get_body(("plain",))
    assert body is not None
    content = body.get_content()
    assert isinstance(content, str)
    return content.replace("\r\n", "\n")


def count_waiting(world: World) -> int:
    with world.tools.database.reading() as tx:
        return sum(count_jobs(tx).values())


def test_each_active_owner_is_written_to_once_when_a_receiver_says_that_it_is_gone(
    mailing: World, receiver: Receiver, office: PostOffice
) -> None:
    webhook = mailing.subscribe(receiver.url("/status/410/X-Key=hush-hush"))
    mailing.happen()
    mailing.send()
    assert not mailing.is_active(webhook)
    assert run_all(mailing) == [AttemptResult.COMPLETED] * 2
    mailing.happen()
    mailing.send()
    assert run_all(mailing) == []
    assert recipients(office) == [ANN, BEA]
    text = text_of(office)
    assert "was switched off on Mon 1 Jul, 06:00 (UTC): 127.0.0.1 answered 410" in text
    assert "Events dropped since Mon 1 Jul, 06:00 (UTC) that can be sent again: 1." in text
    assert f"roundsman webhook activate {webhook}\n" in text
    assert f"roundsman webhook replay {webhook} --since 2024-07-01T06:00:00Z" in text
    whole = "".join(letter.as_string() for letter in office.letters)
    assert "hush" not in whole
    assert "/status" not in whole
    page = list_messages(mailing.tools, mailing.organization_id, Query(ListMessages(limit=9)))
    assert page.rows == ()


def test_owners_are_warned_once_of_an_outage_a_day_or_more_before_and_told_when_it_comes_true(
    mailing: World, receiver: Receiver, office: PostOffice
) -> None:
    webhook = mailing.subscribe(receiver.url("/status/500"))
    mailing.happen()
    for _ in range(2):
        exhaust(mailing)
        run_all(mailing)
    assert recipients(office) == [ANN, BEA]
    assert office.letters[0]["Subject"] == (
        "127.0.0.1 takes no events: the webhook will be switched off"
    )
    assert "has failed since Mon 1 Jul, 06:00 (UTC)" in text_of(office)
    assert "will be switched off on Sat 6 Jul, 06:00 (UTC) or soon after" in text_of(office)
    for _ in range(2):
        exhaust(mailing)
        run_all(mailing)
    assert not mailing.is_active(webhook)
    assert recipients(office) == [ANN, ANN, BEA, BEA]
    assert "has not answered with success for five days" in text_of(office)
    assert "that can be sent again: 4." in text_of(office)


def test_an_outage_that_is_over_or_a_webhook_that_is_on_again_is_not_written_about(
    mailing: World, receiver: Receiver, office: PostOffice
) -> None:
    mailing.subscribe(receiver.url("/status/500"))
    exhaust(mailing)
    assert count_waiting(mailing) == 2
    with mailing.tools.database.writing() as tx:
        tx.exec_driver_sql("UPDATE subscriptions SET body = replace(body, '/500', '/200')")
    mailing.happen()
    mailing.send()
    assert run_all(mailing) == [AttemptResult.COMPLETED] * 2
    gone = mailing.subscribe(receiver.url("/status/410"))
    mailing.happen()
    mailing.send()
    webhook_subscriptions.activate_subscription(mailing.tools, mailing.request, gone)
    assert run_all(mailing) == [AttemptResult.COMPLETED] * 2
    assert office.letters == []
    mailing.clock.advance(minutes=1)
    mailing.happen()
    mailing.send()
    run_all(mailing)
    assert recipients(office) == [ANN, BEA], "switched off again is written about again"


def test_who_is_no_owner_any_more_is_not_written_to_and_the_language_is_the_organizations(
    mailing: World, receiver: Receiver, office: PostOffice
) -> None:
    mailing.subscribe(receiver.url("/status/410"))
    mailing.happen()
    mailing.send()
    former = replace_role(mailing, BEA)
    with mailing.tools.database.writing() as tx:
        save_member(tx, mailing.organization_id, former)
    change_organization(mailing.tools, mailing.request, {"language": Language.GERMAN})
    run_all(mailing)
    assert recipients(office) == [ANN]
    assert "abgeschaltet" in text_of(office)


def replace_role(world: World, email: str) -> Member:
    return Member(
        id=f"mem-{email}",
        email=email,
        name="",
        role=Role.PLANNER,
        status=MemberStatus.ACTIVE,
        created_at=world.clock.now(),
    )


def test_without_mail_nothing_is_written(world: World, receiver: Receiver) -> None:
    add(world, ANN)
    webhook = world.subscribe(receiver.url("/status/410"))
    world.happen()
    world.send()
    assert not world.is_active(webhook)
    assert count_waiting(world) == 0


def test_of_workers_that_see_an_outage_at_once_each_owner_gets_one_letter(
    mailing: World, receiver: Receiver, office: PostOffice
) -> None:
    mailing.subscribe(receiver.url("/status/500"))
    exhaust(mailing)
    mailing.happen(20)
    mailing.send_at_once(4).shutdown()
    assert count_waiting(mailing) == 2
    run_all(mailing)
    mailing.subscribe(receiver.url("/status/410"))
    mailing.happen(20)
    mailing.send_at_once(4).shutdown()
    run_all(mailing)
    assert recipients(office) == [ANN, ANN, BEA, BEA]


def test_a_letter_that_the_server_cannot_take_now_is_sent_later(
    mailing: World, receiver: Receiver, office: PostOffice, capfd: pytest.CaptureFixture[str]
) -> None:
    mailing.subscribe(receiver.url("/status/410"))
    mailing.happen()
    mailing.send()
    office.refusals = {ANN: f"451 {ANN} is busy", BEA: f"550 no {BEA} here"}
    results = run_all(mailing)
    assert sorted(results) == [AttemptResult.COMPLETED, AttemptResult.RETRIED]
    assert office.letters == []
    office.refusals = {}
    mailing.clock.advance(seconds=15)
    run_all(mailing)
    assert recipients(office) == [ANN]
    written = "".join(capfd.readouterr())
    assert "@example.com" not in written
    assert "owner_letter_refused" in written


def test_a_letter_whose_worker_was_lost_comes_twice_at_most(
    world: World, receiver: Receiver, office: PostOffice, mailing: World
) -> None:
    with world.tools.database.writing() as tx:
        save_member(tx, world.organization_id, replace_role(world, BEA))
    mailing.subscribe(receiver.url("/status/410"))
    mailing.happen()
    mailing.send()
    waiting = claim(mailing)

    def lose_the_worker() -> None:
        """Let its lease end, and another worker take the job, before the letter is recorded."""
        mailing.clock.advance(seconds=LEASE.total_seconds() + 1)
        waiting.extend(claim(mailing))

    office.taken = lose_the_worker
    results = []
    while waiting:
        results.append(run(mailing, waiting.pop()))
    assert results == [AttemptResult.LOST, AttemptResult.LOST, AttemptResult.COMPLETED]
    assert recipients(office) == [ANN, ANN]
    assert office.letters[0]["Message-ID"] == office.letters[1]["Message-ID"]


def test_housekeeping_forgets_letters_that_were_sent(
    mailing: World, receiver: Receiver, office: PostOffice
) -> None:
    mailing.subscribe(receiver.url("/status/410"))
    mailing.happen()
    mailing.send()
    run_all(mailing)
    assert count_rows(mailing) == 2
    mailing.clock.advance(seconds=(JOBS_KEPT_FOR + timedelta(seconds=1)).total_seconds())
    remove_outdated(mailing.tools)
    assert count_rows(mailing) == 0
    assert recipients(office) == [ANN, BEA]


def count_rows(world: World) -> int:
    with world.tools.database.reading() as tx:
        return int(tx.exec_driver_sql("SELECT count(*) FROM jobs").scalar_one())


@pytest.mark.parametrize("language", Language)
def test_every_language_says_everything(language: Language) -> None:
    for kind in OwnerLetterKind:
        facts = OwnerFacts(
            organization="Acme {id}",
            id="sub-1",
            host="shop.example.com",
            since=datetime(2024, 7, 1, 6, tzinfo=UTC),
            at=datetime(2024, 7, 6, 22, tzinfo=UTC),
            count=17,
            starting="2024-07-01T05:59:59Z",
            days=30,
        )
        said = write_owner_text(language, kind, facts, ZoneInfo("Europe/Berlin"))
        assert "shop.example.com" in (said.subject or "")
        assert "Acme {id}" in said.text
        assert "00:00 (Europe/Berlin)" in said.text
        if kind is not OwnerLetterKind.STOREFRONT_PAUSED:
            assert "17" in said.text
            assert "08:00 (Europe/Berlin)" in said.text
