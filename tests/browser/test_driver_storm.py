"""Forty runs of the storm over the driver's app, before a release."""

from pathlib import Path

import pytest
from tests.browser.conftest import Browsers, find_chromium
from tests.browser.driver_storm import run_storm


@pytest.mark.full
@pytest.mark.both_databases
def test_what_a_driver_was_shown_arrives_once_whatever_dies(
    tmp_path: Path, database_url: str, browsers: Browsers
) -> None:
    find_chromium()
    tally = run_storm(browsers.playwright, tmp_path, database_url, runs=40, seed=1)
    assert tally.promised > 100
    assert (tally.lost, tally.doubled, tally.gaps, tally.pictures_lost) == (0, 0, 0, 0)
