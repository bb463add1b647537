"""A QR code on a page: what stands in it, how it is called, and that it is dark on light whatever the theme."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
import segno

from shared.web.qr import qr

SVG = "{http://www.w3.org/2000/svg}"
LINK = "https://hall.example/invitations/Xk9_-q"


def dark(path: str) -> Iterator[tuple[int, int]]:
    """The column and the row of each module that lines of one unit's width cover."""
    column, row = 0.0, 0.5
    for step, along, down in re.findall(r"([Mmh])(-?[\d.]+)(?: ?(-?[\d.]+))?", path):
        if step == "h":
            yield from ((int(column) + n, int(row)) for n in range(int(along)))
        column = float(along) if step == "M" else column + float(along)
        if down:
            row = float(down) if step == "M" else row + float(down)


def test_the_modules_of_the_code_stand_in_the_picture_with_its_quiet_zone():
    drawn = ElementTree.fromstring(qr(LINK, "link"))
    modules = segno.make_qr(LINK, error="m", boost_error=False).matrix
    expected = {(x + 4, y + 4) for y, line in enumerate(modules) for x, bit in enumerate(line) if bit}
    ground, lines = drawn.iter("path") if drawn.tag == "svg" else drawn.iter(f"{SVG}path")
    assert set(dark(lines.attrib["d"])) == expected
    assert (ground.attrib["fill"], lines.attrib["stroke"]) == ("#fff", "#000")
    assert drawn.attrib["viewBox"] == f"0 0 {len(modules) + 8} {len(modules) + 8}"


def test_it_is_called_by_its_title_and_has_no_style_or_script_of_its_own():
    drawn = qr(LINK, "<script>\"'&")
    root = ElementTree.fromstring(drawn)
    assert root.attrib["role"] == "img" and next(iter(root)).text == "<script>\"'&"
    assert "<script" not in drawn and "style" not in drawn


def test_more_than_a_code_holds_is_refused():
    with pytest.raises(segno.DataOverflowError):
        qr("x" * 2332, "too long")
