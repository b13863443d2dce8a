"""Drivers at the door."""

from roundsman.api.operation import Call, Operation
from roundsman.domain.driver import Driver, DriverDetails, DriverDraft
from roundsman.domain.queries import ListDrivers
from roundsman.operations import drivers
from roundsman.operations.drivers import Invitation
from roundsman.operations.paging import Page
from roundsman.wire.field_mask import UpdateShape
from roundsman.wire.v2024_07.fleet import (
    DriversAnswer,
    InvitedDriver,
    NewDriver,
    encode_drivers,
    encode_invited_driver,
    encode_new_driver,
)

_TAG = "Drivers"
_UPDATE = UpdateShape(
    "driver",
    DriverDetails,
    ("firstName", "lastName", "phone", "email"),
    never_blank=("firstName",),
)


def _list_drivers(call: Call) -> Page[Driver]:
    return drivers.list_drivers(call.tools, call.organization_id, call.query)


def _encode_page(page: Page[Driver]) -> bytes:
    return encode_drivers(page.rows, page.next_cursor)


def _get_driver(call: Call) -> Driver:
    return drivers.get_driver(call.tools, call.organization_id, call.path["driverId"])


def _add_driver(call: Call) -> Invitation:
    return drivers.add_driver(call.tools, call.request, call.body)


def _encode_new(invitation: Invitation) -> bytes:
    return encode_new_driver(invitation.driver, invitation.url)


def _update_driver(call: Call) -> Driver:
    return drivers.update_driver(call.tools, call.request, call.path["driverId"], call.body.values)


def _invite_driver(call: Call) -> Invitation:
    return drivers.invite_driver(call.tools, call.request, call.path["driverId"])


def _encode_invited(invitation: Invitation) -> bytes:
    return encode_invited_driver(invitation.driver, invitation.url)


def _activate_driver(call: Call) -> Driver:
    return drivers.activate_driver(call.tools, call.request, call.path["driverId"])


def _deactivate_driver(call: Call) -> Driver:
    return drivers.deactivate_driver(call.tools, call.request, call.path["driverId"])


def _archive_driver(call: Call) -> Driver:
    return drivers.archive_driver(call.tools, call.request, call.path["driverId"])


OPERATIONS = (
    Operation(
        id="listDrivers",
        method="GET",
        path="/drivers",
        summary="List drivers, page by page, oldest first",
        tag=_TAG,
        handle=_list_drivers,
        query=ListDrivers,
        answer=DriversAnswer,
        render=_encode_page,
    ),
    Operation(
        id="getDriver",
        method="GET",
        path="/drivers/{driverId}",
        summary="Get a driver",
        tag=_TAG,
        handle=_get_driver,
        answer=Driver,
    ),
    Operation(
        id="addDriver",
        method="POST",
        path="/drivers",
        summary="Add a driver, and get the link to sign up with",
        tag=_TAG,
        handle=_add_driver,
        body=DriverDraft,
        answer=NewDriver,
        render=_encode_new,
    ),
    Operation(
        id="updateDriver",
        method="PATCH",
        path="/drivers/{driverId}",
        summary="Change a driver's profile",
        tag=_TAG,
        handle=_update_driver,
        body=_UPDATE,
        answer=Driver,
    ),
    Operation(
        id="inviteDriver",
        method="POST",
        path="/drivers/{driverId}/invite",
        summary="Get a new link for a driver to sign up, or in on one more device",
        tag=_TAG,
        handle=_invite_driver,
        answer=InvitedDriver,
        render=_encode_invited,
    ),
    Operation(
        id="activateDriver",
        method="POST",
        path="/drivers/{driverId}/activate",
        summary="Let a driver drive",
        tag=_TAG,
        handle=_activate_driver,
        answer=Driver,
    ),
    Operation(
        id="deactivateDriver",
        method="POST",
        path="/drivers/{driverId}/deactivate",
        summary="Keep a driver from driving for now",
        tag=_TAG,
        handle=_deactivate_driver,
        answer=Driver,
    ),
    Operation(
        id="archiveDriver",
        method="POST",
        path="/drivers/{driverId}/archive",
        summary="Take a driver off the fleet for good",
        tag=_TAG,
        handle=_archive_driver,
        answer=Driver,
    ),
)
