"""Does what a worker does with plans that wait, in the thread of the test."""

from roundsman.app import KINDS
from roundsman.operations.job_runs import AttemptResult, claim_jobs, fail_job, run_job
from roundsman.operations.tools import Tools
from roundsman.storage.leases import LEASE


def run_waiting_jobs(tools: Tools) -> list[AttemptResult]:
    """Run every job that is due, one after the other; return how each attempt ended."""
    results = []
    while claimed := claim_jobs(tools, "worker", LEASE, room=1):
        for job in claimed:
            try:
                results.append(run_job(tools, KINDS, job))
            except Exception as error:  # noqa: BLE001 -- as a worker does
                results.append(fail_job(tools, job, error))
    return results
