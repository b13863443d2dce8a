"""A method for each operation of the interface.

Written by scripts/clients.py from the description of the interface; not by hand.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Any

from roundsman_client.calls import Call
from roundsman_client.models import *  # noqa: F403 -- all of them are named below


class AsyncOperations(ABC):
    """What a client can ask; `_send` and `_walk` are the client's."""

    @abstractmethod
    async def _send(self, call: Call) -> Any: ...

    @abstractmethod
    def _walk(self, call: Call, rows: str) -> AsyncIterator[Any]: ...

    async def sign_out(self, body: EmptyBodyInput | None = None, *, idempotency_key: str | None = None) -> Nothing:
        """End the access token that the request comes with, at once.

        End the access token that the request carries, at once. Ask when a program is done, or a token may have leaked.
        """
        return await self._send(Call("POST", "/sign-out", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_organization(self) -> OrganizationAnswer:
        """Get the organization that asks: its name, its time zone and its settings.

        See whom the token speaks for, and the organization's settings. A good first call to check credentials. Takes the scope READ.
        """
        return await self._send(Call("GET", "/organization"))  # type: ignore[no-any-return]

    async def update_organization(self, body: UpdateOrganizationInput, *, idempotency_key: str | None = None) -> OrganizationAnswer:
        """Change the settings of the organization that the mask names.

        Change settings of the organization; the mask says which. Customers' pages and drivers' apps show the new ones at once. Takes the scope SETTINGS.
        """
        return await self._send(Call("PATCH", "/organization", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def put_organization_logo(self, body: bytes) -> OrganizationAnswer:
        """Put a JPEG or PNG on the organization's pages as its logo.

        Set the picture that customers see on their pages; PNG or JPEG of up to a mebibyte. What is no picture is refused. Takes the scope SETTINGS.
        """
        return await self._send(Call("PUT", "/organization/logo", body=body))  # type: ignore[no-any-return]

    async def remove_organization_logo(self, *, idempotency_key: str | None = None) -> OrganizationAnswer:
        """Take the logo off the organization's pages.

        Show no picture on customers' pages any more. Without one nothing happens. Takes the scope SETTINGS.
        """
        return await self._send(Call("DELETE", "/organization/logo", takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def import_stops(self, body: list[StopDraftInput], *, minimum_match: MinimumMatchInput | None = None, dry_run: bool | None = None, partial: bool | None = None, strict: bool | None = None, delivery_date: str | None = None, country: str | None = None, column: dict[str, str] | None = None, ignored: dict[str, str] | None = None, idempotency_key: str | None = None) -> ImportedStopsAnswer:
        """Import up to 200 stops, or a file of up to 5,000; the same clientStopId replaces.

        Add up to 200 stops to the pool, or a file of up to 5,000, all or none; a known clientStopId replaces the stop. Addresses are looked up at once, and one that is not found refuses the whole. Records IMPORTED_STOP_CREATED or IMPORTED_STOP_UPDATED for each. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/stops/imports", query={"query.minimumMatch": minimum_match, "query.dryRun": dry_run, "query.partial": partial, "query.strict": strict, "query.deliveryDate": delivery_date, "query.country": country, "query.column": column, "query.ignored": ignored}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_imported_stops(self, *, limit: int | None = None, sort_key: SortKeyInput | None = None, timestamp_start: str | None = None, timestamp_end: str | None = None, unrouted: bool | None = None, text: str | None = None, tag: str | None = None, delivery_date: str | None = None, cursor: str | None = None) -> ImportedStopsPage:
        """List imported stops, page by page.

        Walk the pool of stops, page by page; `query.unrouted` leaves out what is on a route. Filters narrow it by day, tag and text. Takes the scope READ.
        """
        return await self._send(Call("GET", "/stops/imports", query={"query.limit": limit, "query.sortKey": sort_key, "query.timestampStart": timestamp_start, "query.timestampEnd": timestamp_end, "query.unrouted": unrouted, "query.text": text, "query.tag": tag, "query.deliveryDate": delivery_date, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_imported_stops(self, *, limit: int | None = None, sort_key: SortKeyInput | None = None, timestamp_start: str | None = None, timestamp_end: str | None = None, unrouted: bool | None = None, text: str | None = None, tag: str | None = None, delivery_date: str | None = None) -> AsyncIterator[ImportedStop]:
        """Walk every page of: list imported stops, page by page."""
        return self._walk(Call("GET", "/stops/imports", query={"query.limit": limit, "query.sortKey": sort_key, "query.timestampStart": timestamp_start, "query.timestampEnd": timestamp_end, "query.unrouted": unrouted, "query.text": text, "query.tag": tag, "query.deliveryDate": delivery_date}), "stops")

    async def get_imported_stop(self, id_: str) -> ImportedStop:
        """Get an imported stop by its id or its clientStopId.

        Read a stop of the pool by its id, or by your own clientStopId. Takes the scope READ.
        """
        return await self._send(Call("GET", "/stops/imports/{id}", path={"id": id_}))  # type: ignore[no-any-return]

    async def update_imported_stop(self, id_: str, body: UpdateImportedStopInput, *, idempotency_key: str | None = None) -> ImportedStop:
        """Change the fields of an imported stop that the mask names.

        Change a stop of the pool; the mask says which fields. Routes that were made of it keep their copies. Records IMPORTED_STOP_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PATCH", "/stops/imports/{id}", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def delete_imported_stop(self, id_: str, *, idempotency_key: str | None = None) -> Nothing:
        """Remove an imported stop; route stops made from it stay.

        Take a stop out of the pool; routes keep their copies. Records IMPORTED_STOP_DELETED. Takes the scope WRITE.
        """
        return await self._send(Call("DELETE", "/stops/imports/{id}", path={"id": id_}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_imported_stop_location(self, id_: str, body: UpdateImportedStopLocationInput, *, idempotency_key: str | None = None) -> ImportedStop:
        """Move an imported stop; route stops made from it stay.

        Give a stop of the pool another address or coordinates; an address is looked up. One that is not found is refused. Records IMPORTED_STOP_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PATCH", "/stops/imports/{id}/location", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_imported_stop_items(self, id_: str, body: list[ItemInput], *, idempotency_key: str | None = None) -> ImportedStop:
        """Replace all items of an imported stop.

        Replace what is delivered at a stop of the pool. Records IMPORTED_STOP_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/stops/imports/{id}/items", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_imported_stop_tasks(self, id_: str, body: list[TaskTemplateInput], *, idempotency_key: str | None = None) -> ImportedStop:
        """Replace all tasks of an imported stop.

        Replace what the driver has to do at a stop of the pool. Records IMPORTED_STOP_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/stops/imports/{id}/tasks", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_imported_stop_routes(self, id_: str) -> RouteListAnswer:
        """List the routes that hold an imported stop, archived ones too.

        See on which routes a stop of the pool is, archived ones too. Takes the scope READ.
        """
        return await self._send(Call("GET", "/stops/imports/{id}/routes", path={"id": id_}))  # type: ignore[no-any-return]

    async def create_route(self, body: RouteDraftInput, *, idempotency_key: str | None = None) -> Route:
        """Create an empty route.

        Make a route without stops: where and when it starts, where it ends, its limits. An address is looked up, and refused when it is not found. Records ROUTE_CREATED. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/routes", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_routes(self, *, limit: int | None = None, sort_key: SortKeyInput | None = None, timestamp_start: str | None = None, timestamp_end: str | None = None, include_archived: bool | None = None, driver_id: str | None = None, vehicle_id: str | None = None, status: RouteStatusInput | None = None, tag: str | None = None, text: str | None = None, cursor: str | None = None) -> RoutesAnswer:
        """List routes, page by page.

        Walk routes page by page, with their stops. Filters narrow them by driver, vehicle, status, tag and text; archived ones are left out unless asked for. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes", query={"query.limit": limit, "query.sortKey": sort_key, "query.timestampStart": timestamp_start, "query.timestampEnd": timestamp_end, "query.includeArchived": include_archived, "query.driverId": driver_id, "query.vehicleId": vehicle_id, "query.status": status, "query.tag": tag, "query.text": text, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_routes(self, *, limit: int | None = None, sort_key: SortKeyInput | None = None, timestamp_start: str | None = None, timestamp_end: str | None = None, include_archived: bool | None = None, driver_id: str | None = None, vehicle_id: str | None = None, status: RouteStatusInput | None = None, tag: str | None = None, text: str | None = None) -> AsyncIterator[Route]:
        """Walk every page of: list routes, page by page."""
        return self._walk(Call("GET", "/routes", query={"query.limit": limit, "query.sortKey": sort_key, "query.timestampStart": timestamp_start, "query.timestampEnd": timestamp_end, "query.includeArchived": include_archived, "query.driverId": driver_id, "query.vehicleId": vehicle_id, "query.status": status, "query.tag": tag, "query.text": text}), "routes")

    async def get_route(self, route_id: str) -> Route:
        """Get a route with its stops.

        Read a route with its stops in driving order, times and progress. With `If-None-Match` an unchanged route answers 304. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}", path={"routeId": route_id}))  # type: ignore[no-any-return]

    async def update_route(self, route_id: str, body: UpdateRouteInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Change the fields of a route that the mask names.

        Change what holds of a route as a whole; the mask says which fields. Times are worked out anew. Records ROUTE_UPDATED; an archived route is refused. Takes the scope WRITE.
        """
        return await self._send(Call("PATCH", "/routes/{routeId}", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def delete_route(self, route_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Nothing:
        """Delete a route, archived or not.

        Delete a route; its stops are unrouted again. Records ROUTE_DELETED. One that is dispatched has to be taken back first. Takes the scope WRITE.
        """
        return await self._send(Call("DELETE", "/routes/{routeId}", path={"routeId": route_id}, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def reoptimize_route(self, route_id: str, body: ReoptimizeBodyInput | None = None, *, if_match: str | None = None, idempotency_key: str | None = None) -> ReoptimizedRouteAnswer:
        """Put the stops of a route into the best order.

        Put the open stops into the best order under time windows, priorities and limits; done stops stay in front. Where limits cannot be met it is refused with what would help. Records ROUTE_UPDATED when something changes. With `dryRun` nothing changes: the answer says what would. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/routes/{routeId}/reoptimize", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_route_timetable(self, route_id: str) -> Timetable:
        """Get the planned times of a route, place by place, and the zones of their clocks.

        See when the route is where: arrival, waiting, service and lateness of each stop, by the clocks there. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/timetable", path={"routeId": route_id}))  # type: ignore[no-any-return]

    async def get_route_path(self, route_id: str) -> RoutePath:
        """Get the lines to draw of a route, along roads where there is a map.

        Get the line to draw on a map, as encoded polylines on the roads there are; straight lines where there are none. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/path", path={"routeId": route_id}))  # type: ignore[no-any-return]

    async def get_route_track(self, route_id: str) -> RouteTrack:
        """Get where the drivers of a route were, a point in ten seconds, for as long as kept.

        See where the driver has been, as positions of the last 30 days or as long as the organization keeps them. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/track", path={"routeId": route_id}))  # type: ignore[no-any-return]

    async def list_route_history(self, route_id: str, *, limit: int | None = None, stop_id: str | None = None, cursor: str | None = None) -> HistoryAnswer:
        """List what happened to a route and its stops, page by page, newest first.

        Read who changed what of a route and when, what its drivers did, and what its customers were told, for as long as events are kept. `query.stopId` asks for what concerns one stop. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/history", path={"routeId": route_id}, query={"query.limit": limit, "query.stopId": stop_id, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_route_history(self, route_id: str, *, limit: int | None = None, stop_id: str | None = None) -> AsyncIterator[HistoryEntry]:
        """Walk every page of: list what happened to a route and its stops, page by page, newest first."""
        return self._walk(Call("GET", "/routes/{routeId}/history", path={"routeId": route_id}, query={"query.limit": limit, "query.stopId": stop_id}), "entries")

    async def dispatch_route(self, route_id: str, body: DispatchBodyInput | None = None, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Make a route available to its driver, or to be claimed.

        Hand a route to its driver, or to any driver who claims it. Refused without stops, or where the driver may not drive. Records ROUTE_DISPATCHED. Takes the scope DISPATCH.
        """
        return await self._send(Call("POST", "/routes/{routeId}/dispatch", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def undispatch_route(self, route_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Take a route back from its driver.

        Take a route back from its driver. One that is not dispatched stays as it is. Records ROUTE_UPDATED when something changes. Takes the scope DISPATCH.
        """
        return await self._send(Call("DELETE", "/routes/{routeId}/dispatch", path={"routeId": route_id}, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def mark_route_ready(self, route_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Make the stops of a route ready for delivery.

        Say that every parcel is packed: stops that nobody has begun become READY_FOR_DELIVERY. Records STOP_STATUS_UPDATED for each. Takes the scope DISPATCH.
        """
        return await self._send(Call("POST", "/routes/{routeId}/ready", path={"routeId": route_id}, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def archive_route(self, route_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Put a route away; that undispatches it.

        Put a route away: it is left out of lists and cannot be changed. It is taken back from its driver. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/routes/{routeId}/archive", path={"routeId": route_id}, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def unarchive_route(self, route_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Take an archived route out again.

        Bring a route back that was put away. Takes the scope WRITE.
        """
        return await self._send(Call("DELETE", "/routes/{routeId}/archive", path={"routeId": route_id}, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def assign_route_vehicle(self, route_id: str, body: VehicleBodyInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Give a route a vehicle.

        Say which vehicle drives the route. An archived vehicle is refused. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/routes/{routeId}/vehicle", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def unassign_route_vehicle(self, route_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Take the vehicle from a route.

        Say that no vehicle is chosen yet. Takes the scope WRITE.
        """
        return await self._send(Call("DELETE", "/routes/{routeId}/vehicle", path={"routeId": route_id}, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def assign_route_driver(self, route_id: str, body: DriverBodyInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Give a route a driver; a running dispatch goes over.

        Say who drives the route. A driver who is archived, or may not take over what is dispatched, is refused. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/routes/{routeId}/driver", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def unassign_route_driver(self, route_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Take the driver from a route; while dispatched it can be claimed.

        Say that nobody drives the route yet. Takes the scope WRITE.
        """
        return await self._send(Call("DELETE", "/routes/{routeId}/driver", path={"routeId": route_id}, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_route_start_location(self, route_id: str, body: UpdateRouteStartLocationInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Move the start of a route.

        Let the route start elsewhere; an address is looked up. Times are worked out anew. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PATCH", "/routes/{routeId}/start/location", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_route_end_location(self, route_id: str, body: UpdateRouteEndLocationInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Move the end of a route, or give it one.

        Let the route end elsewhere, or give it an end. Times are worked out anew. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PATCH", "/routes/{routeId}/end/location", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_route_start_tasks(self, route_id: str, body: list[TaskTemplateInput], *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Replace all tasks of the start of a route.

        Replace what the driver has to do before leaving. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/routes/{routeId}/start/tasks", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_route_end_tasks(self, route_id: str, body: list[TaskTemplateInput], *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Replace all tasks of the end of a route.

        Replace what the driver has to do at the end. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/routes/{routeId}/end/tasks", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def preview_route(self, route_id: str, body: PreviewBodyInput | None = None, *, if_match: str | None = None) -> RoutePreview:
        """Get what a change of a route would mean, without making it.

        Try another order, further or fewer stops, or another departure, and see times, lateness and what would be broken. Saves nothing and records nothing. Takes the scope READ.
        """
        return await self._send(Call("POST", "/routes/{routeId}/preview", path={"routeId": route_id}, body=body, if_match=if_match))  # type: ignore[no-any-return]

    async def add_route_stops(self, route_id: str, body: list[AddStopBodyInput], *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Add imported stops to a route, at the end or where they are to be.

        Add stops of the pool, or new ones, at the end or at an index. A stop that is on the route already, or a limit that would be broken, refuses the whole. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/routes/{routeId}/stops", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def remove_route_stops(self, route_id: str, stop_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Remove stops from a route; stopId may name several, comma-separated.

        Take a stop off the route; one of the pool is unrouted again, with what was corrected of it here. A done stop is refused. Records ROUTE_UPDATED, and IMPORTED_STOP_UPDATED where the stop of the pool changes by it. Takes the scope WRITE.
        """
        return await self._send(Call("DELETE", "/routes/{routeId}/stops/{stopId}", path={"routeId": route_id, "stopId": stop_id}, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_route_stop(self, route_id: str, stop_id: str) -> RouteStop:
        """Get a stop of a route.

        Read one stop of a route: times, status, and what proves its delivery. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/stops/{stopId}", path={"routeId": route_id, "stopId": stop_id}))  # type: ignore[no-any-return]

    async def update_route_stop(self, route_id: str, stop_id: str, body: UpdateRouteStopInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> RouteStop:
        """Change the fields of a route stop that the mask names.

        Change one stop of a route; the mask says which fields. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PATCH", "/routes/{routeId}/stops/{stopId}", path={"routeId": route_id, "stopId": stop_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def move_route_stop(self, route_id: str, stop_id: str, body: PositionBodyInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Put a stop at its final index among the stops.

        Give a stop another place on its own route. No place is before a done stop. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/routes/{routeId}/stops/{stopId}/position", path={"routeId": route_id, "stopId": stop_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def order_route_stops(self, route_id: str, body: OrderBodyInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Put all stops of a route that are not done into an order.

        Give the open stops the order of their ids. Done ones stay in front, and a locked one keeps the place that it is given. Records ROUTE_UPDATED once, and nothing where the order is that already. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/routes/{routeId}/order", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def explain_route_stop(self, route_id: str, stop_id: str) -> StopExplanation:
        """Get why a stop is reached when it is: what cost how much, in data and in a sentence.

        See why a stop is reached when it is: which earlier stop, waiting or delay cost how much, as data and as a sentence. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/stops/{stopId}/explanation", path={"routeId": route_id, "stopId": stop_id}))  # type: ignore[no-any-return]

    async def update_route_stop_location(self, route_id: str, stop_id: str, body: UpdateRouteStopLocationInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> RouteStop:
        """Move a route stop to another place.

        Let a stop of a route be elsewhere; an address is looked up. Times are worked out anew. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PATCH", "/routes/{routeId}/stops/{stopId}/location", path={"routeId": route_id, "stopId": stop_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_route_stop_items(self, route_id: str, stop_id: str, body: list[ItemInput], *, if_match: str | None = None, idempotency_key: str | None = None) -> RouteStop:
        """Replace all items of a route stop.

        Replace what is delivered at a stop of a route. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/routes/{routeId}/stops/{stopId}/items", path={"routeId": route_id, "stopId": stop_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_route_stop_tasks(self, route_id: str, stop_id: str, body: list[TaskTemplateInput], *, if_match: str | None = None, idempotency_key: str | None = None) -> RouteStop:
        """Replace all tasks of a route stop.

        Replace what the driver has to do at a stop of a route. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/routes/{routeId}/stops/{stopId}/tasks", path={"routeId": route_id, "stopId": stop_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_rating_link(self, route_id: str, stop_id: str) -> RatingLink:
        """Get the link with which a stop's customer may rate it.

        Get the page on which the customer of a delivered stop rates it. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/stops/{stopId}/rating-link", path={"routeId": route_id, "stopId": stop_id}))  # type: ignore[no-any-return]

    async def get_tracking_link(self, route_id: str, stop_id: str) -> TrackingLink:
        """Get the link with which a stop's customer follows and rates the delivery.

        Get the page on which a customer follows one delivery; the same address until it is revoked. Refused when the route ended more than seven days ago. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/stops/{stopId}/tracking-link", path={"routeId": route_id, "stopId": stop_id}))  # type: ignore[no-any-return]

    async def revoke_tracking_link(self, route_id: str, stop_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Nothing:
        """Revoke the link to a stop; the next one that is got has another address.

        Let the customer's page work no more; the next request makes another address. A stop that was taken off the route since is named as it was there. Takes the scope WRITE.
        """
        return await self._send(Call("DELETE", "/routes/{routeId}/stops/{stopId}/tracking-link", path={"routeId": route_id, "stopId": stop_id}, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_stop_evidence(self, route_id: str, stop_id: str) -> bytes:
        """Take away what proves a stop's delivery, as a ZIP that anybody can verify.

        Get what proves a delivery as one ZIP that a third party can verify without this service. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/stops/{stopId}/evidence", path={"routeId": route_id, "stopId": stop_id}, answers_file=True))  # type: ignore[no-any-return]

    async def get_evidence_key(self) -> EvidenceKey:
        """Get the public key that the organization's evidence is verified with.

        Get the public key that checkpoints of evidence are signed with. Keep it apart from bundles. Takes the scope READ.
        """
        return await self._send(Call("GET", "/settings/evidence-key"))  # type: ignore[no-any-return]

    async def transfer_stops(self, body: TransferBodyInput, *, idempotency_key: str | None = None) -> TransferAnswer:
        """Move stops between routes, within one, off a route or onto one; all or none.

        Move stops between routes, within one, or off a route, and imported stops and store orders onto one, all or none. Moves are made one after another; done stops are refused, and so is a stop that is not where `fromRouteId` says. Records ROUTE_UPDATED for each route that changes. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/routes/transfers", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def find_insertions(self, body: InsertionsBodyInput, *, idempotency_key: str | None = None) -> InsertionsAnswer:
        """Find the best place for stops on each of some routes.

        Find the best place of each route for stops that are on none, or on another, and what each place would cost and break. Changes nothing. Takes the scope READ.
        """
        return await self._send(Call("POST", "/insertions", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def create_plan(self, body: PlanDraftInput, *, idempotency_key: str | None = None) -> AcceptedPlan:
        """Have routes for many vehicles searched for; writes no route.

        Have routes for many vehicles searched for; answers at once with a plan that is QUEUED, and in `stops` what it is of. It writes no route: apply the plan when it is found. Records PLAN_COMPLETED or PLAN_FAILED later. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/plans", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_plans(self, *, limit: int | None = None, status: PlanStatusInput | None = None, cursor: str | None = None) -> PlansAnswer:
        """List plans without their routes, page by page, newest first.

        Walk plans, the newest first, without their routes. Takes the scope READ.
        """
        return await self._send(Call("GET", "/plans", query={"query.limit": limit, "query.status": status, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_plans(self, *, limit: int | None = None, status: PlanStatusInput | None = None) -> AsyncIterator[Plan]:
        """Walk every page of: list plans without their routes, page by page, newest first."""
        return self._walk(Call("GET", "/plans", query={"query.limit": limit, "query.status": status}), "plans")

    async def get_plan(self, id_: str, *, wait: int | None = None) -> ProposedPlan:
        """Get a plan; with query.wait answer at the next change of its status.

        Read a plan: how far it is, and its routes and what stays out once they are found. With `query.wait` it answers at the next change of status. Takes the scope READ.
        """
        return await self._send(Call("GET", "/plans/{id}", path={"id": id_}, query={"query.wait": wait}))  # type: ignore[no-any-return]

    async def delete_plan(self, id_: str, *, idempotency_key: str | None = None) -> Nothing:
        """Delete a plan; routes that were made of it stay.

        Forget a plan; one that is searched for is ended. Routes that were made of it stay. Takes the scope WRITE.
        """
        return await self._send(Call("DELETE", "/plans/{id}", path={"id": id_}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def cancel_plan(self, id_: str, body: EmptyBodyInput | None = None, *, idempotency_key: str | None = None) -> ProposedPlan:
        """End a search; its best so far is kept.

        End a search; the best so far is kept and can be applied. One that has not begun leaves all stops out. A finished plan stays as it is. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/plans/{id}/cancel", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def apply_plan(self, id_: str, body: ApplyPlanBodyInput | None = None, *, idempotency_key: str | None = None) -> AppliedPlanAnswer:
        """Make routes of a plan, all or none; again, it answers the same routes.

        Make the routes of a plan, or of some of its vehicles, all or none. Refused when a stop or a route that it read has changed since, and where it has stops but no routes. Again, it answers the same routes. Records PLAN_APPLIED and ROUTE_CREATED or ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/plans/{id}/apply", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def compare_plan(self, id_: str, body: ComparePlanBodyInput) -> PlanComparison:
        """Compare a plan with others, or with the routes as they are now.

        Compare a plan with up to five others, or with the routes as they are: what each costs, and which stops go elsewhere. Takes the scope READ.
        """
        return await self._send(Call("POST", "/plans/{id}/compare", path={"id": id_}, body=body))  # type: ignore[no-any-return]

    async def solve_vroom_problem(self, body: VroomProblemInput) -> VroomSolution:
        """Solve a problem in VROOM's JSON and answer its solution; writes nothing.

        Solve a problem in VROOM's JSON and answer its solution, on the roads of the installed map or on the matrices given. Writes nothing; what cannot be said here is refused by name. Takes the scope READ.
        """
        return await self._send(Call("POST", "/plans/vroom", body=body))  # type: ignore[no-any-return]

    async def get_day(self, date: str) -> Day:
        """Get the routes of a day with their stops in columns, and what is on no route.

        Read a whole day: its routes with stops in columns, and what is on no route. Made for a map or a board; follow `/changes` from its version. Takes the scope READ.
        """
        return await self._send(Call("GET", "/days/{date}", path={"date": date}))  # type: ignore[no-any-return]

    async def search_day(self, date: str, *, text: str | None = None) -> DayMatches:
        """Find routes, stops and what is on no route of a day by a text.

        Find what of a day has a text in a name, company, order name, phone number, e-mail address or address: routes, which of their stops, and what is on no route. Case does not count, nor how a phone number is written. Takes the scope READ.
        """
        return await self._send(Call("GET", "/days/{date}/matches", path={"date": date}, query={"query.text": text}))  # type: ignore[no-any-return]

    async def copy_day(self, date: str, body: DayCopyBodyInput, *, idempotency_key: str | None = None) -> DayCopy:
        """Make the routes of another day once more on this one; all or none.

        Copy what a planner said of routes and their stops, for rounds that are driven every week: departures keep their time by local clocks, and nothing that happened comes along. Stops of shop orders, and crews that are archived, are left out with a warning. Every request makes a further set. Answers 409 while somebody's data are being erased. Records IMPORTED_STOP_CREATED for each stop and ROUTE_CREATED for each route. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/days/{date}/copies", path={"date": date}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def export_route(self, route_id: str, *, format_: RouteFileFormatInput | None = None) -> bytes:
        """Take a route away as CSV, XLSX, GPX, GeoJSON or a calendar: one row a stop.

        Download a route as a file: one row a stop for spreadsheets, tracks for navigation, appointments for calendars. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/export", path={"routeId": route_id}, query={"query.format": format_}, answers_file=True))  # type: ignore[no-any-return]

    async def export_day(self, date: str, *, format_: DayFileFormatInput | None = None) -> bytes:
        """Take the routes of a day away as CSV, XLSX or GeoJSON: one row a stop.

        Download every route of a day as one file, one row a stop. Takes the scope READ.
        """
        return await self._send(Call("GET", "/days/{date}/export", path={"date": date}, query={"query.format": format_}, answers_file=True))  # type: ignore[no-any-return]

    async def show_route_sheet(self, route_id: str) -> bytes:
        """Get a route as a page to print, in driving order.

        Print a route: a page with phone, note, window, items and room for a signature a stop. Where a map is imported, the route is shown on its streets. The page is in the language of `Accept-Language`, or else the organization's. Takes the scope READ.
        """
        return await self._send(Call("GET", "/routes/{routeId}/sheet", path={"routeId": route_id}, answers_file=True))  # type: ignore[no-any-return]

    async def show_day_sheet(self, date: str) -> bytes:
        """Get the routes of a day as pages to print, one a route.

        Print every route of a day, each from a new page on and, with a map, on its streets. The page is in the language of `Accept-Language`, or else the organization's. Takes the scope READ.
        """
        return await self._send(Call("GET", "/days/{date}/sheet", path={"date": date}, answers_file=True))  # type: ignore[no-any-return]

    async def get_arrivals_report(self, *, from_: str | None = None, to: str | None = None, format_: ReportFormatInput | None = None) -> ArrivalsReport:
        """See whether drivers came when customers were told, by how many stops were ahead.

        See how often the windows that customers were shown held, by how many stops were ahead. As JSON, or as CSV. Takes the scope READ.
        """
        return await self._send(Call("GET", "/reports/arrivals", query={"query.from": from_, "query.to": to, "query.format": format_}))  # type: ignore[no-any-return]

    async def get_days_report(self, *, from_: str | None = None, to: str | None = None, format_: ReportFormatInput | None = None) -> DaysReport:
        """See what was done on each day: stops, punctuality, distance, ratings.

        See what was planned and done on each of up to 31 days, by the clocks of the organization: how many stops were delivered, how punctually, how fast, why others failed, how customers rated. As JSON, or as CSV. Takes the scope READ.
        """
        return await self._send(Call("GET", "/reports/days", query={"query.from": from_, "query.to": to, "query.format": format_}))  # type: ignore[no-any-return]

    async def get_drivers_report(self, *, from_: str | None = None, to: str | None = None, format_: ReportFormatInput | None = None) -> DriversReport:
        """See what each driver has done: stops, punctuality, distance, ratings.

        See the same of each driver over up to 31 days. Routes that nobody drove come last. Takes the scope READ.
        """
        return await self._send(Call("GET", "/reports/drivers", query={"query.from": from_, "query.to": to, "query.format": format_}))  # type: ignore[no-any-return]

    async def list_vehicles(self, *, limit: int | None = None, include_archived: bool | None = None, cursor: str | None = None) -> VehiclesAnswer:
        """List vehicles, page by page, oldest first.

        Walk the fleet, oldest first; archived vehicles are left out unless asked for. Takes the scope READ.
        """
        return await self._send(Call("GET", "/vehicles", query={"query.limit": limit, "query.includeArchived": include_archived, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_vehicles(self, *, limit: int | None = None, include_archived: bool | None = None) -> AsyncIterator[Vehicle]:
        """Walk every page of: list vehicles, page by page, oldest first."""
        return self._walk(Call("GET", "/vehicles", query={"query.limit": limit, "query.includeArchived": include_archived}), "vehicles")

    async def add_vehicle(self, body: VehicleDraftInput, *, idempotency_key: str | None = None) -> Vehicle:
        """Add a vehicle to the fleet.

        Add a vehicle, with what plans inherit from it: capacities, shift, breaks, costs. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/vehicles", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_vehicle(self, id_: str) -> Vehicle:
        """Get a vehicle.

        Read a vehicle. Takes the scope READ.
        """
        return await self._send(Call("GET", "/vehicles/{id}", path={"id": id_}))  # type: ignore[no-any-return]

    async def update_vehicle(self, id_: str, body: UpdateVehicleInput, *, idempotency_key: str | None = None) -> Vehicle:
        """Change what is said of a vehicle.

        Change a vehicle; the mask says which fields. Plans that were made before keep what they read. Takes the scope SETTINGS.
        """
        return await self._send(Call("PATCH", "/vehicles/{id}", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def archive_vehicle(self, id_: str, *, idempotency_key: str | None = None) -> Vehicle:
        """Archive a vehicle.

        Take a vehicle out of the fleet: it is assigned to nothing new. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/vehicles/{id}/archive", path={"id": id_}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def unarchive_vehicle(self, id_: str, *, idempotency_key: str | None = None) -> Vehicle:
        """Bring an archived vehicle back.

        Bring a vehicle back into the fleet. Takes the scope SETTINGS.
        """
        return await self._send(Call("DELETE", "/vehicles/{id}/archive", path={"id": id_}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_drivers(self, *, limit: int | None = None, status: DriverStatusInput | None = None, cursor: str | None = None) -> DriversAnswer:
        """List drivers, page by page, oldest first.

        Walk the drivers, oldest first; archived ones only when asked for by status. Takes the scope READ.
        """
        return await self._send(Call("GET", "/drivers", query={"query.limit": limit, "query.status": status, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_drivers(self, *, limit: int | None = None, status: DriverStatusInput | None = None) -> AsyncIterator[Driver]:
        """Walk every page of: list drivers, page by page, oldest first."""
        return self._walk(Call("GET", "/drivers", query={"query.limit": limit, "query.status": status}), "drivers")

    async def add_driver(self, body: DriverDraftInput, *, idempotency_key: str | None = None) -> NewDriver:
        """Add a driver, and get the link to sign up with.

        Add a driver and make the link by which they sign in on a phone. DRIVER_ADDED is recorded when they sign up. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/drivers", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_driver_positions(self) -> DriverPositionsAnswer:
        """See where the drivers of routes under way are, as far as they say so.

        See where drivers are now: the last position of each who is on duty. Takes the scope READ.
        """
        return await self._send(Call("GET", "/drivers/positions"))  # type: ignore[no-any-return]

    async def get_driver(self, driver_id: str) -> Driver:
        """Get a driver.

        Read a driver. Takes the scope READ.
        """
        return await self._send(Call("GET", "/drivers/{driverId}", path={"driverId": driver_id}))  # type: ignore[no-any-return]

    async def update_driver(self, driver_id: str, body: UpdateDriverInput, *, idempotency_key: str | None = None) -> Driver:
        """Change a driver's profile.

        Change a driver; the mask says which fields. Records DRIVER_UPDATED. Takes the scope SETTINGS.
        """
        return await self._send(Call("PATCH", "/drivers/{driverId}", path={"driverId": driver_id}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def invite_driver(self, driver_id: str, *, idempotency_key: str | None = None) -> InvitedDriver:
        """Get a new link for a driver to sign up, or in on one more device.

        Make another link by which the driver signs in on a phone; the one before works no more. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/drivers/{driverId}/invite", path={"driverId": driver_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def activate_driver(self, driver_id: str, *, idempotency_key: str | None = None) -> Driver:
        """Let a driver drive.

        Let a driver in who was kept out. Records DRIVER_ACTIVATED. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/drivers/{driverId}/activate", path={"driverId": driver_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def deactivate_driver(self, driver_id: str, *, idempotency_key: str | None = None) -> Driver:
        """Keep a driver from driving for now.

        Keep a driver out: their devices are signed out at once. Records DRIVER_DEACTIVATED. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/drivers/{driverId}/deactivate", path={"driverId": driver_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def archive_driver(self, driver_id: str, *, idempotency_key: str | None = None) -> Driver:
        """Take a driver off the fleet for good.

        Put a driver away who has left. Their devices are signed out. Records DRIVER_ARCHIVED. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/drivers/{driverId}/archive", path={"driverId": driver_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_driver_actions(self, *, limit: int | None = None, route_id: str | None = None, driver_id: str | None = None, outcome: OutcomeInput | None = None, resolved: bool | None = None, positions: bool | None = None, cursor: str | None = None) -> JournalAnswer:
        """List what drivers told, and what of it was kept for the planner, oldest first.

        Walk what drivers' devices have submitted, and what became of each action. KEPT ones need somebody to look at them. Takes the scope READ.
        """
        return await self._send(Call("GET", "/driver-actions", query={"query.limit": limit, "query.routeId": route_id, "query.driverId": driver_id, "query.outcome": outcome, "query.resolved": resolved, "query.positions": positions, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_driver_actions(self, *, limit: int | None = None, route_id: str | None = None, driver_id: str | None = None, outcome: OutcomeInput | None = None, resolved: bool | None = None, positions: bool | None = None) -> AsyncIterator[JournalLine]:
        """Walk every page of: list what drivers told, and what of it was kept for the planner, oldest first."""
        return self._walk(Call("GET", "/driver-actions", query={"query.limit": limit, "query.routeId": route_id, "query.driverId": driver_id, "query.outcome": outcome, "query.resolved": resolved, "query.positions": positions}), "actions")

    async def resolve_driver_action(self, driver_id: str, action_id: str, *, idempotency_key: str | None = None) -> JournalLine:
        """Tick off an action that was kept for the planner.

        Say that somebody has looked after a KEPT action; again changes nothing. It is listed with `query.resolved=true` from then on. What becomes of it later asks for a look anew. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/drivers/{driverId}/actions/{actionId}/resolve", path={"driverId": driver_id, "actionId": action_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_driver_sessions(self, driver_id: str) -> DriverSessionsAnswer:
        """List the devices on which a driver is signed in.

        See on which devices a driver is signed in, and when each was last heard of. Takes the scope READ.
        """
        return await self._send(Call("GET", "/drivers/{driverId}/sessions", path={"driverId": driver_id}))  # type: ignore[no-any-return]

    async def end_driver_session(self, driver_id: str, session_id: str, *, idempotency_key: str | None = None) -> Nothing:
        """Sign a driver's device out.

        Sign a device of a driver out, such as a lost phone, at once. Takes the scope SETTINGS.
        """
        return await self._send(Call("DELETE", "/drivers/{driverId}/sessions/{sessionId}", path={"driverId": driver_id, "sessionId": session_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_members(self, *, limit: int | None = None, cursor: str | None = None) -> MembersAnswer:
        """List the people who plan for the organization, page by page, oldest first.

        Walk the people who plan for the organization, oldest first. Takes the scope READ.
        """
        return await self._send(Call("GET", "/members", query={"query.limit": limit, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_members(self, *, limit: int | None = None) -> AsyncIterator[Member]:
        """Walk every page of: list the people who plan for the organization, page by page, oldest first."""
        return self._walk(Call("GET", "/members", query={"query.limit": limit}), "members")

    async def add_member(self, body: MemberDraftInput, *, idempotency_key: str | None = None) -> InvitedMember:
        """Invite somebody to plan, and get the link to sign up with.

        Invite somebody to plan with you; the answer has the link. An e-mail address is a member once. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/members", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def update_member(self, member_id: str, body: UpdateMemberInput, *, idempotency_key: str | None = None) -> ChangedMember:
        """Change a member's name or role.

        Change the name or the role of a member; the mask says which. The last active owner stays one. Credentials of who loses SETTINGS go on; `credentials` names them. Takes the scope SETTINGS.
        """
        return await self._send(Call("PATCH", "/members/{memberId}", path={"memberId": member_id}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def invite_member(self, member_id: str, *, idempotency_key: str | None = None) -> InvitedMember:
        """Get a new link for a member who has not taken up the invitation.

        Make another link for somebody who was invited and has not come; the one before works no more. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/members/{memberId}/invite", path={"memberId": member_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def deactivate_member(self, member_id: str, *, idempotency_key: str | None = None) -> ChangedMember:
        """Keep a member from signing in, and sign them out at once.

        Keep a member from signing in, and sign them out at once. The last active owner is refused. Credentials that they made go on; `credentials` names them, to be removed. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/members/{memberId}/deactivate", path={"memberId": member_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def activate_member(self, member_id: str, *, idempotency_key: str | None = None) -> ChangedMember:
        """Let a deactivated member in again.

        Let a member in again who was kept out. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/members/{memberId}/activate", path={"memberId": member_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_message_settings(self) -> MessageSettings:
        """Get which messages customers are sent, in which words, when and by which gateway.

        See which messages customers get, when, and in which words. Secrets of the gateway are shown as ****; without SETTINGS its address is the host alone, and its body empty. Takes the scope READ.
        """
        return await self._send(Call("GET", "/settings/messages"))  # type: ignore[no-any-return]

    async def update_message_settings(self, body: UpdateMessageSettingsInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> MessageSettings:
        """Change the settings of messages that the mask names.

        Change what customers are told; the mask says which settings. A list takes the place of the one before; with If-Match nothing of somebody else's is lost. A template that cannot be filled is refused. Takes the scope SETTINGS.
        """
        return await self._send(Call("PATCH", "/settings/messages", body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def preview_message(self, body: MessageDraftInput) -> MessageText:
        """Show how a message reads, filled in with an example.

        See a message as a customer would get it, filled with an example. Sends nothing. Takes the scope READ.
        """
        return await self._send(Call("POST", "/settings/messages/preview", body=body))  # type: ignore[no-any-return]

    async def test_message(self, body: TestMessageInput, *, idempotency_key: str | None = None) -> MessageText:
        """Send an example to whom the body names, at once; refused where it was not taken.

        Send a message, filled with an example, to yourself. Refused where no channel is set up for it. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/settings/messages/test", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_messages(self, *, limit: int | None = None, stop_id: str | None = None, status: MessageStatusInput | None = None, cursor: str | None = None) -> MessagesAnswer:
        """List messages to customers, newest first, with their attempts.

        Walk the messages to customers, the newest first, with what became of each. Takes the scope READ.
        """
        return await self._send(Call("GET", "/messages", query={"query.limit": limit, "query.stopId": stop_id, "query.status": status, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_messages(self, *, limit: int | None = None, stop_id: str | None = None, status: MessageStatusInput | None = None) -> AsyncIterator[Message]:
        """Walk every page of: list messages to customers, newest first, with their attempts."""
        return self._walk(Call("GET", "/messages", query={"query.limit": limit, "query.stopId": stop_id, "query.status": status}), "messages")

    async def get_suppressions(self, *, email: str | None = None) -> Suppressions:
        """Count the recipients who are sent no more messages, by the reason.

        See how many customers are sent nothing because their mailbox is unknown or they declined; with an e-mail address whether its owner is one of them. Takes the scope READ.
        """
        return await self._send(Call("GET", "/messages/suppressions", query={"query.email": email}))  # type: ignore[no-any-return]

    async def lift_suppressions(self, *, email: str | None = None, idempotency_key: str | None = None) -> LiftedSuppressions:
        """Send messages again to an address, or to all whose mailbox was unknown.

        Write again to an e-mail address, also one whose owner declined; without an address to all that the mail server called unknown. What was suppressed is not sent later. Takes the scope DISPATCH.
        """
        return await self._send(Call("DELETE", "/messages/suppressions", query={"query.email": email}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_credentials(self) -> CredentialsAnswer:
        """List the credentials that programs sign in with, oldest first.

        See which API clients there are and what each may do; secrets are not shown. Takes the scope SETTINGS.
        """
        return await self._send(Call("GET", "/credentials"))  # type: ignore[no-any-return]

    async def create_credentials(self, body: CredentialsDraftInput | None = None) -> NewCredentials:
        """Make credentials for a program; the secret is answered this once.

        Make another API client; its secret is answered this once, and no Idempotency-Key is heeded, for an answer that is kept would keep it. After a lost answer take those credentials back. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/credentials", body=body))  # type: ignore[no-any-return]

    async def delete_credentials(self, client_id: str, *, idempotency_key: str | None = None) -> Nothing:
        """Take credentials back: their secrets and tokens end at once.

        End an API client for good, with all its tokens. Takes the scope SETTINGS.
        """
        return await self._send(Call("DELETE", "/credentials/{clientId}", path={"clientId": client_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def add_webhook(self, body: WebhookSubscriptionDraftInput, *, idempotency_key: str | None = None) -> WebhookSubscription:
        """Add a webhook subscription, at most 5.

        Have events sent to an address as they happen, signed and until they are acknowledged. A private or plain address is refused unless the operator allows it. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/webhooks", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_webhooks(self) -> WebhooksAnswer:
        """List all webhook subscriptions.

        See where events are sent, and which of these are failing or were deactivated. Takes the scope READ.
        """
        return await self._send(Call("GET", "/webhooks"))  # type: ignore[no-any-return]

    async def remove_webhook(self, webhook_id: str, *, idempotency_key: str | None = None) -> Nothing:
        """Remove a webhook subscription.

        Stop sending events to an address. What waits for it is dropped. Takes the scope SETTINGS.
        """
        return await self._send(Call("DELETE", "/webhooks/{webhookId}", path={"webhookId": webhook_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def test_webhook(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookTestAnswer:
        """Send a TEST event to one webhook subscription.

        Send an example event at once and see what the receiver answers. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/webhooks/{webhookId}/test", path={"webhookId": webhook_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_webhook_deliveries(self, webhook_id: str, *, limit: int | None = None, status: DeliveryStateInput | None = None, cursor: str | None = None) -> DeliveriesAnswer:
        """List a webhook subscription's event deliveries, attempt by attempt, newest first.

        Walk the deliveries to an address, the newest first, with each attempt and its answer. Takes the scope READ.
        """
        return await self._send(Call("GET", "/webhooks/{webhookId}/deliveries", path={"webhookId": webhook_id}, query={"query.limit": limit, "query.status": status, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_webhook_deliveries(self, webhook_id: str, *, limit: int | None = None, status: DeliveryStateInput | None = None) -> AsyncIterator[Delivery]:
        """Walk every page of: list a webhook subscription's event deliveries, attempt by attempt, newest first."""
        return self._walk(Call("GET", "/webhooks/{webhookId}/deliveries", path={"webhookId": webhook_id}, query={"query.limit": limit, "query.status": status}), "deliveries")

    async def replay_webhook_events(self, webhook_id: str, body: ReplayBodyInput, *, idempotency_key: str | None = None) -> Replay:
        """Send events to one webhook again: these, or all since a time, 10,000 at most.

        Send events again, since a time or by their ids. An unknown event refuses the whole. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/webhooks/{webhookId}/replays", path={"webhookId": webhook_id}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def rotate_webhook_secret(self, webhook_id: str) -> WebhookSecretAnswer:
        """Begin to give a webhook a signing secret of its own, or to replace it.

        Make a secret for one receiver alone, which no other receiver of the organization knows. It is answered this once. Events carry a signature of it beside that of the secret that the receiver knows, until the rotation is finished or cancelled; while one is under way another is refused. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/webhooks/{webhookId}/secret/rotate", path={"webhookId": webhook_id}))  # type: ignore[no-any-return]

    async def finish_webhook_rotation(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookSecretAnswer:
        """Sign what is sent to a webhook with its new secret alone.

        Finish a rotation once the receiver knows the new secret. Refused where none is under way. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/webhooks/{webhookId}/secret/finish", path={"webhookId": webhook_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def cancel_webhook_rotation(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookSecretAnswer:
        """Sign what is sent to a webhook as before its rotation began.

        Forget the new secret. Refused where no rotation is under way. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/webhooks/{webhookId}/secret/cancel", path={"webhookId": webhook_id}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_events(self, *, limit: int | None = None, topic: TopicInput | None = None, object_id: str | None = None, timestamp_start: str | None = None, timestamp_end: str | None = None, cursor: str | None = None) -> EventsAnswer:
        """List events as they were sent, page by page, oldest first.

        Walk what happened, oldest first. An integration that was away catches up from the timestamp it has seen last. Takes the scope READ.
        """
        return await self._send(Call("GET", "/events", query={"query.limit": limit, "query.topic": topic, "query.objectId": object_id, "query.timestampStart": timestamp_start, "query.timestampEnd": timestamp_end, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_events(self, *, limit: int | None = None, topic: TopicInput | None = None, object_id: str | None = None, timestamp_start: str | None = None, timestamp_end: str | None = None) -> AsyncIterator[WebhookEvent]:
        """Walk every page of: list events as they were sent, page by page, oldest first."""
        return self._walk(Call("GET", "/events", query={"query.limit": limit, "query.topic": topic, "query.objectId": object_id, "query.timestampStart": timestamp_start, "query.timestampEnd": timestamp_end}), "events")

    async def list_security_events(self, *, limit: int | None = None, kind: SecurityEventKindInput | None = None, since: str | None = None, cursor: str | None = None) -> SecurityEventsAnswer:
        """List sign-ins, failed ones, and changes of who may do what, newest first.

        Walk who signed in or failed to, and who changed what others may do, the newest first. Takes the scope SETTINGS.
        """
        return await self._send(Call("GET", "/security-events", query={"query.limit": limit, "query.kind": kind, "query.since": since, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_security_events(self, *, limit: int | None = None, kind: SecurityEventKindInput | None = None, since: str | None = None) -> AsyncIterator[SecurityEvent]:
        """Walk every page of: list sign-ins, failed ones, and changes of who may do what, newest first."""
        return self._walk(Call("GET", "/security-events", query={"query.limit": limit, "query.kind": kind, "query.since": since}), "securityEvents")

    async def request_erasure(self, body: ErasureDraftInput, *, idempotency_key: str | None = None) -> Erasure:
        """Have everything erased that is stored of a customer or a driver; its receipt follows.

        Have everything that is stored of one customer erased, by phone, e-mail, clientStopId or importedStopId, or of one driver, by driverId: exactly one. Answers at once; a job does it and writes a receipt. A driver is archived and signed out at once, which records DRIVER_ARCHIVED; one who has a route under way is refused. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/privacy/erasures", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_erasures(self, *, limit: int | None = None, cursor: str | None = None) -> ErasuresAnswer:
        """List erasures, each with how far it is or its receipt, newest first.

        Walk the erasures that were asked for, the newest first. Takes the scope SETTINGS.
        """
        return await self._send(Call("GET", "/privacy/erasures", query={"query.limit": limit, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_erasures(self, *, limit: int | None = None) -> AsyncIterator[Erasure]:
        """Walk every page of: list erasures, each with how far it is or its receipt, newest first."""
        return self._walk(Call("GET", "/privacy/erasures", query={"query.limit": limit}), "erasures")

    async def get_erasure(self, id_: str) -> Erasure:
        """Get how far an erasure is, and its receipt once it is done.

        See how far an erasure is, and once it is done what it has erased. Takes the scope SETTINGS.
        """
        return await self._send(Call("GET", "/privacy/erasures/{id}", path={"id": id_}))  # type: ignore[no-any-return]

    async def export_person(self, *, phone: str | None = None, email: str | None = None, client_stop_id: str | None = None, imported_stop_id: str | None = None, driver_id: str | None = None) -> PersonExport:
        """Get everything that is stored of a customer or a driver, as JSON.

        Get everything that is stored of one customer or one driver, for whoever asks what you know of them. Exactly one argument says who. Of a driver it is who they are, their devices, routes and positions, and what their devices submitted. Takes the scope SETTINGS.
        """
        return await self._send(Call("GET", "/privacy/exports", query={"query.phone": phone, "query.email": email, "query.clientStopId": client_stop_id, "query.importedStopId": imported_stop_id, "query.driverId": driver_id}))  # type: ignore[no-any-return]

    async def save_store_order(self, id_: str, body: StoreOrderDraftInput, *, idempotency_key: str | None = None) -> StoreOrder:
        """Keep an order of the storefront, new or changed.

        Create or replace an order of your shop under its own number. Stops that were made of it follow it until their route starts. Takes the scope WRITE.
        """
        return await self._send(Call("PUT", "/store-orders/{id}", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_store_order(self, id_: str) -> StoreOrder:
        """Get an order of a storefront.

        Read an order of the shop. Takes the scope READ.
        """
        return await self._send(Call("GET", "/store-orders/{id}", path={"id": id_}))  # type: ignore[no-any-return]

    async def list_store_orders(self, *, limit: int | None = None, state: StoreOrderStateInput | None = None, delivery_date: str | None = None, tag: str | None = None, location: str | None = None, unrouted: bool | None = None, routed: bool | None = None, text: str | None = None, connection_id: str | None = None, failed_reports: bool | None = None, newest_first: bool | None = None, progress: bool | None = None, cursor: str | None = None) -> StoreOrdersAnswer:
        """List orders of storefronts, page by page, the one changed longest ago first.

        Walk the orders of shops, the one changed longest ago first, or the newest change first with `query.newestFirst`. Filters narrow them by state, day, tag, location, connection and text, by whether a route has them, and by whether their shop would not take a report. `query.progress` adds the stops made of each order and what its shop was told, on pages of at most 50 orders. Takes the scope READ.
        """
        return await self._send(Call("GET", "/store-orders", query={"query.limit": limit, "query.state": state, "query.deliveryDate": delivery_date, "query.tag": tag, "query.location": location, "query.unrouted": unrouted, "query.routed": routed, "query.text": text, "query.connectionId": connection_id, "query.failedReports": failed_reports, "query.newestFirst": newest_first, "query.progress": progress, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_store_orders(self, *, limit: int | None = None, state: StoreOrderStateInput | None = None, delivery_date: str | None = None, tag: str | None = None, location: str | None = None, unrouted: bool | None = None, routed: bool | None = None, text: str | None = None, connection_id: str | None = None, failed_reports: bool | None = None, newest_first: bool | None = None, progress: bool | None = None) -> AsyncIterator[StoreOrder]:
        """Walk every page of: list orders of storefronts, page by page, the one changed longest ago first."""
        return self._walk(Call("GET", "/store-orders", query={"query.limit": limit, "query.state": state, "query.deliveryDate": delivery_date, "query.tag": tag, "query.location": location, "query.unrouted": unrouted, "query.routed": routed, "query.text": text, "query.connectionId": connection_id, "query.failedReports": failed_reports, "query.newestFirst": newest_first, "query.progress": progress}), "storeOrders")

    async def update_store_order_location(self, id_: str, body: UpdateStoreOrderLocationInput, *, if_match: str | None = None, idempotency_key: str | None = None) -> StoreOrder:
        """Correct where an order goes; its open stops go there, too.

        Give an order another address, which is looked up, or coordinates. Its stops that are not done follow, on all routes that are not archived. It stands until the shop's own address, kept as `shopLocation`, changes; a mask of both that clears both takes the correction back. Records ROUTE_UPDATED for each route. Takes the scope WRITE.
        """
        return await self._send(Call("PATCH", "/store-orders/{id}/location", path={"id": id_}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def resync_route_stop_location(self, route_id: str, stop_id: str, body: ResyncLocationBodyInput | None = None, *, if_match: str | None = None, idempotency_key: str | None = None) -> RouteStop:
        """Put a stop where its order goes now.

        Take over the address that a shop has changed since its order is on a route, shown as `storeOrder.address`. With `location` the stop goes there instead and the order stays, which takes that back. A stop that is done, or made from no store order, is refused with code 9. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/routes/{routeId}/stops/{stopId}/resync-location", path={"routeId": route_id, "stopId": stop_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def resync_route_stop_windows(self, route_id: str, stop_id: str, body: ResyncWindowsBodyInput | None = None, *, if_match: str | None = None, idempotency_key: str | None = None) -> RouteStop:
        """Give a stop the day and windows that its order has now.

        Take over the day and the windows that a shop has changed since its order is on a route, shown as `storeOrder.deliveryDate` and `storeOrder.timeWindows`. With `timeWindows` or `deliveryDate` the stop has these instead and the order stays, which takes that back. A stop that is done, or made from no store order, is refused with code 9. Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/routes/{routeId}/stops/{stopId}/resync-windows", path={"routeId": route_id, "stopId": stop_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_store_order_progress(self, id_: str) -> OrderProgress:
        """Get what has become of an order: its stops, and what its shop was told.

        Read on which routes an order is, and what its shop was told of each stop. Takes the scope READ.
        """
        return await self._send(Call("GET", "/store-orders/{id}/progress", path={"id": id_}))  # type: ignore[no-any-return]

    async def add_store_orders(self, route_id: str, body: list[AddOrderBodyInput], *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Append orders of the storefront to a route, all or none.

        Put orders of the shop on a route, whole or item by item. One that cannot be put there refuses the whole with code 9, and each such has a violation with the order's id as `subject`: it is not known (`notFound`), on the route already (`alreadyOnRoute`), cancelled (`cancelled`), on hold in its shop (`onHold`), or without an address that is found (`address`). Records ROUTE_UPDATED. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/routes/{routeId}/store-orders", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def resync_store_orders(self, route_id: str, body: EmptyBodyInput | None = None, *, if_match: str | None = None, idempotency_key: str | None = None) -> Route:
        """Refresh order-backed stops with what their orders say now.

        Bring the stops of a route up to date with the orders that they were made of. Done stops stay as they are. Takes the scope WRITE.
        """
        return await self._send(Call("POST", "/routes/{routeId}/resync-orders", path={"routeId": route_id}, body=body, if_match=if_match, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_routes_of_store_order(self, order_id: str) -> RouteListAnswer:
        """List every route that an order is on, archived ones included.

        See on which routes an order of the shop is. Takes the scope READ.
        """
        return await self._send(Call("GET", "/stops/store/{orderId}/routes", path={"orderId": order_id}))  # type: ignore[no-any-return]

    async def list_storefronts(self) -> StorefrontsAnswer:
        """List all connected shops.

        See which shops are connected, and how each is. Takes the scope READ.
        """
        return await self._send(Call("GET", "/storefronts"))  # type: ignore[no-any-return]

    async def add_storefront(self, body: StorefrontDraftInput, *, idempotency_key: str | None = None) -> StorefrontConnection:
        """Connect a shop; one that does not accept the credentials is REFUSED and says why.

        Connect a shop: its orders come by themselves, and it hears of each delivery. Credentials are tried and sealed; refused ones leave the connection REFUSED with a remedy. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/storefronts", body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def get_storefront(self, id_: str) -> StorefrontConnection:
        """Get a connected shop.

        Read one connection: its state, what waits, its last success and failure. Takes the scope READ.
        """
        return await self._send(Call("GET", "/storefronts/{id}", path={"id": id_}))  # type: ignore[no-any-return]

    async def update_storefront(self, id_: str, body: UpdateStorefrontInput, *, idempotency_key: str | None = None) -> StorefrontConnection:
        """Change what the mask names of a connected shop; its orders are read again then.

        Change a connection; the mask says which fields. New credentials are tried before the next visit. Takes the scope SETTINGS.
        """
        return await self._send(Call("PATCH", "/storefronts/{id}", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def remove_storefront(self, id_: str, *, idempotency_key: str | None = None) -> Nothing:
        """Disconnect a shop; its orders that are on no route are removed.

        Forget a shop and its credentials. Its orders stay. Takes the scope SETTINGS.
        """
        return await self._send(Call("DELETE", "/storefronts/{id}", path={"id": id_}, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def replace_storefront_credentials(self, id_: str, body: StorefrontCredentialsBodyInput, *, idempotency_key: str | None = None) -> StorefrontConnection:
        """Give a shop other credentials and resume it, where it accepts them.

        Replace the credentials of a connection. The shop is asked first: where it does not accept them, or cannot be asked, those before stay, and the answer says why. A `hookSecret` that is absent stays. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/storefronts/{id}/credentials", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def check_storefront(self, id_: str, body: EmptyBodyInput | None = None) -> StorefrontCheck:
        """Try what works with a shop, and show ten of its newest orders as they would arrive.

        Visit a shop now and see what works, and ten real orders as they would arrive. Stores nothing. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/storefronts/{id}/check", path={"id": id_}, body=body))  # type: ignore[no-any-return]

    async def sync_storefront(self, id_: str, body: SyncBodyInput | None = None, *, idempotency_key: str | None = None) -> StorefrontConnection:
        """Visit a shop at once; `full` reads all its orders again.

        Have a shop visited at once; `full` reads everything again. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/storefronts/{id}/sync", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def pause_storefront(self, id_: str, body: EmptyBodyInput | None = None, *, idempotency_key: str | None = None) -> StorefrontConnection:
        """Ask and tell a shop nothing for now; what it is to be told waits.

        Leave a shop alone; what it is to hear of waits. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/storefronts/{id}/pause", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def resume_storefront(self, id_: str, body: EmptyBodyInput | None = None, *, idempotency_key: str | None = None) -> StorefrontConnection:
        """Ask and tell a shop again, at once.

        Visit a shop again that was paused. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/storefronts/{id}/resume", path={"id": id_}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]

    async def list_storefront_reports(self, id_: str, *, limit: int | None = None, status: ReportStatusInput | None = None, cursor: str | None = None) -> ReportsAnswer:
        """List what a shop is told of its orders, newest first.

        Walk what a shop was told, and what it answered. Takes the scope READ.
        """
        return await self._send(Call("GET", "/storefronts/{id}/reports", path={"id": id_}, query={"query.limit": limit, "query.status": status, "cursor": cursor}))  # type: ignore[no-any-return]

    def iterate_storefront_reports(self, id_: str, *, limit: int | None = None, status: ReportStatusInput | None = None) -> AsyncIterator[StorefrontReport]:
        """Walk every page of: list what a shop is told of its orders, newest first."""
        return self._walk(Call("GET", "/storefronts/{id}/reports", path={"id": id_}, query={"query.limit": limit, "query.status": status}), "reports")

    async def retry_storefront_report(self, id_: str, report_id: str, body: EmptyBodyInput | None = None, *, idempotency_key: str | None = None) -> StorefrontReport:
        """Tell a shop again at once what it would not hear of.

        Tell a shop once more what it has refused. Takes the scope SETTINGS.
        """
        return await self._send(Call("POST", "/storefronts/{id}/reports/{reportId}/retry", path={"id": id_, "reportId": report_id}, body=body, takes_key=True, idempotency_key=idempotency_key))  # type: ignore[no-any-return]
