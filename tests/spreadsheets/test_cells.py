import json

import pytest

from roundsman.domain.address import Address
from roundsman.domain.item import Item
from roundsman.spreadsheets import written
from roundsman.spreadsheets.addresses import ZipAndCity, find_two_addresses, split_zip_and_city
from roundsman.spreadsheets.cells import meant
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.columns import understand_columns
from roundsman.spreadsheets.numbers import parse_count, parse_weight
from roundsman.spreadsheets.stop_sheet import read_stop_sheet


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("'02139", "02139"),
        ("'+15125550101", "+15125550101"),
        ("'Ann'", "Ann"),
        ('="00123"', "00123"),
        ("=1+2", "=1+2"),
        ("'s-Hertogenbosch", "'s-Hertogenbosch"),
        ("O'Neil", "O'Neil"),
    ],
)
def test_a_cell_says_what_stands_behind_a_programs_marks(cell: str, says: str) -> None:
    assert meant(cell) == says


@pytest.mark.parametrize(
    "cell", ["n/a", "N/A", "-", "k.A.", "none", "NULL", "#N/A", "#NV", "nvt", "N/D", "'n/a"]
)
def test_words_for_nothing_are_nothing(cell: str) -> None:
    assert meant(cell) == ""


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        ("69117 Heidelberg", ZipAndCity(zip="69117", city="Heidelberg")),
        ("D-69117 Heidelberg", ZipAndCity(zip="D-69117", city="Heidelberg")),
        ("1012 AB Amsterdam", ZipAndCity(zip="1012 AB", city="Amsterdam")),
        ("Baltimore, MD 21201", ZipAndCity(zip="21201", city="Baltimore", province="MD")),
        ("Wien 1010", ZipAndCity(zip="1010", city="Wien")),
        ("LILLE CEDEX 9", ZipAndCity(city="LILLE")),
        ("Den Haag", ZipAndCity(city="Den Haag")),
    ],
)
def test_a_code_is_taken_out_of_a_citys_cell(cell: str, parts: ZipAndCity) -> None:
    assert split_zip_and_city(cell) == parts


@pytest.mark.parametrize(
    "cell",
    [
        "Hauptstr. 55 / Bergstr. 7",
        "12 rue Haute ou 14 rue Basse",
        "Hoofdstraat 18/Laan 4",
        "1 Aliceanna St or 200 Pier 5",
        "Hauptstr. 5 und Bergstr. 7",
    ],
)
def test_two_addresses_in_one_cell_are_seen(cell: str) -> None:
    assert find_two_addresses(cell) is not None


@pytest.mark.parametrize(
    "cell",
    [
        "Hauptstr. 5/7",
        "Hauptstr. 5/2/14",
        "20/22 Main St",
        "Flat 3 / 22 Bridge Street",
        "100 Main St / 2nd Floor",
        "C/ Alcalá 45, 3º B",
        "5th Ave & 42nd St",
        "Calle 5 y Avenida 3",
        "Straße des 17. Juni 135",
        "12 rue du 11 novembre",
        "100 Oak and Pine St 5",
    ],
)
def test_numbers_of_one_address_are_not_taken_for_two(cell: str) -> None:
    assert find_two_addresses(cell) is None


@pytest.mark.parametrize("text", ["3", "3x", "3 boxes", "3 Stk.", "3 colis"])
def test_a_count_may_be_called_by_a_word(text: str) -> None:
    assert parse_count(text, 100) == 3


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("ca. 15 kg", 15_000),
        ("1,2 t", 1_200_000),
        ("1.250,5 kg", 1_250_500),
        ("1,250.5 kg", 1_250_500),
        ("1 250,5 kg", 1_250_500),
        ("1'250.5 kg", 1_250_500),
        ("1.250 kg", 1_250),
    ],
)
def test_a_weight_may_be_about_and_in_tonnes(text: str, grams: int) -> None:
    assert parse_weight(text, "") == grams


def test_a_marked_address_counts_before_another_one_and_is_not_mixed_with_it() -> None:
    sheet = read_stop_sheet(
        b"name,street,city,zip,ship to street,ship to city\n"
        b"Ann,1 Shop St,Bern,3011,2 Home St,Chur\nBob,1 Shop St,Bern,3011,,\n"
    )
    assert [draft.address for _, draft in sheet.stops] == [
        Address(address1="2 Home St", city="Chur"),
        Address(address1="1 Shop St", city="Bern", zip="3011"),
    ]


@pytest.mark.parametrize(
    "headers",
    [
        "Lieferadresse Straße;Lieferadresse PLZ;Lieferadresse Ort;Lieferadresse Land",
        "Ship-to Street;Ship-to Zip;Ship-to City;Ship-to Country",
        "Street (Shipping);Postcode (Shipping);City (Shipping);Country Code (Shipping)",
        "Delivery address;Delivery zip/postal code;Delivery city;Delivery country",
        "Adresse de livraison;CP;Ville;Pays",
    ],
)
def test_an_address_is_read_under_headers_that_are_marked(headers: str) -> None:
    sheet = read_stop_sheet(f"name;{headers}\nAnn;Gasse 1;3011;Bern;CH\n".encode())
    ((_, draft),) = sheet.stops
    assert draft.address == Address(address1="Gasse 1", zip="3011", city="Bern", country_code="CH")


