"""Finds names similar to a misspelt one: those that share most of its rarest trigrams.

Common trigrams (`str`, `ass`) are in half of all names and distinguish nothing; leaving them out
bounds the work on a map of any size.
"""

import sqlite3

_MOST_TERMS = 14
_MOST_ROWS = 20_000


def similar_rows(connection: sqlite3.Connection, noun: str, text: str, count: int) -> list[int]:
    """Return rows of the full-text table of `noun`, the most similar to `text` first."""
    terms = _rarest(connection, noun, _trigrams(text))
    if not terms:
        return []
    each = f"SELECT rowid FROM {noun}_search WHERE {noun}_search MATCH ?"  # noqa: S608 -- `noun` is named in code
    union = " UNION ALL ".join([each] * len(terms))
    ranked = f"SELECT rowid FROM ({union}) GROUP BY rowid ORDER BY count(*) DESC, rowid LIMIT ?"  # noqa: S608 -- as above
    quoted = ['"' + term.replace('"', '""') + '"' for term in terms]
    return [row for (row,) in connection.execute(ranked, [*quoted, count])]


def _trigrams(text: str) -> list[str]:
    marked = f" {text} "
    return list(dict.fromkeys(marked[start : start + 3] for start in range(len(marked) - 2)))


def _rarest(connection: sqlite3.Connection, noun: str, terms: list[str]) -> list[str]:
    placeholders = ", ".join("?" * len(terms))
    counted = connection.execute(
        f"SELECT doc, term FROM {noun}_trigram WHERE term IN ({placeholders})",  # noqa: S608 -- as above
        terms,
    ).fetchall()
    chosen: list[str] = []
    rows = 0
    for documents, term in sorted(counted):
        rows += documents
        if chosen and (rows > _MOST_ROWS or len(chosen) == _MOST_TERMS):
            break
        chosen.append(term)
    return chosen
