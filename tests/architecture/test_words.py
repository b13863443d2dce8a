"""One word, one meaning: names keep to the glossary, and a name is defined once."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripts.reference.glossary_page import banned_words, interface_names
from tests.architecture.test_house import trees

BANNED = banned_words()
FIELDS = interface_names()
DOORS = ("api", "cli", "connectors", "console", "driver", "mcp", "members", "tracking", "visitors")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
SAYS_NOTHING = frozenset(
    """a an and are at be been by for from given has have how if in into is it its no not of on one
    or out return returns that the their them these they this those to was what when where whether
    which who with yes""".split()  # noqa: SIM905 -- read as a sentence
)
type Named = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def words_of(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in WORD.findall(name))


def contains(words: tuple[str, ...], banned: tuple[str, ...]) -> bool:
    return any(words[at : at + len(banned)] == banned for at in range(len(words)))


def refusal(room: str, name: str) -> str | None:
    """Return what to say instead of a name, or None when it is free of banned words."""
    words = words_of(name)
    for entry in BANNED:
        if entry.rooms and room not in entry.rooms:
            continue
        if any(words == word if entry.whole else contains(words, word) for word in entry.words):
            return entry.say
    return None


def attributes(tree: ast.AST) -> Iterator[str]:
    """Yield fields of classes, and what methods set on `self`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for line in node.body:
                targets: list[ast.expr] = line.targets if isinstance(line, ast.Assign) else []
                targets = [line.target] if isinstance(line, ast.AnnAssign) else targets
                yield from (target.id for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def names(path: str, tree: ast.AST) -> Iterator[str]:
    """Yield the names that the glossary rules: modules, classes, functions, public attributes."""
    yield from Path(path).with_suffix("").parts
    yield from (
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    )
    on_the_wire = FIELDS if path.startswith(("domain/", "wire/")) else frozenset()
    yield from (
        name for name in attributes(tree) if not name.startswith("_") and name not in on_the_wire
    )


def definitions(tree: ast.Module, *, classes_only: bool) -> Iterator[str]:
    """Yield the classes and the public functions that a module defines."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) or (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and not classes_only
            and not node.name.startswith("_")
        ):
            yield node.name


def found_banned() -> set[str]:
    return {
        name
        for path, tree in trees().items()
        if "migrations" not in path
        for name in names(path, tree)
        if refusal(path.split("/")[0].removesuffix(".py"), name)
    }


def found_twice() -> set[str]:
    """Return what two modules define; a door's function is named as the operation it offers."""
    counted = Counter(
        name
        for path, tree in trees().items()
        if "migrations" not in path
        for name in set(definitions(tree, classes_only=path.split("/")[0] in DOORS))
        if name != "main"  # what a program starts with
    )
    return {name for name, times in counted.items() if times > 1}


def stem(word: str) -> str:
    """Return a word without its English ending, so that `closes` and `close` compare equal."""
    bare = re.sub(r"(ing|ed|es|s|e)$", "", word)
    return bare if len(bare) > 1 else word


def only_restates(node: Named, owner: str) -> bool:
    """Tell whether a docstring has no word that the name of its function and class lack."""
    docstring = ast.get_docstring(node)
    said = {stem(word.lower()) for word in re.findall(r"[A-Za-z]+", docstring or "")}
    known = {stem(word) for name in (node.name, owner) for word in words_of(name)}
    return docstring is not None and said - {stem(word) for word in SAYS_NOTHING} <= known


def functions(tree: ast.AST, owner: str = "") -> Iterator[tuple[Named, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node, owner
            yield from functions(node, owner)
        else:
            yield from functions(node, node.name if isinstance(node, ast.ClassDef) else owner)


def test_no_name_has_a_banned_word() -> None:
    assert found_banned() == set(), "say these in the glossary's words"


def test_a_class_and_a_public_function_are_defined_once() -> None:
    assert found_twice() == set(), "give one of the two another name"


def test_no_docstring_only_restates_its_name() -> None:
    assert [
        f"{path}: {node.name}"
        for path, tree in trees().items()
        for node, owner in functions(tree)
        if only_restates(node, owner)
    ] == []


@pytest.mark.parametrize(
    ("room", "name", "is_refused"),
    [
        ("kit", "ToldEvent", True),
        ("kit", "_tell_why", True),
        ("kit", "toldest", False),
        ("storage", "LeaseAtHand", True),
        ("storage", "at_the_hand", False),
        ("planning", "first_place", True),
        ("geocoding", "first_place", False),
        ("driver", "Signed", True),
        ("kit", "signed_links", False),
    ],
)
def test_a_banned_word_is_seen_in_snake_and_camel_case(
    room: str, name: str, *, is_refused: bool
) -> None:
    assert (refusal(room, name) is not None) == is_refused


@pytest.mark.parametrize(
    ("source", "restates"),
    [
        ('def close(): "Close it."', True),
        ('def list_routes(): "Return the list of the routes."', True),
        ('def close(): "Close it; a second call does nothing."', False),
        ("def close(): ...", False),
    ],
)
def test_a_docstring_that_restates_its_name_is_seen(source: str, *, restates: bool) -> None:
    [(node, owner)] = functions(ast.parse(source))
    assert only_restates(node, owner) == restates
