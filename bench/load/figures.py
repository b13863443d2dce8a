"""What a run counted: a latency histogram for each kind of request, errors, lateness."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from hdrh.histogram import HdrHistogram

_MOST_MICROS = 600_000_000
_DIGITS = 3
_PERCENTILES = (50.0, 99.0, 99.9)


def new_histogram() -> HdrHistogram:
    """Return a histogram from a microsecond to ten minutes."""
    return HdrHistogram(1, _MOST_MICROS, _DIGITS)


@dataclass
class Figures:
    """Latencies from the moment each request was meant to go out, not from when it did."""

    latencies: dict[str, HdrHistogram] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    sent_late: int = 0
    """Requests that could not go out when they were meant to, for the one before them still ran."""

    def note(self, name: str, seconds: float) -> None:
        """Count one answer."""
        if name not in self.latencies:
            self.latencies[name] = new_histogram()
        self.latencies[name].record_value(max(1, int(seconds * 1e6)))

    def note_error(self, name: str, what: str) -> None:
        """Count one request that was not answered 200."""
        self.errors[f"{name}: {what}"] += 1

    @property
    def answered(self) -> int:
        """The number of answers."""
        return sum(one.total_count for one in self.latencies.values())

    def table(self) -> Iterable[str]:
        """Return the lines of a table, the requests that take longest first."""
        head = "".join(f"{name:>9}" for name in ("count", "p50", "p99", "p99.9", "most"))
        yield f"{'milliseconds, from the intended start':<40}{head}"
        whole = new_histogram()
        for one in self.latencies.values():
            whole.add(one)
        by_time = sorted(self.latencies, key=lambda name: -_at(self.latencies[name], 50.0))
        for name in by_time:
            yield _line(name, self.latencies[name])
        yield _line("all", whole)


def _line(name: str, one: HdrHistogram) -> str:
    shown = "".join(f"{_at(one, percentile):9.1f}" for percentile in _PERCENTILES)
    return f"{name:<40}{one.total_count:9}{shown}{one.get_max_value() / 1000:9.1f}"


def _at(one: HdrHistogram, percentile: float) -> float:
    return float(one.get_value_at_percentile(percentile)) / 1000
