"""Entries by form: one player typed, a list pasted or sent as a file, shown as it was read before it is entered."""

import re
from io import BytesIO
from typing import Any

import pytest
from werkzeug.test import TestResponse

from services.pairing.entries.entry_columns import BY_NAME
from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import HOST, Person

pytestmark = pytest.mark.usefixtures("call")

ENTRIES = "/t/<t>/entries"
LIST = "姓名\t等级分\t单位\t性别\t出生年份\n王伟\t2100\t上海\t男\t1998\n李娜\t2050\t北京\t女\t1999-05-03\n"
HOSTILE = "<script>alert(1)</script>"


def players(call: Call) -> int:
    return int(call("GET", "/v1/tournaments/<t>").json["players"])


@pytest.fixture
def before(call: Call) -> int:
    return players(call)


def sheet(person: Person, content: bytes, name: str = "list.csv") -> TestResponse:
    """A file sent."""
    fields: dict[str, Any] = {**person.opens(ENTRIES), "cells": "", "read": "yes", "file": (BytesIO(content), name)}
    path = ENTRIES.replace("<t>", person.t)
    return person.client.post(path, data=fields, headers={"Origin": HOST}, content_type="multipart/form-data")


def shown(answer: TestResponse) -> dict[str, Any]:
    """The fields of a preview as a browser would send them."""
    text = answer.text.partition('id="preview"')[2].partition("</form>")[0]
    fields: dict[str, Any] = dict(re.findall(r'<input type="hidden" name="(seq|once)" value="([^"]*)">', text))
    fields["column"] = re.findall(r'<option value="([^"]+)" selected>', text)
    if 'name="head" value="yes" checked' in text:
        fields["head"] = "yes"
    cells = text.partition('<textarea id="cells"')[2].partition(">\n")[2].partition("</textarea>")[0]
    return fields | {
        "cells": cells.replace("&#34;", '"').replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    }


def test_one_player_is_typed(call: Call, comes: Comes, t: str, before: int):
    answer = comes("organiser").fills(
        ENTRIES,
        name="王伟",
        rating="2100",
        title="5段",
        club="棋院",
        federation="chn",
        sex="男",
        birth_year="1998",
        fide_id="8603677",
    )
    assert answer.status_code == 303, answer.text
    assert players(call) == before + 1
    again = comes("organiser").sees(answer.headers["Location"]).text.partition('id="one"')
    assert again[0].endswith("<details open ") and re.search(r'name="name" value="" [^>]* autofocus>', again[2])
    card = comes().sees(f"/t/<t>/players/{before + 1}").text
    assert all(said in card for said in ("王伟", "2100", "5 dan", "棋院", "CHN", "1998", "8603677"))


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("rating", "strong"),
        ("rating", "12000"),
        ("title", "国际高手"),
        ("federation", "CHINA"),
        ("sex", "x"),
        ("birth_year", "98"),
        ("fide_id", "86O3677"),
        ("name", "x" * 201),
        ("id", "0"),
        ("id", "1"),
    ],
)
def test_a_wrong_field_is_told_and_what_was_typed_is_still_there(
    call: Call, comes: Comes, before: int, field: str, typed: str
):
    answer = comes("organiser").fills(ENTRIES, **{"name": HOSTILE, field: typed})
    assert answer.status_code in (409, 422)
    assert f'name="{field}" value="{typed}"' in answer.text
    assert HOSTILE not in answer.text
    assert players(call) == before


