"""Webhooks on the command line, in process, on a SQLite data folder."""

import base64
from pathlib import Path

import pytest
from tests.cli.running import organization, run, run_json

from roundsman.domain.principal import operator
from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import WebhookSubscriptionDraft
from roundsman.installation import make_tools, open_database
from roundsman.operations.request import Request
from roundsman.operations.webhook_subscriptions import add_subscription
from roundsman.settings import load_settings

UNKNOWN = "sub-00000000-0000-4000-8000-000000000000"


def add_webhook(data: Path, slug: str) -> str:
    settings = load_settings({"ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8"}, data=str(data))
    database = open_database(settings)
    draft = WebhookSubscriptionDraft(url="http://127.0.0.1:9/in", topics=(Topic.ROUTE_CREATED,))
    caller = operator(slug)
    added = add_subscription(make_tools(settings, database), Request(principal=caller), draft)
    database.close()
    return added.id


def test_without_an_organization_the_webhooks_of_all_are_listed_with_whose_they_are(
    tmp_path: Path,
) -> None:
    assert run_json(tmp_path, "organization", "create", "Empty")["organization"]
    slugs = [organization(tmp_path), organization(tmp_path)]
    webhooks = [add_webhook(tmp_path, slug) for slug in slugs]
    listed = run_json(tmp_path, "webhook", "list")["webhooks"]
    assert [(one["organization"], one["id"]) for one in listed] == [
        *zip(slugs, webhooks, strict=True)
    ]
    heading, *lines = run(tmp_path, "webhook", "list").stdout.splitlines()
    assert heading.split()[:2] == ["ORGANIZATION", "ID"]
    assert [line.split()[:2] for line in lines] == [
        list(pair) for pair in zip(slugs, webhooks, strict=True)
    ]


@pytest.mark.spec("decisions §9")
def test_a_webhook_is_listed_tested_replayed_and_activated(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    webhook = add_webhook(tmp_path, slug)
    (shown,) = run_json(tmp_path, "webhook", "list", "--organization", slug)["webhooks"]
    assert (shown["id"], shown["active"]) == (webhook, True)
    assert run(tmp_path, "webhook", "list", "--organization", slug).stdout == (
        f"{'ID':40}  STATE   URL                    TOPICS\n"
        f"{webhook}  active  http://127.0.0.1:9/in  ROUTE_CREATED\n"
    )
    tested = run_json(tmp_path, "webhook", "test", webhook)["eventId"]
    (report,) = run_json(tmp_path, "webhook", "deliveries", webhook)["deliveries"]
    assert (report["eventId"], report["topic"]) == (tested, "TEST")
    assert (report["state"], report["attempts"]) == ("PENDING", [])
    assert "PENDING" in run(tmp_path, "webhook", "deliveries", webhook).stdout
    assert run_json(tmp_path, "webhook", "replay", webhook, "--event", tested) == {"replayed": 0}
    since = ("--since", "2024-07-01T08:00:00Z")
    assert run_json(tmp_path, "webhook", "replay", webhook, *since) == {"replayed": 0}
    assert run_json(tmp_path, "webhook", "activate", webhook) == shown


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize("ending", ["finish", "cancel"])
def test_a_signing_secret_is_rotated(tmp_path: Path, ending: str) -> None:
    slug = ("--organization", organization(tmp_path))
    before = run_json(tmp_path, "webhook", "secret", "show", *slug)
    rotating = run_json(tmp_path, "webhook", "secret", "rotate", *slug)
    assert rotating["webhookSecret"] == before["webhookSecret"]
    assert len(base64.b64decode(rotating["nextWebhookSecret"])) == 32
    again = run(tmp_path, "webhook", "secret", "rotate", *slug)
    assert (again.exit_code, "finish or cancel it first" in again.output) == (1, True)
    kept = "nextWebhookSecret" if ending == "finish" else "webhookSecret"
    ended = {"webhookSecret": rotating[kept]}
    assert run_json(tmp_path, "webhook", "secret", ending, *slug) == ended
    assert run_json(tmp_path, "webhook", "secret", "show", *slug) == ended
    assert "no rotation is under way" in run(tmp_path, "webhook", "secret", ending, *slug).output


def test_a_webhook_is_given_a_secret_of_its_own(tmp_path: Path) -> None:
    owner = organization(tmp_path)
    webhook = add_webhook(tmp_path, owner)
    slug, own = ("--organization", owner), ("--webhook", webhook)
    shared = run_json(tmp_path, "webhook", "secret", "show", *slug)
    assert run_json(tmp_path, "webhook", "secret", "show", *slug, *own) == shared
    rotating = run_json(tmp_path, "webhook", "secret", "rotate", *slug, *own)
    assert rotating["webhookSecret"] == shared["webhookSecret"]
    ended = {"webhookSecret": rotating["nextWebhookSecret"]}
    assert run_json(tmp_path, "webhook", "secret", "finish", *slug, *own) == ended
    assert run_json(tmp_path, "webhook", "secret", "show", *slug) == shared
    unknown = run(tmp_path, "webhook", "secret", "show", *slug, "--webhook", "sub-nothing")
    assert (unknown.exit_code, "webhook not found" in unknown.output) == (1, True)


@pytest.mark.spec("decisions §11")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("list", "--organization", "nobody-0000"), 'organization "nobody-0000" not found'),
        (("test", UNKNOWN), "webhook not found"),
        (("deliveries", UNKNOWN), "webhook not found"),
        (("activate", UNKNOWN), "webhook not found"),
        (("replay", UNKNOWN, "--event", "evt-1"), "webhook not found"),
        (("replay", UNKNOWN), "name either --event or --since"),
        (("replay", UNKNOWN, "--since", "yesterday"), "value for --since: must be an RFC 3339"),
        (("secret", "show", "--organization", "nobody-0000"), "not found"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_sent(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    organization(tmp_path)
    done = run(tmp_path, "webhook", *arguments)
    assert done.exit_code != 0
    assert told in done.output


def test_an_event_of_somebody_else_is_not_replayed(tmp_path: Path) -> None:
    ours, theirs = organization(tmp_path), organization(tmp_path)
    webhook, other = add_webhook(tmp_path, ours), add_webhook(tmp_path, theirs)
    event = run_json(tmp_path, "webhook", "test", other)["eventId"]
    refused = run(tmp_path, "webhook", "replay", webhook, "--event", event)
    assert (refused.exit_code, "event not found" in refused.output) == (1, True)
    assert run_json(tmp_path, "webhook", "deliveries", webhook)["deliveries"] == []
