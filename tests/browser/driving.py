"""A driver's phone before a real server: signs up by an invite, and tells what its driver does."""

import hashlib
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any


@dataclass
class Phone:
    """A signed-up driver with a route."""

    http: Any
    address: str
    driver_id: str
    headers: dict[str, str]
    route_id: str = ""
    told: int = 0
    named: int = 0

    def name_one(self) -> str:
        """Return the next id of the phone's own."""
        self.named += 1
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.driver_id}/{self.named}"))

    def tell(self, kind: str, *, becomes: str = "APPLIED", **fields: Any) -> None:
        """Send one action of this moment; this must become of it."""
        self.told += 1
        action = {
            "id": self.name_one(),
            "kind": kind,
            "sequence": self.told,
            "at": datetime.now(UTC).isoformat(),  # noqa: TID251 -- the device's clock
            "routeId": self.route_id,
            **fields,
        }
        url = f"{self.address}/driver/api/actions"
        response = self.http.post(url, json={"actions": [action]}, headers=self.headers)
        assert response.status_code == 200, response.text
        (result,) = response.json()["results"]
        assert result["outcome"] == becomes, result

    def upload(self, data: bytes) -> str:
        """Send a picture; return the id by which an action names it."""
        id_ = self.name_one()
        sha256 = {"X-Content-SHA256": hashlib.sha256(data).hexdigest()}
        url = f"{self.address}/driver/api/uploads/{id_}"
        response = self.http.put(url, content=data, headers={**self.headers, **sha256})
        assert response.status_code == 200, response.text
        return id_


def sign_up_driver(address: str, http: Any) -> Phone:
    """Invite a driver as a planner would, and accept on a phone."""
    invited = http.post("/drivers", json={"firstName": "Dana"}).json()
    token = invited["inviteUrl"].rpartition("/")[2]
    url = f"{address}/driver/api/invites/{token}"
    session = http.post(url, json={"device": "phone"}).json()
    headers = {"Authorization": f"Bearer {session['token']}"}
    return Phone(http, address, invited["driver"]["id"], headers)
