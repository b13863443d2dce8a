import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.queries import ListImportedStops, ListSecurityEvents
from roundsman.wire.query import read_query


def test_a_boolean_that_is_none_is_told_what_would_be_one() -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_query("query.unrouted=yes&query.limit=x", ListImportedStops)
    said = [(one.field, one.description) for one in refused.value.violations]
    assert said == [
        ("query.unrouted", "must be one of true, false, True, False, 1, 0"),
        ("query.limit", "must be an integer"),
    ]


@pytest.mark.parametrize("text", ["query.limit=5&query.limit=6", "query.limit=5&query.limit=5"])
def test_an_argument_that_is_given_twice_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_query(text, ListSecurityEvents)
    assert "is given more than once" in refused.value.violations[0].description
