from ipaddress import ip_network
from pathlib import Path

import pytest
from tests.webhooks.certificates import make_certificate

from roundsman.settings import Settings, WrongSetting, load_settings


@pytest.mark.spec("decisions §11")
def test_subnets_are_read_from_a_list() -> None:
    settings = load_settings({"ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8, ::1/128,"})
    assert settings.webhook_allow == (ip_network("127.0.0.0/8"), ip_network("::1/128"))
    assert load_settings({}).webhook_allow == ()
    assert load_settings({}).webhook_ca is None


@pytest.mark.spec("decisions §11")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROUNDSMAN_WEBHOOK_ALLOW", "127.0.0.1/8"),
        ("ROUNDSMAN_WEBHOOK_ALLOW", "localhost"),
        ("ROUNDSMAN_WEBHOOK_CA", "/nowhere/ca.pem"),
        ("ROUNDSMAN_WEBHOOK_CA", __file__),
        ("ROUNDSMAN_TLS_CERTIFICATE", "/nowhere/certificate.pem"),
        ("ROUNDSMAN_TLS_CERTIFICATE", __file__),
        ("ROUNDSMAN_TLS_KEY", "/nowhere/key.pem"),
        ("ROUNDSMAN_TLS_KEY", __file__),
        ("ROUNDSMAN_BASE_URL", "plan.example.com"),
        ("ROUNDSMAN_BASE_URL", "https://mün..chen.example"),
        ("ROUNDSMAN_BASE_URL", "https://plan.example.com/roundsman"),
        ("ROUNDSMAN_BASE_URL", "https://plan.example.com/?tenant=a"),
        ("ROUNDSMAN_BASE_URL", "https://plan.example.com?"),
        ("ROUNDSMAN_BASE_URL", "https://plan.example.com#top"),
        ("ROUNDSMAN_BASE_URL", "https://user@plan.example.com"),
        ("ROUNDSMAN_GEOCODER", "guess"),
        ("ROUNDSMAN_GEOCODER", "photon"),
        ("ROUNDSMAN_GEOCODER", "photon:"),
        ("ROUNDSMAN_GEOCODER", "photon:localhost:2322"),
        ("ROUNDSMAN_GEOCODER", "osm:http://localhost"),
        ("ROUNDSMAN_GEOCODER", "nominatim:https://nominatim.openstreetmap.org"),
        ("ROUNDSMAN_EVENT_HEADER_ALIAS", "X Example"),
        ("ROUNDSMAN_EVENT_HEADER_ALIAS", "X-Example-"),
        ("ROUNDSMAN_EVENT_HEADER_ALIAS", "x-service"),
        ("ROUNDSMAN_EVENT_HEADER_ALIAS", "X-Éxample"),
        ("ROUNDSMAN_EVENT_HEADER_ALIAS", "X-" + "a" * 60),
        ("ROUNDSMAN_STORE_FIELD_ALIAS", "Example"),
        ("ROUNDSMAN_STORE_FIELD_ALIAS", "my-shop"),
        ("ROUNDSMAN_STORE_FIELD_ALIAS", "store"),
        ("ROUNDSMAN_STORE_FIELD_ALIAS", "imports"),
        ("ROUNDSMAN_STORE_FIELD_ALIAS", "a" * 51),
        ("ROUNDSMAN_WORKERS", "4"),
        ("ROUNDSMAN_WORKERS", "0"),
        ("ROUNDSMAN_WORKERS", "many"),
        ("ROUNDSMAN_WORKER_MONITORING", "many"),
        ("ROUNDSMAN_WORKER_MONITORING", ":9100"),
        ("ROUNDSMAN_WORKER_MONITORING", "127.0.0.1:"),
        ("ROUNDSMAN_WORKER_MONITORING", "65536"),
    ],
)
def test_a_wrong_value_is_named_in_one_line(name: str, value: str) -> None:
    with pytest.raises(WrongSetting) as told:
        load_settings({name: value})
    assert name in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.spec("decisions §3")
def test_a_certificate_has_a_key_of_its_own(tmp_path: Path) -> None:
    certificate, _ = make_certificate(tmp_path / "one")
    another, _ = make_certificate(tmp_path / "another")
    keys = [one.with_name("key.pem") for one in (certificate, another)]
    together = tmp_path / "together.pem"
    together.write_bytes(certificate.read_bytes() + keys[0].read_bytes())
    for chosen in ((certificate, keys[0]), (together, "")):
        settings = load_settings(_certified(*chosen))
        assert settings.tls_certificate == chosen[0]
    for wrong in ((certificate, keys[1]), (certificate, ""), (keys[0], keys[0])):
        with pytest.raises(WrongSetting, match="ROUNDSMAN_TLS_CERTIFICATE"):
            load_settings(_certified(*wrong))


