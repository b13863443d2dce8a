"""The stream of changes: in order, from everywhere, and after a break from where it broke off."""

import json
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from tests.api.conftest import World
from tests.support.streaming import Client, serving, sign_in

from roundsman.app import make_application
from roundsman.domain.change import Change, ObjectKind
from roundsman.kit.signal import Signal
from roundsman.settings import Settings
from roundsman.storage.changes import add_changes, remove_old_changes

START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


@dataclass
class Followed:
    """A server on the world's database that nobody wakes, as another process is not."""

    address: tuple[str, int]
    token: str

    def follow(self, after: str = "", **headers: str) -> Client:
        path = "/api/2024-07/changes" + (f"?after={after}" if after else "")
        return Client(self.address, path, self.token, **headers)


@contextmanager
def followed(world: World) -> Iterator[Followed]:
    other = replace(world.tools, change_signal=Signal())
    with serving(make_application(Settings(), other)) as served:
        yield Followed(served.address, sign_in(world)[1])


def read(client: Client, count: int) -> list[tuple[str, Any]]:
    """Return ids and data of the next events, all of which are changes."""
    found = []
    for _ in range(count):
        name, id_, data = client.event().decode().splitlines()[:3]
        assert name == "event: change"
        found.append((id_.removeprefix("id: "), json.loads(data.removeprefix("data: "))))
    return found


@pytest.mark.both_databases
@pytest.mark.spec("decisions §14")
def test_every_committed_change_is_told_in_order_and_after_a_break_from_there(world: World) -> None:
    with followed(world) as server:
        world.client.post("/vehicles", {"name": "before"})
        with server.follow() as client:
            assert client.status == 200
            vehicle = world.client.post("/vehicles", {"name": "Van"}).json()["id"]
            world.stranger.post("/vehicles", {"name": "theirs"})
            imported = [{**START, "clientStopId": "a"}, {**START, "clientStopId": "b"}]
            answer = world.client.post("/stops/imports", imported).json()
            stops = [stop["id"] for stop in answer["stops"]]
            route = world.client.post("/routes", {"start": START}).json()["id"]
            world.client.post(f"/routes/{route}/stops", [{"clientStopId": "a"}])
            ready = world.client.post(f"/routes/{route}/ready", {}).json()
            refused = world.client.post("/routes", {"start": {}})
            assert refused.status_code == 400
            driver = world.client.post("/drivers", {"firstName": "Dana"}).json()["driver"]["id"]
            world.client.send("DELETE", f"/stops/imports/{stops[1]}")
            at_route = {"kind": "ROUTE", "id": route}
            on_stop = {"kind": "STOP", "id": ready["stops"][0]["id"], "routeId": route}
            of_stop = {"kind": "IMPORTED_STOP"}
            told = [
                {"kind": "VEHICLE", "id": vehicle},
                *({**of_stop, "id": id_, "topic": "IMPORTED_STOP_CREATED"} for id_ in stops),
                {**at_route, "version": 1, "topic": "ROUTE_CREATED"},
                {**at_route, "version": 2, "topic": "ROUTE_UPDATED"},
                {**at_route, "version": 3},
                {**on_stop, "version": 3, "topic": "STOP_STATUS_UPDATED"},
                {"kind": "DRIVER", "id": driver},
                {**of_stop, "id": stops[1], "topic": "IMPORTED_STOP_DELETED"},
            ]
            found = read(client, len(told))
            assert [change for _, change in found] == told
            ids = [id_ for id_, _ in found]
            assert len(set(ids)) == len(ids)
        world.client.post("/vehicles", {"name": "meanwhile"})
        for place in (0, 5, len(ids) - 1):
            for client in (
                server.follow(ids[place]),
                server.follow(ids[0], **{"Last-Event-ID": ids[place]}),
            ):
                with client:
                    rest = read(client, len(told) - place)
                assert [change for _, change in rest[:-1]] == told[place + 1 :]
                assert rest[-1][1]["kind"] == "VEHICLE"


@pytest.mark.spec("decisions §22")
def test_a_cursor_that_is_not_of_this_stream_is_refused_by_name(world: World) -> None:
    with followed(world) as server:
        with server.follow() as client:
            world.client.post("/vehicles", {"name": "Van"})
            world.client.post("/vehicles", {"name": "Car"})
            [(first, _), (mine, _)] = read(client, 2)
        [page] = [world.client.get("/vehicles?query.limit=1").json()["nextCursor"]]
        stranger = Followed(server.address, world.stranger.headers["Authorization"].split()[1])
        tried = [
            (server, "nonsense", {}, "after"),
            (server, mine[:-1], {}, "after"),
            (server, page, {}, "after"),
            (server, mine, {"Last-Event-ID": "1"}, "Last-Event-ID"),
            (stranger, mine, {}, "after"),
        ]
        for who, after, headers, field in tried:
            assert refused(who.follow(after, **headers)) == field
        with world.tools.database.writing() as tx:
            slug = world.credentials.organization_id
            add_changes(tx, slug, [Change(kind=ObjectKind.VEHICLE, id="v")], world.clock.now())
            removed = remove_old_changes(tx, slug, world.clock.now() + timedelta(days=1), 9)
        assert removed == 2
        assert refused(server.follow(first)) == "after"
        with server.follow(mine) as client:
            assert read(client, 1)[0][1]["id"] == "v"


def refused(client: Client) -> str:
    """Return the field that a refusal names."""
    with client:
        answer = client.json()
    assert (client.status, answer["code"]) == (400, 3)
    return str(answer["details"][0]["fieldViolations"][0]["field"])


@pytest.mark.both_databases
@pytest.mark.spec("decisions §14")
def test_through_breaks_at_random_nothing_is_lost_or_told_twice(world: World) -> None:
    """Planners change at once, and the one who follows loses the connection again and again."""
    changes, breaks, planners = 80, 12, 4
    chance = random.Random(7)  # noqa: S311 -- which moments, not secrets
    with followed(world) as server:
        with server.follow() as client:
            world.client.post("/vehicles", {"name": "first"})
            [(last, _)] = read(client, 1)

        def plan(name: str) -> None:
            for number in range(changes // planners):
                made = world.client.post("/vehicles", {"name": f"{name}-{number}"})
                assert made.status_code == 200

        threads = [threading.Thread(target=plan, args=(f"p{one}",)) for one in range(planners)]
        for thread in threads:
            thread.start()
        ids: list[str] = []
        for stretch in range(breaks):
            rest = changes - len(ids)
            count = chance.randint(0, rest // 3) if stretch < breaks - 1 else rest
            with server.follow(last) as client:
                found = read(client, count)
            ids += [change["id"] for _, change in found]
            last = found[-1][0] if found else last
        for thread in threads:
            thread.join()
        listed = world.client.get("/vehicles?query.limit=200").json()["vehicles"]
        assert len(ids) == len(set(ids)) == changes
        assert set(ids) == {one["id"] for one in listed if one["name"] != "first"}
