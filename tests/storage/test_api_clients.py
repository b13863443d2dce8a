from collections.abc import Callable

import pytest
from sqlalchemy.exc import IntegrityError
from tests.storage.rows import ACME, MICROSECOND, NOW, OTHER, STRANGE, at

from roundsman.domain.principal import ALL_SCOPES, Principal, Scope, api_client
from roundsman.storage.api_clients import (
    ClientRecord,
    add_client,
    add_secret,
    add_token,
    count_clients,
    find_caller,
    find_client,
    has_client,
    list_secrets,
    remove_expired_tokens,
    remove_secret,
    remove_token,
    select_clients,
)
from roundsman.storage.database import Database

pytestmark = pytest.mark.both_databases

ODD = b"\0\xff'\\x"
"""Bytes that are no text in any encoding."""


def caller(client_id: str, owner: str = ACME) -> Principal:
    return api_client(owner, client_id, f"{client_id}@example.com")


def test_clients_are_listed_oldest_first_with_their_secrets_organization_by_organization(
    shared: Database,
) -> None:
    odd = api_client(ACME, "a-odd", STRANGE)
    with shared.writing() as tx:
        assert not has_client(tx, ACME)
        for added, seconds in ((caller("c"), 2), (caller("b"), 1), (odd, 1)):
            add_client(tx, added, at(seconds))
        add_client(tx, caller("z", OTHER), at(0))
        for number, owner in enumerate(("b", "b", "c", "z")):
            add_secret(tx, owner, ODD + bytes([9 - number]), at(number))
    with shared.reading() as tx:
        assert select_clients(tx, ACME) == [
            ClientRecord(
                client_id="a-odd",
                email=STRANGE,
                created_at=at(1),
                live_secrets=0,
                scopes=ALL_SCOPES,
            ),
            ClientRecord(
                client_id="b",
                email="b@example.com",
                created_at=at(1),
                live_secrets=2,
                scopes=ALL_SCOPES,
            ),
            ClientRecord(
                client_id="c",
                email="c@example.com",
                created_at=at(2),
                live_secrets=1,
                scopes=ALL_SCOPES,
            ),
        ]
        assert [one.client_id for one in select_clients(tx, OTHER)] == ["z"]
        assert [count_clients(tx, one) for one in (ACME, OTHER, "nobody")] == [3, 1, 0]
        assert [has_client(tx, one) for one in (ACME, OTHER, "nobody")] == [True, True, False]
        assert find_client(tx, "a-odd") == odd
        assert find_client(tx, "z") == caller("z", OTHER)
        assert find_client(tx, "A-ODD") is None
        assert list_secrets(tx, "b") == [ODD + b"\x09", ODD + b"\x08"]
        assert list_secrets(tx, "a-odd") == []


def test_a_token_is_its_clients_until_its_last_microsecond_or_its_secret_goes(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        for name, owner in (("ours", ACME), ("theirs", OTHER)):
            add_client(tx, caller(name, owner), NOW)
            for which in ("old", "new"):
                secret = f"{which} of {name}".encode()
                add_secret(tx, name, secret, NOW)
                add_token(tx, ODD + secret, secret, at(60))
    assert find_caller(shared, ODD + b"old of ours", NOW) == caller("ours")
    assert find_caller(shared, ODD + b"old of theirs", NOW) == caller("theirs", OTHER)
    assert find_caller(shared, ODD + b"OLD of ours", NOW) is None
    assert find_caller(shared, ODD + b"old of ours", at(60) - MICROSECOND) == caller("ours")
    assert find_caller(shared, ODD + b"old of ours", at(60)) is None
    with shared.writing() as tx:
        remove_secret(tx, b"old of ours")
        assert list_secrets(tx, "ours") == [b"new of ours"]
    assert find_caller(shared, ODD + b"old of ours", NOW) is None
    assert find_caller(shared, ODD + b"new of ours", NOW) == caller("ours")
    assert find_caller(shared, ODD + b"old of theirs", NOW) == caller("theirs", OTHER)


def test_a_token_may_do_what_both_it_and_its_client_may(shared: Database) -> None:
    few = frozenset({Scope.READ, Scope.DISPATCH})
    cases: dict[bytes, tuple[frozenset[Scope] | None, frozenset[Scope]]] = {
        b"as its client": (None, few),
        b"less": (frozenset({Scope.READ}), frozenset({Scope.READ})),
        b"more": (ALL_SCOPES, few),
        b"other": (frozenset({Scope.READ, Scope.WRITE}), frozenset({Scope.READ})),
        b"nothing": (frozenset(), frozenset()),
    }
    with shared.writing() as tx:
        add_client(tx, api_client(ACME, "c", "c@example.com", few), NOW)
        add_secret(tx, "c", b"s", NOW)
        for token, (scopes, _) in cases.items():
            add_token(tx, token, b"s", at(9), scopes)
    for token, (_, allowed) in cases.items():
        assert find_caller(shared, token, NOW) == api_client(ACME, "c", "c@example.com", allowed)


def test_tokens_that_can_no_longer_be_used_are_forgotten_and_counted(shared: Database) -> None:
    with shared.writing() as tx:
        add_client(tx, caller("c"), NOW)
        add_secret(tx, "c", b"s", NOW)
        for seconds in range(4):
            add_token(tx, bytes([seconds]), b"s", at(seconds))
    with shared.writing() as tx:
        assert remove_expired_tokens(tx, at(2) - MICROSECOND) == 2
        assert remove_expired_tokens(tx, at(2)) == 1
        assert remove_expired_tokens(tx, at(2)) == 0
    assert find_caller(shared, bytes([3]), at(2)) == caller("c")


def test_a_token_that_is_removed_ends_at_once_and_no_other(shared: Database) -> None:
    with shared.writing() as tx:
        add_client(tx, caller("c"), at(0))
        add_secret(tx, "c", b"s", at(0))
        for token in (ODD, ODD + b"2"):
            add_token(tx, token, b"s", at(9))
        remove_token(tx, ODD)
        remove_token(tx, b"unknown")
    assert find_caller(shared, ODD, at(1)) is None
    assert find_caller(shared, ODD + b"2", at(1)) == caller("c")


def test_a_token_of_no_secret_and_a_secret_of_no_client_are_refused(shared: Database) -> None:
    with shared.writing() as tx:
        orphans: tuple[Callable[[], None], ...] = (
            lambda: add_token(tx, b"t", b"unknown", NOW),
            lambda: add_secret(tx, "unknown", b"s", NOW),
            lambda: add_client(tx, caller("c", "unknown"), NOW),
        )
        for add in orphans:
            with pytest.raises(IntegrityError), tx.begin_nested():
                add()
