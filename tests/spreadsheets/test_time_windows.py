from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.spreadsheets.remarks import Slip
from roundsman.spreadsheets.time_windows import (
    parse_closing,
    parse_opening,
    parse_windows,
    read_sides,
    read_windows,
    spell_windows,
)


def written(bound: TimeOfDay | UnsetType) -> str:
    return "" if bound is UNSET or isinstance(bound, UnsetType) else bound.as_time().isoformat()


def spelled(windows: tuple[TimeWindow, ...]) -> list[str]:
    return [f"{written(window.start)}-{written(window.end)}" for window in windows]


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("text", "windows"),
    [
        ("9:00-12:00; 14:00-16:00", ["09:00:00-12:00:00", "14:00:00-16:00:00"]),
        ("9:00-12:00,14:00-16:00", ["09:00:00-12:00:00", "14:00:00-16:00:00"]),
        ("9-12 and 14-16", ["09:00:00-12:00:00", "14:00:00-16:00:00"]),
        ("9-12", ["09:00:00-12:00:00"]),
        ("9:00 \u2013 12:00", ["09:00:00-12:00:00"]),
        ("9.30-12.15", ["09:30:00-12:15:00"]),
        ("0930-1215", ["09:30:00-12:15:00"]),
        ("9h-12h30", ["09:00:00-12:30:00"]),
        ("09:00:30-12:00:45", ["09:00:30-12:00:45"]),
        ("from 9 to 12", ["09:00:00-12:00:00"]),
        ("after 9 and before 12", ["09:00:00-12:00:00"]),
        ("before 12, after 9", ["09:00:00-12:00:00"]),
        ("before 9 or after 12", ["-09:00:00", "12:00:00-"]),
        ("after 9; after 12", ["09:00:00-", "12:00:00-"]),
        ("midnight-6:00", ["00:00:00-06:00:00"]),
        ("after midnight", ["00:00:00-"]),
        ("9 h 30 - 12 h", ["09:30:00-12:00:00"]),
        ("frühestens 9 Uhr, spätestens 12 Uhr", ["09:00:00-12:00:00"]),
        ("minuit à 6h", ["00:00:00-06:00:00"]),
        ("de midi à 14h", ["12:00:00-14:00:00"]),
        ("desde las 9 a las 12", ["09:00:00-12:00:00"]),
        ("vanaf 9 en tot 12", ["09:00:00-12:00:00"]),
        ("between 9 and 12, after 14", ["09:00:00-12:00:00", "14:00:00-"]),
        ("9 o'clock - 12 o'clock", ["09:00:00-12:00:00"]),
        ("von 9 bis 12 Uhr", ["09:00:00-12:00:00"]),
        ("zwischen 9 und 12 und ab 14:30 Uhr", ["09:00:00-12:00:00", "14:30:00-"]),
        ("spätestens 12 Uhr", ["-12:00:00"]),
        ("Ganztägig", []),
        ("de 9h à 12h", ["09:00:00-12:00:00"]),
        ("du 9h30 au 12h", ["09:30:00-12:00:00"]),
        ("entre 9h et 12h ou à partir de 14 heures", ["09:00:00-12:00:00", "14:00:00-"]),
        ("jusqu'à midi", ["-12:00:00"]),
        ("de las 9 a las 12 y de 16 a 18", ["09:00:00-12:00:00", "16:00:00-18:00:00"]),
        ("a partir de las 9 horas", ["09:00:00-"]),
        ("van 9 tot 12 uur", ["09:00:00-12:00:00"]),
        ("voor 12:00 of vanaf 15:00", ["-12:00:00", "15:00:00-"]),
        ("9am-12:30pm", ["09:00:00-12:30:00"]),
        ("9 a.m. - 5 p.m.", ["09:00:00-17:00:00"]),
        ("1-5pm", ["13:00:00-17:00:00"]),
        ("9-5pm", ["09:00:00-17:00:00"]),
        ("9am-5", ["09:00:00-17:00:00"]),
        ("12am-12pm", ["00:00:00-12:00:00"]),
        ("22:00-6:00", ["22:00:00-06:00:00"]),
        ("22-6", ["22:00:00-06:00:00"]),
        ("after 9:00", ["09:00:00-"]),
        ("after 2pm", ["14:00:00-"]),
        ("9:00-", ["09:00:00-"]),
        ("-12:00", ["-12:00:00"]),
        ("before noon", ["-12:00:00"]),
        ("until 12:00", ["-12:00:00"]),
        ("18:00-24:00", ["18:00:00-23:59:59"]),
        ("0:00-24:00", ["00:00:00-23:59:59"]),
        ("nicht vor 9", ["09:00:00-"]),
        ("ab 14 Uhr", ["14:00:00-"]),
        ("9-12 u. 15-18", ["09:00:00-12:00:00", "15:00:00-18:00:00"]),
        ("8 to 10 in the morning", ["08:00:00-10:00:00"]),
        ("de 5 a 7 de la tarde", ["17:00:00-19:00:00"]),
        ("12-3", ["12:00:00-15:00:00"]),
        ("9-5", ["09:00:00-17:00:00"]),
        ("10-2", ["10:00:00-14:00:00"]),
        ("5-8", ["05:00:00-08:00:00"]),
        ("any", []),
        ("-", []),
        ("24 Stunden", []),
    ],
)
def test_windows_are_understood_as_people_write_them(text: str, windows: list[str]) -> None:
    assert spelled(parse_windows(text)) == windows


