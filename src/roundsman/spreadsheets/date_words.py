"""The names of months and weekdays in the eight languages of the console, and their short forms.

Names are compared folded: without case, accents and full stops.
"""

import unicodedata

_MONTHS = (
    (
        "january, jan, januar, jänner, janvier, janv, enero, ene, gennaio, gen, januari, styczeń"
        ", stycznia, sty, janeiro"
    ),
    (
        "february, feb, februar, feber, février, févr, fév, febrero, febbraio, febbr, februari"
        ", luty, lutego, lut, fevereiro, fev"
    ),
    "march, mar, märz, maerz, mär, mrz, mars, marzo, maart, mrt, marzec, marca, março",
    "april, apr, avril, avr, abril, abr, aprile, kwiecień, kwietnia, kwi",
    "may, mai, mayo, maggio, mag, mei, maj, maja, maio",
    "june, jun, juni, juin, junio, giugno, giu, czerwiec, czerwca, cze, junho",
    "july, jul, juli, juillet, juil, julio, luglio, lug, lipiec, lipca, lip, julho",
    "august, aug, août, agosto, ago, augustus, sierpień, sierpnia, sie",
    (
        "september, sep, sept, septembre, septiembre, setiembre, settembre, sett, set, wrzesień"
        ", września, wrz, setembro"
    ),
    (
        "october, oct, oktober, okt, octobre, octubre, ottobre, ott, październik, października, paź"
        ", outubro, out"
    ),
    "november, nov, novembre, noviembre, listopad, listopada, lis, novembro",
    (
        "december, dec, dezember, dez, décembre, déc, diciembre, dic, dicembre, grudzień, grudnia"
        ", gru, dezembro"
    ),
)
_WEEKDAYS = (
    "monday, mon, tuesday, tues, tue, wednesday, wed, thursday, thurs, thur, thu, friday, fri"
    ", saturday, sat, sunday, sun"
    ", montag, mo, dienstag, di, mittwoch, mi, donnerstag, do, freitag, fr, samstag, sonnabend, sa"
    ", sonntag, so"
    ", lundi, lun, mardi, mar, mercredi, mer, jeudi, jeu, vendredi, ven, samedi, sam, dimanche, dim"
    ", lunes, martes, miércoles, mié, jueves, jue, viernes, vie, sábado, sáb, domingo, dom"
    ", lunedì, martedì, mercoledì, giovedì, gio, venerdì, sabato, sab, domenica"
    ", maandag, ma, dinsdag, woensdag, wo, donderdag, vrijdag, vr, zaterdag, za, zondag, zo"
    ", poniedziałek, pon, pn, wtorek, wt, środa, śr, czwartek, czw, piątek, pt, sobota, sob"
    ", niedziela, niedz, nd, ndz"
    ", segunda, segunda-feira, seg, terça, terça-feira, ter, quarta, quarta-feira, qua, quinta"
    ", quinta-feira, qui, sexta, sexta-feira, sex"
)


def _fold(name: str) -> str:
    # The Polish letter is the only one of these that no accent makes.
    plain = unicodedata.normalize("NFKD", name.casefold().replace("ł", "l"))
    return "".join(letter for letter in plain if letter.isalpha())


_MONTH_OF = {
    _fold(name): month for month, names in enumerate(_MONTHS, 1) for name in names.split(", ")
}
_WEEKDAY_NAMES = frozenset(map(_fold, _WEEKDAYS.split(", ")))


def month_of(name: str) -> int | None:
    """Return the number of a month, or None for a word that is no month's name."""
    return _MONTH_OF.get(_fold(name))


def is_weekday(name: str) -> bool:
    """Say whether a word names a day of the week."""
    return _fold(name) in _WEEKDAY_NAMES
