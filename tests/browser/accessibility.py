"""Looks for faults against WCAG 2.2 AA on the page as it stands, by axe."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Colours on their way to others are no colours of ours.
_RUN = """async (tags) => {
  await Promise.allSettled(document.getAnimations().map((one) => one.finished));
  return (await window.axe.run(document, {
  runOnly: { type: "tag", values: tags }, resultTypes: ["violations"],
})).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}"""


def require_axe() -> None:
    """Skip the test where the packages of `web/` are not installed."""
    if not _AXE.is_file():
        pytest.skip("axe is not installed; run make web")


def find_faults(page: Page) -> list[Any]:
    """Return what is wrong, with the elements."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    found: list[Any] = page.evaluate(_RUN, _TAGS)
    return found
