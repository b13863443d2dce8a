"""The main job through a client that openapi-python-client generated."""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from secrets import token_hex

from generated_roundsman import AuthenticatedClient, Client
from generated_roundsman.api.authentication import authenticate
from generated_roundsman.api.events import list_events
from generated_roundsman.api.imported_stops import import_stops
from generated_roundsman.api.route_stops import add_route_stops
from generated_roundsman.api.routes import create_route, dispatch_route, reoptimize_route
from generated_roundsman.api.webhooks import add_webhook
from generated_roundsman.models import (
    AddStopBodyInput,
    AuthenticateAnswer,
    AuthenticateBodyInput,
    CoordinatesInput,
    DispatchBodyInput,
    Error,
    EventsAnswer,
    ImportedStopsAnswer,
    ReoptimizeBodyInput,
    ReoptimizedRouteAnswer,
    Route,
    RouteDraftInput,
    RouteEndDraftInput,
    StopDraftInput,
    TopicInput,
    WebhookSubscription,
    WebhookSubscriptionDraftInput,
)
from generated_roundsman.types import UNSET
from standardwebhooks import Webhook

SERVER = f"{os.environ['ROUNDSMAN_URL']}/api/2024-07"


def must[Answer](answer: object, kind: type[Answer]) -> Answer:
    """Every call answers its object, or an Error, or None: only an instance check says which."""
    if isinstance(answer, Error):
        sys.exit(f"{answer.code}: {answer.message}")
    if not isinstance(answer, kind):
        sys.exit("an answer that the description does not know")
    return answer


def sign_in() -> AuthenticatedClient:
    """Exchange the credentials for a token, and make the client of it."""
    body = AuthenticateBodyInput(
        client_id=os.environ["ROUNDSMAN_CLIENT_ID"],
        client_secret=os.environ["ROUNDSMAN_CLIENT_SECRET"],
    )
    answer = authenticate.sync(client=Client(base_url=SERVER), body=body)
    return AuthenticatedClient(SERVER, must(answer, AuthenticateAnswer).access_token)


def receive() -> tuple[str, Queue[tuple[bytes, dict[str, str]]]]:
    """Open a receiver of webhooks: its address, and what arrives."""
    arrived: Queue[tuple[bytes, dict[str, str]]] = Queue()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            arrived.put((body, dict(self.headers)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/in", arrived


def work(client: AuthenticatedClient) -> dict[str, object]:
    """Import, make a route, order it, hand it over; return what was seen."""
    address, arrived = receive()
    webhook = WebhookSubscriptionDraftInput(url=address, topics=[TopicInput.ROUTE_DISPATCHED])
    must(
        add_webhook.sync(client=client, body=webhook, idempotency_key=token_hex()),
        WebhookSubscription,
    )
    stops = [
        StopDraftInput(
            client_stop_id=f"order-{number}",
            coordinates=CoordinatesInput(latitude=39.25 + number * 7 % 20 / 100, longitude=-76.61),
        )
        for number in range(20)
    ]
    key = token_hex()
    imported = must(
        import_stops.sync(client=client, body=stops, idempotency_key=key), ImportedStopsAnswer
    )
    # The same key again: an answer that was lost is asked for, and books nothing twice.
    again = must(
        import_stops.sync(client=client, body=stops, idempotency_key=key), ImportedStopsAnswer
    )
    start = RouteEndDraftInput(coordinates=CoordinatesInput(latitude=39.24, longitude=-76.61))
    route = must(
        create_route.sync(
            client=client,
            body=RouteDraftInput(name="Van 1", start=start),
            idempotency_key=token_hex(),
        ),
        Route,
    )
    chosen = [AddStopBodyInput(imported_stop_id=stop.id) for stop in imported.stops]
    must(
        add_route_stops.sync(route.id, client=client, body=chosen, idempotency_key=token_hex()),
        Route,
    )
    best = must(
        reoptimize_route.sync(
            route.id, client=client, body=ReoptimizeBodyInput(), idempotency_key=token_hex()
        ),
        ReoptimizedRouteAnswer,
    )
    must(
        dispatch_route.sync(
            route.id, client=client, body=DispatchBodyInput(), idempotency_key=token_hex()
        ),
        Route,
    )
    body, headers = arrived.get(timeout=30)
    event = Webhook(os.environ["ROUNDSMAN_WEBHOOK_SECRET"]).verify(body, headers)

    events, cursor = 0, UNSET
    while True:
        page = must(list_events.sync(client=client, query_limit=10, cursor=cursor), EventsAnswer)
        events += len(page.events)
        if not page.next_cursor:
            break
        cursor = page.next_cursor

    wrong = RouteDraftInput(start=RouteEndDraftInput())
    refused = create_route.sync(client=client, body=wrong)
    if not isinstance(refused, Error):
        sys.exit("not refused")
    return {
        "imported": len(imported.stops),
        "replayed": again.stops[0].id == imported.stops[0].id,
        "optimized": best.optimized,
        "first": best.stops[0].client_stop_id,
        "webhook": event["topic"],
        "ofRoute": event["objectId"] == route.id,
        "events": events,
        "refused": refused.code,
        "fields": [
            violation.field
            for detail in refused.details or []
            for violation in detail.field_violations or []
        ],
    }


if __name__ == "__main__":
    print(json.dumps(work(sign_in())))