def test_a_pasted_list_is_shown_and_then_entered_once(call: Call, comes: Comes, before: int):
    person = comes("organiser")
    answer = person.fills(ENTRIES, cells=LIST, read="yes")
    assert answer.status_code == 200
    assert players(call) == before, "nothing is entered by looking"
    fields = shown(answer)
    assert fields["column"] == ["name", "rating", "club", "sex", "birth_year"]
    assert "1999 <small>← 1999-05-03</small>" in answer.text
    first, second = (person.sends(ENTRIES, fields | {"confirm": "yes"}) for _ in range(2))
    assert (first.status_code, second.status_code) == (303, 303), second.text
    assert first.headers["Location"] == second.headers["Location"]
    assert players(call) == before + 2


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (LIST.encode(), "UTF-8"),
        (b"\xef\xbb\xbf" + LIST.replace("\t", ",").encode(), "UTF-8"),
        (LIST.replace("\t", ";").encode("gb18030"), "GB18030"),
        (LIST.replace("\n", "\r\n").encode("gb18030"), "GB18030"),
        (LIST.encode("utf-16"), "UTF-16LE"),
        (b"sep=;\r\n" + LIST.replace("\t", ";").replace("\n", "\r\n").encode(), "UTF-8"),
        (b'\xef\xbb\xbf"sep=,"\n' + LIST.replace("\t", ",").encode(), "UTF-8"),
    ],
    ids=[
        "tabs",
        "commas after a mark",
        "semicolons",
        "lines of Windows",
        "two bytes a letter",
        "sep=;",
        "sep=, after a mark",
    ],
)
def test_a_file_is_read_in_the_encodings_of_the_hall(comes: Comes, content: bytes, name: str):
    answer = sheet(comes("organiser"), content)
    assert answer.status_code == 200 and name in answer.text
    assert shown(answer)["column"] == ["name", "rating", "club", "sex", "birth_year"]
    assert "王伟" in answer.text


CENTRAL = "name\trating\nMüller\t2210\nDvořák\t2100\n"


@pytest.mark.parametrize(
    ("content", "name", "read_as"),
    [
        (CENTRAL.encode("cp1250"), "list.csv", "CP1250"),
        (
            "001    1      Müller                            2210\n001    2      Dvořák                            2100\n".encode(
                "cp1250"
            ),
            "open.trf",
            "TRF",
        ),
    ],
    ids=["cells", "report file"],
)
def test_a_file_that_does_not_tell_its_encoding_is_read_as_it_is_chosen(
    call: Call, comes: Comes, before: int, content: bytes, name: str, read_as: str
):
    person = comes("organiser")
    asked = sheet(person, content, name)
    assert asked.status_code == 422 and "its encoding cannot be detected" in asked.text
    form = asked.text.partition('id="encoding"')[2].partition("</form>")[0]
    offered = dict(re.findall(r'name="encoding" value="([^"]+)" required> (.*?) <small>', form))
    assert "Müller" in offered["cp1250"] and "Müller" not in offered["cp1251"]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form))

    # what was not chosen, or is no encoding, is asked again; what is no file is none
    for wrong in ({}, {"encoding": "klingon"}):
        assert 'id="encoding"' in person.sends(ENTRIES, fields | wrong).text
    assert person.sends(ENTRIES, fields | {"encoding": "cp1250", "file_bytes": "*"}).status_code == 422

    # what was chosen is read so, without the file being looked for again
    answer = person.sends(ENTRIES, fields | {"encoding": "cp1250"})
    assert answer.status_code == 200, answer.text
    assert "Dvořák" in answer.text and read_as in answer.text
    sent = shown(answer)
    if read_as == "TRF":
        sent["column"][0] = "ignore"
    assert person.sends(ENTRIES, sent | {"confirm": "yes"}).status_code == 303
    assert players(call) == before + 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_report_file_gives_its_players(call: Call, comes: Comes, before: int, encoding: str):
    trf = (
        "012 Open\n"
        "001    1 m GM Carlsen, Magnus                   2850 NOR     1503014 1990/11/30  0.0    1\n"
        "001    2 w  M Hou, Yifan                        2650 CHN     8602980 1994/00/00  0.0    2\n"
    )
    person = comes("organiser")
    answer = sheet(person, trf.encode(encoding), "open.trf")
    assert answer.status_code == 200, answer.text
    fields = shown(answer)
    assert "1503014" in answer.text and "1990" in answer.text
    fields["column"][0] = "ignore"  # the numbers are taken by those who are there
    assert person.sends(ENTRIES, fields | {"confirm": "yes"}).status_code == 303
    assert players(call) == before + 2
    assert "Hou, Yifan" in person.sees(f"/t/<t>/players/{before + 2}").text


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK\x03\x04rest", "unreadable workbook"),
        (b"\xd0\xcf\x11\xe0rest", "an old workbook"),
        (LIST.encode("utf-16-le"), "its encoding cannot be detected"),
        (b"name\nM\xfcller\n", "line 2: its encoding cannot be detected; it could be"),
        (b"", "the file is empty"),
        (b"name,rating\n", "only a header"),
        (b'name,club\n"open,x\n', "quotation marks"),
        (b"001 what is this\n", "list.csv:1"),
    ],
    ids=[
        "workbook",
        "old workbook",
        "UTF-16 without a mark",
        "no encoding",
        "empty",
        "header alone",
        "open quotes",
        "no report file",
    ],
)
def test_what_is_no_list_is_refused_with_the_place(call: Call, comes: Comes, before: int, content: bytes, why: str):
    answer = sheet(comes("organiser"), content)
    assert answer.status_code == 422
    assert why in answer.text
    assert players(call) == before


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ("姓名\t等级分\n王伟\t强\n", "a whole number is expected"),
        ("姓名\t性别\n王伟\t?\n", "m or f"),
        ("姓名\t姓名\n王伟\t王伟\n", "column 2"),
        ("等级分\n2100\n", "the column of the names is missing; assign it"),
        ("姓名\t等级分\n\t2100\n", "this field is required"),
        ("姓名\t单位\n王伟\t上海\n王伟\t上海\n", "same name and club as row 2"),
        ("Name\tFIDE ID\nA\t8603677\nB\t8603677\n", "same FIDE ID as row 2"),
        ("Name\nPlayer 1\n", "number 1 is already entered"),
    ],
)
def test_a_wrong_cell_is_told_in_its_place_and_nothing_is_entered(
    call: Call, comes: Comes, before: int, cells: str, why: str
):
    person = comes("organiser")
    answer = person.fills(ENTRIES, cells=cells, read="yes")
    assert answer.status_code == 200 and why in answer.text
    refused = person.sends(ENTRIES, shown(answer) | {"confirm": "yes"})
    assert refused.status_code in (409, 422) and why in refused.text
    assert players(call) == before


