"""Removes marks of spreadsheet programs from cells, and words that mean an empty cell."""

import re

# A spreadsheet program's mark of a text, which exports carry along; 's-Hertogenbosch begins so too.
_TEXT_MARK = re.compile(r"'(?![stnk][ -])(.*?)'?", re.IGNORECASE | re.DOTALL)
_FORMULA_OF_TEXT = re.compile(r'="(.*)"', re.DOTALL)
_ERROR = re.compile(r"#[\w\u00a1/?\u00c7]+[!?]")
NO_RESULT = "#FORMULA?"
"""What a formula is read as whose result the file does not have: an error among errors."""

_NOTHING_WORDS = (
    "-; --; ---; \u2013; \u2014; .; /; ?; ??; ???; n/a; n.a.; n/a.; none; null; nil; nan; #n/a"
    "; #nv; #n/d; #nb; #nd; k.a.; k.a; k/a; n/d; n.d.; n.c.; n/c; n.v.t.; nvt; n/b; n.b.; tbd"
    "; tba; t.b.d.; (blank); (leer); (vide); (empty); k. a.; keine angabe; not available"
    "; non renseign\u00e9; sin datos; (en blanco)"
)
_NOTHING = frozenset(_NOTHING_WORDS.split("; "))


def meant(text: str) -> str:
    """Return a cell's text without outer blanks; empty when it means nothing."""
    text = text.strip()
    if text.startswith("="):
        formula = _FORMULA_OF_TEXT.fullmatch(text)
        text = formula[1].strip() if formula else text
    elif text.startswith("'"):
        mark = _TEXT_MARK.fullmatch(text)
        text = mark[1].strip() if mark else text
    return "" if text.casefold() in _NOTHING else text


def is_error(text: str) -> bool:
    """Return whether a cell holds the error of a failed formula."""
    return _ERROR.fullmatch(text) is not None
