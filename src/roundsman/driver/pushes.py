"""Whether this device is told by push that a planner has changed something."""

from roundsman.endpoints.access import DriverDevice
from roundsman.endpoints.operation import Operations, Pool
from roundsman.operations import driver_push
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.driver.answers import PushAnswer, PushBody

OPERATIONS = Operations("Pushes", DriverDevice())


@OPERATIONS.add("GET", "/push-subscriptions", summary="See whether this device is told by push")
def show_push_state(tools: Tools, request: Request) -> PushAnswer:
    """Return the key with which the browser subscribes, and whether this device is told."""
    state = driver_push.get_push_state(tools, request)
    return PushAnswer(public_key=state.public_key, is_subscribed=state.is_subscribed)


@OPERATIONS.add(
    "POST",
    "/push-subscriptions",
    summary="Have this device told when a route changes",
    pool=Pool.OUTBOUND,
)
def subscribe_to_pushes(tools: Tools, request: Request, body: PushBody) -> None:
    """Take the `endpoint` of the browser's subscription (W3C Push API). A later one replaces it; it
    ends with the session.
    """
    driver_push.subscribe_to_pushes(tools, request, body.endpoint)


@OPERATIONS.add("DELETE", "/push-subscriptions", summary="Tell this device nothing more")
def end_pushes(tools: Tools, request: Request) -> None:
    """Send this device no more pushes."""
    driver_push.end_pushes(tools, request)
