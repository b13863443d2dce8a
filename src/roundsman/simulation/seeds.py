"""Draws that a seed repeats."""

import random


def seeded(seed: str) -> random.Random:
    """Return a source of draws: the same ones for the same seed, on every machine."""
    return random.Random(seed)  # noqa: S311 -- nothing secret is drawn here
