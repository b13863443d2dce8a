"""The command line as decisions §11 and §12 promise it, run as processes of their own."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.contract.installation import BASE, Client, Installation

HEADERS = {
    "order": "Order Name",
    "address1": "Address_1",
    "city": "CITY",
    "provinceCode": "state",
    "country": "Country",
    "timeWindows": "time windows",
    "duration": "Duration",
    "priority": "priority",
    "quantity": "Quantity",
    "grams": "grams",
    "phone": "Phone",
    "note": "note",
}


def plan(installation: Installation, sheet: str, tmp_path: Path, *options: str) -> Any:
    path = tmp_path / "stops.csv"
    path.write_text(sheet, encoding="utf-8")
    arguments = [str(path), "--start", "39.29,-76.61", "--json", *options]
    result = installation.try_plan(*arguments)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.spec("decisions §11")
def test_credentials_and_organizations_print_what_was_made(installation: Installation) -> None:
    made = installation.spawn("organization", "create", "Müller & Söhne", "--json")
    assert made.returncode == 0, made.stderr
    body = json.loads(made.stdout)
    assert set(body) == {"organization", "name", "timezone", "webhookSecret"}
    assert re.fullmatch(r"[a-z0-9-]+-[0-9a-f]{4}", body["organization"])
    assert body["name"] == "Müller & Söhne"
    zoned = installation.run("organization", "create", "B", "--timezone", "Europe/Berlin")
    assert zoned["timezone"] == "Europe/Berlin"
    bad = installation.try_run("organization", "create", "B", "--timezone", "Mars/Olympus")
    assert bad.exit_code != 0
    slug = body["organization"]
    key = installation.run("credentials", "create", "--organization", slug, "--email", "a@b.co")
    assert set(key) == {"clientId", "clientSecret", "organization"}
    assert key["organization"] == slug
    unknown = ("credentials", "create", "--organization", "no-such", "--email", "a@b.co")
    assert installation.try_run(*unknown).exit_code != 0


@pytest.mark.spec("decisions §3")
def test_the_slug_is_the_name_and_four_hex_digits(installation: Installation) -> None:
    slug = installation.new_organization("Acme Foods")["organization"]
    assert re.fullmatch(r"acme-foods-[0-9a-f]{4}", slug)


@pytest.mark.spec("decisions §11")
def test_a_fleet_made_on_the_command_line_is_served(
    installation: Installation, client: Client
) -> None:
    slug = ("--organization", client.organization)
    vehicle = installation.run("vehicle", "add", *slug, "--name", "Van 1")
    assert client.get(f"/vehicles/{vehicle['id']}") == vehicle
    person = ("--first-name", "Dana", "--last-name", "Diaz", "--phone", "+14105550123")
    invited = installation.run("driver", "invite", *slug, *person)
    assert set(invited) == {"driver", "inviteUrl"}
    driver = invited["driver"]
    assert driver["status"] == "PENDING"
    assert client.get(f"/drivers/{driver['id']}") == driver
    for verb, status in (
        ("activate", "ACTIVE"),
        ("deactivate", "DEACTIVATED"),
        ("archive", "ARCHIVED"),
    ):
        installation.run("driver", verb, driver["id"])
        assert client.get(f"/drivers/{driver['id']}")["status"] == status


@pytest.mark.spec("decisions §11")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROUNDSMAN_DATABASE_URL", "mysql://x/y"),
        ("ROUNDSMAN_BASE_URL", "not a url"),
        ("ROUNDSMAN_WEBHOOK_ALLOW", "10.0.0.0/99"),
        ("ROUNDSMAN_WEBHOOK_CA", "/no/such/file.pem"),
        ("ROUNDSMAN_GEOCODER", "guess"),
        ("ROUNDSMAN_ROADS", "walk"),
        ("ROUNDSMAN_TRUSTED_PROXIES", "everyone"),
        ("ROUNDSMAN_WORKERS", "many"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_line_that_names_it(
    installation: Installation, name: str, value: str
) -> None:
    result = installation.try_run("serve", "--port", "0", environment={name: value})
    assert result.exit_code != 0
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, result.output
    assert name in lines[0]
    assert result.stdout == ""


@pytest.mark.spec("decisions §12")
def test_the_demo_is_made_once(installation: Installation, tmp_path: Path) -> None:
    environment = {"ROUNDSMAN_DATABASE_URL": f"sqlite:///{tmp_path / 'demo.db'}"}
    elsewhere = Installation(
        data=tmp_path,
        database_url=environment["ROUNDSMAN_DATABASE_URL"],
        address=installation.address,
        closing=installation.closing,
    )
    first, second = elsewhere.try_run("demo"), elsewhere.try_run("demo")
    assert (first.exit_code, second.exit_code) == (0, 0), second.output
    slug = re.search(r"\b[a-z-]+-[0-9a-f]{4}\b", first.stdout)
    assert slug is not None
    assert slug.group() in second.stdout


@pytest.mark.spec("decisions §12")
def test_a_plan_has_the_promised_keys_and_reads_the_promised_columns(
    installation: Installation, tmp_path: Path
) -> None:
    head = ",".join(HEADERS.values())
    row = "{0},100 Main St,Baltimore,MD,US,9:00-12:00; 14:00-16:00,{1},1,2,300,+14105550123,ring"
    sheet = "\n".join([head, row.format("#1", "5"), row.format("#2", "300s"), row.format("#3", "")])
    answer = plan(installation, sheet, tmp_path, "--start-at", "2024-07-02T08:00:00-04:00")
    assert set(answer) == {
        "stops",
        "totalDistanceMeters",
        "totalDuration",
        "plannedEnd",
        "estimated",
        "provenOptimal",
        "violations",
        "rejectedRows",
    }
    keys = "row name address latitude longitude plannedArrival plannedDeparture distanceMeters"
    assert all(set(stop) == set(keys.split()) for stop in answer["stops"])
    assert sorted(stop["name"] for stop in answer["stops"]) == ["#1", "#2", "#3"]
    assert answer["estimated"] is True
    assert answer["provenOptimal"] is True
    assert (answer["violations"], answer["rejectedRows"]) == ([], [])
    assert re.fullmatch(r"[\d.]+s", answer["totalDuration"])
    assert answer["plannedEnd"] >= answer["stops"][-1]["plannedArrival"]


@pytest.mark.spec("decisions §12")
def test_rows_that_cannot_be_used_are_told_and_the_rest_is_planned(
    installation: Installation, tmp_path: Path
) -> None:
    sheet = "name,latitude,longitude\nA,39.3,-76.6\nB,95,-76.6\nC,39.4,-76.6\nD,,\n"
    answer = plan(installation, sheet, tmp_path)
    assert [stop["name"] for stop in answer["stops"]] == ["A", "C"]
    assert [row["row"] for row in answer["rejectedRows"]] == [3, 5]
    assert all(row["reason"] for row in answer["rejectedRows"])


@pytest.mark.spec("decisions §11")
def test_a_map_is_one_file(installation: Installation, tmp_path: Path) -> None:
    out = tmp_path / "map.html"
    sheet = "name,latitude,longitude\nA,39.3,-76.6\n"
    plan(installation, sheet, tmp_path, "--map", str(out), "--end", "Baltimore, MD")
    assert "<html" in out.read_text(encoding="utf-8")


@pytest.mark.spec("decisions §11")
def test_a_start_that_is_misspelt_is_not_taken_silently(
    installation: Installation, tmp_path: Path
) -> None:
    path = tmp_path / "stops.csv"
    path.write_text("name,latitude,longitude\nA,39.3,-76.6\n", encoding="utf-8")
    result = installation.try_plan(str(path), "--start", "Baltimor, MD")
    assert result.exit_code != 0 or "Baltimore" in result.output


@pytest.mark.spec("decisions §1")
def test_the_docs_open_without_a_token_beside_the_server(installation: Installation) -> None:
    answer = installation.open_http().get(f"{BASE}/docs", follow_redirects=True)
    assert answer.status_code == 200
