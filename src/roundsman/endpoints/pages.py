"""Pages for people who hold a link: one file each, without a script and without other assets.

A page speaks the language that its reader's browser asks for.
"""

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from urllib.parse import parse_qs

from starlette.responses import Response

from roundsman.domain.errors import ResourceExhausted, RoundsmanError
from roundsman.domain.organization import Language
from roundsman.endpoints.access import HttpRequest
from roundsman.kit.languages import Words, choose_language, words_of
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
        """Return a page that may load and run nothing, in English."""
        page = self.render(template, language=Language.ENGLISH, **values)
        return Response(page, status, media_type="text/html", headers=_safe_headers())

    def show_in(
        self, words: Words, template: str, status: int = 200, /, **values: object
    ) -> Response:
        """Return a page that may load and run nothing, in the language of its words."""
        page = self.render(template, language=words.language, words=words, **values)
        headers = {**_safe_headers(), "Vary": "Accept-Language"}
        return Response(page, status, media_type="text/html", headers=headers)

    def show_dead_link(
        self,
        words: Words,
        error: RoundsmanError,
        status: int,
        *,
        is_dead: bool,
        ways: Mapping[str, str] | None = None,
    ) -> Response:
        """Say why a link leads nowhere, with `ask` of a room's words, and where else to go.

        A link that is not dead was refused for another reason, which programs are told in English.
        """
        ours = words_of("roundsman.endpoints", words.language)
        name = "busy" if isinstance(error, ResourceExhausted) else "link"
        is_said = is_dead or name == "busy"
        return self.show_in(
            words,
            "link_error.html",
            status,
            title=ours.say(f"{name}.title"),
            text=ours.say(f"{name}.text") if is_said else "",
            english="" if is_said else f"{error.message[:1].upper()}{error.message[1:]}.",
            ask=words.say("ask") if is_dead else "",
            ways=ways or {},
        )


def reader_language(http: HttpRequest, usual: Language = Language.ENGLISH) -> Language:
    """Return the language that whoever asks wants to read, or else the usual one."""
    return choose_language(http.headers.get("accept-language", ""), usual)


def page_words(package: str, http: HttpRequest, usual: Language = Language.ENGLISH) -> Words:
    """Return the words of a room's pages in the language of whoever asks."""
    return words_of(package, reader_language(http, usual))


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
