"""Write the names of countries in the languages of the console, from CLDR as Node.js holds it.

Run it with `python scripts/country_names.py` to renew `geocoding/country_names.txt`. English names
come with the gazetteer. A name that is a larger town's as well is marked with `*`; one that is
rather that of a town or a province is left out.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

from roundsman.geocoding.bundled_data import index_bundled_data
from roundsman.geocoding.countries import english_country_codes, is_its_own_city
from roundsman.geocoding.localities import Localities
from roundsman.geocoding.normalization import fold

FILE = Path(__file__).parents[1] / "src/roundsman/geocoding/country_names.txt"
_LANGUAGES = ("de", "fr", "es", "it", "nl", "pl", "pt", "pt-PT")
_ALSO_WRITTEN = {
    "GB": "Angleterre / Inglaterra / Inghilterra / Engeland / Anglia / Schottland / Écosse"
    " / Escocia / Scozia / Schotland / Szkocja / Escócia",
    "NL": "Hollande / Holanda / Olanda",
}
_RATHER_OTHERS = re.compile(r"(saint|sainte|san|santa|santo|sao|sant) .*|grenade|granada|guadalupe")
_RATHER_TOWNS = frozenset({"curazao", "norfolk", "salvador"})
_A_WORD = frozenset({"island"})
"""Marked like a town's name: a line without commas may end with `Hong Kong Island`."""

_SHORTEST = 4
_LARGER_TOWN = 5_000
_NAMES = """
const names = [];
for (const language of process.argv.slice(1)) for (const style of ["long", "short"]) {
  const regions = new Intl.DisplayNames([language], {type: "region", style, fallback: "none"});
  for (let one = 65; one < 91; one++) for (let other = 65; other < 91; other++) {
    const code = String.fromCharCode(one, other);
    const name = regions.of(code);
    if (name) names.push([code, name]);
  }
}
console.log(JSON.stringify(names));
"""


def is_of_a_larger_town(localities: Localities, name: str, country: str) -> bool:
    """Say whether a name is that of a town which is not the country's own city."""
    places = sorted(localities.named(name), key=lambda place: -place.population)
    own = bool(places) and places[0].country == country and is_its_own_city(name)
    return not own and any(place.population >= _LARGER_TOWN for place in places)


def _main() -> None:
    node = shutil.which("node") or "node"
    command = [node, "-e", _NAMES, *_LANGUAGES]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 -- our own script
    localities = Localities(index_bundled_data())
    english = english_country_codes()
    found: dict[str, dict[str, str]] = {}
    also = [[code, name] for code, names in _ALSO_WRITTEN.items() for name in names.split(" / ")]
    for code, name in [*json.loads(printed), *also]:
        folded = fold(name)
        is_left_out = _RATHER_OTHERS.fullmatch(folded) or folded in _RATHER_TOWNS
        if code not in english.values() or folded in english or is_left_out:
            continue
        if len(folded) >= _SHORTEST:
            is_marked = folded in _A_WORD or is_of_a_larger_town(localities, name, code)
            mark = "*" if is_marked else ""
            found.setdefault(code, {}).setdefault(folded, f"{name}{mark}")
    lines = [f"{code} {' / '.join(names.values())}\n" for code, names in sorted(found.items())]
    FILE.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    _main()
