"""Storefronts on the command line: connecting shops, and what becomes of their orders."""

import asyncio
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from roundsman.app import hook_url
from roundsman.cli.installation import installation
from roundsman.cli.operator import operator_request
from roundsman.cli.options import AsJson, DataFolder, list_choices
from roundsman.cli.organizations import AnySlug, Slug, list_of_each
from roundsman.cli.output import print_result, print_rows
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.queries import ListReports, Query
from roundsman.domain.storefront import (
    HOOK_SECRET,
    ReportStatus,
    StorefrontCheck,
    StorefrontConnection,
    StorefrontDraft,
    StorefrontPlatform,
    StorefrontReport,
    StorefrontState,
    usual_credentials,
    with_remedy,
)
from roundsman.operations import storefronts
from roundsman.operations.organizations import require_organization
from roundsman.operations.paging import Page, list_all
from roundsman.operations.storefront_checks import ExplainedOrder, check_shop, explain_order
from roundsman.operations.tools import Tools
from roundsman.storefronts.port import StorefrontFailure
from roundsman.wire.reading import read_value
from roundsman.workers.storefront_visits import StorefrontVisits

storefront = typer.Typer(
    help="Connect shops, whose orders come by themselves and that hear what became of them.",
    no_args_is_help=True,
)

StorefrontId = Annotated[str, typer.Argument(metavar="ID", help="The connection's id.")]

SecretsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="File of the secrets, one a line; else they are asked."),
]


def _read_platform(text: str) -> StorefrontPlatform:
    try:
        return StorefrontPlatform(text.upper())
    except ValueError:
        choices = list_choices(StorefrontPlatform)
        raise typer.BadParameter(f'must be one of {choices}, not "{text}"') from None


