"""A business that runs routes, and the slug it is known by."""

import re
import unicodedata
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from roundsman.domain.address import Location, Phone
from roundsman.domain.brand_color import Color
from roundsman.domain.model import UNSET, Line, Model, UnsetType
from roundsman.domain.proof import ProofRules


class Language(StrEnum):
    """A language that customers' pages speak (decisions §16)."""

    ENGLISH = "en"
    GERMAN = "de"
    FRENCH = "fr"
    SPANISH = "es"
    ITALIAN = "it"
    DUTCH = "nl"
    POLISH = "pl"
    PORTUGUESE = "pt"


class PositionSharing(StrEnum):
    """When customers may see where the driver is (decisions §16)."""

    NEVER = "NEVER"
    NEXT_STOP = "NEXT_STOP"


type FailureReason = Annotated[
    str, Meta(pattern=r"\S", max_length=60, description="1 to 60 characters, not blank")
]
type Days = Annotated[int, Meta(ge=1, le=3_650)]


class Retention(Model):
    """For how many days what is kept (decisions §17)."""

    positions_days: Days = 30
    events_days: Days = 30
    proof_days: Days = 730
    customers_days: Days = 1_095


class OrganizationSettings(Model):
    """What an organization may say of itself, beside its name."""

    phone: Phone = ""
    color: Color = ""
    language: Language = Language.ENGLISH
    start: Location | UnsetType = UNSET
    """Where its routes usually begin."""

    share_driver_position: PositionSharing = PositionSharing.NEVER
    failure_reasons: Annotated[tuple[FailureReason, ...], Meta(max_length=20)] = ()
    """Why a delivery may fail, beside the reasons that everybody has."""

    proof_rules: ProofRules = ProofRules()
    retention: Retention | UnsetType = UNSET
    """Unset, the usual one: then positions are kept for as long as the installation says."""


class Organization(OrganizationSettings):
    """A tenant: everything else belongs to exactly one."""

    id: str
    name: str
    timezone: str
    webhook_secret: str
    logo_id: str = ""


class OrganizationDraft(Model):
    """A new organization, whose name may not be blank."""

    name: Line


class Logo(Model):
    """The picture that stands on an organization's pages."""

    id: str
    media_type: str
    data: bytes


_WITHOUT_ACCENT_APART = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})
"""Letters that Unicode does not take apart, as ü into u and two dots; case folding makes ß ss."""


def slug_of(name: str, suffix: bytes) -> str:
    """Return the organization's identifier: its name as a slug and four hex digits."""
    letters = name.casefold().translate(_WITHOUT_ACCENT_APART)
    plain = unicodedata.normalize("NFKD", letters).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].rstrip("-")
    return f"{words or 'organization'}-{suffix[:2].hex()}"
