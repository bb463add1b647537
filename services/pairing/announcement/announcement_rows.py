"""What the announcement's form says in rows: the worth of results and byes, and the stages; and a set of one's own."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from flask import request

from services.pairing.announcement.regulation_fields import FILE, MOST_STAGES
from shared import regulations
from shared.core.language.messages import Message, say
from shared.core.rulebook.regulations import Regulations
from shared.http.common_problems import bad_field
from shared.regulations.editions import parse_federation_set
from shared.regulations.typed_toml import TomlError

OWN_SET = "own"
"""What is chosen in place of a shipped set where its text is given."""
POINTS: dict[str, Message] = {
    "win": say("A win"),
    "draw": say("A draw"),
    "loss": say("A loss"),
    "pairing_bye": say("The pairing’s bye"),
    "full_bye": say("A full-point bye"),
    "half_bye": say("A half-point bye"),
    "zero_bye": say("A zero-point bye"),
}
"""The members of the points of regulations, in words."""
_POINTS = "points:"
_STAGE = "stage:"
_WORDS = ("name", "format", "time")
_NUMBERS = ("rounds", "groups", "qualifiers", "games", "extra")
_SWITCHES = ("best", "places")
_FEWEST_ROWS = 2


def is_row(name: str) -> bool:
    """Whether a field of the form is of points, of a stage or of a period."""
    _, _, member = name.removeprefix(_STAGE).partition(":")
    of_stage = name.startswith(_STAGE) and _row(name) and member in (*_WORDS, *_NUMBERS, *_SWITCHES)
    of_points = name.startswith(_POINTS) and name.removeprefix(_POINTS) in POINTS
    return bool(of_stage) or of_points or is_period(name)


def points_of(said: Mapping[str, str]) -> dict[str, float]:
    """Return the points that were typed, by member. Raises `Problem` 422."""
    points = {}
    for member in POINTS:
        text = said.get(f"{_POINTS}{member}", "").replace(",", ".")
        if text and not re.fullmatch(r"[0-9]{1,4}(\.[05]0?)?", text):
            raise bad_field(f"points.{member}", say("points come in halves"))
        if text:
            points[member] = float(text)
    return points


def stages_of(said: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the stages that were typed, row by row; a row without a word is none. Raises `Problem` 422."""
    stages: list[dict[str, Any]] = []
    for n in _rows(said):
        row = {name: said.get(f"{_STAGE}{n}:{name}", "") for name in (*_WORDS, *_NUMBERS, *_SWITCHES)}
        wrong = [name for name in _NUMBERS if row[name] and not re.fullmatch(r"[0-9]{1,6}", row[name])]
        if wrong:
            raise bad_field(f"stages.{len(stages)}.{wrong[0]}", say("a whole number is expected"))
        stages.append(
            {name: row[name] for name in _WORDS if row[name]}
            | {name: int(row[name]) for name in _NUMBERS if row[name]}
            | {name: True for name in _SWITCHES if row[name]}
        )
    return stages


def rows_shown(said: Mapping[str, str]) -> range:
    """Return the rows of stages that the form shows: those that are filled, and at least one more."""
    return range(1, min(MOST_STAGES, max(_FEWEST_ROWS, *_rows(said), 0) + bool(_rows(said))) + 1)


def own_text() -> str:
    """Return the text of a set of one's own: of the file that was sent, else as typed. Raises `Problem` 422."""
    file = request.files.get("set_file")
    if file is None or not file.filename:
        return request.form.get(FILE, "")
    file.seek(0)
    try:
        return str(file.read(), "utf-8")
    except UnicodeDecodeError:
        raise bad_field(FILE, say("the file is not UTF-8 text")) from None


def chosen_set(name: str, text: str, usual: str) -> Regulations:
    """Return the set that the form is about: the text's where that is chosen and can be read, else the one of that name."""
    if name == OWN_SET and text.strip():
        try:
            return parse_federation_set(text, FILE)
        except TomlError:
            return regulations.load(usual)
    return regulations.load(name if name in regulations.names() else usual)


def _rows(said: Mapping[str, str]) -> list[int]:
    return sorted({_row(name) for name, text in said.items() if name.startswith(_STAGE) and text.strip()} - {0})


def _row(name: str) -> int:
    """Return the number of a stage's row in the name of a field; 0 for none."""
    number = name.removeprefix(_STAGE).partition(":")[0]
    return int(number) if re.fullmatch(r"[1-9][0-9]?", number) and int(number) <= MOST_STAGES else 0


PERIODS = range(1, 4)
"""The rows of the form: more periods come over the API."""
TIME_FIELDS = ("flag", "byo_yomi", "byo_yomi_periods", "clocks_after")
_PERIOD = "period:"
_MEMBERS = ("minutes", "moves", "increment")


def is_period(name: str) -> bool:
    """Whether a field of the form is of a period."""
    row, _, member = name.removeprefix(_PERIOD).partition(":")
    return name.startswith(_PERIOD) and row in map(str, PERIODS) and member in _MEMBERS


def time_of(said: Mapping[str, str], number: Callable[[Mapping[str, str], str], int]) -> dict[str, Any]:
    """Return the time as the API takes it, of the fields that were filled; ``number`` reads one, or raises `Problem`."""
    rows = [
        {member: number(said, name) for member in _MEMBERS if (name := f"{_PERIOD}{row}:{member}") in said}
        for row in PERIODS
    ]
    time: dict[str, Any] = {
        "periods": [_period(row) for row in rows if row],
        "flag": said.get("flag", "claimed"),
    }
    time |= {name: number(said, name) for name in ("byo_yomi", "byo_yomi_periods") if name in said}
    if "clocks_after" in said:
        time["clocks_after"] = 60 * number(said, "clocks_after")
    return time


def _period(row: Mapping[str, int]) -> dict[str, int]:
    more = {member: row[member] for member in ("moves", "increment") if member in row}
    return {"seconds": 60 * row.get("minutes", 0)} | more