@storefront.command("connect")
def connect(  # noqa: PLR0913 -- one option for each thing that a connection says
    platform: Annotated[
        StorefrontPlatform,
        typer.Argument(
            metavar="PLATFORM", parser=_read_platform, help="shopify, woocommerce, medusa, vendure."
        ),
    ],
    slug: Slug,
    address: Annotated[
        str, typer.Option(metavar="URL", help="The shop's: its domain, or a URL with a path.")
    ],
    label: Annotated[str, typer.Option(metavar="TEXT", help="What you call the shop.")] = "",
    prefix: Annotated[
        str, typer.Option(metavar="TEXT", help="Stands before the numbers of a second shop.")
    ] = "",
    delivery_date: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Attribute that holds the day; may be repeated."),
    ] = None,
    time_window: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Attribute that holds the window; may be repeated."),
    ] = None,
    status: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Of WooCommerce: a status of open orders; repeatable."),
    ] = None,
    out_for_delivery_status: Annotated[
        str, typer.Option(metavar="NAME", help="Of WooCommerce: the status of what has left.")
    ] = "",
    attempted_status: Annotated[
        str, typer.Option(metavar="NAME", help="Of WooCommerce: the status after a vain attempt.")
    ] = "",
    secrets_file: SecretsFile = None,
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Connect a shop; secrets come from a prompt, standard input or a file, one a line.

    In this order: Shopify client id, client secret; WooCommerce consumer key, consumer secret, hook
    secret; Medusa and Vendure API key, hook secret. A line may also be `name=secret`.
    """
    credentials = _read_secrets(platform, secrets_file, without="no hooks")
    body = {
        "platform": platform.value,
        "address": address,
        "label": label,
        "prefix": prefix,
        "credentials": credentials,
        "settings": {
            "deliveryDate": delivery_date or [],
            "timeWindow": time_window or [],
            "statuses": status or [],
            "outForDeliveryStatus": out_for_delivery_status,
            "attemptedStatus": attempted_status,
        },
    }
    with installation(data) as (_, tools):
        request = operator_request(tools, slug)
        made = storefronts.connect_shop(tools, request, read_value(body, StorefrontDraft))
        hooks = hook_url(tools, made.id)
    shown = msgspec.to_builtins(made)
    if as_json:
        print_result(shown, as_json=True)
    else:
        print_result({**_sum_up(made), "hooks": hooks}, as_json=False)
    if made.state is StorefrontState.REFUSED:
        raise typer.Exit(1)


def _read_secrets(
    platform: StorefrontPlatform, file: Path | None, *, without: str
) -> dict[str, str]:
    """Return the credentials of a shop; nothing of them is ever an argument, which others see.

    `without` says what happens when no hook secret is given.
    """
    names = usual_credentials(platform)
    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            problem = f"{file} cannot be read: {error.strerror}"
            raise typer.BadParameter(problem, param_hint="--secrets-file") from error
    elif sys.stdin.isatty():
        lines = [_prompt(name, without) for name in names]
    else:
        lines = sys.stdin.read().splitlines()
    given = [line.strip() for line in lines if line.strip()]
    named = [line.partition("=") for line in given]
    known = {HOOK_SECRET, "accessToken", *names}
    if given and all(name in known for name, _, _ in named):
        return {name: secret for name, _, secret in named}
    return dict(zip(names, given, strict=False))


def _prompt(name: str, without: str) -> str:
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
    is_optional = name == HOOK_SECRET
    asked = f"{words} (nothing: {without})" if is_optional else words
    secret: str = typer.prompt(asked, hide_input=True, default="" if is_optional else None)
    return secret


@storefront.command("list")
def list_storefronts(
    slug: AnySlug = "", *, as_json: AsJson = False, data: DataFolder = None
) -> None:
    """List the connected shops of all organizations, or of one."""
    with installation(data) as (_, tools):
        found = list_of_each(tools, slug, storefronts.list_shops)
    shown = [
        {**owner, **(msgspec.to_builtins(one) if as_json else _sum_up(one))} for owner, one in found
    ]
    print_rows("storefronts", shown, as_json=as_json)


@storefront.command("check")
def check(storefront_id: StorefrontId, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """Try what works with a shop, and show its newest orders as they would arrive."""
    with installation(data) as (_, tools):
        owner = storefronts.find_shop_owner(tools, storefront_id)
        found = check_shop(tools, owner, storefront_id)
    if as_json:
        print_result(msgspec.to_builtins(found), as_json=True)
    else:
        _print_check(found)
    if not found.is_good:
        raise typer.Exit(1)


def _print_check(found: StorefrontCheck) -> None:
    findings = [
        {
            "subject": one.subject,
            "good": "yes" if one.is_good else "no",
            "message": with_remedy(one.message, one.remedy),
        }
        for one in found.findings
    ]
    print_rows("findings", findings, as_json=False)
    orders = [_sum_up_order(one.store_order, is_wanted=one.is_wanted) for one in found.store_orders]
    print_rows("orders", orders, as_json=False)


def _sum_up_order(order: object, *, is_wanted: bool) -> dict[str, object]:
    shown = msgspec.to_builtins(order)
    day = shown.get("deliveryDate")
    windows = shown.get("timeWindows", [])
    return {
        "order": shown["id"],
        "state": shown["state"] if is_wanted else "not wanted",
        "day": "-".join(f"{day[part]:02}" for part in ("year", "month", "day")) if day else "",
        "windows": [_window(one) for one in windows],
        "remarks": list(shown["remarks"]),
    }


def _window(window: dict[str, dict[str, int]]) -> str:
    ends = (window.get(end, {}) for end in ("start", "end"))
    return "-".join(f"{end.get('hours', 0):02}:{end.get('minutes', 0):02}" for end in ends)


@storefront.command("sync")
def sync(
    storefront_id: StorefrontId,
    *,
    full: Annotated[bool, typer.Option("--full", help="Read all its orders again.")] = False,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Visit a shop now: tell it what it does not know, and read what has changed."""
    with installation(data) as (_, tools):
        owner = storefronts.find_shop_owner(tools, storefront_id)
        request = operator_request(tools, owner)
        storefronts.sync_shop(tools, request, storefront_id, is_full=full)
        visits = StorefrontVisits(tools, partial(hook_url, tools))
        asyncio.run(visits.visit_due([storefront_id]))
        found = storefronts.get_shop(tools, owner, storefront_id)
    _print(found, as_json=as_json)
    if found.last_failure:
        raise typer.Exit(1)


