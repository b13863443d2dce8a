"""What messages to customers say."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from roundsman.domain.arrival_window import ArrivalWindow
from roundsman.domain.message import Channel, MessageSettings, Trigger
from roundsman.domain.organization import Language
from roundsman.notifications.texts import MessageFacts, write_text


def test_a_window_within_the_hour_that_clocks_show_twice_names_the_clocks() -> None:
    clock = datetime(2024, 11, 3, 4, tzinfo=UTC).astimezone(ZoneInfo("America/New_York"))
    start, end = datetime(2024, 11, 3, 5, 45, tzinfo=UTC), datetime(2024, 11, 3, 6, 15, tzinfo=UTC)
    facts = MessageFacts(window=ArrivalWindow(start=start, end=end))
    said = write_text(
        MessageSettings(), Trigger.PLANNED, Channel.SMS, Language.ENGLISH, facts, clock
    )
    assert "01:45 EDT-01:15 EST" in said.text
