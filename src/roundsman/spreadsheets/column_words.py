"""What columns can say of a stop, and the headers that people and shops write above them.

Beside plain headers there are marked ones: `Shipping City`, `Lieferadresse PLZ`, `City (Shipping)`.
The mark says whose address it is, the rest is looked up as if it stood alone.
"""

from collections.abc import Mapping
from enum import StrEnum


class Field(StrEnum):
    """What a column can say of a stop; the value is its name in messages."""

    NAME = "name"
    RECIPIENT = "recipient"
    FIRST_NAME = "first name"
    LAST_NAME = "last name"
    COMPANY = "company"
    ADDRESS = "address"
    ADDRESS1 = "address1"
    HOUSE_NUMBER = "house number"
    ADDRESS2 = "address2"
    CITY = "city"
    PROVINCE = "provinceCode"
    ZIP = "zip"
    ZIP_CITY = "zip and city"
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
    ITEM = "item"
    SKU = "sku"
    GRAMS = "grams"
    KILOGRAMS = "kilograms"
    WEIGHT = "weight"
    PHONE = "phone"
    EMAIL = "email"
    NOTE = "note"
    CLIENT_STOP_ID = "clientStopId"
    DELIVERY_DATE = "deliveryDate"
    STOP_TYPE = "stopType"
    TAGS = "tags"
    ATTRIBUTES = "attributes"
    ITEM_LIST = "itemList"
    LOADS = "loads"
    REQUIRED_SKILLS = "requiredSkills"
    TASK_LIST = "taskList"
    ORDER_URL = "orderReferenceUrl"
    SIGNATURE_DISCLOSURE = "signatureDisclosure"


ORDERS = (
    "order name, order, order number, order no, order id, order num, id order, auftrag"
    ", auftragsnr, auftragsnummer, bestellung, bestellnr, bestellnummer, belegnr, belegnummer"
    ", commande, n° commande, no commande, numéro commande, numéro de commande, pedido"
    ", nº pedido, número de pedido, ordernr, ordernummer, bestelnr, bestelnummer"
)

CUSTOMERS = (
    "customer, customer name, client, contact, contact name, kunde, kundenname, nom du client"
    ", cliente, klant, klantnaam"
)
"""Names of a stop, but of whom it is for where a column beside them has the order's number."""

