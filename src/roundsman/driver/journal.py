"""What the service has of a device's journal, at the door."""

from roundsman.domain.actions import JournalState
from roundsman.endpoints.access import DriverDevice
from roundsman.endpoints.operation import Operations
from roundsman.operations import journal
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.driver.answers import KnownActionsAnswer, KnownActionsBody

OPERATIONS = Operations("Journal", DriverDevice())


@OPERATIONS.add(
    "GET",
    "/journal",
    summary="See up to which action the journal of this device has arrived, and what waits",
)
def get_journal(tools: Tools, request: Request) -> JournalState:
    """See up to which number the actions of this device have arrived, which are missing, and which
    wait for files.
    """
    return journal.read_state(tools, request)


@OPERATIONS.add(
    "POST",
    "/journal/known",
    summary="See which of these actions have arrived, after a journal was restored",
    keeps_answers=False,
)
def find_known_actions(
    tools: Tools, request: Request, body: KnownActionsBody
) -> KnownActionsAnswer:
    """After a device was restored: see which of these actions have arrived, so that no other gets
    their numbers.
    """
    found = journal.find_known(tools, request, body.ids)
    return KnownActionsAnswer(known=found.known, superseded=found.superseded)
