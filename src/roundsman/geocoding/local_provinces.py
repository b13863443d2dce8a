"""Provinces that letters write behind their town: `00184 Roma RM`, `1204 Genève GE`, and counties.

Many of these letters are a state elsewhere, and the gazetteer has other divisions: they say in
which country a line is where its postal code fits, and nothing else.
"""

from roundsman.geocoding.normalization import fold

_CANTONS = "AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH"
_ITALIAN = """
AG AL AN AO AP AQ AR AT AV BA BG BI BL BN BO BR BS BT BZ CA CB CE CH CL CN CO CR CS CT CZ EN FC FE
FG FI FM FR GE GO GR IM IS KR LC LE LI LO LT LU MB MC ME MI MN MO MS MT NA NO NU OR PA PC PD PE PG
PI PN PO PR PT PU PV PZ RA RC RE RG RI RM RN RO SA SI SO SP SR SS SU SV TA TE TN TO TP TR TS TV UD
VA VB VC VE VI VR VT VV
"""
_LETTERS = {"CH": frozenset(_CANTONS.split()), "IT": frozenset(_ITALIAN.split())}
_DIGITS = {"CH": 4, "IT": 5}
"""Of a postal code."""

_BRITISH = """
Aberdeenshire, Angus, Antrim, Argyll, Armagh, Avon, Ayrshire, Bedfordshire, Beds, Berkshire, Berks,
Buckinghamshire, Bucks, Caithness, Cambridgeshire, Cambs, Cheshire, Cleveland, Clwyd, Cornwall,
Cumbria, Derbyshire, Devon, Dorset, Down, Dumfriesshire, Dunbartonshire, Durham, Dyfed,
East Lothian, East Sussex, East Yorkshire, Essex, Fermanagh, Fife, Gloucestershire, Glos,
Greater London, Greater Manchester, Gwent, Gwynedd, Hampshire, Hants, Herefordshire,
Hertfordshire, Herts, Humberside, Invernessshire, Isle of Wight, Kent, Kinross, Lanarkshire,
Lancashire, Lancs, Leicestershire, Leics, Lincolnshire, Lincs, Londonderry, Merseyside,
Mid Glamorgan, Middlesex, Middx, Midlothian, Moray, Norfolk, North Yorkshire, Northamptonshire,
Northants, Northumberland, Nottinghamshire, Notts, Oxfordshire, Oxon, Perthshire, Powys,
Renfrewshire, Rutland, Shropshire, Somerset, South Glamorgan, South Yorkshire, Staffordshire,
Staffs, Stirlingshire, Suffolk, Surrey, Sussex, Tyne and Wear, Tyrone, Warwickshire,
West Glamorgan, West Lothian, West Midlands, West Sussex, West Yorkshire, Wiltshire, Wilts,
Worcestershire, Worcs, Yorkshire
"""
_COUNTIES = frozenset(map(fold, _BRITISH.split(",")))
"""Counties of the United Kingdom as they are written behind a town, and their abbreviations."""


def countries_of_letters(province: str, zip_code: str) -> tuple[str, ...]:
    """Return the countries that have a province or canton of these letters and such a code."""
    code, letters = zip_code.strip(), province.strip().upper()
    return tuple(
        country
        for country, known in _LETTERS.items()
        if letters in known and code.isdigit() and len(code) == _DIGITS[country]
    )


def has_letters(country: str, province: str) -> bool:
    """Return whether the letters are a province or canton of this country."""
    return province.strip().upper() in _LETTERS.get(country, ())


def is_british_county(text: str) -> bool:
    """Return whether the name, with `Co.` before it or without, is a British county's."""
    name = fold(text)
    return name.removeprefix("county ").removeprefix("co ") in _COUNTIES
