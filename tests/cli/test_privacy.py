"""Customers' data on the command line: taken out, and erased with a receipt."""

import json
from pathlib import Path

import pytest
from tests.cli.running import organization, run, run_json

from roundsman.domain.address import Contact, Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.principal import operator
from roundsman.installation import make_tools, open_database
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.request import Request
from roundsman.settings import Settings

PHONE = "+14105557788"


def import_customer(data: Path, slug: str) -> None:
    settings = Settings(data=data)
    database = open_database(settings)
    draft = StopDraft(
        client_stop_id="order-1",
        contact=Contact(first_name="Zarathustra", phone=PHONE),
        coordinates=Coordinates(latitude=39.3, longitude=-76.6),
    )
    import_stops(make_tools(settings, database), Request(principal=operator(slug)), [draft])
    database.close()


@pytest.mark.spec("decisions §17")
def test_a_customer_is_taken_out_and_erased(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    import_customer(tmp_path, slug)
    who = ("--organization", slug, "--phone", PHONE)
    taken = json.loads(run(tmp_path, "privacy", "export", *who).stdout)
    assert taken["importedStops"][0]["contact"]["firstName"] == "Zarathustra"
    receipt = run_json(tmp_path, "privacy", "erase", *who, "--reason", "by letter")
    assert (receipt["status"], receipt["importedStops"]) == ("COMPLETED", 1)
    assert receipt["reason"] == "by letter"
    taken = json.loads(run(tmp_path, "privacy", "export", *who).stdout)
    assert taken == {"importedStops": [], "stops": [], "orders": []}
    for file in tmp_path.glob("roundsman.db*"):
        assert b"Zarathustra" not in file.read_bytes()
        assert b"4105557788" not in file.read_bytes()


def test_one_identifier_of_a_known_organization_is_asked_for(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    for command in ("erase", "export"):
        assert run(tmp_path, "privacy", command, "--organization", slug).exit_code == 2
        two = ("--phone", PHONE, "--email", "a@b.example")
        assert run(tmp_path, "privacy", command, "--organization", slug, *two).exit_code == 2
        unknown = run(tmp_path, "privacy", command, "--organization", "nobody", "--phone", PHONE)
        assert unknown.exit_code == 1


@pytest.mark.parametrize(
    ("who", "words"),
    [
        (("--phone", "+49 30 1234567"), "phone must be a phone number in E.164 form"),
        (("--phone", "030"), "phone must be a phone number in E.164 form"),
        (("--email", "foo"), "email must be an e-mail address"),
        (("--client-stop-id", "x" * 256), "clientStopId"),
    ],
)
def test_who_is_meant_is_checked_as_in_the_interface(
    tmp_path: Path, who: tuple[str, str], words: str
) -> None:
    slug = organization(tmp_path)
    for command in ("erase", "export"):
        refused = run(tmp_path, "privacy", command, "--organization", slug, *who)
        assert refused.exit_code == 1
        assert refused.stderr.startswith(f"roundsman: {words}")
        assert refused.stdout == ""
    database = open_database(Settings(data=tmp_path))
    with database.reading() as tx:
        assert tx.exec_driver_sql("SELECT count(*) FROM erasures").scalar_one() == 0
        assert tx.exec_driver_sql("SELECT count(*) FROM jobs").scalar_one() == 0
    database.close()


@pytest.mark.spec("decisions §17")
def test_a_driver_is_erased_and_nobody_beside(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    name = ("--first-name", "Quillon", "--last-name", "Bramble", "--phone", "+14105553377")
    of = ("--organization", slug)
    driver_id = run_json(tmp_path, "driver", "invite", *of, *name)["driver"]["id"]
    other = run_json(tmp_path, "driver", "invite", *of, *name)["driver"]["id"]
    both = run(tmp_path, "privacy", "erase", *of, "--driver", driver_id, "--phone", PHONE)
    assert both.exit_code == 2
    taken = json.loads(run(tmp_path, "privacy", "export", *of, "--driver", driver_id).stdout)
    assert taken["driver"]["driver"]["phone"] == "+14105553377"
    receipt = run_json(tmp_path, "privacy", "erase", *of, "--driver", driver_id)
    assert (receipt["status"], receipt["driverId"]) == ("COMPLETED", driver_id)
    (left,) = run_json(tmp_path, "driver", "list", *of)["drivers"]
    assert (left["id"], left["firstName"]) == (other, "Quillon")
    (erased,) = run_json(tmp_path, "driver", "list", *of, "--status", "ARCHIVED")["drivers"]
    assert (erased["id"], erased["firstName"], erased["phone"]) == (driver_id, "", "")
    unknown = run(tmp_path, "privacy", "erase", *of, "--driver", "drv-nobody")
    assert unknown.exit_code == 1
