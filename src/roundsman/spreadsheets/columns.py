"""Which column means what, however its header is written.

Headers are compared without case, accents, spaces, underscores, hyphens and brackets, so
`Time Window(s)`, `time_windows` and `timeWindows` are one name.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Field(StrEnum):
    """What a column can say of a stop; the value is the name it goes by in messages."""

    NAME = "name"
    ADDRESS = "address"
    ADDRESS1 = "address1"
    HOUSE_NUMBER = "house number"
    ADDRESS2 = "address2"
    CITY = "city"
    PROVINCE = "provinceCode"
    ZIP = "zip"
    COUNTRY = "countryCode"
    LATITUDE = "latitude"
    LONGITUDE = "longitude"
    COORDINATES = "coordinates"
    TIME_WINDOWS = "timeWindows"
    WINDOW_START = "window start"
    WINDOW_END = "window end"
    DURATION = "duration"
    DURATION_SECONDS = "duration in seconds"
    PRIORITY = "priority"
    QUANTITY = "quantity"
    GRAMS = "grams"
    KILOGRAMS = "kilograms"
    WEIGHT = "weight"
    PHONE = "phone"
    EMAIL = "email"
    NOTE = "note"
    CLIENT_STOP_ID = "clientStopId"
    DELIVERY_DATE = "deliveryDate"


_WRITTEN: Mapping[Field, str] = {
    Field.NAME: "name, order name, order, order number, order no, order id, customer, customer name"
    ", client, recipient, recipient name, consignee, company, stop, stop name, title, contact"
    ", contact name, full name"
    ", kunde, kundenname, empfänger, firma, nom, nom du client, destinataire, société, entreprise"
    ", nombre, cliente, destinatario, empresa, naam, klant, klantnaam, ontvanger, bedrijf",
    Field.ADDRESS: "address, full address, delivery address, shipping address, location"
    ", adresse, anschrift, lieferadresse, adresse de livraison, adresse complète, dirección"
    ", dirección de entrega, domicilio, adres, afleveradres, bezorgadres",
    Field.ADDRESS1: "address1, address line 1, addressline1, street, street address, street name"
    ", straße, strassenname, straße und hausnummer, straße hausnummer, straße nr"
    ", rue, nom de rue, voie, calle, straat, straatnaam",
    # A mere "number" is as often an order's as a house's, so it is taken for neither.
    Field.HOUSE_NUMBER: "house number, house no, street number, street no, hausnummer, hausnr"
    ", numéro de rue, numéro de voie, número de calle, número de casa, huisnummer, huisnr",
    Field.ADDRESS2: "address2, address line 2, apartment, apt, suite, unit, floor",
    Field.CITY: "city, town, locality, place, suburb, municipality"
    ", ort, stadt, wohnort, gemeinde, ville, commune, localité, ciudad, localidad, población"
    ", municipio, plaats, woonplaats, plaatsnaam, gemeente",
    Field.PROVINCE: "province, province code, state, state code, region, county"
    ", bundesland, kanton, canton, provincia, provincie",
    Field.ZIP: "zip, zip code, postcode, post code, postal code, postal, plz, cap, cp"
    ", postleitzahl, code postal, código postal",
    Field.COUNTRY: "country, country code, country name, nation"
    ", land, pays, país, länderkürzel, ländercode, landcode, code pays, código de país",
    Field.LATITUDE: "latitude, lat, y, gps lat, gps latitude, breitengrad, latitud, breedtegraad",
    Field.LONGITUDE: "longitude, lon, lng, long, x, gps lon, gps lng, gps longitude, längengrad"
    ", longitud, lengtegraad",
    Field.COORDINATES: "coordinates, coordinate, lat lon, lat lng, latlong, gps, position"
    ", latitude longitude",
    Field.TIME_WINDOWS: "time windows, time window, windows, window, hours, opening hours, open"
    ", delivery window, delivery windows, time slot, slot, delivery time"
    ", zeitfenster, lieferfenster, lieferzeitfenster, öffnungszeiten, créneau"
    ", créneau horaire, créneaux, plage horaire, fenêtre horaire, horaire, horaires"
    ", ventana horaria, franja horaria, horario, tijdvenster, tijdvak, tijdslot, openingstijden",
    Field.WINDOW_START: "window start, time window start, start time, from, earliest, earliest time"
    ", open from, opens, not before, ready time"
    ", von, frühestens, fenster von, zeitfenster von, lieferung ab, au plus tôt, heure début"
    ", heure de début, desde, hora inicio, hora de inicio, vanaf, begintijd, starttijd",
    Field.WINDOW_END: "window end, time window end, end time, to, until, latest, latest time"
    ", open until, closes, not after, due time"
    ", bis, spätestens, fenster bis, zeitfenster bis, lieferung bis, au plus tard, heure fin"
    ", heure de fin, jusqu'à, hasta, hora fin, hora de fin, tot, eindtijd, uiterlijk",
    Field.DURATION: "duration, service time, service duration, service, minutes, mins, min"
    ", duration min, duration mins, duration minutes, duration in minutes, service minutes"
    ", service time min, service time minutes, stop duration, time at stop, unloading time"
    ", dauer, dauer min, dauer minuten, aufenthaltsdauer, servicezeit, standzeit, entladezeit"
    ", minuten, durée, durée min, durée minutes, temps de service, duración, duración min"
    ", duración minutos, tiempo de servicio, minutos, duur, duur min, duur minuten, servicetijd"
    ", lostijd",
    Field.DURATION_SECONDS: "duration s, duration sec, duration seconds, duration in seconds"
    ", service seconds, service time s, service time sec, service time seconds, seconds",
    Field.PRIORITY: "priority, prio, priorität, priorité, prioridad, prioriteit",
    Field.QUANTITY: "quantity, qty, items, item count, pieces, packages, parcels, units, boxes"
    ", menge, anzahl, stück, stückzahl, pakete, quantité, qté, nombre de colis, nb colis, cantidad"
    ", paquetes, bultos, aantal, pakketten",
    Field.GRAMS: "grams, gram, g, weight g, weight gram, weight grams, weight in grams",
    Field.KILOGRAMS: "kilograms, kilogram, kg, kgs, weight kg, weight kgs, weight kilograms"
    ", weight in kg, gewicht kg, gewicht in kg, poids kg, poids en kg, peso kg, peso en kg",
    Field.WEIGHT: "weight",
    Field.PHONE: "phone, phone number, telephone, tel, mobile, cell, contact phone"
    ", telefon, telefonnummer, handy, handynummer, mobil, mobilnummer, téléphone"
    ", numéro de téléphone, teléfono, móvil, telefoon, telefoonnummer",
    Field.EMAIL: "email, e mail, email address, mail, contact email"
    ", e mail adresse, courriel, adresse e mail, correo, correo electrónico, e mailadres",
    Field.NOTE: "note, notes, instructions, delivery instructions, delivery notes, comment"
    ", comments, remark, remarks"
    ", bemerkung, bemerkungen, hinweis, hinweise, notiz, notizen, anmerkung, kommentar"
    ", remarque, remarques, commentaire, commentaires, nota, notas, observaciones, comentario"
    ", comentarios, opmerking, opmerkingen, notitie, notities",
    Field.CLIENT_STOP_ID: "client stop id, stop id, id, external id, reference, ref",
    Field.DELIVERY_DATE: "delivery date, date, day, lieferdatum",
}

_PLACE = frozenset({Field.ADDRESS, Field.ADDRESS1, Field.CITY, Field.ZIP, Field.COORDINATES})


def fold_header(text: str) -> str:
    """Return the letters and digits of a header, without case and accents."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


