"""A small town, written as an OpenStreetMap extract: two villages and a handful of streets.

Vaduz is a real place; everything else here is invented around it. Streets run west to east, with
a door every hundred and fifty metres or so.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

import osmium
from osmium.osm.mutable import Node, Relation, Way

VADUZ = (9.52, 47.14)
OBERDORF = (9.60, 47.20)
STEP = 0.002

type Point = tuple[float, float]


class TownPlan:
    """Collects what is there; `write` puts it into a file."""

    def __init__(self) -> None:
        self._ids = count(1)
        self._nodes: list[Node] = []
        self._ways: list[Way] = []
        self._relations: list[Relation] = []

    def node(self, point: Point, tags: Mapping[str, str] | None = None) -> int:
        number = next(self._ids)
        self._nodes.append(Node(id=number, location=point, tags=dict(tags or {}), version=1))
        return number

    def way(self, points: Sequence[Point], tags: Mapping[str, str], *, close: bool = False) -> int:
        nodes = [self.node(point) for point in points]
        return self.way_of(nodes + nodes[:1] if close else nodes, tags)

    def way_of(self, nodes: Sequence[int], tags: Mapping[str, str]) -> int:
        number = next(self._ids)
        self._ways.append(Way(id=number, nodes=list(nodes), tags=dict(tags), version=1))
        return number

    def boundary(self, corners: Sequence[Point], name: str) -> None:
        ring = self.way(corners, {}, close=True)
        tags = {"type": "boundary", "boundary": "administrative", "admin_level": "8", "name": name}
        number = next(self._ids)
        members = [("w", ring, "outer")]
        self._relations.append(Relation(id=number, members=members, tags=tags, version=1))

    def door(self, point: Point, number: str, street: str, **tags: str) -> int:
        """Place a door; a further tag `city` becomes `addr:city`."""
        more = {f"addr:{key}": value for key, value in tags.items()}
        return self.node(point, {"addr:housenumber": number, "addr:street": street, **more})

    def write(self, path: Path, *, sorted_by_kind: bool = True) -> Path:
        things = [*self._nodes, *self._ways, *self._relations]
        with osmium.SimpleWriter(str(path)) as writer:
            for thing in things if sorted_by_kind else reversed(things):
                writer.add(thing)
        return path


def small_town() -> TownPlan:
    """Return the town that most tests use."""
    plan = TownPlan()
    x, y = VADUZ
    plan.node(VADUZ, {"place": "village", "name": "Vaduz", "population": "5000"})
    plan.node(OBERDORF, {"place": "village", "name": "Oberdorf", "name:fr": "Haut-Village"})
    plan.boundary(
        [(x - 0.03, y - 0.03), (x + 0.03, y - 0.03), (x + 0.03, y + 0.03), (x - 0.03, y + 0.03)],
        "Vaduz",
    )  # fmt: skip -- a box
    _long_street(plan)
    plan.door((x, y + 0.005), "4;6", "Im Rösle", city="Vaduz", postcode="9490", country="LI")
    plan.door((x, y + 0.006), "8-12", "Im Rösle", city="Vaduz", postcode="9490")
    plan.door((x, y + 0.007), "14a", "Im Rösle", city="Vaduz", postcode="9490")
    plan.door((x + 0.002, y - 0.005), "21", "Saint Paul Street", city="Vaduz", postcode="9490")
    plan.door((x - 0.002, y - 0.005), "30", "North Park Avenue", city="Vaduz", postcode="9490")
    plan.door((x - 0.002, y - 0.008), "30", "South Park Avenue", city="Vaduz", postcode="9490")
    plan.node(
        (x, y + 0.012), {"addr:housenumber": "3", "addr:place": "Mühleholz", "addr:city": "Vaduz"}
    )  # fmt: skip -- one object
    corner = 0.0002
    plan.way(
        [(x, y - 0.012), (x + corner, y - 0.012), (x + corner, y - 0.012 + corner)],
        {
            "building": "yes",
            "addr:housenumber": "1",
            "addr:street": "Turmweg",
            "addr:city": "Vaduz",
        },
        close=True,
    )  # fmt: skip -- one object
    _interpolated_row(plan)
    _second_village(plan)
    return plan


def _long_street(plan: TownPlan) -> None:
    """Hauptstrasse: even numbers 2, 4, 10 on its north side, 1 and 3 on its south; no city."""
    x, y = VADUZ
    plan.way(
        [(x + step * STEP, y) for step in range(8)],
        {"highway": "residential", "name": "Hauptstrasse"},
    )  # fmt: skip -- one object
    for number, along in (("2", 0), ("4", 1), ("10", 4)):
        plan.door((x + along * STEP, y + 0.0002), number, "Hauptstrasse")
    for number, along in (("1", 0), ("3", 1)):
        plan.door((x + along * STEP, y - 0.0002), number, "Hauptstrasse")
    for shop in range(3):
        plan.door((x + 0.00001 * shop, y + 0.0002), "2", "Hauptstrasse", city="Vaduz")


def _interpolated_row(plan: TownPlan) -> None:
    """Reihenweg 20 to 28, of which the ends are mapped."""
    x, y = VADUZ
    first = plan.door((x, y + 0.015), "20", "Reihenweg", city="Vaduz")
    last = plan.door((x + 0.004, y + 0.015), "28", "Reihenweg", city="Vaduz")
    plan.way_of([first, last], {"addr:interpolation": "even"})


def _second_village(plan: TownPlan) -> None:
    x, y = OBERDORF
    plan.door((x, y), "2", "Hauptstrasse", city="Oberdorf", postcode="9499", country="LI")
    plan.door((x, y + 0.001), "5", "Bergweg", city="Oberdorf", postcode="9499", country="LI")
    plan.way(
        [(x, y), (x + STEP, y)],
        {"highway": "residential", "name": "Kirchgasse", "alt_name": "Pfarrweg"},
    )  # fmt: skip -- one object
