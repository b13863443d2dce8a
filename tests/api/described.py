"""A client whose every response is checked against the interface description."""

from collections.abc import Mapping
from typing import Any

import jsonschema
from starlette.testclient import TestClient

from roundsman.api.app import PublicInterface
from roundsman.api.openapi import BASE_PATH

type Json = Any


class DescribedClient:
    """Sends requests in process, over pretended HTTPS, and refuses undescribed answers."""

    def __init__(self, interface: PublicInterface, address: str = "203.0.113.7") -> None:
        self.interface = interface
        self._http = TestClient(
            interface,
            base_url="https://roundsman.test",
            client=(address, 50_000),
            raise_server_exceptions=False,
        )
        self.description: Json = self._http.get(f"{BASE_PATH}/openapi.json").json()
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
        operation = self._operation(method, path)
        if operation is None:
            assert response.status_code in {404, 405}
            schema = {"$ref": "#/components/schemas/Error"}
        else:
            described = operation["responses"][str(response.status_code)]
            schema = described["content"]["application/json"]["schema"]
        document = {**schema, "components": self.description["components"]}
        jsonschema.Draft202012Validator(document).validate(response.json())

    def _operation(self, method: str, path: str) -> Json:
        segments = path.partition("?")[0].strip("/").split("/")
        for template, methods in self.description["paths"].items():
            parts = template.strip("/").split("/")
            if len(parts) == len(segments) and all(
                part.startswith("{") or part == segment
                for part, segment in zip(parts, segments, strict=True)
            ):
                return methods.get(method.lower())
        return None
