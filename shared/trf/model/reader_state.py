"""The state of a reader of TRF records, and the fields that many of them hold."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from shared.core.events import VirtualPoints
from shared.core.language.messages import Message, say
from shared.core.terms import ByeKind, Side
from shared.trf.model.columns import TrfError
from shared.trf.model.differences import Difference
from shared.trf.model.forbidden_groups import ForbiddenGroup
from shared.trf.model.model import Abnormal, AllocatedByes, ForfeitedMatch, Record, System, Unplayed
from shared.trf.model.points import doubled, points_text

MOST_ROUNDS = 100
MOST_HALF_POINTS = 2 * 9999
BYES_240: dict[str, ByeKind] = {"F": "F", "H": "H", "Z": "Z", " ": "Z"}


@dataclass(slots=True)
class ReaderState:
    """The state of a reader in the middle of a file; ``known``: the numbers of players, ``teams``: those of teams, whose
    ``members`` are theirs from the first board on; ``stands``: the line of a record that stands once."""

    file: str
    known: frozenset[int]
    teams: frozenset[int]
    members: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    name: str = ""
    rounds: int = 0
    initial_colour: Side | None = None
    points: dict[str, int] = field(default_factory=dict)
    allocated_bye_said: bool = False
    bye_follows_win: bool = False
    forbidden: list[ForbiddenGroup] = field(default_factory=list)
    absent: set[int] = field(default_factory=set)
    byes: list[tuple[int, int, ByeKind]] = field(default_factory=list)
    accelerated: list[VirtualPoints] = field(default_factory=list)
    tiebreaks: tuple[str, ...] = ()
    tiebreaks_line: int = 0
    system: System | None = None
    boards: int = 0
    match_points: dict[str, int] = field(default_factory=dict)
    team_byes: list[tuple[int, int, ByeKind]] = field(default_factory=list)
    abnormal: list[Abnormal] = field(default_factory=list)
    allocated: AllocatedByes | None = None
    forfeits: list[ForfeitedMatch] = field(default_factory=list)
    city: str = ""
    begins: str = ""
    ends: str = ""
    time: str = ""
    lineups: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    colours: str = ""
    unplayed: list[Unplayed] = field(default_factory=list)
    stands: dict[str, int] = field(default_factory=dict)
    by_position: bool = False
    remarks: list[Difference] = field(default_factory=list)
    stated: dict[str, tuple[Record, object]] = field(default_factory=dict)
    """Record and value of each setting that a file may state once, by its name."""

    def remark(self, record: Record, column: int, detail: Message) -> None:
        """Note a word of a record that is not used, or contradicts another record; ``column`` from 1."""
        self.remarks.append(Difference(record.line, column, detail))

    def state(self, record: Record, setting: str, value: str | int) -> None:
        """Note that a record states a setting, with a remark if another record states a different value."""
        first, before = self.stated.setdefault(setting, (record, value))
        if before != value:
            detail = say(
                "record {code} states {value}, but line {line} ({other}) states {before}; {value} is used",
                code=record.text[:3],
                value=value,
                line=first.line,
                other=first.text[:3],
                before=str(before),
            )
            self.remark(record, 1, detail)
            self.stated[setting] = record, value

    def error(self, record: Record, column: int, detail: Message) -> TrfError:
        """Return the error at a ``column`` of a record, from 1."""
        return TrfError(self.file, record.line, column, detail)


def once(state: ReaderState, record: Record) -> None:
    """Check that a record of its kind occurs once. Raises `TrfError`, since either could be meant."""
    code = record.text[:3]
    line = state.stands.setdefault(code, record.line)
    if line != record.line:
        raise state.error(record, 1, say("record {code} is already on line {line}", code=code, line=line))


def round_at(state: ReaderState, record: Record, first: int, last: int) -> int:
    """Return the round in a record's columns. Raises `TrfError` unless a tournament can have it."""
    round = number_at(state, record, first, last, say("round"))
    if not 1 <= round <= MOST_ROUNDS:
        detail = say("the round must be 1 to {most}, not {round}", round=round, most=MOST_ROUNDS)
        raise state.error(record, first, detail)
    return round


def rounds_of_260(state: ReaderState, record: Record) -> tuple[int, int]:
    """Return the first and the last round of a record 260; 0 for a blank one."""
    first, last = number_at(state, record, 5, 7, say("round")), number_at(state, record, 9, 11, say("round"))
    if last and last < first:
        detail = say("the last round, {last}, lies before the first, {first}", last=last, first=first)
        raise state.error(record, 9, detail)
    return first, last


def kind_of_240(state: ReaderState, record: Record) -> ByeKind:
    """Return the kind of bye that a record 240 gives."""
    kind = record.text[4:5].upper()
    if kind not in BYES_240:
        raise state.error(record, 5, say("a bye must be F, H or Z, not {kind}", kind=repr(kind)))
    return BYES_240[kind]


def number_at(state: ReaderState, record: Record, first: int, last: int, what: Message) -> int:
    """Return the number in a record's columns (from 1), or 0 if they are blank."""
    text = record.text[first - 1 : last]
    if text.strip() and not re.fullmatch(r"[0-9]+", text.strip()):
        column = first + len(text) - len(text.lstrip())
        raise state.error(record, column, say("{what} {text} is not a number", what=what, text=repr(text.strip())))
    return int(text.strip() or 0)