_FIELDS = {
    fold_header(name): field for field, names in _WRITTEN.items() for name in names.split(",")
}


_ONLY_TOGETHER = tuple(
    frozenset(map(fold_header, pair))
    for pair in (("von", "bis"), ("desde", "hasta"), ("vanaf", "tot"))
)
"""Short words that mean a window's sides beside each other, and much else alone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """Where each field is found; several columns may mean one field, the first filled counts."""

    places: Mapping[Field, tuple[int, ...]]
    unknown: tuple[str, ...]
    headers: tuple[str, ...]

    def say_where(self) -> bool:
        """Say whether a row could be found on a map by these columns."""
        return not _PLACE.isdisjoint(self.places) or {Field.LATITUDE, Field.LONGITUDE} <= set(
            self.places
        )

    def values(self, cells: Sequence[str]) -> dict[Field, str]:
        """Return what a row says, empty cells left out."""
        return {field: cells[place] for field, place in self._filled(cells).items()}

    def names(self, cells: Sequence[str] = ()) -> dict[Field, str]:
        """Return what a row's messages call its fields: the header, where it is another word."""
        counting = {field: places[0] for field, places in self.places.items()}
        headers = {
            field: self.headers[place] for field, place in (counting | self._filled(cells)).items()
        }
        return {
            field: header
            for field, header in headers.items()
            if fold_header(header) != fold_header(field)
        }

    def are_outgrown_by(self, cells: Sequence[str]) -> bool:
        """Say whether a row has values to the right of the last header."""
        return any(cells[len(self.headers) :])

    def _filled(self, cells: Sequence[str]) -> dict[Field, int]:
        """Return the column that counts for each field that a row fills."""
        found: dict[Field, int] = {}
        for field, places in self.places.items():
            for place in places:
                if place < len(cells) and cells[place]:
                    found[field] = place
                    break
        return found

    def shared(self) -> list[tuple[str, ...]]:
        """Return headers that mean the same, where there are several."""
        return [
            tuple(self.headers[place] for place in places)
            for places in self.places.values()
            if len(places) > 1
        ]


def understand_columns(headers: Sequence[str]) -> Columns:
    """Return what each column means."""
    places: dict[Field, tuple[int, ...]] = {}
    unknown: list[str] = []
    folded = [fold_header(header) for header in headers]
    alone = {name for pair in _ONLY_TOGETHER if not pair <= set(folded) for name in pair}
    for place, header in enumerate(headers):
        field = None if folded[place] in alone else _FIELDS.get(folded[place])
        if field is not None:
            places[field] = (*places.get(field, ()), place)
        elif header:
            unknown.append(header)
    return Columns(places=places, unknown=tuple(unknown), headers=tuple(headers))
