"""Days that are simulated beside the load: made-up drivers at the driver's door, on the same data.

Each is a process of its own, `roundsman simulate day`, at the speed with which its eleven hours
take as long as the run. Their actions, photos and positions go through the whole pipeline of the
door and into the same database, and the server that is measured sends their events.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

_DAY = timedelta(hours=11)
_GIVE_UP_SECONDS = 900.0


@dataclass(frozen=True, kw_only=True)
class SizeOfDay:
    """How much happens on a day."""

    stops: int = 200
    vans: int = 8


class SimulatedDays:
    """The days of some organizations, all under way at once during the block."""

    def __init__(
        self,
        organizations: Sequence[str],
        environment: Mapping[str, str],
        seconds: float,
        size: SizeOfDay,
    ) -> None:
        """Have each day last so many seconds, if the machine can."""
        self._organizations = organizations
        self._environment = {**os.environ, **environment}
        self._speed = _DAY.total_seconds() / seconds
        self._size = size
        self._playing: list[subprocess.Popen[str]] = []
        self.played: list[dict[str, Any]] = []
        self.errors: list[str] = []
        # A file: a pipe that nobody reads stops the process that writes its log to it.
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115 -- closed with the days

    def __enter__(self) -> Self:
        for seed, organization in enumerate(self._organizations):
            command = [
                *(sys.executable, "-m", "roundsman", "simulate", "day", "--json"),
                *("--organization", organization, "--seed", str(seed)),
                *("--stops", str(self._size.stops), "--vans", str(self._size.vans)),
                *("--speed", f"{self._speed:.0f}"),
            ]
            self._playing.append(
                subprocess.Popen(  # noqa: S603 -- our own program
                    command,
                    env=self._environment,
                    stdout=subprocess.PIPE,
                    stderr=self._log,
                    text=True,
                )
            )
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._playing:
            one.kill()
            one.communicate()
        self._log.close()

    def finish(self) -> None:
        """Wait until every van is back."""
        for one in self._playing:
            said, _ = one.communicate(timeout=_GIVE_UP_SECONDS)
            if one.returncode:
                self._log.seek(0)
                self.errors.append(self._log.read().strip()[-200:])
                continue
            day = json.loads(said)
            self.played.append(day)
            if not day["isWhole"] or day["actionsMissing"]:
                self.errors.append(f"{day['actionsMissing']} actions are missing")

    def lines(self) -> Iterable[str]:
        """Return what came of the days."""
        for day in self.played:
            yield (
                f"day of {day['organization']}: {day['stops']} stops on {day['routes']} routes,"
                f" {day['actions']} actions and {day['photos']} photos in {day['seconds']:g} s,"
                f" {day['batchesSentTwice']} batches sent twice, {day['actionsMissing']} missing"
            )
        for error in self.errors:
            yield f"error: a day: {error}"
