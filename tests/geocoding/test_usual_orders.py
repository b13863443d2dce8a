"""Addresses on one line in the orders that are usual where they are, over the whole gazetteer."""

import os

import pytest

from roundsman.domain.address import Address
from roundsman.geocoding.default_country import geocode_in_country
from roundsman.geocoding.gazetteer import Gazetteer, builtin_gazetteer
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.geocoding.localities_file import user_cache_folder


@pytest.fixture(scope="module")
def world() -> Gazetteer:
    return builtin_gazetteer(user_cache_folder(os.environ))


def locate(world: Gazetteer, line: str, country: str = "") -> str:
    found = geocode_in_country([Address(address1=line)], world, country)[0]
    return found.label if isinstance(found, Match) else found.reason


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Calle Mayor 5, 28013 Madrid", "Madrid, ES"),
        ("Calle Mayor 5, 28013 Madrid, Madrid, España", "Madrid, ES"),
        ("Gran Vía 1, 48001 Bilbao, Vizcaya, España", "Bilbao, ES"),
        ("Via Roma 10, 00184 Roma RM", "Rome, IT"),
        ("Via Roma 10 - 00184 Roma (RM)", "Rome, IT"),
        ("Via Roma 10, 00184, Roma, RM", "Rome, IT"),
        ("Via Roma 10, Roma RM 00184", "Rome, IT"),
        ("Via Roma 10, 20121 Milano MI", "Milan, IT"),
        ("Via Verdi 4, 09124 Cagliari CA", "Cagliari, IT"),
        ("ul. Marszałkowska 10, 00-001 Warszawa", "Warsaw, PL"),
        ("al. Jerozolimskie 44, 00-024 Warszawa, mazowieckie", "Warsaw, PL"),
        ("Rua Augusta 25, 1100-053 Lisboa", "Lisbon, PT"),
        ("Rua do Ouro 1, 9000-001 Funchal, Madeira", "Funchal, PT"),
        ("Bahnhofstrasse 1, 8001 Zürich ZH", "Zürich, ZH, CH"),
        ("Rue du Rhône 10, 1204 Genève GE, Suisse", "Geneva, GE, CH"),
        ("Via Nassa 1, 6900 Lugano TI", "Lugano, TI, CH"),
        ("Stephansplatz 1/3/12, 1010 Wien", "Vienna, AT"),
        ("10 Downing Street, London SW1A 2AA", "London, ENG, GB"),
        ("10 High Street, Guildford, Surrey GU1 3AA", "Guildford, ENG, GB"),
        ("10 High Street, Maidstone, Kent, ME14 1AA", "Maidstone, ENG, GB"),
        ("1 Donegall Sq, Belfast, Co. Antrim BT1 5GS", "Belfast, NIR, GB"),
        ("10 High St, Perth PH1 5AA", "Perth, SCT, GB"),
        ("1 Liberation Place, St Helier JE1 1BB", "Saint Helier, JE"),
        ("100 Queen St W, Toronto, ON M5H 2N2", "Toronto, ON, CA"),
        ("1000 Rue Sherbrooke O, Montréal (Québec) H3A 3G4", "Montréal, QC, CA"),
        ("10 Main St, London N6A 1A1", "London, ON, CA"),
        # What is written like these, and is not one of them.
        ("5 Main St, 48226 Detroit MI", "Detroit, MI 48226, US"),
        ("Suite 3, 12345 Main St, Los Angeles", "Los Angeles, CA, US"),
        ("10 King George Blvd, Surrey, BC", "Surrey, BC, CA"),
        ("Marktplatz 1, 15230 Frankfurt (Oder)", "Frankfurt (Oder), BB, DE"),
        ("10 Hay St, Perth 6000 WA", "Perth, WA, AU"),
        ("1 King William St, Adelaide 5000 SA", "Adelaide, SA, AU"),
        ("Bundesplatz 1, Bern 3011 BE", "Bern, BE, CH"),
        ("Coolsingel 40, 3011 AD Rotterdam", "Rotterdam, ZH, NL"),
        ("Coolsingel 40, 3011 BE Rotterdam", "Rotterdam, ZH, NL"),
        ("1 Main Street, Gibraltar GX11 1AA", "Gibraltar, GI"),
        ("1200 route de Nice, Antibes, France", "Antibes, FR"),
        ("Les Pins, 1200 route de Nice, Antibes, France", "Antibes, FR"),
        ("1234 Church St, Pretoria, South Africa", "Pretoria, ZA"),
    ],
)
def test_a_line_in_the_usual_order_of_its_country_is_found_there(
    world: Gazetteer, line: str, label: str
) -> None:
    assert locate(world, line) == label


@pytest.mark.parametrize(
    ("line", "country", "label"),
    [
        ("Via Verdi 4, 22100 Como CO", "IT", "Como, IT"),
        ("Hauptplatz 1, 8010 Graz, Steiermark", "AT", "Graz, AT"),
        ("1000 Chemin des Vignes, Sion", "CH", "Sitten, VS, CH"),
        ("Via Roma 10, Roma (RM)", "IT", "Rome, IT"),
        ("Gran Vía 1, 48001 Bilbao (Vizcaya)", "ES", "Bilbao, ES"),
        ("Via Roma 10, 00184 Roma, Lazio", "IT", "Rome, IT"),
        ("10 High Street, Guildford, Surrey", "GB", "Guildford, ENG, GB"),
        ("5 Main St, Troy MI 48083", "IT", "Troy, MI 48083, US"),
        ("10 High St, Lincoln LN1 1AA", "US", "Lincoln, ENG, GB"),
        ("1 Liberation Place, St Helier JE1 1BB", "GB", "Saint Helier, JE"),
    ],
)
def test_a_line_without_its_country_is_found_in_that_of_the_list_or_by_its_code(
    world: Gazetteer, line: str, country: str, label: str
) -> None:
    assert locate(world, line, country) == label


def test_fields_of_their_own_are_in_the_country_of_their_postal_code(world: Gazetteer) -> None:
    lincoln = Address(address1="10 High St", city="Lincoln", zip="LN1 1AA")
    guildford = Address(city="Guildford", province_code="Surrey", zip="GU1 3AA")
    found = world.geocode([lincoln, guildford, Address(city="Baltimore", zip="LN1 1AA")])
    assert [one.label for one in found if isinstance(one, Match)] == [
        "Lincoln, ENG, GB",
        "Guildford, ENG, GB",
    ]
    assert isinstance(found[2], Miss)
    assert found[2].reason.startswith('unknown city "Baltimore" in GB')


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("Via Roma 10, 00184 Rozma RM", 'unknown city "Rozma" in RM, IT'),
        ("10 High Street, Gildferd, Surrey GU1 3AA", 'unknown city "Gildferd" in Surrey'),
        ("100 Queen St W, Torronnto, ON M5H 2N2", 'unknown city "Torronnto" in ON'),
        ("Rua Augusta 25, 1100-053 Lixboa", 'unknown city "Lixboa" in PT'),
    ],
)
def test_a_refusal_names_the_part_that_is_wrong(world: Gazetteer, line: str, part: str) -> None:
    assert part in locate(world, line)
