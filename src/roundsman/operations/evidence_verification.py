"""Verifies a bundle of evidence by itself: no database, no network, nothing of ours is asked.

Names what was changed, dropped, doubled or moved. What a bundle proves and what it cannot stands on
its own page.
"""

import base64
import binascii
import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.evidence import hash_personal, hash_record, link_records
from roundsman.kit.canonical_json import canonical_json
from roundsman.kit.loading import load

CHAIN, RECORDS, FIELDS = "chain.json", "records.jsonl", "fields.jsonl"
KEY, PAGE = "public-key.pem", "page.html"
_MOST_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class BundleVerdict:
    """What a bundle turned out to be; without problems it is whole."""

    organization: str
    records: int
    checkpoint_at: str
    public_key: str
    problems: tuple[str, ...]


def verify_bundle(content: bytes, expected_key: bytes | None = None) -> BundleVerdict:
    """Say what is wrong with a bundle; raise InvalidArgument for a file that is none.

    With the key that the organization publishes it is also said whose bundle it is.
    """
    return verify_files(_read_files(content), expected_key)


def verify_files(files: Mapping[str, bytes], expected_key: bytes | None = None) -> BundleVerdict:
    """Say what is wrong with a bundle that is unpacked; errors as of `verify_bundle`."""
    return _Bundle(files).verify(expected_key)


def _read_files(content: bytes) -> Mapping[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = archive.infolist()
            if sum(one.file_size for one in infos) > _MOST_BYTES:
                raise InvalidArgument("the archive is too large to be a bundle of evidence")
            names = [one.filename for one in infos]
            if len(set(names)) < len(names):
                raise InvalidArgument("the archive has two files of one name")
            return {one.filename: archive.read(one) for one in infos}
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, OSError) as error:
        raise InvalidArgument(f"the archive was changed: {error}") from error
    except (NotImplementedError, RuntimeError, ValueError, IndexError) as error:
        raise InvalidArgument(f"the archive was changed: {error}") from error
    except zlib.error as error:
        raise InvalidArgument(f"the archive was changed: {error}") from error


