"""The fleet, made on the command line, seen through the interface of a running server."""

from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.test_main_job import roundsman, serving
from tests.acceptance.under_fire.battle import open_client


@pytest.mark.full
@pytest.mark.spec("decisions §11")
def test_what_the_command_line_makes_a_running_server_shows(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDSMAN_WEBHOOK_ALLOW", "127.0.0.0/8")

    def run(*arguments: str) -> Any:
        return roundsman(tmp_path, database_url, *arguments)

    slug = ("--organization", run("organization", "create", "Acme Foods")["organization"])
    key = run("credentials", "create", *slug, "--email", "dev@example.com")
    person = ("--first-name", "Dana", "--last-name", "Driver", "--phone", "+14105550123")
    with (
        serving(tmp_path, database_url) as address,
        open_client(base_url=f"{address}/api/2024-07") as http,
    ):
        vehicle = run("vehicle", "add", *slug, "--name", "Van 1")
        driver = run("driver", "invite", *slug, *person)["driver"]
        active = run("driver", "activate", driver["id"])
        secret = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
        token = http.post("/authenticate", json=secret).json()["accessToken"]
        http.headers["Authorization"] = f"Bearer {token}"
        assert http.get("/vehicles").json()["vehicles"] == [vehicle]
        assert http.get("/drivers").json()["drivers"] == [active]
        (event,) = http.get("/events").json()["events"]
        assert (event["topic"], event["user"]) == ("DRIVER_ACTIVATED", {})
        assert event["payload"] == active
        invited = http.post("/drivers", json={"firstName": "Ann"}).json()
        assert invited["inviteUrl"].startswith(f"{address}/driver/invite/")
        allowed = {"url": "http://127.0.0.1:9/in", "topics": ["TEST"]}
        assert http.post("/webhooks", json=allowed).status_code == 200
        private = {"url": "https://10.0.0.1/in", "topics": ["TEST"]}
        assert http.post("/webhooks", json=private).json()["code"] == 3