def half_points(state: ReaderState, record: Record, column: int, value: str, *, signed: bool = False) -> int:
    """A number of points as half-points; below 0 only where it is ``signed``."""
    twice = doubled(value)
    if twice is None:
        raise state.error(record, column, say("points {value} are not a number", value=repr(value)))
    if twice.denominator != 1 or (twice < 0 and not signed):
        raise state.error(record, column, say("points {value} are not a multiple of half a point", value=repr(value)))
    if abs(twice) > MOST_HALF_POINTS:
        raise state.error(record, column, say("points must fit into four columns; {value} do not", value=repr(value)))
    return int(twice)


def players_from(state: ReaderState, record: Record, start: int) -> list[tuple[int, int]]:
    """(starting number, column) of each player named from a column on, none of them twice."""
    return numbers_from(state, record, start, state.known, say("player"))


def numbers_from(
    state: ReaderState, record: Record, start: int, known: frozenset[int], what: Message, *, nobody: bool = False
) -> list[tuple[int, int]]:
    """(number, column) of each that is named from a column on; where ``nobody`` may be named, 0 does, and is left out."""
    numbers: list[tuple[int, int]] = []
    seen: set[int] = set()
    for match in re.finditer(r"[^\s,/]+", record.text[start:]):
        column = start + match.start() + 1
        if not re.fullmatch(r"[0-9]+", match[0]):
            raise state.error(record, column, say("{match} is not a number", match=repr(match[0])))
        number = int(match[0])
        if nobody and not number:
            continue
        if number not in known:
            raise state.error(
                record,
                column,
                say("{number} is not a {what} of the file; correct the number", number=number, what=what),
            )
        if number in seen:
            raise state.error(record, column, say("{what} {number} is listed twice", what=what, number=number))
        seen.add(number)
        numbers.append((number, column))
    return numbers


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
UNUSED_162 = "X"
"""The symbol of an unknown result, which is ignored here."""
_MAIN_CODES = frozenset(codes[0] for codes in SCORE_CODES.values())
BBP_CODES: dict[str, tuple[str, ...]] = {
    "BBW": XXS_CODES["W"], "BBD": XXS_CODES["D"], "BBL": XXS_CODES["L"], "BBZ": ("ZPB",), "BBF": ("FL",), "BBU": ("PAB",),
}  # fmt: skip
"""Records of bbpPairings that say what a win, a draw, a loss, an absence, a forfeit and the allocated bye are worth."""


def points(state: ReaderState, record: Record) -> None:
    """XXS: ``CODE=VALUE`` pairs; 162: a symbol and its value, again and again."""
    javafo = record.text.startswith("XXS")
    pattern, codes = (r"([A-Z]+)\s*=\s*(\S+)", XXS_CODES) if javafo else (r"([A-Z]+)\s*(\d\S*)", SCORE_CODES)
    text, end = record.text[4:].upper(), 0
    for match in re.finditer(pattern, text):
        code, value = match.groups()
        nothing_left(state, record, text, end, match.start())
        end = match.end()
        if code in codes:
            worth = half_points(state, record, match.start(2) + 5, value)
            _set_points(state, record, codes[code], worth)
        elif javafo or code != UNUSED_162:
            raise state.error(record, match.start() + 5, say("unknown point code {code}", code=code))
        else:
            unused = say("the points of X, a result that is not known yet, are not used")
            state.remark(record, match.start() + 5, unused)
    nothing_left(state, record, text, end, len(text))
    if not javafo:
        _bye_as_win(state)


def bbp_points(state: ReaderState, record: Record) -> None:
    """BBW and its like: one value each."""
    value = record.text[3:].strip()
    column = len(record.text) - len(record.text[3:].lstrip()) + 1
    _set_points(state, record, BBP_CODES[record.text[:3]], half_points(state, record, column, value))
    state.allocated_bye_said |= record.text.startswith("BBU")
    _bye_as_win(state)


def _set_points(state: ReaderState, record: Record, codes: tuple[str, ...], worth: int) -> None:
    """Set the points of these codes, with a remark if a record of another kind states other points.

    Only the first code of a symbol of 162 is compared: XXS may distinguish the others from it.
    """
    kind = "BB" if record.text[:3] in BBP_CODES else record.text[:3]
    for code in codes:
        first, _ = state.stated.get(f"points {code}", (record, 0))
        if code in _MAIN_CODES and (kind != first.text[: len(kind)] or state.points.get(code, worth) == worth):
            state.state(record, f"points {code}", f"{code} {points_text(worth)}")
        else:
            state.stated[f"points {code}"] = record, f"{code} {points_text(worth)}"
        state.points[code] = worth


def _bye_as_win(state: ReaderState) -> None:
    """Set the pairing-allocated bye to a win unless it is stated (162, BBU)."""
    state.allocated_bye_said |= "PAB" in state.points and not state.bye_follows_win
    if not state.allocated_bye_said and "WW" in state.points:
        state.points["PAB"] = state.points["WW"]
        state.bye_follows_win = True


def nothing_left(state: ReaderState, record: Record, text: str, start: int, end: int) -> None:
    """Check that only separators stand between two pairs of ``text``, from column 5 on. Raises `TrfError`."""
    between = text[start:end]
    if between.strip(" \t,;"):
        column = start + len(between) - len(between.lstrip(" \t,;")) + 5
        raise state.error(
            record, column, say("must be a code with its points, not {between}", between=repr(between.strip()))
        )
