"""Every metric: its name, what it counts and its labels, said once.

Whoever does the work counts it here; the operator's door tells it in Prometheus' format. Labels are
drawn from fixed sets (operations, statuses, kinds), never from data: no label may grow with the
number of organizations, and none may hold what a customer said.
"""

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

disable_created_metrics()  # type: ignore[no-untyped-call] # when a series began helps nobody

_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_PATIENT = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 18_000)
_SLOW = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

REQUESTS = Counter(
    "roundsman_requests",
    "Requests answered, by operation and HTTP status; unknown paths are operation none.",
    ["operation", "status"],
)
REQUEST_SECONDS = Histogram(
    "roundsman_request_seconds",
    "Time from a request's first byte to its answer, by operation.",
    ["operation"],
    buckets=_QUICK,
)
CONNECTIONS_DROPPED = Counter(
    "roundsman_connections_dropped",
    "Connections given up, by why: idle (no byte came), head, body (it came too slowly), answer (it"
    " was not taken), crowd (too many from one address).",
    ["reason"],
)
SEARCH_SECONDS = Histogram(
    "roundsman_search_seconds", "Time spent ordering one route.", buckets=_SLOW
)
MATRIX_SECONDS = Histogram(
    "roundsman_matrix_seconds", "Time spent asking for one travel matrix.", buckets=_SLOW
)
GEOCODING_SECONDS = Histogram(
    "roundsman_geocoding_seconds", "Time spent locating one batch of addresses.", buckets=_QUICK
)
GEOCODED = Counter(
    "roundsman_geocoded_addresses",
    "Addresses looked up, by how close the match was; refused ones are MISS.",
    ["match"],
)
TRANSACTION_SECONDS = Histogram(
    "roundsman_transaction_seconds",
    "Time a database transaction was open, by whether it writes.",
    ["kind"],
    buckets=_QUICK,
)
DATABASE_AWAY = Counter(
    "roundsman_database_away", "Transactions that failed because the database was away or busy."
)
DATABASE_UNSAFE = Gauge(
    "roundsman_database_unsafe",
    "Settings of the database at the start under which a crash may lose what was acknowledged.",
    multiprocess_mode="mostrecent",
)
CHANGES_BEHIND_RECORDS = Counter(
    "roundsman_changes_behind_records",
    "Changes made while the clock was more than a minute behind what it had dated before.",
)
DELIVERY_ATTEMPTS = Counter(
    "roundsman_delivery_attempts",
    "Attempts to deliver an event, by how they ended: acknowledged (2xx), refused (any other"
    " status), unanswered (none in time, no connection, no HTTP).",
    ["outcome"],
)
DELIVERY_ATTEMPT_SECONDS = Histogram(
    "roundsman_delivery_attempt_seconds",
    "Time one attempt took, connecting included, by how it ended.",
    ["outcome"],
    buckets=_QUICK,
)
DELIVERY_AGE_SECONDS = Histogram(
    "roundsman_delivery_age_seconds",
    "How long after it happened an event was acknowledged, replayed ones included.",
    buckets=_PATIENT,
)
DELIVERIES_WAITING = Gauge(
    "roundsman_deliveries_waiting",
    "Event deliveries to active webhooks that wait for an attempt, retries included.",
    multiprocess_mode="mostrecent",
)
DELIVERY_LAG_SECONDS = Gauge(
    "roundsman_delivery_lag_seconds",
    "How long the delivery that is overdue longest has been due, of webhooks that answer.",
    multiprocess_mode="mostrecent",
)
WEBHOOKS = Gauge(
    "roundsman_webhooks",
    "Webhooks, by state: answering, failing (the latest attempt failed), inactive.",
    ["state"],
    multiprocess_mode="mostrecent",
)
JOBS = Gauge(
    "roundsman_jobs",
    "Jobs by kind and state: waiting (retries included), running, failed (in the last week).",
    ["kind", "state"],
    multiprocess_mode="mostrecent",
)
JOB_ATTEMPTS = Counter(
    "roundsman_job_attempts",
    "Attempts of jobs, by kind and how they ended: completed, retried (another follows), failed (no"
    " other follows), cancelled, released (the process stopped), lost (another process took over).",
    ["kind", "outcome"],
)
JOB_SECONDS = Histogram(
    "roundsman_job_seconds", "Time one attempt of a job took.", ["kind"], buckets=_PATIENT
)

STOREFRONT_ORDERS = Counter(
    "roundsman_storefront_orders",
    "Orders read from connected shops, by platform and whether what is kept of them has changed.",
    ["platform", "outcome"],
)
STOREFRONT_REPORT_ATTEMPTS = Counter(
    "roundsman_storefront_report_attempts",
    "Attempts to tell a shop what became of an order, by platform and how they ended: reported,"
    " refused (the shop will not hear of it), failed (another follows, or three days are over),"
    " unauthorized (the credentials are not accepted).",
    ["platform", "outcome"],
)
STOREFRONT_REPORTS = Gauge(
    "roundsman_storefront_reports",
    "Reports to connected shops, by platform and state: waiting, failed.",
    ["platform", "state"],
    multiprocess_mode="mostrecent",
)
STOREFRONTS = Gauge(
    "roundsman_storefronts",
    "Connected shops, by platform and state: active, paused, refused.",
    ["platform", "state"],
    multiprocess_mode="mostrecent",
)
STOREFRONT_VISIT_AGE_SECONDS = Gauge(
    "roundsman_storefront_visit_age_seconds",
    "How long ago the last visit that went well was, of the active shop where that is longest, by"
    " platform; of one that was never visited since it was connected.",
    ["platform"],
    multiprocess_mode="mostrecent",
)

ALL = (
    REQUESTS,
    REQUEST_SECONDS,
    CONNECTIONS_DROPPED,
    SEARCH_SECONDS,
    MATRIX_SECONDS,
    GEOCODING_SECONDS,
    GEOCODED,
    TRANSACTION_SECONDS,
    DATABASE_AWAY,
    DATABASE_UNSAFE,
    CHANGES_BEHIND_RECORDS,
    DELIVERY_ATTEMPTS,
    DELIVERY_ATTEMPT_SECONDS,
    DELIVERY_AGE_SECONDS,
    DELIVERIES_WAITING,
    DELIVERY_LAG_SECONDS,
    WEBHOOKS,
    JOBS,
    JOB_ATTEMPTS,
    JOB_SECONDS,
    STOREFRONT_ORDERS,
    STOREFRONT_REPORT_ATTEMPTS,
    STOREFRONT_REPORTS,
    STOREFRONTS,
    STOREFRONT_VISIT_AGE_SECONDS,
)
"""What the reference page lists."""


def labels_of(gauge: Gauge) -> set[tuple[str, ...]]:
    """Return the labels for which a gauge has been set."""
    (known,) = gauge.collect()
    return {tuple(sample.labels.values()) for sample in known.samples}


def render_metrics(*, of_all_processes: bool) -> bytes:
    """Return the metrics as text: this process's, or those of all that share a folder.

    The folder is the library's own setting, PROMETHEUS_MULTIPROC_DIR, read when it is imported.
    """
    if not of_all_processes:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call] # as the library has it
    return generate_latest(registry)
