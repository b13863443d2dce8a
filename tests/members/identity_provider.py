"""An OpenID Connect provider on this machine, which can be told to answer wrongly."""

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from tests.world import FixedClock

CLIENT, SECRET = "roundsman", "a secret: with/every+kind"


@dataclass
class IdentityProvider:
    """Signs everybody in as `email`; what it says may be changed before it is asked."""

    clock: FixedClock
    issuer: str = ""
    email: str = "ann@example.com"
    is_verified: object = True
    changes: dict[str, Any] = field(default_factory=dict)
    """Claims of the ID token that are other than they should be."""

    algorithm: str = "RS256"
    shows_email_in_token: bool = True
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(auto_kid=True))
    published: RSAKey | None = None
    asked: dict[str, str] = field(default_factory=dict)
    """What the browser was sent with."""

    def answer_authorization(self, sent: dict[str, str]) -> str:
        """Return where the browser is sent back to."""
        self.asked = sent
        return f"{sent['redirect_uri']}?code=the-code&state={sent['state']}"

    def answer_token(self, sent: dict[str, str], authorization: str) -> dict[str, Any]:
        """Return tokens for the code, after PKCE and the client's secret were checked."""
        challenge = base64.urlsafe_b64encode(
            hashlib.sha256(sent["code_verifier"].encode()).digest()
        )
        assert challenge.rstrip(b"=").decode() == self.asked["code_challenge"]
        assert sent["redirect_uri"] == self.asked["redirect_uri"]
        pair = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        assert pair == "roundsman:a%20secret%3A%20with%2Fevery%2Bkind"
        return {"access_token": "opaque", "token_type": "Bearer", "id_token": self.sign()}

    def sign(self) -> str:
        now = int(self.clock.now().timestamp())
        claims: dict[str, Any] = {
            "iss": self.issuer,
            "aud": CLIENT,
            "sub": "user-1",
            "iat": now,
            "exp": now + 300,
            "nonce": self.asked["nonce"],
        }
        if self.shows_email_in_token:
            claims |= self.claims()
        claims = {name: v for name, v in {**claims, **self.changes}.items() if v is not None}
        if self.algorithm == "HS256":
            return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET * 2))
        header = {"alg": self.algorithm, "kid": self.key.kid}
        return jwt.encode(header, claims, self.key)

    def claims(self) -> dict[str, Any]:
        return {"email": self.email, "email_verified": self.is_verified, "name": "Ann Provider"}

    def describe(self) -> dict[str, Any]:
        names = ("authorization", "token", "userinfo")
        return {
            "issuer": self.issuer,
            "jwks_uri": f"{self.issuer}/jwks",
            **{f"{name}_endpoint": f"{self.issuer}/{name}" for name in names},
        }

    def answer(self, path: str) -> dict[str, Any]:
        match path:
            case "/.well-known/openid-configuration":
                return self.describe()
            case "/jwks":
                return {"keys": [(self.published or self.key).as_dict(private=False)]}
            case "/userinfo":
                return {"sub": "user-1", **self.claims()}
        raise KeyError(path)


@contextmanager
def identity_provider(clock: FixedClock) -> Iterator[IdentityProvider]:
    provider = IdentityProvider(clock)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/authorization":
                sent = {name: values[0] for name, values in parse_qs(parts.query).items()}
                self.send_response(303)
                self.send_header("Location", provider.answer_authorization(sent))
                self.end_headers()
            else:
                self.reply(provider.answer(parts.path))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            sent = {name: values[0] for name, values in parse_qs(body).items()}
            self.reply(provider.answer_token(sent, self.headers["Authorization"]))

        def reply(self, content: dict[str, Any]) -> None:
            data = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
