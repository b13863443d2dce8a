"""Write the reference pages and the README's table of settings from the code: `make describe`."""

from scripts.reference.pages import ROOT, rendered

for path, text in rendered().items():
    (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
    (ROOT / path).write_text(text, encoding="utf-8")
