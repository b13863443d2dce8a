"""What the figures of the house count, on a package of a few lines."""

from pathlib import Path

from scripts.measure_house.static_figures import count
from scripts.measure_house.tracing import read_floors

ROOT = Path(__file__).parents[2]
PACKAGE = {
    "operations/__init__.py": "",
    "operations/routes.py": "from roundsman.operations.crumbs import crumb\n\n\nclass Page: ...\n",
    "operations/crumbs.py": "from roundsman.kit import clock\n\n\ndef crumb(): ...\n",
    "kit/clock.py": "class _Hidden: ...\n\n\ndef _private(): ...\n",
    "api/routes.py": (
        "import roundsman.wire.v2024_07.routes\nfrom roundsman.operations import routes\n\n\n"
        "class Page: ...\n\n\nclass _Hidden: ...\n\n\ndef _private(): ...\n"
    ),
    "planning/tour.py": "\n" * 50,
    "wire/v2024_07/routes.py": "v2024_07 = 1\n",
}


def test_lines_crumbs_names_and_versions_are_counted(tmp_path: Path) -> None:
    for name, text in PACKAGE.items():
        path = tmp_path / "src" / "roundsman" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    figures = count(tmp_path)
    assert figures.lines == 4 + 4 + 4 + 11 + 1
    assert "planning/tour.py" not in figures.short_modules
    assert "operations/__init__.py" not in figures.short_modules
    assert len(figures.short_modules) == 5
    assert figures.names_twice == {
        "Page": ["api/routes.py", "operations/routes.py"],
        "_Hidden": ["api/routes.py", "kit/clock.py"],
    }
    # Of the same room alone: the clock has one importer too, and routes have one from above.
    assert figures.single_importer == {"operations/crumbs.py": "operations/routes.py"}
    assert figures.version_lines == ["api/routes.py:1"]


def test_floors_are_those_of_the_import_rules() -> None:
    floors = read_floors(ROOT)
    assert floors["api"] == floors["driver"] < floors["operations"] < floors["routing"]
    assert floors["routing"] < floors["roads"] == floors["storage"] < floors["planning"]