def test_a_column_is_named_otherwise_or_ignored_aloud(call: Call, comes: Comes, before: int):
    person = comes("organiser")
    fields = shown(person.fills(ENTRIES, cells="姓名\t赞助商\n王伟\t茶\n", read="yes"))
    assert fields["column"] == ["name", "ignore"]
    ignored = person.sends(ENTRIES, fields | {"again": "yes"})
    assert "<s>茶</s>" in ignored.text
    as_club = shown(ignored) | {"column": ["name", "club"], "confirm": "yes"}
    assert person.sends(ENTRIES, as_club).status_code == 303
    assert "茶" in person.sees(f"/t/<t>/players/{before + 1}").text


def test_two_people_of_one_name_and_club_are_entered_when_somebody_says_so(call: Call, comes: Comes, before: int):
    person = comes("organiser")
    fields = shown(person.fills(ENTRIES, cells="姓名\t单位\n王伟\t上海\n王伟\t上海\n", read="yes"))
    assert person.sends(ENTRIES, fields | {"confirm": "yes", "same": "yes"}).status_code == 303
    assert players(call) == before + 2


def test_cells_without_a_header_are_told_apart_by_what_they_hold(comes: Comes):
    answer = comes("organiser").fills(ENTRIES, cells="王伟\t2100\t男\t1998\n李娜\t2050\t女\t1999\n", read="yes")
    assert shown(answer)["column"] == ["name", "rating", "sex", "birth_year"]


FORM = (
    "2026年全市象棋锦标赛报名表\t\t\t\t\t\n参赛队：上海棋院\t\t领队：周\t\t\t\n"
    "序 号\t姓名（中文）\t代表单位\t技术等级\t等级分\t手机\n"
    "１１\t王伟\t上海\t国际大师\t２１００\t13800000000\n12\t李娜\t北京\t一级棋士\t2050\t\n13\t张三\t北京\t无\t\t\n"
    "14\t\t\t\t\t\n填表人：赵\t\t\t\t日期：5月1日\t\n"
)


