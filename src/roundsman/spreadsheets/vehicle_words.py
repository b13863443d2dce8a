"""The columns of a file of vehicles, and the headers that people write above them.

A mere `Anzahl` or `cantidad` is how many items a vehicle carries, as in a file of stops.
"""

from collections.abc import Mapping

VEHICLE_COLUMNS: Mapping[str, str] = {
    "name": (
        "vehicle, vehicle name, van, fahrzeug, fahrzeugname, bezeichnung, nom, véhicule"
        ", nom du véhicule, nombre, vehículo, nombre del vehículo, naam, voertuig, voertuignaam"
    ),
    "count": (
        "number of vehicles, vehicle count, anzahl fahrzeuge, anzahl der fahrzeuge"
        ", fahrzeuganzahl, nombre de véhicules, nb véhicules, nb de véhicules"
        ", número de vehículos, cantidad de vehículos, aantal voertuigen"
    ),
    "start": (
        "start address, start location, depot, startort, startadresse, startpunkt, abfahrtsort"
        ", départ, lieu de départ, adresse de départ, point de départ, salida"
        ", lugar de salida, dirección de salida, punto de salida, depósito, vertrek, vertrekpunt"
        ", vertrekadres, startadres, startplaats, startlocatie"
    ),
    "end": (
        "end address, end location, ende, endort, endadresse, endpunkt, ziel, zielort"
        ", zieladresse, arrivée, lieu d'arrivée, adresse d'arrivée, point d'arrivée, llegada"
        ", lugar de llegada, dirección de llegada, punto de llegada, destino, einde, eindpunt"
        ", eindadres, eindplaats, eindlocatie, bestemming"
    ),
    "shiftStart": (
        "shift from, shift begin, start of shift, start time, schichtbeginn, schichtstart"
        ", schichtanfang, schicht von, schicht ab, beginn der schicht, dienstbeginn"
        ", arbeitsbeginn, arbeitszeit von, début de service, début du service, début de poste"
        ", début de journée, prise de service, heure de début, inicio de turno, inicio del turno"
        ", inicio turno, turno desde, inicio de jornada, hora de inicio, begin dienst"
        ", dienst begin, dienst van, dienst start, start dienst, begin van de dienst, starttijd"
        ", begintijd"
    ),
    "shiftEnd": (
        "shift to, shift until, end of shift, end time, schichtende, schichtschluss, schicht bis"
        ", ende der schicht, dienstende, dienstschluss, arbeitsende, arbeitszeit bis"
        ", fin de service, fin du service, fin de poste, fin de journée, heure de fin"
        ", fin de turno, fin del turno, fin turno, turno hasta, fin de jornada, hora de fin"
        ", einde dienst, dienst einde, dienst tot, einde van de dienst, eindtijd"
    ),
    "skills": (
        "fähigkeiten, fertigkeiten, ausstattung, merkmale, compétences, équipement, équipements"
        ", habilidades, competencias, equipamiento, vaardigheden, uitrusting, kenmerken"
    ),
    "maxStops": (
        "max stopps, maximale stopps, stopps max, höchstens stopps, arrêts max, max arrêts"
        ", arrêts maximum, nombre maximal d'arrêts, paradas máx, máx paradas, paradas máximas"
        ", máximo de paradas, maximum stops, maximaal aantal stops"
    ),
    "maxDuration": (
        "maximum duration, max dauer, maximale dauer, höchstdauer, durée max, durée maximale"
        ", duración máx, duración máxima, max duur, maximale duur"
    ),
    "maxDistance": (
        "max distance km, maximum distance, max km, max kilometer, max strecke, max strecke km"
        ", maximale strecke, max entfernung, distance max, distance max km, distance maximale"
        ", distancia máx, distancia máx km, distancia máxima, km máx, max afstand"
        ", max afstand km, maximale afstand"
    ),
    "breaks": (
        "break, pause, pausen, pausenzeit, pausenzeiten, mittagspause, pauses, pause déjeuner"
        ", pausa, pausas, descanso, descansos, pauze, pauzes, middagpauze"
    ),
    "fixedCost": (
        "fixed costs, fixkosten, feste kosten, coût fixe, coûts fixes, frais fixes, coste fijo"
        ", costes fijos, costo fijo, costos fijos, vaste kosten"
    ),
    "costPerHour": (
        "hourly cost, kosten pro stunde, kosten je stunde, stundenkosten, stundensatz"
        ", coût horaire, coût par heure, coste por hora, costo por hora, kosten per uur"
        ", uurtarief"
    ),
    "costPerTraveledHour": (
        "cost per travelled hour, kosten pro fahrstunde, kosten je fahrstunde"
        ", coût par heure de conduite, coste por hora de conducción"
        ", costo por hora de conducción, kosten per rijuur"
    ),
    "costPerKilometer": (
        "cost per kilometre, cost per km, kosten pro kilometer, kosten pro km"
        ", kosten je kilometer, kosten je km, kilometerkosten, coût par kilomètre, coût par km"
        ", coût kilométrique, coste por kilómetro, coste por km, costo por kilómetro"
        ", costo por km, kosten per kilometer, kosten per km"
    ),
    "costPerStop": (
        "kosten pro stopp, kosten je stopp, coût par arrêt, coste por parada, costo por parada"
        ", kosten per stop"
    ),
    "speedFactor": (
        "geschwindigkeitsfaktor, tempofaktor, facteur de vitesse, factor de velocidad"
        ", snelheidsfactor"
    ),
    "driver": (
        "driver name, fahrer, fahrerin, fahrername, chauffeur, conducteur, conductrice, livreur"
        ", nom du chauffeur, conductor, conductora, chófer, repartidor, bestuurder"
    ),
}
"""By the header that documents name, in English, the other headers of the same column."""
