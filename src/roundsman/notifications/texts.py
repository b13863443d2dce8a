"""What messages say: the built-in text of a moment in a language, or the organization's own.

The words of a language stand in one file, `words/<language>.toml`, as a translator reads them.
"""

import re
import tomllib
from collections.abc import Mapping
from datetime import datetime, tzinfo
from functools import cache
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo

from roundsman.domain.arrival_window import ArrivalWindow
from roundsman.domain.message import (
    Channel,
    MessageSettings,
    Trigger,
    count_segments,
    fill_placeholders,
)
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.organization import Language
from roundsman.kit.time_zones import say_clock_times

_SPACES = re.compile(r"[^\S\n]+")
_OWNER_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_LOST_SPACE = re.compile(r" +([,.])")


class MessageText(Model):
    """What a message says."""

    subject: str | UnsetType = UNSET
    """Of an e-mail."""

    text: str
    segments: int | UnsetType = UNSET
    """In how many parts a text message is sent and paid."""


class MessageFacts(Model):
    """What fills the placeholders."""

    order: str = ""
    name: str = ""
    link: str = ""
    window: ArrivalWindow | UnsetType = UNSET
    organization: str = ""


def write_text(
    settings: MessageSettings,
    trigger: Trigger,
    channel: Channel,
    language: Language,
    facts: MessageFacts,
    clock: datetime,
) -> MessageText:
    """Return what a message says; `clock` is the local time at the stop."""
    words = read_words(language)
    own = settings.find_template(trigger, channel, language)
    usual = words[trigger.value]
    text = (own.text if own else "") or usual["email" if channel is Channel.EMAIL else "sms"]
    values = {
        "order": facts.order,
        "name": facts.name,
        "link": facts.link,
        "window": _say_window(words, facts.window, clock),
        "organization": facts.organization,
    }
    if channel is Channel.SMS:
        said = _tidy(fill_placeholders(text, values))
        return MessageText(text=said, segments=count_segments(said))
    subject = (own.subject if own else "") or usual["subject"]
    one_line = " ".join(fill_placeholders(subject, values).split())
    return MessageText(subject=_tidy(one_line), text=_tidy(fill_placeholders(text, values)))


def write_password_reset(language: Language, organization: str, link: str) -> MessageText:
    """Return the e-mail that brings a link to choose a new password with."""
    words = read_words(language)["password_reset"]
    values = {"organization": organization, "link": link}
    return MessageText(subject=words["subject"], text=fill_placeholders(words["text"], values))


class OwnerFacts(Model):
    """What an e-mail to an owner names: of a receiver its host alone, which holds no secret."""

    organization: str
    id: str
    host: str
    since: datetime
    at: datetime
    count: int = 0
    starting: str = ""
    """From when on to replay, as the interface takes it."""

    days: int = 0
    """For how long events are kept."""


def write_owner_text(
    language: Language, kind: str, facts: OwnerFacts, zone: ZoneInfo
) -> MessageText:
    """Return what an owner is written about something of `kind`, by the organization's clocks."""
    words = read_words(language)
    usual = words[kind]
    values = {
        "organization": facts.organization,
        "id": facts.id,
        "host": facts.host,
        "since": _say_instant(words, facts.since.astimezone(zone), zone),
        "at": _say_instant(words, facts.at.astimezone(zone), zone),
        "count": str(facts.count),
        "starting": facts.starting,
        "days": str(facts.days),
    }

    def fill(text: str) -> str:
        return _OWNER_PLACEHOLDER.sub(lambda found: values[found[1]], text)

    return MessageText(subject=" ".join(fill(usual["subject"]).split()), text=fill(usual["text"]))


def _say_instant(words: Mapping[str, Any], local: datetime, zone: ZoneInfo) -> str:
    return f"{_say_day(words, local)}, {local:%H:%M} ({zone.key})"


def _say_day(words: Mapping[str, Any], local: datetime) -> str:
    said: str = words["day"].format(
        weekday=words["weekdays"][local.weekday()],
        day=local.day,
        month=words["months"][local.month - 1],
    )
    return said


def _tidy(text: str) -> str:
    """Close the gaps that missing values leave."""
    return _LOST_SPACE.sub(r"\1", _SPACES.sub(" ", text)).strip()


def _say_window(
    words: Mapping[str, Any], window: ArrivalWindow | UnsetType, clock: datetime
) -> str:
    zone: tzinfo | None = clock.tzinfo
    if isinstance(window, UnsetType) or window.end < clock:
        return str(words["no_time"])
    start = window.start.astimezone(zone)
    times = "-".join(say_clock_times(window.start, window.end, zone))
    if start.date() == clock.date():
        return times
    return f"{_say_day(words, start)}, {times}"


@cache
def read_words(language: Language) -> Mapping[str, Any]:
    """Return the words of a language."""
    source = files("roundsman.notifications").joinpath("words", f"{language}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))
