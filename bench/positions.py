"""Print what an hour of drivers' positions adds to a SQLite database, and what storing it takes.

`python -m bench.positions --drivers 200` keeps one position in ten seconds of each.
"""

import argparse
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from roundsman.domain.address import Coordinates
from roundsman.domain.live_route import LiveRoute
from roundsman.domain.route import DriverFix
from roundsman.storage.database import Database
from roundsman.storage.driver_positions import add_positions
from roundsman.storage.live_routes import Saving, save_live_route
from roundsman.storage.migrate import migrate

_BEGIN = datetime(2026, 7, 1, 8, tzinfo=UTC)


def main() -> None:
    """Store an hour of positions, each in a transaction of its own, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drivers", type=int, default=200)
    parser.add_argument("--minutes", type=int, default=60)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'positions.db'}")
        migrate(database)
        before = size_of(database)
        used = time.process_time()
        for number in range(wanted.minutes * 6):
            at = _BEGIN + timedelta(seconds=10 * number)
            for driver in range(wanted.drivers):
                here = Coordinates(latitude=39.3 + number / 10_000, longitude=-76.6)
                fix = DriverFix(coordinates=here, accuracy_meters=8.5, at=at)
                route = f"rte-00000000-0000-4000-8000-{driver:012}"
                with database.writing() as tx:
                    driver_id = f"drv-00000000-0000-4000-8000-{driver:012}"
                    add_positions(tx, "acme-0001", driver_id, route, [fix])
                    saving = Saving("acme-0001", route, driver_id, at)
                    save_live_route(tx, saving, LiveRoute(fix=fix))
        used = time.process_time() - used
        grown = (size_of(database) - before) * 60 / wanted.minutes / 1e6
        share = used / (60 * wanted.minutes)
        print(f"{wanted.drivers} drivers: {grown:.1f} MB an hour, {share:.1%} of a core in storage")
        database.close()


def size_of(database: Database) -> int:
    """Return how many bytes the database takes."""
    with database.reading() as tx:
        pages = tx.exec_driver_sql("PRAGMA page_count").scalar_one()
        return int(pages) * int(tx.exec_driver_sql("PRAGMA page_size").scalar_one())


if __name__ == "__main__":
    main()
