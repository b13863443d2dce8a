"""A simulated day: whole, repeatable, and made through the driver's door."""

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.commands import run_json, run_on

from roundsman.app import KINDS
from roundsman.domain.address import Coordinates, Location
from roundsman.domain.driver import DriverDraft
from roundsman.domain.event import Actor
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.message import Channel, MessageRule, Trigger
from roundsman.domain.plan_draft import PlanDraft, PlanOptions, PlanShift, PlanStop, PlanVehicle
from roundsman.domain.principal import operator
from roundsman.installation import make_tools, open_database
from roundsman.operations.driver_sessions import accept_invite
from roundsman.operations.drivers import add_driver
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.job_runs import carry_out_job
from roundsman.operations.messages import change_message_settings
from roundsman.operations.plans import find_plan_job, request_plan
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.settings import Settings

SMALL = ("--stops", "16", "--vans", "2", "--speed", "0", "--date", "2026-11-20")
BROKEN = ("--stops", "24", "--vans", "3", *SMALL[4:], "--breakdown", "2@09:00")
SEARCHED = ("PLAN_COMPLETED", "PLAN_APPLIED")
"""What says how long a search took, which no seed decides."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DRAWN = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?<=attachments/)[\w-]+|simulated-day-[0-9a-f]{4}"
)


def organization(data: Path) -> str:
    return str(run_json(data, "organization", "create", "Acme Foods")["organization"])


def events(data: Path) -> list[tuple[str, datetime, Any]]:
    """Return the log, oldest first, with ids replaced by when they came up first."""
    database = open_database(Settings(data=data))
    with database.reading() as tx:
        rows = tx.exec_driver_sql(
            "SELECT topic, timestamp, actor, body FROM events JOIN event_payloads"
            " ON payload_id = event_payloads.id ORDER BY timestamp, events.rowid"
        ).all()
    database.close()
    seen: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        return seen.setdefault(match[0], f"<{len(seen)}>")

    return [
        (
            row.topic,
            EPOCH + timedelta(microseconds=row.timestamp),
            json.loads(DRAWN.sub(number, f"[{row.actor},{row.body}]")),
        )
        for row in rows
        if row.topic not in SEARCHED
    ]


def have_customers_told(data: Path, slug: str) -> None:
    """Have every moment told by e-mail."""
    database = open_database(Settings(data=data))
    tools = make_tools(Settings(data=data), database)
    rules = tuple(MessageRule(moment=one, channel=Channel.EMAIL) for one in Trigger)
    request = Request(principal=operator(slug))
    change_message_settings(tools, request, {"message_rules": rules})
    tools.close()
    database.close()


def told(data: Path) -> dict[str, list[str]]:
    """Return what each stop's customer was told, in the order in which it was written."""
    database = open_database(Settings(data=data))
    with database.reading() as tx:
        rows = tx.exec_driver_sql(
            "SELECT stop_id, moment FROM messages WHERE status <> 'SUPPRESSED'"
            " ORDER BY created_at, rowid"
        ).all()
    database.close()
    messages = defaultdict(list)
    for row in rows:
        messages[row.stop_id].append(row.moment)
    return messages