WRITTEN: Mapping[Field, str] = {
    Field.NAME: (
        f"name, company, stop, stop name, title, firma, nom, société, entreprise, nombre, empresa"
        f", naam, bedrijf, {ORDERS}, {CUSTOMERS}"
    ),
    Field.ADDRESS: (
        "address, full address, delivery address, shipping address, location, adresse"
        ", anschrift, lieferadresse, adresse de livraison, adresse complète, dirección"
        ", dirección de entrega, domicilio, adres, afleveradres, bezorgadres, ship to"
        ", deliver to, customer address, lieferanschrift, versandadresse, dirección de envío"
        ", verzendadres"
    ),
    Field.ADDRESS1: (
        "address1, address line 1, addressline1, street, street address, street name, straße"
        ", strassenname, straße und hausnummer, straße hausnummer, straße nr, rue, nom de rue"
        ", voie, calle, straat, straatnaam, street 1, street line 1, address 1&2, straße und nr"
        ", adresse 1, dirección 1, adres 1"
    ),
    # A mere "number" is as often an order's as a house's, so it is taken for neither.
    Field.HOUSE_NUMBER: (
        "house number, house no, street number, street no, hausnummer, hausnr, numéro de rue"
        ", numéro de voie, número de calle, número de casa, huisnummer, huisnr"
    ),
    Field.ADDRESS2: (
        "address2, address line 2, apartment, apt, suite, unit, floor, street 2, street line 2"
        ", adresszusatz, adresse 2, complément, complément d'adresse, dirección 2, adres 2"
        ", toevoeging"
    ),
    Field.CITY: (
        "city, town, locality, place, suburb, municipality, ort, stadt, wohnort, gemeinde"
        ", ville, commune, localité, ciudad, localidad, población, municipio, plaats"
        ", woonplaats, plaatsnaam, gemeente"
    ),
    Field.PROVINCE: (
        "province, province code, state, state code, region, county, bundesland, kanton, canton"
        ", provincia, provincie, state abbreviation"
    ),
    Field.ZIP: (
        "zip, zip code, zipcode, zip postal code, postal zip code, zip postcode, postcode"
        ", post code, postal code, postal, plz, cap, cp, postleitzahl, code postal"
        ", código postal"
    ),
    Field.COUNTRY: (
        "country, country code, country name, nation, land, pays, país, länderkürzel"
        ", ländercode, landcode, code pays, código de país"
    ),
    Field.LATITUDE: ("latitude, lat, y, gps lat, gps latitude, breitengrad, latitud, breedtegraad"),
    Field.LONGITUDE: (
        "longitude, lon, lng, long, x, gps lon, gps lng, gps longitude, längengrad, longitud"
        ", lengtegraad"
    ),
    Field.COORDINATES: (
        "coordinates, coordinate, lat lon, lat lng, latlong, gps, position, latitude longitude"
    ),
    Field.TIME_WINDOWS: (
        "time windows, time window, windows, window, hours, opening hours, open"
        ", delivery window, delivery windows, time slot, slot, delivery time, zeitfenster"
        ", lieferfenster, lieferzeitfenster, öffnungszeiten, créneau, créneau horaire, créneaux"
        ", plage horaire, fenêtre horaire, horaire, horaires, ventana horaria, franja horaria"
        ", horario, tijdvenster, tijdvak, tijdslot, openingstijden, preferred time"
        ", delivery slot, delivery time slot, delivery time window, appointment, uhrzeit"
        ", lieferzeit, wunschzeit, liefertermin, time, heure, heure de livraison, hora"
        ", hora de entrega, tijd, bezorgtijd, levertijd"
    ),
    Field.WINDOW_START: (
        "window start, time window start, start time, from, earliest, earliest time, open from"
        ", opens, not before, ready time, frühestens, fenster von, zeitfenster von, lieferung ab"
        ", au plus tôt, heure début, heure de début, hora inicio, hora de inicio, begintijd"
        ", starttijd"
    ),
    Field.WINDOW_END: (
        "window end, time window end, end time, to, until, latest, latest time, open until"
        ", closes, not after, due time, spätestens, fenster bis, zeitfenster bis, lieferung bis"
        ", au plus tard, heure fin, heure de fin, jusqu'à, hora fin, hora de fin, eindtijd"
        ", uiterlijk"
    ),
    Field.DURATION: (
        "duration, service time, service duration, service, minutes, mins, min, duration min"
        ", duration mins, duration minutes, duration in minutes, service minutes"
        ", service time min, service time minutes, stop duration, time at stop, unloading time"
        ", dauer, dauer min, dauer minuten, aufenthaltsdauer, servicezeit, standzeit"
        ", aufenthalt, aufenthaltszeit, haltezeit, haltedauer, standdauer, servicedauer"
        ", entladedauer, abladezeit, temps de déchargement, tiempo de entrega, tiempo en parada"
        ", verblijfstijd"
        ", entladezeit, minuten, durée, durée min, durée minutes, temps de service, duración"
        ", duración min, duración minutos, tiempo de servicio, minutos, duur, duur min"
        ", duur minuten, servicetijd, lostijd, stop time, drop time, handling time"
        ", verweildauer, stoppzeit, temps d'arrêt, temps sur place, durée d'arrêt"
        ", tiempo de parada, tiempo de descarga, losduur, stoptijd"
    ),
    Field.DURATION_SECONDS: (
        "duration s, duration sec, duration seconds, duration in seconds, service seconds"
        ", service time s, service time sec, service time seconds, seconds"
    ),
    Field.PRIORITY: "priority, prio, priorität, priorité, prioridad, prioriteit",
    Field.QUANTITY: (
        "quantity, qty, items, item count, pieces, packages, parcels, units, boxes, menge"
        ", anzahl, stück, stückzahl, pakete, quantité, qté, nombre de colis, nb colis, cantidad"
        ", paquetes, bultos, aantal, pakketten, lineitem quantity, item quantity"
        ", product quantity, total quantity, number of items, number of packages"
        ", quantity refund, no of boxes, kartons, kisten, packstücke, colis, nombre de cartons"
        ", cajas, stuks, colli, dozen"
    ),
    Field.GRAMS: "grams, gram, g, weight g, weight gram, weight grams, weight in grams",
    Field.KILOGRAMS: (
        "kilograms, kilogram, kg, kgs, weight kg, weight kgs, weight kilograms, weight in kg"
        ", gewicht kg, gewicht in kg, poids kg, poids en kg, peso kg, peso en kg"
    ),
    Field.WEIGHT: "weight, gewicht, poids, peso",
    Field.PHONE: (
        "phone, phone number, telephone, tel, mobile, cell, contact phone, telefon"
        ", telefonnummer, handy, handynummer, mobil, mobilnummer, téléphone"
        ", numéro de téléphone, teléfono, móvil, telefoon, telefoonnummer, phone mobile"
        ", mobile phone, cell phone, customer phone, tel nr, telefonnr, rufnummer, portable"
        ", tél portable, numéro de portable, teléfono móvil, telefoonnr, mobiel, gsm"
    ),
    Field.EMAIL: (
        "email, e mail, email address, mail, contact email, e mail adresse, courriel"
        ", adresse e mail, correo, correo electrónico, e mailadres, customer email"
        ", contact e mail"
    ),
    Field.NOTE: (
        "note, notes, instructions, delivery instructions, delivery notes, comment, comments"
        ", remark, remarks, bemerkung, bemerkungen, hinweis, hinweise, notiz, notizen"
        ", anmerkung, kommentar, remarque, remarques, commentaire, commentaires, nota, notas"
        ", observaciones, comentario, comentarios, opmerking, opmerkingen, notitie, notities"
        ", customer note, customer notes, customer message, order note, order notes"
        ", private notes, note from customer, delivery note, driver notes, lieferhinweis"
        ", lieferhinweise, observations, consignes, instructions de livraison, indicaciones"
        ", instrucciones, bezorginstructies"
    ),
    Field.CLIENT_STOP_ID: "client stop id, stop id, id, external id, reference, ref",
    Field.DELIVERY_DATE: (
        "delivery date, date, day, lieferdatum, delivery day, route date, datum, liefertag"
        ", zustelldatum, tag, date de livraison, date livraison, jour, fecha, fecha de entrega"
        ", día, bezorgdatum, leverdatum"
    ),
    Field.RECIPIENT: (
        "recipient, recipient name, consignee, full name, empfänger, empfängername"
        ", destinataire, destinatario, ontvanger"
    ),
    Field.FIRST_NAME: "first name, firstname, given name, vorname, prénom, voornaam",
    Field.LAST_NAME: (
        "last name, lastname, surname, family name, nachname, nom de famille, apellido"
        ", apellidos, achternaam"
    ),
    Field.ZIP_CITY: (
        "plz ort, plz und ort, plz stadt, ort plz, postleitzahl ort, postleitzahl und ort"
        ", zip city, city zip, city state zip, city state, suburb state zip, cp ville"
        ", code postal ville, code postal et ville, cp localidad, cp y localidad"
        ", código postal y localidad, cp población, postcode plaats, postcode en plaats"
        ", postcode woonplaats"
    ),
    Field.ITEM: (
        "item, item name, lineitem, lineitem name, line item, product, product name, artikel"
        ", artikelname, artikelbezeichnung, produkt, article, produit, nom du produit, artículo"
        ", producto, nombre del producto, productnaam"
    ),
    Field.SKU: (
        "sku, lineitem sku, item sku, product sku, product reference, artikelnummer, artikelnr"
        ", référence produit, artikelcode"
    ),
    # As exports write them; a mere "type" of another program's file means much else.
    Field.STOP_TYPE: "stop type",
    Field.TAGS: "tags, stop tags",
    Field.ATTRIBUTES: "attributes, stop attributes",
    Field.ITEM_LIST: "item list",
    Field.LOADS: "loads",
    Field.REQUIRED_SKILLS: "required skills, skills",
    Field.TASK_LIST: "task list",
    Field.ORDER_URL: "order reference url",
    Field.SIGNATURE_DISCLOSURE: "signature disclosure, custom signature disclosure",
}

