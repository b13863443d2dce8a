"""What is protected and how: data, keys, ways to sign in, sessions, connections, files, work, logs.

The answers that a reviewer asks for before anything else; every figure is a constant of the code.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from scripts.reference.markdown import code, page, table

from roundsman.domain import driver_session, member_session
from roundsman.domain.member import (
    MEMBER_INVITE_LIFETIME,
    PASSWORD_RESET_LIFETIME,
    SIGN_IN_LINK_LIFETIME,
)
from roundsman.domain.organization import Retention
from roundsman.domain.password import (
    CONTEXT_WORDS,
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
)
from roundsman.domain.second_factor import CHALLENGE_LIFETIME
from roundsman.domain.security_event import SECURITY_EVENTS_KEPT_FOR
from roundsman.endpoints.search_queue import AT_ONCE, MOST_WAITING, MOST_WAITING_EACH
from roundsman.images.decoder_process import MOST_PIXELS
from roundsman.images.decoders import MOST_SCANS, DecodingLimits
from roundsman.kit.common_passwords import list_common_passwords
from roundsman.kit.one_time_codes import STEP_SECONDS
from roundsman.operations.api_clients import TOKEN_LIFETIME
from roundsman.operations.attachments import LINK_LIFETIME
from roundsman.operations.drivers import INVITE_LIFETIME
from roundsman.operations.idempotency import KEPT_FOR
from roundsman.operations.organizations import MOST_LOGO_BYTES
from roundsman.spreadsheets.bounds import MOST_BYTES as MOST_SHEET_BYTES
from roundsman.spreadsheets.bounds import MOST_DATA_ROWS
from roundsman.storage.sealed_columns import SEALED_COLUMNS
from roundsman.storage.time_limits import USUAL

_INTRO = """
For whoever reviews the security of an installation, and for the operator. [Security](../security.md) says
what is defended and what is not; this page lists what is there to be defended. The
[table of ASVS](asvs.md) says which requirement is held by which test.
"""
_CLASSES = """
## Classes of data

Everything that is stored or sent belongs to one of these. Where two stand together, what is said of
the upper one holds for both.
"""
_KEYS = """
## Keys and algorithms

Random bytes come from the operating system's generator (`kit.ids`); primitives from the libraries
`cryptography`, `argon2-cffi`, `joserfc` and Python's `hashlib` and `hmac`; nothing is invented here.
A key is made where it is used, belongs to one purpose, is shared with nobody but the receiver whom
it is for, and is replaced at once when somebody else may have it. NIST SP 800-57 asks that no key is used
without an end: replace the sealing key, webhook secrets and clients' secrets once a year.
"""
_SIGNING_IN = """
## Ways to sign in

There are no others, and no account is there from the beginning.
"""
_SESSIONS = """
## Sessions

Every token is {bits} random bits and looked up at each request, so that ending a session counts at
once. A person or device may have any number of sessions at the same time: planners work on several
screens, and each is listed with when it was last heard of and can be ended by itself.
NIST SP 800-63B asks for re-authentication after 12 hours and after half an hour of idleness at its
second level of assurance. Members are asked after 12 idle hours and {member_days} days, because a board stays open
through a shift; drivers after {driver_idle} idle days and {driver_days} days, because a phone that asks for a new invite in the
middle of a route cannot deliver. Sessions by OpenID Connect last as long as others: signing out
at the provider does not end one here, and deactivating the member does.
"""
_PASSWORDS = """
## Passwords

{shortest} to {longest} characters of any kind, kept until they are changed. Refused are the {common:,} commonest of that
length, the e-mail address, and passwords in which no letter is left without the parts of that
address and these words: {words}.
"""
_CONNECTIONS = """
## What it connects to

Nothing else is connected to. Who may name an address decides how far it is trusted: the operator's
settings are, what an organization names is checked at every connection (SSRF).
"""
_FILES = """
## Files that are taken

A file that is none of these, or damaged, is refused with what is wrong with it, and nothing of it is
kept. There is no scanner for viruses: what is served again is pictures alone, which are decoded and written
anew.
"""
_WORK = """
## Costly work

What takes long or much, and what bounds it; [Limits](limits.md) has every other bound.
"""
_LOGS = """
## Logs

