"""Write the descriptions of all interfaces: `python -m scripts.descriptions FOLDER`."""

import argparse
from pathlib import Path

from roundsman.api import app as api
from roundsman.driver import app as driver
from roundsman.members import app as members

DESCRIBED = {"public": api.describe, "driver": driver.describe, "members": members.describe}


def main() -> None:
    """Write one file for each interface."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    for name, describe in DESCRIBED.items():
        folder.joinpath(f"{name}.json").write_bytes(describe())


if __name__ == "__main__":
    main()