DELIVERY_MARKS = (
    "shipping address, delivery address, shipping, ship to, ship, delivery, deliver to, recipient"
    ", consignee, destination, drop off, lieferadresse, lieferanschrift, versandadresse, versand"
    ", lieferung, liefer, empfänger, adresse de livraison, adresse livraison, de livraison"
    ", livraison, destinataire, dirección de envío, dirección de entrega, de envío, envío"
    ", de entrega, entrega, destinatario, afleveradres, bezorgadres, verzendadres, leveradres"
    ", aflever, bezorg, verzend, lever, ontvanger"
)
"""Before or behind a header: where the goods go."""

DELIVERY_ADDRESSES = "delivery address, shipping address, ship to, deliver to"
"""Headers of whole addresses that are marked themselves, beside those marks that are addresses."""

BILLING_MARKS = (
    "billing address, billing, bill to, invoice, rechnungsadresse, rechnung, de facturation"
    ", facturation, de facturación, facturación, factuuradres, factuur"
)
"""Before or behind a header: who pays, whose phone is as good as any and whose address is not."""

WINDOW_SIDES = (
    ("from", "to until till"),
    ("start", "end ende"),
    ("starts", "ends"),
    ("begin", "end einde eind"),
    ("open", "close closed"),
    ("opening", "closing"),
    ("opens", "closes"),
    ("earliest", "latest"),
    ("von ab", "bis"),
    ("beginn anfang", "ende"),
    ("frühestens", "spätestens"),
    ("début", "fin"),
    ("desde", "hasta"),
    ("inicio", "fin"),
    ("vanaf van", "tot"),
)
"""Words that are a window's sides beside each other: each opening with each closing of its line.

They stand alone, or behind or before one of WINDOW_WORDS: `Uhrzeit von`, `Uhrzeit bis`. Without
the other side a short word means much else.
"""

