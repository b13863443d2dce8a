"""What each column of a sheet was taken for, in a line or two."""

from collections.abc import Iterator, Sequence

from roundsman.spreadsheets.columns import ColumnMeaning


def describe_columns(columns: Sequence[ColumnMeaning]) -> Iterator[str]:
    """Yield what the columns mean, then those that are ignored."""
    meant = [
        f"{column.header} \N{RIGHTWARDS ARROW} {column.field}" for column in columns if column.field
    ]
    ignored = [column.header for column in columns if not column.field]
    yield f"columns: {', '.join(meant)}"
    if ignored:
        yield f"columns without a meaning here, ignored: {', '.join(ignored)}"