def test_an_entry_form_as_people_have_it_is_read_from_its_header_to_its_last_player(
    call: Call, comes: Comes, before: int
):
    person = comes("organiser")
    answer = person.fills(ENTRIES, cells=FORM, read="yes")
    fields = shown(answer)
    assert fields["column"] == ["id", "name", "club", "title", "rating", "ignore"]
    assert "Columns that are not stored: 手机." in answer.text
    assert all(
        f"<li>{row}</li>" in answer.text for row in ("2026年全市象棋锦标赛报名表", "14", "填表人：赵 日期：5月1日")
    )
    assert "13800000000" not in fields["cells"].partition("\n")[0] and "填表人" not in fields["cells"]
    assert person.sends(ENTRIES, fields | {"confirm": "yes"}).status_code == 303
    assert players(call) == before + 3
    cards = [comes().sees(f"/t/<t>/players/{n}").text for n in (11, 12, 13)]
    assert all(said in cards[0] for said in ("王伟", "IM", "2100", "上海"))
    assert "First-class Player" in cards[1] and "Player</li>" not in cards[2]


@pytest.mark.parametrize(
    ("game", "written", "code"),
    [
        ("xiangqi", "特级大师", "NGM"),
        ("chess", "特级大师", "GM"),
        ("xiangqi", "国际特级大师", "GM"),
        ("xiangqi", "大师", "NM"),
        ("chess", "棋协大师", "AM"),
        ("go", "业余五段", "5d"),
        ("go", "职业九段", "9p"),
        ("go", "3级", "3k"),
        ("chess", "wgm", "WGM"),
        ("go", "无", None),
    ],
)
def test_a_title_is_read_as_its_game_writes_it(game: str, written: str, code: str | None):
    assert BY_NAME["title"].read(written, game) == code


def test_who_was_entered_meanwhile_is_not_entered_again(call: Call, comes: Comes, before: int):
    person = comes("organiser")
    fields = shown(person.fills(ENTRIES, cells=LIST, read="yes"))
    assert (
        call("POST", "/v1/tournaments/<t>/entries", {"players": [{"name": "李娜", "club": "北京"}]}).status_code == 201
    )
    answer = person.sends(ENTRIES, fields | {"confirm": "yes"})
    assert answer.status_code == 409 and "already entered" in answer.text
    assert players(call) == before + 1


def test_what_others_write_meanwhile_does_not_matter(call: Call, comes: Comes, before: int):
    person = comes("organiser")
    fields = shown(person.fills(ENTRIES, cells=LIST, read="yes"))
    assert call("POST", "/v1/tournaments/<t>/entries", {"players": [{"name": "Late"}]}).status_code == 201
    assert person.sends(ENTRIES, fields | {"confirm": "yes"}).status_code == 303
    assert players(call) == before + 3


@pytest.mark.parametrize(("role", "status"), [(None, 401), ("arbiter", 403), ("player", 403)])
def test_who_may_not_enter_is_told_and_keeps_what_was_typed(
    call: Call, comes: Comes, before: int, role: Any, status: int
):
    person = comes(role, "p1") if role == "player" else comes(role)
    fields = person.opens(ENTRIES) | {"name": "王伟"}
    answer = person.sends(ENTRIES, fields)
    assert answer.status_code == status and "王伟" in answer.text
    assert players(call) == before


def test_a_form_of_another_site_is_refused(call: Call, comes: Comes, before: int):
    person = comes("organiser")
    for fields in ({"name": "王伟"}, {"cells": LIST, "confirm": "yes"}):
        assert person.sends(ENTRIES, person.opens(ENTRIES) | fields, origin="http://evil.example").status_code == 403
    assert players(call) == before


def test_hostile_names_stay_text_in_the_preview_and_in_chinese(comes: Comes):
    person = comes("organiser")
    person.client.set_cookie("arbiter_language", "zh-CN")
    answer = person.fills(ENTRIES, cells=f'姓名\t单位\n{HOSTILE}\t"""><img src=x>"\n', read="yes")
    assert answer.status_code == 200
    assert HOSTILE not in answer.text and "<img" not in answer.text
    assert "忽略" in answer.text and "ignore<" not in answer.text
