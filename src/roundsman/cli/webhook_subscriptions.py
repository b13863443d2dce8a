"""Webhooks on the command line: what became of their events, replays, and the signing secret."""

from datetime import datetime
from typing import Annotated

import msgspec
import typer

from roundsman.cli.installation import installation
from roundsman.cli.operator import operator_request
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.organizations import AnySlug, Slug, list_of_each
from roundsman.cli.output import print_result, print_rows
from roundsman.domain.event_delivery import Attempt, DeliveryReport
from roundsman.domain.queries import ListDeliveries, Query
from roundsman.domain.webhook_subscription import WebhookSubscription
from roundsman.kit.timestamps import format_timestamp, parse_timestamp
from roundsman.operations import signing_secrets, webhook_subscriptions

webhook = typer.Typer(
    help="Where events are sent: deliveries, tests, replays, signing secrets.", no_args_is_help=True
)
secret = typer.Typer(help="Show or replace what events are signed with.", no_args_is_help=True)
webhook.add_typer(secret, name="secret")

WebhookId = Annotated[str, typer.Argument(metavar="ID", help="The webhook's id.")]
OwnWebhook = Annotated[
    str,
    typer.Option("--webhook", metavar="ID", help="A webhook with a secret of its own, or to be."),
]


@webhook.command("list")
def list_webhooks(slug: AnySlug = "", *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """List the webhooks of all organizations, or of one."""
    with installation(data) as (_, tools):
        found = list_of_each(tools, slug, webhook_subscriptions.list_subscriptions)
    shown = [
        {**owner, **(msgspec.to_builtins(one) if as_json else _sum_up_webhook(one))}
        for owner, one in found
    ]
    print_rows("webhooks", shown, as_json=as_json)


@webhook.command("test")
def send_test(webhook_id: WebhookId, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """Have a TEST event sent to a webhook; a running server or worker sends it."""
    with installation(data) as (_, tools):
        owner = webhook_subscriptions.find_owner(tools, webhook_id)
        event_id = webhook_subscriptions.send_test(
            tools, operator_request(tools, owner), webhook_id
        )
    print_result({"eventId": event_id}, as_json=as_json)


@webhook.command("deliveries")
def list_deliveries(
    webhook_id: WebhookId,
    event_id: Annotated[
        str, typer.Option("--event", metavar="ID", help="Only what became of this event.")
    ] = "",
    limit: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=1, max=1000, help="How many, newest first; at most 1000."
        ),
    ] = 20,
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Show what became of a webhook's events, attempt by attempt."""
    with installation(data) as (_, tools):
        owner = webhook_subscriptions.find_owner(tools, webhook_id)
        if event_id:
            found = tuple(webhook_subscriptions.find_deliveries(tools, owner, webhook_id, event_id))
        else:
            query = Query(ListDeliveries(limit=limit))
            found = webhook_subscriptions.list_deliveries(tools, owner, webhook_id, query).rows
    shown = [_show_report(report) if as_json else _sum_up(report) for report in found]
    print_rows("deliveries", shown, as_json=as_json)


@webhook.command("replay")
def replay(
    webhook_id: WebhookId,
    event_id: Annotated[
        str, typer.Option("--event", metavar="ID", help="The event to send again.")
    ] = "",
    since: Annotated[
        str,
        typer.Option(
            metavar="TIME", help="Send again what happened since, such as 2024-07-01T08:00:00Z."
        ),
    ] = "",
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Send one event again, or all since a moment that the webhook asks for, missed ones too."""
    if bool(event_id) == bool(since):
        raise typer.BadParameter("name either --event or --since")
    starting = _instant(since) if since else None
    with installation(data) as (_, tools):
        owner = webhook_subscriptions.find_owner(tools, webhook_id)
        request = operator_request(tools, owner)
        if starting is None:
            replay = webhook_subscriptions.replay_events(tools, request, webhook_id, [event_id])
        else:
            replay = webhook_subscriptions.replay_since(tools, request, webhook_id, starting)
    print_result(msgspec.to_builtins(replay), as_json=as_json)


@webhook.command("activate")
def activate(webhook_id: WebhookId, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """Send to a webhook again that was switched off because it kept failing."""
    with installation(data) as (_, tools):
        owner = webhook_subscriptions.find_owner(tools, webhook_id)
        request = operator_request(tools, owner)
        activated = webhook_subscriptions.activate_subscription(tools, request, webhook_id)
    print_result(msgspec.to_builtins(activated), as_json=as_json)


@secret.command("show")
def show_secret(
    slug: Slug, *, webhook_id: OwnWebhook = "", as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Show what an organization's events are signed with, or those to one webhook."""
    with installation(data) as (_, tools):
        found = signing_secrets.read_secrets(tools, slug, webhook_id)
        _print_secrets(found, as_json=as_json)


@secret.command("rotate")
def rotate_secret(
    slug: Slug, *, webhook_id: OwnWebhook = "", as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Add a second secret; both sign until the rotation is finished or cancelled.

    The first one of a webhook replaces the organization's for it.
    """
    with installation(data) as (_, tools):
        request = operator_request(tools, slug)
        made = signing_secrets.rotate_signing_secret(tools, request, webhook_id)
        _print_secrets(made, as_json=as_json)


@secret.command("finish")
def finish_rotation(
    slug: Slug, *, webhook_id: OwnWebhook = "", as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Sign with the new secret alone."""
    with installation(data) as (_, tools):
        request = operator_request(tools, slug)
        left = signing_secrets.finish_signing_rotation(tools, request, webhook_id)
        _print_secrets(left, as_json=as_json)


@secret.command("cancel")
def cancel_rotation(
    slug: Slug, *, webhook_id: OwnWebhook = "", as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Sign with the old secret alone."""
    with installation(data) as (_, tools):
        request = operator_request(tools, slug)
        left = signing_secrets.cancel_signing_rotation(tools, request, webhook_id)
        _print_secrets(left, as_json=as_json)


def _print_secrets(secrets: signing_secrets.SigningSecrets, *, as_json: bool) -> None:
    result = {"webhookSecret": secrets.current}
    if secrets.following is not None:
        result["nextWebhookSecret"] = secrets.following
    print_result(result, as_json=as_json)


def _sum_up_webhook(one: WebhookSubscription) -> dict[str, object]:
    state = "active" if one.active else "switched off"
    return {"id": one.id, "state": state, "url": one.url, "topics": list(one.topics)}


def _instant(text: str) -> datetime:
    try:
        return parse_timestamp(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--since") from error


def _show_report(report: DeliveryReport) -> dict[str, object]:
    shown: dict[str, object] = msgspec.to_builtins(report)
    return {**shown, "attempts": [_show_attempt(attempt) for attempt in report.attempts]}


def _show_attempt(attempt: Attempt) -> dict[str, object]:
    return {
        "startedAt": format_timestamp(attempt.started_at),
        "milliseconds": round(attempt.duration.total_seconds() * 1000),
        "status": attempt.status,
        "error": attempt.error,
        "answer": attempt.answer,
    }


def _sum_up(report: DeliveryReport) -> dict[str, object]:
    last = report.attempts[-1] if report.attempts else None
    return {
        "event": report.event_id,
        "topic": report.topic.value,
        "state": report.state.value,
        "attempts": len(report.attempts),
        "last": "" if last is None else last.error or last.status,
        "nextAttempt": format_timestamp(report.due_at) if report.due_at else "",
    }
