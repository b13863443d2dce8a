"""A PostgreSQL server of the tests' own: the machine's binaries, a temporary folder, loopback."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.support.ports import free_port

_PLACES = ("/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin")


def find_binaries() -> Path | None:
    """Return the folder of initdb and postgres, the newest version first."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    found = [folder for place in _PLACES for folder in Path("/").glob(place[1:])]
    return max(found, key=lambda folder: folder.as_posix(), default=None)


@dataclass(frozen=True)
class Server:
    """A running server: its address up to the database's name, and how to restart it."""

    address: str
    stop: Callable[[], None]
    start: Callable[[], None]
    folder: Path

    def restart(self) -> None:
        """Crash and come back."""
        self.stop()
        self.start()

    def kill(self) -> None:
        """Crash as the machine's power would have it, without a word to anybody."""
        while alive := _working_in(self.folder / "data"):
            for pid in alive:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        # After a power cut the number in these is nobody's; here it may be that of a dead process
        # whom nobody has buried.
        for lock in (self.folder / "data" / "postmaster.pid", *self.folder.glob(".s.PGSQL.*.lock")):
            lock.unlink()


def _working_in(folder: Path) -> list[int]:
    """Return the processes of one server; the dead that nobody has buried are not among them."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink() == folder:
                found.append(int(process.name))
    return found


@contextmanager
def postgres_server(
    binaries: Path, *, fsync: bool = False, host: str = "127.0.0.1"
) -> Iterator[Server]:
    """Run a server; with `fsync` it survives a crash, as those of operators do."""
    folder = Path(tempfile.mkdtemp(prefix="roundsman-postgres-"))
    account = _unprivileged_account()
    if account is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)
    user = None if account is None else account.pw_name
    port = free_port(host)

    def run(*command: str) -> None:
        subprocess.run(  # noqa: S603 -- the machine's own PostgreSQL
            command, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL, timeout=60
        )

    control = str(binaries / "pg_ctl")
    data = str(folder / "data")
    run(str(binaries / "initdb"), "-D", data, "-U", "roundsman", "-A", "trust", "-E", "UTF8", "-N")
    with (folder / "data" / "pg_hba.conf").open("a") as rules:
        rules.write(f"host all all {host}/32 trust\n")
    settings = (
        f"-p {port} -k {folder} -c listen_addresses={host} -c fsync={'on' if fsync else 'off'}"
    )

    def start() -> None:
        run(control, "-D", data, "-w", "-o", settings, "-l", str(folder / "log"), "start")

    def stop() -> None:
        run(control, "-D", data, "-w", "-m", "immediate", "stop")

    start()
    try:
        yield Server(f"postgresql://roundsman@{host}:{port}", stop, start, folder)
    finally:
        stop()
        shutil.rmtree(folder, ignore_errors=True)


def own_address() -> str | None:
    """Return an address of this machine that is not loopback, if it has one."""
    told = subprocess.run(
        ["hostname", "-I"],  # noqa: S607 -- wherever it lies
        capture_output=True,
        text=True,
        check=True,
        timeout=10,
    )
    return next((word for word in told.stdout.split() if "." in word), None)


def _unprivileged_account() -> pwd.struct_passwd | None:
    # The server refuses to run as root, so root lends the folder to somebody else.
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("no account to run PostgreSQL as: neither postgres nor nobody exists")
