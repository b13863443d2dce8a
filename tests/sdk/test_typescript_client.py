"""The client for TypeScript as it is built: the main job over answers that are lost."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from scripts.clients import ROOT
from tests.acceptance.test_main_job import roundsman, serving

pytestmark = pytest.mark.spec("decisions §19")

SDK = ROOT / "sdk" / "typescript"
COMPILER = ROOT / "web" / "node_modules" / ".bin" / "tsc"


def test_the_main_job_over_answers_that_are_lost(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    made = roundsman(tmp_path, url, "organization", "create", "Acme Foods")
    owner = ("--organization", made["organization"], "--email", "dev@example.com")
    key = roundsman(tmp_path, url, "credentials", "create", *owner)
    program = Path(__file__).with_name("main_job.mjs")
    with serving(tmp_path, url, ROUNDSMAN_WEBHOOK_ALLOW="127.0.0.0/8") as service:
        done = subprocess.run(  # noqa: S603 -- ours
            [node, str(program), service, *_secrets_of(key), made["webhookSecret"]],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["imported"], said["optimized"], said["made"]) == (250, True, 20)
    assert said["unrouted"] == 200
    assert said["lost"] >= 4
    topics = said["topics"]
    assert (topics["IMPORTED_STOP_CREATED"], topics["ROUTE_CREATED"]) == (250, 21)
    assert topics["ROUTE_DISPATCHED"] == 1
    assert "colour" in said["fields"]
    assert (said["topic"], said["refused"]) == ("TEST", [True] * 7)
    assert (said["webhook"], said["fetched"]) == (["ROUTE_DISPATCHED", True], "TEST")
    # Each lost answer of a change was earned once, and answered again to the second try.
    assert 0 < said["replayed"] <= said["lost"]
    assert said["tokens"] == 2
    unique = "must be unique in the request; [200] has the same"
    assert said["wrong"] == [
        f"[201].clientStopId {unique}",
        f"[201].clientStopId {unique}",
        f"[202].timeWindows[1].start {unique}",
        f" {unique}",
    ]
    assert said["keptKey"]
    # However the address ends.
    assert said["asked"] == [
        "https://r/api/2024-07/oauth/token",
        "https://r/api/2024-07/organization",
    ]
    assert (said["long"], said["pauses"]) == (3600, [90, 20])


def _secrets_of(key: Any) -> tuple[str, str]:
    return key["clientId"], key["clientSecret"]


def examples() -> list[str]:
    readme = (SDK / "README.md").read_text(encoding="utf-8")
    return re.findall(r"```ts\n(.*?)```", readme, re.DOTALL)


STANDS_IN = (
    ("url", "string"),
    ("clientId", "string"),
    ("clientSecret", "string"),
    ("secret", "string"),
    ("nextSecret", "string"),
    ("rawBody", "Uint8Array"),
    ("request", "Request"),
    ("stops", 'import("@roundsman/client").StopDraftInput[]'),
)


def test_every_example_of_the_readme_runs(tmp_path: Path) -> None:
    """The package is found by its name, as npm installs it; names that stand in are globals."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    (tmp_path / "node_modules" / "@roundsman").mkdir(parents=True)
    (tmp_path / "node_modules" / "@roundsman" / "client").symlink_to(SDK)
    shown = examples()
    assert len(shown) == 2
    for number, example in enumerate(shown):
        (tmp_path / f"example_{number}.mjs").write_text(example)
    program = tmp_path / "all.mjs"
    program.write_text(Path(__file__).with_name("examples.mjs").read_text())
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    made = roundsman(tmp_path, url, "organization", "create", "Acme Foods")
    owner = ("--organization", made["organization"], "--email", "dev@example.com")
    key = roundsman(tmp_path, url, "credentials", "create", *owner)
    with serving(tmp_path, url) as service:
        done = subprocess.run(  # noqa: S603 -- ours
            [node, str(program), service, *_secrets_of(key), made["webhookSecret"]],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "evt-" in done.stdout
    assert "[0].address" in done.stdout
    assert "ROUTE_DISPATCHED of rte-1" in done.stdout


def test_every_example_of_the_readme_has_the_types_that_it_says(tmp_path: Path) -> None:
    if not COMPILER.is_file():
        pytest.skip("the compiler is not installed; run make web")
    (tmp_path / "node_modules" / "@roundsman").mkdir(parents=True)
    (tmp_path / "node_modules" / "@roundsman" / "client").symlink_to(SDK)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    declared = "".join(f"declare const {name}: {type_};\n" for name, type_ in STANDS_IN)
    files = []
    for number, example in enumerate(examples()):
        files.append(tmp_path / f"example_{number}.ts")
        files[-1].write_text(f"{example}\n{declared}")
    options = ("--strict", "--noEmit", "--module", "NodeNext", "--target", "ES2022", "--types", "")
    checked = subprocess.run(  # noqa: S603 -- ours
        [str(COMPILER), *options, *map(str, files)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_it_is_packed_with_what_it_needs_and_no_more(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    pack = [npm, "pack", "--offline", "--pack-destination", str(tmp_path)]
    options = {"npm_config_cache": str(tmp_path / "cache"), "npm_config_update_notifier": "false"}
    subprocess.run(  # noqa: S603 -- ours
        pack, cwd=SDK, check=True, capture_output=True, env={**os.environ, **options}
    )
    (archive,) = tmp_path.glob("roundsman-client-*.tgz")
    with tarfile.open(archive) as opened:
        names = {name.removeprefix("package/") for name in opened.getnames()}
        license_ = opened.extractfile("package/LICENSE")
        assert license_ is not None
        assert license_.read() == (ROOT / "LICENSE").read_bytes()
    built = {f"dist/{path.name}" for path in (SDK / "dist").iterdir()}
    assert names == {"LICENSE", "README.md", "package.json"} | built


def test_what_is_built_is_current(tmp_path: Path) -> None:
    if not COMPILER.is_file():
        pytest.skip("the compiler is not installed; run make web")
    subprocess.run(  # noqa: S603 -- ours
        [str(COMPILER), "-p", str(SDK), "--outDir", str(tmp_path)], check=True
    )
    built = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert built == {path.name: path.read_text() for path in (SDK / "dist").iterdir()}
