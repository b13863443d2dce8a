"""HTTPS without a proxy: the server holds a certificate itself."""

import ssl
from pathlib import Path

import httpx2 as httpx
import pytest
from tests.acceptance.test_main_job import serving
from tests.webhooks.certificates import make_certificate


@pytest.mark.spec("decisions §3")
def test_a_server_with_a_certificate_answers_https_and_nothing_else(tmp_path: Path) -> None:
    certificate, _ = make_certificate(tmp_path / "tls")
    key = tmp_path / "tls" / "key.pem"
    chosen = {
        "ROUNDSMAN_TLS_CERTIFICATE": str(certificate),
        "ROUNDSMAN_TLS_KEY": str(key),
        "ROUNDSMAN_BASE_URL": "https://plan.example.com",
    }
    trusting = ssl.create_default_context(cafile=str(certificate))
    database = f"sqlite:///{tmp_path / 'roundsman.db'}"
    with serving(tmp_path, database, **chosen) as address, httpx.Client(verify=trusting) as client:
        assert address.startswith("https://127.0.0.1:")
        assert client.get(f"{address}/readyz", timeout=30).status_code == 200
        refused = client.post(f"{address}/api/2024-07/authenticate", json={}, timeout=30)
        assert refused.json()["message"] == "missing client_id"
        only_https = "max-age=31536000; includeSubDomains"
        assert refused.headers["Strict-Transport-Security"] == only_https
        with pytest.raises(httpx.TransportError):
            client.get(f"{address.replace('https', 'http')}/readyz", timeout=30)
