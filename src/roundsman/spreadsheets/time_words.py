"""Words around times of day in German, French, Spanish and Dutch, told in English.

A row whose window is not understood is left out, so what people write beside `9:00-12:00` is read
in the languages in which headers are.
"""

import re

_IN_ENGLISH = {
    "from": "von, ab, de, du, dès, à partir de, a partir de, a partir de las, de las, desde"
    ", desde las, vanaf, van",
    "to": "bis, bis um, jusqu'à, jusqu\u2019à, hasta, hasta las, tot",
    "between": "zwischen, entre, entre las, tussen",
    "after": "nach, frühestens, au plus tôt, après, apres, después de, después de las, despues de"
    ", despues de las, na",
    "before": "vor, spätestens, au plus tard, avant, antes de, antes de las, voor, uiterlijk",
    "and": "und, oder, et, ou, y, y las, o, en, of",
    "noon": "mittag, mittags, midi, mediodía, mediodia, middag",
    "midnight": "mitternacht, minuit, medianoche, middernacht",
    "hrs": "heures, heure, horas, hora, uur",
    "any": "immer, egal, jederzeit, ganztägig, toujours, toute la journée, todo el día, altijd"
    ", hele dag",
}
_WORDS = {word: english for english, words in _IN_ENGLISH.items() for word in words.split(", ")}

# The longest first, and not the `o` of an `o'clock`.
_ANY_WORD = "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True))
_WORD = re.compile(rf"\b(?:{_ANY_WORD})(?![\w'\u2019])")

# Behind a time these mean "to"; alone they mean "at", which is no window.
_TO_BEHIND_A_TIME = re.compile(r"(?<=[\dhnst])\s+(?:à|au|a las|a)\s+(?=\d|noon|midnight)")


def in_english(text: str) -> str:
    """Return a text without capitals, in which these words are English."""
    return _TO_BEHIND_A_TIME.sub(" to ", _WORD.sub(lambda found: _WORDS[found[0]], text))
