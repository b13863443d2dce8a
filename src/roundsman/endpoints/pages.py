"""Pages for people who hold a link: one file each, without a script and without other assets."""

import base64
import hashlib

from starlette.responses import Response

_STYLE = """
:root { color-scheme: light dark; --line: #8a8f98; --mark: #1d4ed8; --on-mark: #fff }
@media (prefers-color-scheme: dark) { :root { --mark: #93b4ff; --on-mark: #10131a } }
* { box-sizing: border-box }
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 3rem auto }
body { padding: 0 1rem }
h1 { font-size: 1.6rem; line-height: 1.25 }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0 }
legend, label.above { font-weight: 600; padding: 0; margin-bottom: .5rem; display: block }
.choices { display: grid; grid-template-columns: repeat(5, 1fr); gap: .5rem }
.choices label { position: relative; text-align: center }
.choices input { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; margin: 0 }
.choices b { display: block; padding: .7rem 0; border: 1px solid var(--line); border-radius: .5rem }
.choices input:checked + b { background: var(--mark); border-color: var(--mark) }
.choices input:checked + b { color: var(--on-mark) }
.choices input:focus-visible + b { outline: 3px solid var(--mark); outline-offset: 2px }
.ends { display: flex; justify-content: space-between; font-size: .95rem; margin: .4rem 0 0 }
textarea { font: inherit; width: 100%; padding: .6rem; border: 1px solid var(--line) }
textarea { border-radius: .5rem; min-height: 6rem; margin-bottom: 1.5rem }
button { font: inherit; font-weight: 600; padding: .8rem 1.4rem; width: 100%; border: 0 }
button { border-radius: .5rem; background: var(--mark); color: var(--on-mark); cursor: pointer }
button:focus-visible, textarea:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px }
.alert { border-left: .3rem solid #c62828; padding: .2rem 0 .2rem .8rem }
a { color: var(--mark) }
a:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
.ways { list-style: none; margin: 2rem 0; padding: 0; display: grid; gap: .8rem }
.ways a { display: block; padding: 1rem 1.2rem; border: 1px solid var(--line) }
.ways a { border-radius: .5rem }
.ways a { color: inherit; text-decoration: none }
.ways a:hover { border-color: var(--mark) }
.ways b { display: block; color: var(--mark) }
pre { font-size: .9rem; padding: .7rem 1rem; margin: .8rem 0; white-space: pre-wrap }
pre { border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: anywhere }
code { overflow-wrap: anywhere }
"""
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{content}
</main>
</body>
</html>
"""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_SAFE = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_HASH}'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def show_page(title: str, content: str, status: int = 200) -> Response:
    """Return a page; whoever makes title and content has escaped what others wrote."""
    page = _PAGE.format(title=title, style=_STYLE, content=content)
    return Response(page, status, media_type="text/html", headers=_SAFE)


def prefers_page(accept: str) -> bool:
    """Say whether an Accept header would rather have a page than JSON, as browsers' do."""
    weights = dict(_weighed(part) for part in accept.split(","))

    def weight(kind: str) -> float:
        group = f"{kind.partition('/')[0]}/*"
        return weights.get(kind, weights.get(group, weights.get("*/*", 0.0)))

    return weight("text/html") > weight("application/json")


def _weighed(part: str) -> tuple[str, float]:
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return kind, float(value)
            except ValueError:
                return kind, 0.0
    return kind, 1.0
