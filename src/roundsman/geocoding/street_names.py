"""Normalizes names of streets for comparison: no case, no accents, abbreviations written out.

Both the names on the map and those that people write are normalized. An abbreviation need not
become the local word, as long as both sides become the same one.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_DROPPED = re.compile("[\u0300-\u036f'\"`\u2018\u2019\u02b0-\u02ff]+")
_SEPARATORS = re.compile(r"[\W_]+")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "\u0131": "i"})
_DIGRAPHS = (("æ", "a"), ("œ", "o"), ("ae", "a"), ("oe", "o"), ("ue", "u"))
"""Umlauts are written with an e where a keyboard has none; comparison drops that e on both sides.
"""

_CUT_SHORT = (
    (re.compile(r"\bhpt(?=str)"), "haupt"),
    (re.compile(r"\bbhf(?=str)"), "bahnhof"),
    (re.compile(r"(\w{2,})str\b\.?"), r"\1strasse"),
    (re.compile(r"(\w{3,})pl\."), r"\1platz"),
    (re.compile(r"(\w{3,})k\."), r"\1katu"),
    (re.compile(r"(\w{3,}[aeiouyn])t\."), r"\1tie"),
)
"""Abbreviated parts of compound names; endings by their full stop (`str` also without)."""

_DIRECTIONS = {
    "n": "north",
    "s": "south",
    "e": "east",
    "w": "west",
    "ne": "northeast",
    "nw": "northwest",
    "se": "southeast",
    "sw": "southwest",
}  # fmt: skip -- one table, one glance
# The digraphs are gone from these words too: an avenue is an `avenu`, a rue a `ru`.
_TYPES = {
    "str": "strasse",
    "street": "street",
    "strasse": "strasse",
    "av": "avenu",
    "ave": "avenu",
    "aven": "avenu",
    "avenu": "avenu",
    "avda": "avenida",
    "avenida": "avenida",
    "rd": "road",
    "road": "road",
    "blvd": "boulevard",
    "bd": "boulevard",
    "boul": "boulevard",
    "boulevard": "boulevard",
    "dr": "drive",
    "drive": "drive",
    "ln": "lane",
    "lane": "lane",
    "ct": "court",
    "court": "court",
    "pl": "place",
    "place": "place",
    "plz": "plaza",
    "plaza": "plaza",
    "sq": "square",
    "square": "square",
    "hwy": "highway",
    "highway": "highway",
    "pkwy": "parkway",
    "parkway": "parkway",
    "ter": "terrace",
    "terr": "terrace",
    "terrace": "terrace",
    "cir": "circle",
    "circle": "circle",
    "aly": "alley",
    "alley": "alley",
    "trl": "trail",
    "trail": "trail",
    "way": "way",
    "row": "row",
    "ru": "ru",
    "ch": "chemin",
    "chemin": "chemin",
    "all": "allee",
    "allee": "allee",
    "imp": "impasse",
    "impasse": "impasse",
    "via": "via",
    "vle": "viale",
    "viale": "viale",
    "pza": "piazza",
    "piazza": "piazza",
    "calle": "calle",
    "weg": "weg",
    "gasse": "gasse",
    "platz": "platz",
    "straat": "straat",
    "laan": "laan",
    "ulica": "ulica",
    "ul": "ulica",
    "gatan": "gatan",
    "vagen": "vagen",
}  # fmt: skip -- as above
_ELSE = {
    "mt": "mount",
    "ft": "fort",
    "ste": "sainte",
    "jr": "junior",
    "pres": "president",
    "gen": "general",
    "prof": "professor",
}  # fmt: skip -- as above
_ENDINGS = re.compile(r"(?<=\w\w)(strasse|gasse|gass|weg|platz|katu|tie|gatan|vagen|straat|laan)$")

_SHORT = {"strasse": "str", "street": "st", "avenu": "ave", "road": "rd", "boulevard": "blvd"}
_ENDINGS_CUT = re.compile("(" + "|".join(_SHORT) + r")\b")


@dataclass(frozen=True, slots=True)
class StreetName:
    """One name in the forms it is compared by.

    `key` has its words written out; `core` is what is left without directions and kinds of street.
    """

    key: str
    core: str
    directions: frozenset[str]
    types: frozenset[str]
    shortened: str
    """The key with its kind of street abbreviated, for misspellings of the short form."""

    def compact(self) -> str:
        """Return the key without spaces: some write a compound apart, some together."""
        return self.key.replace(" ", "")

    def stem(self) -> str:
        """Return the part of the name that distinguishes it from other streets of its kind."""
        return _ENDINGS.sub("", self.core)


def fold_words(text: str) -> str:
    """Return words without case, accents and punctuation; umlauts and digraphs become one."""
    text = unicodedata.normalize("NFKD", text).casefold()
    text = _DROPPED.sub("", text).translate(_LETTERS)
    for written, meant in _DIGRAPHS:
        text = text.replace(written, meant)
    return _SEPARATORS.sub(" ", text).strip()


def fold_code(code: str) -> str:
    """Return a normalized postal code: `SW1A 2AA` and `sw1a2aa` are equal."""
    return fold_words(code).replace(" ", "")


@lru_cache(maxsize=20_000)
def street_name(text: str) -> StreetName:
    """Return the forms in which a street's name is compared."""
    text = _DROPPED.sub("", unicodedata.normalize("NFKD", text).casefold())
    for cut, whole in _CUT_SHORT:
        text = cut.sub(whole, text)
    words = fold_words(text).split()
    written = [_written_out(words, place) for place in range(len(words))]
    directions = frozenset(word for word in written if word in _DIRECTIONS.values())
    types = frozenset(word for word in written if word in _TYPES.values())
    core = [word for word in written if word not in directions and word not in types]
    key = " ".join(written)
    return StreetName(
        key=key,
        core=" ".join(core or written),
        directions=directions if core else frozenset(),
        types=types if core else frozenset(),
        shortened=_ENDINGS_CUT.sub(lambda ending: _SHORT[ending[0]], key).replace(" ", ""),
    )


def _written_out(words: list[str], place: int) -> str:
    """Return a word in full; `st` begins a saint and ends a street."""
    word = words[place]
    if len(words) == 1:
        return word
    if word == "st":
        rest = words[place + 1 :]
        is_street = place > 0 and all(other in _DIRECTIONS or len(other) == 1 for other in rest)
        return "street" if is_street else "saint"
    if word in _DIRECTIONS:
        return _DIRECTIONS[word]
    return _ELSE.get(word) or (_TYPES.get(word, word) if place or word in _FIRST_TOO else word)


_FIRST_TOO = frozenset({"av", "avda", "bd", "ch", "imp", "pza", "ul", "ru", "via", "vle"})
"""Kinds of street that stand in front of the name."""
