import pytest
from jinja2 import UndefinedError

from roundsman.endpoints.pages import Templates

TEMPLATES = Templates("roundsman.endpoints")


def test_what_a_page_is_given_is_text_and_never_markup() -> None:
    page = TEMPLATES.render("error.html", title="<b>", words="<script>alert('&')</script>")
    assert "<title>&lt;b&gt;</title>" in page
    assert "<p>&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>" in page


def test_a_template_that_lacks_a_value_is_an_error_and_no_page_with_a_gap() -> None:
    with pytest.raises(UndefinedError, match="words"):
        TEMPLATES.render("error.html", title="Nothing here")
