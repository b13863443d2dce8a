"""Write the bill of materials of the service: `python -m scripts.bill_of_materials FILE`.

CycloneDX JSON 1.6: every package of the hash-locked requirements, extras included, and every npm
package whose code stands in a built web application; each with its version, purl, hashes and
licence, and what needs what. Licences and needs of Python packages are read from what is installed
here in the locked version. `SOURCE_DATE_EPOCH` says when it was made, so that two runs are equal.
"""

import base64
import hashlib
import json
import os
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scripts.notices import APPLICATIONS, packages_of, read_lock

ROOT = Path(__file__).parents[1]
EXTRAS = ("mcp", "otel")
_LOCKED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^ ;]+)(?: ; (?P<marker>.+?))? \\$")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_LONGEST_NAME = 60
"""A licence whose field is longer is its whole text."""

type Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class LockedPackage:
    """A package of a requirements file."""

    name: str
    version: str
    marker: str | None
    hashes: tuple[str, ...]


def read_requirements(path: Path) -> dict[str, LockedPackage]:
    """Return the packages of a hash-locked file by their names."""
    found: dict[str, LockedPackage] = {}
    text = path.read_text(encoding="utf-8")
    for entry in re.split(r"\n(?! )", text.strip()):
        if (match := _LOCKED.match(entry.partition("\n")[0])) is None:
            raise ValueError(f"{path.name}: not a locked package: {entry.partition('\n')[0]}")
        hashes = tuple(_HASH.findall(entry))
        found[match["name"]] = LockedPackage(**match.groupdict(), hashes=hashes)
    return found


def make_bill(made_at: datetime) -> Json:
    """Return the bill of materials as CycloneDX has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = _python_purl(project["name"], project["version"])
    packages, scripts = _python_packages(), _script_packages()
    imported = json.loads((ROOT / "web" / "package.json").read_text())["dependencies"]
    python_needs = _needs_of_python(_requirements_of(project), packages)
    needs = {_python_purl(one, packages[one].version): python_needs[one] for one in packages}
    needs |= _needs_of_scripts(scripts)
    needs[own] = python_needs[""] + [_npm_purl(one) for one in scripts if one in imported]
    bill: Json = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": made_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": project["name"],
                "version": project["version"],
                "description": project["description"],
                "licenses": [{"expression": project["license"]}],
                "purl": own,
            },
        },
        "components": [*_python_components(packages), *_script_components(scripts)],
        "dependencies": [
            {"ref": purl, "dependsOn": sorted(needed)} for purl, needed in sorted(needs.items())
        ],
    }
    digest = hashlib.sha256(json.dumps(bill, sort_keys=True).encode()).hexdigest()
    return {**bill, "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, digest)}"}


def _python_packages() -> dict[str, LockedPackage]:
    """Return what the service is installed with, and what its extras add."""
    found: dict[str, LockedPackage] = {}
    for name in ("run", *EXTRAS):
        found |= read_requirements(ROOT / "requirements" / f"{name}.txt")
    return dict(sorted(found.items()))


def _script_packages() -> dict[str, list[str]]:
    """Return the npm packages in the built web applications, and in which ones each is."""
    found: dict[str, list[str]] = {}
    for application in APPLICATIONS:
        for name in packages_of(application):
            found.setdefault(name, []).append(application)
    return dict(sorted(found.items()))


def _python_components(packages: dict[str, LockedPackage]) -> Iterator[Json]:
    always = read_requirements(ROOT / "requirements" / "run.txt")
    for package in packages.values():
        purl = _python_purl(package.name, package.version)
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": package.name,
            "version": package.version,
            "scope": "required" if package.name in always else "optional",
            "hashes": [{"alg": "SHA-256", "content": one} for one in package.hashes],
            **_licences_of(package),
            "purl": purl,
            **_marker_of(package),
        }


def _marker_of(package: LockedPackage) -> Json:
    if package.marker is None:
        return {}
    return {"properties": [{"name": "roundsman:marker", "value": package.marker}]}


def _licences_of(package: LockedPackage) -> Json:
    """Return the licences in the package's own metadata, and nothing where they are not known."""
    if (installed := _installed(package)) is None:
        return {}
    if expression := installed.metadata.get("License-Expression"):
        return {"licenses": [{"expression": expression}]}
    named = installed.metadata.get("License") or ""
    if named and len(named) <= _LONGEST_NAME:
        return {"licenses": [{"license": {"name": named}}]}
    classifiers = installed.metadata.get_all("Classifier") or []
    if classified := [one for one in classifiers if one.startswith("License :: OSI Approved ::")]:
        names = [one.rpartition(" :: ")[2] for one in classified]
        return {"licenses": [{"license": {"name": name}} for name in names]}
    if not named:
        return {}
    text = {"contentType": "text/plain", "content": named}
    return {"licenses": [{"license": {"name": f"licence of {package.name}", "text": text}}]}


