"""Real roads under a running service, whose engine is killed and whose map appears on the way."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests.acceptance.test_main_job import read_address, roundsman
from tests.roads.conftest import hold
from tests.roads.town import place, write_town
from tests.support import commands
from tests.support.commands import COMMAND, CommandProcess

from roundsman.kit.http import HttpClient
from roundsman.roads.engine_process import EngineProcess
from roundsman.roads.installed_maps import list_maps

pytestmark = pytest.mark.full

ESTIMATED = "Roundsman-Estimated"
STOPS = 30


@contextmanager
def serving(data: Path, roads: str = "osm") -> Iterator[tuple[str, int]]:
    process = CommandProcess(
        [*COMMAND, "serve", "--port", "0", "--data", str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "ROUNDSMAN_ROADS": roads},
    )
    try:
        yield read_address(process), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
    assert process.returncode == 0, log
    told = re.sub(r'"timestamp":"[^"]*"', "", log)  # a second has fractions too
    assert not re.search(r"47\.0\d|8\.0\d", told), "coordinates in the log"


@contextmanager
def client_of(data: Path, address: str) -> Iterator[httpx.Client]:
    url = f"sqlite:///{data / 'roundsman.db'}"
    slug = roundsman(data, url, "organization", "create", "Acme Foods")["organization"]
    email = ("--email", "dev@example.com")
    key = roundsman(data, url, "credentials", "create", "--organization", slug, *email)
    with httpx.Client(base_url=f"{address}/api/2024-07", timeout=60) as http:
        secret = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
        token = http.post("/authenticate", json=secret).json()["accessToken"]
        http.headers["Authorization"] = f"Bearer {token}"
        yield http


def coordinates(row: float, column: float) -> dict[str, float]:
    point = place(row, column)
    return {"latitude": point.latitude, "longitude": point.longitude}


def make_route(http: httpx.Client) -> str:
    stops = [{"coordinates": coordinates(n % 12, (5 * n) % 12 + 0.5)} for n in range(STOPS)]
    imported = http.post("/stops/imports", json=stops).json()["stops"]
    start = {"start": {"coordinates": coordinates(0, 0)}, "scheduledFor": "2024-07-02T08:00:00Z"}
    route = f"/routes/{http.post('/routes', json=start).json()['id']}"
    added = http.post(f"{route}/stops", json=[{"importedStopId": one["id"]} for one in imported])
    assert added.status_code == 200, added.text
    return route


def reoptimize_anew(http: httpx.Client, route: str, number: int) -> httpx.Response:
    """Order a route from another start, so that nothing about it is known."""
    body: Any = {
        "location": {"coordinates": coordinates(number / 100, 1)},
        "updateMask": "coordinates",
    }
    assert http.patch(f"{route}/start/location", json=body).status_code == 200
    return http.post(f"{route}/reoptimize", json={})


def engines_of(server: int) -> list[int]:
    files = Path(f"/proc/{server}/task").glob("*/children")
    children = [pid for file in files for pid in file.read_text().split()]
    return [
        int(pid)
        for pid in children
        if Path(f"/proc/{pid}/comm").read_text().strip() == "osrm-routed"
    ]


@pytest.mark.spec("design, Roads")
def test_a_running_service_goes_over_to_a_map_and_survives_its_engine(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    extract = write_town(tmp_path / "town.osm.pbf")
    with serving(tmp_path) as (address, server), client_of(tmp_path, address) as http:
        route = make_route(http)
        assert reoptimize_anew(http, route, 0).headers[ESTIMATED] == "true"
        assert http.get(route).headers[ESTIMATED] == "true"
        roundsman(tmp_path, url, "map", "import", str(extract))
        numbers = iter(range(1, 10_000))

        def is_on_roads() -> bool:
            response = reoptimize_anew(http, route, next(numbers))
            assert response.status_code == 200, response.text
            return ESTIMATED not in response.headers

        assert hold(is_on_roads)
        assert ESTIMATED not in http.get(route).headers
        (engine,) = engines_of(server)
        os.kill(engine, signal.SIGKILL)
        assert reoptimize_anew(http, route, next(numbers)).status_code == 200
        assert hold(is_on_roads)
        (again,) = engines_of(server)
        assert again != engine
    assert not Path(f"/proc/{again}").exists()


@pytest.mark.parametrize(
    ("setting", "named"),
    [
        ("google", "must be one of: builtin, osm, osrm:URL, valhalla:URL"),
        ("osrm:", "must be one of"),
        ("osrm:ftp://x", "must be an http:// or https:// address"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_line(
    tmp_path: Path, setting: str, named: str
) -> None:
    done = commands.run(
        [*COMMAND, "serve", "--port", "0", "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "ROUNDSMAN_ROADS": setting},
    )
    assert done.returncode == 2
    assert f'ROUNDSMAN_ROADS is "{setting}" but {named}' in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_plan_on_an_imported_map_is_drawn_along_its_roads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    roundsman(tmp_path, url, "map", "import", str(write_town(tmp_path / "town.osm.pbf")))
    rows = [f"s{n},{place(n, 3.5).latitude},{place(n, 3.5).longitude}" for n in range(8)]
    sheet = tmp_path / "stops.csv"
    sheet.write_text("\n".join(["name,latitude,longitude", *rows]))
    drawn = tmp_path / "map.html"
    start = place(0, 8)
    options = ("--start", f"{start.latitude},{start.longitude}", "--map", str(drawn))
    plan = roundsman(tmp_path, url, "plan", str(sheet), *options)
    assert plan["estimated"] is False
    page = drawn.read_text()
    assert "© OpenStreetMap contributors" in page
    assert '"estimated":false' in page
    assert page.count("],[") > 20
    monkeypatch.setenv("ROUNDSMAN_ROADS", "builtin")
    assert roundsman(tmp_path, url, "plan", str(sheet), *options)["estimated"] is True


def test_an_operators_server_is_asked_instead(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    roundsman(tmp_path, url, "map", "import", str(write_town(tmp_path / "town.osm.pbf")))
    (installed,) = list_maps(tmp_path / "maps")
    probe = HttpClient("test")
    with closing(probe), stopping(EngineProcess(installed.graph)) as engine:
        assert hold(lambda: engine.answers(probe))
        with serving(tmp_path, f"osrm:{engine.address}/") as (address, server):
            with client_of(tmp_path, address) as http:
                route = make_route(http)
                assert ESTIMATED not in reoptimize_anew(http, route, 0).headers
            assert engines_of(server) == []


@contextmanager
def stopping(engine: EngineProcess) -> Iterator[EngineProcess]:
    try:
        yield engine
    finally:
        engine.stop()
