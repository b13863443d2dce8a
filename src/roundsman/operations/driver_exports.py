"""What is stored of a person, taken out: of a driver here, of a customer in `erasures`."""

import json

import msgspec
from msgspec.structs import asdict

from roundsman.domain.erasure import PersonIdentifier
from roundsman.domain.errors import NotFound
from roundsman.domain.person_export import DriverExport, PersonExport
from roundsman.operations.erasures import export_customer
from roundsman.operations.tools import Tools
from roundsman.storage.driver_exports import (
    list_driven_routes,
    list_driver_actions,
    list_driver_positions,
)
from roundsman.storage.driver_sessions import select_sessions
from roundsman.storage.drivers import find_driver


def export_person(tools: Tools, organization_id: str, identifier: PersonIdentifier) -> PersonExport:
    """Return everything that is stored of one person; raise NotFound for an unknown driver."""
    if identifier.driver_id:
        driver = _export_driver(tools, organization_id, identifier.driver_id)
        return PersonExport(driver=driver)
    return PersonExport(**asdict(export_customer(tools, organization_id, identifier)))


def _export_driver(tools: Tools, organization_id: str, driver_id: str) -> DriverExport:
    """Return what is stored of a driver; what was done at customers' doors is the customers'."""
    with tools.database.reading_for_long() as tx:
        driver = find_driver(tx, organization_id, driver_id)
        if driver is None:
            raise NotFound("driver not found")
        return DriverExport(
            driver=driver,
            devices=select_sessions(tx, driver_id, tools.clock.now()),
            routes=list_driven_routes(tx, organization_id, driver_id),
            positions=list_driver_positions(tx, organization_id, driver_id),
            actions=tuple(
                {**msgspec.to_builtins(entry), "action": json.loads(content)}
                for entry, content in list_driver_actions(tx, organization_id, driver_id)
            ),
        )
