"""Two owners who change the settings of messages at once lose nothing of each other's."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_messages import configure, enable


def change(world: World, tag: str, **settings: Any) -> Any:
    body = {"messages": settings, "updateMask": ",".join(settings)}
    return world.client.send("PATCH", "/settings/messages", json=body, headers={"If-Match": tag})


@pytest.mark.both_databases
def test_settings_that_somebody_has_changed_meanwhile_are_left_as_they_are(world: World) -> None:
    opened = world.client.get("/settings/messages")
    configure(world, rules=enable("NEXT"))
    refused = change(world, opened.headers["ETag"], rules=enable("PLANNED"))
    assert (refused.status_code, refused.json()["code"]) == (412, 9)
    read = world.client.get("/settings/messages")
    assert read.json()["rules"] == enable("NEXT")
    assert refused.headers["ETag"] == read.headers["ETag"] != opened.headers["ETag"]
    changed = change(world, read.headers["ETag"], rules=enable("NEXT", "PLANNED"))
    assert changed.json()["rules"] == enable("NEXT", "PLANNED")
    again = change(world, changed.headers["ETag"], quietHours={"start": "21:00", "end": "07:00"})
    assert again.status_code == 200, "the answer to a change tells the tag of the next one"
    # Whoever names no version changes what there is, as before.
    assert configure(world, rules=[])["rules"] == []
