"""An organization's colour on pages, made lighter or darker until text in it can be read.

Contrast is that of the Web Content Accessibility Guidelines 2.2, success criterion 1.4.3: 4.5:1.
"""

from typing import Annotated

from msgspec import Meta

type Color = Annotated[
    str,
    Meta(
        pattern=r"^(#[0-9a-fA-F]{6})?$",
        description="a colour in six hexadecimal digits, such as #1d4ed8",
    ),
]

LEAST_CONTRAST = 4.5
_STEPS = 50

type _Light = tuple[float, float, float]


def readable_color(color: str, background: str) -> str:
    """Return the colour, or the nearest shade of it that can be read on a background.

    Text of the background's colour can then be read on it, too.
    """
    target = "#000000" if _luminance(_parts(background)) > 0.18 else "#ffffff"
    for step in range(_STEPS + 1):
        shade = _mixed(color, target, step / _STEPS)
        if contrast(shade, background) >= LEAST_CONTRAST:
            return shade
    return target


def contrast(one: str, other: str) -> float:
    """Return how much lighter one of two colours is, from 1 to 21."""
    darker, lighter = sorted(_luminance(_parts(color)) for color in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def _mixed(color: str, target: str, share: float) -> str:
    mixed = (
        round((one + (other - one) * share) * 255)
        for one, other in zip(_parts(color), _parts(target), strict=True)
    )
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _parts(color: str) -> _Light:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _luminance(parts: _Light) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
