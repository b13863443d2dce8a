"""The key that secrets are sealed with: at the start of a service, and when it is replaced."""

from roundsman.operations.tools import Tools
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import lock_installation
from roundsman.storage.sealed_columns import (
    SEALED_COLUMNS,
    list_sealed,
    overwrite_what_is_replaced,
    update_sealed,
)


def seal_stored_secrets(tools: Tools) -> int:
    """Seal with the newest key what is not; return how many secrets that were.

    That is what the version before stored in the clear, and what a rotation that was cut short has
    left. Raises Unavailable where the key is missing, or is not the one that sealed them.
    """
    tools.secret_box.require_usable()
    with tools.database.reading() as tx:
        is_sealed = not _outdated(tools, tx)
    if is_sealed:
        return 0
    with tools.database.writing() as tx:
        lock_installation(tx)
        overwrite_what_is_replaced(tx)
        outdated = _outdated(tools, tx)
        for index, row_id, text in outdated:
            column = SEALED_COLUMNS[index]
            purpose = column.purpose_of(row_id)
            secret = tools.secret_box.unseal(purpose, text)
            update_sealed(tx, column, row_id, tools.secret_box.seal(purpose, secret))
        return len(outdated)


def rotate_secret_key(tools: Tools) -> int:
    """Seal every secret with a new key; return how many there are.

    The new key is in the file before anything is sealed with it, and the old one until everything
    is: whenever this is cut short, the file opens all that is stored.
    """
    with tools.database.reading() as tx:
        for column in SEALED_COLUMNS:
            for row_id, text in list_sealed(tx, column):
                tools.secret_box.unseal(column.purpose_of(row_id), text)
    tools.secret_box.add_key()
    sealed = seal_stored_secrets(tools)
    tools.secret_box.forget_older_keys()
    return sealed


def _outdated(tools: Tools, tx: Transaction) -> list[tuple[int, str, str]]:
    newest = f"sealed:{tools.secret_box.newest()}:"
    return [
        (index, row_id, text)
        for index, column in enumerate(SEALED_COLUMNS)
        for row_id, text in list_sealed(tx, column)
        if not text.startswith(newest)
    ]