WINDOW_WORDS = (
    "time, window, time window, delivery, delivery time, delivery window, slot, time slot"
    ", delivery slot, hours, opening hours, appointment, arrival, arrival time, preferred time"
    ", uhrzeit, zeit, zeitfenster, fenster, lieferung, lieferzeit, lieferfenster"
    ", lieferzeitfenster, liefertermin, anlieferung, anlieferzeit, zustellung, zustellzeit"
    ", zustellfenster, wunschzeit, termin, öffnung, öffnungszeit, öffnungszeiten, warenannahme"
    ", annahme, annahmezeit, heure, heure de, heures, horaire, horaires, créneau"
    ", créneau horaire, plage, plage horaire, fenêtre, fenêtre horaire, livraison"
    ", heure de livraison, ouverture, hora, hora de, horario, ventana, ventana horaria, franja"
    ", franja horaria, entrega, hora de entrega, apertura, tijd, tijdvak, tijdvenster, tijdslot"
    ", levering, levertijd, bezorging, bezorgtijd, openingstijd, openingstijden"
)
"""What a window is called in headers of its two sides."""

UNLESS_GOODS_ARE_LISTED = (
    "location",
    "time",
    "uhrzeit",
    "heure",
    "hora",
    "tijd",
    "date",
    "datum",
    "fecha",
)
"""In a list of deliveries these are the delivery's; in a shop's list of orders the order's or the
shop's."""
