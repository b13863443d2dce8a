"""Every command that changes something for an organization is in its log, with its name."""

from pathlib import Path

from tests.cli.running import organization, run_json
from tests.cli.test_webhook_subscriptions import add_webhook
from typer.testing import CliRunner

from roundsman.cli.installation import installation
from roundsman.cli.main import app
from roundsman.domain.event import Actor
from roundsman.domain.queries import ListSecurityEvents, Query
from roundsman.domain.security_event import SecurityEvent
from roundsman.operations.driver_sessions import accept_invite
from roundsman.operations.security_log import list_security_events


def events_of(data: Path, slug: str) -> tuple[SecurityEvent, ...]:
    with installation(data) as (_, tools):
        return list_security_events(tools, slug, Query(ListSecurityEvents(limit=200))).rows


def logged(data: Path, slug: str) -> dict[str, str]:
    """Return the kind that each command was recorded as."""
    return {
        event.details.command: event.kind.value
        for event in events_of(data, slug)
        if event.details and event.details.command
    }


def sign_driver_in(data: Path, invite_url: str) -> str:
    with installation(data) as (_, tools):
        token = invite_url.rpartition("/")[2]
        return accept_invite(tools, token, "phone", Actor()).session.id


def test_every_command_that_changes_something_is_recorded_by_its_name(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    of = ("--organization", slug)
    key = run_json(tmp_path, "credentials", "create", *of, "--email", "dev@example.com")
    for verb in ("rotate", "cancel", "rotate", "finish"):
        run_json(tmp_path, "credentials", verb, "--client-id", key["clientId"])
    run_json(tmp_path, "vehicle", "add", *of, "--name", "Van")
    name = ("--first-name", "Ann", "--last-name", "Doe", "--phone", "+14105550123")
    invited = run_json(tmp_path, "driver", "invite", *of, *name)
    driver = invited["driver"]["id"]
    run_json(tmp_path, "driver", "sign-out", driver, sign_driver_in(tmp_path, invited["inviteUrl"]))
    run_json(tmp_path, "driver", "deactivate", driver)
    for verb in ("activate", "archive"):
        run_json(tmp_path, "driver", verb, driver)
    webhook = add_webhook(tmp_path, slug)
    run_json(tmp_path, "webhook", "test", webhook)
    run_json(tmp_path, "webhook", "replay", webhook, "--since", "2024-07-01T00:00:00Z")
    run_json(tmp_path, "webhook", "activate", webhook)
    for verb in ("rotate", "cancel", "rotate", "finish"):
        run_json(tmp_path, "webhook", "secret", verb, *of)
    assert logged(tmp_path, slug) == {
        "organization create": "ORGANIZATION_CREATED",
        "credentials create": "CREDENTIALS_CREATED",
        "credentials rotate": "CREDENTIALS_ROTATION_STARTED",
        "credentials finish": "CREDENTIALS_ROTATION_FINISHED",
        "credentials cancel": "CREDENTIALS_ROTATION_CANCELLED",
        "vehicle add": "COMMAND_RUN",
        "driver invite": "DRIVER_INVITED",
        "driver sign-out": "DRIVER_SIGNED_OUT",
        "driver activate": "DRIVER_ACTIVATED",
        "driver deactivate": "DRIVER_DEACTIVATED",
        "driver archive": "DRIVER_ARCHIVED",
        "webhook test": "COMMAND_RUN",
        "webhook replay": "COMMAND_RUN",
        "webhook activate": "COMMAND_RUN",
        "webhook secret rotate": "WEBHOOK_ROTATION_STARTED",
        "webhook secret finish": "WEBHOOK_ROTATION_FINISHED",
        "webhook secret cancel": "WEBHOOK_ROTATION_CANCELLED",
    }


def test_a_command_has_its_own_name_whatever_the_program_is_called(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    add = ["vehicle", "add", "--organization", slug, "--name", "Van", "--data", str(tmp_path)]
    assert CliRunner().invoke(app, add, prog_name="python -m roundsman").exit_code == 0
    assert "vehicle add" in logged(tmp_path, slug)


def test_a_command_that_only_reads_is_not_recorded(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    before = events_of(tmp_path, slug)
    for group in ("vehicle", "driver", "webhook", "credentials"):
        run_json(tmp_path, group, "list", "--organization", slug)
    run_json(tmp_path, "webhook", "secret", "show", "--organization", slug)
    assert events_of(tmp_path, slug) == before