def _certified(certificate: Path, key: Path | str) -> dict[str, str]:
    return {"ROUNDSMAN_TLS_CERTIFICATE": str(certificate), "ROUNDSMAN_TLS_KEY": str(key)}


@pytest.mark.spec("decisions §11")
def test_the_geocoder_is_a_kind_and_for_servers_an_address() -> None:
    assert load_settings({}).geocoder == "osm"
    for value in (
        "builtin",
        "osm",
        "nominatim:http://10.0.0.7:8080",
        "photon:https://p.example.com",
    ):
        assert load_settings({"ROUNDSMAN_GEOCODER": value}).geocoder == value
    with_slash = {"ROUNDSMAN_GEOCODER": "photon:https://p.example.com/"}
    assert load_settings(with_slash).geocoder == "photon:https://p.example.com"


def test_a_worker_is_monitored_nowhere_or_on_this_machine_unless_a_host_is_named() -> None:
    assert load_settings({}).worker_monitoring is None
    for text, place in (
        ("9100", ("127.0.0.1", 9100)),
        ("0", ("127.0.0.1", 0)),
        ("10.0.0.7:9100", ("10.0.0.7", 9100)),
        ("[::1]:9100", ("::1", 9100)),
    ):
        assert load_settings({"ROUNDSMAN_WORKER_MONITORING": text}).worker_monitoring == place
    chosen = load_settings({"ROUNDSMAN_WORKER_MONITORING": "1"}, worker_monitoring="2")
    assert chosen.worker_monitoring == ("127.0.0.1", 2)


def test_an_own_address_is_taken_with_its_port_and_without_the_last_slash() -> None:
    settings = load_settings({"ROUNDSMAN_BASE_URL": "https://plan.example.com:8443/"})
    assert settings.base_url == "https://plan.example.com:8443"


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("touren.münchen.example:8443", "touren.xn--mnchen-3ya.example:8443"),
        ("Straße.example", "xn--strae-oqa.example"),  # and not strasse.example, which is another's
        ("βόλος.example", "xn--nxasmm1c.example"),
        ("faß:8443", "xn--fa-hia:8443"),
    ],
)
def test_an_own_address_is_as_browsers_send_it_and_as_letters_can_hold_it(
    given: str, sent: str
) -> None:
    assert load_settings({"ROUNDSMAN_BASE_URL": f"https://{given}"}).base_url == f"https://{sent}"


def in_file(folder: Path, content: str, encoding: str = "utf-8") -> Settings:
    file = folder / "roundsman.toml"
    file.write_text(content, encoding=encoding)
    return load_settings({"ROUNDSMAN_CONFIG": str(file)})


def test_a_file_says_truths_numbers_and_lists_as_toml_does(tmp_path: Path) -> None:
    settings = in_file(
        tmp_path,
        'allow_fsync_off = true\ntrusted_proxies = ["10.0.0.5/32", "10.1.0.0/16"]\n'
        'metrics_allow = "10.2.0.0/16, 10.3.0.0/16"\nwebhook_allow = []\nkeep_alive_seconds = 30\n',
    )
    assert settings.allow_fsync_off is True
    assert settings.trusted_proxies == (ip_network("10.0.0.5/32"), ip_network("10.1.0.0/16"))
    assert settings.metrics_allow == (ip_network("10.2.0.0/16"), ip_network("10.3.0.0/16"))
    assert (settings.webhook_allow, settings.keep_alive_seconds) == ((), 30)
    assert in_file(tmp_path, 'allow_fsync_off = "false"').allow_fsync_off is False


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    assert in_file(tmp_path, "keep_alive_seconds = 30", "utf-8-sig").keep_alive_seconds == 30


@pytest.mark.parametrize(
    "line",
    [
        "trusted_proxies = [10]",
        "trusted_proxies = {a = 1}",
        'base_url = ["https://plan.example.com"]',
        "keep_alive_seconds = 2024-07-01",
        "keep_alive_seconds = 1.5",
        "keep_alive_seconds = true",
    ],
)
def test_what_a_file_says_in_another_form_is_told(tmp_path: Path, line: str) -> None:
    with pytest.raises(WrongSetting, match=f"ROUNDSMAN_{line.split(' ')[0].upper()}.* must be a"):
        in_file(tmp_path, line)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROUNDSMAN_DATABASE_URL", "mysql://roundsman:s3cr3t@db/x"),
        ("ROUNDSMAN_SMTP_URL", "smtp://roundsman:s3cr3t@mail.example.com:many"),
        ("ROUNDSMAN_ROADS", "oops:https://roundsman:s3cr3t@roads.example.com"),
    ],
)
def test_a_wrong_value_with_a_password_is_not_repeated(name: str, value: str) -> None:
    with pytest.raises(WrongSetting, match=name) as told:
        load_settings({name: value})
    assert "s3cr3t" not in str(told.value)
