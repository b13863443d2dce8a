"""A webhook with a secret of its own: who knows another receiver's can sign nothing for it."""

import pytest
from tests.webhooks.receiver import Received, Receiver
from tests.webhooks.verifying import is_signed
from tests.workers.world import World

from roundsman.domain.errors import FailedPrecondition, NotFound
from roundsman.domain.principal import operator
from roundsman.operations import signing_secrets
from roundsman.operations.request import Request
from roundsman.operations.signing_secrets import SigningSecrets

pytestmark = pytest.mark.both_databases


def signers(got: Received, *secrets: str) -> list[bool]:
    """Say of each secret whether it made the interface's own signature."""
    header = got.headers["x-service-hmac-sha256"]
    return [is_signed(got.body, header, one) for one in secrets]


def signatures(got: Received) -> int:
    return len(got.headers["webhook-signature"].split(" "))


def newest(world: World, receiver: Receiver, path: str) -> Received:
    world.happen()
    world.send()
    return [one for one in receiver.received if one.path == path][-1]


def rotated(world: World, webhook: str = "") -> str:
    made = signing_secrets.rotate_signing_secret(world.tools, world.request, webhook)
    assert made.following is not None
    return made.following


def test_a_webhook_gets_a_secret_of_its_own_and_others_keep_the_organizations(
    world: World, receiver: Receiver
) -> None:
    ours, other = world.subscribe(receiver.url("/ours")), world.subscribe(receiver.url("/other"))
    own = rotated(world, ours)
    while_both = newest(world, receiver, "/ours")
    assert signers(while_both, world.secret, own) == [True, False]
    assert signatures(while_both) == 2
    assert signatures(newest(world, receiver, "/other")) == 1
    left = signing_secrets.finish_signing_rotation(world.tools, world.request, ours)
    assert left == SigningSecrets(current=own, following=None, is_own=True)
    assert signers(newest(world, receiver, "/ours"), world.secret, own) == [False, True]
    assert signers(newest(world, receiver, "/other"), world.secret, own) == [True, False]
    organizations = rotated(world)
    assert signatures(newest(world, receiver, "/ours")) == 1
    assert signatures(newest(world, receiver, "/other")) == 2
    signing_secrets.finish_signing_rotation(world.tools, world.request)
    assert signers(newest(world, receiver, "/other"), world.secret, organizations) == [False, True]
    assert signing_secrets.read_secrets(world.tools, world.organization_id, ours).current == own
    shown = signing_secrets.read_secrets(world.tools, world.organization_id, other)
    assert shown == SigningSecrets(current=organizations, following=None)


def test_while_both_are_replaced_each_has_a_signature_and_a_cancelled_one_none(
    world: World, receiver: Receiver
) -> None:
    ours = world.subscribe(receiver.url("/ours"))
    rotated(world)
    own = rotated(world, ours)
    got = newest(world, receiver, "/ours")
    assert signers(got, world.secret) == [True]
    assert signatures(got) == 3
    with pytest.raises(FailedPrecondition, match="a rotation is under way"):
        rotated(world, ours)
    signing_secrets.cancel_signing_rotation(world.tools, world.request, ours)
    got = newest(world, receiver, "/ours")
    assert (signers(got, world.secret, own), signatures(got)) == ([True, False], 2)
    with pytest.raises(FailedPrecondition, match="no rotation is under way"):
        signing_secrets.finish_signing_rotation(world.tools, world.request, ours)


def test_an_own_secret_is_replaced_and_no_stranger_reaches_it(
    world: World, receiver: Receiver
) -> None:
    ours = world.subscribe(receiver.url("/ours"))
    first = rotated(world, ours)
    signing_secrets.finish_signing_rotation(world.tools, world.request, ours)
    second = rotated(world, ours)
    got = newest(world, receiver, "/ours")
    assert (signers(got, first, second), signatures(got)) == ([True, False], 2)
    stranger = Request(principal=operator("other-0001"))
    for change in (
        signing_secrets.rotate_signing_secret,
        signing_secrets.finish_signing_rotation,
        signing_secrets.cancel_signing_rotation,
    ):
        with pytest.raises(NotFound):
            change(world.tools, stranger, ours)
    with pytest.raises(NotFound, match="webhook not found"):
        signing_secrets.read_secrets(world.tools, "other-0001", ours)
