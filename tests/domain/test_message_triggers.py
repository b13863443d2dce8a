"""When messages may go out, and in how many parts text messages are paid."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from roundsman.domain.message import (
    Channel,
    MessageTemplate,
    QuietHours,
    Trigger,
    count_segments,
    fill_placeholders,
)
from roundsman.domain.message_triggers import Promise, send_at
from roundsman.domain.organization import Language

ZURICH = ZoneInfo("Europe/Zurich")


@pytest.mark.parametrize(
    ("now", "quiet", "then"),
    [
        ("2026-07-01T12:00", ("21:00", "08:00"), "2026-07-01T12:00"),
        ("2026-07-01T20:00", ("21:00", "08:00"), "2026-07-02T06:00"),
        ("2026-07-02T05:59", ("21:00", "08:00"), "2026-07-02T06:00"),
        ("2026-07-02T06:00", ("21:00", "08:00"), "2026-07-02T06:00"),
        ("2026-07-01T10:30", ("12:00", "13:00"), "2026-07-01T11:00"),
        ("2026-07-01T10:30", ("12:00", "12:00"), "2026-07-01T10:30"),
        # The night in March is an hour shorter, the one in October an hour longer.
        ("2026-03-28T22:00", ("21:00", "08:00"), "2026-03-29T06:00"),
        ("2026-03-29T05:59", ("21:00", "08:00"), "2026-03-29T06:00"),
        ("2026-10-24T21:00", ("21:00", "08:00"), "2026-10-25T07:00"),
        ("2026-10-25T06:59", ("21:00", "08:00"), "2026-10-25T07:00"),
        # An end that the clocks leave out, and one that they show twice.
        ("2026-03-28T23:00", ("23:30", "02:30"), "2026-03-29T01:30"),
        ("2026-10-24T23:00", ("23:30", "02:30"), "2026-10-25T00:30"),
        ("2026-10-25T00:45", ("23:30", "02:30"), "2026-10-25T00:45"),
        ("2026-10-25T01:15", ("23:30", "02:30"), "2026-10-25T01:30"),
    ],
)
def test_quiet_hours_are_those_of_the_clocks_at_the_stop(
    now: str, quiet: tuple[str, str], then: str
) -> None:
    hours = QuietHours(start=quiet[0], end=quiet[1])
    asked = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert send_at(asked, ZURICH, hours) == datetime.fromisoformat(then).replace(tzinfo=UTC)


def test_no_message_waits_for_a_moment_that_is_over_around_changes_of_the_clocks() -> None:
    for day in (datetime(2026, 3, 28, 20, tzinfo=UTC), datetime(2026, 10, 24, 20, tzinfo=UTC)):
        for start, end in (("21:00", "08:00"), ("23:30", "02:30"), ("01:00", "03:00")):
            hours = QuietHours(start=start, end=end)
            for minutes in range(0, 14 * 60, 5):
                asked = day + timedelta(minutes=minutes)
                then = send_at(asked, ZURICH, hours)
                assert then >= asked
                assert send_at(then, ZURICH, hours) == then, "it is quiet no more by then"


def test_a_promise_slips_and_slips_again_half_an_hour_later() -> None:
    def at(minute: int) -> datetime:
        return datetime(2026, 7, 1, 10 + minute // 60, minute % 60, tzinfo=UTC)

    promise = Promise(stop_id="rst-1", route_id="rte-1", slips_at=at(15))
    assert not promise.has_slipped(at(15))
    assert promise.has_slipped(at(16))
    again = promise.slipped(at(16))
    assert not again.has_slipped(at(46))
    assert again.has_slipped(at(47))
    assert not again.slipped(at(47)).has_slipped(at(300))


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("", 1),
        ("a" * 160, 1),
        ("a" * 161, 2),
        ("€" * 80, 1),
        ("€" * 81, 2),
        ("ł" * 70, 1),
        ("ł" * 71, 2),
        ("😀" * 35, 1),
        ("😀" * 36, 2),
        ("a" * 306, 2),
        ("a" * 307, 3),
    ],
)
def test_parts_of_a_text_message_are_counted(text: str, segments: int) -> None:
    assert count_segments(text) == segments


def test_a_customer_s_name_is_no_template() -> None:
    assert fill_placeholders("{name}: {order}", {"name": "{order}", "order": "1"}) == "{order}: 1"


@pytest.mark.parametrize(
    "text", ["{name.__class__}", "{0}", "{{name}}", "{% set x %}", "{name!r:>99}", "}", "{"]
)
def test_a_template_knows_placeholders_and_nothing_else(text: str) -> None:
    assert fill_placeholders("%s {name}", {"name": "{link}"}) == "%s {link}"
    with pytest.raises(ValueError, match="no other braces"):
        MessageTemplate(
            moment=Trigger.NEXT, channel=Channel.SMS, language=Language.ENGLISH, text=text
        )
