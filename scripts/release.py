"""Build what is released of a commit: `python -m scripts.release FOLDER [--revision REVISION]`.

The service as wheel and source archive, the clients for Python and TypeScript, the locked
requirements, the bill of materials, and `SHA256SUMS` of all. Everything is made from the files of
the commit and dated with it, so that whoever builds the same commit with the same tools gets the
same bytes. It needs git and npm, and no network.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"


def release(revision: str, folder: Path) -> list[Path]:
    """Build everything into the folder, which must not hold files yet; return what was made."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        sys.exit(f"{folder} is not empty: a release is built into a folder of its own")
    git, npm = _program("git"), _program("npm")
    epoch = _run([git, "log", "-1", "--format=%ct", revision, "--"], ROOT).strip()
    with tempfile.TemporaryDirectory() as made:
        source = Path(made)
        archive = source / ".archive.tar"
        _run([git, "archive", "--format=tar", f"--output={archive}", revision], ROOT)
        with tarfile.open(archive) as opened:
            opened.extractall(source, filter="data")
        archive.unlink()
        _build(source, folder.resolve(), npm, epoch)
    built = sorted(folder.iterdir())
    lines = [f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in built]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
    return [*built, folder / SUMS]


def _build(source: Path, folder: Path, npm: str, epoch: str) -> None:
    dated = {**os.environ, "SOURCE_DATE_EPOCH": epoch, "PYTHONPATH": str(source)}
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = f"{project['name']}-{project['version']}"
    for package in (source, source / "sdk" / "python"):
        _run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], package, dated)
    pack = [npm, "pack", "--offline", "--ignore-scripts", "--pack-destination", str(folder)]
    with tempfile.TemporaryDirectory() as cache:
        _run(pack, source / "sdk" / "typescript", {**dated, "npm_config_cache": cache})
    shutil.copyfile(source / "requirements" / "run.txt", folder / f"{name}.requirements.txt")
    bill = folder / f"{name}.cdx.json"
    _run([sys.executable, "-m", "scripts.bill_of_materials", str(bill)], source, dated)


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        sys.exit(f"{name} is not installed")
    return found


def _run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """Run a program in a folder; return what it prints, and end with it where it fails."""
    done = subprocess.run(  # noqa: S603 -- programs that build what is ours
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Build and list what was made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--revision", default="HEAD", help="the commit to build")
    given = parser.parse_args()
    if _run([_program("git"), "status", "--porcelain", "--untracked-files=no"], ROOT):
        print("what is not committed is left out", file=sys.stderr)
    for path in release(given.revision, given.folder):
        print(path)


if __name__ == "__main__":
    main()
