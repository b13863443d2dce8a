"""Encryption and signatures with standard primitives.

AES-256-GCM, Ed25519 (RFC 8032), and ECDSA with P-256 where another standard asks for it.
"""

from hashlib import sha512

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256

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


_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_P256_BYTES = 32


def p256_public_key(seed: bytes) -> bytes:
    """Return the public half of the P-256 key of a secret seed: 65 bytes, uncompressed (SEC 1)."""
    return (
        _p256_key(seed)
        .public_key()
        .public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    )


def sign_p256(seed: bytes, data: bytes) -> bytes:
    """Return the signature of some bytes as JWS has it: two numbers of 32 bytes (RFC 7518, 3.4)."""
    signature = _p256_key(seed).sign(data, ec.ECDSA(SHA256()))
    return b"".join(
        number.to_bytes(_P256_BYTES, "big") for number in decode_dss_signature(signature)
    )


def _p256_key(seed: bytes) -> ec.EllipticCurvePrivateKey:
    # 512 bits modulo the order are as good as evenly spread (FIPS 186-5, A.2.1).
    number = int.from_bytes(sha512(seed).digest(), "big") % (_P256_ORDER - 1) + 1
    return ec.derive_private_key(number, ec.SECP256R1())
