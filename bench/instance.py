"""One benchmark instance: a problem, its group and, where published, the best value known."""

from dataclasses import dataclass

from roundsman.planning import Problem


@dataclass(frozen=True, kw_only=True)
class Instance:
    """A named problem; `scale` of its units of travel make one of the published value."""

    name: str
    group: str
    problem: Problem
    best_known: float | None = None
    scale: int = 1

    @property
    def known_travel(self) -> int | None:
        """Return the best known travel in the problem's units."""
        return None if self.best_known is None else round(self.best_known * self.scale)
