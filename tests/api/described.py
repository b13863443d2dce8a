"""A client whose every response is checked against the interface description."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema_rs
import msgspec
from tests.support.in_process import InProcessClient

from roundsman.api.app import BASE_PATH, describe
from roundsman.endpoints.application import Application

type Json = Any


class DescribedClient:
    """Sends requests in process, over pretended HTTPS, and refuses undescribed answers."""

    def __init__(self, interface: Application, address: str = "203.0.113.7") -> None:
        self.interface = interface
        self._http = InProcessClient(
            interface,
            base_url="https://roundsman.test",
            address=address,
        )
        self.description = _description()
        self.headers: dict[str, str] = {}

    def sign_in(self, client_id: str, secret: str) -> None:
        answer = self.post("/authenticate", {"clientId": client_id, "clientSecret": secret})
        self.headers["Authorization"] = f"Bearer {answer.json()['accessToken']}"

    def page(self, path: str) -> Any:
        return self._http.get(BASE_PATH + path)

    def get(self, path: str) -> Any:
        return self.send("GET", path)

    def post(self, path: str, body: Json = None, **options: Any) -> Any:
        return self.send("POST", path, json=body, **options)

    def send(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **body: Any
    ) -> Any:
        response = self._http.request(
            method, BASE_PATH + path, headers={**self.headers, **(headers or {})}, **body
        )
        assert response.headers["X-Request-Id"]
        self._check(method, path, response)
        return response

    def _check(self, method: str, path: str, response: Any) -> None:
        if not response.headers["Content-Type"].startswith("application/json"):
            return  # a stream, a file or a page
        template = _template(path.partition("?")[0])
        if method not in _methods(template):
            assert response.status_code in {404, 405}
            template = None
        _answer(template, method, response.status_code).validate(response.json())


@cache
def _description() -> Json:
    return msgspec.json.decode(describe())


@cache
def _template(path: str) -> str | None:
    """Return the path that a request means: a name that is written out goes before a parameter."""
    segments = path.strip("/").split("/")
    fitting = [
        str(template)
        for template in _description()["paths"]
        if len(parts := template.strip("/").split("/")) == len(segments)
        and all(
            part.startswith("{") or part == segment
            for part, segment in zip(parts, segments, strict=True)
        )
    ]
    return min(fitting, key=lambda template: template.count("{"), default=None)


def _methods(template: str | None) -> set[str]:
    return {method.upper() for method in _description()["paths"].get(template, ())}


@cache
def _answer(template: str | None, method: str, status: int) -> Any:
    """Return what validates an answer of an operation; of none, an error."""
    schema: Json = {"$ref": "#/components/schemas/Error"}
    if template is not None:
        described = _description()["paths"][template][method.lower()]["responses"][str(status)]
        schema = described["content"]["application/json"]["schema"]
    document = {**schema, "components": _description()["components"]}
    return jsonschema_rs.Draft202012Validator(document)
