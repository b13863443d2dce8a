"""Processes that visit shops and can be killed, forked from a server that has loaded everything."""

import multiprocessing
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_network
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from sqlalchemy import update
from tests.storefronts.served_shop import open_served

from roundsman.domain.principal import operator
from roundsman.domain.storefront import ReportStatus
from roundsman.installation import make_registrar, make_tools
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.storage.storefront_tables import storefront_reports
from roundsman.storage.storefronts import bring_visits_forward
from roundsman.workers.runner import Workers
from roundsman.workers.storefront_visits import StorefrontVisits

_IS_WAITING = storefront_reports.c.status == ReportStatus.WAITING.value

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])


@contextmanager
def opened(url: str, folder: Path, *, is_served: bool = True) -> Iterator[Tools]:
    """Open the service; a served shop is spoken to as `tests.storefronts.served_shop` does."""
    settings = Settings(
        data=folder,
        database_url=url,
        geocoder="builtin",
        roads="builtin",
        webhook_allow=(ip_network("127.0.0.0/8"),),
    )
    database = Database(url)
    tools = make_tools(settings, database)
    if is_served:
        tools = replace(tools, open_storefront=open_served)
    try:
        yield tools
    finally:
        tools.close()
        database.close()


def _work(url: str, folder: Path, is_served: bool) -> None:  # noqa: FBT001 -- a process's
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    with (
        opened(url, folder, is_served=is_served) as tools,
        Workers(lambda: [StorefrontVisits(tools, lambda id_: f"http://here.test/{id_}")]).running(),
    ):
        signal.sigwait({signal.SIGTERM})


def start_worker(url: str, folder: Path, *, is_served: bool = True) -> ForkServerProcess:
    worker = _processes.Process(target=_work, args=(url, folder, is_served), daemon=True)
    worker.start()
    return worker


def let_claims_run_out(tools: Tools) -> None:
    """Make due now what those who were killed held or put off, as some time would.

    Nobody who lives may hold anything. That a claim and a delay end is held where a test has the
    clock in its hand: in `tests/storage/test_storefronts.py` and `tests/api/test_storefronts.py`.
    """
    with tools.database.writing() as tx:
        now = tools.clock.now()
        bring_visits_forward(tx, now, now)
        tx.execute(update(storefront_reports).where(_IS_WAITING).values(due_at=now))


def make_request(tools: Tools) -> Request:
    made = create_organization(make_registrar(tools), "Farm shop", "UTC")
    return Request(principal=operator(made.id))


def count_orders(tools: Tools) -> int:
    with tools.database.reading() as tx:
        return int(tx.exec_driver_sql("SELECT count(*) FROM store_orders").scalar_one())


def count_reports(tools: Tools) -> Counter[str]:
    with tools.database.reading() as tx:
        return Counter(tx.exec_driver_sql("SELECT status FROM storefront_reports").scalars())


def list_order_ids(tools: Tools) -> list[str]:
    with tools.database.reading() as tx:
        return list(tx.exec_driver_sql("SELECT id FROM store_orders ORDER BY 1").scalars())