@pytest.mark.parametrize(
    ("words", "windows"),
    [
        ("ASAP; zsm; so schnell wie möglich; dès que possible; lo antes posible", []),
        ("morning; vormittags; matin; mañana; ochtend; in the morning", ["08:00:00-12:00:00"]),
        ("noon; mittags; midi; mediodía", ["12:00:00-14:00:00"]),
        ("afternoon; nachmittags; après-midi; tarde; middag; 's middags", ["12:00:00-18:00:00"]),
        ("evening; abends; soir; noche; avond", ["18:00:00-21:00:00"]),
    ],
)
def test_the_parts_of_a_day_have_hours_in_every_language(words: str, windows: list[str]) -> None:
    for word in words.split("; "):
        assert (word, spelled(parse_windows(word))) == (word, windows)


@pytest.mark.parametrize(
    ("text", "slip", "became"),
    [
        ("10:30", Slip.AROUND, "10:00-11:00"),
        ("um 9", Slip.AROUND, "8:30-9:30"),
        ("à 9h", Slip.AROUND, "8:30-9:30"),
        ("2:00 PM", Slip.AROUND, "13:30-14:30"),
        ("0:10", Slip.AROUND, "0:00-0:40"),
        ("23:45", Slip.AROUND, "23:15-24:00"),
        ("at 5", Slip.AROUND, "16:30-17:30"),
        ("5:00", Slip.AROUND, "4:30-5:30"),
        ("1-4", Slip.AFTERNOON, "13:00-16:00"),
        ("by 5", Slip.AFTERNOON, "until 17:00"),
        ("before 6", Slip.AFTERNOON, "until 18:00"),
        ("bis 5 Uhr", Slip.AFTERNOON, "until 17:00"),
        ("not after 4", Slip.AFTERNOON, "until 16:00"),
        ("after 2", Slip.AFTERNOON, "from 14:00"),
        ("3-", Slip.AFTERNOON, "from 15:00"),
        ("after 2 and before 8", Slip.AFTERNOON, "14:00-20:00"),
        ("before 5 and after 2", Slip.AFTERNOON, "14:00-17:00"),
        ("14-12", Slip.MIDNIGHT, "14:00-12:00"),
        ("9:00-5:00", Slip.MIDNIGHT, "9:00-5:00"),
        ("9:00-9:00", Slip.NO_LENGTH, "9:00-9:00"),
    ],
)
def test_what_was_hardly_meant_as_written_is_named(text: str, slip: Slip, became: str) -> None:
    ((found, windows),) = read_windows(text).slips
    assert (found, spell_windows(windows)) == (slip, became)


def test_each_of_several_times_is_one_of_its_own() -> None:
    windows = spelled(parse_windows("a las 9 o a las 11"))
    assert windows == ["08:30:00-09:30:00", "10:30:00-11:30:00"]


@pytest.mark.parametrize("text", ["22-6", "18:00-8:00", "9-12", "after 9", "12-3"])
def test_a_nights_window_and_a_days_are_no_slips(text: str) -> None:
    assert read_windows(text).slips == ()


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        ("by 7", ["-07:00:00"]),
        ("bis 05 Uhr", ["-05:00:00"]),
        ("by 5am", ["-05:00:00"]),
        ("before 5:00", ["-05:00:00"]),
        ("ab 5 Uhr", ["05:00:00-"]),
    ],
)
def test_an_early_hour_that_is_written_as_one_stays_in_the_morning(
    text: str, windows: list[str]
) -> None:
    reading = read_windows(text)
    assert (spelled(reading.windows), reading.slips) == (windows, ())


def test_a_bare_hour_in_a_column_of_one_side_means_the_afternoon() -> None:
    ((found, windows),) = read_sides("", "5").slips
    assert (found, spell_windows(windows)) == (Slip.AFTERNOON, "until 17:00")
    assert spelled(read_sides("2", "").windows) == ["14:00:00-"]


def test_after_and_before_speak_for_each_other() -> None:
    assert spelled(parse_windows("after 9 and before 5")) == ["09:00:00-17:00:00"]
    assert spelled(parse_windows("after 10 before 5pm")) == ["10:00:00-17:00:00"]


def test_the_sides_of_a_window_speak_for_each_other_across_columns() -> None:
    assert spelled(read_sides("9", "5").windows) == ["09:00:00-17:00:00"]
    assert spelled(read_sides("", "12 Uhr").windows) == ["-12:00:00"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("25:00-26:00", '"25:00" is not a time of day, such as 9:00'),
        ("9:75-10:00", '"9:75" is not a time of day, such as 9:00'),
        ("13pm-14pm", '"13pm" is not a time of day, such as 9:00'),
        ("10:00-24:30", "a day ends at 24:00"),
        ("Box of apples", '"box of apples" is not a time window, such as 9:00-12:00'),
    ],
)
def test_what_is_no_window_is_refused_in_words(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        parse_windows(text)
    assert str(refused.value) == reason


@given(st.times())
def test_every_time_of_day_reads_back(time: object) -> None:
    text = str(time)[:8]
    assert parse_opening(text).as_time().isoformat() == text
    assert parse_closing(text).as_time().isoformat() == text


def test_midnight_opens_a_day_and_closes_one() -> None:
    assert parse_opening("midnight") == parse_opening("24:00") == TimeOfDay()
    assert parse_closing("Mitternacht") == TimeOfDay(hours=23, minutes=59, seconds=59)


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert isinstance(parse_windows(text), tuple)