def test_a_billing_address_is_no_place_to_deliver_to_but_its_phone_counts() -> None:
    columns = understand_columns(["Billing City", "Billing Zip", "Billing Phone", "City"])
    assert columns.indexes == {Field.CITY: (3,), Field.PHONE: (2,)}


def test_when_a_shop_took_an_order_is_not_when_it_is_delivered() -> None:
    assert Field.TIME_WINDOWS not in understand_columns(["City", "Time", "Item"]).indexes
    assert Field.TIME_WINDOWS in understand_columns(["City", "Time"]).indexes


GOODS = "order,item,qty,city,street\n"


@pytest.mark.parametrize(
    ("rows", "goods"),
    [
        ("1,Tea,2,Bern,A 1\n1,Mug,1,,\n", [(2, [2, 1])]),
        ("1,Tea,2,Bern,A 1\n1,Mug,1,Bern,A 1\n", [(2, [2, 1])]),
        ("1,Tea,2,Bern,A 1\n1,Mug,1,Bern,B 2\n", [(2, [2]), (3, [1])]),
        ("1,Tea,2,Bern,A 1\n2,Tea,1,Chur,\n1,Mug,1,,\n", [(2, [2, 1]), (3, [1])]),
    ],
    ids=["no address", "the same address", "another address", "apart"],
)
def test_further_lines_of_an_order_are_its_goods(
    rows: str, goods: list[tuple[int, list[int]]]
) -> None:
    sheet = read_stop_sheet((GOODS + rows).encode())
    assert [(row, [item.quantity for item in draft.items]) for row, draft in sheet.stops] == goods
    assert sheet.rejected == ()


def test_where_no_goods_are_listed_rows_that_are_alike_stay_stops() -> None:
    sheet = read_stop_sheet(b"name,city\nAnn,Bern\nAnn,Bern\n")
    assert [row for row, _ in sheet.stops] == [2, 3]


def test_a_further_line_of_an_order_that_is_left_out_goes_with_it() -> None:
    sheet = read_stop_sheet((GOODS + "1,Tea,2,,\n1,Mug,1,,\n").encode())
    assert sheet.stops == ()
    assert sheet.rejected[1].reason == "belongs to the order of row 2, which is left out"


def test_goods_keep_their_names() -> None:
    ((_, draft),) = read_stop_sheet(b"city,sku,item,qty,kg\nBern,T-1,Tea,2,0.5\n").stops
    assert draft.items == (Item(name="Tea", sku="T-1", quantity=2, grams=500),)


def test_coordinates_that_cannot_be_read_cost_no_stop_that_has_an_address() -> None:
    sheet = read_stop_sheet(b"city,lat,lng\nBern,here,7.4\nBern,46.9,\n,here,7.4\n")
    assert [row for row, _ in sheet.stops] == [2, 3]
    assert [row.row for row in sheet.rejected] == [4]
    assert [remark.rows for remark in sheet.remarks] == [(2,), (3,)]


def test_phones_in_national_form_are_those_of_the_country_that_is_the_default() -> None:
    content = b"city,phone\nBern,031 555 01 23\n"
    assert not read_stop_sheet(content).stops[0][1].contact
    contact = read_stop_sheet(content, country="CH").stops[0][1].contact
    assert contact
    assert contact.phone == "+41315550123"


@pytest.mark.parametrize("text", ["1.25,5 kg", "1,250,5 kg", "1.250.5 kg"])
def test_a_weight_whose_separators_contradict_each_other_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        parse_weight(text, "")


@pytest.mark.parametrize(
    ("header", "cell", "words"),
    [
        ("tags", ",".join(f"t{number}" for number in range(101)), " must "),
        ("attributes", json.dumps({"a": "x" * 1_501}), " must "),
        ("loads", '{"pallets": -1}', " must "),
        ("itemList", json.dumps([{"name": "x"}] * 500), " must "),
        ("orderReferenceUrl", "http://shop.example/1", "must be an https:// URL"),
    ],
)
def test_a_column_of_another_program_that_a_stop_cannot_have_costs_no_row(
    header: str, cell: str, words: str
) -> None:
    file = written.write_csv(
        ["name", "latitude", "longitude", header], [["Ann", 39.3, -76.6, cell]]
    )
    sheet = read_stop_sheet(file)
    assert sheet.rejected == ()
    (remark,) = sheet.remarks
    assert (remark.rows, remark.column) == ((2,), header)
    assert words in remark.message
    (rejected,) = read_stop_sheet(file, strict=True).rejected
    assert rejected.problems[0].column == header
