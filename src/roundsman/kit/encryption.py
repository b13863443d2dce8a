"""Encryption and signatures with standard primitives: AES-256-GCM and Ed25519 (RFC 8032)."""

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE_BYTES = 12


def encrypt(key: bytes, nonce: bytes, text: bytes, purpose: bytes) -> bytes:
    """Return the nonce and the text encrypted; the purpose is authenticated with it."""
    return nonce + AESGCM(key).encrypt(nonce, text, purpose)


def decrypt(key: bytes, sealed: bytes, purpose: bytes) -> bytes:
    """Return what was encrypted; raise InvalidTag for another key, purpose or text."""
    return AESGCM(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], purpose)


def public_key_of(private_key: bytes) -> bytes:
    """Return the public half of an Ed25519 key, in PEM."""
    public = Ed25519PrivateKey.from_private_bytes(private_key).public_key()
    return _as_pem(public)


def sign_bytes(private_key: bytes, data: bytes) -> bytes:
    """Return the Ed25519 signature of some bytes."""
    return Ed25519PrivateKey.from_private_bytes(private_key).sign(data)


def is_signature(pem: bytes, signature: bytes, data: bytes) -> bool:
    """Say whether the holder of a public key has signed some bytes.

    A key that is written in another way than ours is refused: no byte of it may be changed.
    """
    try:
        key = serialization.load_pem_public_key(pem)
        if not isinstance(key, Ed25519PublicKey) or _as_pem(key) != pem:
            return False
        key.verify(signature, data)
    except (ValueError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _as_pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
