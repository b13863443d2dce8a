"""The members' door in process."""

from dataclasses import dataclass
from typing import Any

import pytest
from tests.api.conftest import World, inhabitants, world
from tests.support.in_process import InProcessClient

from roundsman.domain.member import MemberDraft
from roundsman.domain.principal import Role, operator
from roundsman.operations.members import MemberInvitation, add_member
from roundsman.operations.request import Request

__all__ = ["inhabitants", "world"]

PASSWORD = "correct horse battery"
EMAIL = "ann@example.com"


@dataclass
class Browser:
    """A browser of a planner: it keeps cookies, and the page sends the CSRF token."""

    http: InProcessClient
    csrf: str = ""

    def sign_in(self, **body: str) -> Any:
        answer = self.http.post("/members/api/session", json=body)
        if answer.status_code == 200:
            self.csrf = answer.json()["csrfToken"]
        return answer

    def get(self, path: str) -> Any:
        return self.http.get(path)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        headers = {"X-CSRF-Token": self.csrf, **headers}
        return self.http.request(method, path, json=body or {}, headers=headers)


def browser(
    world: World, address: str = "203.0.113.9", base_url: str = "https://roundsman.test"
) -> Browser:
    return Browser(InProcessClient(world.client.interface, base_url=base_url, address=address))


def invite(
    world: World, email: str = EMAIL, role: Role = Role.OWNER, organization: str = ""
) -> MemberInvitation:
    slug = organization or world.credentials.organization_id
    draft = MemberDraft(email=email, name="Ann", role=role)
    return add_member(world.tools, Request(principal=operator(slug)), draft)


def token_of(url: str) -> str:
    return url.rpartition("/")[2]


def join(
    world: World,
    email: str = EMAIL,
    role: Role = Role.OWNER,
    organization: str = "",
    password: str = PASSWORD,
) -> Browser:
    """Invite somebody who takes the invitation up."""
    made = browser(world)
    path = f"/members/api/invites/{token_of(invite(world, email, role, organization).url)}"
    answer = made.http.post(path, json={"name": "Ann Ames", "password": password})
    assert answer.status_code == 200, answer.text
    made.csrf = answer.json()["csrfToken"]
    return made


@pytest.fixture
def ann(world: World) -> Browser:
    """Return the browser of an owner."""
    return join(world)
