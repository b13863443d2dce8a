"""Who asks at the driver's door, and as whom events name them."""

from dataclasses import dataclass

from roundsman.domain.caller import Caller
from roundsman.domain.driver_session import DriverPrincipal
from roundsman.domain.events import Actor
from roundsman.domain.noun import UNSET
from roundsman.operations.work import Receipt, Request

_LONGEST_USER_AGENT = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class DriverRequest:
    """A driver on a device, and where the request came from."""

    signed: DriverPrincipal
    receipt: Receipt | None = None
    address: str = ""
    user_agent: str = ""

    @property
    def driver_id(self) -> str:
        """Return who asks."""
        return self.signed.driver_id

    @property
    def organization_id(self) -> str:
        """Return for whom they drive."""
        return self.signed.organization_id

    def as_request(self) -> Request:
        """Return the same as operations on routes take it."""
        return Request(
            caller=Caller(organization_id=self.organization_id, client_id="", email=""),
            receipt=self.receipt,
            actor=Actor(
                driver_id=self.driver_id,
                ip_address=self.address or UNSET,
                user_agent=self.user_agent[:_LONGEST_USER_AGENT] or UNSET,
            ),
        )
