"""The columns that a sheet of players may have: what they are called, and how a cell of each is read."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from shared.core.language.messages import Message, say
from shared.core.values.titles import WORDS, title_code


class BadCell(Exception):
    """An unreadable cell, raised with the message of the expected value."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the member of an entry that it fills, its title, how it may be headed, how a cell is read for a game, and which
    cells tell it apart where nothing is above them (none: it has to be named)."""

    name: str
    title: Message
    headers: tuple[str, ...]
    read: Callable[[str, str], Any]
    looks: str = ""


def _coded(read: Callable[[str], Any]) -> Callable[[str, str], Any]:
    """Return a reader of cells in which full-width letters and digits mean the same as others: ２１００."""
    return lambda cell, game: read(normalize("NFKC", cell).strip())


def _text(cell: str, game: str) -> str:
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
_NUMERALS = {numeral: str(n) for n, numeral in enumerate("一二三四五六七八九十", 1)}
_RANK = re.compile(r"(职业|职|专业|业余|业)?([1-9][0-9]?|[一二三四五六七八九十])([段級级])")


def _title(cell: str, game: str) -> str | None:
    """Return a code (GM), also of a title in words (大师), or a rank: 5d, 5段, 业余五段, 职业九段 (9p). None for 无."""
    cell = normalize("NFKC", cell).strip()
    if cell in ("无", "-", "—", "/"):
        return None
    code = title_code(cell, game)
    if code is not None:
        return code
    found = _RANK.fullmatch(cell)
    if found is None:
        if not cell.isascii():
            raise BadCell(say("a title such as GM or 大师, or a rank such as 5段, is expected"))
        return cell if re.fullmatch(r"[1-9][0-9]?[dkp]", cell) else cell.upper()
    kind = "p" if found[3] == "段" and (found[1] or "业")[0] in "职专" else _RANKS[found[3]]
    return _NUMERALS.get(found[2], found[2]) + kind


_NAME_HEADERS = (
    *("name", "player", "姓名", "选手", "棋手", "运动员", "参赛者"),
    *("选手姓名", "棋手姓名", "运动员姓名", "学生姓名", "参赛选手", "参赛棋手", "参赛运动员"),
)
_CLUB_HEADERS = (
    *("club", "team", "unit", "school", "单位", "俱乐部", "代表队", "队名", "队", "学校"),
    *(
        "代表单位",
        "参赛队",
        "参赛单位",
        "所属单位",
        "单位名称",
        "参赛队伍",
        "队伍",
        "代表队名称",
        "参赛队名称",
        "俱乐部名称",
        "工作单位",
        "所在单位",
    ),
)

COLUMNS: tuple[Column, ...] = (
    Column(
        "id",
        say("Number"),
        ("number", "no", "no.", "id", "snr", "序号", "编号", "号码", "参赛号", "参赛编号"),
        _coded(_number),
    ),
    Column("name", say("Name"), _NAME_HEADERS, _text, r"[^\d\W][^\d]*"),
    Column(
        "title",
        say("Title"),
        (
            "title",
            "rank",
            "称号",
            "段位",
            "等级称号",
            "技术等级",
            "等级",
            "棋手等级",
            "棋士等级",
            "段级位",
            "级位",
            "棋士称号",
            "技术称号",
        ),
        _title,
        "|".join((r"[WC]?[GIFCN]M|[1-9][0-9]?[dkp段级]", _RANK.pattern, *WORDS)),
    ),
    Column(
        "rating", say("Rating"), ("rating", "rtg", "elo", "等级分", "积分", "分数"), _coded(_number), r"[1-9][0-9]{2,3}"
    ),
    Column(
        "club",
        say("Club"),
        _CLUB_HEADERS,
        _text,
        r"[^\d]+",
    ),
    Column(
        "federation",
        say("Federation"),
        ("federation", "fed", "country", "协会", "国家", "代表协会"),
        _coded(str.upper),
        r"[A-Z]{3}",
    ),
    Column("sex", say("Sex"), ("sex", "gender", "性别"), _coded(_sex), r"[mfwMFW男女]"),
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
            "出生年月日",
            "生日",
        ),
        _coded(_birth_year),
        r"(?:19|20)[0-9]{2}(?:[-/.][0-9]{1,2}[-/.][0-9]{1,2})?",
    ),
    Column(
        "fide_id",
        say("FIDE ID"),
        ("fide id", "fideid", "fide-id", "fide no", "fide number", "fide编号", "国际棋联编号"),
        _coded(str),
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
        _coded(str.upper),
    ),
    Column(
        "public_history",
        say("Consents to public history"),
        ("public history", "consent", "public", "公开", "同意公开"),
        _coded(_yes),
    ),
)
"""Every column there is, in the order in which a form asks for them."""
BY_NAME = {column.name: column for column in COLUMNS}
IGNORED = "ignore"
UNNAMED = "?"
