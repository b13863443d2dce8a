"""Structured logs: one JSON object a line on standard error, without secrets or coordinates."""

import logging
import sys

import msgspec
import structlog


def _as_json(told: object, **_: object) -> bytes:
    return msgspec.json.encode(told, enc_hook=repr)


def configure_logs(level: int = logging.INFO) -> None:
    """Send the product's own log as JSON to standard error."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=_as_json),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
