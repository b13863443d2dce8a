"""The streets of an extract with their doors.

Ways and addresses of one name in one town are one street. Objects that repeat a door (every shop of
a building has its address) become one door. Between the ends of a mapped row the missing doors are
set at even distances.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from roundsman.geocoding.distances import along, meters_between, meters_from
from roundsman.geocoding.extract_localities import Surroundings, Town, Towns, is_city
from roundsman.geocoding.extract_reader import (
    ExtractContents,
    Points,
    TaggedAddress,
    TaggedInterpolation,
)
from roundsman.geocoding.house_numbers import HouseNumber, parse_house_numbers
from roundsman.geocoding.street_names import street_name

_ONE_DOOR_METERS = 150
_CORNER = 0.05
_STEPS = {"even": 2, "odd": 2, "all": 1}


@dataclass(frozen=True, kw_only=True, slots=True)
class StreetDoor:
    """One house number of a street; `counted` when it was set between two mapped ones."""

    number: HouseNumber
    postcode: str
    longitude: float
    latitude: float
    counted: bool = False


@dataclass(kw_only=True, slots=True)
class Street:
    """A street of one town."""

    town: Town | None
    names: Counter[str] = field(default_factory=Counter)
    other_names: set[str] = field(default_factory=set)
    lines: list[Points] = field(default_factory=list)
    doors: list[StreetDoor] = field(default_factory=list)

    def name(self) -> str:
        """Return the name in its most frequent spelling."""
        return self.names.most_common(1)[0][0]

    def middle(self) -> tuple[float, float]:
        """Return a point on the street, or among its doors, that is near its middle."""
        points = np.concatenate(self.lines) if self.lines else self._door_points()
        centre = (points.min(axis=0) + points.max(axis=0)) / 2
        nearest = points[int(meters_from((float(centre[0]), float(centre[1])), points).argmin())]
        return float(nearest[0]), float(nearest[1])

    def postcodes(self) -> Counter[str]:
        """Return the postal codes of the doors."""
        return Counter(door.postcode for door in self.doors if door.postcode)

    def _door_points(self) -> Points:
        return np.array([(door.longitude, door.latitude) for door in self.doors])


type Streets = dict[tuple[str, object], Street]


def collect_streets(
    contents: ExtractContents, towns: Towns, surroundings: Surroundings
) -> list[Street]:
    """Return every street that has a name, with its doors in order."""
    streets: Streets = {}
    _take_addresses(contents.addresses, towns, surroundings, streets)
    _take_interpolations(contents.interpolations, towns, surroundings, streets)
    _take_ways(contents, surroundings, streets)
    for street in streets.values():
        street.doors = list(_unrepeated(street.doors))
    return [street for street in streets.values() if street.lines or street.doors]


def _street(streets: Streets, name: str, town: Town | None, point: tuple[float, float]) -> Street:
    """Return the street of that name in that town; without a town, in that corner of the map."""
    home = town.id if town else (int(point[0] // _CORNER), int(point[1] // _CORNER))
    key = (street_name(name).compact(), home)
    street = streets.get(key) or streets.setdefault(key, Street(town=town))
    street.names[name] += 1
    return street


def _take_addresses(
    addresses: Sequence[TaggedAddress],
    towns: Towns,
    surroundings: Surroundings,
    streets: Streets,
) -> None:
    belonging = _towns_of(addresses, towns, surroundings)
    uncoded = [address for address in addresses if not address.postcode]
    codes = iter(surroundings.codes_of(_points(uncoded)) if uncoded else ())
    for address, town in zip(addresses, belonging, strict=True):
        code = address.postcode or next(codes)
        name = address.street or (town.names[0] if town else "")
        if not street_name(name).key:
            continue
        street = _street(streets, name, town, (address.longitude, address.latitude))
        for number in parse_house_numbers(address.number):
            street.doors.append(
                StreetDoor(
                    number=number,
                    postcode=code,
                    longitude=address.longitude,
                    latitude=address.latitude,
                )
            )


def _towns_of(
    addresses: Sequence[TaggedAddress], towns: Towns, surroundings: Surroundings
) -> list[Town | None]:
    homeless = [address for address in addresses if not is_city(address.city)]
    found = iter(surroundings.towns_of(_points(homeless)) if homeless else ())
    return [
        towns.obtain([address.city], "addresses", (address.longitude, address.latitude))
        if is_city(address.city)
        else next(found)
        for address in addresses
    ]


def _take_interpolations(
    rows: Sequence[TaggedInterpolation],
    towns: Towns,
    surroundings: Surroundings,
    streets: Streets,
) -> None:
    for row in rows:
        named = next((address for _, address in row.doors if address.street), None)
        if named is None or row.kind not in _STEPS:
            continue
        (town,) = _towns_of([named], towns, surroundings)
        street = _street(streets, named.street, town, (named.longitude, named.latitude))
        for (start, one), (end, other) in zip(row.doors, row.doors[1:], strict=False):
            line = row.points[start : end + 1]
            street.doors += _counted(one, other, line, _STEPS[row.kind])


def _counted(
    one: TaggedAddress, other: TaggedAddress, line: Points, step: int
) -> Iterator[StreetDoor]:
    ends = [parse_house_numbers(address.number)[:1] for address in (one, other)]
    if not all(ends):
        return
    first, last = ends[0][0].number, ends[1][0].number
    step = step if last > first else -step
    for number in range(first + step, last, step):
        longitude, latitude = along(line, (number - first) / (last - first))
        yield StreetDoor(
            number=HouseNumber(number),
            postcode=one.postcode or other.postcode,
            longitude=longitude,
            latitude=latitude,
            counted=True,
        )


def _take_ways(
    contents: ExtractContents,
    surroundings: Surroundings,
    streets: Streets,
) -> None:
    named = [way for way in contents.streets if street_name(way.names[0]).key]
    if not named:
        return
    middles = np.array([way.points[len(way.points) // 2] for way in named])
    towns = surroundings.towns_of(middles)
    for way, town, middle in zip(named, towns, middles.tolist(), strict=True):
        street = _street(streets, way.names[0], town, (middle[0], middle[1]))
        street.other_names.update(way.names[1:])
        street.lines.append(way.points)


def _unrepeated(doors: Sequence[StreetDoor]) -> Iterator[StreetDoor]:
    """Return each door once, or twice where one number exists at two points."""
    by_number: dict[HouseNumber, list[StreetDoor]] = defaultdict(list)
    for door in doors:
        by_number[door.number].append(door)
    for _, same in sorted(by_number.items()):
        mapped = [door for door in same if not door.counted] or same
        while mapped:
            near = [door for door in mapped if _apart(mapped[0], door) <= _ONE_DOOR_METERS]
            mapped = [door for door in mapped if _apart(mapped[0], door) > _ONE_DOOR_METERS]
            yield _most_central(near)


def _most_central(doors: Sequence[StreetDoor]) -> StreetDoor:
    return min(doors, key=lambda door: sum(_apart(door, other) for other in doors))


def _apart(one: StreetDoor, other: StreetDoor) -> float:
    return meters_between((one.longitude, one.latitude), (other.longitude, other.latitude))


def _points(addresses: Sequence[TaggedAddress]) -> Points:
    return np.array([(address.longitude, address.latitude) for address in addresses])
