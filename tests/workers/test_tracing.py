"""An attempt to deliver an event is a trace of its own, which says neither to whom nor what."""

import pytest
from tests.spans import recorded, told
from tests.webhooks.receiver import Receiver
from tests.workers.world import World

from roundsman.domain.topics import Topic


@pytest.mark.parametrize(
    ("path", "answered"),
    [
        (
            "/status/200",
            {"roundsman.webhook.outcome": "acknowledged", "http.response.status_code": 200},
        ),
        (
            "/status/503",
            {"roundsman.webhook.outcome": "refused", "http.response.status_code": 503},
        ),
    ],
)
def test_an_attempt_is_a_trace_with_its_topic_and_outcome(
    world: World, receiver: Receiver, path: str, answered: dict[str, object]
) -> None:
    world.subscribe(receiver.url(path))
    world.happen()
    with recorded() as spans:
        world.send()
        [attempt] = spans.all()
        assert attempt.parent is None
        assert told(attempt) == {
            "roundsman.webhook.topic": Topic.IMPORTED_STOP_CREATED.value,
            **answered,
        }
        assert "127.0.0.1" not in spans.text()


def test_an_attempt_without_an_answer_has_no_status(world: World) -> None:
    world.subscribe("http://127.0.0.1:9/")
    world.happen()
    with recorded() as spans:
        world.send()
        [attempt] = spans.all()
    assert told(attempt)["roundsman.webhook.outcome"] == "unanswered"
    assert "http.response.status_code" not in told(attempt)
