"""Structured logs: one JSON object a line on standard error, without secrets or coordinates."""

import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec
import structlog
from structlog.typing import EventDict

LOG_EVENTS: Mapping[str, str] = {
    "request": "A request was answered: its id, operation, status and milliseconds.",
    "request_failed": "A bug: the trace of a request that was answered 500 with this id.",
    "process_died": "One of several serving processes ended unasked, and is replaced.",
    "worker_failed": "A bug in background work: its trace; the work begins again.",
    "deliveries_wait_for_database": "Sending events waits until the database is back.",
    "housekeeping_waits_for_database": "Tidying up waits until the database is back.",
    "webhook_deactivated": "A receiver answered 410 or failed for days, and gets nothing more.",
    "address_index_unusable": "The address index of an imported map cannot be read.",
    "database_is_newer": "A newer version has migrated the database; this one serves on.",
}
"""Every event that is ever logged, with what it tells; `event` names it in the line."""


_encoder = msgspec.json.Encoder(enc_hook=repr)


def _write_line(_logger: object, level: str, told: EventDict) -> bytes:
    """Make a line of what is told, in one step: every request logs one."""
    told["level"] = level
    told["timestamp"] = datetime.now(UTC)  # noqa: TID251 -- a log tells when, whatever a test's clock says
    if "exc_info" in told:
        told = structlog.processors.format_exc_info(_logger, level, told)
    return _encoder.encode(told)


def configure_logs(level: int = logging.INFO) -> None:
    """Send the product's own log as JSON to standard error."""
    structlog.configure(
        processors=[_write_line],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