def _installed(package: LockedPackage) -> Distribution | None:
    try:
        found = distribution(package.name)
    except PackageNotFoundError:
        return None
    return found if found.version == package.version else None


def _script_components(scripts: Mapping[str, list[str]]) -> Iterator[Json]:
    lock = read_lock()
    for name, applications in scripts.items():
        entry = lock[f"node_modules/{name}"]
        algorithm, _, digest = entry["integrity"].partition("-")
        content = base64.b64decode(digest).hex()
        group, _, short = name.rpartition("/")
        yield {
            "type": "library",
            "bom-ref": _npm_purl(name),
            **({"group": group} if group else {}),
            "name": short,
            "version": entry["version"],
            "scope": "required",
            "hashes": [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": content}],
            "licenses": [{"expression": entry["license"]}],
            "purl": _npm_purl(name),
            "properties": [{"name": "roundsman:application", "value": one} for one in applications],
        }


def _requirements_of(project: Json) -> list[str]:
    extras = project["optional-dependencies"]
    return [*project["dependencies"], *(one for extra in EXTRAS for one in extras[extra])]


def _needs_of_python(own: list[str], packages: Mapping[str, LockedPackage]) -> dict[str, list[str]]:
    """Return the purls that each package needs on this machine; the service has the name ""."""
    required = {"": [Requirement(one) for one in own]}
    for package in packages.values():
        installed = _installed(package)
        stated = (installed.requires if installed else None) or []
        required[package.name] = [Requirement(one) for one in stated]
    extras: dict[str, set[str]] = {name: set() for name in required}

    def needed_by(name: str) -> dict[str, Requirement]:
        return {
            canonicalize_name(one.name): one
            for one in required[name]
            if one.marker is None
            or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras[name]))
        }

    # An extra that is asked for brings packages that ask for further extras.
    has_grown = True
    while has_grown:
        has_grown = False
        for other, one in [pair for name in required for pair in needed_by(name).items()]:
            if other in extras and not one.extras <= extras[other]:
                extras[other] |= one.extras
                has_grown = True
    return {
        name: [
            _python_purl(other, packages[other].version)
            for other in needed_by(name)
            if other in packages
        ]
        for name in required
    }


def _needs_of_scripts(scripts: Mapping[str, list[str]]) -> dict[str, list[str]]:
    lock = read_lock()
    return {
        _npm_purl(name): [
            _npm_purl(one)
            for one in lock[f"node_modules/{name}"].get("dependencies", {})
            if one in scripts
        ]
        for name in scripts
    }


def _python_purl(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"


def _npm_purl(name: str) -> str:
    version = read_lock()[f"node_modules/{name}"]["version"]
    return f"pkg:npm/{name.replace('@', '%40')}@{version}"


def main() -> None:
    """Write the bill into the file that is named."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if len(sys.argv) != 2 or epoch is None:
        sys.exit("usage: SOURCE_DATE_EPOCH=SECONDS python -m scripts.bill_of_materials FILE")
    bill = make_bill(datetime.fromtimestamp(int(epoch), UTC))
    Path(sys.argv[1]).write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
