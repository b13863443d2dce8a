import pytest
from jinja2 import UndefinedError

from roundsman.domain.organization import Language
from roundsman.endpoints.pages import Templates
from roundsman.kit.languages import words_of

TEMPLATES = Templates("roundsman.endpoints")
WORDS = words_of("roundsman.endpoints", Language.ENGLISH)


def test_what_a_page_is_given_is_text_and_never_markup() -> None:
    given = {"title": "<b>", "text": "<script>alert('&')</script>", "english": ""}
    page = TEMPLATES.render("error.html", language="en", words=WORDS, **given)
    assert "<title>&lt;b&gt;</title>" in page
    assert "<p>&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>" in page


def test_a_template_that_lacks_a_value_is_an_error_and_no_page_with_a_gap() -> None:
    with pytest.raises(UndefinedError, match="text"):
        TEMPLATES.render("error.html", language="en", words=WORDS, title="Nothing here")
