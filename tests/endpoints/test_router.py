from dataclasses import dataclass

import pytest

from roundsman.endpoints.router import Found, PathTable, WrongMethod


@dataclass(frozen=True)
class Addressed:
    method: str
    path: str


GET_STOP = Addressed("GET", "/stops/{stopId}")
IMPORT = Addressed("POST", "/stops/imports")
GET_UPDATE = Addressed("GET", "/routes/{routeId}/stops/{stopId}")
TABLE = PathTable([GET_STOP, IMPORT, GET_UPDATE])


@pytest.mark.parametrize(
    ("path", "operation", "parameters"),
    [
        ("/stops/rst-1", GET_STOP, {"stopId": "rst-1"}),
        ("/stops/a%2Fb%20%c3%a9", GET_STOP, {"stopId": "a/b é"}),
        ("/stops/%2500", GET_STOP, {"stopId": "%00"}),
        ("/routes/rte-1/stops/x", GET_UPDATE, {"routeId": "rte-1", "stopId": "x"}),
    ],
)
def test_a_path_is_matched_before_it_is_decoded(
    path: str, operation: Addressed, parameters: dict[str, str]
) -> None:
    found = TABLE.find("GET", path)
    assert isinstance(found, Found)
    assert (found.operation, found.parameters) == (operation, parameters)


@pytest.mark.parametrize(
    "path", ["/", "/stops", "/routes//stops/x", "/stops/a/b", "/stops/a%00b", "/x"]
)
def test_other_paths_are_unknown(path: str) -> None:
    assert TABLE.find("GET", path) is None


def test_a_known_path_with_another_method_names_those_it_has() -> None:
    assert TABLE.find("GET", "/stops/imports") == WrongMethod(allowed="POST")


def test_what_can_be_read_can_be_asked_for_its_headers_alone() -> None:
    found = TABLE.find("HEAD", "/stops/rst-1")
    assert isinstance(found, Found)
    assert found.operation == GET_STOP
    assert TABLE.find("DELETE", "/stops/rst-1") == WrongMethod(allowed="GET, HEAD")
    assert TABLE.find("HEAD", "/stops/imports") == WrongMethod(allowed="POST")
