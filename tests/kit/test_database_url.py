import pytest

from roundsman.kit.database_url import check_database_url


@pytest.mark.parametrize(
    "address",
    [
        "",
        "sqlite:////var/lib/roundsman/a.db",
        "sqlite:///a.db",
        "postgresql://roundsman:secret@db.internal:5432/roundsman?sslmode=verify-full",
        "postgresql://roundsman:s#cr/t?@db.internal/roundsman",
        "postgresql://roundsman@[2001:db8::1]:5432/roundsman",
        "postgresql:///roundsman?host=/var/run/postgresql",
        "postgresql+psycopg://roundsman@db/roundsman",
    ],
)
def test_addresses_of_both_databases_are_taken(address: str) -> None:
    assert check_database_url(address) == address


def test_the_short_name_is_written_out() -> None:
    assert check_database_url("postgres://a@b/c") == "postgresql://a@b/c"
    assert check_database_url("postgres+psycopg://a@b/c") == "postgresql+psycopg://a@b/c"
    assert check_database_url("sqlite:///postgres://a") == "sqlite:///postgres://a"


@pytest.mark.parametrize(
    ("address", "right"),
    [
        ("mysql://roundsman:secret@db/x", "must be a sqlite:///PATH or postgresql://"),
        ("postgresql:roundsman:secret@db/x", "must be a sqlite:///PATH or postgresql://"),
        ("postgresql+psycopg2://roundsman:secret@db/x", "must be a sqlite:///PATH or postgresql"),
        ("sqlite+aiosqlite:///secret.db", "must be a sqlite:///PATH or postgresql://"),
        ("sqlite:a-secret.db", "must be a sqlite:///PATH or postgresql://"),
        ("sqlite://secret/a.db", "must name a file: sqlite:///PATH"),
        ("sqlite:///:memory:", "must name a file: sqlite:///PATH"),
        ("postgresql://roundsman:se@cret@db/x", "write @ as %40"),
        ("postgresql://roundsman:secret@127.0.0.1:82x9/roundsman", "from 1 to 65535 as its port"),
        ("postgresql://roundsman:secret@db:65536/roundsman", "from 1 to 65535 as its port"),
        (
            "postgresql://roundsman:secret@d b/roundsman",
            "must be a sqlite:///PATH or postgresql://",
        ),
    ],
)
def test_a_wrong_address_is_told_what_would_be_right_and_not_repeated(
    address: str, right: str
) -> None:
    with pytest.raises(ValueError, match="must") as told:
        check_database_url(address)
    assert right in str(told.value)
    for part in ("secret", "cret", "82x9"):
        assert part not in str(told.value)
