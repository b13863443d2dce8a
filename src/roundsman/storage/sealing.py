"""Seals what must be readable again: AES-256-GCM with a key that is in a file, not in the database.

A sealed text names its key, so that rows sealed before and after a rotation are read alike. The
file holds one key a line in base64, the newest first: the first seals, all of them open.

    sealed = tools.secret_box.seal("sms gateway acme-a5c2", headers)
    headers = tools.secret_box.unseal("sms gateway acme-a5c2", sealed)

The purpose is authenticated with the text: what was sealed for one row opens in no other. A column
of sealed texts is named in `storage.sealed_columns`, which is how a rotation finds it.
"""

import base64
import hashlib
import os
import stat
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from roundsman.domain.errors import Unavailable
from roundsman.kit.ids import IdSource
from roundsman.kit.loading import load

_PREFIX = "sealed:"
_KEY_BYTES = 32
_NONCE_BYTES = 12
_OPEN_TO_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_SETTING = "ROUNDSMAN_SECRET_KEY_FILE"


def is_sealed(text: str) -> bool:
    """Say whether a text was sealed; the version before stored secrets as they are."""
    return text.startswith(_PREFIX)


class WrongSecretKey(Unavailable):
    """The file of the key cannot be used as it is; no restart mends that."""


class SecretBox:
    """Seals and unseals with the keys of one file, which is read when it is first needed."""

    def __init__(self, file: Path, ids: IdSource, may_be_made: Callable[[], bool]) -> None:
        self.file = file
        self._ids = ids
        self._may_be_made = may_be_made
        self._lock = threading.Lock()
        self._keys: Mapping[str, bytes] = {}
        self._seen: tuple[int, int] | None = None

    def require_usable(self) -> None:
        """Raise WrongSecretKey, in one line, where the file is missing, empty or open to others."""
        self._load()

    def newest(self) -> str:
        """Return the name of the key that seals now."""
        return next(iter(self._load()))

    def seal(self, purpose: str, text: str) -> str:
        """Return the text sealed for a purpose."""
        name, key = next(iter(self._load().items()))
        nonce = self._ids.random_bytes(_NONCE_BYTES)
        encrypt = load("roundsman.kit.encryption:encrypt")
        return f"{_PREFIX}{name}:{_encode(encrypt(key, nonce, text.encode(), purpose.encode()))}"

    def unseal(self, purpose: str, sealed: str) -> str:
        """Return a text that was sealed for this purpose; one that never was comes as it is."""
        if not is_sealed(sealed):
            return sealed
        name, _, encoded = sealed.removeprefix(_PREFIX).partition(":")
        key = self._keys.get(name) or self._load().get(name)
        if key is None:
            raise WrongSecretKey(f"{self.file} lacks the key that stored secrets are sealed with")
        data = base64.urlsafe_b64decode(encoded)
        opened: bytes = load("roundsman.kit.encryption:decrypt")(key, data, purpose.encode())
        return opened.decode()

    def add_key(self) -> None:
        """Seal with a new key from now on; every key that is there goes on to open."""
        self._write([self._new_key(), *self._load().values()])

    def forget_older_keys(self) -> None:
        """Keep the key that seals and the one before, which backups from before need."""
        self._write(list(self._load().values())[:2])

    def _load(self) -> Mapping[str, bytes]:
        """Return the keys by name, read again where another process has changed the file."""
        with self._lock:
            found = self._look()
            if found is None and self._may_be_made():
                self._make()
                found = self._look()
            if found is None:
                raise WrongSecretKey(self._complaint("is missing"))
            if found != self._seen:
                self._keys = {_name_of(key): key for key in self._read()}
                self._seen = found
            return self._keys

    def _look(self) -> tuple[int, int] | None:
        try:
            status = self.file.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise WrongSecretKey(self._complaint(f"cannot be read: {error.strerror}")) from error
        if not stat.S_ISREG(status.st_mode):
            raise WrongSecretKey(self._complaint("is no file"))
        if os.name == "posix" and status.st_mode & _OPEN_TO_OTHERS:
            raise WrongSecretKey(self._complaint("may be read by others; chmod 600 closes it"))
        return status.st_mtime_ns, status.st_ino

    def _read(self) -> list[bytes]:
        try:
            lines = self.file.read_text(encoding="ascii").split()
            keys = [base64.b64decode(line, validate=True) for line in lines]
        except OSError as error:
            raise WrongSecretKey(self._complaint(f"cannot be read: {error.strerror}")) from error
        except ValueError as error:
            raise WrongSecretKey(self._complaint("holds no key")) from error
        if not keys:
            raise WrongSecretKey(self._complaint("is empty"))
        if any(len(key) != _KEY_BYTES for key in keys):
            raise WrongSecretKey(self._complaint("holds no key of 32 bytes in base64"))
        return keys

    def _make(self) -> None:
        """Make the file unless another process was first."""
        partial = self._written([self._new_key()])
        try:
            os.link(partial, self.file)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links
            if not self.file.exists():
                partial.replace(self.file)
        finally:
            partial.unlink(missing_ok=True)
        _sync_folder(self.file.parent)

    def _write(self, keys: list[bytes]) -> None:
        with self._lock:
            self._written(keys).replace(self.file)
            _sync_folder(self.file.parent)

    def _written(self, keys: list[bytes]) -> Path:
        partial = self.file.with_name(f"{self.file.name}.{os.getpid()}.partial")
        partial.unlink(missing_ok=True)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        with os.fdopen(os.open(partial, flags, 0o600), "w", encoding="ascii") as out:
            out.writelines(f"{base64.b64encode(key).decode()}\n" for key in keys)
            out.flush()
            os.fsync(out.fileno())
        return partial

    def _new_key(self) -> bytes:
        return self._ids.random_bytes(_KEY_BYTES)

    def _complaint(self, what: str) -> str:
        return f"the file of the secret key, {self.file}, {what} ({_SETTING} names another)"


def _name_of(key: bytes) -> str:
    return hashlib.sha256(b"roundsman secret key" + key).hexdigest()[:12]


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode()


def _sync_folder(folder: Path) -> None:
    # The name must outlive a power cut: rows that the key has sealed may be committed soon.
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
