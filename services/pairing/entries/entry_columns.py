"""The columns that a sheet of players may have: what they are called, and how a cell of each is read."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from shared.core.language.messages import Message, say


class BadCell(Exception):
    """An unreadable cell, raised with the message of the expected value."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the member of an entry that it fills, its title, how it may be headed, how a cell is read, and which cells
    tell it apart where nothing is above them (none: it has to be named)."""

    name: str
    title: Message
    headers: tuple[str, ...]
    read: Callable[[str], Any]
    looks: str = ""


def _text(cell: str) -> str:
    return " ".join(cell.split())


def _number(cell: str) -> int:
    found = re.fullmatch(r"([0-9]{1,6})(?:\.0+)?", cell)
    if found is None:
        raise BadCell(say("a whole number is expected"))
    return int(found[1])


_SEXES = {**dict.fromkeys(("m", "male", "男", "男子"), "m"), **dict.fromkeys(("f", "w", "female", "女", "女子"), "f")}


def _sex(cell: str) -> str:
    sex = _SEXES.get(cell.lower())
    if sex is None:
        raise BadCell(say("m or f, 男 or 女, is expected"))
    return sex


_ANSWERS = {
    **dict.fromkeys(("yes", "y", "1", "true", "是"), True),
    **dict.fromkeys(("no", "n", "0", "false", "否"), False),
}


def _yes(cell: str) -> bool:
    answer = _ANSWERS.get(cell.lower())
    if answer is None:
        raise BadCell(say("yes or no, 是 or 否, is expected"))
    return answer


_BIRTH = re.compile(
    r"([12][0-9]{3})(?:\s*年.*|[-/.][0-9]{1,2}(?:[-/.][0-9]{1,2})?|\.0+)?|[0-9]{1,2}[-/.][0-9]{1,2}[-/.]([12][0-9]{3})"
)


def _birth_year(cell: str) -> int:
    """The year, of a date as well: the day of birth is nobody's business here."""
    found = _BIRTH.fullmatch(cell)
    if found is None:
        raise BadCell(say("a year, such as 1998, is expected"))
    return int(found[1] or found[2])


_RANKS = {"段": "d", "級": "k", "级": "k"}
_NUMERALS = {numeral: str(n) for n, numeral in enumerate("一二三四五六七八九", 1)}


def _title(cell: str) -> str:
    """A code (GM), or a rank: 5d, 5段, 五段."""
    found = re.fullmatch(r"([1-9][0-9]?|[一二三四五六七八九])([段級级])", cell)
    if found is None:
        return cell if re.fullmatch(r"[1-9][0-9]?[dkp]", cell) else cell.upper()
    return _NUMERALS.get(found[1], found[1]) + _RANKS[found[2]]


COLUMNS: tuple[Column, ...] = (
    Column("id", say("Number"), ("number", "no", "no.", "id", "snr", "序号", "编号", "号码"), _number),
    Column("name", say("Name"), ("name", "player", "姓名", "选手", "棋手", "运动员"), _text, r"[^\d\W][^\d]*"),
    Column(
        "title",
        say("Title"),
        ("title", "rank", "称号", "段位", "等级称号"),
        _title,
        r"[WC]?[GIFCN]M|[1-9][0-9]?[dkp段级]",
    ),
    Column("rating", say("Rating"), ("rating", "rtg", "elo", "等级分", "积分", "分数"), _number, r"[1-9][0-9]{2,3}"),
    Column(
        "club",
        say("Club"),
        ("club", "team", "unit", "school", "单位", "俱乐部", "代表队", "队名", "队", "学校"),
        _text,
        r"[^\d]+",
    ),
    Column(
        "federation",
        say("Federation"),
        ("federation", "fed", "country", "协会", "国家", "代表协会"),
        str.upper,
        r"[A-Z]{3}",
    ),
    Column("sex", say("Sex"), ("sex", "gender", "性别"), _sex, r"[mfwMFW男女]"),
    Column(
        "birth_year",
        say("Year of birth"),
        (
            "birth year",
            "birthyear",
            "year of birth",
            "birth",
            "birthday",
            "date of birth",
            "born",
            "yob",
            "出生",
            "出生年",
            "出生年份",
            "出生日期",
            "出生年月",
        ),
        _birth_year,
        r"(?:19|20)[0-9]{2}(?:[-/.][0-9]{1,2}[-/.][0-9]{1,2})?",
    ),
    Column(
        "fide_id",
        say("FIDE ID"),
        ("fide id", "fideid", "fide-id", "fide no", "fide number", "fide编号", "国际棋联编号"),
        str,
        r"[1-9][0-9]{4,8}",
    ),
    Column(
        "national_id",
        say("National ID or licence"),
        (
            "national id",
            "nationalid",
            "ident-number",
            "ident",
            "licence",
            "license",
            "licence no",
            "会员号",
            "注册号",
            "证号",
        ),
        str.upper,
    ),
    Column(
        "public_history",
        say("Consents to public history"),
        ("public history", "consent", "public", "公开", "同意公开"),
        _yes,
    ),
)
"""Every column there is, in the order in which a form asks for them."""
BY_NAME = {column.name: column for column in COLUMNS}
IGNORED = "ignore"
UNNAMED = "?"
_BY_HEADER = {re.sub(r"[\s:：._-]", "", header): column.name for column in COLUMNS for header in column.headers}
_GUESSED = ("sex", "federation", "birth_year", "rating", "fide_id", "title", "name", "club")
"""The order in which columns without a header are told apart."""


def headed(header: str) -> str:
    """The column of that header; `UNNAMED` for another."""
    return _BY_HEADER.get(re.sub(r"[\s:：._-]", "", header.lower()), UNNAMED)


def recognised(rows: Sequence[Sequence[str]]) -> tuple[bool, list[str]]:
    """Whether the first row is a header, and which column each is: by its header, else by what its cells look like.

    None stands twice; a column without a cell is ignored, one that nothing tells apart is `UNNAMED`.
    """
    header = any(headed(cell) != UNNAMED for cell in rows[0])
    columns: list[str] = []
    for n, head in enumerate(rows[0]):
        cells = [row[n] for row in rows[1 if header else 0 :] if row[n]]
        if not cells and not (header and headed(head) != UNNAMED):
            columns.append(IGNORED)
            continue
        name = headed(head) if header else _guess(cells, columns)
        columns.append(UNNAMED if name in columns else name)
    return header, columns


def _guess(cells: Sequence[str], taken: Sequence[str]) -> str:
    for name in _GUESSED:
        if name not in taken and all(re.fullmatch(BY_NAME[name].looks, cell) for cell in cells):
            return name
    return UNNAMED
