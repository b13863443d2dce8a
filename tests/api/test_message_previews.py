"""An example says what a real message will cost."""

from tests.api.conftest import World
from tests.api.test_messages import configure, dispatch, enable, gateway, send, sms
from tests.notifications.post_office import Gateway

__all__ = ["gateway"]


def test_the_link_of_an_example_is_as_long_as_a_real_one(world: World, gateway: Gateway) -> None:
    draft = {"moment": "PLANNED", "channel": "SMS", "language": "en"}
    own = {**draft, "text": "{link}"}
    configure(
        world, rules=enable("PLANNED", channel="SMS"), templates=[own], smsGateway=sms(gateway)
    )
    dispatch(world, stops=1)
    send(world)
    shown = world.client.post("/settings/messages/preview", draft).json()["text"]
    ((_, _, body),) = gateway.requests
    assert len(shown) == len(body["text"])
