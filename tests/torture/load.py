"""Clients that import stops as fast as they are let, and do not give up when nobody answers."""

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2 as httpx
from tests.torture.installation import Installation

STOP = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
_PAUSE_SECONDS = 0.25


class Load:
    """Imports a number of stops; every request is repeated under its key until it is answered."""

    def __init__(self, installation: Installation, stops: int, at_once: int) -> None:
        self._installation = installation
        self._at_once = at_once
        self._requests = itertools.count()
        self._most_requests = -(-stops // at_once)
        self._lock = threading.Lock()
        self.acknowledged: list[str] = []
        self.failed: list[BaseException] = []
        self.is_over = threading.Event()

    @contextmanager
    def running(self) -> Iterator["Load"]:
        threads = [
            threading.Thread(target=self._run, args=client)
            for client in self._installation.client_ids
        ]
        for thread in threads:
            thread.start()

        def wait() -> None:
            for thread in threads:
                thread.join()
            self.is_over.set()

        waiting = threading.Thread(target=wait)
        waiting.start()
        yield self
        waiting.join()
        assert not self.failed, self.failed

    def _run(self, client_id: str, secret: str) -> None:
        try:
            with httpx.Client(base_url=self._installation.address, timeout=30) as http:
                while (number := next(self._requests)) < self._most_requests:
                    key = {"Idempotency-Key": f"import-{number}"}
                    answer = self._insist(http, (client_id, secret), key)
                    with self._lock:
                        self.acknowledged += [stop["id"] for stop in answer.json()["stops"]]
        except BaseException as error:  # noqa: BLE001 -- told by whoever waits
            self.failed.append(error)

    def _insist(
        self, http: httpx.Client, who: tuple[str, str], key: dict[str, str]
    ) -> httpx.Response:
        while True:
            try:
                if "Authorization" not in http.headers:
                    body = {"clientId": who[0], "clientSecret": who[1]}
                    token = http.post("/authenticate", json=body)
                    if token.status_code == 200:
                        http.headers["Authorization"] = f"Bearer {token.json()['accessToken']}"
                answer = http.post("/stops/imports", json=[STOP] * self._at_once, headers=key)
            except httpx.TransportError:
                time.sleep(_PAUSE_SECONDS)
                continue
            if answer.status_code == 200:
                return answer
            assert answer.status_code in {401, 409, 429, 503}, answer.text
            time.sleep(_PAUSE_SECONDS)