class _Bundle:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._problems: list[str] = []

    def verify(self, expected_key: bytes | None) -> BundleVerdict:
        missing = [name for name in (CHAIN, RECORDS, KEY) if name not in self._files]
        if missing:
            raise InvalidArgument(f"{missing[0]} is missing: the file was dropped, or is no bundle")
        chain = self._read_json(self._files[CHAIN].removesuffix(b"\n"), CHAIN)
        entries, checkpoint = _shape(chain)
        key = self._files[KEY]
        if expected_key is not None and expected_key.strip() != key.strip():
            self._problems.append(f"{KEY} is not the key that the bundle was compared with")
        digests = self._check_entries(entries)
        self._check_checkpoint(checkpoint, digests, key)
        records = self._check_records(checkpoint, digests)
        self._check_fields(records)
        self._check_files(checkpoint)
        if not self._problems and checkpoint is None:
            self._problems.append("the checkpoint is missing")
        first = next(iter(records.values()), {})
        return BundleVerdict(
            organization=str(first.get("organization", "")),
            records=len(records),
            checkpoint_at=str((checkpoint or {}).get("at", "")),
            public_key=key.decode("ascii", "replace"),
            problems=tuple(dict.fromkeys(self._problems)),
        )

    def _read_json(self, text: bytes, where: str) -> Any:
        """Return a value that is written in its canonical form, and note where it is not."""
        try:
            value = json.loads(text)
            is_canonical = canonical_json(value) == text
        except (ValueError, RecursionError):
            self._problems.append(f"{where} was changed: it cannot be read")
            return None
        if not is_canonical:
            self._problems.append(f"{where} was changed: it is not in its canonical form")
        return value

    def _check_entries(  # noqa: C901 -- one line a way in which an entry can be wrong
        self, entries: Sequence[Any]
    ) -> dict[int, tuple[bytes, bytes]]:
        """Return record hash and hash of the entries by sequence, as far as they hold."""
        digests: dict[int, tuple[bytes, bytes]] = {}
        previous: bytes | None = None
        last = 0
        for entry in entries:
            read = _read_entry(entry)
            if read is None:
                self._problems.append(f"an entry of {CHAIN} after {last or 'the start'} is damaged")
                previous = None
                continue
            sequence, record_hash, before, hash_ = read
            if sequence in digests:
                self._problems.append(f"entry {sequence} of the chain is there twice")
            elif last and sequence < last:
                self._problems.append(
                    f"the chain was reordered: entry {sequence} stands behind {last}"
                )
            elif last and sequence > last + 1:
                self._problems.append(_say_dropped(last + 1, sequence - 1))
            if previous is not None and before != previous:
                self._problems.append(f"entry {sequence} does not follow the entry before it")
            if link_records(before, record_hash) != hash_:
                self._problems.append(f"entry {sequence} of the chain was changed")
            digests[sequence] = (record_hash, hash_)
            previous, last = hash_, sequence
        if not entries:
            self._problems.append("every entry of the chain was dropped")
        return digests

    def _check_checkpoint(
        self,
        checkpoint: Mapping[str, Any] | None,
        digests: Mapping[int, tuple[bytes, bytes]],
        key: bytes,
    ) -> None:
        if checkpoint is None:
            self._problems.append("the checkpoint is missing")
            return
        hash_ = _hex(checkpoint.get("hash"))
        at_end = digests.get(checkpoint.get("sequence"))  # type: ignore[arg-type] # anything may stand there
        if at_end is None or at_end[1] != hash_ or checkpoint["sequence"] != max(digests):
            self._problems.append("the chain does not end at the checkpoint: its end was dropped")
        is_signature = load("roundsman.kit.encryption:is_signature")
        if not is_signature(key, _read_signature(checkpoint.get("signature")), hash_):
            self._problems.append(f"the checkpoint is not signed by {KEY}: one of them was changed")
        signed = {name: value for name, value in checkpoint.items() if name != "bundleSignature"}
        try:
            text = canonical_json(signed)
        except ValueError:
            text = b""
        if not is_signature(key, _read_signature(checkpoint.get("bundleSignature")), text):
            self._problems.append(f"the list of files is not signed by {KEY}: it was changed")

    def _check_records(
        self, checkpoint: Mapping[str, Any] | None, digests: Mapping[int, tuple[bytes, bytes]]
    ) -> dict[int, Mapping[str, Any]]:
        named = (checkpoint or {}).get("records", [])
        wanted = [one for one in named if isinstance(one, int)] if isinstance(named, list) else []
        found: dict[int, Mapping[str, Any]] = {}
        last = 0
        for number, line in enumerate(self._files[RECORDS].split(b"\n"), 1):
            if not line and number > 1 and self._files[RECORDS].endswith(b"\n"):
                continue
            record = self._read_json(line, f"line {number} of {RECORDS}")
            sequence = record.get("sequence") if isinstance(record, Mapping) else None
            if not isinstance(sequence, int):
                self._problems.append(f"line {number} of {RECORDS} is no record")
                continue
            if sequence in found:
                self._problems.append(f"record {sequence} is there twice")
            elif sequence < last:
                self._problems.append(f"records were reordered: {sequence} stands behind {last}")
            if sequence not in digests or digests[sequence][0] != hash_record(line):
                self._problems.append(f"record {sequence} was changed: the chain has another hash")
            elif sequence not in wanted:
                self._problems.append(f"record {sequence} is not one that the bundle was made of")
            found[sequence] = record
            last = max(last, sequence)
        self._problems += [
            f"record {sequence} was dropped" for sequence in wanted if sequence not in found
        ]
        return found

    def _check_fields(self, records: Mapping[int, Mapping[str, Any]]) -> None:
        for number, line in enumerate(self._files.get(FIELDS, b"").splitlines(), 1):
            one = self._read_json(line, f"line {number} of {FIELDS}")
            if not isinstance(one, Mapping):
                continue
            hashes = records.get(one.get("sequence", 0), {}).get("hashes", {})
            try:
                hashed = hash_personal(str(one.get("salt")), str(one.get("value")))
            except ValueError:
                hashed = ""
            if hashes.get(one.get("field")) != hashed:
                self._problems.append(
                    f"{one.get('field')} of record {one.get('sequence')} was changed"
                )

    def _check_files(self, checkpoint: Mapping[str, Any] | None) -> None:
        named = (checkpoint or {}).get("files", {})
        named = named if isinstance(named, Mapping) else {}
        for name, digest in named.items():
            if name not in self._files:
                self._problems.append(f"{name} was dropped")
            elif hashlib.sha256(self._files[name]).hexdigest() != digest:
                self._problems.append(f"{name} was changed")
        for name in self._files.keys() - named.keys() - {CHAIN}:
            self._problems.append(f"{name} was added")


def _say_dropped(first: int, last: int) -> str:
    if first == last:
        return f"entry {first} of the chain was dropped"
    return f"entries {first} to {last} of the chain were dropped"


def _shape(chain: Any) -> tuple[Sequence[Any], Mapping[str, Any] | None]:
    if not isinstance(chain, Mapping):
        return (), None
    entries, checkpoint = chain.get("entries"), chain.get("checkpoint")
    return (
        entries if isinstance(entries, list) else (),
        checkpoint if isinstance(checkpoint, Mapping) else None,
    )


def _read_entry(entry: Any) -> tuple[int, bytes, bytes, bytes] | None:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("sequence"), int):
        return None
    hashes = [_hex(entry.get(name)) for name in ("recordHash", "previousHash", "hash")]
    if not all(hashes):
        return None
    record_hash, before, hash_ = hashes
    return entry["sequence"], record_hash, before, hash_


def _hex(text: Any) -> bytes:
    """Return 32 bytes that are written in small hex letters, or nothing."""
    try:
        data = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        return b""
    return data if len(data) == hashlib.sha256().digest_size and data.hex() == text else b""


def _read_signature(text: Any) -> bytes:
    try:
        data = base64.b64decode(text, validate=True) if isinstance(text, str) else b""
    except (binascii.Error, ValueError):
        return b""
    return data if base64.b64encode(data).decode() == text else b""


def list_photo_names(records: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the pictures that records name: the attachment's id and the file's name."""
    endings = {"image/jpeg": "jpg", "image/png": "png"}
    for record in records:
        facts = record.get("facts", {})
        if "sha256" in facts:
            ending = endings.get(str(facts.get("mediaType")), "bin")
            yield str(facts["attachmentId"]), f"photos/{facts['attachmentId']}.{ending}"
