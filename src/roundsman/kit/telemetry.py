"""Structured logs: one JSON object a line on standard error, without secrets or coordinates."""

import logging
import sys

import structlog


def configure_logs(level: int = logging.INFO) -> None:
    """Send the product's own log as JSON to standard error."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
