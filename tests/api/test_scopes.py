"""Who may do what: every operation of the public interface with every scope and every role."""

import re

import pytest
from sqlalchemy import Connection, event
from structlog.testing import capture_logs
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.members.conftest import join

from roundsman.api.app import OPERATIONS
from roundsman.api.examples import EXAMPLES
from roundsman.domain.principal import Role, Scope
from roundsman.installation import make_registrar
from roundsman.operations.api_clients import create_credentials

NEEDED: dict[str, str] = {
    "READ": """
        getOrganization listImportedStops getImportedStop listImportedStopRoutes listRoutes getRoute
        getRouteTimetable getRoutePath getRouteTrack listRouteHistory getRouteStop getRatingLink
        listVehicles getVehicle listDrivers listDriverPositions getDriver listDriverSessions
        listDriverActions listWebhooks listWebhookDeliveries listEvents listRoutesOfStoreOrder
        listStoreOrders
        getStoreOrder getStoreOrderProgress listMembers previewRoute
        findInsertions followChanges getDay searchDay explainRouteStop listPlans getPlan comparePlan
        getTrackingLink getStopEvidence getEvidenceKey exportRoute exportDay showRouteSheet
        showDaySheet solveVroomProblem
        getMessageSettings previewMessage listMessages getSuppressions
        getArrivalsReport getDaysReport
        getDriversReport
        listStorefronts getStorefront listStorefrontReports
    """,
    "WRITE": """
        importStops updateImportedStop updateImportedStopLocation updateImportedStopItems
        updateImportedStopTasks deleteImportedStop createRoute updateRoute deleteRoute
        reoptimizeRoute archiveRoute unarchiveRoute assignRouteVehicle unassignRouteVehicle
        assignRouteDriver unassignRouteDriver updateRouteStartLocation updateRouteStartTasks
        updateRouteEndLocation updateRouteEndTasks addRouteStops removeRouteStops updateRouteStop
        updateRouteStopLocation updateRouteStopItems updateRouteStopTasks moveRouteStop
        orderRouteStops
        saveStoreOrder updateStoreOrderLocation resyncRouteStopLocation
        resyncRouteStopWindows
        addStoreOrders resyncStoreOrders transferStops createPlan cancelPlan
        applyPlan deletePlan revokeTrackingLink resolveDriverAction
        applyPlan deletePlan revokeTrackingLink copyDay
    """,
    "DISPATCH": "dispatchRoute undispatchRoute markRouteReady liftSuppressions",
    "SETTINGS": """
        addVehicle updateVehicle archiveVehicle unarchiveVehicle addDriver updateDriver inviteDriver
        activateDriver deactivateDriver archiveDriver endDriverSession addWebhook removeWebhook
        testWebhook rotateWebhookSecret finishWebhookRotation cancelWebhookRotation
        replayWebhookEvents listSecurityEvents addMember updateMember inviteMember
        deactivateMember activateMember updateOrganization putOrganizationLogo
        removeOrganizationLogo listCredentials createCredentials deleteCredentials
        requestErasure listErasures getErasure exportPerson
        updateMessageSettings testMessage
        addStorefront updateStorefront removeStorefront checkStorefront syncStorefront
        replaceStorefrontCredentials
        pauseStorefront resumeStorefront retryStorefrontReport
    """,
}
"""Decisions §13; a new operation needs a place here."""

OPEN = {"authenticate", "issueToken", "signOut", "receiveStorefrontHook"}
"""Without credentials, or with whatever they allow."""


def client_with(world: World, *scopes: Scope) -> DescribedClient:
    made = create_credentials(
        make_registrar(world.tools),
        world.credentials.organization_id,
        "dev@example.com",
        frozenset(scopes),
    )
    client = DescribedClient(world.client.interface)
    client.sign_in(made.client_id, made.client_secret)
    return client


@pytest.mark.spec("decisions §13")
def test_every_operation_takes_the_scope_that_the_table_says(world: World) -> None:
    needed = {name: scope for scope, names in NEEDED.items() for name in names.split()}
    assert needed.keys() | OPEN == {operation.id for operation in OPERATIONS}
    for scope in Scope:
        client = client_with(world, scope)
        for operation in OPERATIONS:
            if operation.id in OPEN:
                continue
            world.clock.advance(seconds=1)
            path = re.sub(r"\{\w+\}", "nothing", operation.path)
            answer = client.send(operation.method, path)
            if needed[operation.id] == scope:
                assert answer.status_code in {200, 400, 404}, (operation.id, scope)
            else:
                assert (answer.status_code, answer.json()["code"]) == (403, 7), operation.id
                assert answer.json()["message"] == f"scope {needed[operation.id]} is missing"


@pytest.mark.spec("decisions §13")
def test_every_operation_takes_the_role_that_the_table_says(world: World) -> None:
    needed = {name: scope for scope, names in NEEDED.items() for name in names.split()}
    allowed = {"OWNER": set(NEEDED), "PLANNER": {"READ", "WRITE", "DISPATCH"}, "VIEWER": {"READ"}}
    join(world, "first@example.com", Role.OWNER)
    for role in Role:
        member = join(world, f"{role.lower()}@example.com", role)
        for operation in OPERATIONS:
            if operation.id in OPEN:
                continue
            world.clock.advance(seconds=1)
            path = re.sub(r"\{\w+\}", "nothing", operation.path)
            answer = member.send(operation.method, f"/api/2024-07{path}")
            if needed[operation.id] in allowed[role]:
                assert answer.status_code in {200, 400, 404}, (operation.id, role)
            else:
                assert (answer.status_code, answer.json()["code"]) == (403, 7), operation.id
                assert role in answer.json()["message"]


@pytest.mark.spec("decisions §13")
def test_a_client_without_the_scope_changes_nothing(world: World) -> None:
    reader = client_with(world, Scope.READ)
    start = {"start": {"coordinates": {"latitude": 39.2, "longitude": -76.6}}}
    refused = reader.post("/routes", start)
    assert (refused.status_code, refused.json()["code"]) == (403, 7)
    assert "ratelimit-remaining" in refused.headers
    assert reader.get("/routes").json()["routes"] == []
    assert client_with(world, Scope.READ, Scope.WRITE).post("/routes", start).status_code == 200


def test_whoever_lacks_every_scope_may_sign_out(world: World) -> None:
    client = client_with(world, Scope.DISPATCH)
    assert client.post("/sign-out").status_code == 200
    assert client.get("/routes").status_code == 401


@pytest.mark.spec("decisions §13")
def test_who_asks_for_more_than_they_may_is_logged(world: World) -> None:
    reader = client_with(world, Scope.READ)
    with capture_logs() as lines:
        assert reader.post("/vehicles", EXAMPLES["addVehicle"]).status_code == 403
    (line,) = [one for one in lines if one["event"] == "request_not_allowed"]
    assert (line["operation"], line["principal"]) == ("addVehicle", "API_CLIENT")
    assert line["principal_id"] != world.credentials.client_id
    assert line["address"]


def test_why_a_request_was_answered_503_is_logged(world: World) -> None:
    engine = world.tools.database._engine

    @event.listens_for(engine, "begin")
    def _fill(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")  # what there is, and no more

    stops = [{"coordinates": {"latitude": 39, "longitude": -76}, "note": "x" * 9_000}] * 100
    with capture_logs() as lines:
        assert world.client.post("/stops/imports", stops).status_code == 503
    (line,) = [one for one in lines if one["event"] == "request_unavailable"]
    assert line["operation"] == "importStops"
    assert line["reason"] == "database's disk is full; nothing was changed"
