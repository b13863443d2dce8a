"""Text made of template files, in which whatever is filled in is escaped."""

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined


class TemplateFiles:
    """The templates of some packages, the first that has one of a name coming first.

    What a template is given is escaped, and a name that it is not given is an error.
    """

    def __init__(self, *packages: str) -> None:
        self._environment = Environment(
            loader=ChoiceLoader([PackageLoader(package) for package in packages]),
            autoescape=True,
            undefined=StrictUndefined,
            keep_trailing_newline=True,
        )
        # JSON within a page is compact and keeps its letters, which whoever searches it finds.
        compact = {"ensure_ascii": False, "separators": (",", ":")}
        self._environment.policies["json.dumps_kwargs"] = compact

    def render(self, template: str, /, **values: object) -> str:
        """Return the text that a template makes of some values."""
        return self._environment.get_template(template).render(values)
