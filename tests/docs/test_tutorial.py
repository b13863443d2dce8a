"""The tutorial, read and typed from its first line to its last, against a real service."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from tests.docs.pages import DOCS, ROOT, assert_shown, blocks_of
from tests.docs.shell import free_port, other_terminal, shell

USUAL_PORT = "8000"


def test_every_block_of_the_tutorial_does_what_the_page_says(tmp_path: Path) -> None:
    (tmp_path / ".venv").symlink_to(sys.prefix)
    port = str(free_port())  # somebody may be listening on the usual one here
    said = ""
    with ExitStack() as open_terminals:
        reader = open_terminals.enter_context(shell(tmp_path, {}))
        for block in blocks_of(DOCS / "tutorial.md"):
            text = block.text.replace(USUAL_PORT, port)
            match block.title:
                case "Set up":
                    # The environment stands: the tests run in it. That the target is there is left.
                    subprocess.run(["make", "-n", *text.split()[1:]], cwd=ROOT, check=True)  # noqa: S603, S607
                case "The service's terminal":
                    command = f"{text.strip()} --port {port}"
                    first_line = open_terminals.enter_context(other_terminal(command, tmp_path))
                    assert first_line == f"listening on http://127.0.0.1:{port}"
                case "Answer":
                    assert_shown(block, said)
                case _:
                    assert block.language == "sh"
                    said = reader.run(text)
