"""The first digits of postal codes outside the United States, with the main town of each region.

The gazetteer has no such codes, but their first digits choose between places of one name: a
Neustadt with 67433 is near Ludwigshafen. They never locate an address by themselves.
"""

import re
from collections.abc import Sequence
from functools import cache

from roundsman.geocoding.disambiguation import kilometers
from roundsman.geocoding.localities import Localities, Locality

_NEAR_KM = 120
"""The distance from the corner of a region to its main town."""

_DIGITS = re.compile(r"(?:[A-Z]{1,3}-)?(\d{3,5})(?: ?[A-Z]{2})?", re.IGNORECASE | re.ASCII)
_LENGTHS = {"AT": 4, "BE": 4, "CH": 4, "DE": 5, "ES": 5, "FR": 5, "IT": 5, "NL": 4}
MAIN_TOWNS = {
    "AT": """
1 Wien, 2 Wiener Neustadt, 3 Sankt Pölten, 4 Linz, 5 Salzburg, 6 Innsbruck, 7 Eisenstadt, 8 Graz,
9 Klagenfurt
""",
    "BE": """
1 Bruxelles, 2 Antwerpen, 3 Leuven, 4 Liège, 5 Namur, 6 Charleroi, 7 Mons, 8 Brugge, 9 Gent
""",
    "CH": """
1 Lausanne, 2 Neuchâtel, 3 Bern, 4 Basel, 5 Aarau, 6 Luzern, 7 Chur, 8 Zürich, 9 Sankt Gallen
""",
    "DE": """
01 Dresden, 02 Görlitz, 03 Cottbus, 04 Leipzig, 06 Halle (Saale), 07 Gera, 08 Zwickau,
09 Chemnitz, 10 Berlin, 12 Berlin, 13 Berlin, 14 Potsdam, 15 Frankfurt (Oder), 16 Oranienburg,
17 Neubrandenburg, 18 Rostock, 19 Schwerin, 20 Hamburg, 21 Hamburg, 22 Hamburg, 23 Lübeck,
24 Kiel, 25 Itzehoe, 26 Oldenburg, 27 Bremerhaven, 28 Bremen, 29 Celle, 30 Hannover,
31 Hildesheim, 32 Herford, 33 Bielefeld, 34 Kassel, 35 Gießen, 36 Fulda, 37 Göttingen,
38 Braunschweig, 39 Magdeburg, 40 Düsseldorf, 41 Mönchengladbach, 42 Wuppertal, 44 Dortmund,
45 Essen, 46 Oberhausen, 47 Duisburg, 48 Münster, 49 Osnabrück, 50 Köln, 51 Köln, 52 Aachen,
53 Bonn, 54 Trier, 55 Mainz, 56 Koblenz, 57 Siegen, 58 Hagen, 59 Hamm, 60 Frankfurt am Main,
61 Bad Homburg, 63 Hanau, 64 Darmstadt, 65 Wiesbaden, 66 Saarbrücken, 67 Ludwigshafen am Rhein,
68 Mannheim, 69 Heidelberg, 70 Stuttgart, 71 Böblingen, 72 Tübingen, 73 Göppingen, 74 Heilbronn,
75 Pforzheim, 76 Karlsruhe, 77 Offenburg, 78 Villingen-Schwenningen, 79 Freiburg, 80 München,
81 München, 82 Weilheim, 83 Rosenheim, 84 Landshut, 85 Freising, 86 Augsburg, 87 Kempten,
88 Ravensburg, 89 Ulm, 90 Nürnberg, 91 Erlangen, 92 Amberg, 93 Regensburg, 94 Passau, 95 Bayreuth,
96 Bamberg, 97 Würzburg, 98 Suhl, 99 Erfurt
""",
    "ES": """
01 Vitoria-Gasteiz, 02 Albacete, 03 Alicante, 04 Almería, 05 Ávila, 06 Badajoz, 07 Palma,
08 Barcelona, 09 Burgos, 10 Cáceres, 11 Cádiz, 12 Castellón de la Plana, 13 Ciudad Real,
14 Córdoba, 15 A Coruña, 16 Cuenca, 17 Girona, 18 Granada, 19 Guadalajara, 20 San Sebastián,
21 Huelva, 22 Huesca, 23 Jaén, 24 León, 25 Lleida, 26 Logroño, 27 Lugo, 28 Madrid, 29 Málaga,
30 Murcia, 31 Pamplona, 32 Ourense, 33 Oviedo, 34 Palencia, 35 Las Palmas de Gran Canaria,
36 Pontevedra, 37 Salamanca, 38 Santa Cruz de Tenerife, 39 Santander, 40 Segovia, 41 Sevilla,
42 Soria, 43 Tarragona, 44 Teruel, 45 Toledo, 46 Valencia, 47 Valladolid, 48 Bilbao, 49 Zamora,
50 Zaragoza, 51 Ceuta, 52 Melilla
""",
    "FR": """
01 Bourg-en-Bresse, 02 Laon, 03 Moulins, 04 Digne-les-Bains, 05 Gap, 06 Nice, 07 Privas,
08 Charleville-Mézières, 09 Foix, 10 Troyes, 11 Carcassonne, 12 Rodez, 13 Marseille, 14 Caen,
15 Aurillac, 16 Angoulême, 17 La Rochelle, 18 Bourges, 19 Tulle, 20 Ajaccio, 21 Dijon,
22 Saint-Brieuc, 23 Guéret, 24 Périgueux, 25 Besançon, 26 Valence, 27 Évreux, 28 Chartres,
29 Quimper, 30 Nîmes, 31 Toulouse, 32 Auch, 33 Bordeaux, 34 Montpellier, 35 Rennes,
36 Châteauroux, 37 Tours, 38 Grenoble, 39 Lons-le-Saunier, 40 Mont-de-Marsan, 41 Blois,
42 Saint-Étienne, 43 Le Puy-en-Velay, 44 Nantes, 45 Orléans, 46 Cahors, 47 Agen, 48 Mende,
49 Angers, 50 Saint-Lô, 51 Reims, 52 Chaumont, 53 Laval, 54 Nancy, 55 Bar-le-Duc, 56 Vannes,
57 Metz, 58 Nevers, 59 Lille, 60 Beauvais, 61 Alençon, 62 Arras, 63 Clermont-Ferrand, 64 Pau,
65 Tarbes, 66 Perpignan, 67 Strasbourg, 68 Colmar, 69 Lyon, 70 Vesoul, 71 Mâcon, 72 Le Mans,
73 Chambéry, 74 Annecy, 75 Paris, 76 Rouen, 77 Melun, 78 Versailles, 79 Niort, 80 Amiens, 81 Albi,
82 Montauban, 83 Toulon, 84 Avignon, 85 La Roche-sur-Yon, 86 Poitiers, 87 Limoges, 88 Épinal,
89 Auxerre, 90 Belfort, 91 Évry, 92 Nanterre, 93 Bobigny, 94 Créteil, 95 Cergy
""",
    "IT": """
00 Roma, 01 Viterbo, 02 Rieti, 03 Frosinone, 04 Latina, 05 Terni, 06 Perugia, 07 Sassari,
08 Nuoro, 09 Cagliari, 10 Torino, 11 Aosta, 12 Cuneo, 13 Vercelli, 14 Asti, 15 Alessandria,
16 Genova, 17 Savona, 18 Imperia, 19 La Spezia, 20 Milano, 21 Varese, 22 Como, 23 Sondrio,
24 Bergamo, 25 Brescia, 26 Cremona, 27 Pavia, 28 Novara, 29 Piacenza, 30 Venezia, 31 Treviso,
32 Belluno, 33 Udine, 34 Trieste, 35 Padova, 36 Vicenza, 37 Verona, 38 Trento, 39 Bolzano,
40 Bologna, 41 Modena, 42 Reggio Emilia, 43 Parma, 44 Ferrara, 45 Rovigo, 46 Mantova, 47 Forlì,
48 Ravenna, 50 Firenze, 51 Pistoia, 52 Arezzo, 53 Siena, 54 Massa, 55 Lucca, 56 Pisa, 57 Livorno,
58 Grosseto, 60 Ancona, 61 Pesaro, 62 Macerata, 63 Ascoli Piceno, 64 Teramo, 65 Pescara,
66 Chieti, 67 L'Aquila, 70 Bari, 71 Foggia, 72 Brindisi, 73 Lecce, 74 Taranto, 75 Matera,
80 Napoli, 81 Caserta, 82 Benevento, 83 Avellino, 84 Salerno, 85 Potenza, 86 Campobasso,
87 Cosenza, 88 Catanzaro, 89 Reggio Calabria, 90 Palermo, 91 Trapani, 92 Agrigento,
93 Caltanissetta, 94 Enna, 95 Catania, 96 Siracusa, 97 Ragusa, 98 Messina
""",
    "NL": """
10 Amsterdam, 11 Amstelveen, 12 Hilversum, 13 Almere, 14 Purmerend, 15 Zaandam, 16 Hoorn,
17 Heerhugowaard, 18 Alkmaar, 19 Beverwijk, 20 Haarlem, 21 Hoofddorp, 22 Katwijk, 23 Leiden,
24 Alphen aan den Rijn, 25 Den Haag, 26 Delft, 27 Zoetermeer, 28 Gouda, 29 Capelle aan den IJssel,
30 Rotterdam, 31 Schiedam, 32 Spijkenisse, 33 Dordrecht, 34 Nieuwegein, 35 Utrecht, 36 Maarssen,
37 Zeist, 38 Amersfoort, 39 Veenendaal, 40 Tiel, 41 Culemborg, 42 Gorinchem, 43 Middelburg,
44 Goes, 45 Terneuzen, 46 Bergen op Zoom, 47 Roosendaal, 48 Breda, 49 Oosterhout, 50 Tilburg,
51 Waalwijk, 52 's-Hertogenbosch, 53 Oss, 54 Uden, 55 Veldhoven, 56 Eindhoven, 57 Helmond,
58 Venray, 59 Venlo, 60 Weert, 61 Sittard, 62 Maastricht, 63 Heerlen, 64 Heerlen, 65 Nijmegen,
66 Wijchen, 67 Ede, 68 Arnhem, 69 Zevenaar, 70 Doetinchem, 71 Winterswijk, 72 Zutphen,
73 Apeldoorn, 74 Deventer, 75 Enschede, 76 Almelo, 77 Hardenberg, 78 Emmen, 79 Hoogeveen,
80 Zwolle, 81 Raalte, 82 Lelystad, 83 Steenwijk, 84 Heerenveen, 85 Joure, 86 Sneek, 87 Bolsward,
88 Harlingen, 89 Leeuwarden, 90 Leeuwarden, 91 Dokkum, 92 Drachten, 93 Roden, 94 Assen,
95 Stadskanaal, 96 Hoogezand, 97 Groningen, 98 Zuidhorn, 99 Delfzijl
""",
}


