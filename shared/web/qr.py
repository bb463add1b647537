"""QR codes (ISO/IEC 18004) on pages and papers: inline SVG, which the Content-Security-Policy takes."""

from functools import lru_cache

import segno
from markupsafe import Markup

_KEPT = 2048
"""Codes kept: those of the slips of some rounds, which are drawn again each time that a page is asked for."""
_QUIET_ZONE = 4
"""Light modules around the code (ISO/IEC 18004, 5.3.8)."""


@lru_cache(maxsize=_KEPT)
def qr(text: str, title: str) -> Markup:
    """A text as a QR code with the name ``title``, as wide as the style sheet lets it be (class ``qr``).

    Dark on light in every theme and on paper, for not every camera reads the inverse; 15 % of it may be lost. Raises
    `segno.DataOverflowError` for a text of more than 2,331 bytes.
    """
    code = segno.make_qr(text, error="m", boost_error=False)
    drawn = code.svg_inline(
        border=_QUIET_ZONE, dark="#000", light="#fff", svgclass="qr", lineclass=None, title=title, omitsize=True
    )
    return Markup(drawn.replace("<svg ", '<svg role="img" shape-rendering="crispEdges" ', 1))  # noqa: S704  segno escapes the title
