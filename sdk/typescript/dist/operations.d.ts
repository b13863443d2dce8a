import type { Call, CallOptions } from "./calls.js";
import type * as m from "./models.js";
/** What a client can ask; `send` and `walk` are the client's. */
export declare abstract class Operations {
    protected abstract send<T>(call: Call): Promise<T>;
    protected abstract walk<T>(call: Call, rows: string): AsyncGenerator<T>;
    /** End the access token that the request comes with, at once. End the access token that the request carries, at once. Ask when a program is done, or a token may have leaked. */
    signOut(body?: m.EmptyBodyInput, options?: CallOptions): Promise<m.Nothing>;
    /** Get the organization that asks: its name, its time zone and its settings. See whom the token speaks for, and the organization's settings. A good first call to check credentials. Takes the scope READ. */
    getOrganization(): Promise<m.OrganizationAnswer>;
    /** Change the settings of the organization that the mask names. Change settings of the organization; the mask says which. Customers' pages and drivers' apps show the new ones at once. Takes the scope SETTINGS. */
    updateOrganization(body: m.UpdateOrganizationInput, options?: CallOptions): Promise<m.OrganizationAnswer>;
    /** Put a JPEG or PNG on the organization's pages as its logo. Set the picture that customers see on their pages; PNG or JPEG of up to a mebibyte. What is no picture is refused. Takes the scope SETTINGS. */
    putOrganizationLogo(body: Uint8Array): Promise<m.OrganizationAnswer>;
    /** Take the logo off the organization's pages. Show no picture on customers' pages any more. Without one nothing happens. Takes the scope SETTINGS. */
    removeOrganizationLogo(options?: CallOptions): Promise<m.OrganizationAnswer>;
    /** Import up to 200 stops, or a file of up to 5,000; the same clientStopId replaces. Add up to 200 stops to the pool, or a file of up to 5,000, all or none; a known clientStopId replaces the stop. Addresses are looked up at once, and one that is not found refuses the whole. Records IMPORTED_STOP_CREATED or IMPORTED_STOP_UPDATED for each. Takes the scope WRITE. */
    importStops(body: Array<m.StopDraftInput>, query?: {
        minimumMatch?: m.MinimumMatchInput;
        dryRun?: boolean;
        partial?: boolean;
        strict?: boolean;
        deliveryDate?: string;
        country?: string;
        column?: Record<string, string>;
        ignored?: Record<string, string>;
    }, options?: CallOptions): Promise<m.ImportedStopsAnswer>;
    /** List imported stops, page by page. Walk the pool of stops, page by page; `query.unrouted` leaves out what is on a route. Filters narrow it by day, tag and text. Takes the scope READ. */
    listImportedStops(query?: {
        limit?: number;
        sortKey?: m.SortKeyInput;
        timestampStart?: string;
        timestampEnd?: string;
        unrouted?: boolean;
        text?: string;
        tag?: string;
        deliveryDate?: string;
        cursor?: string;
    }): Promise<m.ImportedStopsPage>;
    /** Walk every page of: list imported stops, page by page. */
    iterateImportedStops(query?: {
        limit?: number;
        sortKey?: m.SortKeyInput;
        timestampStart?: string;
        timestampEnd?: string;
        unrouted?: boolean;
        text?: string;
        tag?: string;
        deliveryDate?: string;
    }): AsyncGenerator<m.ImportedStop>;
    /** Get an imported stop by its id or its clientStopId. Read a stop of the pool by its id, or by your own clientStopId. Takes the scope READ. */
    getImportedStop(id: string): Promise<m.ImportedStop>;
    /** Change the fields of an imported stop that the mask names. Change a stop of the pool; the mask says which fields. Routes that were made of it keep their copies. Records IMPORTED_STOP_UPDATED. Takes the scope WRITE. */
    updateImportedStop(id: string, body: m.UpdateImportedStopInput, options?: CallOptions): Promise<m.ImportedStop>;
    /** Remove an imported stop; route stops made from it stay. Take a stop out of the pool; routes keep their copies. Records IMPORTED_STOP_DELETED. Takes the scope WRITE. */
    deleteImportedStop(id: string, options?: CallOptions): Promise<m.Nothing>;
    /** Move an imported stop; route stops made from it stay. Give a stop of the pool another address or coordinates; an address is looked up. One that is not found is refused. Records IMPORTED_STOP_UPDATED. Takes the scope WRITE. */
    updateImportedStopLocation(id: string, body: m.UpdateImportedStopLocationInput, options?: CallOptions): Promise<m.ImportedStop>;
    /** Replace all items of an imported stop. Replace what is delivered at a stop of the pool. Records IMPORTED_STOP_UPDATED. Takes the scope WRITE. */
    updateImportedStopItems(id: string, body: Array<m.ItemInput>, options?: CallOptions): Promise<m.ImportedStop>;
    /** Replace all tasks of an imported stop. Replace what the driver has to do at a stop of the pool. Records IMPORTED_STOP_UPDATED. Takes the scope WRITE. */
    updateImportedStopTasks(id: string, body: Array<m.TaskTemplateInput>, options?: CallOptions): Promise<m.ImportedStop>;
    /** List the routes that hold an imported stop, archived ones too. See on which routes a stop of the pool is, archived ones too. Takes the scope READ. */
    listImportedStopRoutes(id: string): Promise<m.RouteListAnswer>;
    /** Create an empty route. Make a route without stops: where and when it starts, where it ends, its limits. An address is looked up, and refused when it is not found. Records ROUTE_CREATED. Takes the scope WRITE. */
    createRoute(body: m.RouteDraftInput, options?: CallOptions): Promise<m.Route>;
    /** List routes, page by page. Walk routes page by page, with their stops. Filters narrow them by driver, vehicle, status, tag and text; archived ones are left out unless asked for. Takes the scope READ. */
    listRoutes(query?: {
        limit?: number;
        sortKey?: m.SortKeyInput;
        timestampStart?: string;
        timestampEnd?: string;
        includeArchived?: boolean;
        driverId?: string;
        vehicleId?: string;
        status?: m.RouteStatusInput;
        tag?: string;
        text?: string;
        cursor?: string;
    }): Promise<m.RoutesAnswer>;
    /** Walk every page of: list routes, page by page. */
    iterateRoutes(query?: {
        limit?: number;
        sortKey?: m.SortKeyInput;
        timestampStart?: string;
        timestampEnd?: string;
        includeArchived?: boolean;
        driverId?: string;
        vehicleId?: string;
        status?: m.RouteStatusInput;
        tag?: string;
        text?: string;
    }): AsyncGenerator<m.Route>;
    /** Get a route with its stops. Read a route with its stops in driving order, times and progress. With `If-None-Match` an unchanged route answers 304. Takes the scope READ. */
    getRoute(routeId: string): Promise<m.Route>;
    /** Change the fields of a route that the mask names. Change what holds of a route as a whole; the mask says which fields. Times are worked out anew. Records ROUTE_UPDATED; an archived route is refused. Takes the scope WRITE. */
    updateRoute(routeId: string, body: m.UpdateRouteInput, options?: CallOptions): Promise<m.Route>;
    /** Delete a route, archived or not. Delete a route; its stops are unrouted again. Records ROUTE_DELETED. One that is dispatched has to be taken back first. Takes the scope WRITE. */
    deleteRoute(routeId: string, options?: CallOptions): Promise<m.Nothing>;
    /** Put the stops of a route into the best order. Put the open stops into the best order under time windows, priorities and limits; done stops stay in front. Where limits cannot be met it is refused with what would help. Records ROUTE_UPDATED when something changes. With `dryRun` nothing changes: the answer says what would. Takes the scope WRITE. */
    reoptimizeRoute(routeId: string, body?: m.ReoptimizeBodyInput, options?: CallOptions): Promise<m.ReoptimizedRouteAnswer>;
    /** Get the planned times of a route, place by place, and the zones of their clocks. See when the route is where: arrival, waiting, service and lateness of each stop, by the clocks there. Takes the scope READ. */
    getRouteTimetable(routeId: string): Promise<m.Timetable>;
    /** Get the lines to draw of a route, along roads where there is a map. Get the line to draw on a map, as encoded polylines on the roads there are; straight lines where there are none. Takes the scope READ. */
    getRoutePath(routeId: string): Promise<m.RoutePath>;
    /** Get where the drivers of a route were, a point in ten seconds, for as long as kept. See where the driver has been, as positions of the last 30 days or as long as the organization keeps them. Takes the scope READ. */
    getRouteTrack(routeId: string): Promise<m.RouteTrack>;
    /** List what happened to a route and its stops, page by page, newest first. Read who changed what of a route and when, what its drivers did, and what its customers were told, for as long as events are kept. `query.stopId` asks for what concerns one stop. Takes the scope READ. */
    listRouteHistory(routeId: string, query?: {
        limit?: number;
        stopId?: string;
        cursor?: string;
    }): Promise<m.HistoryAnswer>;
    /** Walk every page of: list what happened to a route and its stops, page by page, newest first. */
    iterateRouteHistory(routeId: string, query?: {
        limit?: number;
        stopId?: string;
    }): AsyncGenerator<m.HistoryEntry>;
    /** Make a route available to its driver, or to be claimed. Hand a route to its driver, or to any driver who claims it. Refused without stops, or where the driver may not drive. Records ROUTE_DISPATCHED. Takes the scope DISPATCH. */
    dispatchRoute(routeId: string, body?: m.DispatchBodyInput, options?: CallOptions): Promise<m.Route>;
    /** Take a route back from its driver. Take a route back from its driver. One that is not dispatched stays as it is. Records ROUTE_UPDATED when something changes. Takes the scope DISPATCH. */
    undispatchRoute(routeId: string, options?: CallOptions): Promise<m.Route>;
    /** Make the stops of a route ready for delivery. Say that every parcel is packed: stops that nobody has begun become READY_FOR_DELIVERY. Records STOP_STATUS_UPDATED for each. Takes the scope DISPATCH. */
    markRouteReady(routeId: string, options?: CallOptions): Promise<m.Route>;
    /** Put a route away; that undispatches it. Put a route away: it is left out of lists and cannot be changed. It is taken back from its driver. Takes the scope WRITE. */
    archiveRoute(routeId: string, options?: CallOptions): Promise<m.Route>;
    /** Take an archived route out again. Bring a route back that was put away. Takes the scope WRITE. */
    unarchiveRoute(routeId: string, options?: CallOptions): Promise<m.Route>;
    /** Give a route a vehicle. Say which vehicle drives the route. An archived vehicle is refused. Records ROUTE_UPDATED. Takes the scope WRITE. */
    assignRouteVehicle(routeId: string, body: m.VehicleBodyInput, options?: CallOptions): Promise<m.Route>;
    /** Take the vehicle from a route. Say that no vehicle is chosen yet. Takes the scope WRITE. */
    unassignRouteVehicle(routeId: string, options?: CallOptions): Promise<m.Route>;
    /** Give a route a driver; a running dispatch goes over. Say who drives the route. A driver who is archived, or may not take over what is dispatched, is refused. Records ROUTE_UPDATED. Takes the scope WRITE. */
    assignRouteDriver(routeId: string, body: m.DriverBodyInput, options?: CallOptions): Promise<m.Route>;
    /** Take the driver from a route; while dispatched it can be claimed. Say that nobody drives the route yet. Takes the scope WRITE. */
    unassignRouteDriver(routeId: string, options?: CallOptions): Promise<m.Route>;
    /** Move the start of a route. Let the route start elsewhere; an address is looked up. Times are worked out anew. Records ROUTE_UPDATED. Takes the scope WRITE. */
    updateRouteStartLocation(routeId: string, body: m.UpdateRouteStartLocationInput, options?: CallOptions): Promise<m.Route>;
    /** Move the end of a route, or give it one. Let the route end elsewhere, or give it an end. Times are worked out anew. Records ROUTE_UPDATED. Takes the scope WRITE. */
    updateRouteEndLocation(routeId: string, body: m.UpdateRouteEndLocationInput, options?: CallOptions): Promise<m.Route>;
    /** Replace all tasks of the start of a route. Replace what the driver has to do before leaving. Records ROUTE_UPDATED. Takes the scope WRITE. */
    updateRouteStartTasks(routeId: string, body: Array<m.TaskTemplateInput>, options?: CallOptions): Promise<m.Route>;
    /** Replace all tasks of the end of a route. Replace what the driver has to do at the end. Records ROUTE_UPDATED. Takes the scope WRITE. */
    updateRouteEndTasks(routeId: string, body: Array<m.TaskTemplateInput>, options?: CallOptions): Promise<m.Route>;
    /** Get what a change of a route would mean, without making it. Try another order, further or fewer stops, or another departure, and see times, lateness and what would be broken. Saves nothing and records nothing. Takes the scope READ. */
    previewRoute(routeId: string, body?: m.PreviewBodyInput, options?: CallOptions): Promise<m.RoutePreview>;
    /** Add imported stops to a route, at the end or where they are to be. Add stops of the pool, or new ones, at the end or at an index. A stop that is on the route already, or a limit that would be broken, refuses the whole. Records ROUTE_UPDATED. Takes the scope WRITE. */
    addRouteStops(routeId: string, body: Array<m.AddStopBodyInput>, options?: CallOptions): Promise<m.Route>;
    /** Remove stops from a route; stopId may name several, comma-separated. Take a stop off the route; one of the pool is unrouted again, with what was corrected of it here. A done stop is refused. Records ROUTE_UPDATED, and IMPORTED_STOP_UPDATED where the stop of the pool changes by it. Takes the scope WRITE. */
    removeRouteStops(routeId: string, stopId: string, options?: CallOptions): Promise<m.Route>;
    /** Get a stop of a route. Read one stop of a route: times, status, and what proves its delivery. Takes the scope READ. */
    getRouteStop(routeId: string, stopId: string): Promise<m.RouteStop>;
    /** Change the fields of a route stop that the mask names. Change one stop of a route; the mask says which fields. Records ROUTE_UPDATED. Takes the scope WRITE. */
    updateRouteStop(routeId: string, stopId: string, body: m.UpdateRouteStopInput, options?: CallOptions): Promise<m.RouteStop>;
    /** Put a stop at its final index among the stops. Give a stop another place on its own route. No place is before a done stop. Records ROUTE_UPDATED. Takes the scope WRITE. */
    moveRouteStop(routeId: string, stopId: string, body: m.PositionBodyInput, options?: CallOptions): Promise<m.Route>;
    /** Put all stops of a route that are not done into an order. Give the open stops the order of their ids. Done ones stay in front, and a locked one keeps the place that it is given. Records ROUTE_UPDATED once, and nothing where the order is that already. Takes the scope WRITE. */
    orderRouteStops(routeId: string, body: m.OrderBodyInput, options?: CallOptions): Promise<m.Route>;
    /** Get why a stop is reached when it is: what cost how much, in data and in a sentence. See why a stop is reached when it is: which earlier stop, waiting or delay cost how much, as data and as a sentence. Takes the scope READ. */
    explainRouteStop(routeId: string, stopId: string): Promise<m.StopExplanation>;
    /** Move a route stop to another place. Let a stop of a route be elsewhere; an address is looked up. Times are worked out anew. Records ROUTE_UPDATED. Takes the scope WRITE. */
    updateRouteStopLocation(routeId: string, stopId: string, body: m.UpdateRouteStopLocationInput, options?: CallOptions): Promise<m.RouteStop>;
    /** Replace all items of a route stop. Replace what is delivered at a stop of a route. Records ROUTE_UPDATED. Takes the scope WRITE. */
    updateRouteStopItems(routeId: string, stopId: string, body: Array<m.ItemInput>, options?: CallOptions): Promise<m.RouteStop>;
    /** Replace all tasks of a route stop. Replace what the driver has to do at a stop of a route. Records ROUTE_UPDATED. Takes the scope WRITE. */
    updateRouteStopTasks(routeId: string, stopId: string, body: Array<m.TaskTemplateInput>, options?: CallOptions): Promise<m.RouteStop>;
    /** Get the link with which a stop's customer may rate it. Get the page on which the customer of a delivered stop rates it. Takes the scope READ. */
    getRatingLink(routeId: string, stopId: string): Promise<m.RatingLink>;
    /** Get the link with which a stop's customer follows and rates the delivery. Get the page on which a customer follows one delivery; the same address until it is revoked. Refused when the route ended more than seven days ago. Takes the scope READ. */
    getTrackingLink(routeId: string, stopId: string): Promise<m.TrackingLink>;
    /** Revoke the link to a stop; the next one that is got has another address. Let the customer's page work no more; the next request makes another address. A stop that was taken off the route since is named as it was there. Takes the scope WRITE. */
    revokeTrackingLink(routeId: string, stopId: string, options?: CallOptions): Promise<m.Nothing>;
    /** Take away what proves a stop's delivery, as a ZIP that anybody can verify. Get what proves a delivery as one ZIP that a third party can verify without this service. Takes the scope READ. */
    getStopEvidence(routeId: string, stopId: string): Promise<Uint8Array>;
    /** Get the public key that the organization's evidence is verified with. Get the public key that checkpoints of evidence are signed with. Keep it apart from bundles. Takes the scope READ. */
    getEvidenceKey(): Promise<m.EvidenceKey>;
    /** Move stops between routes, within one, off a route or onto one; all or none. Move stops between routes, within one, or off a route, and imported stops and store orders onto one, all or none. Moves are made one after another; done stops are refused, and so is a stop that is not where `fromRouteId` says. Records ROUTE_UPDATED for each route that changes. Takes the scope WRITE. */
    transferStops(body: m.TransferBodyInput, options?: CallOptions): Promise<m.TransferAnswer>;
    /** Find the best place for stops on each of some routes. Find the best place of each route for stops that are on none, or on another, and what each place would cost and break. Changes nothing. Takes the scope READ. */
    findInsertions(body: m.InsertionsBodyInput, options?: CallOptions): Promise<m.InsertionsAnswer>;
    /** Have routes for many vehicles searched for; writes no route. Have routes for many vehicles searched for; answers at once with a plan that is QUEUED, and in `stops` what it is of. It writes no route: apply the plan when it is found. Records PLAN_COMPLETED or PLAN_FAILED later. Takes the scope WRITE. */
    createPlan(body: m.PlanDraftInput, options?: CallOptions): Promise<m.AcceptedPlan>;
    /** List plans without their routes, page by page, newest first. Walk plans, the newest first, without their routes. Takes the scope READ. */
    listPlans(query?: {
        limit?: number;
        status?: m.PlanStatusInput;
        cursor?: string;
    }): Promise<m.PlansAnswer>;
    /** Walk every page of: list plans without their routes, page by page, newest first. */
    iteratePlans(query?: {
        limit?: number;
        status?: m.PlanStatusInput;
    }): AsyncGenerator<m.Plan>;
    /** Get a plan; with query.wait answer at the next change of its status. Read a plan: how far it is, and its routes and what stays out once they are found. With `query.wait` it answers at the next change of status. Takes the scope READ. */
    getPlan(id: string, query?: {
        wait?: number;
    }): Promise<m.ProposedPlan>;
    /** Delete a plan; routes that were made of it stay. Forget a plan; one that is searched for is ended. Routes that were made of it stay. Takes the scope WRITE. */
    deletePlan(id: string, options?: CallOptions): Promise<m.Nothing>;
    /** End a search; its best so far is kept. End a search; the best so far is kept and can be applied. One that has not begun leaves all stops out. A finished plan stays as it is. Takes the scope WRITE. */
    cancelPlan(id: string, body?: m.EmptyBodyInput, options?: CallOptions): Promise<m.ProposedPlan>;
    /** Make routes of a plan, all or none; again, it answers the same routes. Make the routes of a plan, or of some of its vehicles, all or none. Refused when a stop or a route that it read has changed since, and where it has stops but no routes. Again, it answers the same routes. Records PLAN_APPLIED and ROUTE_CREATED or ROUTE_UPDATED. Takes the scope WRITE. */
    applyPlan(id: string, body?: m.ApplyPlanBodyInput, options?: CallOptions): Promise<m.AppliedPlanAnswer>;
    /** Compare a plan with others, or with the routes as they are now. Compare a plan with up to five others, or with the routes as they are: what each costs, and which stops go elsewhere. Takes the scope READ. */
    comparePlan(id: string, body: m.ComparePlanBodyInput): Promise<m.PlanComparison>;
    /** Solve a problem in VROOM's JSON and answer its solution; writes nothing. Solve a problem in VROOM's JSON and answer its solution, on the roads of the installed map or on the matrices given. Writes nothing; what cannot be said here is refused by name. Takes the scope READ. */
    solveVroomProblem(body: m.VroomProblemInput): Promise<m.VroomSolution>;
    /** Get the routes of a day with their stops in columns, and what is on no route. Read a whole day: its routes with stops in columns, and what is on no route. Made for a map or a board; follow `/changes` from its version. Takes the scope READ. */
    getDay(date: string): Promise<m.Day>;
    /** Find routes, stops and what is on no route of a day by a text. Find what of a day has a text in a name, company, order name, phone number, e-mail address or address: routes, which of their stops, and what is on no route. Case does not count, nor how a phone number is written. Takes the scope READ. */
    searchDay(date: string, query?: {
        text?: string;
    }): Promise<m.DayMatches>;
    /** Make the routes of another day once more on this one; all or none. Copy what a planner said of routes and their stops, for rounds that are driven every week: departures keep their time by local clocks, and nothing that happened comes along. Stops of shop orders, and crews that are archived, are left out with a warning. Every request makes a further set. Answers 409 while somebody's data are being erased. Records IMPORTED_STOP_CREATED for each stop and ROUTE_CREATED for each route. Takes the scope WRITE. */
    copyDay(date: string, body: m.DayCopyBodyInput, options?: CallOptions): Promise<m.DayCopy>;
    /** Take a route away as CSV, XLSX, GPX, GeoJSON or a calendar: one row a stop. Download a route as a file: one row a stop for spreadsheets, tracks for navigation, appointments for calendars. Takes the scope READ. */
    exportRoute(routeId: string, query?: {
        format?: m.RouteFileFormatInput;
    }): Promise<Uint8Array>;
    /** Take the routes of a day away as CSV, XLSX or GeoJSON: one row a stop. Download every route of a day as one file, one row a stop. Takes the scope READ. */
    exportDay(date: string, query?: {
        format?: m.DayFileFormatInput;
    }): Promise<Uint8Array>;
    /** Get a route as a page to print, in driving order. Print a route: a page with phone, note, window, items and room for a signature a stop. Where a map is imported, the route is shown on its streets. The page is in the language of `Accept-Language`, or else the organization's. Takes the scope READ. */
    showRouteSheet(routeId: string): Promise<Uint8Array>;
    /** Get the routes of a day as pages to print, one a route. Print every route of a day, each from a new page on and, with a map, on its streets. The page is in the language of `Accept-Language`, or else the organization's. Takes the scope READ. */
    showDaySheet(date: string): Promise<Uint8Array>;
    /** See whether drivers came when customers were told, by how many stops were ahead. See how often the windows that customers were shown held, by how many stops were ahead. As JSON, or as CSV. Takes the scope READ. */
    getArrivalsReport(query?: {
        from?: string;
        to?: string;
        format?: m.ReportFormatInput;
    }): Promise<m.ArrivalsReport>;
    /** See what was done on each day: stops, punctuality, distance, ratings. See what was planned and done on each of up to 31 days, by the clocks of the organization: how many stops were delivered, how punctually, how fast, why others failed, how customers rated. As JSON, or as CSV. Takes the scope READ. */
    getDaysReport(query?: {
        from?: string;
        to?: string;
        format?: m.ReportFormatInput;
    }): Promise<m.DaysReport>;
    /** See what each driver has done: stops, punctuality, distance, ratings. See the same of each driver over up to 31 days. Routes that nobody drove come last. Takes the scope READ. */
    getDriversReport(query?: {
        from?: string;
        to?: string;
        format?: m.ReportFormatInput;
    }): Promise<m.DriversReport>;
    /** List vehicles, page by page, oldest first. Walk the fleet, oldest first; archived vehicles are left out unless asked for. Takes the scope READ. */
    listVehicles(query?: {
        limit?: number;
        includeArchived?: boolean;
        cursor?: string;
    }): Promise<m.VehiclesAnswer>;
    /** Walk every page of: list vehicles, page by page, oldest first. */
    iterateVehicles(query?: {
        limit?: number;
        includeArchived?: boolean;
    }): AsyncGenerator<m.Vehicle>;
    /** Add a vehicle to the fleet. Add a vehicle, with what plans inherit from it: capacities, shift, breaks, costs. Takes the scope SETTINGS. */
    addVehicle(body: m.VehicleDraftInput, options?: CallOptions): Promise<m.Vehicle>;
    /** Get a vehicle. Read a vehicle. Takes the scope READ. */
    getVehicle(id: string): Promise<m.Vehicle>;
    /** Change what is said of a vehicle. Change a vehicle; the mask says which fields. Plans that were made before keep what they read. Takes the scope SETTINGS. */
    updateVehicle(id: string, body: m.UpdateVehicleInput, options?: CallOptions): Promise<m.Vehicle>;
    /** Archive a vehicle. Take a vehicle out of the fleet: it is assigned to nothing new. Takes the scope SETTINGS. */
    archiveVehicle(id: string, options?: CallOptions): Promise<m.Vehicle>;
    /** Bring an archived vehicle back. Bring a vehicle back into the fleet. Takes the scope SETTINGS. */
    unarchiveVehicle(id: string, options?: CallOptions): Promise<m.Vehicle>;
    /** List drivers, page by page, oldest first. Walk the drivers, oldest first; archived ones only when asked for by status. Takes the scope READ. */
    listDrivers(query?: {
        limit?: number;
        status?: m.DriverStatusInput;
        cursor?: string;
    }): Promise<m.DriversAnswer>;
    /** Walk every page of: list drivers, page by page, oldest first. */
    iterateDrivers(query?: {
        limit?: number;
        status?: m.DriverStatusInput;
    }): AsyncGenerator<m.Driver>;
    /** Add a driver, and get the link to sign up with. Add a driver and make the link by which they sign in on a phone. DRIVER_ADDED is recorded when they sign up. Takes the scope SETTINGS. */
    addDriver(body: m.DriverDraftInput, options?: CallOptions): Promise<m.NewDriver>;
    /** See where the drivers of routes under way are, as far as they say so. See where drivers are now: the last position of each who is on duty. Takes the scope READ. */
    listDriverPositions(): Promise<m.DriverPositionsAnswer>;
    /** Get a driver. Read a driver. Takes the scope READ. */
    getDriver(driverId: string): Promise<m.Driver>;
    /** Change a driver's profile. Change a driver; the mask says which fields. Records DRIVER_UPDATED. Takes the scope SETTINGS. */
    updateDriver(driverId: string, body: m.UpdateDriverInput, options?: CallOptions): Promise<m.Driver>;
    /** Get a new link for a driver to sign up, or in on one more device. Make another link by which the driver signs in on a phone; the one before works no more. Takes the scope SETTINGS. */
    inviteDriver(driverId: string, options?: CallOptions): Promise<m.InvitedDriver>;
    /** Let a driver drive. Let a driver in who was kept out. Records DRIVER_ACTIVATED. Takes the scope SETTINGS. */
    activateDriver(driverId: string, options?: CallOptions): Promise<m.Driver>;
    /** Keep a driver from driving for now. Keep a driver out: their devices are signed out at once. Records DRIVER_DEACTIVATED. Takes the scope SETTINGS. */
    deactivateDriver(driverId: string, options?: CallOptions): Promise<m.Driver>;
    /** Take a driver off the fleet for good. Put a driver away who has left. Their devices are signed out. Records DRIVER_ARCHIVED. Takes the scope SETTINGS. */
    archiveDriver(driverId: string, options?: CallOptions): Promise<m.Driver>;
    /** List what drivers told, and what of it was kept for the planner, oldest first. Walk what drivers' devices have submitted, and what became of each action. KEPT ones need somebody to look at them. Takes the scope READ. */
    listDriverActions(query?: {
        limit?: number;
        routeId?: string;
        driverId?: string;
        outcome?: m.OutcomeInput;
        resolved?: boolean;
        positions?: boolean;
        cursor?: string;
    }): Promise<m.JournalAnswer>;
    /** Walk every page of: list what drivers told, and what of it was kept for the planner, oldest first. */
    iterateDriverActions(query?: {
        limit?: number;
        routeId?: string;
        driverId?: string;
        outcome?: m.OutcomeInput;
        resolved?: boolean;
        positions?: boolean;
    }): AsyncGenerator<m.JournalLine>;
    /** Tick off an action that was kept for the planner. Say that somebody has looked after a KEPT action; again changes nothing. It is listed with `query.resolved=true` from then on. What becomes of it later asks for a look anew. Takes the scope WRITE. */
    resolveDriverAction(driverId: string, actionId: string, options?: CallOptions): Promise<m.JournalLine>;
    /** List the devices on which a driver is signed in. See on which devices a driver is signed in, and when each was last heard of. Takes the scope READ. */
    listDriverSessions(driverId: string): Promise<m.DriverSessionsAnswer>;
    /** Sign a driver's device out. Sign a device of a driver out, such as a lost phone, at once. Takes the scope SETTINGS. */
    endDriverSession(driverId: string, sessionId: string, options?: CallOptions): Promise<m.Nothing>;
    /** List the people who plan for the organization, page by page, oldest first. Walk the people who plan for the organization, oldest first. Takes the scope READ. */
    listMembers(query?: {
        limit?: number;
        cursor?: string;
    }): Promise<m.MembersAnswer>;
    /** Walk every page of: list the people who plan for the organization, page by page, oldest first. */
    iterateMembers(query?: {
        limit?: number;
    }): AsyncGenerator<m.Member>;
    /** Invite somebody to plan, and get the link to sign up with. Invite somebody to plan with you; the answer has the link. An e-mail address is a member once. Takes the scope SETTINGS. */
    addMember(body: m.MemberDraftInput, options?: CallOptions): Promise<m.InvitedMember>;
    /** Change a member's name or role. Change the name or the role of a member; the mask says which. The last active owner stays one. Credentials of who loses SETTINGS go on; `credentials` names them. Takes the scope SETTINGS. */
    updateMember(memberId: string, body: m.UpdateMemberInput, options?: CallOptions): Promise<m.ChangedMember>;
    /** Get a new link for a member who has not taken up the invitation. Make another link for somebody who was invited and has not come; the one before works no more. Takes the scope SETTINGS. */
    inviteMember(memberId: string, options?: CallOptions): Promise<m.InvitedMember>;
    /** Keep a member from signing in, and sign them out at once. Keep a member from signing in, and sign them out at once. The last active owner is refused. Credentials that they made go on; `credentials` names them, to be removed. Takes the scope SETTINGS. */
    deactivateMember(memberId: string, options?: CallOptions): Promise<m.ChangedMember>;
    /** Let a deactivated member in again. Let a member in again who was kept out. Takes the scope SETTINGS. */
    activateMember(memberId: string, options?: CallOptions): Promise<m.ChangedMember>;
    /** Get which messages customers are sent, in which words, when and by which gateway. See which messages customers get, when, and in which words. Secrets of the gateway are shown as ****; without SETTINGS its address is the host alone, and its body empty. Takes the scope READ. */
    getMessageSettings(): Promise<m.MessageSettings>;
    /** Change the settings of messages that the mask names. Change what customers are told; the mask says which settings. A list takes the place of the one before; with If-Match nothing of somebody else's is lost. A template that cannot be filled is refused. Takes the scope SETTINGS. */
    updateMessageSettings(body: m.UpdateMessageSettingsInput, options?: CallOptions): Promise<m.MessageSettings>;
    /** Show how a message reads, filled in with an example. See a message as a customer would get it, filled with an example. Sends nothing. Takes the scope READ. */
    previewMessage(body: m.MessageDraftInput): Promise<m.MessageText>;
    /** Send an example to whom the body names, at once; refused where it was not taken. Send a message, filled with an example, to yourself. Refused where no channel is set up for it. Takes the scope SETTINGS. */
    testMessage(body: m.TestMessageInput, options?: CallOptions): Promise<m.MessageText>;
    /** List messages to customers, newest first, with their attempts. Walk the messages to customers, the newest first, with what became of each. Takes the scope READ. */
    listMessages(query?: {
        limit?: number;
        stopId?: string;
        status?: m.MessageStatusInput;
        cursor?: string;
    }): Promise<m.MessagesAnswer>;
    /** Walk every page of: list messages to customers, newest first, with their attempts. */
    iterateMessages(query?: {
        limit?: number;
        stopId?: string;
        status?: m.MessageStatusInput;
    }): AsyncGenerator<m.Message>;
    /** Count the recipients who are sent no more messages, by the reason. See how many customers are sent nothing because their mailbox is unknown or they declined; with an e-mail address whether its owner is one of them. Takes the scope READ. */
    getSuppressions(query?: {
        email?: string;
    }): Promise<m.Suppressions>;
    /** Send messages again to an address, or to all whose mailbox was unknown. Write again to an e-mail address, also one whose owner declined; without an address to all that the mail server called unknown. What was suppressed is not sent later. Takes the scope DISPATCH. */
    liftSuppressions(query?: {
        email?: string;
    }, options?: CallOptions): Promise<m.LiftedSuppressions>;
    /** List the credentials that programs sign in with, oldest first. See which API clients there are and what each may do; secrets are not shown. Takes the scope SETTINGS. */
    listCredentials(): Promise<m.CredentialsAnswer>;
    /** Make credentials for a program; the secret is answered this once. Make another API client; its secret is answered this once, and no Idempotency-Key is heeded, for an answer that is kept would keep it. After a lost answer take those credentials back. Takes the scope SETTINGS. */
    createCredentials(body?: m.CredentialsDraftInput): Promise<m.NewCredentials>;
    /** Take credentials back: their secrets and tokens end at once. End an API client for good, with all its tokens. Takes the scope SETTINGS. */
    deleteCredentials(clientId: string, options?: CallOptions): Promise<m.Nothing>;
    /** Add a webhook subscription, at most 5. Have events sent to an address as they happen, signed and until they are acknowledged. A private or plain address is refused unless the operator allows it. Takes the scope SETTINGS. */
    addWebhook(body: m.WebhookSubscriptionDraftInput, options?: CallOptions): Promise<m.WebhookSubscription>;
    /** List all webhook subscriptions. See where events are sent, and which of these are failing or were deactivated. Takes the scope READ. */
    listWebhooks(): Promise<m.WebhooksAnswer>;
    /** Remove a webhook subscription. Stop sending events to an address. What waits for it is dropped. Takes the scope SETTINGS. */
    removeWebhook(webhookId: string, options?: CallOptions): Promise<m.Nothing>;
    /** Send a TEST event to one webhook subscription. Send an example event at once and see what the receiver answers. Takes the scope SETTINGS. */
    testWebhook(webhookId: string, options?: CallOptions): Promise<m.WebhookTestAnswer>;
    /** List a webhook subscription's event deliveries, attempt by attempt, newest first. Walk the deliveries to an address, the newest first, with each attempt and its answer. Takes the scope READ. */
    listWebhookDeliveries(webhookId: string, query?: {
        limit?: number;
        status?: m.DeliveryStateInput;
        cursor?: string;
    }): Promise<m.DeliveriesAnswer>;
    /** Walk every page of: list a webhook subscription's event deliveries, attempt by attempt, newest first. */
    iterateWebhookDeliveries(webhookId: string, query?: {
        limit?: number;
        status?: m.DeliveryStateInput;
    }): AsyncGenerator<m.Delivery>;
    /** Send events to one webhook again: these, or all since a time, 10,000 at most. Send events again, since a time or by their ids. An unknown event refuses the whole. Takes the scope SETTINGS. */
    replayWebhookEvents(webhookId: string, body: m.ReplayBodyInput, options?: CallOptions): Promise<m.Replay>;
    /** Begin to give a webhook a signing secret of its own, or to replace it. Make a secret for one receiver alone, which no other receiver of the organization knows. It is answered this once. Events carry a signature of it beside that of the secret that the receiver knows, until the rotation is finished or cancelled; while one is under way another is refused. Takes the scope SETTINGS. */
    rotateWebhookSecret(webhookId: string): Promise<m.WebhookSecretAnswer>;
    /** Sign what is sent to a webhook with its new secret alone. Finish a rotation once the receiver knows the new secret. Refused where none is under way. Takes the scope SETTINGS. */
    finishWebhookRotation(webhookId: string, options?: CallOptions): Promise<m.WebhookSecretAnswer>;
    /** Sign what is sent to a webhook as before its rotation began. Forget the new secret. Refused where no rotation is under way. Takes the scope SETTINGS. */
    cancelWebhookRotation(webhookId: string, options?: CallOptions): Promise<m.WebhookSecretAnswer>;
    /** List events as they were sent, page by page, oldest first. Walk what happened, oldest first. An integration that was away catches up from the timestamp it has seen last. Takes the scope READ. */
    listEvents(query?: {
        limit?: number;
        topic?: m.TopicInput;
        objectId?: string;
        timestampStart?: string;
        timestampEnd?: string;
        cursor?: string;
    }): Promise<m.EventsAnswer>;
    /** Walk every page of: list events as they were sent, page by page, oldest first. */
    iterateEvents(query?: {
        limit?: number;
        topic?: m.TopicInput;
        objectId?: string;
        timestampStart?: string;
        timestampEnd?: string;
    }): AsyncGenerator<m.WebhookEvent>;
    /** List sign-ins, failed ones, and changes of who may do what, newest first. Walk who signed in or failed to, and who changed what others may do, the newest first. Takes the scope SETTINGS. */
    listSecurityEvents(query?: {
        limit?: number;
        kind?: m.SecurityEventKindInput;
        since?: string;
        cursor?: string;
    }): Promise<m.SecurityEventsAnswer>;
    /** Walk every page of: list sign-ins, failed ones, and changes of who may do what, newest first. */
    iterateSecurityEvents(query?: {
        limit?: number;
        kind?: m.SecurityEventKindInput;
        since?: string;
    }): AsyncGenerator<m.SecurityEvent>;
    /** Have everything erased that is stored of a customer or a driver; its receipt follows. Have everything that is stored of one customer erased, by phone, e-mail, clientStopId or importedStopId, or of one driver, by driverId: exactly one. Answers at once; a job does it and writes a receipt. A driver is archived and signed out at once, which records DRIVER_ARCHIVED; one who has a route under way is refused. Takes the scope SETTINGS. */
    requestErasure(body: m.ErasureDraftInput, options?: CallOptions): Promise<m.Erasure>;
    /** List erasures, each with how far it is or its receipt, newest first. Walk the erasures that were asked for, the newest first. Takes the scope SETTINGS. */
    listErasures(query?: {
        limit?: number;
        cursor?: string;
    }): Promise<m.ErasuresAnswer>;
    /** Walk every page of: list erasures, each with how far it is or its receipt, newest first. */
    iterateErasures(query?: {
        limit?: number;
    }): AsyncGenerator<m.Erasure>;
    /** Get how far an erasure is, and its receipt once it is done. See how far an erasure is, and once it is done what it has erased. Takes the scope SETTINGS. */
    getErasure(id: string): Promise<m.Erasure>;
    /** Get everything that is stored of a customer or a driver, as JSON. Get everything that is stored of one customer or one driver, for whoever asks what you know of them. Exactly one argument says who. Of a driver it is who they are, their devices, routes and positions, and what their devices submitted. Takes the scope SETTINGS. */
    exportPerson(query?: {
        phone?: string;
        email?: string;
        clientStopId?: string;
        importedStopId?: string;
        driverId?: string;
    }): Promise<m.PersonExport>;
    /** Keep an order of the storefront, new or changed. Create or replace an order of your shop under its own number. Stops that were made of it follow it until their route starts. Takes the scope WRITE. */
    saveStoreOrder(id: string, body: m.StoreOrderDraftInput, options?: CallOptions): Promise<m.StoreOrder>;
    /** Get an order of a storefront. Read an order of the shop. Takes the scope READ. */
    getStoreOrder(id: string): Promise<m.StoreOrder>;
    /** List orders of storefronts, page by page, the one changed longest ago first. Walk the orders of shops, the one changed longest ago first, or the newest change first with `query.newestFirst`. Filters narrow them by state, day, tag, location, connection and text, by whether a route has them, and by whether their shop would not take a report. `query.progress` adds the stops made of each order and what its shop was told, on pages of at most 50 orders. Takes the scope READ. */
    listStoreOrders(query?: {
        limit?: number;
        state?: m.StoreOrderStateInput;
        deliveryDate?: string;
        tag?: string;
        location?: string;
        unrouted?: boolean;
        routed?: boolean;
        text?: string;
        connectionId?: string;
        failedReports?: boolean;
        newestFirst?: boolean;
        progress?: boolean;
        cursor?: string;
    }): Promise<m.StoreOrdersAnswer>;
    /** Walk every page of: list orders of storefronts, page by page, the one changed longest ago first. */
    iterateStoreOrders(query?: {
        limit?: number;
        state?: m.StoreOrderStateInput;
        deliveryDate?: string;
        tag?: string;
        location?: string;
        unrouted?: boolean;
        routed?: boolean;
        text?: string;
        connectionId?: string;
        failedReports?: boolean;
        newestFirst?: boolean;
        progress?: boolean;
    }): AsyncGenerator<m.StoreOrder>;
    /** Correct where an order goes; its open stops go there, too. Give an order another address, which is looked up, or coordinates. Its stops that are not done follow, on all routes that are not archived. It stands until the shop's own address, kept as `shopLocation`, changes; a mask of both that clears both takes the correction back. Records ROUTE_UPDATED for each route. Takes the scope WRITE. */
    updateStoreOrderLocation(id: string, body: m.UpdateStoreOrderLocationInput, options?: CallOptions): Promise<m.StoreOrder>;
    /** Put a stop where its order goes now. Take over the address that a shop has changed since its order is on a route, shown as `storeOrder.address`. With `location` the stop goes there instead and the order stays, which takes that back. A stop that is done, or made from no store order, is refused with code 9. Records ROUTE_UPDATED. Takes the scope WRITE. */
    resyncRouteStopLocation(routeId: string, stopId: string, body?: m.ResyncLocationBodyInput, options?: CallOptions): Promise<m.RouteStop>;
    /** Give a stop the day and windows that its order has now. Take over the day and the windows that a shop has changed since its order is on a route, shown as `storeOrder.deliveryDate` and `storeOrder.timeWindows`. With `timeWindows` or `deliveryDate` the stop has these instead and the order stays, which takes that back. A stop that is done, or made from no store order, is refused with code 9. Records ROUTE_UPDATED. Takes the scope WRITE. */
    resyncRouteStopWindows(routeId: string, stopId: string, body?: m.ResyncWindowsBodyInput, options?: CallOptions): Promise<m.RouteStop>;
    /** Get what has become of an order: its stops, and what its shop was told. Read on which routes an order is, and what its shop was told of each stop. Takes the scope READ. */
    getStoreOrderProgress(id: string): Promise<m.OrderProgress>;
    /** Append orders of the storefront to a route, all or none. Put orders of the shop on a route, whole or item by item. One that cannot be put there refuses the whole with code 9, and each such has a violation with the order's id as `subject`: it is not known (`notFound`), on the route already (`alreadyOnRoute`), cancelled (`cancelled`), on hold in its shop (`onHold`), or without an address that is found (`address`). Records ROUTE_UPDATED. Takes the scope WRITE. */
    addStoreOrders(routeId: string, body: Array<m.AddOrderBodyInput>, options?: CallOptions): Promise<m.Route>;
    /** Refresh order-backed stops with what their orders say now. Bring the stops of a route up to date with the orders that they were made of. Done stops stay as they are. Takes the scope WRITE. */
    resyncStoreOrders(routeId: string, body?: m.EmptyBodyInput, options?: CallOptions): Promise<m.Route>;
    /** List every route that an order is on, archived ones included. See on which routes an order of the shop is. Takes the scope READ. */
    listRoutesOfStoreOrder(orderId: string): Promise<m.RouteListAnswer>;
    /** List all connected shops. See which shops are connected, and how each is. Takes the scope READ. */
    listStorefronts(): Promise<m.StorefrontsAnswer>;
    /** Connect a shop; one that does not accept the credentials is REFUSED and says why. Connect a shop: its orders come by themselves, and it hears of each delivery. Credentials are tried and sealed; refused ones leave the connection REFUSED with a remedy. Takes the scope SETTINGS. */
    addStorefront(body: m.StorefrontDraftInput, options?: CallOptions): Promise<m.StorefrontConnection>;
    /** Get a connected shop. Read one connection: its state, what waits, its last success and failure. Takes the scope READ. */
    getStorefront(id: string): Promise<m.StorefrontConnection>;
    /** Change what the mask names of a connected shop; its orders are read again then. Change a connection; the mask says which fields. New credentials are tried before the next visit. Takes the scope SETTINGS. */
    updateStorefront(id: string, body: m.UpdateStorefrontInput, options?: CallOptions): Promise<m.StorefrontConnection>;
    /** Disconnect a shop; its orders that are on no route are removed. Forget a shop and its credentials. Its orders stay. Takes the scope SETTINGS. */
    removeStorefront(id: string, options?: CallOptions): Promise<m.Nothing>;
    /** Give a shop other credentials and resume it, where it accepts them. Replace the credentials of a connection. The shop is asked first: where it does not accept them, or cannot be asked, those before stay, and the answer says why. A `hookSecret` that is absent stays. Takes the scope SETTINGS. */
    replaceStorefrontCredentials(id: string, body: m.StorefrontCredentialsBodyInput, options?: CallOptions): Promise<m.StorefrontConnection>;
    /** Try what works with a shop, and show ten of its newest orders as they would arrive. Visit a shop now and see what works, and ten real orders as they would arrive. Stores nothing. Takes the scope SETTINGS. */
    checkStorefront(id: string, body?: m.EmptyBodyInput): Promise<m.StorefrontCheck>;
    /** Visit a shop at once; `full` reads all its orders again. Have a shop visited at once; `full` reads everything again. Takes the scope SETTINGS. */
    syncStorefront(id: string, body?: m.SyncBodyInput, options?: CallOptions): Promise<m.StorefrontConnection>;
    /** Ask and tell a shop nothing for now; what it is to be told waits. Leave a shop alone; what it is to hear of waits. Takes the scope SETTINGS. */
    pauseStorefront(id: string, body?: m.EmptyBodyInput, options?: CallOptions): Promise<m.StorefrontConnection>;
    /** Ask and tell a shop again, at once. Visit a shop again that was paused. Takes the scope SETTINGS. */
    resumeStorefront(id: string, body?: m.EmptyBodyInput, options?: CallOptions): Promise<m.StorefrontConnection>;
    /** List what a shop is told of its orders, newest first. Walk what a shop was told, and what it answered. Takes the scope READ. */
    listStorefrontReports(id: string, query?: {
        limit?: number;
        status?: m.ReportStatusInput;
        cursor?: string;
    }): Promise<m.ReportsAnswer>;
    /** Walk every page of: list what a shop is told of its orders, newest first. */
    iterateStorefrontReports(id: string, query?: {
        limit?: number;
        status?: m.ReportStatusInput;
    }): AsyncGenerator<m.StorefrontReport>;
    /** Tell a shop again at once what it would not hear of. Tell a shop once more what it has refused. Takes the scope SETTINGS. */
    retryStorefrontReport(id: string, reportId: string, body?: m.EmptyBodyInput, options?: CallOptions): Promise<m.StorefrontReport>;
}