@dataclass(frozen=True)
class Played:
    """A day that was played, where, and what was printed of it."""

    data: Path
    said: Any

    def log(self) -> list[tuple[str, datetime, Any]]:
        return events(self.data)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    data = tmp_path_factory.mktemp("played")
    return Played(data, run_json(data, "simulate", "day", *SMALL, "--seed", "5"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play_broken(tmp_path_factory.mktemp("broken"))


def play_broken(data: Path) -> Played:
    """Play a day with a van that breaks down, and with customers who are told of everything."""
    slug = run_json(data, "organization", "create", "Simulated day")["organization"]
    have_customers_told(data, slug)
    mail = {"ROUNDSMAN_SMTP_URL": "smtp://127.0.0.1:9", "ROUNDSMAN_MAIL_FROM": "a@example.com"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in mail.items():
            patch.setenv(name, value)
        which = ("--organization", slug, *BROKEN, "--seed", "5")
        return Played(data, run_json(data, "simulate", "day", *which))


@pytest.mark.spec("decisions §16")
def test_the_same_seed_leaves_the_same_event_log(played: Played, tmp_path: Path) -> None:
    again = run_json(tmp_path / "again", "simulate", "day", *SMALL, "--seed", "5")
    assert again["happened"] == played.said["happened"]
    log = played.log()
    assert events(tmp_path / "again") == log
    topics = Counter(topic for topic, *_ in log)
    assert topics["ROUTE_STARTED"] == topics["ROUTE_COMPLETED"] == again["routes"] == 2
    assert topics["IMPORTED_STOP_CREATED"] == 16


def test_another_seed_is_another_day_around_the_given_start(played: Played, tmp_path: Path) -> None:
    around = ("--seed", "6", "--start", "49.41,8.69")
    run_json(tmp_path, "simulate", "day", *SMALL, *around)
    log = events(tmp_path)
    assert [one[:2] for one in log] != [one[:2] for one in played.log()]
    places = [one[1]["coordinates"] for topic, _, one in log if topic == "IMPORTED_STOP_CREATED"]
    assert len(places) == 16
    assert all(abs(one["latitude"] - 49.41) < 0.1 for one in places)
    assert all(abs(one["longitude"] - 8.69) < 0.15 for one in places)


def test_every_action_of_every_driver_has_arrived_by_the_evening(played: Played) -> None:
    day, log = played.said, played.log()
    happened = day["happened"]
    assert day["isWhole"]
    assert (day["actionsMissing"], day["actionsWithoutEffect"]) == (0, 0)
    assert happened["delivered"] + happened.get("attempted", 0) == day["stops"] == 16
    assert day["actions"] > 2 * day["stops"]
    done = [one for topic, _, one in log if topic == "ROUTE_COMPLETED"]
    assert all(actor["driverId"] for actor, _ in done)
    stops = [stop for _, route in done for stop in route["stops"]]
    assert {stop["deliveryStatus"] for stop in stops} <= {"DELIVERED", "ATTEMPTED_DELIVERY"}
    assert any(stop["proofOfDeliveryPhotos"] for stop in stops)


def test_events_have_the_day_s_own_times(played: Played) -> None:
    times = [at for _, at, _ in played.log()]
    began = datetime(2026, 11, 20, 12, tzinfo=UTC)  # 07:00 in Baltimore
    assert played.said["beganAt"] == "2026-11-20T12:00:00Z"
    assert began <= times[0] <= times[-1] < began + timedelta(hours=15)


def test_driving_takes_longer_on_a_slow_day(played: Played, tmp_path: Path) -> None:
    run_json(tmp_path, "simulate", "day", *SMALL, "--seed", "5", "--pace", "1.6")
    assert 1.4 < driving_back(events(tmp_path)) / driving_back(played.log()) < 1.8
    wrong = run_on(tmp_path, "simulate", "day", *SMALL, "--pace", "9")
    assert wrong.returncode == 2
    assert "--pace" in wrong.stderr


def driving_back(log: list[tuple[str, datetime, Any]]) -> float:
    """Return how many seconds all vans drive from their last stop to the end."""
    seconds = 0.0
    for topic, at, (_, route) in log:
        if topic == "ROUTE_COMPLETED":
            done = max(datetime.fromisoformat(stop["updatedArrival"]) for stop in route["stops"])
            seconds += (at - done).total_seconds()
    return seconds


def test_what_happens_is_told_and_where_to_look(tmp_path: Path) -> None:
    few = ("--stops", "3", "--vans", "1", "--speed", "0", "--date", "2026-11-20")
    done = run_on(tmp_path, "simulate", "day", *few)
    assert done.returncode == 0, done.stderr
    assert "1 route is dispatched, 0 stops stay out" in done.stdout
    assert "Simulated van 1: delivered (1)" in done.stdout
    assert "Simulated van 1 is back" in done.stdout
    assert "/console#/day/2026-11-20" in done.stdout


def test_other_vans_take_over_the_stops_of_one_that_breaks_down(broken: Played) -> None:
    day, log = broken.said, broken.log()
    happened = day["happened"]
    assert happened["breakdowns"] == 1
    assert happened["taken over"] >= 3
    assert "left behind" not in happened
    assert (day["isWhole"], day["actionsMissing"]) == (True, 0)
    assert happened["delivered"] + happened.get("attempted", 0) == day["stops"] == 24
    done = [route for topic, _, (_, route) in log if topic == "ROUTE_COMPLETED"]
    assert len(done) == day["routes"] == 3, "the van that broke down is towed home"
    stops = [stop for route in done for stop in route["stops"]]
    assert len(stops) == len({stop["id"] for stop in stops}) == 24
    assert {stop["deliveryStatus"] for stop in stops} <= {"DELIVERED", "ATTEMPTED_DELIVERY"}
    imported = [one["id"] for topic, _, (_, one) in log if topic == "IMPORTED_STOP_CREATED"]
    assert sorted(stop["importedStopId"] for stop in stops) == sorted(imported)


def test_customers_of_a_van_that_breaks_down_are_told_nothing_that_contradicts(
    broken: Played,
) -> None:
    messages = told(broken.data)
    assert len(messages) == 24
    order = ["PLANNED", "ON_THE_WAY", "NEXT", "DELIVERED"]
    for moments in messages.values():
        assert len(moments) == len(set(moments)) <= 4
        on_the_way = [one for one in moments if one != "SLIPPED"]
        ends = [one for one in moments if one in {"DELIVERED", "ATTEMPTED"}]
        assert ends in (["DELIVERED"], ["ATTEMPTED"], ["ATTEMPTED", "DELIVERED"], [])
        assert moments[len(moments) - len(ends) :] == ends, "nothing comes behind the end"
        ahead = on_the_way[: len(on_the_way) - len(ends)]
        assert ahead == sorted(ahead, key=order.index)


@pytest.mark.spec("decisions §16")
def test_a_day_with_a_breakdown_is_the_same_for_the_same_seed(
    broken: Played, tmp_path: Path
) -> None:
    again = play_broken(tmp_path / "again")
    assert again.said["happened"] == broken.said["happened"]
    assert again.log() == broken.log()
    assert sorted(told(again.data).values()) == sorted(told(broken.data).values())


def test_a_breakdown_that_cannot_be_is_refused(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    which = ("simulate", "day", "--organization", slug, *SMALL)
    wrong = run_on(tmp_path, *which, "--breakdown", "noon")
    assert wrong.returncode == 2
    assert "must be VAN@HH:MM" in wrong.stderr
    unknown = run_on(tmp_path, *which, "--breakdown", "9@10:00")
    assert unknown.returncode == 2
    assert "no Simulated van 9; there are: Simulated van 1" in unknown.stderr
    assert events(tmp_path) == [], "refused before anything is made"
    early = run_on(tmp_path, *which, "--breakdown", "1@06:00")
    assert early.returncode == 1
    assert "let it break down" in early.stderr


def test_a_day_that_is_to_come_is_refused(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    done = run_on(tmp_path, "simulate", "day", "--organization", slug, *SMALL[:-1], "2099-01-01")
    assert done.returncode == 1
    assert "2099-01-01 has not begun" in done.stderr
    nobody = run_on(tmp_path, "simulate", "day", *SMALL[:-1], "2099-01-01")
    assert nobody.returncode == 1
    listed = run_json(tmp_path, "organization", "list")["organizations"]
    assert [one["organization"] for one in listed] == [slug]
    unknown = run_on(tmp_path, "simulate", "day", "--organization", slug, "--plan", "pln-unknown")
    assert unknown.returncode == 1
    assert "plan not found" in unknown.stderr
    assert events(tmp_path) == []


def test_an_organization_whose_drivers_are_people_is_refused(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    settings = Settings(data=tmp_path)
    database = open_database(settings)
    tools = make_tools(settings, database)
    request = Request(principal=operator(slug))
    invitation = add_driver(tools, request, DriverDraft(first_name="Dana"))
    accept_invite(tools, invitation.url.rpartition("/")[2], "Dana's phone", Actor())
    tools.close()
    database.close()
    count = len(events(tmp_path))
    done = run_on(tmp_path, "simulate", "day", "--organization", slug, *SMALL)
    assert done.returncode == 1
    assert "--force" in done.stderr
    assert len(events(tmp_path)) == count


@pytest.mark.spec("decisions §16")
def test_the_routes_of_a_plan_are_driven(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    settings = Settings(data=tmp_path)
    database = open_database(settings)
    tools = make_tools(settings, database)
    request = Request(principal=operator(slug))
    plan_id = make_plan(tools, request, datetime(2026, 11, 20, 13, tzinfo=UTC))
    tools.close()
    database.close()
    which = ("--organization", slug, "--plan", plan_id, "--speed", "0")
    day = run_json(tmp_path, "simulate", "day", *which)
    assert (day["routes"], day["stops"], day["actionsMissing"]) == (1, 3, 0)
    topics = Counter(topic for topic, *_ in events(tmp_path))
    assert topics["ROUTE_COMPLETED"] == 1


def make_plan(tools: Tools, request: Request, leaves: datetime) -> str:
    """Have three stops planned onto one van; return the plan's id."""
    places = [Coordinates(latitude=39.29, longitude=-76.61 + step / 100) for step in range(3)]
    stops = import_stops(tools, request, [StopDraft(coordinates=place) for place in places])
    depot = Location(coordinates=places[0])
    shift = PlanShift(start=leaves, end=leaves + timedelta(hours=8))
    asked = PlanDraft(
        stops=tuple(PlanStop(imported_stop_id=one.id) for one in stops),
        vehicles=(PlanVehicle(id="van", start=depot, end=depot, shift=shift),),
        options=PlanOptions(moves=100),
    )
    plan_id = request_plan(tools, request, asked).id
    job_id = find_plan_job(tools, request.organization_id, plan_id)
    carry_out_job(tools, KINDS, request.organization_id, job_id, timedelta(minutes=10))
    return plan_id
