"""A certificate for trying a service on a phone; the one module that knows `cryptography`.

Phones accept a certificate that an authority vouches for which their owner has installed. So an
authority is made with each certificate, signs that one, and its key is forgotten: who installs it
trusts this one certificate, and nobody can make another with it (decision 0033).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LASTS = timedelta(days=397)
"""Phones refuse certificates that last longer."""

_BEFORE = timedelta(days=1)
"""How far a phone's clock may be behind."""

_LEAST_LEFT = timedelta(days=14)


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeCertificate:
    """A certificate with its authority's, its key, and the authority's alone, all as PEM."""

    chain: bytes
    key: bytes
    authority: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadCertificate:
    """What a certificate says of itself."""

    names: tuple[str, ...]
    valid_until: datetime
    fingerprint: str
    """SHA-256 in the way that browsers and phones show it."""

    def is_ending(self, now: datetime) -> bool:
        """Say whether it should be renewed."""
        return self.valid_until - now < _LEAST_LEFT


def make_certificate(names: Sequence[str], now: datetime) -> MadeCertificate:
    """Return a certificate for these host names and addresses."""
    authority_key = ec.generate_private_key(ec.SECP256R1())
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = _name(f"Roundsman on {names[0]}, made {now:%Y-%m-%d}")
    authority = (
        _begin(issuer, issuer, authority_key.public_key(), now)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    own = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    certificate = (
        _begin(_name(names[0]), issuer, key.public_key(), now)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general(n) for n in names]), critical=False)
        .add_extension(own, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    authority_pem = authority.public_bytes(pem)
    return MadeCertificate(
        chain=certificate.public_bytes(pem) + authority_pem,
        key=key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
        authority=authority_pem,
    )


def read_certificate(pem: bytes) -> ReadCertificate:
    """Return what the first certificate of a PEM file says; raise ValueError when there is none."""
    certificate = x509.load_pem_x509_certificate(pem)
    return ReadCertificate(
        names=_names_of(certificate),
        valid_until=certificate.not_valid_after_utc,
        fingerprint=certificate.fingerprint(hashes.SHA256()).hex(":").upper(),
    )


def _begin(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BEFORE)
        .not_valid_after(now - _BEFORE + LASTS)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(common: str) -> x509.Name:
    # A common name has 64 characters at most; what counts is the list of names beside it.
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common[:64])])


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _names_of(certificate: x509.Certificate) -> tuple[str, ...]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return ()
    return tuple(str(name.value) for name in found.value)
