"""Whatever colour an organization has, text in it can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.domain.brand_color import contrast, readable_color


@given(
    color=st.from_regex(r"#[0-9a-fA-F]{6}", fullmatch=True),
    background=st.sampled_from(["#ffffff", "#1b1f27", "#000000"]),
)
def test_every_color_becomes_readable(color: str, background: str) -> None:
    assert contrast(readable_color(color, background), background) >= 4.5


@pytest.mark.parametrize(
    ("color", "background", "readable"),
    [("#1d4ed8", "#ffffff", "#1d4ed8"), ("#000000", "#ffffff", "#000000")],
)
def test_a_color_that_can_be_read_stays(color: str, background: str, readable: str) -> None:
    assert readable_color(color, background) == readable


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
