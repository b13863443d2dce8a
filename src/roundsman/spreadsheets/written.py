"""Rows written to CSV and XLSX, so that no program that opens them runs or changes what they say.

Text that a spreadsheet program would take for a formula gets an apostrophe in CSV (OWASP, "CSV
Injection") and is marked as text in XLSX; codes such as `00123` stay text there.
"""

import csv
import io
from collections.abc import Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font

type Cell = str | int | float | None

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_BYTE_ORDER_MARK = "\ufeff"
"""Without it a common spreadsheet program reads UTF-8 as something else."""


def write_csv(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bytes:
    """Return a file of comma-separated values (RFC 4180), in UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerows([_defused(cell) for cell in row] for row in (header, *rows))
    return (_BYTE_ORDER_MARK + text.getvalue()).encode()


def _defused(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) else cell


def write_workbook(title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bytes:
    """Return a workbook of one sheet, its first row in bold and always in sight."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(_sheet_title(title))
    sheet.freeze_panes = "A2"
    bold = []
    for name in header:
        cell = _as_text(sheet, name)
        cell.font = Font(bold=True)
        bold.append(cell)
    sheet.append(bold)
    for row in rows:
        sheet.append([_as_text(sheet, cell) if isinstance(cell, str) else cell for cell in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _as_text(sheet: Any, text: str) -> Any:
    cell = WriteOnlyCell(sheet, "".join(one for one in text if one.isprintable() or one == "\n"))
    cell.data_type = "s"
    return cell


def _sheet_title(title: str) -> str:
    """Return a title without what sheets may not be called."""
    kept = "".join(one for one in title if one.isprintable() and one not in "[]:*?/\\'")
    return kept[:31] or "Stops"
