"""What is wrong or doubtful, or went wrong, for programs and for other languages.

Each sentence of an answer that says so has the type of what it says beside it, and the values that
stand in the sentence: who words it anew needs no more than these.
"""

from datetime import datetime
from enum import StrEnum

from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.time_window import TimeWindow


class IssueType(StrEnum):
    """What is wrong or doubtful; there may be more of them one day."""

    SPREADSHEET_ERROR = "SPREADSHEET_ERROR"
    FORMULA_WITHOUT_RESULT = "FORMULA_WITHOUT_RESULT"
    TOO_LONG = "TOO_LONG"
    NOT_A_NUMBER = "NOT_A_NUMBER"
    NOT_A_WHOLE_NUMBER = "NOT_A_WHOLE_NUMBER"
    NOT_COUNTABLE = "NOT_COUNTABLE"
    NOT_DEGREES = "NOT_DEGREES"
    NOT_COORDINATES = "NOT_COORDINATES"
    OUT_OF_RANGE = "OUT_OF_RANGE"
    WEIGHT_WITHOUT_UNIT = "WEIGHT_WITHOUT_UNIT"
    UNKNOWN_WEIGHT_UNIT = "UNKNOWN_WEIGHT_UNIT"
    TOO_HEAVY = "TOO_HEAVY"
    NOT_A_DURATION = "NOT_A_DURATION"
    DURATION_TOO_LONG = "DURATION_TOO_LONG"
    NOT_A_DATE = "NOT_A_DATE"
    DATE_OUT_OF_RANGE = "DATE_OUT_OF_RANGE"
    ANOTHER_DAY = "ANOTHER_DAY"
    NOT_A_TIME = "NOT_A_TIME"
    NOT_A_TIME_WINDOW = "NOT_A_TIME_WINDOW"
    NOT_A_PHONE_NUMBER = "NOT_A_PHONE_NUMBER"
    NOT_AN_EMAIL = "NOT_AN_EMAIL"
    UNKNOWN_STOP_TYPE = "UNKNOWN_STOP_TYPE"
    BREAK_OF_A_ROUTE = "BREAK_OF_A_ROUTE"
    NOT_JSON = "NOT_JSON"
    TWO_ADDRESSES = "TWO_ADDRESSES"
    OTHER_COORDINATE_MISSING = "OTHER_COORDINATE_MISSING"
    OUT_OF_BOUNDS = "OUT_OF_BOUNDS"
    COLUMN_OF_PLANS = "COLUMN_OF_PLANS"
    COLUMN_LIKE_LOAD = "COLUMN_LIKE_LOAD"

    TOO_MANY_CELLS = "TOO_MANY_CELLS"
    TOO_MANY_ORDER_LINES = "TOO_MANY_ORDER_LINES"
    ORDER_LEFT_OUT = "ORDER_LEFT_OUT"
    REPEATED_ID = "REPEATED_ID"

    LOCATION_REQUIRED = "LOCATION_REQUIRED"
    ADDRESS_NOT_FOUND = "ADDRESS_NOT_FOUND"
    ADDRESS_AMBIGUOUS = "ADDRESS_AMBIGUOUS"
    CITY_REQUIRED = "CITY_REQUIRED"
    CITY_LOOKS_LIKE_STREET = "CITY_LOOKS_LIKE_STREET"
    UNKNOWN_CITY = "UNKNOWN_CITY"
    UNKNOWN_ZIP = "UNKNOWN_ZIP"
    UNKNOWN_PROVINCE = "UNKNOWN_PROVINCE"
    UNKNOWN_COUNTRY = "UNKNOWN_COUNTRY"
    ZIP_IS_ELSEWHERE = "ZIP_IS_ELSEWHERE"
    NOT_ON_MAP = "NOT_ON_MAP"
    NO_MAP = "NO_MAP"
    MATCH_TOO_COARSE = "MATCH_TOO_COARSE"

    COORDINATES_ZERO = "COORDINATES_ZERO"
    COORDINATES_SWAPPED = "COORDINATES_SWAPPED"
    FAR_FROM_OTHERS = "FAR_FROM_OTHERS"
    FAR_FROM_ADDRESS = "FAR_FROM_ADDRESS"

    SINGLE_TIME = "SINGLE_TIME"
    READ_AS_AFTERNOON = "READ_AS_AFTERNOON"
    SPANS_MIDNIGHT = "SPANS_MIDNIGHT"
    NO_LENGTH = "NO_LENGTH"

    NO_ANSWER_IN_TIME = "NO_ANSWER_IN_TIME"
    URL_NOT_ALLOWED = "URL_NOT_ALLOWED"
    ADDRESS_NOT_ALLOWED = "ADDRESS_NOT_ALLOWED"
    HOST_UNKNOWN = "HOST_UNKNOWN"
    HOST_UNREACHABLE = "HOST_UNREACHABLE"
    CONNECTION_REFUSED = "CONNECTION_REFUSED"
    CONNECTION_BROKEN = "CONNECTION_BROKEN"
    CERTIFICATE_NOT_TRUSTED = "CERTIFICATE_NOT_TRUSTED"
    NOT_ENCRYPTED = "NOT_ENCRYPTED"
    NOT_HTTP = "NOT_HTTP"
    SENDER_STOPPED = "SENDER_STOPPED"


class IssueValues(Model):
    """What a sentence about an issue names; each type has its own of these."""

    value: str | UnsetType = UNSET
    """What was written: a cell, or the part of it or of the address that is meant."""

    read_as: str | UnsetType = UNSET
    """What it was taken for: a place, a day, or how close to the door a match is."""

    windows: tuple[TimeWindow, ...] | UnsetType = UNSET
    """What a cell was read as."""

    choices: tuple[str, ...] | UnsetType = UNSET
    """What would be right, or what it may be."""

    least: float | UnsetType = UNSET
    """The lowest number allowed; of days the year."""

    most: float | UnsetType = UNSET
    """The highest number allowed; of days the year, of a text how many characters."""

    row: int | UnsetType = UNSET
    """Another row that is meant."""

    column: str | UnsetType = UNSET
    """Another column that is meant."""

    distance_meters: float | UnsetType = UNSET
    """How far it is."""

    detail: str | UnsetType = UNSET
    """What a reader of JSON says, in English."""


class ExcessValues(Model):
    """What a sentence about a broken limit, window or rule names; its type says which one."""

    name: str | UnsetType = UNSET
    """What people call the stop whose window is missed; of a vehicle the load, or the skill that it
    lacks."""

    actual: float | UnsetType = UNSET
    """What there would be: stops, items, kilograms or seconds."""

    most: float | UnsetType = UNSET
    """What is allowed of it."""

    excess: float | UnsetType = UNSET
    """How much too much that is; of a window how many seconds late."""

    service_start: datetime | UnsetType = UNSET
    """When service would start at the stop."""

    windows: tuple[TimeWindow, ...] | UnsetType = UNSET
    """The windows of the stop, on the clocks where it is."""


class Issue(Model):
    """A type with its values; without any where the sentence names nothing."""

    type: IssueType
    values: IssueValues | UnsetType = UNSET
