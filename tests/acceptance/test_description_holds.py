from pathlib import Path

import pytest
from tests.fuzz.running import fuzz, served

pytestmark = pytest.mark.full


@pytest.mark.spec("decisions §1")
def test_schemathesis_finds_nothing_on_a_short_run(tmp_path: Path, database_url: str) -> None:
    with served(tmp_path, database_url) as (address, token):
        is_clean, said, cases = fuzz(address, token, examples=3, seed=20240701)
    assert is_clean, said
    assert cases > 1_000
