"""Translates words around times of day from German, French, Spanish and Dutch to English.

A window that is not understood is lost, so the words beside `9:00-12:00` are read in the same
languages as headers.
"""

import re

_IN_ENGLISH = {
    "from": (
        "nicht vor, pas avant, no antes de, no antes de las, niet voor, von, ab, de, du, dès"
        ", à partir de, a partir de, a partir de las, de las, desde, desde las, vanaf, van"
    ),
    "to": "bis, bis um, jusqu'à, jusqu\u2019à, hasta, hasta las, tot",
    "between": "zwischen, entre, entre las, tussen",
    "after": (
        "nach, frühestens, au plus tôt, après, apres, después de, después de las, despues de"
        ", despues de las, na"
    ),
    "before": "vor, spätestens, au plus tard, avant, antes de, antes de las, voor, uiterlijk",
    "and": "u., und, oder, et, ou, y, y las, o, en, of",
    "noon": "mittag, mittags, midi, mediodía, mediodia",
    "morning": (
        "vormittag, vormittags, früh, morgens, matin, matinée, mañana, por la mañana, ochtend"
        ", ochtends, voormiddag"
    ),
    "afternoon": (
        "nachmittag, nachmittags, après-midi, apres-midi, tarde, por la tarde, middag"
        ", middags, namiddag"
    ),
    "evening": "abend, abends, soir, soirée, noche, por la noche, avond, avonds",
    "midnight": "mitternacht, minuit, medianoche, middernacht",
    "hrs": "heures, heure, horas, hora, uur",
    "any": (
        "journée, en journée, durchgehend, rund um die uhr, immer, egal, jederzeit, ganztägig"
        ", toujours, toute la journée, todo el día, altijd, hele dag"
    ),
}
_WORDS = {word: english for english, words in _IN_ENGLISH.items() for word in words.split(", ")}

# The longest first, and not the `o` of an `o'clock`.
_ANY_WORD = "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True))
_WORD = re.compile(rf"\b(?:{_ANY_WORD})(?![\w'\u2019])")

# Behind a time these mean "to"; alone they mean "at".
_TO_BEHIND_A_TIME = re.compile(r"(?<=[\dhnst])\s+(?:à|au|a las|a)\s+(?=\d|noon|midnight)")


_HALVES = {
    "am": "in the morning, morgens, du matin, de la mañana, 's ochtends",
    "pm": "in the afternoon, in the evening, at night, nachmittags, abends, de l'après-midi"
    ", du soir, de la tarde, de la noche, 's middags, 's avonds",
}
_HALF_BEHIND_A_TIME = {
    # Not behind 12, which is noon in the morning's words and midnight in the clock's.
    half: re.compile(rf"(?<=\d)(?<!\b12)\s*(?:uhr|uur|h)?\s+(?:{'|'.join(words.split(', '))})\b")
    for half, words in _HALVES.items()
}

_AT_ONCE_WORDS = (
    "asap; a.s.a.p.; a.s.a.p; as soon as possible; now; urgent; sofort; eilig; dringend"
    "; schnellstmöglich; baldmöglichst; so schnell wie möglich; so bald wie möglich"
    "; dès que possible; au plus vite; le plus tôt possible; lo antes posible; cuanto antes"
    "; zsm; z.s.m.; z.s.m; zo snel mogelijk; zo spoedig mogelijk; spoed"
)
AT_ONCE = frozenset(_AT_ONCE_WORDS.split("; "))
"""Wishes such as `as soon as possible` say nothing of the hours."""


def in_english(text: str) -> str:
    """Return a text without capitals, in which these words are English."""
    for half, words in _HALF_BEHIND_A_TIME.items():
        text = words.sub(half, text)
    return _TO_BEHIND_A_TIME.sub(" to ", _WORD.sub(lambda found: _WORDS[found[0]], text))
