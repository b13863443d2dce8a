"""What a browser finds at the bare address: three ways on, and the first steps.

The pages say what is the same on every installation, and nothing of this one: whoever knows the
address may read them.
"""

from dataclasses import dataclass

from starlette.responses import Response

from roundsman.endpoints.pages import Templates

HELP_PATH = "/help"

_TEMPLATES = Templates("roundsman.visitors")


@dataclass(frozen=True, kw_only=True, slots=True)
class WaysIn:
    """Where a person goes on from the bare address: paths of other doors."""

    console: str
    interface: str

    def show_start(self) -> Response:
        """Lead on whoever asks for nothing in particular."""
        return self._show("start.html")

    def show_first_steps(self) -> Response:
        """Say what a newcomer does first."""
        return self._show("first_steps.html")

    def _show(self, template: str) -> Response:
        return _TEMPLATES.show(
            template, console=self.console, interface=self.interface, help=HELP_PATH
        )
