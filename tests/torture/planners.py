"""Clients of programs: signed in, and their answers with the seconds they took."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx

type Json = Any
VAN = {"name": "Van", "type": "CAR"}


@dataclass(frozen=True, slots=True)
class Answered:
    """How an answer came: its status, and after how many seconds."""

    status: int
    seconds: float


def sign_in(http: httpx.Client, credentials: tuple[str, str]) -> None:
    """Have a client send a token from now on."""
    client_id, secret = credentials
    answer = http.post("/authenticate", json={"clientId": client_id, "clientSecret": secret})
    assert answer.status_code == 200, answer.text
    http.headers["Authorization"] = f"Bearer {answer.json()['accessToken']}"


def ask(http: httpx.Client, method: str, path: str, body: Json = None) -> Answered:
    """Send a request and take its time."""
    begun = time.monotonic()
    answer = http.request(method, path, json=body)
    return Answered(answer.status_code, time.monotonic() - begun)


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return what that share of the values is at most."""
    return sorted(seconds)[min(int(len(seconds) * share), len(seconds) - 1)]
