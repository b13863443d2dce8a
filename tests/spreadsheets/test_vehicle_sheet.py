import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.model import UNSET
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.domain.vehicle import USUAL_COSTS, DailyBreak, VehicleCosts
from roundsman.spreadsheets.columns import fold_header
from roundsman.spreadsheets.vehicle_sheet import SheetVehicle, read_vehicle_sheet
from roundsman.spreadsheets.vehicle_words import VEHICLE_COLUMNS

pytestmark = pytest.mark.spec("decisions §21")


PALLETS = {"pallets": "Pallets"}


def test_every_column_is_read_and_those_that_stops_have_are_loads() -> None:
    header = (
        "Name,count,start,end,shiftStart,Shift End,kilograms,pallets,skills,max stops,maxDuration,"
        "maxDistance,breaks,fixedCost,costPerHour,speedFactor,driver"
    )
    row = (
        '"Van",2,"Main St 1, Baltimore",=,8:00,16:30,"1200,5",3,fridge; lift,40,8h,150,'
        '"12:00-13:30 30m; 15:00-16:00 15m",20,25,0.9,Dana'
    )
    plain = "Bike,,,,,,,,,,,,,,,,"
    sheet = read_vehicle_sheet(f"{header}\n{row}\n{plain}\n".encode(), PALLETS)
    assert (sheet.ignored, sheet.doubts) == ((), ())
    van, bike = sheet.vehicles
    assert van == SheetVehicle(
        row=2,
        name="Van",
        count=2,
        start="Main St 1, Baltimore",
        end="=",
        shift_start=TimeOfDay(hours=8),
        shift_end=TimeOfDay(hours=16, minutes=30),
        capacities={"kilograms": 1200.5, "pallets": 3},
        skills=("fridge", "lift"),
        max_stops=40,
        max_duration="28800s",  # type: ignore[arg-type]  # written out
        max_distance_meters=150_000,
        breaks=(
            DailyBreak(
                time_window=TimeWindow(
                    start=TimeOfDay(hours=12), end=TimeOfDay(hours=13, minutes=30)
                ),
                duration="1800s",  # type: ignore[arg-type]  # written out
            ),
            DailyBreak(
                time_window=TimeWindow(start=TimeOfDay(hours=15), end=TimeOfDay(hours=16)),
                duration="900s",  # type: ignore[arg-type]  # written out
            ),
        ),
        costs=VehicleCosts(fixed=20, per_hour=25),
        speed_factor=0.9,
        driver="Dana",
    )
    assert (bike.count, bike.capacities, bike.costs, bike.max_duration) == (
        1,
        {},
        USUAL_COSTS,
        UNSET,
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("start,end\na,b\n", 'no column is called "name"'),
        ("name\n", "no vehicles below it"),
        (
            "name,count\nVan,x\n,2\n",
            'row 2: count: "x" is not a whole number; row 3: name is empty',
        ),
        ("name\nVan\nVan\n", 'row 3: name: "Van" is given more than once'),
        ("name,count\nVan,201\n", "row 2: count: 201 is outside 1 to 200"),
        ("name,Count\nVan,0\n", "row 2: Count: 0 is outside 1 to 200"),
        ("name,speedFactor\nVan,0\n", "row 2: speedFactor: 0 is outside 0.1 to 10"),
        ("name,speedFactor\nVan,0.01\n", "row 2: speedFactor: 0.01 is outside 0.1 to 10"),
        ("name,speedFactor\nVan,11\n", "row 2: speedFactor: 11 is outside 0.1 to 10"),
        ("name,count\nVan,150\nBus,51\n", "201 vehicles; at most 200"),
        ("name,shiftStart\nVan,noon-ish\n", "row 2: shiftStart:"),
        ("name,breaks\nVan,lunch\n", 'row 2: breaks: "lunch" is no break, such as'),
        ("name,pallets\nVan,many\n", 'row 2: pallets: "many" is not a number'),
        ("name,kg\nVan,many\n", 'row 2: kg: "many" is not a number'),
        (
            "name,kg,kilograms\nVan,1,2\n",
            'column "kilograms": another is the load "kilograms", too',
        ),
        (
            "name,kilogramms,palets\nVan,1,2\n",
            'column "palets": no stop has such a load, did you mean "Pallets"?',
        ),
    ],
)
def test_what_cannot_be_read_is_named_by_row_and_column(text: str, words: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_vehicle_sheet(text.encode(), PALLETS)
    assert words in refused.value.message


@pytest.mark.parametrize("header", ["kg", "Kilograms", "Weight (kg)"])
@pytest.mark.parametrize("items", ["Qty", "Menge (Stk)", "quantity pcs"])
def test_kilograms_and_items_have_the_words_that_they_have_in_a_file_of_stops(
    header: str, items: str
) -> None:
    (van,) = read_vehicle_sheet(f"name,{header},{items}\nVan,5,9\n".encode()).vehicles
    assert van.capacities == {"kilograms": 5, "items": 9}


def test_columns_that_are_no_loads_are_named_and_leave_the_vehicles_as_they_are() -> None:
    sheet = read_vehicle_sheet(
        b"name,plate,note,year,skils,max stop,kilograms,driver,driver phone\n"
        b"Van,B-AB 123,has a dent,2019,,40,500,Dana,+14105550123\n"
        b"Bus,B-AB 124,,2021,fridge,,,,\n",
        PALLETS,
    )
    van, bus = sheet.vehicles
    assert (van.capacities, van.driver, van.max_stops) == ({"kilograms": 500}, "Dana", 0)
    assert (bus.capacities, bus.skills) == ({}, ())
    assert sheet.ignored == ("plate", "note", "driver phone")
    assert sheet.doubts == (
        'column "year" limits nothing: no stop has such a load',
        'column "skils" is ignored, did you mean "skills"?',
        'column "max stop" limits nothing: no stop has such a load, did you mean "maxStops"?',
    )


def test_one_side_of_a_shift_alone_is_said_not_to_count() -> None:
    sheet = read_vehicle_sheet(b"name,shiftStart,shiftEnd\nVan,6:00,\nBus,,17:00\nCar,,\n")
    assert sheet.doubts == (
        "row 2: shiftStart counts only beside a shiftEnd",
        "row 3: shiftEnd counts only beside a shiftStart",
    )


def test_a_load_that_no_stop_has_is_not_taken_for_one_that_the_file_has() -> None:
    sheet = read_vehicle_sheet(b"name,pallets,pallet height\nVan,3,120\n", PALLETS)
    assert sheet.vehicles[0].capacities == {"pallets": 3}
    assert sheet.doubts == ('column "pallet height" limits nothing: no stop has such a load',)


IN_ENGLISH = (
    "name;start;end;shiftStart;shiftEnd;kilograms;breaks;skills;maxStops;maxDuration;maxDistance"
    ";fixedCost;costPerHour;costPerKilometer;costPerStop;speedFactor;driver;count"
)
OF_A_VAN = "Van;Berlin;=;6:00;14:30;900;10:00-12:00 30m;fridge;40;8h;150;20;25;0,3;1;0,9;Dana;2"


@pytest.mark.parametrize(
    "header",
    [
        (
            "Fahrzeug;Startort;Ende;Schichtbeginn;Schichtende;Gewicht (kg);Pausen;Ausstattung"
            ";Max. Stopps;Max. Dauer;Max. Strecke (km);Fixkosten;Kosten pro Stunde;Kosten pro km"
            ";Kosten je Stopp;Tempofaktor;Fahrer;Anzahl Fahrzeuge"
        ),
        (
            "Véhicule;Lieu de départ;Arrivée;Début de service;Fin de service;Poids (kg);Pauses"
            ";Compétences;Arrêts max.;Durée max.;Distance max. (km);Coût fixe;Coût horaire"
            ";Coût par km;Coût par arrêt;Facteur de vitesse;Chauffeur;Nombre de véhicules"
        ),
        (
            "Vehículo;Salida;Llegada;Inicio de turno;Fin de turno;Peso (kg);Descansos;Habilidades"
            ";Máx. paradas;Duración máxima;Distancia máx. (km);Coste fijo;Coste por hora"
            ";Coste por km;Coste por parada;Factor de velocidad;Conductor;Número de vehículos"
        ),
        (
            "Voertuig;Vertrekpunt;Eindpunt;Begin dienst;Einde dienst;Gewicht (kg);Pauzes"
            ";Vaardigheden;Max. stops;Max. duur;Max. afstand (km);Vaste kosten;Kosten per uur"
            ";Kosten per km;Kosten per stop;Snelheidsfactor;Bestuurder;Aantal voertuigen"
        ),
    ],
)
def test_vehicles_are_read_under_headers_of_their_language(header: str) -> None:
    expected = read_vehicle_sheet(f"{IN_ENGLISH}\n{OF_A_VAN}\n".encode())
    sheet = read_vehicle_sheet(f"{header}\n{OF_A_VAN}\n".encode())
    assert (sheet.ignored, sheet.doubts) == ((), ())
    assert sheet == expected
    assert (sheet.vehicles[0].count, sheet.vehicles[0].driver) == (2, "Dana")


def test_a_german_file_of_vehicles_keeps_its_shifts_breaks_and_returns() -> None:
    sheet = read_vehicle_sheet(
        "Name;Start;Ende;Schichtbeginn;Schichtende;kilograms;Pausen\n"
        "Sprinter;Heidelberg;=;6:00;14:30;900;10:00-12:00 30 Min.\n".encode("cp1252")
    )
    assert (sheet.ignored, sheet.doubts) == ((), ())
    (van,) = sheet.vehicles
    assert (van.end, van.shift_start, van.shift_end) == (
        "=",
        TimeOfDay(hours=6),
        TimeOfDay(hours=14, minutes=30),
    )
    assert [one.duration for one in van.breaks] == ["1800s"]


@pytest.mark.parametrize(
    "header",
    [
        "Fahrzeug;Schichtbeginn (Uhr);Schichtende (Uhr);Max. Dauer (Min.)",
        "vehicle;shift start (hh:mm);shift end (hh:mm);maxDuration (min)",
        "Voertuig;Begin dienst (uur);Einde dienst (uur);Max. duur (minuten)",
    ],
)
def test_a_unit_behind_a_header_of_vehicles_does_not_hide_it(header: str) -> None:
    sheet = read_vehicle_sheet(f"{header}\nSprinter;6:00;14:30;480\n".encode())
    assert (sheet.ignored, sheet.doubts) == ((), ())
    (van,) = sheet.vehicles
    assert (van.shift_start, van.shift_end) == (TimeOfDay(hours=6), TimeOfDay(hours=14, minutes=30))
    assert van.max_duration == "28800s"


def test_a_limit_in_another_unit_than_minutes_is_named_and_not_read() -> None:
    sheet = read_vehicle_sheet(b"Fahrzeug;Max. Dauer (h)\nSprinter;8\n")
    assert sheet.vehicles[0].max_duration is UNSET
    assert "Max. Dauer (h)" in sheet.doubts[0]


def test_of_nom_and_nombre_the_second_is_how_many_vehicles_there_are() -> None:
    sheet = read_vehicle_sheet("Nombre;Nom;Départ\n3;Kangoo;Paris\n".encode())
    assert (sheet.ignored, sheet.doubts) == ((), ())
    assert [(van.name, van.count) for van in sheet.vehicles] == [("Kangoo", 3)]


def test_no_header_of_vehicles_means_two_things() -> None:
    meant = [
        fold_header(word)
        for header, words in VEHICLE_COLUMNS.items()
        for word in (header, *words.split(","))
    ]
    assert sorted(set(meant)) == sorted(meant)


def test_of_two_columns_of_one_meaning_the_documented_header_counts_and_the_other_is_named() -> (
    None
):
    sheet = read_vehicle_sheet(b"Fahrzeug;name;Chauffeur;Fahrer\nSprinter;S1;Dana;Lee\n")
    assert [(van.name, van.driver) for van in sheet.vehicles] == [("S1", "Dana")]
    assert sheet.ignored == ("Fahrzeug", "Fahrer")


def test_what_cannot_be_read_is_named_by_the_header_of_the_file() -> None:
    with pytest.raises(InvalidArgument, match='row 2: Pausen: "Mittag" is no break'):
        read_vehicle_sheet(b"Fahrzeug;Pausen\nSprinter;Mittag\n")


def test_a_mere_number_is_that_of_items_as_in_a_file_of_stops() -> None:
    (van,) = read_vehicle_sheet(b"Fahrzeug;Anzahl\nSprinter;80\n").vehicles
    assert (van.count, van.capacities) == (1, {"items": 80})
