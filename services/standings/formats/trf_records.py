"""The records of a TRF file besides players: JaVaFo's extensions (XX…) and those of TRF26."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from services.standings.formats.trf import Record, Settings, TrfError
from shared.terms import ByeKind, Side

XXS_CODES: dict[str, tuple[str, ...]] = {
    **{code: (code,) for code in ("WW", "BW", "WD", "BD", "WL", "BL", "FW", "FL", "PAB", "FPB", "HPB", "ZPB")},
    "W": ("WW", "BW", "FW", "FPB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
}
"""JaVaFo's code of a point value -> the single values that it sets."""
SCORE_CODES: dict[str, tuple[str, ...]] = {
    "W": XXS_CODES["W"], "D": XXS_CODES["D"], "L": ("WL", "BL"), "P": ("PAB",), "A": ("FL", "ZPB"),
}  # fmt: skip
"""The symbols of record 162: a win, a draw, a loss, the pairing-allocated bye, an absence."""
BYES_240: dict[str, ByeKind] = {"F": "F", "H": "H", "Z": "Z", " ": "Z"}

TEAM_SECTIONS = ("013", "310")
OF_TEAMS = frozenset({"240", "250", "260"})
"""Records whose numbers are those of teams where the file has a team section: kept, not applied to players."""


@dataclass(slots=True)
class _Found:
    file: str
    known: frozenset[int]
    name: str = ""
    rounds: int = 0
    initial_colour: Side | None = None
    points: dict[str, int] = field(default_factory=dict)
    forbidden: set[tuple[int, int]] = field(default_factory=set)
    absent: set[int] = field(default_factory=set)
    byes: list[tuple[int, int, ByeKind]] = field(default_factory=list)
    accelerated: int = 0
    tiebreaks: tuple[str, ...] = ()
    tiebreaks_line: int = 0


def settings(records: Iterable[Record], known: frozenset[int], file: str) -> Settings:
    """What those records set; `TrfError` where a value cannot be read. ``known``: the players' numbers."""
    found, rows = _Found(file, known), tuple(records)
    teams = any(r.text.startswith(TEAM_SECTIONS) for r in rows)
    for record in rows:
        code = record.text[:3]
        if code in READERS and not record.player and not (teams and code in OF_TEAMS):
            READERS[code](found, record)
    return Settings(
        found.name, found.rounds, found.initial_colour, tuple(sorted(found.points.items())),
        frozenset(found.forbidden), frozenset(found.absent), tuple(found.byes), found.accelerated,
        found.tiebreaks, found.tiebreaks_line,
    )  # fmt: skip


def _name(found: _Found, record: Record) -> None:
    found.name = record.text[4:].strip()


def _rounds(found: _Found, record: Record) -> None:
    text = record.text[4:].strip()
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise TrfError(found.file, record.line, 5, f"number of rounds {text!r} is not a number")
    found.rounds = int(text)


def _initial_colour(found: _Found, record: Record) -> None:
    """152: ``W`` or ``B``. XXC: words, of which ``white1`` and ``black1`` name the colour."""
    words = record.text[4:].lower().replace(",", " ").split()
    for word in words:
        if word in ("white1", "w"):
            found.initial_colour = "white"
        elif word in ("black1", "b"):
            found.initial_colour = "black"


def _points(found: _Found, record: Record) -> None:
    """XXS: ``CODE=VALUE`` pairs; 162: a symbol and its value, again and again."""
    javafo = record.text.startswith("XXS")
    pattern, codes = (r"([A-Z]+)\s*=\s*(\S+)", XXS_CODES) if javafo else (r"([A-Z])\s*(\d\S*)", SCORE_CODES)
    for match in re.finditer(pattern, record.text[4:].upper()):
        code, value = match.groups()
        if code in codes:
            worth = _half_points(found, record, match.start(2) + 5, value)
            found.points.update(dict.fromkeys(codes[code], worth))
        elif javafo:
            raise TrfError(found.file, record.line, match.start() + 5, f"unknown point code {code}")


def _half_points(found: _Found, record: Record, column: int, value: str) -> int:
    try:
        doubled = 2 * Fraction(value.replace(",", "."))
    except (ValueError, ZeroDivisionError):
        raise TrfError(found.file, record.line, column, f"points {value!r} are not a number") from None
    if doubled.denominator != 1 or doubled < 0:
        raise TrfError(found.file, record.line, column, f"points {value!r} are no whole number of half-points")
    return int(doubled)


def _numbers(found: _Found, record: Record, start: int) -> list[int]:
    """Starting numbers from a column on, each of a player of the file."""
    numbers = []
    for match in re.finditer(r"[^\s,/]+", record.text[start:]):
        column = start + match.start() + 1
        if not re.fullmatch(r"[0-9]+", match[0]):
            raise TrfError(found.file, record.line, column, f"{match[0]!r} is not a number")
        if int(match[0]) not in found.known:
            raise TrfError(found.file, record.line, column, f"{match[0]} is no player of the file")
        numbers.append(int(match[0]))
    return numbers


def _forbidden(found: _Found, record: Record) -> None:
    found.forbidden |= {(min(p), max(p)) for p in combinations(_numbers(found, record, 4), 2)}


def _forbidden_26(found: _Found, record: Record) -> None:
    """260: first and last round, then the players that do not meet. Of an individual event."""
    _forbidden(found, Record(record.line, " " * 11 + record.text[11:]))


def _absent(found: _Found, record: Record) -> None:
    found.absent.update(_numbers(found, record, 4))


def _byes(found: _Found, record: Record) -> None:
    """240: kind (F, H, Z), round, players."""
    kind, round = record.text[4:5].upper(), record.text[6:9].strip()
    if kind not in BYES_240:
        raise TrfError(found.file, record.line, 5, f"bye {kind!r} is none of F, H, Z")
    if not re.fullmatch(r"[0-9]+", round):
        raise TrfError(found.file, record.line, 7, f"round {round!r} is not a number")
    found.byes += [(player, int(round), BYES_240[kind]) for player in _numbers(found, record, 9)]


def _accelerated(found: _Found, record: Record) -> None:
    found.accelerated = found.accelerated or record.line


def _tiebreaks(found: _Found, record: Record) -> None:
    """202 and 212, which also begins with PTS: names in their order. 212 decides where both stand."""
    names = [n.strip().upper() for n in record.text[4:].split(",") if n.strip()]
    if record.text.startswith("212") or not found.tiebreaks:
        found.tiebreaks = tuple(n for n in names if n != "PTS")
        found.tiebreaks_line = record.line


READERS = {
    "012": _name,
    "XXR": _rounds,
    "142": _rounds,
    "XXC": _initial_colour,
    "152": _initial_colour,
    "XXS": _points,
    "162": _points,
    "XXP": _forbidden,
    "260": _forbidden_26,
    "XXZ": _absent,
    "240": _byes,
    "XXA": _accelerated,
    "250": _accelerated,
    "202": _tiebreaks,
    "212": _tiebreaks,
}
