"""What drivers do, as planners see it: journals, devices, and links to rate a delivery."""

from roundsman.api.operation import Call, Operation, answer_nothing
from roundsman.domain.driver_session import DriverSession
from roundsman.domain.queries import ListDriverActions
from roundsman.operations import ratings, sign_up
from roundsman.operations.journal import Line, list_journal
from roundsman.operations.paging import Page
from roundsman.wire.v2024_07.answers import DriverSessionsAnswer, Nothing, RatingLink
from roundsman.wire.v2024_07.journal import JournalAnswer, encode_journal


def _list_actions(call: Call) -> Page[Line]:
    return list_journal(call.tools, call.organization_id, call.query)


def _encode_actions(page: Page[Line]) -> bytes:
    return encode_journal(page.rows, page.next_cursor)


def _list_sessions(call: Call) -> DriverSessionsAnswer:
    listed: tuple[DriverSession, ...] = sign_up.list_devices(
        call.tools, call.organization_id, call.path["driverId"]
    )
    return DriverSessionsAnswer(sessions=listed)


def _end_session(call: Call) -> None:
    sign_up.sign_out(call.tools, call.request, call.path["driverId"], call.path["sessionId"])


def _rating_link(call: Call) -> RatingLink:
    route_id, stop_id = call.path["routeId"], call.path["stopId"]
    return RatingLink(
        url=ratings.make_rating_url(call.tools, call.organization_id, route_id, stop_id)
    )


OPERATIONS = (
    Operation(
        id="listDriverActions",
        method="GET",
        path="/driver-actions",
        summary="List what drivers told, and what of it was kept for the planner, oldest first",
        tag="Drivers",
        handle=_list_actions,
        query=ListDriverActions,
        answer=JournalAnswer,
        render=_encode_actions,
    ),
    Operation(
        id="listDriverSessions",
        method="GET",
        path="/drivers/{driverId}/sessions",
        summary="List the devices on which a driver is signed in",
        tag="Drivers",
        handle=_list_sessions,
        answer=DriverSessionsAnswer,
    ),
    Operation(
        id="endDriverSession",
        method="DELETE",
        path="/drivers/{driverId}/sessions/{sessionId}",
        summary="Sign a driver's device out",
        tag="Drivers",
        handle=_end_session,
        answer=Nothing,
        render=answer_nothing,
    ),
    Operation(
        id="getRatingLink",
        method="GET",
        path="/routes/{routeId}/stops/{stopId}/rating-link",
        summary="Get the link with which a stop's customer may rate it",
        tag="Route stops",
        handle=_rating_link,
        answer=RatingLink,
    ),
)
