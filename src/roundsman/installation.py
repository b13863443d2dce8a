"""Opening an installation: its database, and the tools that operations are handed."""

import ssl
from collections.abc import Callable, Sequence
from datetime import timedelta

from roundsman.geography import make_geocoder, open_roads, open_street_map
from roundsman.kit.clock import Clock, SystemClock
from roundsman.kit.ids import IdSource, RandomIds
from roundsman.kit.leaky_bucket import Buckets, MemoryBuckets
from roundsman.kit.loading import load
from roundsman.kit.openid_connect import OpenIdConnect
from roundsman.notifications.email import Mail, MailServer
from roundsman.operations.installation import obtain_key
from roundsman.operations.organizations import Registrar
from roundsman.operations.sign_in_failures import SignInFailures
from roundsman.operations.tools import USUAL_ADDRESS, PublicAddress, Tools
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.storage.dialects import sqlite_file
from roundsman.storage.durability import require_durable
from roundsman.storage.geocoder_answers import StoredAnswers
from roundsman.storage.migrate import migrate
from roundsman.storage.presence import presence_number
from roundsman.storage.private_files import (
    list_open,
    make_files_private,
    make_private_folder,
    require_usable,
)
from roundsman.storage.rate_buckets import StoredBuckets
from roundsman.storage.sealed_columns import has_sealed
from roundsman.storage.sealing import SecretBox
from roundsman.webhooks.address_guard import AddressGuard
from roundsman.webhooks.resolution import SystemResolver, TimedResolver
from roundsman.wire.current_version import encode_payload


def open_database(settings: Settings) -> Database:
    """Open the installation's database at its newest schema, made if it is not there."""
    if not settings.database_url:
        make_private_folder(settings.data)
    if file := sqlite_file(settings.database()):
        make_files_private(file)
        require_usable(file)
    database = Database(settings.database())
    try:
        if not settings.allow_fsync_off:
            require_durable(database)
        migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def list_open_files(settings: Settings) -> Sequence[str]:
    """Return the folder and files of the database that every account can read."""
    file = sqlite_file(settings.database())
    if file is None:
        return []
    folder = file if settings.database_url else settings.data
    return [str(path) for path in dict.fromkeys(list_open(folder, file))]


def make_tools(
    settings: Settings,
    database: Database,
    clock: Clock | None = None,
    ids: IdSource | None = None,
) -> Tools:
    """Return what operations are handed; a test brings its own clock and ids."""
    ids = ids or RandomIds()
    clock = clock or SystemClock()
    return Tools(
        database=database,
        clock=clock,
        ids=ids,
        cursor_key=obtain_key(database, ids, "cursors"),
        link_key=obtain_key(database, ids, "links"),
        secret_box=_make_secret_box(settings, database, ids),
        presence=presence_number(ids.random_bytes(8)),
        geocoder=make_geocoder(settings, memory=StoredAnswers(database), clock=clock),
        roads=open_roads(settings),
        street_map=open_street_map(settings),
        buckets=_make_buckets(database),
        quota_bytes=settings.quota_bytes,
        positions_kept_for=timedelta(days=settings.positions_days),
        webhook_ca=settings.webhook_ca,
        mail=_open_mail(settings),
        openid=_open_provider(settings),
        openid_role=settings.oidc_role,
        address=PublicAddress(settings.base_url or USUAL_ADDRESS),
        address_guard=AddressGuard(
            allowed_subnets=settings.webhook_allow, resolver=TimedResolver(SystemResolver())
        ),
        failures=SignInFailures(database),
        render_payload=encode_payload,
    )


def _make_secret_box(settings: Settings, database: Database, ids: IdSource) -> SecretBox:
    def may_be_made() -> bool:
        """Say whether a key that is missing was never there: a named one always was."""
        if settings.secret_key_file is not None:
            return False
        with database.reading() as tx:
            if has_sealed(tx):
                return False
        make_private_folder(settings.data)  # a database elsewhere may have made none
        return True

    return SecretBox(settings.secret_key(), ids, may_be_made)


def _open_provider(settings: Settings) -> OpenIdConnect | None:
    if not settings.oidc_issuer:
        return None
    open_provider: Callable[[str, str, str], OpenIdConnect] = load(
        "roundsman.kit.openid_provider:OpenIdProvider"
    )
    return open_provider(settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret)


def _make_buckets(database: Database) -> Buckets:
    # SQLite is one process's database, so its buckets need not survive or leave that process.
    return MemoryBuckets() if database.dialect_name == "sqlite" else StoredBuckets(database)


def _open_mail(settings: Settings) -> Mail | None:
    if not settings.smtp_url:
        return None
    return Mail(
        server=MailServer.parse(settings.smtp_url),
        sender=settings.mail_from,
        certificates=ssl.create_default_context(),
    )


def make_registrar(tools: Tools, command: str = "") -> Registrar:
    """Return what makes organizations and API clients; `command` is what the operator called."""
    return Registrar(
        database=tools.database,
        clock=tools.clock,
        ids=tools.ids,
        secret_box=tools.secret_box,
        command=command,
    )
