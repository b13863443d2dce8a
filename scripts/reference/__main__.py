"""Write the reference pages and the README's table of settings from the code: `make describe`."""

from scripts.reference.pages import PAGES, ROOT

for path, written in PAGES.items():
    (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
    (ROOT / path).write_text(written(), encoding="utf-8")
