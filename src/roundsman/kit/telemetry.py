"""Structured logs: one JSON object a line on standard error, without secrets or coordinates.

What an error says is no part of its trace. The words are often made of what was being worked on: a
database names the row that it refuses, a bug the address that it cannot read.
"""

import json
import logging
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec
import structlog

LOG_EVENTS: Mapping[str, str] = {
    "library_trouble": "A library warns of something: which one, where in it, and the trace.",
    "live_demo_ended": "The day of `serve --demo --live` broke off: its trace. Serving goes on.",
    "request": "A request was answered: its id, operation, status and milliseconds.",
    "request_failed": "A bug: the trace of a request that was answered 500 with this id.",
    "request_not_allowed": "Answered 403: who, from which address, asked for which operation.",
    "request_unavailable": "Answered 503: which operation, and what was away, full or busy.",
    "request_unreadable": "What came was no HTTP: the id it was answered with, and what was wrong.",
    "tracing_trouble": "Spans could not be sent, or an OTEL_ variable is not understood.",
    "sign_in_failed": "Sign-ins failed: which kind, from which address, how often in one go.",
    "openid_provider_failed": "The OpenID Connect provider did not answer as it should: why.",
    "openid_identity_refused": "What the OpenID Connect provider said of somebody is not believed.",
    "openid_email_not_given": "The OpenID Connect provider gave no e-mail address: scope email.",
    "sign_in_failures_not_recorded": "The database was away: so many failures are in no list.",
    "process_died": "One of several serving processes ended unasked, and is replaced.",
    "worker_failed": "A bug in background work: its trace; the work begins again.",
    "deliveries_wait_for_database": "Sending events waits until the database is back.",
    "push_not_unsealed": "A phone waits for its signal: the key for its address is away.",
    "push_failed": "A push service took no signal: its host and answer, whether that is the end.",
    "pushes_wait_for_database": "Telling drivers' phones waits until the database is back.",
    "messages_wait_for_database": "Sending messages to customers waits until the database is back.",
    "message_waits_for_database": "A message was sent; that is recorded when the database is back.",
    "storefronts_wait_for_database": "Visiting shops waits until the database is back.",
    "storefront_visit_failed": "A shop could not be read or told: which connection, and its code.",
    "storefront_visit_broke": "A bug during the visit of a shop: its trace; it is visited again.",
    "storefront_answer_not_understood": "A shop's JSON makes no sense: where reading it failed.",
    "storefront_hooks_refused": "A shop makes no hooks for us; its orders come by asking alone.",
    "housekeeping_waits_for_database": "Tidying up waits until the database is back.",
    "jobs_wait_for_database": "Running jobs waits until the database is back.",
    "job_retried": "An attempt of a job failed, and another follows; the job says why.",
    "planner_not_compiled": "No process could compile the planner; its trace or `reason` says why.",
    "plan_found": "A plan was searched for: which one, the seconds and moves it took.",
    "plan_without_lines": "A plan has no lines, as the roads were away: which one, and why.",
    "plan_failed": "A bug: the trace of a plan that failed, and which one it was.",
    "job_failed": "A job has failed for good; the job says why, and a bug's trace stands here.",
    "jobs_released": "The process stops; these jobs made no check in time and are given back.",
    "clock_behind_records": "The clock is behind what it dated before, by more than a minute.",
    "webhook_deactivated": "A receiver answered 410 or failed for days, and gets nothing more.",
    "owner_letter_refused": "An e-mail to an owner is refused for good: which job, and why.",
    "owner_letter_given_up": "Two workers were lost while they sent this e-mail; it may have come.",
    "address_index_unusable": "The address index of an imported map cannot be read.",
    "tiles_unreadable": "A file of streets cannot be read; others are shown, or none.",
    "database_not_durable": "A crash of the database's machine may lose what was acknowledged.",
    "data_made_private": "A folder or file of the database was open to everybody; now it is not.",
    "data_open_to_others": "Every account of this machine can read the database; close its folder.",
    "settings_unknown": "Variables that are called like settings, and that nobody reads.",
    "database_is_newer": "A newer version has migrated the database; this one serves on.",
}
"""Every event that is ever logged, with what it tells; `event` names it in the line."""


