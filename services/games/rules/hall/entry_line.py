"""What is typed into the one field of the desk: ``12 1``, or ``1`` for the board that is next."""

import re
import unicodedata
from typing import NamedTuple

from shared.core.language.messages import say
from shared.core.state.outcomes import NOTATION, TYPED
from shared.core.terms import Refusal

MOST_BOARDS = 5_000
_LINE = re.compile(r"(?:([0-9]{1,4})(?:\s+|(?=[=+\-])))?(\S+)")
_MINUS = str.maketrans({"−": "-", "–": "-", "—": "--", "½": "="})


class EntryLine(NamedTuple):
    """The board that is named (None: the next one), and the notation of its result."""

    board: int | None
    notation: str


def read_entry(text: str) -> EntryLine | Refusal:
    """A line as it was typed, full-width characters included. Refusals: ``bad-entry``, ``unknown-board``."""
    line = unicodedata.normalize("NFKC", text.translate(_MINUS)).strip()
    match = _LINE.fullmatch(line)
    result = match and (TYPED.get(match[2]) or (match[2] if match[2] in NOTATION else None))
    if match is None or not result:
        detail = say("{typed} is no result: a board and one of {keys}", typed=text[:40], keys=" ".join(TYPED))
        return Refusal("invalid", "bad-entry", detail, where="entry")
    board = None if match[1] is None else int(match[1])
    if board is not None and not 1 <= board <= MOST_BOARDS:
        return Refusal("unknown", "unknown-board", say("there is no board {board}", board=board), where="entry")
    return EntryLine(board, result)