def near_postal_code(
    localities: Localities, places: Sequence[Locality], written: str
) -> list[Locality]:
    """Return the places near the region of a postal code; all of them when none is."""
    near = places_of_code(localities, places, written) if len(places) > 1 else []
    return near or list(places)


def places_of_code(
    localities: Localities, places: Sequence[Locality], written: str
) -> list[Locality]:
    """Return the places near the region of a postal code."""
    digits = _DIGITS.fullmatch(written.strip())
    if digits is None:
        return []
    return [place for place in places if _fits(localities, place, digits[1])]


def _fits(localities: Localities, place: Locality, digits: str) -> bool:
    # Spreadsheets take 01067 for a number and drop its zero.
    code = digits.zfill(_LENGTHS.get(place.country, 0))
    if len(code) != _LENGTHS.get(place.country):
        return False
    towns = towns_of(place.country)
    name = towns.get(code[:2]) or towns.get(code[:1])
    town = find_main_town(localities, place.country, name) if name else None
    return town is not None and kilometers(town, place) <= _NEAR_KM


def find_main_town(localities: Localities, country: str, name: str) -> Locality | None:
    """Return the largest place of that name, which stands for its region."""
    named = [place for place in localities.named(name) if place.country == country]
    return max(named, key=lambda place: place.population, default=None)


@cache
def towns_of(country: str) -> dict[str, str]:
    """Return the main town of each first digits."""
    entries = " ".join(MAIN_TOWNS[country].split()).split(", ")
    return dict(entry.split(" ", 1) for entry in entries)
