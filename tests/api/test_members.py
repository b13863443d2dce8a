"""The members of an organization, as owners manage them."""

import pytest
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.members.conftest import EMAIL, PASSWORD, browser, join

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("decisions §13")


def test_members_are_listed_oldest_first_page_by_page(world: World) -> None:
    for n in range(3):
        world.clock.advance(seconds=1)
        body = {"email": f"m{n}@example.com", "name": f"M {n}", "role": "VIEWER"}
        made = world.client.post("/members", body).json()
        assert made["member"]["status"] == "INVITED"
        assert "lastSeenAt" not in made["member"]
        assert made["inviteUrl"].startswith("http://127.0.0.1:8000/members/invite/")
    first = world.client.get("/members?query.limit=2").json()
    rest = world.client.get(f"/members?cursor={first['nextCursor']}").json()
    listed = [one["email"] for one in (*first["members"], *rest["members"])]
    assert listed == [f"m{n}@example.com" for n in range(3)]
    assert rest["nextCursor"] == ""
    assert world.stranger.get("/members").json()["members"] == []


def test_a_member_is_a_planner_unless_said_otherwise(world: World) -> None:
    made = world.client.post("/members", {"email": EMAIL}).json()["member"]
    assert (made["role"], made["name"]) == ("PLANNER", "")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "Ann"}, "email"),
        ({"email": "", "name": "Ann"}, "email"),
        ({"email": "no address"}, "email"),
        ({"email": EMAIL, "role": "ADMIN"}, "role"),
        ({"email": EMAIL, "name": "x" * 1_501}, "name"),
        ({"email": EMAIL, "nmae": "Ann"}, "nmae"),
    ],
)
def test_bad_members_are_refused_by_field(world: World, body: dict[str, str], field: str) -> None:
    refused = world.client.post("/members", body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert refused.json()["details"][0]["fieldViolations"][0]["field"] == field
    assert world.client.get("/members").json()["members"] == []


def test_an_e_mail_is_a_member_of_an_organization_once(world: World) -> None:
    world.client.post("/members", {"email": EMAIL})
    again = world.client.post("/members", {"email": "Ann@EXAMPLE.com"})
    assert (again.status_code, again.json()["code"]) == (400, 9)
    assert world.stranger.post("/members", {"email": EMAIL}).status_code == 200


def test_a_role_that_changes_counts_at_once(world: World) -> None:
    join(world)
    bob = join(world, "bob@example.com", Role.VIEWER)
    path = f"/members/{bob.get('/members/api/session').json()['member']['id']}"
    assert bob.send("POST", "/api/2024-07/vehicles", {"name": "Van"}).status_code == 403
    changed = world.client.send(
        "PATCH", path, json={"member": {"role": "OWNER", "name": "Bob"}, "updateMask": "role"}
    )
    assert (changed.json()["role"], changed.json()["name"]) == ("OWNER", "Ann Ames")
    assert bob.send("POST", "/api/2024-07/vehicles", {"name": "Van"}).status_code == 200
    refused = world.client.send(
        "PATCH", path, json={"member": {"email": "x@example.com"}, "updateMask": "email"}
    )
    assert (refused.status_code, refused.json()["code"]) == (400, 3)


def client_with(world: World, *scopes: str) -> DescribedClient:
    made = world.client.post("/credentials", {"scopes": scopes}).json()
    client = DescribedClient(world.client.interface)
    client.sign_in(made["clientId"], made["clientSecret"])
    return client


def invite_as(client: DescribedClient, role: str) -> tuple[int, str]:
    answer = client.post("/members", {"email": f"{role}@example.com".lower(), "role": role})
    return answer.status_code, answer.json().get("message", "")


def test_nobody_gives_a_role_that_has_more_scopes_than_they_have(world: World) -> None:
    settings = client_with(world, "SETTINGS")
    missing = "gives more than you have: scopes READ, WRITE, DISPATCH are missing"
    assert invite_as(settings, "OWNER") == (403, f"role OWNER {missing}")
    assert invite_as(settings, "PLANNER") == (403, f"role PLANNER {missing}")
    viewer = "role VIEWER gives more than you have: scope READ is missing"
    assert invite_as(settings, "VIEWER") == (403, viewer)
    assert world.client.get("/members").json()["members"] == []
    watching = client_with(world, "READ", "SETTINGS")
    assert invite_as(watching, "VIEWER")[0] == 200
    assert invite_as(watching, "OWNER")[0] == 403
    assert invite_as(client_with(world, "READ", "WRITE", "DISPATCH", "SETTINGS"), "OWNER")[0] == 200


def test_nobody_raises_lets_in_or_invites_anew_whom_they_could_not_invite(world: World) -> None:
    settings = client_with(world, "SETTINGS")
    bob = join(world, "bob@example.com", Role.VIEWER)
    bobs = f"/members/{bob.get('/members/api/session').json()['member']['id']}"
    raised = {"member": {"role": "PLANNER"}, "updateMask": "role"}
    refused = settings.send("PATCH", bobs, json=raised)
    assert refused.json()["message"].startswith("role PLANNER gives more than you have")
    named = {"member": {"name": "Robert"}, "updateMask": "name"}
    assert settings.send("PATCH", bobs, json=named).json()["role"] == "VIEWER"
    assert settings.post(f"{bobs}/deactivate").status_code == 200
    assert settings.post(f"{bobs}/activate").status_code == 403
    assert world.client.post(f"{bobs}/activate").json()["status"] == "ACTIVE"
    invited = world.client.post("/members", {"email": EMAIL, "role": "OWNER"}).json()["member"]
    assert settings.post(f"/members/{invited['id']}/invite").status_code == 403


def test_the_last_active_owner_stays_one(world: World) -> None:
    ann = join(world)
    world.client.post("/members", {"email": "invited@example.com", "role": "OWNER"})
    path = f"/members/{ann.get('/members/api/session').json()['member']['id']}"
    demotion = {"member": {"role": "PLANNER"}, "updateMask": "role"}
    for refused in (
        world.client.send("PATCH", path, json=demotion),
        world.client.post(f"{path}/deactivate"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert ann.get("/members/api/session").json()["member"]["role"] == "OWNER"
    join(world, "bob@example.com", Role.OWNER)
    assert world.client.send("PATCH", path, json=demotion).status_code == 200


def test_who_is_deactivated_is_out_at_once_and_comes_back(world: World) -> None:
    join(world)
    bob = join(world, "bob@example.com", Role.PLANNER)
    path = f"/members/{bob.get('/members/api/session').json()['member']['id']}"
    assert world.client.post(f"{path}/deactivate").json()["status"] == "DEACTIVATED"
    assert bob.get("/api/2024-07/routes").status_code == 401
    assert world.client.post(f"{path}/invite").json()["code"] == 9
    assert world.client.post(f"{path}/activate").json()["status"] == "ACTIVE"
    assert bob.get("/api/2024-07/routes").status_code == 401
    again = browser(world).sign_in(email="bob@example.com", password=PASSWORD)
    assert again.status_code == 200


def test_who_never_took_up_the_invitation_is_invited_again(world: World) -> None:
    made = world.client.post("/members", {"email": EMAIL}).json()
    path = f"/members/{made['member']['id']}"
    assert world.client.post(f"{path}/activate").json()["code"] == 9
    world.client.post(f"{path}/deactivate")
    token = made["inviteUrl"].rpartition("/")[2]
    assert browser(world).get(f"/members/api/invites/{token}").status_code == 404
    assert world.client.post(f"{path}/activate").json()["status"] == "INVITED"
    assert world.client.post(f"{path}/invite").status_code == 200


def test_another_organizations_member_is_unknown(world: World) -> None:
    made = world.client.post("/members", {"email": EMAIL}).json()["member"]["id"]
    for verb in ("invite", "deactivate", "activate"):
        theirs = world.stranger.post(f"/members/{made}/{verb}")
        nobodys = world.stranger.post(f"/members/mem-nothing/{verb}")
        assert theirs.status_code == nobodys.status_code == 404
        assert theirs.json() == nobodys.json()


@pytest.mark.both_databases
def test_credentials_that_a_member_leaves_behind_are_named_and_go_on(world: World) -> None:
    join(world)
    bob = join(world, "Bob@example.com", Role.OWNER)
    made = bob.send("POST", "/api/2024-07/credentials", {"scopes": ["READ"]}).json()
    gone = bob.send("POST", "/api/2024-07/credentials", {"scopes": ["READ"]}).json()
    world.client.send("DELETE", f"/credentials/{gone['clientId']}")
    path = f"/members/{bob.get('/members/api/session').json()['member']['id']}"

    def change(role: str) -> list[str]:
        body = {"member": {"role": role}, "updateMask": "role"}
        answer = world.client.send("PATCH", path, json=body).json()
        return [one["id"] for one in answer["credentials"]]

    assert change("VIEWER") == [made["clientId"]]
    assert change("PLANNER") == [], "what was named once is not named again"
    (shut_out,) = world.client.post(f"{path}/deactivate").json()["credentials"]
    assert shut_out["id"] == made["clientId"], "unless its member may do nothing any more"
    assert world.client.post(f"{path}/deactivate").json()["credentials"] == []
    assert world.client.post(f"{path}/activate").json()["status"] == "ACTIVE"
    assert change("OWNER") == []
    left = world.client.post(f"{path}/deactivate").json()
    assert (left["status"], left["email"]) == ("DEACTIVATED", "Bob@example.com")
    (named,) = left["credentials"]
    assert (named["id"], named["scopes"]) == (made["clientId"], ["READ"])
    body = {"clientId": made["clientId"], "clientSecret": made["clientSecret"]}
    assert world.client.post("/authenticate", body).status_code == 200
    events = world.client.get("/security-events").json()["securityEvents"]
    told = {
        (one["kind"], one["details"]["clientIds"])
        for one in events
        if "clientIds" in one.get("details", {})
    }
    assert told == {("MEMBER_CHANGED", named["id"]), ("MEMBER_DEACTIVATED", named["id"])}
