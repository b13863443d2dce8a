"""The client on real sockets: what is refused opens no connection at all."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from tests.webhooks.certificates import make_certificate
from tests.webhooks.names import KnownNames
from tests.webhooks.receiver import Receiver
from tests.webhooks.test_address_guard import HOSTILE_HOSTS, HOSTILE_URLS
from tests.world import FixedClock

from roundsman.domain.event_delivery import Attempt
from roundsman.domain.issue import IssueType
from roundsman.domain.model import UNSET, UnsetType
from roundsman.webhooks.address_guard import (
    Address,
    AddressGuard,
    HostResolver,
    Subnet,
    Unresolvable,
    check_url,
)
from roundsman.webhooks.resolution import HostLookups, TimedResolver
from roundsman.webhooks.sender import Sender

LOOPBACK = (ip_network("127.0.0.0/8"),)


def send_all(
    urls: Sequence[str],
    *,
    allowed: tuple[Subnet, ...] = (),
    resolver: HostResolver | None = None,
    authorities: Path | None = None,
    seconds: float = 5,
) -> list[Attempt]:
    guard = AddressGuard(allowed_subnets=allowed, resolver=resolver or KnownNames())

    async def one_by_one() -> list[Attempt]:
        async with Sender(guard, authorities, FixedClock(), seconds) as sender:
            return [await sender.send(url, b"{}", HEADERS) for url in urls]

    return asyncio.run(one_by_one())


def send(
    url: str,
    *,
    allowed: tuple[Subnet, ...] = (),
    resolver: HostResolver | None = None,
    authorities: Path | None = None,
    seconds: float = 5,
) -> Attempt:
    (attempt,) = send_all(
        [url], allowed=allowed, resolver=resolver, authorities=authorities, seconds=seconds
    )
    return attempt


HEADERS: Mapping[str, str] = {"Content-Type": "application/json"}


def test_the_table_of_hostile_urls_is_long() -> None:
    assert len({*HOSTILE_HOSTS, *HOSTILE_URLS}) >= 150


@pytest.mark.spec("decisions §9")
def test_no_hostile_url_is_connected_to(
    record_property: Callable[[str, object], None],
) -> None:
    with Receiver().listening() as plain:
        urls = [
            *(f"https://{host}/hooks" for host in HOSTILE_HOSTS),
            *HOSTILE_URLS,
            # The same at the port where somebody listens.
            *(f"https://{host}:{plain.port}/" for host in HOSTILE_HOSTS if ":" not in host),
            *(f"http://{host}:{plain.port}/" for host in HOSTILE_HOSTS if ":" not in host),
            plain.url("/in"),
            plain.url("/in", host="localhost"),
        ]
        for url, attempt in zip(urls, send_all(urls), strict=True):
            assert attempt.error, url
            assert attempt.status == 0, url
        record_property("hostile_urls", len(urls))
        record_property("connections", plain.connections)
        assert plain.connections == 0


class Turncoat:
    """A name that is public when it is registered, and a neighbour when it is sent to."""

    def __init__(self) -> None:
        self.asked = 0

    def resolve(self, host: str) -> Sequence[Address]:
        del host
        self.asked += 1
        return [ip_address("93.184.215.14" if self.asked == 1 else "127.0.0.1")]


@pytest.mark.spec("decisions §9")
def test_a_name_that_points_elsewhere_by_then_is_not_connected_to() -> None:
    with Receiver().listening() as receiver:
        url = f"https://turncoat.example.com:{receiver.port}/in"
        turncoat = Turncoat()
        check_url(url, (), turncoat)
        attempt = send(url, resolver=turncoat)
        assert "events are not sent to 127.0.0.1" in attempt.error
        assert attempt.error_type is IssueType.ADDRESS_NOT_ALLOWED
        assert turncoat.asked == 2
        assert receiver.connections == 0


@pytest.mark.spec("decisions §9")
def test_the_socket_itself_is_refused_whatever_the_look_up_let_pass() -> None:
    with Receiver().listening() as receiver:
        attempt = send(f"https://127.0.0.1:{receiver.port}/in")
        assert "events are not sent to 127.0.0.1" in attempt.error
        assert attempt.error_type is IssueType.ADDRESS_NOT_ALLOWED
        assert receiver.connections == 0


@pytest.mark.spec("decisions §9")
def test_a_name_with_one_private_address_is_refused_as_a_whole() -> None:
    assert "events are not sent to 10.0.0.5" in send("https://half.example.com/").error


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with Receiver().listening() as target, Receiver().listening() as receiver:
        url = receiver.url(f"/status/{status}/Location={target.url('/in')}")
        assert send(url, allowed=LOOPBACK).status == status
        assert (len(receiver.received), target.connections) == (1, 0)


@pytest.mark.spec("decisions §9")
def test_plain_http_is_for_allowed_subnets_only() -> None:
    with Receiver().listening() as receiver:
        assert send(receiver.url("/in"), allowed=LOOPBACK).status == 200
        assert send(receiver.url("/in", host="localhost"), allowed=LOOPBACK).status == 200
        other = (ip_network("10.0.0.0/8"),)
        assert "events are not sent to 127.0.0.1" in send(receiver.url(), allowed=other).error
        assert receiver.connections == 2


@pytest.mark.spec("decisions §11")
def test_certificates_are_verified_against_the_system_and_the_named_file(tmp_path: Path) -> None:
    authority, context = make_certificate(tmp_path / "right")
    _, unknown = make_certificate(tmp_path / "unknown")
    wrong_name, elsewhere = make_certificate(tmp_path / "elsewhere", "receiver.example.com")
    with Receiver(tls=context).listening() as receiver:
        fine = send(receiver.url("/in"), allowed=LOOPBACK, authorities=authority)
        assert (fine.status, fine.error) == (200, "")
        assert "ertificate" in send(receiver.url("/in"), allowed=LOOPBACK).error
    for tls, trusted in ((unknown, authority), (elsewhere, wrong_name)):
        with Receiver(tls=tls).listening() as receiver:
            refused = send(receiver.url("/in"), allowed=LOOPBACK, authorities=trusted)
            assert "ertificate" in refused.error
            assert refused.error_type is IssueType.CERTIFICATE_NOT_TRUSTED
            assert receiver.received == []


@pytest.mark.parametrize(
    ("scheme", "answer", "found"),
    [
        ("http", b"220 mail.example.com ESMTP\r\n", IssueType.NOT_HTTP),
        ("http", b"", IssueType.CONNECTION_BROKEN),
        ("http", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", UNSET),
        ("https", b"220 mail.example.com ESMTP\r\n", IssueType.NOT_ENCRYPTED),
    ],
)
def test_what_goes_wrong_with_an_answer_has_a_type(
    scheme: str, answer: bytes, found: IssueType | UnsetType
) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            await reader.read(1)
            writer.write(answer)

    async def ask() -> Attempt:
        guard = AddressGuard(allowed_subnets=LOOPBACK, resolver=KnownNames())
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server, Sender(guard, None, FixedClock()) as sender:
            port = server.sockets[0].getsockname()[1]
            return await sender.send(f"{scheme}://127.0.0.1:{port}/", b"{}", HEADERS)

    assert asyncio.run(ask()).error_type is found


def test_why_nothing_is_sent_has_a_type() -> None:
    with Receiver().listening() as receiver:
        closed = receiver.url("/in")
    assert send(closed, allowed=LOOPBACK).error_type is IssueType.CONNECTION_REFUSED
    assert send("https://nobody.invalid/").error_type is IssueType.HOST_UNKNOWN
    assert send("ftp://example.com/").error_type is IssueType.URL_NOT_ALLOWED


@pytest.mark.spec("decisions §9")
def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver().listening() as proxy, Receiver().listening() as receiver:
        for name in ("http_proxy", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url())
        assert send(receiver.url("/in"), allowed=LOOPBACK).status == 200
        assert proxy.connections == 0


class Slow:
    """A resolver that answers when it is let."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.lets = threading.Event()

    def resolve(self, host: str) -> Sequence[Address]:
        self.asked.append(host)
        assert self.lets.wait(30)
        return [ip_address("127.0.0.1")]


