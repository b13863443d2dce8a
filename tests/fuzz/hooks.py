"""What the fuzzer does not count as found: `null` is the same as absent (decisions §1).

The description says of no field that it may be null, so that clients need no unions; a body that is
wrong by nothing else is right.
"""

from typing import Any

import schemathesis


@schemathesis.hook
def filter_case(_context: Any, case: Any) -> bool:
    """Leave out bodies in which something is null: what is wrong with them is not known."""
    return not (isinstance(case.body, dict) and _has_null(case.body))


def _has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_null(one) for one in value.values())
    if isinstance(value, list):
        return any(_has_null(one) for one in value)
    return value is None
