"""What is said of exceeded quotas."""

import pytest

from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.quota import over, refuse_over_quota


def test_the_message_names_the_first_and_counts_the_others_as_what_details_have() -> None:
    violations = [over("stops", "rte-1", 1_001, 1_000), over("bytes", "rte-2", 9, 8)]
    first = "quota exceeded: stops of rte-1 would have 1,001 stops; at most 1,000 are allowed"
    for given, message in ((violations[:1], first), (violations, f"{first}; 1 more in details")):
        with pytest.raises(FailedPrecondition) as refused:
            refuse_over_quota(given)
        assert refused.value.message == message
    refuse_over_quota([])
