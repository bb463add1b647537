"""A list of players in a workbook: read in the same preview, or refused with the row."""

import zipfile
from collections.abc import Callable
from datetime import date
from io import BytesIO
from typing import Any

import openpyxl
import pytest

from services.pairing.entries.entry_sheet import MOST_COLUMNS, MOST_ROWS, BadSheet
from services.pairing.entries.entry_workbook import cells_of_workbook
from tests.forms.conftest import Comes
from tests.forms.test_entries import ENTRIES, players, sheet, shown
from tests.http.calls import Call

HEAD = ["姓名", "等级分", "单位", "出生日期"]
WANG = ["王伟", 2100.0, "上海\n棋院", date(1998, 5, 3)]


def workbook(*rows: list[Any], change: Callable[[Any], None] = lambda sheet: None) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    change(book.active)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def packed(content: bytes, **parts: bytes) -> bytes:
    """The workbook with these parts in place of its own."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.infolist():
            new.writestr(one.filename, parts.pop(one.filename.rpartition("/")[2].partition(".")[0], old.read(one)))
        for name, part in parts.items():
            new.writestr(f"xl/{name}.xml", part)
    return out.getvalue()


def test_a_workbook_is_shown_and_entered_as_a_pasted_list_is(call: Call, comes: Comes):
    before, person = players(call), comes("organiser")
    answer = sheet(person, workbook(HEAD, WANG, [], ["李娜 <b>", None, "北京", None]), "list.xlsx")
    assert answer.status_code == 200 and "XLSX, Sheet" in answer.text, answer.text
    fields = shown(answer)
    assert fields["column"] == ["name", "rating", "club", "birth_year"]
    assert "1998 <small>← 1998-05-03</small>" in answer.text and "李娜 &lt;b&gt;" in answer.text
    assert person.sends(ENTRIES, fields | {"confirm": "yes"}).status_code == 303
    assert players(call) == before + 2
    assert "上海 棋院" in person.sees(f"/t/<t>/players/{before + 1}").text


def test_the_first_sheet_that_is_shown_is_read():
    def hide(sheet: Any) -> None:
        sheet.sheet_state = "hidden"
        other = sheet.parent.create_sheet("名单")
        other.append(["Name"])
        other.append(["A"])

    assert cells_of_workbook(workbook(["secret"], change=hide)) == ([["Name"], ["A"]], "名单")


def test_merged_cells_count_for_each_of_their_rows():
    def merge(sheet: Any) -> None:
        for cells in ("A1:C1", "A3:A4", "A5:B9"):
            sheet.merge_cells(cells)

    rows = [["报名表", None, None], ["单位", "姓名", None], ["上海", "王伟", 1], [None, "李娜", 2], ["北京", None, 3]]
    cells, _ = cells_of_workbook(workbook(*rows, change=merge))
    assert cells == [
        ["报名表", "", ""],
        ["单位", "姓名", ""],
        ["上海", "王伟", "1"],
        ["上海", "李娜", "2"],
        ["北京", "", "3"],
    ]


def _error(sheet: Any) -> None:
    sheet["B2"] = "#REF!"


def _formula(sheet: Any) -> None:
    sheet["B2"] = "=1000+1100"


ENTITIES = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (workbook(HEAD, WANG, change=_error), "row 2: the cell B2 has the error #REF!"),
        (workbook(HEAD, WANG, change=_formula), "row 2: the formula of the cell B2 was not computed"),
        (workbook(), "the file is empty"),
        (workbook(*[["x"]] * (MOST_ROWS + 2)), "more than 2000 rows"),
        (workbook(["x"] * (MOST_COLUMNS + 1)), "more than 40 columns"),
        (packed(workbook(HEAD), bomb=bytes(9_000_000)), "larger than 8000000 bytes"),
        (packed(workbook(HEAD), bomb=bytes(3_000_000)), "unusual compression"),
        (packed(workbook(HEAD), sheet1=ENTITIES), "unusual compression"),
        (packed(workbook(HEAD), sheet1=b"<no"), "unreadable workbook"),
        (packed(workbook(HEAD), workbook=b"<x/>"), "shows no sheet"),
        (workbook(HEAD)[:200], "unreadable workbook"),
    ],
    ids=[
        "error", "formula", "empty", "rows", "columns", "large", "bomb", "entities", "not XML", "no book", "cut",
    ],
)  # fmt: skip
def test_a_workbook_that_is_no_list_is_refused_with_its_row(content: bytes, why: str):
    with pytest.raises(BadSheet) as problem:
        cells_of_workbook(content)
    assert why in str(problem.value)
