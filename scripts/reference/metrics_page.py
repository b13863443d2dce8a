"""The metrics, from `kit.metrics.ALL`, and the log events, from `kit.telemetry.LOG_EVENTS`."""

from prometheus_client import Counter
from prometheus_client.metrics import MetricWrapperBase
from scripts.reference.markdown import code, page, table

from roundsman.kit.metrics import ALL
from roundsman.kit.telemetry import LOG_EVENTS

_INTRO = """
For the operator. `GET /metrics` answers in Prometheus' text format, to this machine and to the
subnets of `ROUNDSMAN_METRICS_ALLOW`; see [Monitor](../how-to/monitor.md). Labels come from fixed
sets, never from customers' data.
"""
_LOGS = """
## Log events

The log is one JSON object a line on standard error, with `event`, `level` and `timestamp`. Secrets,
tokens, coordinates and customers' data are never in it. `request_id` is the `X-Request-Id` of the
answer.
"""


def metrics_page() -> str:
    """Return the page."""
    rows = [_row(metric) for metric in ALL]
    events = [(code(name), meaning) for name, meaning in sorted(LOG_EVENTS.items())]
    return page(
        "Metrics and logs",
        _INTRO,
        table(["Metric", "Type", "Labels", "Meaning"], rows),
        _LOGS,
        table(["Event", "Meaning"], events),
    )


def _row(metric: MetricWrapperBase) -> tuple[str, str, str, str]:
    (family,) = metric.describe()
    name = f"{family.name}_total" if isinstance(metric, Counter) else family.name
    labels = metric._labelnames  # noqa: SLF001 -- the library tells labels nowhere else
    return code(name), family.type, ", ".join(map(code, labels)), family.documentation
