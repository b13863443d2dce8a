"""Processes that send messages and can be killed, forked from one that has loaded everything."""

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_network
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from roundsman.app import make_message_delivery
from roundsman.domain.driver import DriverDraft
from roundsman.domain.errors import Unavailable
from roundsman.domain.event import Actor, stop_statuses_changed
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.message import Channel, Message, MessageRule, SmsGateway, Trigger
from roundsman.domain.model import UNSET
from roundsman.domain.principal import operator
from roundsman.domain.queries import ListMessages
from roundsman.domain.route_draft import RouteDraft
from roundsman.installation import make_registrar, make_tools
from roundsman.operations.driver_sessions import accept_invite
from roundsman.operations.drivers import add_driver
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.messages import change_message_settings, list_messages
from roundsman.operations.organizations import create_organization
from roundsman.operations.paging import list_all
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_route
from roundsman.operations.route_stops import add_stops
from roundsman.operations.routes import assign_driver, create_route, dispatch_route
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.storage.messages import bring_messages_forward
from roundsman.wire.reading import read_value
from roundsman.workers.runner import Workers

_LEASE = timedelta(seconds=1)
"""Short, so that what a killed process held is soon taken over."""

_LONGER_THAN_ANY_LEASE = timedelta(seconds=5)
_STOPS_A_ROUTE = 40
TOLD = (Trigger.PLANNED, Trigger.ON_THE_WAY)

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])


@contextmanager
def opened(url: str, folder: Path, mail_port: int) -> Iterator[Tools]:
    database = Database(url)
    tools = make_tools(_settings(url, folder, mail_port), database)
    try:
        yield tools
    finally:
        tools.close()
        database.close()


def _settings(url: str, folder: Path, mail_port: int) -> Settings:
    return Settings(
        data=folder,
        database_url=url,
        geocoder="builtin",
        roads="builtin",
        webhook_allow=(ip_network("127.0.0.0/8"),),
        smtp_url=f"smtp://127.0.0.1:{mail_port}",
        mail_from="Acme Foods <post@example.com>",
    )


def _work(url: str, folder: Path, mail_port: int) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    settings = _settings(url, folder, mail_port)
    with (
        opened(url, folder, mail_port) as tools,
        Workers(lambda: [make_message_delivery(settings, tools, _LEASE)]).running(),
    ):
        signal.sigwait({signal.SIGTERM})


def start_worker(url: str, folder: Path, mail_port: int) -> ForkServerProcess:
    worker = _processes.Process(target=_work, args=(url, folder, mail_port), daemon=True)
    worker.start()
    return worker


@dataclass(frozen=True)
class Shop:
    """An organization whose customers are told of each step by e-mail and text message."""

    tools: Tools
    request: Request
    routes: tuple[str, ...]

    @classmethod
    def open(cls, tools: Tools, gateway_port: int, stops: int, *, takes_key: bool) -> "Shop":
        made = create_organization(make_registrar(tools), "Farm shop", "UTC")
        request = Request(principal=operator(made.id))
        body = {"to": "{to}", "text": "{text}"} | ({"ref": "{id}"} if takes_key else {})
        rules = [
            MessageRule(moment=moment, channel=channel) for moment in TOLD for channel in Channel
        ]
        gateway = SmsGateway(url=f"http://127.0.0.1:{gateway_port}/", body=_as_template(body))
        change_message_settings(
            tools, request, {"message_rules": tuple(rules), "sms_gateway": gateway}
        )
        routes = [
            _make_route(tools, request, range(first, min(first + _STOPS_A_ROUTE, stops)))
            for first in range(0, stops, _STOPS_A_ROUTE)
        ]
        return cls(tools, request, tuple(routes))

    def dispatch(self) -> None:
        for route in self.routes:
            dispatch_route(self.tools, self.request, route, UNSET)

    def start(self) -> None:
        now = self.tools.clock.now()
        self._change(lambda route: route.started(now, now))

    def _change(self, change: Any) -> None:
        for route in self.routes:
            change_route(self.tools, self.request, route, change, happened=stop_statuses_changed)

    def messages(self) -> list[Message]:
        owner = self.request.organization_id
        return list_all(lambda query: list_messages(self.tools, owner, query), ListMessages())


def _as_template(body: dict[str, str]) -> str:
    fields = ", ".join(f'"{name}": "{value}"' for name, value in body.items())
    return f"{{{fields}}}"


def _make_route(tools: Tools, request: Request, numbers: range) -> str:
    invitation = add_driver(tools, request, DriverDraft(first_name="Dana"))
    accept_invite(tools, invitation.url.rpartition("/")[2], "phone", Actor())
    start = {"start": {"coordinates": {"latitude": 39.29, "longitude": -76.61}}}
    route = create_route(tools, request, read_value(start, RouteDraft)).route
    drafts = [read_value(_draft(number), StopDraft) for number in numbers]
    stops = import_stops(tools, request, drafts)
    add_stops(tools, request, route.id, [("importedStopId", stop.id) for stop in stops])
    assign_driver(tools, request, route.id, invitation.driver.id)
    return route.id


def _draft(number: int) -> dict[str, Any]:
    return {
        "coordinates": {"latitude": 39.29 + number / 10_000, "longitude": -76.61},
        "orderName": f"#{number}",
        "contact": {
            "firstName": "Ann",
            "email": f"customer-{number}@example.com",
            "phone": f"+1410555{number:04}",
        },
    }


def hurry_retries(tools: Tools) -> None:
    """Make due now what waits for its next try, and is not being tried."""
    # SQLite lets one write at a time: where the workers keep it busy, the next look hurries them.
    with suppress(Unavailable), tools.database.writing() as tx:
        now = tools.clock.now()
        bring_messages_forward(tx, now + _LONGER_THAN_ANY_LEASE, now)


def count_settled(tools: Tools) -> int:
    with tools.database.reading() as tx:
        query = "SELECT count(*) FROM messages WHERE status <> 'WAITING'"
        return int(tx.exec_driver_sql(query).scalar_one())