Times are UTC; keep the clocks of several machines together with NTP.
"""


def protection_page() -> str:
    """Return the page."""
    sessions = _SESSIONS.format(
        bits=256,
        member_days=member_session.MEMBER_SESSION_LIFETIME.days,
        driver_idle=driver_session.IDLE_LIFETIME.days,
        driver_days=driver_session.LIFETIME.days,
    )
    passwords = _PASSWORDS.format(
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
        common=len(list_common_passwords()),
        words=", ".join(CONTEXT_WORDS),
    )
    return page(
        "Protection",
        _INTRO,
        _CLASSES,
        table(["Class", "What", "Kept", "Stored", "In the log", "Who sees it"], _classes()),
        _KEYS,
        table(["Key", "Algorithm", "Where", "Protects", "Replaced by"], _keys()),
        _SIGNING_IN,
        table(["Who", "With", "Guessing is bounded by", "Gets"], _ways()),
        sessions,
        table(["Session", "Idle for", "At most", "Ended by"], _kinds_of_session()),
        passwords,
        _CONNECTIONS,
        table(["To", "For", "Named by", "Over"], _connections()),
        _FILES,
        table(["Where", "Kinds", "At most", "Made safe by"], _files()),
        _WORK,
        table(["Work", "Bounded by", "Over the bound"], _work()),
        _LOGS,
        table(["Log", "Holds", "Where", "Kept", "Read by"], _logs()),
    )


def _classes() -> Iterator[Sequence[str]]:
    kept = Retention()
    events = f"{SECURITY_EVENTS_KEPT_FOR.days} days"
    yield (
        "Secret",
        "passwords, secrets of clients, tokens, invites, links of members, recovery codes",
        "until used, replaced or expired",
        "as a hash (SHA-256 of random ones, argon2id of passwords)",
        "never",
        "its owner, once",
    )
    yield (
        "Sealed",
        ", ".join(sorted({column.purpose for column in SEALED_COLUMNS})),
        "as long as what they are for",
        "sealed, key outside the database",
        "never",
        "the software; webhook secrets also the operator",
    )
    yield (
        "Customers'",
        "names, addresses, phones, e-mails, notes, coordinates, photos, signatures, ratings",
        f"{kept.customers_days:,} days, proof {kept.proof_days}, events {kept.events_days} (`retention`), or until erased",
        "readable; evidence as salted hashes in a signed chain",
        "never",
        "members and clients with READ, the route's driver, receivers of events; of one stop its customer",
    )
    yield (
        "Drivers'",
        "names, phones, positions, working times",
        f"positions {kept.positions_days} days (`retention`)",
        "readable",
        "never",
        "members and clients with READ; the position near the door its customer, where allowed",
    )
    yield (
        "Security",
        "who signed in, failed to, or changed what others may do, with address and program",
        events,
        "readable, changed by nobody",
        "addresses of failures and refusals",
        "owners and clients with SETTINGS",
    )
    yield (
        "Business",
        "routes, plans, vehicles, settings, counts",
        "until deleted",
        "readable",
        "ids, counts and times alone",
        "members and clients of the organization",
    )
    yield (
        "Public",
        "the interface's description, the files of the pages, streets, whether it is ready",
        "-",
        "in the package",
        "yes",
        "everybody",
    )


_SEALED_FOR: Mapping[str, str] = {
    "webhook secret": "what an organization signs events with",
    "evidence key": "what an organization signs evidence with",
    "erasure": "whom an erasure looks for, until it is done",
    "gateway headers": "the password of an SMS gateway",
    "storefront credentials": "the credentials of a connected shop",
    "one-time codes": "the secret of an app for codes",
    "push endpoint": "where the push service of a driver's phone takes signals for it",
}
"""By the purpose of a sealed column: another one needs a line here."""


def _keys() -> Iterator[Sequence[str]]:
    sealed = "; ".join(_SEALED_FOR[one] for one in sorted({c.purpose for c in SEALED_COLUMNS}))
    yield (
        "sealing key",
        "AES-256-GCM, a random nonce each time, the row and purpose authenticated",
        "`secret.key`, or the file of `ROUNDSMAN_SECRET_KEY_FILE`, mode 0600",
        sealed,
        "`roundsman secrets rotate`",
    )
    yield (
        "signing key of links and cursors",
        "HMAC-SHA256, the purpose signed with the text",
        "database, readable",
        "links of pictures and ratings, cursors, challenges of passkeys, attempts of OpenID Connect; no data",
        "nothing yet: it is made once",
    )
    yield (
        "key of pushes to drivers' phones",
        "ECDSA with P-256 (ES256), made of the signing key of links",
        "nowhere: it is made when it is needed",
        "signals without content, to push services (RFC 8292)",
        "nothing: every phone would have to subscribe anew",
    )
    yield (
        "webhook secret of an organization, and a webhook's own",
        "HMAC-SHA256",
        "database, sealed",
        "events on their way to its receivers",
        "`roundsman webhook secret rotate` and `finish`, for one webhook with `--webhook`",
    )
    yield (
        "evidence key of an organization",
        "Ed25519 over a chain of SHA-256",
        "database, sealed",
        "checkpoints of evidence",
        "nothing: earlier evidence would not verify",
    )
    yield (
        "passwords",
        "argon2id (19 MiB, 2 passes, 1 lane), hashed anew when the parameters change",
        "database",
        "signing members in",
        "a new password",
    )
    yield (
        "secrets, tokens, invites",
        "32 random bytes; SHA-256 is kept, compared in constant time",
        "database",
        "whoever holds them",
        "`roundsman credentials rotate` and `finish`, or a new one",
    )
    yield (
        "one-time codes",
        f"RFC 6238: HMAC-SHA-1 as apps have it, six digits, {STEP_SECONDS} s",
        "database, sealed",
        "signing members in",
        "removing and adding the app",
    )
    yield (
        "certificate of the server",
        "TLS 1.2 or 1.3, what Python's OpenSSL allows by default",
        "files of `ROUNDSMAN_TLS_CERTIFICATE` and `_KEY`, or the proxy's",
        "everything on its way",
        "new files and a restart; `roundsman tls make` for phones",
    )
    yield (
        "keys of an OpenID Connect provider",
        "RS, PS, ES 256 and wider, EdDSA; none and shared secrets are refused",
        "fetched from the provider",
        "who somebody is, at sign-in alone",
        "the provider",
    )


def _ways() -> Iterator[Sequence[str]]:
    yield (
        "member",
        "e-mail and password; then a code of an app or a recovery code, where the person has set that up",
        "ten failures a minute for address and e-mail, a known address goes on; ten wrong codes, then ten an hour",
        "a session",
    )
    yield (
        "member",
        "a passkey, whose person is verified: it stands for both factors",
        f"a challenge that lasts {CHALLENGE_LIFETIME.seconds // 60} minutes and counts once",
        "a session",
    )
    yield (
        "member",
        "OpenID Connect, with a verified e-mail address; second factors are the provider's",
        "`state`, `nonce` and PKCE, ten minutes, in the browser that began",
        "a session",
    )
    yield (
        "member",
        "an invite link, with the password that there is already or a new one",
        f"32 random bytes, once, {MEMBER_INVITE_LIFETIME.days} days",
        "a session",
    )
    yield (
        "member",
        "a link to a new password, by e-mail or from the command line; it signs nobody in",
        f"32 random bytes, once, {_hours(PASSWORD_RESET_LIFETIME)}",
        "a new password; every session ends",
    )
    yield (
        "owner of the demo",
        "the link that `serve --demo` prints",
        f"32 random bytes, once, {_hours(SIGN_IN_LINK_LIFETIME)}, on the same machine alone",
        "a session",
    )
    yield (
        "program, or a planner with a program's credentials",
        "client ID and secret, at `/authenticate` or `/oauth/token`",
        "ten failures a minute for address and client, 60 an address; successes too",
        "an access token with scopes",
    )
    yield (
        "driver",
        "an invite link",
        f"32 random bytes, once, {INVITE_LIFETIME.days} days",
        "the session of a device",
    )
    yield (
        "driver's app that lost its storage",
        "the cookie of its device",
        "32 random bytes, once",
        "another session of that device",
    )
    yield (
        "tracker of a driver",
        "a token that the driver's device asked for",
        "32 random bytes",
        "telling positions, nothing else",
    )


def _kinds_of_session() -> Iterator[Sequence[str]]:
    yield (
        "member's browser",
        _hours(member_session.MEMBER_SESSION_IDLE_LIFETIME),
        f"{member_session.MEMBER_SESSION_LIFETIME.days} days",
        "signing out, another of the member's browsers, a new password, deactivation",
    )
    yield (
        "driver's device",
        f"{driver_session.IDLE_LIFETIME.days} days",
        f"{driver_session.LIFETIME.days} days",
        "signing out, another of the driver's devices, a planner, deactivation",
    )
    yield (
        "access token",
        "-",
        _hours(TOKEN_LIFETIME),
        "`POST /sign-out`, the end of its secret, deletion of the credentials",
    )


def _connections() -> Iterator[Sequence[str]]:
    yield (
        "PostgreSQL",
        "everything stored",
        "`ROUNDSMAN_DATABASE_URL`",
        "`sslmode` of the address",
    )
    yield (
        "receivers of webhooks",
        "events",
        "an organization",
        "HTTPS to public hosts, its certificate checked; other subnets, and plain HTTP to them, by `ROUNDSMAN_WEBHOOK_ALLOW`",
    )
    yield (
        "an SMS gateway",
        "messages to customers",
        "an organization",
        "as webhooks",
    )
    yield ("shops", "orders and what became of them", "an organization", "as webhooks")
    yield (
        "a mail server",
        "messages to customers and members",
        "`ROUNDSMAN_SMTP_URL`",
        "TLS, or STARTTLS that must be there, unless `tls=none` or this machine",
    )
    yield (
        "a geocoder and a road engine",
        "addresses and travel times",
        "`ROUNDSMAN_GEOCODER`, `ROUNDSMAN_ROADS`",
        "the scheme of the address; imported maps ask nobody",
    )
    yield (
        "an OpenID Connect provider",
        "signing members in",
        "`ROUNDSMAN_OIDC_ISSUER`",
        "the scheme of the address",
    )
    yield (
        "a collector of traces",
        "spans",
        "`OTEL_EXPORTER_OTLP_ENDPOINT`",
        "the scheme of the address",
    )


def _files() -> Iterator[Sequence[str]]:
    limits = DecodingLimits()
    yield (
        "uploads at the [driver's door](../driver-api.md)",
        "JPEG, PNG, by their content",
        f"10 MiB, {MOST_PIXELS // 1_000_000} megapixels, {MOST_SCANS} scans",
        f"decoding in a process with {limits.memory_bytes // 1024**2} MiB and {limits.processor_seconds} s, and writing anew without what stood beside the picture",
    )
    yield (
        code("PUT /organization/logo"),
        "JPEG, PNG",
        f"{MOST_LOGO_BYTES // 1024**2} MiB, and as above",
        "as above",
    )
    yield (
        code("POST /stops/imports"),
        "CSV, XLSX (`text/csv`, the type of workbooks)",
        f"8 MiB; {MOST_SHEET_BYTES // 1024**2} MiB and 10,000 parts unpacked; {MOST_DATA_ROWS:,} rows",
        "reading the archive's list and every tag before it is opened; no file of it is kept",
    )
    yield (
        "`roundsman plan`, `map import`, `map tiles`",
        "CSV, XLSX; extracts of OpenStreetMap; MBTiles, PMTiles",
        "the disk",
        "the operator chooses them; names with paths are refused",
    )


def _work() -> Iterator[Sequence[str]]:
    limits = DecodingLimits()
    yield (
        "ordering a route, planning a fleet",
        f"{AT_ONCE} searches at a time; {MOST_WAITING_EACH} of an organization and {MOST_WAITING} in all wait, organizations by turns; a plan is a job with a budget",
        "429, and when to come again",
    )
    yield (
        "decoding a picture",
        f"{limits.processes} processes, {limits.waiting} waiting, {limits.seconds:.0f} s",
        "503; the upload is kept and taken when it is sent again",
    )
    yield ("hashing a password", "two at a time, 19 MiB each", "waits")
    yield (
        "any statement of the database",
        f"{USUAL.statement:.0f} s, {USUAL.queue:.0f} s for a connection",
        "503 code 14, nothing changed",
    )
    yield ("reading a body", "8 MiB, 64 levels, 30 s; 16 KiB without credentials", "413, 400, 408")
    yield ("listing what is wrong", "100 violations, 64 KiB", "how many more there are")
    yield ("following changes", "20 streams of a principal", "429")
    yield ("storing", "10 GiB of an organization (`ROUNDSMAN_QUOTA_BYTES`)", "400 code 9")
    yield ("sending an event", "10 s; two attempts at a receiver that fails", "retried by the list")


def _logs() -> Iterator[Sequence[str]]:
    yield (
        "the log",
        "JSON, one line for each answer and [event](metrics.md#log-events): ids, operations, statuses, times; who was refused, and from where",
        "standard error, and nowhere else",
        "whatever collects it: send it to another machine, where the one that serves cannot change it",
        "the operator",
    )
    yield (
        "security events",
        "sign-ins, failures and changes of rights: who, when, from where, with what program",
        "database",
        f"{SECURITY_EVENTS_KEPT_FOR.days} days",
        "owners, `GET /security-events`",
    )
    yield (
        "events",
        "what happened to stops, routes, drivers",
        "database, receivers of webhooks",
        f"{Retention().events_days} days (`retention`)",
        "clients with READ",
    )
    yield (
        "traces",
        "spans without data of anybody",
        "the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`",
        "there",
        "the operator",
    )
    yield (
        "answers to idempotency keys",
        "what a change answered",
        "database",
        _hours(KEPT_FOR),
        f"the same client (links of pictures in them last {LINK_LIFETIME.seconds} s)",
    )


def _hours(span: timedelta) -> str:
    count = span.total_seconds() / 3600
    return f"{count:.0f} hour{'' if count == 1 else 's'}"
