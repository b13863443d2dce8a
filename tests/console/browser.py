"""Chromium without a window, driven over a pipe: a page opened, typed into, waited for, looked at.

Its debugging protocol over `--remote-debugging-pipe` is JSON between zero bytes, so no library is
needed. It reaches this machine alone.
"""

import base64
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = (
    "--headless=new",
    "--no-sandbox",  # it looks at our own pages only, and CI runs as root
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe",
)
_PATIENCE_MILLISECONDS = 30_000
_MOST_PAGES_BETWEEN = 5
_GONE = ("navigated or closed", "context was destroyed", "Cannot find")
_LAUNCH = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for place, end in zip((3, 4), ends):
    os.dup2(end, place)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Puts our ends of the pipes where a browser looks for them: commands on 3, answers on 4."""

_WAIT = """
new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error("it never came")), PATIENCE);
  const look = () => {
    let came = false;
    try { came = (CONDITION); } catch { /* what it looks at is not there yet */ }
    if (!came) return setTimeout(look, 20);
    clearTimeout(late);
    resolve(true);
  };
  look();
})
"""


def find_chromium() -> str | None:
    """Return a browser that can be driven, if one is installed."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


class PageFailed(AssertionError):
    """A script on the page threw, or what was waited for did not come."""


@dataclass
class Browser:
    """A running browser; its tabs know nothing of each other."""

    _to: BinaryIO
    _from: BinaryIO
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _troubles: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def ask(self, method: str, session: str = "", **parameters: Any) -> Any:
        """Send a command, to a tab where a session names one; return its result."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._to.write(json.dumps(message).encode() + b"\0")
        self._to.flush()
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise PageFailed(f"{method}: {answer['error']}")
                return answer["result"]

    def _receive(self) -> Any:
        message = bytearray()
        while (character := self._from.read(1)) != b"\0":
            if not character:
                raise PageFailed("the browser went away")
            message += character
        told = json.loads(message)
        troubles = self._troubles[told.get("sessionId", "")]
        if told.get("method") == "Runtime.exceptionThrown":
            troubles.append(str(told["params"]["exceptionDetails"]))
        if told.get("method") == "Log.entryAdded":
            entry = told["params"]["entry"]
            if entry["source"] == "security":
                troubles.append(entry["text"])
        return told

    def open_tab(self) -> "Page":
        """Return a new, empty tab."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable", session)
        return Page(self, session, self._troubles[session])


@dataclass
class Page:
    """One tab."""

    browser: Browser
    session: str
    troubles: list[str]
    """Uncaught errors and whatever the content security policy blocked."""

    def ask(self, method: str, **parameters: Any) -> Any:
        """Send a command, return its result."""
        return self.browser.ask(method, self.session, **parameters)

    def open(self, address: str) -> None:
        """Go to an address; what is behind its # alone changes within the page."""
        self.ask("Page.navigate", url=address)

    def run(self, script: str) -> Any:
        """Return what an expression is worth on the page."""
        result = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in result:
            raise PageFailed(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until an expression is true, looking again and again."""
        waiting = _WAIT.replace("CONDITION", condition)
        try:
            self.run(waiting.replace("PATIENCE", str(_PATIENCE_MILLISECONDS)))
        except PageFailed as error:
            if _is_gone(error):
                raise
            raise PageFailed(f"{condition}: {error}\n{self.text()}") from error

    def reload(self) -> None:
        """Load the page again, and return once it is there."""
        self.run("window.isOld = true")
        self.ask("Page.reload")
        for _ in range(_MOST_PAGES_BETWEEN):
            try:
                self.wait_for("!window.isOld && document.readyState === 'complete'")
            except PageFailed as error:
                # Whoever looks at a page while it goes is told so, and looks at the next one.
                if not _is_gone(error):
                    raise
            else:
                return
        raise PageFailed("the page does not come back")

    def text(self, selector: str = "body") -> str:
        """Return what a person reads there."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def type(self, selector: str, text: str) -> None:
        """Type into a field."""
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.ask("Input.insertText", text=text)

    def press(self, selector: str) -> None:
        """Press a button or follow a link."""
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def look(self, *, width: int, height: int, scheme: str = "light") -> bytes:
        """Return a picture at this size in light or dark."""
        self.size(width=width, height=height, scheme=scheme)
        shot = self.ask("Page.captureScreenshot", format="png")
        return base64.b64decode(shot["data"])

    def size(self, *, width: int, height: int, scheme: str = "light") -> None:
        """Be a window of this size, light or dark."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.ask("Emulation.setEmulatedMedia", features=[feature])


def _is_gone(error: PageFailed) -> bool:
    return any(sign in str(error) for sign in _GONE)


@contextmanager
def open_browser(program: str, profile: Path) -> Iterator[Browser]:
    """Start a browser with a profile of its own; end it with the block."""
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    options = [*_OPTIONS, f"--user-data-dir={profile}", "about:blank"]
    browser = subprocess.Popen(  # noqa: S603 -- the browser that was found on this machine
        [sys.executable, "-c", _LAUNCH, str(to_read), str(from_write), program, *options],
        pass_fds=(to_read, from_write),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_read)
    os.close(from_write)
    with os.fdopen(to_write, "wb") as to, os.fdopen(from_read, "rb") as answers:
        try:
            yield Browser(to, answers)
        finally:
            browser.kill()
            browser.wait()
