"""Every setting: typed, one sentence each, from the environment or a TOML file.

The environment wins over the file. A wrong value stops the start with one line that names it.
"""

import re
import ssl
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import urlsplit

from roundsman.domain.principal import Role
from roundsman.kit.database_url import check_database_url
from roundsman.notifications.email import MailServer

PREFIX = "ROUNDSMAN_"
CONFIG = "ROUNDSMAN_CONFIG"
"""Names a TOML file whose keys are the settings' names in lower case, without the prefix."""


_MOST_PROCESSES = 64
_FEWEST_QUOTA_BYTES = 1_000
_MOST_DAYS = 3_650
_HIGHEST_PORT = 65_535
_THIS_MACHINE = "127.0.0.1"
_CHANGED_IN_2003 = frozenset("\u00df\u03c2\u200c\u200d")
"""Letters that stay themselves in names of hosts by now (UTS #46, deviations)."""
_LONGEST_ALIAS = 50
_WITH_PASSWORD = ("database_url", "smtp_url", "geocoder", "roads")
"""What may hold a password, also where it is written wrongly: never shown in a message."""

_TAKEN_WORDS = ("store", "imports")
"""What follows `/stops/` in paths of ours."""


class WrongSetting(ValueError):
    """A setting that cannot be used; the message names it and says what would be right."""


def _http_url(text: str) -> str:
    parts = urlsplit(text)
    if text and (parts.scheme not in {"http", "https"} or not parts.netloc):
        raise ValueError("must be an http:// or https:// address")
    return text.rstrip("/")


def _own_address(text: str) -> str:
    """Return where others reach this installation; its pages and links begin at the root."""
    address = _http_url(text)
    parts = urlsplit(address)
    if address and (parts.path or "?" in text or "#" in text or "@" in parts.netloc):
        raise ValueError(
            "must end with its host or port, such as https://plan.example.com: the pages ask for "
            "paths such as /console, so nothing works below a path of a proxy"
        )
    return address.replace(parts.netloc, _in_ascii(parts.netloc), 1)


def _in_ascii(netloc: str) -> str:
    """Return a host as browsers send it (RFC 5890): no header of a letter holds other letters."""
    if netloc.isascii():
        return netloc
    host, colon, port = netloc.partition(":")
    try:
        host.encode("idna")
        labels = ".".join(map(_label_in_ascii, host.split(".")))
    except UnicodeError as error:
        raise ValueError("must have the name of a host, such as plan.example.com") from error
    return f"{labels}{colon}{port}"


def _label_in_ascii(label: str) -> str:
    """Return a part of a host's name; Python's codec, of 2003, makes `ss` of `ß`, another host."""
    written = normalize("NFKC", label.lower())
    if _CHANGED_IN_2003.isdisjoint(written):
        return label.encode("idna").decode()
    return f"xn--{written.encode('punycode').decode()}"


