from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from roundsman.cli.plan import plan

STOPS = "name,latitude,longitude\nAnn,39.30,-76.61\n"


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "500")
    path = tmp_path / "stops.csv"
    path.write_text(STOPS, encoding="utf-8")
    return path


def draw(sheet: Path, page: Path) -> Result:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(plan)
    given = [str(sheet), "--start", "39.29,-76.61", "--seconds", "0.1", "--map", str(page)]
    return CliRunner().invoke(app, given, catch_exceptions=False)


def refusal(sheet: Path, page: Path) -> str:
    result = draw(sheet, page)
    assert result.exit_code == 2
    assert result.stdout == "", "nothing was planned"
    return result.stderr


def test_a_map_never_overwrites_the_stops(sheet: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    alias = tmp_path / "alias.html"
    alias.symlink_to(sheet)
    for page in (sheet, tmp_path / "folder" / ".." / "stops.csv", alias):
        assert "is the file with the stops" in refusal(sheet, page)
    assert sheet.read_text(encoding="utf-8") == STOPS


@pytest.mark.parametrize("content", ["name,city\n", "<!doctype html><title>Shop</title>"])
def test_a_map_overwrites_no_file_that_is_none(sheet: Path, tmp_path: Path, content: str) -> None:
    page = tmp_path / "precious.html"
    page.write_text(content, encoding="utf-8")
    assert "no map of a route" in refusal(sheet, page)
    assert page.read_text(encoding="utf-8") == content


def test_an_earlier_map_and_an_empty_file_are_overwritten(sheet: Path, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    page.touch()
    assert draw(sheet, page).exit_code == 0
    sheet.write_text(STOPS.replace("Ann", "Bob"), encoding="utf-8")
    assert draw(sheet, page).exit_code == 0
    assert "Bob" in page.read_text(encoding="utf-8")


def test_a_place_that_takes_no_file_is_refused_before_the_work(sheet: Path, tmp_path: Path) -> None:
    """A folder without permission would do but for root, whom tests may run as."""
    loop = tmp_path / "loop.html"
    loop.symlink_to(tmp_path / "missing" / "out.html")
    for page in (Path("/proc/x.html"), loop, tmp_path / ("x" * 300 + ".html")):
        assert "cannot be written" in refusal(sheet, page)
    assert "no folder" in refusal(sheet, tmp_path / "missing" / "out.html")


def test_a_refused_plan_leaves_no_empty_map_behind(sheet: Path, tmp_path: Path) -> None:
    sheet.write_text("name,latitude,longitude\nAnn,,\n", encoding="utf-8")
    page = tmp_path / "out.html"
    assert draw(sheet, page).exit_code == 1
    assert not page.exists()
