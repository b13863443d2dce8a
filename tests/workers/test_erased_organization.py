"""An organization is erased while workers have its work in hand: it ends, and others' goes on."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from tests.webhooks.receiver import Receiver
from tests.workers.world import World

from roundsman.app import KINDS
from roundsman.domain.erasure import ErasureDraft
from roundsman.domain.principal import operator
from roundsman.installation import make_registrar
from roundsman.operations.driver_erasures import request_erasure
from roundsman.operations.job_runs import AttemptResult, claim_jobs, run_job
from roundsman.operations.organization_erasures import erase_organization
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.storage.tables import metadata

pytestmark = [pytest.mark.both_databases, pytest.mark.spec("decisions §17")]


def other_organization(world: World) -> World:
    made = create_organization(make_registrar(world.tools), "Other Goods", "UTC")
    return World(
        world.tools, world.clock, Request(principal=operator(made.id)), made.webhook_secret
    )


def tables_with(world: World, slug: str) -> list[str]:
    with world.tools.database.reading() as tx:
        return [
            table.name
            for table in metadata.sorted_tables
            if slug in str(tx.execute(table.select()).all())
        ]


def test_an_event_that_is_being_sent_is_forgotten_and_others_are_sent(
    world: World, receiver: Receiver
) -> None:
    other = other_organization(world)
    webhook = other.subscribe(receiver.url("/in"))
    world.subscribe(receiver.url("/held"))
    receiver.hold = True
    world.happen(2)
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(world.send)
        receiver.wait_until(lambda one: one.in_flight > 0)
        assert "events" in tables_with(world, world.organization_id)
        erase_organization(world.tools, world.organization_id)
        other.happen()
        receiver.release()
        sending.result()
    other.send()
    assert [one.state.value for one in other.deliveries(webhook)] == ["DELIVERED"]
    assert tables_with(world, world.organization_id) == []


def test_a_job_that_is_running_is_lost_and_writes_nothing(world: World) -> None:
    other = other_organization(world)
    for one in (world, other):
        one.happen()
        request_erasure(one.tools, one.request, ErasureDraft(phone="+14105550123"))
    jobs = claim_jobs(world.tools, "worker", timedelta(minutes=1), room=2)
    assert len(jobs) == 2
    erase_organization(world.tools, world.organization_id)
    results = {job.organization_id: run_job(world.tools, KINDS, job) for job in jobs}
    assert results == {
        world.organization_id: AttemptResult.LOST,
        other.organization_id: AttemptResult.COMPLETED,
    }
    assert tables_with(world, world.organization_id) == []
