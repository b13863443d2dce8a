"""What the fields of a type mean: the strings that stand below them in the source.

Python keeps no docstrings of attributes, so they are read from where they are written.
"""

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise


def meanings_of(cls: type) -> Mapping[str, str]:
    """Return what is said of the fields of a type and of those it inherits, by their names."""
    found: dict[str, str] = {}
    for one in reversed(cls.__mro__):
        if one.__module__.startswith("roundsman."):
            found |= _meanings_in(one.__module__).get(one.__qualname__, {})
    return found


@cache
def _meanings_in(module: str) -> Mapping[str, Mapping[str, str]]:
    """Return what is said of the fields of each class of a module; nothing without its source."""
    try:
        source = inspect.getsource(sys.modules[module])
    except OSError:
        return {}
    return {
        node.name: dict(_said(node))
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef)
    }


def _said(node: ast.ClassDef) -> list[tuple[str, str]]:
    return [
        (field.target.id, " ".join(words.value.value.split()))
        for field, words in pairwise(node.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(words, ast.Expr)
        and isinstance(words.value, ast.Constant)
        and isinstance(words.value.value, str)
    ]
