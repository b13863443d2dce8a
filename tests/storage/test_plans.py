from typing import Any

import pytest
from msgspec.structs import replace
from tests.storage.rows import ACME, HERE, NOW, OTHER, STRANGE, at

from roundsman.domain.day_to_plan import DayToPlan, StopToPlan, VehicleToPlan
from roundsman.domain.plan import Plan, PlanPhase, PlanProgress, PlanProposal, PlanStatus
from roundsman.domain.plan_draft import PlanShift
from roundsman.domain.unassigned_stop import UnassignedStop
from roundsman.domain.vehicle import VehicleCosts
from roundsman.storage.database import Database
from roundsman.storage.plans import (
    add_plan,
    count_plans,
    find_plan,
    is_plan_wanted,
    list_plan_names,
    load_plan_input,
    load_proposal,
    remove_expired_plans,
    remove_plan,
    report_plan_progress,
    request_plan_cancel,
    save_plan,
    save_proposal,
    select_plans,
)

pytestmark = pytest.mark.both_databases

GIVEN = DayToPlan(
    stops=(
        StopToPlan(
            imported_stop_id="ist-1",
            client_stop_id=STRANGE,
            updated_at=NOW,
            coordinates=HERE,
            loads={STRANGE[:40]: 0.125},
            unassigned_cost=10_000,
        ),
    ),
    vehicles=(
        VehicleToPlan(
            id="van",
            shift=PlanShift(start=NOW, end=at(3600)),
            capacities={"kilograms": 1_000_000_000},
            costs=VehicleCosts(fixed=0.1),
        ),
    ),
    moves=1,
    max_seconds=600,
    seed=0,
    priority_inversion_cost=5,
)


def plan(id_: str, seconds: float = 0, **changes: Any) -> Plan:
    return Plan(**{"id": id_, "name": STRANGE, "created_at": at(seconds), **changes})


@pytest.fixture
def plans(shared: Database) -> Database:
    """Plans `p0` to `p2` of one organization, a second apart, and `other` of another."""
    with shared.writing() as tx:
        for number in range(3):
            add_plan(tx, ACME, plan(f"p{number}", number), f"job-{number}", GIVEN)
        add_plan(tx, OTHER, plan("other"), "job-other", GIVEN)
    return shared


def test_a_plan_comes_back_as_it_was_kept(plans: Database) -> None:
    with plans.reading() as tx:
        found = find_plan(tx, ACME, "p1")
        assert found is not None
        assert (found.plan, found.job_id) == (plan("p1", 1), "job-1")
        assert load_plan_input(tx, "p1") == GIVEN
        assert load_proposal(tx, "p1") == PlanProposal()
        assert find_plan(tx, OTHER, "p1") is None
        assert find_plan(tx, ACME, "p9") is None


def test_progress_is_written_beside_the_plan(plans: Database) -> None:
    progress = PlanProgress(phase=PlanPhase.SEARCH, share=0.25, cost=1.5, improved_at=at(9))
    proposal = PlanProposal(unassigned=(UnassignedStop(imported_stop_id="ist-1", cost=1.0),))
    running = plan("p0").running(at(5))
    with plans.writing() as tx:
        save_plan(tx, running)
        report_plan_progress(tx, "p0", progress)
        assert save_proposal(tx, "p0", proposal) > 0
    with plans.reading() as tx:
        found = find_plan(tx, ACME, "p0")
        assert found is not None
        assert found.plan == replace(running, progress=progress)
        assert load_proposal(tx, "p0") == proposal


def test_a_plan_is_wanted_until_it_is_cancelled_or_gone(plans: Database) -> None:
    with plans.writing() as tx:
        assert is_plan_wanted(tx, "p0")
        request_plan_cancel(tx, "p0")
        assert not is_plan_wanted(tx, "p0")
        assert is_plan_wanted(tx, "p1")
        remove_plan(tx, "p1")
        assert not is_plan_wanted(tx, "p1")
        assert find_plan(tx, ACME, "p1") is None


def test_plans_are_listed_newest_first_by_status_and_counted(plans: Database) -> None:
    with plans.writing() as tx:
        save_plan(tx, plan("p1", 1).running(at(3)))
    with plans.reading() as tx:
        (first, newest), *_ = select_plans(tx, ACME, None, None, 1)
        assert newest.id == "p2"
        rest = [one.id for _, one in select_plans(tx, ACME, None, first, 9)]
        assert rest == ["p1", "p0"]
        queued = select_plans(tx, ACME, PlanStatus.QUEUED, None, 9)
        assert [one.id for _, one in queued] == ["p2", "p0"]
        assert count_plans(tx, ACME) == 3
        assert count_plans(tx, ACME, [PlanStatus.QUEUED]) == 2
        assert count_plans(tx, OTHER, [PlanStatus.RUNNING]) == 0
        assert list_plan_names(tx, ACME, at(1)) == [STRANGE, STRANGE]
        assert list_plan_names(tx, OTHER, at(1)) == []


def test_what_has_expired_is_removed_so_many_at_once(plans: Database) -> None:
    ended = [plan(f"p{number}").ended(PlanStatus.COMPLETED, NOW) for number in range(3)]
    with plans.writing() as tx:
        for one in ended[:2]:
            save_plan(tx, one)
        save_plan(tx, ended[2].applied())
        later = at(31 * 24 * 3600)
        assert remove_expired_plans(tx, ACME, at(0), 9) == 0
        assert remove_expired_plans(tx, ACME, later, 1) == 1
        assert remove_expired_plans(tx, ACME, later, 9) == 1
        assert [one.id for _, one in select_plans(tx, ACME, None, None, 9)] == ["p2"]
        assert remove_expired_plans(tx, OTHER, later, 9) == 0
