import threading

import pytest
from starlette.responses import Response

from roundsman.api.app import OPERATIONS
from roundsman.domain.errors import ResourceExhausted
from roundsman.driver.app import OPERATIONS as DRIVER_OPERATIONS
from roundsman.endpoints.operation import Pool
from roundsman.endpoints.outbound_threads import OutboundThreads
from roundsman.members import openid


def test_who_waits_for_slow_hosts_keeps_nobody_else_waiting() -> None:
    threads = OutboundThreads(at_once=3, most_each=2, most_waiting_each=1)
    end = threading.Event()

    def wait() -> Response:
        assert end.wait(60)
        return Response("late")

    slow = [threads.submit("acme", wait) for _ in range(3)]
    with pytest.raises(ResourceExhausted, match="1 requests are waiting for other hosts"):
        threads.submit("acme", wait)
    assert threads.submit("other", lambda: Response("at once")).result(60).body == b"at once"
    end.set()
    assert [one.result(60).body for one in slow] == [b"late"] * 3
    assert threads.submit("acme", wait).result(60).body == b"late"
    threads.close()


def test_strangers_of_one_ipv6_network_take_turns_as_one() -> None:
    threads, end = OutboundThreads(at_once=2, most_each=1, most_waiting_each=0), threading.Event()

    def wait() -> Response:
        assert end.wait(60)
        return Response("late")

    running = threads.submit("2001:db8::1", wait)
    with pytest.raises(ResourceExhausted):
        threads.submit("2001:db8::2", wait)
    assert threads.submit("2001:db8:0:1::1", Response).result(60).status_code == 200
    end.set()
    assert running.result(60).body == b"late"
    threads.close()


def test_what_waits_for_its_turn_is_given_up_when_the_server_ends() -> None:
    threads, end = OutboundThreads(at_once=1, most_each=1), threading.Event()

    def wait() -> Response:
        assert end.wait(60)
        return Response("late")

    running, waiting = (threads.submit("acme", wait) for _ in range(2))
    waiting.add_done_callback(lambda _: end.set())
    threads.close()
    assert waiting.cancelled()
    assert running.result(60).body == b"late"


def test_a_request_that_fails_gives_its_place_away() -> None:
    threads = OutboundThreads(at_once=1, most_each=1)

    def fail() -> Response:
        raise ValueError("no such host")

    for _ in range(2):
        with pytest.raises(ValueError, match="no such host"):
            threads.submit("acme", fail).result(60)
    threads.close()


def test_what_looks_up_or_asks_other_hosts_runs_apart() -> None:
    operations = (*OPERATIONS, *DRIVER_OPERATIONS, *openid.OPERATIONS.listed)
    assert {f"{one.method} {one.path}" for one in operations if one.pool is Pool.OUTBOUND} == {
        "PATCH /settings/messages",
        "POST /settings/messages/test",
        "POST /storefronts",
        "PATCH /storefronts/{id}",
        "POST /storefronts/{id}/credentials",
        "POST /storefronts/{id}/check",
        "POST /webhooks",
        "POST /push-subscriptions",
        "GET /oidc",
        "GET /oidc/callback",
    }
