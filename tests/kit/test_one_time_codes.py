"""Codes as RFC 6238 and RFC 4226 give them in their appendices."""

import base64

import pytest
from tests.world import CountingIds

from roundsman.kit.one_time_codes import (
    code_at,
    find_matching_step,
    new_recovery_code,
    new_totp_secret,
    plain_recovery_code,
    provisioning_uri,
)

SECRET = base64.b32encode(b"12345678901234567890").decode()


@pytest.mark.parametrize(
    ("step", "code"),
    [(0, "755224"), (1, "287082"), (2, "359152"), (7, "162583"), (9, "520489")],
)
def test_codes_by_step_are_those_of_rfc_4226(step: int, code: str) -> None:
    assert code_at(SECRET, step) == code


@pytest.mark.parametrize(
    ("seconds", "code"),
    [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")],
)
def test_codes_by_time_are_the_last_digits_of_those_of_rfc_6238(seconds: int, code: str) -> None:
    assert find_matching_step(SECRET, code, seconds) == seconds // 30


def test_a_clock_may_be_a_step_ahead_or_behind_and_no_more() -> None:
    found = [find_matching_step(SECRET, code_at(SECRET, 100), 30 * step) for step in range(97, 104)]
    assert found == [None, None, 100, 100, 100, None, None]
    assert find_matching_step(SECRET, " 755 224 ", 0) == 0
    for wrong in ("", "75522", "7552244", "७५५२२४", "755225", "abcdef"):
        assert find_matching_step(SECRET, wrong, 0) is None


def test_secrets_and_recovery_codes_are_random_and_typed_in_any_way() -> None:
    ids = CountingIds()
    secret = new_totp_secret(ids)
    assert (len(secret), len(base64.b32decode(secret))) == (32, 20)
    code = new_recovery_code(ids)
    assert [len(part) for part in code.split("-")] == [4] * 6
    assert plain_recovery_code(f" {code.upper().replace('-', ' ')} ") == code.replace("-", "")
    uri = provisioning_uri(secret, "ann@example.com", "Roundsman")
    assert uri == (f"otpauth://totp/Roundsman%3Aann%40example.com?secret={secret}&issuer=Roundsman")
