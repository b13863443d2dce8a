"""Pages for people who hold a link: one file each, without a script and without other assets."""

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from urllib.parse import parse_qs

from starlette.responses import Response

from roundsman.endpoints.access import HttpRequest
from roundsman.kit.template_files import TemplateFiles

CONSOLE_PATH = "/console"
"""Where planners work, and where signing in leads."""

_FORM = "application/x-www-form-urlencoded"
_MOST_FIELDS = 10


class Templates(TemplateFiles):
    """The templates of one room, beside the layout that every page has."""

    def __init__(self, package: str) -> None:
        super().__init__(package, "roundsman.endpoints")

    def show(self, template: str, status: int = 200, /, **values: object) -> Response:
        """Return a page that may load and run nothing."""
        page = self.render(template, **values)
        return Response(page, status, media_type="text/html", headers=_safe_headers())


@cache
def _safe_headers() -> Mapping[str, str]:
    return safe_headers(Templates("roundsman.endpoints").render("style.css"))


def safe_headers(style: str, *allowed: str) -> Mapping[str, str]:
    """Allow the one style of a page, known by its hash (CSP Level 3), and what else is named."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    directives = (
        "default-src 'none'",
        f"style-src 'sha256-{digest}'",
        *allowed,
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(directives),
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


def read_page_form(http: HttpRequest) -> Mapping[str, str] | None:
    """Return the first value of each field that a form of a page holds; None for another body."""
    if http.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        return None
    try:
        sent = parse_qs(http.body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return {}
    return {name: values[0] for name, values in sent.items()}


def prefers_page(accept: str) -> bool:
    """Say whether an Accept header would rather have a page than JSON, as browsers' do."""
    return _weight_of("text/html", accept) > _weight_of("application/json", accept)


def prefers_json(accept: str) -> bool:
    """Say whether an Accept header would rather have JSON than a page; who says nothing has not."""
    return _weight_of("application/json", accept) > _weight_of("text/html", accept)


def _weight_of(kind: str, accept: str) -> float:
    weights = dict(_weighed(part) for part in accept.split(","))
    group = f"{kind.partition('/')[0]}/*"
    return weights.get(kind, weights.get(group, weights.get("*/*", 0.0)))


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
