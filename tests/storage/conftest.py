import pytest
from tests.storage.rows import ACME, OTHER, at, organization

from roundsman.storage.database import Database
from roundsman.storage.organizations import add_organization


@pytest.fixture
def shared(database: Database) -> Database:
    """A database that two organizations share, without anything else."""
    with database.writing() as tx:
        for number, slug in enumerate((ACME, OTHER)):
            add_organization(tx, organization(slug), at(number))
    return database
