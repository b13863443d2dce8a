"""The programs in examples/generated-clients call what the description has, by its names.

The programs themselves are run by hand, for their generators come from a network.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scripts.clients import ROOT, SOURCE

pytestmark = pytest.mark.spec("decisions §19")

type Json = Any

PROGRAMS = ROOT / "examples" / "generated-clients"
MAIN_JOB = {
    "authenticate",
    "addWebhook",
    "importStops",
    "createRoute",
    "addRouteStops",
    "reoptimizeRoute",
    "dispatchRoute",
    "listEvents",
}


def operations() -> Iterator[tuple[str, str, Json]]:
    """Yield each operation with its method and path."""
    described = json.loads(SOURCE.read_text(encoding="utf-8"))
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def in_python(text: str) -> set[str]:
    """Return what is imported from a tag's folder, as it is called in the description."""
    called = set()
    for tag, names in re.findall(
        r"^from generated_roundsman\.api\.(\w+) import (.+)$", text, re.MULTILINE
    ):
        for name in names.split(", "):
            first, *others = name.split("_")
            found = first + "".join(map(str.capitalize, others))
            assert f"{name}.sync(" in text
            called |= {one["operationId"] for _, _, one in operations()
                       if one["operationId"] == found
                       and one["tags"] == [tag.replace("_", " ").capitalize()]}  # fmt: skip
    return called


def in_hey_api(text: str) -> set[str]:
    return set(re.findall(r"await (\w+)\(\{", text))


def in_openapi_fetch(text: str) -> set[str]:
    called = set(re.findall(r"client\.(GET|POST)\(\"([^\"]+)\"", text))
    return {one["operationId"] for method, path, one in operations() if (method, path) in called}


def in_go(text: str) -> set[str]:
    called = set(re.findall(r"client\.(\w+)API\.(\w+)\(ctx", text))
    assert "/oauth/token" in text  # the library of OAuth 2.0 signs in
    return {"authenticate"} | {
        one["operationId"]
        for _, _, one in operations()
        if (one["tags"][0].title().replace(" ", ""), _capital(one["operationId"])) in called
    }


def in_php(text: str) -> set[str]:
    return set(re.findall(r"->(\w+)\(", text)) & {one["operationId"] for _, _, one in operations()}


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


@pytest.mark.parametrize(
    ("program", "read_calls"),
    [
        ("openapi-python-client/main_job.py", in_python),
        ("hey-api/main-job.ts", in_hey_api),
        ("openapi-fetch/main-job.ts", in_openapi_fetch),
        ("go/main.go", in_go),
        ("php/main_job.php", in_php),
    ],
)
def test_a_program_calls_the_main_job_by_its_names(
    program: str, read_calls: Callable[[str], set[str]]
) -> None:
    assert read_calls((PROGRAMS / program).read_text(encoding="utf-8")) == MAIN_JOB


def test_the_main_job_is_described() -> None:
    described = {one["operationId"]: one for _, _, one in operations()}
    assert described.keys() >= MAIN_JOB
    assert "issueToken" in described
    for name in MAIN_JOB - {"authenticate", "listEvents"}:
        taken = {one["name"] for one in described[name]["parameters"]}
        assert "Idempotency-Key" in taken, name


def test_what_generators_make_of_numbers_and_arguments_is_what_was_meant() -> None:
    """A number without a format has 32 bits in Go; a union is a class of its own."""
    described = json.loads(SOURCE.read_text(encoding="utf-8"))
    place = described["components"]["schemas"]["CoordinatesInput"]["properties"]
    assert place["latitude"]["format"] == "double"
    count = described["components"]["schemas"]["RouteDraftInput"]["properties"]["maxItemCount"]
    assert count["format"] == "int64"
    for _, _, operation in operations():
        for one in operation["parameters"]:
            assert "anyOf" not in one["schema"], one