def test_a_look_up_is_not_waited_for_too_long_and_shared_by_all_who_wait() -> None:
    slow = Slow()
    with Receiver().listening() as receiver:
        url = receiver.url("/in", host="slow.example.com")
        attempt = send(url, allowed=LOOPBACK, resolver=slow, seconds=0.2)
        assert attempt.error == "no answer within 0.2 s"
        assert attempt.error_type is IssueType.NO_ANSWER_IN_TIME
        assert receiver.connections == 0
    timed = TimedResolver(slow, seconds=0.05)
    for _ in range(3):
        with pytest.raises(Unresolvable):
            timed.resolve("slow.example.com")
    assert slow.asked == ["slow.example.com"] * 2, "one look-up for each of the two who share one"
    slow.lets.set()


def test_only_so_many_names_are_looked_up_at_once() -> None:
    slow = Slow()
    lookups = HostLookups(slow)
    under_way = [lookups.start(f"{number}.example.com") for number in range(64)]
    with pytest.raises(Unresolvable, match="too many"):
        lookups.start("one-more.example.com")
    assert lookups.start("7.example.com") is under_way[7]
    slow.lets.set()
    assert [lookup.result(30) for lookup in under_way] == [[ip_address("127.0.0.1")]] * 64


@pytest.mark.spec("decisions §16")
@pytest.mark.parametrize("keeps_connections", [True, False])
def test_a_second_answer_is_not_read_as_that_to_the_next_request(
    *, keeps_connections: bool
) -> None:
    guard = AddressGuard(allowed_subnets=LOOPBACK, resolver=KnownNames())
    answer = b"HTTP/1.1 %d -\r\nContent-Length: 0\r\n\r\n"
    asked = 0

    async def ask_twice() -> list[int]:
        is_answered, is_answered_twice = asyncio.Event(), asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal asked
            with closing(writer), suppress(asyncio.IncompleteReadError):
                while await reader.readuntil(b"{}"):
                    asked += 1
                    writer.write(answer % (200 if asked == 1 else 500))
                    if asked == 1:
                        await is_answered.wait()
                        writer.write(answer % 200)
                        is_answered_twice.set()

        async def serve_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with closing(writer):
                await reader.readuntil(b"{}")
                writer.write(answer % 200)

        server, other = [
            await asyncio.start_server(one, "127.0.0.1", 0) for one in (serve, serve_once)
        ]
        url, other_url = (
            f"http://127.0.0.1:{one.sockets[0].getsockname()[1]}/" for one in (server, other)
        )
        sender = Sender(guard, None, FixedClock(), keeps_connections=keeps_connections)
        async with server, other, sender:
            first = await sender.send(url, b"{}", HEADERS)
            is_answered.set()
            await is_answered_twice.wait()
            # By the time that another exchange is over, what was sent before has arrived.
            await sender.send(other_url, b"{}", HEADERS)
            second = await sender.send(url, b"{}", HEADERS)
        return [first.status, second.status]

    assert asyncio.run(ask_twice()) == [200, 500]
    assert asked == 2
