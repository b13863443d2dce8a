"""Proof of delivery: what is asked for at the door, scanned codes, and why a delivery failed."""

from datetime import datetime
from enum import StrEnum

from roundsman.domain.model import Model


class BarcodeIssueReason(StrEnum):
    """Why a barcode was not scanned (decisions §8)."""

    UNKNOWN = "UNKNOWN"
    ITEM_MISSING = "ITEM_MISSING"
    ITEM_DAMAGED = "ITEM_DAMAGED"
    BARCODE_UNREADABLE = "BARCODE_UNREADABLE"
    OTHER = "OTHER"


class AttemptedReason(StrEnum):
    """Why a delivery was attempted only (decisions §8)."""

    UNKNOWN = "UNKNOWN"
    NOT_AVAILABLE = "NOT_AVAILABLE"
    REFUSED = "REFUSED"
    WRONG_ADDRESS = "WRONG_ADDRESS"
    NO_ACCESS = "NO_ACCESS"
    UNSAFE = "UNSAFE"
    DAMAGED = "DAMAGED"
    OTHER = "OTHER"


class LeftWith(StrEnum):
    """With whom, or where, goods were left."""

    RECIPIENT = "RECIPIENT"
    NEIGHBOUR = "NEIGHBOUR"
    RECEPTION = "RECEPTION"
    SAFE_PLACE = "SAFE_PLACE"
    OTHER = "OTHER"


class ProofRule(StrEnum):
    """What the driver's app does about a proof: ask for it, warn without it, offer it, or not."""

    REQUIRED = "REQUIRED"
    WARN = "WARN"
    OFFERED = "OFFERED"
    OFF = "OFF"


class ProofRules(Model):
    """The rule for each proof at a stop; the app holds them, not the journal (decisions §22)."""

    photo: ProofRule = ProofRule.OFFERED
    signature: ProofRule = ProofRule.OFFERED
    barcode: ProofRule = ProofRule.OFFERED
    note: ProofRule = ProofRule.OFFERED
    recipient_name: ProofRule = ProofRule.OFFERED


class Barcode(Model):
    """A scanned code."""

    value: str
    """What the code says."""

    created_at: datetime
    """When it was scanned."""


class BarcodeIssue(Model):
    """A code that could not be scanned."""

    reason: BarcodeIssueReason
    """Why it could not be scanned."""

    note: str = ""
    """The driver's own words."""

    created_at: datetime
    """When the driver said so."""