class _Stderr:
    """Standard error, whose disk may be as full as any: a line that is lost stops no request."""

    def msg(self, line: bytes) -> None:
        """Write a line, if it can be written, or keep it until there is room again."""
        with suppress(OSError):
            sys.stderr.buffer.write(line + b"\n")
            sys.stderr.buffer.flush()


_encoder = msgspec.json.Encoder(enc_hook=repr)


def _write_line(log: Any, level: str, event: str, /, **told: Any) -> None:
    """Write what is told, in one step: every request logs a line."""
    told["event"] = event
    told["level"] = level
    told["timestamp"] = datetime.now(UTC)  # noqa: TID251 -- a log tells when, whatever a test's clock says
    if "exc_info" in told:
        error = told.pop("exc_info")
        error = error if isinstance(error, BaseException) else sys.exception()
        if error is not None:
            told["exception"] = format_trace(error)
    # The library's attribute for classes like this one: where lines go.
    log._logger.msg(_encode(told))  # noqa: SLF001


def format_trace(error: BaseException) -> str:
    """Return an error's trace as Python prints it, but for what the error says."""
    return "\n".join(_lines_of_trace(error, {id(error)}))


def _lines_of_trace(error: BaseException, shown: set[int]) -> Iterator[str]:
    """Yield the trace of what an error came from, then its own, then those that it is a group of.

    `shown` are the errors that stand there already: a chain may lead back to its beginning.
    """
    cause = error.__cause__
    origin = cause or (None if error.__suppress_context__ else error.__context__)
    if origin is not None and id(origin) not in shown:
        shown.add(id(origin))
        yield from _lines_of_trace(origin, shown)
        yield "\nThe direct cause of:\n" if cause else "\nWhile it was handled there was another:\n"
    if frames := "".join(traceback.format_tb(error.__traceback__)).rstrip("\n"):
        yield f"Traceback (most recent call last):\n{frames}"
    yield f"{type(error).__module__}.{type(error).__qualname__}"
    if isinstance(error, BaseExceptionGroup):
        for number, one in enumerate(error.exceptions, 1):
            yield f"\nNumber {number} of them:\n"
            yield from _lines_of_trace(one, shown)


class _LibraryHandler(logging.Handler):
    """Writes what libraries log into our own log; where and what kind, and not in their words.

    uvicorn and asyncio log the errors that nobody caught, and asyncio quotes them.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        told: dict[str, Any] = {
            "library": record.name,
            "place": f"{record.module}:{record.lineno}",
        }
        if record.exc_info and record.exc_info[1]:
            told["exc_info"] = record.exc_info[1]
        log = structlog.get_logger("roundsman.libraries")
        if record.levelno >= logging.ERROR:
            log.error("library_trouble", **told)
        else:
            log.warning("library_trouble", **told)


def _encode(told: Mapping[str, Any]) -> bytes:
    try:
        return _encoder.encode(told)
    except UnicodeEncodeError:
        # Names of files and variables may be no Unicode; here that is escaped.
        return json.dumps(told, default=str).encode()


def configure_logs(level: int = logging.INFO) -> None:
    """Send the product's own log as JSON to standard error."""
    filtering = structlog.make_filtering_bound_logger(level)
    # What the library would do between a call and a line takes longer than all the rest. It is left
    # out: nobody here has processors, its `capture_logs` among them, or binds values to a logger.
    writing = type("Log", (filtering,), {"_proxy_to_logger": _write_line})
    structlog.configure(
        processors=[],
        wrapper_class=writing,
        logger_factory=lambda *_name: _Stderr(),
        cache_logger_on_first_use=True,
    )
    # Python prints what libraries log when nobody has said where to; this takes that place.
    logging.lastResort = _LibraryHandler(logging.WARNING)
