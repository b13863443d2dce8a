"""Signing in at an OpenID Connect provider: the code flow with PKCE.

OpenID Connect Core 1.0, sections 3.1 and 5.3; Discovery 1.0, section 4; RFC 7636 (PKCE). Tokens are
believed when the provider's published keys signed them for us, for this very sign-in.
"""

import base64
import hashlib
import threading
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from msgspec import UNSET, Struct, UnsetType

from roundsman.kit.http import HttpClient, HttpFailure, HttpLimits, OutgoingRequest
from roundsman.kit.openid_connect import (
    EmailNotGiven,
    IdentityRefused,
    ProviderFailed,
    ProviderIdentity,
    SignInAttempt,
)
from roundsman.kit.software import software_version

_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
"""Signatures by a published key; those by a shared secret, and none, are refused."""

_SCOPES = "openid email profile"
_CLOCK_DIFFERENCE_SECONDS = 60
_DISCOVERY_SECONDS = 3_600
_LIMITS = HttpLimits(deadline_seconds=10, max_bytes=1024 * 1024)


class _Discovered(Struct, frozen=True):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class _Tokens(Struct, frozen=True):
    id_token: str
    access_token: str = ""


class _Claims(Struct, frozen=True):
    sub: str
    email: str = ""
    email_verified: bool | str | UnsetType = UNSET
    name: str = ""

    def is_verified(self) -> bool:
        """Say whether the provider knows that the address is theirs; some send it as text."""
        return self.email_verified in {True, "true"}


class OpenIdProvider:
    """One provider; its description and keys are kept for an hour."""

    def __init__(self, issuer: str, client_id: str, client_secret: str) -> None:
        self._issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._http = HttpClient(f"Roundsman/{software_version()}", _LIMITS)
        self._lock = threading.Lock()
        self._discovered: tuple[float, _Discovered] | None = None
        self._keys: KeySet | None = None

    def authorization_url(self, attempt: SignInAttempt, redirect_uri: str) -> str:
        """Return where a browser is sent to sign in."""
        digest = hashlib.sha256(attempt.code_verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": _SCOPES,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        endpoint = self._discover().authorization_endpoint
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    def identify(
        self, code: str, attempt: SignInAttempt, redirect_uri: str, now: datetime
    ) -> ProviderIdentity:
        """Return who came back with a code.

        Raise ProviderFailed, or IdentityRefused where what it says cannot be believed.
        """
        tokens = self._exchange(code, attempt, redirect_uri)
        claims = self._read_id_token(tokens.id_token, attempt.nonce, now)
        if not claims.email:
            claims = self._fetch_claims(tokens.access_token, claims.sub)
        if not claims.email:
            raise EmailNotGiven("the provider names no e-mail address")
        return ProviderIdentity(
            email=claims.email, is_verified=claims.is_verified(), name=claims.name
        )

    def _exchange(self, code: str, attempt: SignInAttempt, redirect_uri: str) -> _Tokens:
        discovered = self._discover()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": attempt.code_verifier,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if "client_secret_basic" in discovered.token_endpoint_auth_methods_supported:
            # Both are form-encoded before they are joined (RFC 6749, section 2.3.1).
            pair = f"{quote(self._client_id, safe='')}:{quote(self._client_secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": self._client_id, "client_secret": self._client_secret}
        return self._fetch(
            OutgoingRequest(
                url=discovered.token_endpoint,
                method="POST",
                headers=headers,
                body=urlencode(form).encode(),
            ),
            _Tokens,
        )

    def _read_id_token(self, text: str, nonce: str, now: datetime) -> _Claims:
        """Return the claims of an ID token that is for us, for now and for this attempt."""
        registry = jwt.JWTClaimsRegistry(
            now=int(now.timestamp()),
            leeway=_CLOCK_DIFFERENCE_SECONDS,
            iss={"essential": True, "value": self._discover().issuer},
            aud={"essential": True, "value": self._client_id},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            token = self._decode(text)
            registry.validate(token.claims)
            audience = token.claims["aud"]
            authorized = token.claims.get("azp", self._client_id)
            if authorized != self._client_id or (
                isinstance(audience, list) and len(audience) > 1 and "azp" not in token.claims
            ):
                raise IdentityRefused("the ID token is for another client")
            return msgspec.convert(token.claims, _Claims)
        except (JoseError, ValueError, msgspec.ValidationError) as error:
            raise IdentityRefused(f"the ID token is not valid: {type(error).__name__}") from error

    def _decode(self, text: str) -> jwt.Token:
        """Check the signature; a key that is not known may be new."""
        try:
            return jwt.decode(text, self._key_set(), algorithms=_ALGORITHMS)
        except (InvalidKeyIdError, ValueError):
            return jwt.decode(text, self._key_set(is_new=True), algorithms=_ALGORITHMS)

    def _fetch_claims(self, access_token: str, subject: str) -> _Claims:
        endpoint = self._discover().userinfo_endpoint
        if not endpoint or not access_token:
            raise EmailNotGiven("the provider names no e-mail address")
        headers = {"Authorization": f"Bearer {access_token}"}
        claims = self._fetch(OutgoingRequest(url=endpoint, headers=headers), _Claims)
        if claims.sub != subject:
            raise IdentityRefused("the provider speaks of somebody else")
        return claims

    def _discover(self) -> _Discovered:
        with self._lock:
            kept = self._discovered
        if kept is not None and time.monotonic() - kept[0] < _DISCOVERY_SECONDS:
            return kept[1]
        url = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
        found = self._fetch(OutgoingRequest(url=url), _Discovered)
        if found.issuer.rstrip("/") != self._issuer.rstrip("/"):
            raise ProviderFailed(f"{self._issuer} says that it is another issuer")
        with self._lock:
            self._discovered, self._keys = (time.monotonic(), found), None
        return found

    def _key_set(self, *, is_new: bool = False) -> KeySet:
        uri = self._discover().jwks_uri
        with self._lock:
            kept = self._keys
        if kept is not None and not is_new:
            return kept
        published: Mapping[str, Any] = self._fetch(OutgoingRequest(url=uri), dict[str, Any])
        keys = KeySet.import_key_set({"keys": published.get("keys", [])})
        with self._lock:
            self._keys = keys
        return keys

    def _fetch[T](self, request: OutgoingRequest, shape: type[T]) -> T:
        try:
            return self._http.fetch_json(request, shape)
        except HttpFailure as error:
            raise ProviderFailed(str(error)) from error

    def close(self) -> None:
        """Close the connections that are kept open."""
        self._http.close()
