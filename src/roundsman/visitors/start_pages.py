"""What a browser finds at the bare address: three ways on, and the first steps.

The pages say what is the same on every installation, and nothing of this one: whoever knows the
address may read them.
"""

import html
from dataclasses import dataclass

from starlette.responses import Response

from roundsman.endpoints.pages import show_page

HELP_PATH = "/help"

_START = """
<p>Stops in, best route out, proof at the door.</p>
<ul class="ways">
<li><a href="{console}"><b>Console</b>
For planners: the routes of a day, each with its stops and its map.</a></li>
<li><a href="{interface}"><b>Interface documentation</b>
For programs, and those who write them: every operation, with examples.</a></li>
<li><a href="{help}"><b>First steps</b>
Sign in, plan a spreadsheet, invite a driver, try it on a phone.</a></li>
</ul>
"""

_STEPS = """
<h2>Sign in</h2>
<p>The <a href="{console}">console</a> asks for a client ID and its secret. <code>make run</code>
prints a pair for the demo. For an organization of your own, type this where the service runs; the
second line wants the short name that the first one prints:</p>
<pre>roundsman organization create "Acme Foods" --timezone Europe/Berlin</pre>
<pre>roundsman credentials create --organization SLUG --email you@example.com</pre>
<h2>Plan a spreadsheet</h2>
<p>A CSV or XLSX file of addresses becomes a route and a map, even without a server:</p>
<pre>roundsman plan stops.csv --start "Baltimore, MD" --map route.html</pre>
<h2>Make a route</h2>
<p>Programs import stops, put them on a route, have it ordered and dispatch it. The
<a href="{interface}">interface documentation</a> has every operation and can send requests.</p>
<h2>Invite a driver</h2>
<p>This prints a link for the driver's phone:</p>
<pre>roundsman driver invite --organization SLUG \\
  --first-name Dana --last-name Doe --phone +14105550123</pre>
<h2>Try it on a phone</h2>
<p>Other machines are served over HTTPS alone. The first line makes a certificate for this machine,
the second says under which addresses phones reach it:</p>
<pre>roundsman tls make</pre>
<pre>roundsman serve --host 0.0.0.0 --tls</pre>
<h2>Read on</h2>
<p>The tutorial, the how-to pages and the reference are in the folder <code>docs</code> of the
project; <code>make docs</code> builds a site of them that needs no network. Every command answers
<code>--help</code>.</p>
<p><a href="/">To the start page</a></p>
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class WaysIn:
    """Where a person goes on from the bare address: paths of other doors."""

    console: str
    interface: str

    def show_start(self) -> Response:
        """Lead on whoever asks for nothing in particular."""
        return show_page("Roundsman", self._linked(_START))

    def show_first_steps(self) -> Response:
        """Say what a newcomer does first."""
        return show_page("First steps", self._linked(_STEPS))

    def _linked(self, content: str) -> str:
        links = {"console": self.console, "interface": self.interface, "help": HELP_PATH}
        return content.format(**{name: html.escape(path) for name, path in links.items()})
