import pytest
from cryptography.exceptions import InvalidTag

from roundsman.kit.encryption import decrypt, encrypt, is_signature, public_key_of, sign_bytes

KEY, NONCE = bytes(range(32)), bytes(12)


def test_what_was_encrypted_opens_with_its_key_and_purpose_alone() -> None:
    sealed = encrypt(KEY, NONCE, b"text", b"purpose")
    assert decrypt(KEY, sealed, b"purpose") == b"text"
    for key, purpose in ((bytes(32), b"purpose"), (KEY, b"other")):
        with pytest.raises(InvalidTag):
            decrypt(key, sealed, purpose)


def test_a_signature_fits_its_key_and_bytes_alone() -> None:
    pem, signature = public_key_of(KEY), sign_bytes(KEY, b"data")
    assert is_signature(pem, signature, b"data")
    assert not is_signature(pem, signature, b"date")
    assert not is_signature(pem, signature[:-1], b"data")
    assert not is_signature(public_key_of(bytes(32)), signature, b"data")
    assert not is_signature(pem + b"\n", signature, b"data")
    assert not is_signature(b"", signature, b"data")
