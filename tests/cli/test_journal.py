"""What drivers told and where they are signed in, on the command line."""

from pathlib import Path

import pytest
from tests.acceptance.test_driver import signed_up
from tests.acceptance.test_main_job import roundsman


@pytest.mark.full
def test_late_actions_and_devices_are_listed_beside_a_running_server(
    tmp_path: Path, database_url: str
) -> None:
    def run(*arguments: str) -> object:
        return roundsman(tmp_path, database_url, *arguments)

    with signed_up(tmp_path, database_url) as day:
        day.send(day.action("ROUTE_STARTED", "rte-gone"))
        slug = day.organization
        listed = run("journal", "list", "--organization", slug, "--outcome", "KEPT")
        assert isinstance(listed, dict)
        (action,) = listed["actions"]
        assert (action["reason"], action["driverId"]) == ("ROUTE_GONE", day.driver_id)
        assert listed["nextCursor"] == ""
        devices = run("driver", "sessions", day.driver_id)
        assert isinstance(devices, dict)
        (device,) = devices["sessions"]
        run("driver", "sign-out", day.driver_id, device["id"])
        with pytest.raises(AssertionError, match="session token is invalid"):
            day.get("/routes")