def _subnets(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise ValueError("must be subnets such as 10.0.0.0/8, separated by commas") from error


def _certificates(text: str) -> Path | None:
    if not text:
        return None
    try:
        ssl.create_default_context(cafile=text)
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise ValueError("must be a PEM file of certificates") from error
    return Path(text)


def _readable_file(text: str) -> Path | None:
    if not text:
        return None
    try:
        Path(text).read_bytes()
    except OSError as error:
        raise ValueError(f"must be a PEM file that can be read: {error.strerror}") from error
    return Path(text)


def _path(text: str) -> Path | None:
    return Path(text) if text else None


def _header_prefix(text: str) -> str:
    is_prefix = re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*", text, re.ASCII)
    if text and (not is_prefix or len(text) > _LONGEST_ALIAS or text.lower() == "x-service"):
        raise ValueError(
            f"must be another prefix of header names such as X-Example, without a hyphen at its "
            f"end, of at most {_LONGEST_ALIAS} characters"
        )
    return text


def _field_prefix(text: str) -> str:
    is_word = re.fullmatch(r"[a-z][A-Za-z0-9]*", text, re.ASCII)
    if text and (not is_word or len(text) > _LONGEST_ALIAS or text in _TAKEN_WORDS):
        raise ValueError(
            f"must be another word such as example, letters and digits that begin with a small "
            f"letter, at most {_LONGEST_ALIAS} of them, and none of: {', '.join(_TAKEN_WORDS)}"
        )
    return text


def _only(*available: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        if text not in available:
            raise ValueError(f"must be one of: {', '.join(available)}")
        return text

    return check


def _geocoder(text: str) -> str:
    kind, colon, url = text.partition(":")
    if text in {"builtin", "osm"}:
        return text
    if kind not in {"nominatim", "photon"} or not colon:
        raise ValueError("must be builtin, osm, nominatim:URL or photon:URL")
    if not url:
        raise ValueError(f"must name the server, such as {kind}:https://{kind}.example.com")
    try:
        address = _http_url(url)
    except ValueError as error:
        raise ValueError(f"must be {kind}: and an http:// or https:// address") from error
    if (urlsplit(address).hostname or "").endswith(_PUBLIC_NOMINATIM):
        raise ValueError("must be a server of your own: the public one takes no imports")
    return f"{kind}:{address}"


_PUBLIC_NOMINATIM = "nominatim.openstreetmap.org"


def _roads(text: str) -> str:
    if text in {"builtin", "osm"}:
        return text
    kind, _, url = text.partition(":")
    if kind not in {"osrm", "valhalla"} or not url:
        raise ValueError("must be one of: builtin, osm, osrm:URL, valhalla:URL")
    return f"{kind}:{_http_url(url)}"


def _setting(parse: Callable[[str], Any], default: str, sentence: str) -> Any:
    return field(
        default_factory=lambda: parse(default),
        metadata={"parse": parse, "default": default, "sentence": sentence},
    )


def _truth(text: str) -> bool:
    if text not in {"true", "false"}:
        raise ValueError("must be true or false")
    return text == "true"


def _role(text: str) -> Role | None:
    if text and text not in set(Role):
        raise ValueError(f"must be one of: {', '.join(Role)}")
    return Role(text) if text else None


def _mail_server(text: str) -> str:
    if text:
        MailServer.parse(text)
    return text


def _sender(text: str) -> str:
    if text and re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", parseaddr(text)[1]) is None:
        raise ValueError("must be an address such as Acme Foods <deliveries@example.com>")
    return text


def _whole_number(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise ValueError(f"must be a whole number from {least:,} to {most:,}")
        return int(text)

    return parse


def _bytes(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < _FEWEST_QUOTA_BYTES:
        raise ValueError(f"must be a whole number of bytes, {_FEWEST_QUOTA_BYTES} or more")
    return int(text)


def _days(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:6]) <= _MOST_DAYS:
        raise ValueError(f"must be a whole number of days, 1 to {_MOST_DAYS}")
    return int(text)


def _place_to_listen(text: str) -> tuple[str, int] | None:
    if not text:
        return None
    host, colon, port = text.rpartition(":")
    is_port = port.isascii() and port.isdigit() and int(port) <= _HIGHEST_PORT
    if not is_port or (colon and not host):  # ":9100" would be every address elsewhere
        raise ValueError("must be a port such as 9100, or an address and a port: 10.0.0.7:9100")
    return host.strip("[]") or _THIS_MACHINE, int(port)


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What an installation may choose."""

    data: Path = _setting(  # noqa: RUF009 -- makes a dataclass field, it only looks like a call
        Path, "data", "Folder of the database and everything else kept on disk."
    )
    database_url: str = _setting(
        check_database_url, "", "Database; empty is SQLite in the data folder, or postgresql://…"
    )
    base_url: str = _setting(
        _own_address,
        "",
        "Address under which others reach this installation, without a path: its pages need a host "
        "name of their own; empty is its own.",
    )
    geocoder: str = _setting(
        _geocoder,
        "osm",
        "Where addresses are looked up: osm (imported maps), nominatim:URL, photon:URL, or builtin "
        "(the gazetteer, which osm also asks for what no map has).",
    )
    roads: str = _setting(
        _roads,
        "osm",
        "Where travel times come from: osm (imported maps), osrm:URL, valhalla:URL, or builtin "
        "(the estimate, which is also used wherever there is no map).",
    )
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = _setting(
        _subnets, "", "Subnets of proxies whose X-Forwarded-Proto is believed, comma-separated."
    )
    metrics_allow: tuple[IPv4Network | IPv6Network, ...] = _setting(
        _subnets, "", "Subnets that may read /metrics beside this machine itself, comma-separated."
    )
    webhook_allow: tuple[IPv4Network | IPv6Network, ...] = _setting(
        _subnets,
        "",
        "Subnets that webhooks may be sent to though they are private, and over plain http.",
    )
    webhook_ca: Path | None = _setting(  # noqa: RUF009 -- as above
        _certificates, "", "PEM file of certificates that webhooks trust beside the system's."
    )
    event_header_alias: str = _setting(
        _header_prefix,
        "",
        "Prefix, such as X-Example, under which webhooks get every X-Service- header once more; "
        "empty is none.",
    )
    store_field_alias: str = _setting(
        _field_prefix,
        "",
        "Word, such as example, under which fields and paths of the storefront are known too: "
        "exampleOrderId beside storeOrderId, /stops/example/…; empty is none.",
    )
    tls_certificate: Path | None = _setting(  # noqa: RUF009 -- as above
        _readable_file,
        "",
        "PEM file of the certificate, and those it rests on, that `roundsman serve` answers HTTPS "
        "with; empty is plain HTTP.",
    )
    tls_key: Path | None = _setting(  # noqa: RUF009 -- as above
        _readable_file,
        "",
        "PEM file of that certificate's key, without a password; empty is the same file.",
    )
    oidc_issuer: str = _setting(
        _http_url,
        "",
        "Address of the OpenID Connect provider that members may sign in at; empty is none.",
    )
    oidc_client_id: str = _setting(str, "", "The client ID that the provider knows us by.")
    oidc_client_secret: str = _setting(str, "", "The secret that the provider gave us.")
    oidc_role: Role | None = _setting(  # noqa: RUF009 -- as above
        _role,
        "",
        "Role of those who come by the provider the first time: OWNER, PLANNER or VIEWER; empty "
        "lets in only who was invited.",
    )
    smtp_url: str = _setting(
        _mail_server,
        "",
        "Server that e-mail is handed to: smtp://user:password@host:587 (STARTTLS, on this machine "
        "with ?tls=required alone; without a password ?tls=none turns it off) or "
        "smtps://host:465; empty is no e-mail.",
    )
    mail_from: str = _setting(
        _sender,
        "",
        "Who e-mail is from, such as Acme Foods <deliveries@example.com>.",
    )
    keep_alive_seconds: int = _setting(
        _whole_number(1, 3_600),
        "75",
        "How long a connection is kept open between requests; longer than a load balancer keeps "
        "its own, which are often 60 s.",
    )
    connections_per_address: int = _setting(
        _whole_number(1, 100_000),
        "500",
        "How many connections one address may hold open; this machine and trusted proxies may "
        "hold any number.",
    )
    workers: int = _setting(
        _whole_number(1, _MOST_PROCESSES),
        "1",
        "How many processes serve one address; several need PostgreSQL.",
    )
    quota_bytes: int = _setting(
        _bytes,
        "10737418240",
        "How many bytes of stops, routes, events, drivers' journals and pictures each organization "
        "may store; more is refused.",
    )
    positions_days: int = _setting(
        _days,
        "30",
        "For how many days it is kept where drivers were.",
    )
    secret_key_file: Path | None = _setting(  # noqa: RUF009 -- as above
        _path,
        "",
        "File of the key that webhook secrets and other credentials are sealed with, mode 0600; "
        "empty is secret.key in the data folder, made when it is first needed.",
    )
    worker_monitoring: tuple[str, int] | None = _setting(
        _place_to_listen,
        "",
        "Where `roundsman worker` answers /healthz, /readyz and /metrics: PORT on this machine, or "
        "HOST:PORT; empty is nowhere.",
    )

    allow_fsync_off: bool = _setting(
        _truth,
        "false",
        "Whether a PostgreSQL on another machine may run with fsync or synchronous_commit off.",
    )

    def database(self) -> str:
        """Return the database's address, the default one in the data folder."""
        return self.database_url or f"sqlite:///{self.data.absolute() / 'roundsman.db'}"

    def secret_key(self) -> Path:
        """Return where the key is that secrets are sealed with."""
        return self.secret_key_file or self.data / "secret.key"


def load_settings(environment: Mapping[str, str], **overrides: str | None) -> Settings:
    """Return the settings; `overrides` are what the command line says, where it says anything."""
    in_file = _read_file(environment.get(CONFIG))
    unknown = sorted(in_file.keys() - {setting.name for setting in fields(Settings)})
    if unknown:
        raise WrongSetting(f"{CONFIG}: unknown setting {unknown[0]}")
    chosen = {}
    for setting in fields(Settings):
        name = variable_of(setting.name)
        text = overrides.get(setting.name) or environment.get(name)
        if text is None and setting.name in in_file:
            text = _text_of(setting.name, setting.metadata["parse"], in_file[setting.name])
        if text is not None:
            chosen[setting.name] = _parse(name, setting, text)
    settings = Settings(**chosen)
    if any(place.is_file() for place in (settings.data, *settings.data.parents)):
        raise WrongSetting(f'{PREFIX}DATA is "{settings.data}" but must be a folder, not a file')
    if settings.workers > 1 and not settings.database_url.startswith("postgresql"):
        raise WrongSetting(
            f'{PREFIX}WORKERS is "{settings.workers}" but must be 1 on SQLite: '
            f"several processes need {PREFIX}DATABASE_URL=postgresql://…"
        )
    _require_pair(settings.tls_certificate, settings.tls_key)
    _require_client(settings)
    if bool(settings.smtp_url) != bool(settings.mail_from):
        raise WrongSetting(f"{PREFIX}SMTP_URL and {PREFIX}MAIL_FROM need each other")
    return settings


def _parse(name: str, setting: Field[Any], text: str) -> Any:
    try:
        return setting.metadata["parse"](text)
    except ValueError as error:
        value = "" if setting.name in _WITH_PASSWORD else f' is "{text}" but'
        raise WrongSetting(f"{name}{value} {error}") from error


def variable_of(name: str) -> str:
    """Return the environment variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def tls_files(data: Path) -> tuple[Path, Path, Path]:
    """Return where `roundsman tls make` puts certificate, key and authority."""
    folder = data / "tls"
    return folder / "certificate.pem", folder / "key.pem", folder / "roundsman-ca.crt"


def list_unknown(environment: Mapping[str, str]) -> Sequence[str]:
    """Return the variables that are called like settings and are none."""
    known = {CONFIG, *(variable_of(setting.name) for setting in fields(Settings))}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)


def _require_pair(certificate: Path | None, key: Path | None) -> None:
    """Refuse a key that is alone, does not belong to its certificate, or needs a password."""
    if certificate is None:
        if key is not None:
            raise WrongSetting(f"{PREFIX}TLS_KEY needs {PREFIX}TLS_CERTIFICATE beside it")
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=str)
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise WrongSetting(
            f'{PREFIX}TLS_CERTIFICATE is "{certificate}" but must be a certificate in PEM form '
            f"whose key, without a password, is in it or in {PREFIX}TLS_KEY"
        ) from error


def _require_client(settings: Settings) -> None:
    """Refuse an OpenID Connect provider that does not know us."""
    for name in ("oidc_client_id", "oidc_client_secret"):
        if settings.oidc_issuer and not getattr(settings, name):
            raise WrongSetting(f"{PREFIX}OIDC_ISSUER needs {variable_of(name)} beside it")


def _read_file(name: str | None) -> Mapping[str, Any]:
    if not name:
        return {}
    try:
        # Editors of Windows begin a file with a byte order mark, which TOML does not know.
        return tomllib.loads(Path(name).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise WrongSetting(f"{CONFIG}: {name} must be saved as UTF-8") from error
    except (OSError, ValueError) as error:  # tomllib's own error is a ValueError
        raise WrongSetting(f"{CONFIG}: {name} cannot be read: {error}") from error


def _text_of(name: str, parse: Callable[[str], Any], value: Any) -> str:
    """Return a value of the file as the environment would say it."""
    match value:
        case bool():
            return str(value).lower()
        case str() | int() | float():
            return str(value)
        case list() if parse is _subnets and all(isinstance(one, str) for one in value):
            return ",".join(value)
    forms = "a list of texts, or one text" if parse is _subnets else "a text, a number or a truth"
    raise WrongSetting(f"{variable_of(name)} must be {forms} in {CONFIG}'s file")