@storefront.command("pause")
def pause(storefront_id: StorefrontId, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """Ask and tell a shop nothing for now; what it is to be told waits."""
    with installation(data) as (_, tools):
        request = operator_request(tools, storefronts.find_shop_owner(tools, storefront_id))
        found = storefronts.pause_shop(tools, request, storefront_id)
    _print(found, as_json=as_json)


@storefront.command("resume")
def resume(
    storefront_id: StorefrontId, *, as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Ask and tell a shop again."""
    with installation(data) as (_, tools):
        request = operator_request(tools, storefronts.find_shop_owner(tools, storefront_id))
        found = storefronts.resume_shop(tools, request, storefront_id)
    _print(found, as_json=as_json)


@storefront.command("credentials")
def replace_credentials(
    storefront_id: StorefrontId,
    secrets_file: SecretsFile = None,
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Give a shop other credentials, and ask and tell it again where it accepts them.

    They come as for `connect`, one a line; a hook secret that is not given stays. Where the shop
    does not accept them, those before stay, and it is said why.
    """
    with installation(data) as (_, tools):
        owner = storefronts.find_shop_owner(tools, storefront_id)
        platform = storefronts.get_shop(tools, owner, storefront_id).platform
        given = _read_secrets(platform, secrets_file, without="it stays")
        request = operator_request(tools, owner)
        found = storefronts.replace_credentials(
            tools,
            request,
            storefront_id,
            {name: secret for name, secret in given.items() if secret},
        )
    _print(found, as_json=as_json)


@storefront.command("disconnect")
def disconnect(storefront_id: StorefrontId, *, data: DataFolder = None) -> None:
    """Forget a shop, its credentials, and its orders that are on no route."""
    with installation(data) as (_, tools):
        request = operator_request(tools, storefronts.find_shop_owner(tools, storefront_id))
        storefronts.disconnect_shop(tools, request, storefront_id)
    typer.echo(f"{storefront_id} is disconnected")


@storefront.command("reports")
def list_reports(
    storefront_id: StorefrontId,
    *,
    failed: Annotated[bool, typer.Option("--failed", help="Only those it refused.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Tell it again what it refused.")] = False,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Show what a shop is told of its orders, newest first; `--retry` tells it again."""
    with installation(data) as (_, tools):
        owner = storefronts.find_shop_owner(tools, storefront_id)
        found = _find_reports(tools, owner, storefront_id, is_failed=failed or retry)
        if retry:
            request = operator_request(tools, owner)
            found = [
                storefronts.retry_report(tools, request, storefront_id, one.id) for one in found
            ]
    shown = [msgspec.to_builtins(one) if as_json else _sum_up_report(one) for one in found]
    print_rows("reports", shown, as_json=as_json)


def _find_reports(
    tools: Tools, owner: str, storefront_id: str, *, is_failed: bool
) -> list[StorefrontReport]:
    def list_some(query: Query[ListReports]) -> Page[StorefrontReport]:
        return storefronts.list_reports(tools, owner, storefront_id, query)

    if is_failed:
        return list_all(list_some, ListReports(limit=200, status=ReportStatus.FAILED))
    return list(list_some(Query(ListReports(limit=50))).rows)


@storefront.command("explain")
def explain(
    order_id: Annotated[str, typer.Argument(metavar="ORDER", help="The order's id.")],
    slug: Slug,
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Say how a shop has an order now: its day and why, and whether it is wanted."""
    with installation(data) as (_, tools):
        require_organization(tools.database, slug)
        try:
            found = explain_order(tools, slug, order_id)
        except StorefrontFailure as error:
            says = with_remedy(f"{error}", error.remedy)
            raise FailedPrecondition(f"the shop cannot be asked: {says}") from error
    if as_json:
        shown = {
            "storefrontId": found.connection.id,
            "isKept": found.is_kept,
            **msgspec.to_builtins(found.arriving),
        }
        print_result(shown, as_json=True)
    else:
        print_result(_explain(found), as_json=False)


def _explain(found: ExplainedOrder) -> dict[str, object]:
    order = found.arriving.store_order
    summed_up = _sum_up_order(order, is_wanted=found.arriving.is_wanted)
    kept = "yes" if found.is_kept else "no"
    if not found.arriving.is_wanted:
        kept += ": nobody is to deliver it (unpaid, a test, or fetched by the customer)"
    settings = found.connection.settings
    return {
        "storefront": found.connection.id,
        **{
            name: "; ".join(value) if isinstance(value, list) else value
            for name, value in summed_up.items()
        },
        "kept": kept,
        "dayIsReadFrom": ", ".join(settings.delivery_date) or "the usual names",
        "attributes": ", ".join(f"{one.key}={one.value}" for one in order.attributes),
    }


def _print(found: StorefrontConnection, *, as_json: bool) -> None:
    print_result(msgspec.to_builtins(found) if as_json else _sum_up(found), as_json=as_json)


def _sum_up(one: StorefrontConnection) -> dict[str, object]:
    failure = one.last_failure
    trouble = with_remedy(failure.message, failure.remedy) if failure else ""
    return {
        "id": one.id,
        "platform": one.platform.value,
        "state": one.state.value,
        "address": one.address,
        "prefix": one.prefix,
        "lastSuccess": msgspec.to_builtins(one.last_success_at) if one.last_success_at else "never",
        "waiting": one.queue.waiting,
        "refused": one.queue.failed,
        "trouble": trouble,
    }


def _sum_up_report(one: StorefrontReport) -> dict[str, object]:
    failure = one.last_failure
    return {
        "id": one.id,
        "order": one.store_order_id,
        "step": one.step.value,
        "happened": msgspec.to_builtins(one.happened_at),
        "status": one.status.value,
        "attempts": one.attempts,
        "said": failure.message if failure else one.remark,
    }
