"""`roundsman tls make`: a certificate of one's own, for trying the service on a phone."""

import os
import re
import socket
from collections.abc import Sequence
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

import typer

from roundsman.cli.options import AsJson, DataFolder, errors_in_one_line
from roundsman.cli.output import print_result
from roundsman.kit.certificates import ReadCertificate, make_certificate, read_certificate
from roundsman.kit.clock import SystemClock
from roundsman.kit.lan import lan_addresses
from roundsman.settings import load_settings, tls_files

tls = typer.Typer(help="Make a certificate, to try the service on a phone.", no_args_is_help=True)

_HOST = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(\.(?!-)[A-Za-z0-9-]{1,63})*")
_LONGEST_HOST = 253


@tls.callback()
def _certificates() -> None:
    """Stay a group, though there is one command yet."""


@tls.command("make")
def make(
    host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further name or address; may be given repeatedly."),
    ] = None,
    *,
    renew: Annotated[
        bool, typer.Option("--renew", help="Make a new one; phones have to install it again.")
    ] = False,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Make a certificate for this machine's addresses, its name and localhost.

    It lies in the folder tls of the data folder, where `serve --tls` finds it. One that is there is
    kept. A phone asks no questions once roundsman-ca.crt is installed on it.
    """
    with errors_in_one_line():
        settings = load_settings(os.environ, data=str(data) if data else None)
    certificate, key, authority = tls_files(settings.data)
    names = _names(host or ())
    now = SystemClock().now()
    is_new = renew or not certificate.exists()
    try:
        if is_new:
            _write(certificate, key, authority, names, now)
        made = read_certificate(certificate.read_bytes())
        installed = read_certificate(authority.read_bytes())
    except (OSError, ValueError) as error:
        typer.echo(f"roundsman: {certificate.parent} cannot be used: {error}", err=True)
        raise typer.Exit(1) from error
    result = {
        "certificate": str(certificate),
        "key": str(key),
        "authority": str(authority),
        "names": list(made.names) if as_json else ", ".join(made.names),
        "validUntil": f"{made.valid_until:%Y-%m-%d}",
        "fingerprint": made.fingerprint,
        "authorityFingerprint": installed.fingerprint,
    }
    print_result({**result, "made": is_new} if as_json else result, as_json=as_json)
    if not as_json:
        _advise(made, names, now, is_new=is_new)


def _names(given: Sequence[str]) -> list[str]:
    """Return what the certificate is to name: this machine's name first, each once."""
    for name in given:
        if not _is_host(name):
            raise typer.BadParameter(
                f'--host "{name}" must be a host name such as plan.local, or an IP address'
            )
    own = socket.gethostname()
    machine = [own, *([] if "." in own else [f"{own}.local"])] if _is_host(own) else []
    return list(
        dict.fromkeys([*machine, "localhost", *lan_addresses(), "127.0.0.1", "::1", *given])
    )


def _is_host(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return len(name) <= _LONGEST_HOST and _HOST.fullmatch(name) is not None
    return True


def _write(
    certificate: Path, key: Path, authority: Path, names: Sequence[str], now: datetime
) -> None:
    made = make_certificate(names, now)
    certificate.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    for file, content in ((key, made.key), (authority, made.authority), (certificate, made.chain)):
        new_file = file.with_name(f".{file.name}.new")
        new_file.unlink(missing_ok=True)
        with os.fdopen(os.open(new_file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
            out.write(content)
        new_file.replace(file)


def _advise(made: ReadCertificate, names: Sequence[str], now: datetime, *, is_new: bool) -> None:
    """Say what comes next, and what an old certificate lacks."""
    lacking = [name for name in names if name not in made.names]
    if not is_new:
        typer.echo("\nThis one was here already; --renew makes a new one.")
    if lacking:
        typer.echo(f"It does not name {', '.join(lacking)}: --renew makes one that does.")
    if made.is_ending(now):
        typer.echo(f"It ends on {made.valid_until:%Y-%m-%d}: renew it.")
    typer.echo("\nServe with it:  roundsman serve --host 0.0.0.0 --tls")
    typer.echo(
        "On the phone:   install roundsman-ca.crt; docs/how-to/try-it-on-a-phone.md says how"
    )
