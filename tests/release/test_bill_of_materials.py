"""The bill of materials names what is locked and what is built in, each once."""

import base64
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from scripts.bill_of_materials import ROOT, make_bill, read_requirements
from scripts.notices import APPLICATIONS, packages_of, read_lock

MADE_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    return make_bill(MADE_AT)


def locked_lines() -> Iterator[tuple[str, str, list[str]]]:
    """Read the requirements by another way than the script: a word at a time."""
    for name in ("run", "mcp", "otel"):
        words = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").split()
        starts = [
            index for index, word in enumerate(words) if re.match(r"^[^-=].*[^=]==[^=]", word)
        ]
        for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
            package, _, version = words[start].partition("==")
            hashes = [
                word.rpartition(":")[2] for word in words[start:end] if word.startswith("--hash")
            ]
            yield package, version, hashes


def test_every_locked_package_is_in_it_with_its_version_purl_and_hashes(
    bill: dict[str, Any],
) -> None:
    found = {one["purl"]: one for one in bill["components"]}
    assert len(found) == len(bill["components"])
    locked = list(locked_lines())
    assert len(locked) > 200
    for name, version, hashes in locked:
        component = found[f"pkg:pypi/{name}@{version}"]
        assert (component["name"], component["version"]) == (name, version)
        assert hashes
        assert component["hashes"] == [{"alg": "SHA-256", "content": one} for one in hashes]
    purls = {f"pkg:pypi/{name}@{version}" for name, version, _ in locked}
    assert {one for one in found if one.startswith("pkg:pypi/")} == purls


def test_what_only_an_extra_brings_is_optional(bill: dict[str, Any]) -> None:
    scopes = {one["name"]: one["scope"] for one in bill["components"]}
    assert (scopes["sqlalchemy"], scopes["mcp"], scopes["opentelemetry-sdk"]) == (
        "required",
        "optional",
        "optional",
    )


def test_every_package_in_a_built_script_is_in_it_and_no_tool_that_builds_it(
    bill: dict[str, Any],
) -> None:
    lock = read_lock()
    found = {one["purl"]: one for one in bill["components"] if one["purl"].startswith("pkg:npm/")}
    shipped = {name for application in APPLICATIONS for name in packages_of(application)}
    for name in shipped:
        entry = lock[f"node_modules/{name}"]
        component = found.pop(f"pkg:npm/{name.replace('@', '%40')}@{entry['version']}")
        (digest,) = component["hashes"]
        assert digest["alg"] == "SHA-512"
        assert base64.b64encode(bytes.fromhex(digest["content"])).decode() == entry[
            "integrity"
        ].removeprefix("sha512-")
        assert component["licenses"] == [{"expression": entry["license"]}]
    assert found == {}


def test_what_is_installed_has_its_licence(bill: dict[str, Any]) -> None:
    licences = {one["name"]: one.get("licenses") for one in bill["components"]}
    assert licences["msgspec"] == [{"expression": "BSD-3-Clause"}]
    assert licences["openpyxl"] == [{"license": {"name": "MIT"}}]
    assert licences["jinja2"] == [{"license": {"name": "BSD License"}}]
    assert "Redistribution" in licences["osrm-bindings"][0]["license"]["text"]["content"]


def test_needs_name_components_and_reach_what_the_service_imports(bill: dict[str, Any]) -> None:
    needs = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    purls = {one["purl"] for one in bill["components"]}
    own = bill["metadata"]["component"]["purl"]
    assert set(needs) == purls | {own}
    assert {one for needed in needs.values() for one in needed} <= purls
    reached: set[str] = set()
    waiting = [own]
    while waiting:
        reached.add(one := waiting.pop())
        waiting += set(needs[one]) - reached
    names = {one["name"] for one in bill["components"] if one["purl"] in reached}
    # An extra of a need (psycopg[binary]), a need of a need, and one that a script imports.
    assert {"psycopg-binary", "llvmlite", "mcp-types", "potpack"} <= names
    assert "hatchling" not in names


def test_it_is_the_same_whenever_it_is_made_for_one_commit(bill: dict[str, Any]) -> None:
    assert make_bill(MADE_AT) == bill
    assert bill["metadata"]["timestamp"] == "2026-03-01T12:00:00Z"
    other = make_bill(MADE_AT.replace(year=2027))
    assert other["serialNumber"] != bill["serialNumber"]
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])


def test_a_requirement_that_is_not_locked_is_refused(tmp_path: Path) -> None:
    loose = tmp_path / "loose.txt"
    loose.write_text("msgspec>=0.20\n")
    with pytest.raises(ValueError, match=r"loose\.txt: not a locked package: msgspec>=0\.20"):
        read_requirements(loose)
