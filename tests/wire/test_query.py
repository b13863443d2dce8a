import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.queries import ListSecurityEvents
from roundsman.wire.query import read_query


@pytest.mark.parametrize("text", ["query.limit=5&query.limit=6", "query.limit=5&query.limit=5"])
def test_an_argument_that_is_given_twice_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_query(text, ListSecurityEvents)
    assert "is given more than once" in refused.value.violations[0].description
