"""A device that makes passkeys and signs with them (W3C Web Authentication, sections 6 and 7)."""

import base64
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

type Json = Any

_PRESENT, _VERIFIED, _ATTESTED = 1, 4, 64


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Authenticator:
    """Holds one passkey, and says of its person what it is told to."""

    origin: str = "https://roundsman.test"
    is_verified: bool = True
    sign_count: int = 0
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    @property
    def id(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        return hashlib.sha256(numbers.x.to_bytes(32)).digest()

    def make(self, options: str) -> str:
        """Return what `navigator.credentials.create` answers."""
        asked = json.loads(options)
        numbers = self.key.public_key().public_numbers()
        point = {-2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, **point})
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + key
        data = self._data(asked["rp"]["id"], _ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer(
            {
                "clientDataJSON": _text(self._client_data("webauthn.create", asked["challenge"])),
                "attestationObject": _text(attestation),
            }
        )

    def sign(self, options: str) -> str:
        """Return what `navigator.credentials.get` answers."""
        asked = json.loads(options)
        self.sign_count += 1
        data = self._data(asked["rpId"])
        client = self._client_data("webauthn.get", asked["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": _text(client),
                "authenticatorData": _text(data),
                "signature": _text(signature),
            }
        )

    def _data(self, host: str, flags: int = 0) -> bytes:
        flags |= _PRESENT | (_VERIFIED if self.is_verified else 0)
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.sign_count.to_bytes(4)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": self.origin}
        return json.dumps(said).encode()

    def _answer(self, response: Json) -> str:
        name = _text(self.id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})
