"""The long run: `python -m tests.fuzz [examples] [seed …]`; fails when anything is found."""

import logging
import sys
import tempfile
from pathlib import Path

from tests.fuzz.running import fuzz, served

from roundsman.kit.telemetry import configure_logs


def main() -> None:
    """Run each seed on a fresh installation and say how many cases were tried."""
    configure_logs(logging.ERROR)
    examples = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seeds = [int(seed) for seed in sys.argv[2:]] or [1, 2, 3]
    total, found = 0, False
    for seed in seeds:
        with tempfile.TemporaryDirectory() as data, served(Path(data)) as (address, token):
            is_clean, said, cases = fuzz(address, token, examples=examples, seed=seed)
        total, found = total + cases, found or not is_clean
        if not is_clean:
            sys.stdout.write(said)
        verdict = "nothing found" if is_clean else "FAILED"
        sys.stdout.write(f"seed {seed}: {cases} cases, {verdict}\n")
    sys.stdout.write(f"{total} cases\n")
    sys.exit(found)


if __name__ == "__main__":
    main()
