"""What a collector is told of requests: their parts, their caller's trace, and nothing secret."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from opentelemetry.trace import SpanKind, StatusCode
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.api.test_secrets import CUSTOMERS_DATA, NOTE, Day, live_through
from tests.spans import Spans, recorded, told
from tests.support.in_process import InProcessClient

from roundsman.app import make_application
from roundsman.settings import Settings

BASE = "https://roundsman.test/api/2024-07"
TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = "b7ad6b7169203331"
STOPS: list[dict[str, Any]] = [
    {
        "clientStopId": str(number),
        "coordinates": {"latitude": 39.27 + number / 100, "longitude": -76.61},
    }
    for number in range(3)
]
TOWN = {"address": {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}}


@pytest.fixture
def spans() -> Iterator[Spans]:
    with recorded() as spans:
        yield spans


@pytest.fixture
def http(world: World, spans: Spans) -> Iterator[InProcessClient]:
    front = make_application(Settings(), world.tools)
    yield InProcessClient(front, headers=world.client.headers, address="203.0.113.7")
    front.close()
    assert spans.all()


def parent_of(spans: Spans, name: str) -> tuple[str, str]:
    [span] = spans.named(name)
    assert span.parent is not None
    return f"{span.parent.trace_id:032x}", f"{span.parent.span_id:016x}"


def test_a_request_is_one_span_of_its_callers_trace_with_its_parts_beneath(
    http: InProcessClient, spans: Spans
) -> None:
    assert http.post(f"{BASE}/stops/imports", json=STOPS).status_code == 200
    start = {"coordinates": STOPS[0]["coordinates"]}
    route = http.post(f"{BASE}/routes", json={"start": start}).json()["id"]
    added = [{"clientStopId": stop["clientStopId"]} for stop in STOPS]
    assert http.post(f"{BASE}/routes/{route}/stops", json=added).status_code == 200
    spans.exporter.clear()
    caller = {"traceparent": f"00-{TRACE}-{CALLER}-01"}
    answer = http.post(f"{BASE}/routes/{route}/reoptimize", json={}, headers=caller)
    assert answer.status_code == 200
    assert parent_of(spans, "reoptimizeRoute") == (TRACE, CALLER)
    [request] = spans.named("reoptimizeRoute")
    assert request.kind is SpanKind.SERVER
    assert told(request) == {
        "http.request.method": "POST",
        "http.response.status_code": 200,
        "roundsman.operation": "reoptimizeRoute",
        "roundsman.request_id": answer.headers["X-Request-Id"],
    }
    parts = spans.beneath(request)
    assert len(parts) == len(spans.all()) - 1
    assert {"transaction", "matrix", "search"} == set(parts)
    [search], [matrix] = spans.named("search"), spans.named("matrix")
    assert told(search)["roundsman.search.stops"] == 3
    assert isinstance(told(search)["roundsman.search.proven"], bool)
    assert isinstance(told(search)["roundsman.search.moves"], int)
    assert told(matrix) == {"roundsman.matrix.places": 4}
    accesses = {told(span)["roundsman.transaction.access"] for span in spans.named("transaction")}
    assert "write" in accesses


def test_a_read_and_another_door_have_their_parts_beneath_too(
    http: InProcessClient, spans: Spans
) -> None:
    assert http.get(f"{BASE}/routes").status_code == 200
    [request] = spans.named("listRoutes")
    assert request.parent is None
    assert set(spans.beneath(request)) == {"transaction"}
    assert http.get("https://roundsman.test/attachments/unknown").status_code == 404
    [visit] = spans.named("openAttachment")
    assert told(visit)["http.response.status_code"] == 404
    assert set(spans.beneath(visit)) == {"transaction"}


def test_a_batch_of_addresses_is_counted_and_not_told(http: InProcessClient, spans: Spans) -> None:
    lost = {"address": {"address1": "1 Nowhere Road", "city": "Xqzzy", "countryCode": "US"}}
    assert http.post(f"{BASE}/stops/imports", json=[TOWN, lost]).status_code == 400
    [geocoding] = spans.named("geocoding")
    assert told(geocoding) == {
        "roundsman.geocoding.addresses": 2,
        "roundsman.geocoding.misses": 1,
    }
    assert "Nowhere" not in spans.text()


@pytest.mark.parametrize("parent", ["", "nonsense", "00-0-0-01", f"00-{'0' * 32}-{CALLER}-01"])
def test_without_a_trace_that_can_be_read_a_request_begins_its_own(
    http: InProcessClient, spans: Spans, parent: str
) -> None:
    assert http.get(f"{BASE}/routes", headers={"traceparent": parent}).status_code == 200
    [request] = spans.named("listRoutes")
    assert request.parent is None


def test_what_the_caller_does_not_record_is_not_recorded(
    http: InProcessClient, spans: Spans
) -> None:
    caller = {"traceparent": f"00-{TRACE}-{CALLER}-00"}
    assert http.get(f"{BASE}/routes", headers=caller).status_code == 200
    assert not spans.all()
    assert http.get(f"{BASE}/vehicles").status_code == 200


def test_a_method_that_nobody_knows_is_not_told(http: InProcessClient, spans: Spans) -> None:
    assert http.request("SECRETWORD", f"{BASE}/routes").status_code == 405
    [request] = spans.named("none")
    assert told(request)["http.request.method"] == "_OTHER"
    assert "SECRETWORD" not in spans.text()


def test_work_for_no_request_is_not_recorded(world: World, spans: Spans) -> None:
    with world.tools.database.reading() as tx:
        tx.exec_driver_sql("SELECT 1")
    assert not spans.all()


class _BrokenGeocoder:
    """A geocoder with a bug that knows too much."""

    is_local = True

    def geocode(self, addresses: Any) -> Any:
        raise RuntimeError(f"cannot locate {addresses} with {NOTE}")

    def close(self) -> None:
        """Hold nothing."""


def test_a_bug_is_told_by_its_kind_alone(world: World, spans: Spans) -> None:
    tools = replace(world.tools, geocoder=_BrokenGeocoder())
    interface = make_application(Settings(), tools)
    http = InProcessClient(interface, headers=world.client.headers, base_url=BASE)
    assert http.post("/stops/imports", json=[TOWN]).status_code == 500
    interface.close()
    [geocoding], [request] = spans.named("geocoding"), spans.named("importStops")
    assert told(geocoding)["error.type"] == "RuntimeError"
    assert request.status.status_code is StatusCode.ERROR
    assert not any(span.events for span in spans.all())
    assert NOTE not in spans.text()
    assert "Baltimore" not in spans.text()


@pytest.mark.spec("decisions §3")
def test_a_day_leaves_no_secret_and_no_customers_data_in_any_span(
    world: World, spans: Spans
) -> None:
    interface = make_application(Settings(), world.tools)
    credentials = world.credentials
    client = DescribedClient(interface)
    client.headers = world.client.headers
    day = Day(client, shown_once=[credentials.client_secret])
    live_through(day, credentials.client_secret, credentials.client_id)
    interface.close()
    sent = spans.text()
    assert "reoptimizeRoute" in sent
    assert '"roundsman.search.stops": 1' in sent
    for marker in (*day.shown_once, *CUSTOMERS_DATA, "39.27", "-76.61", "Dana", "example.com"):
        assert marker not in sent
