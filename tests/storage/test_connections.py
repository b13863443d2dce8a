import psycopg
import pytest
from tests.support.databases import only_on_postgresql

from roundsman.domain.errors import Unavailable
from roundsman.storage.database import Database
from roundsman.storage.dialects import MOST_CONNECTIONS

pytestmark = pytest.mark.both_databases


@only_on_postgresql
def test_a_server_that_refuses_more_connections_is_told_from_one_that_is_away(
    database_url: str,
) -> None:
    with psycopg.connect(database_url, autocommit=True) as operator:
        operator.execute("DROP ROLE IF EXISTS crowded")
        operator.execute("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
    database = Database(database_url.replace("roundsman@", "crowded@"))
    for ask in (
        lambda: database.presence.show(1),
        lambda: database.reading().__enter__(),
    ):
        with pytest.raises(Unavailable, match=r"refuses more connections.*max_connections"):
            ask()
    database.close()


def test_processes_that_may_need_more_connections_than_there_are_are_told(
    database: Database,
) -> None:
    assert database.lacks_connections(4) == ""
    shortage = database.lacks_connections(5)
    if database.dialect_name == "sqlite":
        assert shortage == ""
    else:
        assert f"5 processes may need {5 * MOST_CONNECTIONS} connections" in shortage
        assert "allows 97" in shortage
